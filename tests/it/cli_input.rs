//! What the program makes of files as other programs and other systems write them: nothing of a
//! file is lost without a word.

use crate::common::{FFO_20, Folder, OVER, PLAIN, Ran};

const NO_POSITIONS: &str = "no position was found in the input, although it is not empty\n";

#[test]
fn a_file_whose_lines_end_in_carriage_returns_is_read_whole() {
    let obf = format!("% twenty positions\n{}", format!("{FFO_20}\n").repeat(20));
    let csv = format!("id,position\na,{PLAIN}\nb,wrong\n");
    let games = "f5d6c3 % a game\n\nf5a1\n";
    let read = |text: String| Folder::new().run_on(&["solve", "--node-limit", "1000"], text);
    for text in [obf.as_str(), &csv, games] {
        let expected = read(text.to_owned());
        for end in ["\r", "\r\n"] {
            let ran = read(text.replace('\n', end));
            assert_eq!(ran.records(), expected.records(), "{end:?}");
            assert_eq!((ran.err, ran.status), (expected.err.clone(), expected.status), "{end:?}");
        }
    }
    let twenty = read(obf.replace('\n', "\r"));
    assert_eq!(twenty.records().len(), 20);
    assert_eq!(twenty.records()[19], "stdin:21 exact 6");
    // All kinds of ends in a file, and the lines of errors.
    let mixed = format!("{PLAIN}\r{PLAIN}\n\r\nwrong\r\r{OVER}\r\n");
    let ran = read(mixed);
    assert_eq!(
        ran.records(),
        ["stdin:1 exact 6", "stdin:2 exact 6", "stdin:4 invalid", "stdin:6 exact 64"]
    );
    assert!(ran.err.starts_with("stdin:4:2: "), "{ran:?}");
}

#[test]
fn every_command_reads_carriage_returns() {
    let folder = Folder::new().with("list", format!("% a list\r{FFO_20}\r{OVER};\r"));
    let verified = folder.run(&["verify", "list"]);
    assert_eq!(verified.out.lines().count(), 6, "four claims and a line without: {verified:?}");
    let bench = folder.run(&["bench", "list", "-t", "1"]);
    assert!(bench.out.contains("list:3"), "{bench:?}");
    let estimate = folder.run(&["estimate", "list", "--trial", "1ms"]);
    assert!(estimate.out.contains("    all          2  "), "{estimate:?}");
    assert_eq!(folder.run(&["solve", "list", "-o", "scores.csv"]).status, 0);
    let merged = folder.run(&["merge", "scores.csv", "--input", "list"]);
    assert_eq!(merged.records(), ["list:2 exact 6", "list:3 exact 64"]);
    assert_eq!(merged.status, 0, "{merged:?}");
}

#[test]
fn content_that_gives_no_position_is_a_failure_of_every_command() {
    let header = "header.csv: holds no positions; its only line is a header or describes a run";
    let folder = Folder::new()
        .with("header.csv", "id,position\n")
        .with("games", "f5d6\n")
        .with("empty", "% nothing\r\r\n")
        .with("list", PLAIN);
    let ends = |arguments: &[&str], err: &str, status: i32| {
        let ran: Ran = folder.run(arguments);
        assert_eq!((ran.err.as_str(), ran.status), (err, status), "{arguments:?}");
    };
    ends(&["solve", "header.csv"], &format!("{header}\n{NO_POSITIONS}"), 2);
    let nothing = "yose: there is nothing to estimate\n";
    ends(&["estimate", "header.csv"], &format!("{header}\n{NO_POSITIONS}{nothing}"), 2);
    ends(&["bench", "header.csv"], &format!("yose: {header}\n"), 2);
    let missing = "games: 1 of 1 game has no position with 9 empties\n";
    ends(&["solve", "games", "--at-empties", "9"], &format!("{missing}{NO_POSITIONS}"), 2);
    let selected = "games: holds no positions; its only game is not selected\n";
    ends(&["solve", "games", "--games", "2"], &format!("{selected}{NO_POSITIONS}"), 2);
    let verified = folder.run(&["verify", "header.csv"]);
    assert!(verified.err.starts_with(&format!("{header}\n{NO_POSITIONS}")), "{verified:?}");
    assert_eq!(verified.status, 2);
    // Another file with a position, or no content at all: a word, and no failure.
    ends(&["solve", "header.csv", "list"], &format!("{header}\n"), 0);
    ends(&["solve", "empty"], "empty: holds no positions\n", 0);
    // A part of a list may have no position of it.
    let shards = [1, 2].map(|part| folder.run(&["solve", "list", "--shard", &format!("{part}/2")]));
    assert!(shards.iter().all(|ran| ran.err.is_empty() && ran.status == 0), "{shards:?}");

    assert_eq!(folder.run(&["solve", "list", "-o", "scores.csv"]).status, 0);
    let err = format!("yose: the input: cannot be read: {header}; {NO_POSITIONS}");
    ends(&["merge", "scores.csv", "--input", "header.csv"], &err, 2);
    let merged = folder.run(&["merge", "scores.csv", "--input", "list", "header.csv"]);
    assert!(merged.err.starts_with(&format!("{header}\n")) && merged.status == 0, "{merged:?}");
}

#[test]
fn results_whose_lines_end_in_carriage_returns_are_not_replaced() {
    for name in ["scores.jsonl", "scores.csv"] {
        let folder = Folder::new().with("list", PLAIN);
        assert_eq!(folder.run(&["solve", "list", "-o", name]).status, 0);
        let edited = folder.read(name).replace('\n', "\r");
        let folder = folder.with(name, &edited);
        let ran = folder.run(&["solve", "list", "-o", name, "--resume"]);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.err.contains("does not begin as a file of results does"), "{ran:?}");
        assert_eq!(folder.read(name), edited);
    }
}

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

/// A list of lines that are no positions, between two that are.
fn junk(lines: usize) -> String {
    format!("{PLAIN}\n{}f5a1\n{OVER}\n", "hello, world\n".repeat(lines))
}

#[test]
fn many_messages_of_a_kind_are_counted() {
    let folder = Folder::new().with("junk", junk(1000));
    let more = "yose: 970 more like this one: junk:2:1: 'h' is not a square";
    let advice = "yose: --errors FILE writes all of them";
    for arguments in [
        &["solve", "junk", "--progress", "none"][..],
        &["estimate", "junk", "--trial", "1ms"],
        &["verify", "junk", "--progress", "none"],
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 3, "{arguments:?}");
        let bad = ran.err.lines().filter(|line| line.starts_with("junk:")).count();
        assert_eq!(bad, 31, "thirty of a kind and the illegal move: {}", ran.err);
        assert!(ran.err.contains("\njunk:1002:3: move 2: O cannot play a1; "), "{}", ran.err);
        assert!(ran.err.contains(&format!("\n{more}")), "{}", ran.err);
        assert!(ran.err.contains(&format!("\n{advice}\n")), "{}", ran.err);
    }
    // The records are complete.
    assert_eq!(folder.run(&["solve", "junk"]).records().len(), 1003);
}

#[test]
fn a_file_gets_all_messages() {
    let folder = Folder::new().with("junk", junk(1000)).with("errors", "of an earlier run\n");
    for arguments in [
        &["solve", "junk", "none", "--errors", "errors"][..],
        &["estimate", "junk", "none", "--trial", "1ms", "--errors", "errors"],
        &["verify", "junk", "none", "--errors", "errors"],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.err.contains("\nyose: errors has all of them\n"), "{ran:?}");
        let all = folder.read("errors");
        let lines: Vec<&str> = all.lines().collect();
        assert_eq!(lines.len(), 1002, "{arguments:?}");
        assert!(lines[999].starts_with("junk:1001:1: 'h' is not a square"), "{}", lines[999]);
        assert!(lines[1001].starts_with("none: cannot be opened"), "{}", lines[1001]);
        assert_eq!(ran.status, 2, "a missing file");
    }
    // Few messages: the file has them too, and there is nothing to count.
    let ran = folder.run_on(&["solve", "--errors", "errors"], "wrong\n");
    assert_eq!(ran.err, folder.read("errors"));
    folder.run_on(&["solve", "--errors", "errors"], PLAIN).expect(&["stdin:1 exact 6"], "", 0);
    assert_eq!(folder.read("errors"), "");
}

#[test]
#[cfg(target_os = "linux")]
fn messages_that_cannot_be_written_are_a_failure() {
    let ran = Folder::new().run_on(&["solve", "--errors", "/dev/full"], "wrong\n");
    let full = "yose: /dev/full: the messages cannot be written: No space left on device";
    assert!(ran.err.contains(full), "{ran:?}");
    assert_eq!((ran.records(), ran.status), (vec!["stdin:1 invalid".to_owned()], 2));
}

#[test]
fn the_file_of_messages_replaces_neither_input_nor_output() {
    let folder = Folder::new().with("list", PLAIN).with("out.csv", "results\n");
    for (arguments, message) in [
        (&["solve", "list", "--errors", "list"][..], "list: is one of the inputs; give --errors"),
        (&["solve", "list", "--errors", "./list"], "./list: is one of the inputs; give --errors"),
        (&["solve", "list", "-o", "new", "--errors", "new"], "new: is the output; give --errors"),
        (&["solve", "list", "--errors", "."], ".: is a directory; give --errors the name"),
        (&["verify", "list", "--errors", "list"], "list: is one of the inputs; give --errors"),
        (&["estimate", "list", "--errors", "list"], "list: is one of the inputs; give --errors"),
        (&["solve", "list", "--errors", "none/e"], "none/e: cannot be written: No such file"),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.err.contains(message), "{arguments:?}: {ran:?}");
        assert_eq!((ran.out.as_str(), ran.status), ("", 2), "{arguments:?}");
    }
    assert_eq!(folder.read("list"), PLAIN);
    // Wrong usage does not empty the messages of the run before.
    let folder = folder.with("errors", "of an earlier run\n");
    assert_eq!(folder.run(&["solve", "list", "-o", "out.csv", "--errors", "errors"]).status, 2);
    assert_eq!(folder.read("errors"), "of an earlier run\n");
}

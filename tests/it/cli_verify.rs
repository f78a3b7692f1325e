//! `yose verify` and `yose estimate`, run as commands.

use std::io::{BufRead, BufReader, Write as _};
use std::sync::mpsc;
use std::time::Duration;

use crate::common::{FFO_20, Folder, HARD, OVER, PASS, PLAIN, Ran};
use yose::records::Source;
use yose::records::{Item, ReadOptions, Reader};
use yose::search::{Config, Request, Searcher, Window};

/// FFO 21 and 22, from the suite in `positions/`.
fn suite() -> [String; 2] {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/ffo-20-39.obf");
    let text = std::fs::read_to_string(file).expect("a suite");
    let mut lines =
        text.lines().filter(|line| !line.starts_with('%') && !line.is_empty()).map(str::to_owned);
    [lines.nth(1).expect("FFO 21"), lines.next().expect("FFO 22")]
}

/// The columns `place`, `claim`, `verdict` and `score` of each record. Without an exact score, the
/// bounds replace it.
fn verdicts(ran: &Ran) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let records = reader.records().map(|record| {
        let record = record.expect("CSV");
        let score = if record[10].is_empty() {
            [&record[11], &record[12]].join("..")
        } else {
            record[10].to_owned()
        };
        [&record[0], &record[5], &record[9], &score]
            .join(" ")
            .replace("  ", " ")
            .trim_end_matches([' ', '.'])
            .to_owned()
    });
    records.collect()
}

/// The lines of standard error before the summary.
fn messages(ran: &Ran) -> Vec<&str> {
    ran.err.lines().take_while(|line| !line.starts_with("    ")).collect()
}

#[test]
fn every_move_of_a_suite_is_confirmed() {
    let [second, third] = suite();
    let folder = Folder::new().with("a.obf", format!("% a suite\n{FFO_20}\n{second}\n\n{third}\n"));
    let ran = folder.run(&["verify", "a.obf", "-t", "1"]);
    let verdicts = verdicts(&ran);
    assert_eq!(verdicts[..2], ["a.obf:2:69 h5 +6 confirmed 6", "a.obf:2:76 g6 -2 confirmed -2"]);
    assert!(verdicts.iter().all(|verdict| verdict.contains(" confirmed ")), "{verdicts:#?}");
    assert_eq!((messages(&ran).len(), ran.status), (0, 0), "{ran:#?}");
    assert!(ran.err.contains("score of a move"), "{ran:#?}");
}

/// The errors are a wrong score of the best move, a wrong score of an inferior move, and an
/// exchanged side to move, after which most moves are not legal and most scores are wrong. Each is
/// reported with its line.
#[test]
fn inserted_errors_are_found_and_nothing_else() {
    let [second, third] = suite();
    let best = FFO_20.replace("H5:+6", "H5:+8");
    let (mv, score) =
        second.split("; ").nth(2).and_then(|field| field.split_once(':')).expect("a second move");
    let inferior = second.replace(&format!("{mv}:{score}"), &format!("{mv}:-40"));
    assert_ne!(second, inferior);
    let side = third.replacen(" X;", " O;", 1).replacen(
        " O;",
        if third.contains(" X;") { " O;" } else { " X;" },
        1,
    );
    assert_ne!(third, side);
    let list = [FFO_20, &best, &inferior, &side, &third].join("\n");
    let folder = Folder::new().with("list.obf", list);
    for threads in ["1", "2"] {
        let ran = folder.run(&["verify", "list.obf", "--threads", threads]);
        let verdicts = verdicts(&ran);
        let wrong: Vec<&String> =
            verdicts.iter().filter(|verdict| !verdict.contains(" confirmed ")).collect();
        assert!(wrong.len() > 3, "{ran:#?}");
        assert_eq!(wrong[0], "list.obf:2:69 h5 +8 refuted 6");
        let (mv, score) = (mv.to_lowercase(), score.trim_start_matches('+'));
        assert!(
            wrong[1].starts_with("list.obf:3:")
                && wrong[1].contains(&format!("{mv} -40 refuted {score}"))
        );
        assert!(wrong[2].ends_with(" malformed"), "{wrong:#?}");
        assert!(wrong[2..].iter().all(|row| row.starts_with("list.obf:4:")), "{wrong:#?}");
        let messages = messages(&ran);
        assert_eq!(messages.len(), wrong.len(), "{ran:#?}");
        assert!(messages[0].starts_with(
            "list.obf:2:69: refuted: h5 is claimed to lead to +8 for X, and leads to +6: h5;"
        ));
        assert!(
            messages[1].starts_with("list.obf:3:")
                && messages[1].contains(&format!("{mv} is claimed to lead to -40 for"))
        );
        assert!(
            messages[2].starts_with("list.obf:4:") && messages[2].contains(" cannot play "),
            "{ran:#?}"
        );
        assert_eq!(ran.status, 1, "a refutation is more severe than a malformed claim");
    }
}

/// Bounds from both sides and from one, predictions, duplicates and contradictions, in the format
/// of "Othello is Solved".
#[test]
fn each_row_of_an_othello_is_solved_file_is_a_claim() {
    const HEADER: &str = "obf,depth,accuracy,score_lowerbound,score_upperbound,nodes\n";
    // FFO 20, +6 for X. The same board rotated by 180 degrees, and with its colours exchanged.
    let rotated: String = PLAIN[..64].chars().rev().collect();
    let colours: String = PLAIN[..64]
        .chars()
        .map(|c| {
            if c == 'X' {
                'O'
            } else if c == 'O' {
                'X'
            } else {
                c
            }
        })
        .collect();
    let rows = [
        format!("{PLAIN};,6,100,6,6,1"),
        format!("{PLAIN};,6,100,4,8,1"),
        format!("{PLAIN};,6,100,4,64,1"),
        format!("{PLAIN};,6,100,-64,4,1"),
        format!("{PLAIN};,6,73,10,10,1"),
        format!("{rotated} X;,6,100,6,6,-1"),
        format!("{colours} O;,6,100,8,64,1"),
        format!("{PLAIN};,6,100,8,6,1"),
        format!("{OVER};,56,100,64,64,1"),
        format!("{PASS};,1,100,-64,-64,1"),
    ];
    let folder = Folder::new().with("k.csv", HEADER.to_owned() + &rows.join("\n"));
    let ran = folder.run(&["verify", "k.csv", "--format", "csv", "--threads", "2"]);
    assert_eq!(
        verdicts(&ran),
        [
            "k.csv:2:75 score +6 confirmed 6",
            "k.csv:3:75 score +4..+8 confirmed 4..8",
            "k.csv:4:75 score >=+4 confirmed 4..64",
            "k.csv:5:75 score <=+4 refuted 6",
            "k.csv:6 unclaimed",
            "k.csv:7:75 score +6 confirmed 6",
            "k.csv:8:75 score >=+8 refuted 6",
            "k.csv:9:75 malformed",
            "k.csv:10:76 score +64 confirmed 64",
            "k.csv:11:75 score -64 confirmed -64",
        ]
        .map(|row| row.replace("  ", " ")),
        "{ran:#?}"
    );
    let notes: Vec<&str> = ran.out.lines().filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(
        notes[2..5],
        [
            "the same position as in k.csv:2",
            "the same position as in k.csv:2",
            "contradicts k.csv:2 (+6)"
        ]
    );
    assert_eq!((notes[6], notes[7]), ("the same as in k.csv:2", "contradicts k.csv:2 (+6)"));
    let messages = messages(&ran);
    assert_eq!(messages.len(), 5, "{ran:#?}");
    assert_eq!(
        messages[0],
        "k.csv:5:75: contradiction: the score is claimed to be <=+4 here, and +6 in k.csv:2"
    );
    assert!(messages[1].starts_with(
        "k.csv:5:75: refuted: the score of X to move is claimed to be at most +4, and is +6: h5; "
    ));
    assert!(messages[3].starts_with(
        "k.csv:8:75: refuted: the score of O to move is claimed to be at least +8, and is +6: "
    ));
    assert!(
        ran.err.contains("2 contradictions between claims")
            && ran.err.contains("1 position without a claim")
    );
    assert_eq!(ran.status, 1);
}

#[test]
fn records_of_other_programs_are_claims() {
    let rows = format!("position,score,best_move\n{PLAIN},6,h5\n{PLAIN},6,g6\n");
    let ran = Folder::new().with("other.csv", rows).run(&["verify", "other.csv"]);
    let verdicts = verdicts(&ran);
    assert_eq!(
        verdicts[1..4],
        [
            "other.csv:2:70 best h5 confirmed 6",
            "other.csv:3:68 score +6 confirmed 6",
            "other.csv:3:70 best g6 refuted 6"
        ]
    );
    assert!(
        ran.err.contains(
            "other.csv:3:70: refuted: g6 is claimed to be a best move for X, and leads to "
        ),
        "{ran:#?}"
    );
    assert!(ran.err.contains("; the best score is +6: h5;"), "{ran:#?}");
    // The records of Yose itself are confirmed.
    let folder = Folder::new().with("list.obf", format!("{FFO_20}\n{PASS}\n{OVER}\n"));
    assert_eq!(folder.run(&["solve", "list.obf", "--all-moves", "-o", "own.jsonl"]).status, 0);
    let ran = folder.run(&["verify", "own.jsonl"]);
    assert_eq!((messages(&ran).len(), ran.status), (0, 0), "{ran:#?}");
}

#[test]
fn a_claim_at_a_limit_is_open_or_consistent() {
    let [_, third] = suite();
    let folder = Folder::new().with("hard.csv", format!("position,score\n{},10\n", &third[..66]));
    let ran = folder.run(&["verify", "hard.csv", "--node-limit", "1"]);
    assert!(
        verdicts(&ran)[0].contains(" open ") || verdicts(&ran)[0].contains(" consistent "),
        "{ran:#?}"
    );
    assert_eq!(ran.status, 4);
    // A refutation is more severe.
    let folder = Folder::new()
        .with("both.csv", format!("position,score\n{},10\n{OVER},-64\n", &third[..66]));
    assert_eq!(folder.run(&["verify", "both.csv", "--node-limit", "1"]).status, 1);
}

#[test]
fn a_sample_is_part_of_the_list_and_depends_on_its_seed() {
    let rows: String = (0..50).map(|_| format!("{FFO_20}\n")).collect();
    let folder = Folder::new().with("many.obf", rows + "wrong\n");
    let run = |seed: &str| folder.run(&["verify", "many.obf", "--sample", "5", "--seed", seed]);
    let (one, again, other) = (run("1"), run("1"), run("2"));
    let places = |ran: &Ran| {
        verdicts(ran)
            .iter()
            .map(|row| row.split(' ').next().unwrap_or_default().to_owned())
            .collect()
    };
    let (one_places, again_places): (Vec<String>, Vec<String>) = (places(&one), places(&again));
    assert_eq!(one_places.len(), 5 * 4 + 1, "four moves each, and the invalid line");
    assert_eq!(one_places, again_places);
    assert_ne!(one_places, places(&other));
    assert_eq!(one.status, 3);
}

#[test]
fn each_output_format_is_written_and_no_file_is_overwritten() {
    let folder = Folder::new().with("a.obf", FFO_20);
    let ran = folder.run(&["verify", "a.obf", "--format", "table"]);
    assert!(
        ran.out.starts_with("place") && ran.out.contains("h5 +6         confirmed   +6"),
        "{ran:#?}"
    );
    assert!(
        ran.out.contains("\nall                     4          4        0           0     0\n"),
        "{ran:#?}"
    );
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    let ran = folder.run(&["verify", "a.obf", "-o", "verdicts.jsonl"]);
    assert_eq!(ran.status, 0);
    let written = folder.read("verdicts.jsonl");
    let types = written
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["type"].clone());
    assert_eq!(
        types.collect::<Vec<_>>(),
        ["verify", "finding", "finding", "finding", "finding", "summary"]
    );
    let ran = folder.run(&["verify", "a.obf", "-o", "verdicts.jsonl"]);
    assert!(ran.err.contains("exists already") && ran.status == 2, "{ran:#?}");
    let ran = folder.run(&["verify", "none.obf"]);
    assert_eq!(ran.status, 2);
}

/// In all formats that have several claims on a line.
#[test]
fn a_malformed_claim_leaves_the_others_of_its_line() {
    let fields = "H5:+6; Z9:+2; G6:-2; F6:+3; H6:-8; H5:+6; A1:+2; H6;";
    let csv = format!(
        "position,score,best_move,moves\n{PLAIN},+3,h5,h5:+6 g6 f6:-4 z9:+2\n{PLAIN},6,a1,h5:66\n"
    );
    let json = format!(
        r#"{{"position":"{PLAIN}","score":7,"best_move":"h5","moves":[7,{{"move":"f6","score":0}}]}}"#
    );
    // The claim is in the second line of its row.
    let lines = format!("position,comment,score\n{PLAIN},\"a\nb\",+3\n");
    let folder = Folder::new()
        .with("d.csv", lines)
        .with("a.obf", format!("{PLAIN}; {fields}\n{PLAIN}; a1:+2;\n{FFO_20}\n"))
        .with("b.csv", csv)
        .with("c.jsonl", json + "\n");
    let ran = folder.run(&["verify", "a.obf", "b.csv", "c.jsonl", "d.csv", "-t", "2"]);
    let rows = verdicts(&ran);
    assert_eq!(
        rows[..9],
        [
            "a.obf:1:69 h5 +6 confirmed 6",
            "a.obf:1:76 malformed",
            "a.obf:1:83 g6 -2 confirmed -2",
            "a.obf:1:93 malformed",
            "a.obf:1:97 h6 -8 refuted -10",
            "a.obf:1:104 malformed",
            "a.obf:1:111 malformed",
            "a.obf:1:118 malformed",
            "a.obf:2:69 malformed",
        ],
        "{ran:#?}"
    );
    assert_eq!(
        rows[13..],
        [
            "b.csv:2:68 malformed",
            "b.csv:2:71 best h5 confirmed 6",
            "b.csv:2:74 h5 +6 confirmed 6",
            "b.csv:2:80 malformed",
            "b.csv:2:83 f6 -4 confirmed -4",
            "b.csv:2:89 malformed",
            "b.csv:3:68 score +6 confirmed 6",
            "b.csv:3:70 malformed",
            "b.csv:3:76 malformed",
            "c.jsonl:1:90 malformed",
            "c.jsonl:1:105 best h5 confirmed 6",
            "c.jsonl:1:118 malformed",
            "c.jsonl:1:129 f6 +0 refuted -4",
            "d.csv:3:4 malformed",
        ],
        "{ran:#?}"
    );
    let messages = messages(&ran);
    assert!(messages[0].starts_with("a.obf:1:76: `Z9` is not a move; "), "{ran:#?}");
    assert!(messages[1].starts_with("a.obf:1:93: `+3` is an odd score; "), "{ran:#?}");
    assert!(ran.err.contains("\n14 malformed entries or claims\n"), "{ran:#?}");
    assert_eq!(ran.status, 1);

    let one = Folder::new().with("a.obf", format!("{PLAIN}; H5:+6; Z9:+2;\n"));
    assert_eq!(one.run(&["verify", "a.obf"]).status, 3, "all other claims are confirmed");
    // A sample has the malformed claims of the entries that are not drawn.
    let ran = folder.run(&["verify", "a.obf", "--sample", "1"]);
    let drawn = verdicts(&ran);
    assert_eq!(drawn.iter().filter(|row| row.ends_with("malformed")).count(), 6, "{ran:#?}");
    // For `solve` such a line is another one than was meant.
    let ran = folder.run(&["solve", "a.obf"]);
    ran.expect(
        &["a.obf:1 invalid", "a.obf:2 invalid", "a.obf:3 exact 6"],
        "a.obf:1:76: `Z9` is not a move; a field is `MOVE:SCORE`, with a move from a1 to h8, or PS \
         for a pass\na.obf:2:69: X cannot play a1; the legal moves are h5 f6 g6 h6\n",
        3,
    );
}

/// The claim at the end takes hours.
#[test]
fn messages_before_an_expensive_claim_are_printed_at_once() {
    let folder =
        Folder::new().with("bad.obf", "wrong\n").with("hard.obf", format!("{HARD}; +2;\n"));
    let mut running = folder.start(&["verify", "none.obf", "bad.obf", "hard.obf"]);
    let (sender, messages) = mpsc::channel();
    let err = BufReader::new(running.0.stderr.take().expect("a pipe"));
    std::thread::spawn(move || err.lines().try_for_each(|line| sender.send(line.expect("UTF-8"))));
    for start in ["none.obf: cannot be opened", "bad.obf:1:2: "] {
        let message = messages.recv_timeout(Duration::from_secs(120)).expect("a message");
        assert!(message.starts_with(start), "{message}");
    }
    assert!(running.0.try_wait().expect("its state").is_none(), "it verifies the claim");
}

#[test]
fn a_sample_of_more_than_there_is_is_reported() {
    let list = format!("{FFO_20}\n{PLAIN}\nwrong\n");
    let folder = Folder::new().with("list.obf", list);
    let ran = folder.run(&["verify", "list.obf", "--sample", "2"]);
    let err = "yose: the sample has all positions with claims: 1\n";
    assert!(ran.err.starts_with(err) && verdicts(&ran).len() == 5, "{ran:?}");
    assert!(folder.run(&["verify", "list.obf", "--sample", "1"]).err.starts_with("list.obf:3:"));
}

/// The second line comes only after the finding about the first one.
#[test]
#[cfg(unix)]
fn a_line_of_a_slow_pipe_is_verified_before_the_next_one_comes() {
    let folder = Folder::new();
    let mut running = folder.start(&["verify", "-", "--format", "csv", "-t", "2"]);
    let mut input = running.0.stdin.take().expect("a pipe");
    let out = BufReader::new(running.0.stdout.take().expect("a pipe"));
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || out.lines().try_for_each(|line| sender.send(line.expect("UTF-8"))));
    let line = || lines.recv_timeout(Duration::from_secs(120)).expect("a line");
    for (number, claim) in [(1, "H5:+6"), (2, "G6:-2")] {
        writeln!(input, "{PLAIN}; {claim};").expect("the program reads");
        if number == 1 {
            assert!(line().starts_with("place,id,"));
        }
        assert!(line().starts_with(&format!("stdin:{number}:69,")));
    }
    // A signal ends the wait for the third line.
    running.signal("TERM");
    assert_eq!(running.end(Duration::from_secs(120)).status, 75);
    drop(input);
}

/// A bound takes one null-window search, with fewer nodes than the exact score.
#[test]
fn bounds_cost_less_than_scores() {
    let [second, third] = suite();
    let (mut scores, mut bounds) =
        ("position,score\n".to_owned(), "position,lower,upper\n".to_owned());
    for (number, line) in [second, third].iter().enumerate() {
        let position = &line[..66];
        let source = Source::Memory { name: "line", bytes: line.as_bytes().to_vec().into() };
        let Some(Item::Entry(entry)) = Reader::new(vec![source], ReadOptions::default()).next()
        else {
            panic!("a line")
        };
        let mut solver =
            Searcher::new(Config { table_bytes: 16 << 20, ..Config::default() }).expect("16 MiB");
        let position_read = entry.problem.expect("OBF").diagram.position;
        let request = Request { position: position_read, window: Window::FULL, all_moves: false };
        let score = solver.solve(&request).bounds.lower.discs();
        scores += &format!("{position},{score}\n");
        bounds += &if number % 2 == 0 {
            format!("{position},{score},\n")
        } else {
            format!("{position},,{score}\n")
        };
    }
    let nodes = |list: &str| -> u64 {
        let ran =
            Folder::new().with("list.csv", list).run(&["verify", "list.csv", "--threads", "1"]);
        assert_eq!(ran.status, 0, "{ran:#?}");
        let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
        reader.records().map(|record| record.expect("CSV")[14].parse::<u64>().expect("nodes")).sum()
    };
    let (exact, one_sided) = (nodes(&scores), nodes(&bounds));
    assert!(one_sided < exact, "{one_sided} for bounds, {exact} for scores");
}

#[test]
fn an_estimate_has_a_range() {
    let [second, third] = suite();
    let folder = Folder::new().with("list.obf", format!("{second}\n{third}\nwrong\n"));
    let ran = folder.run(&["estimate", "list.obf", "--threads", "1", "--trial", "50ms"]);
    let rows: Vec<Vec<&str>> =
        ran.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        (rows[1][..2].to_vec(), rows[3][..2].to_vec()),
        (vec!["15", "1"], vec!["all", "2"]),
        "{ran:#?}"
    );
    let number = |text: &str| text.replace(',', "").parse::<f64>().expect("a number");
    let (mean, low, high) = (number(rows[3][2]), number(rows[3][3]), number(rows[3][4]));
    assert!(low < mean && mean < high, "{ran:#?}");
    assert!(rows[5].join(" ").starts_with("1 thread, "), "{ran:#?}");
    assert!(ran.err.starts_with("list.obf:3:") && ran.status == 3, "{ran:#?}");
}

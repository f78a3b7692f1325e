//! `yose solve` as a user runs it: formats, goals, outputs.

use crate::common::{FFO_20, Folder, OVER, PASS, PLAIN, program};
use sha2::{Digest, Sha256};
use yose::eval::{EMBEDDED, Weights};

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text without times, rates, nodes and digests, which differ between runs or versions.
fn steady(text: &str) -> String {
    let redact = |text: &str, key: &str| -> String {
        let mut parts = text.split(key);
        let mut steady = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let number = if rest.len() == part.len() { "" } else { "#" };
            steady += &format!("{key}{number}{rest}");
        }
        steady
    };
    let text = redact(&redact(text, "nodes\":"), "seconds\":");
    let text = text.replace(&sha256(EMBEDDED), "WEIGHTS");
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(yose::tier::NAME, "TIER")
}

#[test]
fn both_formats_from_files_and_standard_input() {
    let folder = Folder::new()
        .with("a.obf", format!("{FFO_20}\n"))
        .with("b.txt", format!("{PLAIN}\n{OVER}\n"));
    let ran = folder.run_on(&["solve", "a.obf", "-", "b.txt"], format!("% one\n\n{PASS}\n"));
    ran.expect(
        &["a.obf:1 exact 6", "stdin:3 exact -64", "b.txt:1 exact 6", "b.txt:2 exact 64"],
        "",
        0,
    );
    folder.run_on(&["solve"], PLAIN).expect(&["stdin:1 exact 6"], "", 0);
}

#[test]
fn csv_has_its_columns() {
    let ran = Folder::new().run_on(&["solve"], format!("{FFO_20}\n{PASS}\n{OVER}\n"));
    let rows: Vec<Vec<&str>> = ran.out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        rows[0].join(","),
        "id,position,empties,status,score,lower,upper,best_move,pv,nodes,seconds,wld"
    );
    assert_eq!(rows[1][..8], ["stdin:1", PLAIN, "6", "exact", "6", "6", "6", "h5"]);
    assert_eq!(rows[2][1..9], [PASS, "1", "exact", "-64", "-64", "-64", "--", "-- a1"]);
    assert_eq!(rows[3][1..9], [OVER, "56", "exact", "64", "64", "64", "", ""]);
    for row in &rows[1..] {
        row[9].parse::<u64>().expect("nodes");
        row[10].parse::<f64>().expect("seconds");
    }
}

#[test]
fn every_move_in_every_format() {
    let folder = Folder::new();
    let ran = folder.run_on(&["solve", "--all-moves", "--format", "csv"], FFO_20);
    assert!(ran.out.lines().next().is_some_and(|head| head.ends_with(",wld,moves")), "{ran:?}");
    assert!(ran.out.trim_end().ends_with(",h5:+6 g6:-2 f6:-4 h6:-10"), "{ran:?}");
    let ran = folder.run_on(&["solve", "--all-moves", "--format", "table"], FFO_20);
    assert!(ran.out.contains("\n    h5 +6  g6 -2  f6 -4  h6 -10\n"), "{ran:?}");
    let ran = folder.run_on(&["solve", "--all-moves", "--format", "jsonl"], PASS);
    assert!(
        ran.out.contains(r#""moves":[{"move":"--","score":-64,"lower":-64,"upper":-64}]"#),
        "{ran:?}"
    );
}

#[test]
fn json_lines_describe_the_run() {
    let folder = Folder::new().with("a.obf", format!("{FFO_20}\n"));
    let ran = folder.run_on(
        &["solve", "-t", "1", "--format", "jsonl", "a.obf", "-"],
        format!("{PASS}\n{}\n", &PASS[..64]),
    );
    assert_eq!(ran.status, 3, "{ran:?}");
    for line in ran.out.lines() {
        serde_json::from_str::<serde_json::Value>(line)
            .unwrap_or_else(|error| panic!("{error}: {line}"));
    }
    insta::assert_snapshot!(steady(&ran.out));
}

#[test]
fn a_table_for_people() {
    let ran = Folder::new().run_on(&["solve", "--format", "table"], format!("{PASS}\n{OVER}\nX\n"));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[0],
        "position    empties  side    score          nodes    seconds  principal variation"
    );
    assert!(
        lines[1].starts_with("stdin:1           1     X      -64  ")
            && lines[1].ends_with("  -- a1"),
        "{ran:?}"
    );
    assert!(lines[2].starts_with("stdin:2          56     X      +64  "), "{ran:?}");
    assert_eq!(lines[3], "stdin:3                    invalid");
    assert!(
        lines[4].starts_with("2 exact scores, 1 invalid; ") && lines[4].contains(" nodes in "),
        "{ran:?}"
    );
}

#[test]
fn goals_and_windows_give_bounds() {
    let folder = Folder::new();
    // FFO 20 is +6 for X: the bounds prove a win, and no more than the window distinguishes.
    for (arguments, lower, upper) in [
        (&["--goal", "wld"][..], 2, 64),
        (&["--window", "-1,1"], 2, 64),
        (&["--window=8,10"], -64, 8),
        (&["--window", "-64,7"], 6, 6),
        (&["--goal", "exact"], 6, 6),
    ] {
        let ran = folder.run_on(&[&["solve"], arguments].concat(), PLAIN);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
        let fields: Vec<&str> = ran.out.lines().nth(1).expect("a record").split(',').collect();
        let bound = |field: usize| fields[field].parse::<i32>().expect("a bound");
        assert_eq!((bound(5), bound(6)), (lower, upper), "{arguments:?}: {ran:?}");
        let exact = bound(5) == bound(6);
        let status = match (lower, upper) {
            (6, 6) => "exact",
            (2, 64) => "wld",
            _ => "bounds",
        };
        assert_eq!(fields[3..5], [status, if exact { "6" } else { "" }], "{arguments:?}");
    }
}

#[test]
fn bare_boards_with_a_side() {
    let folder = Folder::new();
    let bare = &PLAIN[..64];
    folder.run_on(&["solve", "--side", "X"], bare).expect(&["stdin:1 exact 6"], "", 0);
    folder.run_on(&["solve", "--side", "x", "--input-format", "plain"], bare).expect(
        &["stdin:1 exact 6"],
        "",
        0,
    );
    let ran = folder.run_on(&["solve", "--side", "O"], bare);
    assert!(ran.out.contains(&format!("{bare} O")), "{ran:?}");
}

#[test]
fn an_output_file_is_never_lost() {
    let folder = Folder::new().with("in.txt", PLAIN);
    let ran = folder.run(&["solve", "in.txt", "-o", "out.csv"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), ("", "", 0));
    let written = folder.read("out.csv");
    assert!(written.starts_with("id,") && written.contains("in.txt:1,"), "{written}");

    let ran = folder.run(&["solve", "in.txt", "-o", "out.csv"]);
    let err = "yose: out.csv: exists already, and may hold results; give another name, \
               --resume to continue it, or --force to replace it\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.status), ("", err, 2));
    assert_eq!(folder.read("out.csv"), written);
    assert_eq!(
        folder.run(&["solve", "in.txt", "-o", "out.csv", "--force", "--format", "jsonl"]).status,
        0
    );
    assert!(folder.read("out.csv").starts_with("{\"type\":\"run\""));

    let ran = folder.run(&["solve", "in.txt", "--force", "-o", "./in.txt"]);
    assert_eq!(ran.err, "yose: ./in.txt: is one of the inputs; give --output another name\n");
    assert_eq!(ran.status, 2);
    assert_eq!(folder.read("in.txt"), PLAIN);
}

#[test]
#[cfg(target_os = "linux")]
fn an_input_is_not_written_to_by_a_shell_either() {
    use std::fs::{File, OpenOptions};

    let folder = Folder::new().with("in.txt", PLAIN);
    let append = OpenOptions::new().append(true).open(folder.path("in.txt")).expect("the input");
    let mut command = std::process::Command::new(program());
    let output = command
        .current_dir(folder.path(""))
        .args(["solve", "in.txt"])
        .stdout(append)
        .output()
        .expect("a run");
    let err = "yose: standard output goes into one of the inputs; send it to another file\n";
    assert_eq!(
        (String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()),
        (err, Some(2))
    );

    let mut command = std::process::Command::new(program());
    command.current_dir(folder.path("")).args(["solve", "--force", "-o", "in.txt"]);
    let output = command
        .stdin(File::open(folder.path("in.txt")).expect("the input"))
        .output()
        .expect("a run");
    let err = "yose: in.txt: is one of the inputs; give --output another name\n";
    assert_eq!(
        (String::from_utf8_lossy(&output.stderr).as_ref(), output.status.code()),
        (err, Some(2))
    );
    assert_eq!(folder.read("in.txt"), PLAIN);
}

#[test]
fn an_output_that_cannot_be_written_is_reported_before_the_search() {
    let folder = Folder::new().with("in.txt", PLAIN);
    let ran = folder.run(&["solve", "in.txt", "-o", "none/out.csv"]);
    assert!(ran.err.starts_with("yose: none/out.csv: cannot be written: "), "{ran:?}");
    assert_eq!((ran.out.as_str(), ran.status), ("", 2));
}

#[test]
fn the_format_follows_the_name_of_the_output() {
    let folder = Folder::new();
    for (name, start) in [("a.jsonl", "{"), ("a.ndjson", "{"), ("a.csv", "id,"), ("a", "id,")] {
        assert_eq!(folder.run_on(&["solve", "-o", name], PLAIN).status, 0);
        assert!(folder.read(name).starts_with(start), "{name}");
    }
    folder.run_on(&["solve", "-o", "-"], PLAIN).expect(&["stdin:1 exact 6"], "", 0);
}

#[test]
fn progress_does_not_touch_the_output() {
    let folder = Folder::new();
    for style in ["auto", "bar", "plain", "none"] {
        // The work is over before the first line of progress, and a bar needs a terminal.
        folder.run_on(&["solve", "--progress", style], PLAIN).expect(&["stdin:1 exact 6"], "", 0);
    }
}

#[test]
fn table_sizes() {
    let folder = Folder::new();
    for size in ["1MiB", "2M", "1048576", "3MB"] {
        folder.run_on(&["solve", "--hash", size], PLAIN).expect(&["stdin:1 exact 6"], "", 0);
    }
    let ran = folder.run_on(&["solve", "--hash", "64K"], PLAIN);
    assert!(ran.err.contains("65536 bytes are too few; the smallest table has 1MiB"), "{ran:?}");
    assert_eq!(ran.status, 2);
}

#[test]
fn other_weights_give_the_same_scores() {
    let file = Weights::zero().write();
    let folder = Folder::new().with("my.bin", &file).with("in.txt", PLAIN);
    for weights in ["my.bin", "zero", "embedded"] {
        folder.run(&["solve", "in.txt", "--weights", weights]).expect(&["in.txt:1 exact 6"], "", 0);
    }
    let head = |weights: &str| {
        folder.run(&["solve", "in.txt", "--format", "jsonl", "--weights", weights]).out
    };
    let expected = format!(r#","weights":{{"name":"my.bin","sha256":"{}"}},"#, sha256(&file));
    assert!(head("my.bin").contains(&expected), "{}", head("my.bin"));
    assert!(
        head("zero").contains(r#","weights":{"name":"zero","sha256":null},"#),
        "{}",
        head("zero")
    );

    let ran = folder.run(&["solve", "in.txt", "--weights", "my.bin", "--force", "-o", "my.bin"]);
    assert_eq!(ran.err, "yose: my.bin: is one of the inputs; give --output another name\n");
    assert_eq!(ran.status, 2);
    assert_eq!(std::fs::read(folder.path("my.bin")).expect("it is there"), file);
}

/// FFO 24 has 19 empties, so that every search pass and every kind of cut-off occurs.
#[test]
#[cfg(feature = "stats")]
fn statistics_are_printed_at_the_end() {
    let suite = include_str!("../../positions/ffo-20-39.obf");
    let lines: Vec<&str> =
        suite.lines().filter(|line| !line.is_empty() && !line.starts_with('%')).collect();
    let ran =
        Folder::new().run_on(&["solve", "--stats", "--progress", "none"], lines[4].as_bytes());
    assert_eq!((ran.status, ran.records().len()), (0, 1), "{ran:?}");
    let table: Vec<Vec<&str>> =
        ran.err.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(ran.err.starts_with("exact pass: "), "{ran:?}");
    // A row for each number of empties that has nodes, all with as many columns as there are heads.
    let rows: Vec<_> =
        table.iter().filter(|row| row.len() == 9 && row[0].parse::<u32>().is_ok()).collect();
    assert!(rows.len() >= 10, "{ran:?}");
    for row in rows {
        let percents: Vec<f64> =
            [2, 3, 4, 6, 7].map(|n| row[n].trim_end_matches('%').parse().expect("a number")).into();
        assert!(percents.iter().all(|percent| (0.0..=100.0).contains(percent)), "{row:?}");
    }
    // The search passes have all nodes but those of the first guess.
    let passes: u64 = table
        .iter()
        .filter(|row| row.get(1) == Some(&"nodes"))
        .map(|row| row[0].parse::<u64>().expect("nodes"))
        .sum();
    let nodes = ran
        .out
        .lines()
        .nth(1)
        .and_then(|line| line.split(',').nth(9))
        .expect("a record with nodes");
    assert!(
        ran.err.contains("%  selective, ")
            && ran.err.contains("%  exact\n")
            && ran.err.contains("%  principal variation\n"),
        "{ran:?}"
    );
    assert!(passes <= nodes.parse().expect("a number") && passes > 0, "{ran:?}");
}

#[test]
fn results_of_a_pipe_are_written_before_its_end() {
    // The list is still being written: the first results are printed before its end.
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let mut child = Command::new(program())
        .args(["solve", "--hash", "1MiB"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut input = child.stdin.take().expect("its input");
    let mut output = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut next = || output.next().expect("a line").expect("text");
    assert!(next().starts_with("id,"));
    for line in 1..=3 {
        writeln!(input, "{PLAIN}").expect("it reads");
        assert!(next().starts_with(&format!("stdin:{line},")));
    }
    drop(input);
    assert!(child.wait().expect("its end").success());
}

//! Parquet: written by `solve` and `merge`, and read wherever results are read. What other programs
//! read is tested by scripts/parquet-test.py.

use std::fs;

use crate::common::Folder;
#[cfg(feature = "parquet")]
use crate::common::{column, random_list};

/// The columns that do not depend on time.
#[cfg(feature = "parquet")]
fn results(csv: &str) -> [Vec<String>; 5] {
    ["position", "score", "nodes", "pv", "wld"].map(|name| column(csv, name))
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let folder = Folder::new().with("l.parquet", "PAR1").with("list", "");
    for (arguments, status) in [
        (&["solve", "l.parquet"][..], 2),
        (&["solve", "list", "-o", "out.parquet"], 2),
        (&["solve", "list", "-o", "out", "--format", "parquet"], 2),
    ] {
        let ran = folder.run(arguments);
        assert!(ran.err.contains("`--features parquet`"), "{ran:?}");
        assert_eq!(ran.status, status, "{ran:?}");
    }
    assert!(!folder.path("out.parquet").exists() && !folder.path("out").exists());
}

#[test]
fn only_results_of_positions_are_written_as_parquet() {
    let folder = Folder::new().with("list", "").with("l.csv", "id,position\n");
    for arguments in [
        &["verify", "list", "-o", "v.parquet"][..],
        &["review", "list", "-o", "v.parquet"],
        &["report", "list", "-o", "v.parquet"],
        &["solve", "list", "-o", "v.parquet", "--format", "csv"],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.err.contains("the name is one for Parquet"), "{arguments:?}: {ran:?}");
        assert_eq!(ran.status, 2);
    }
    let piped = folder.run_on(&["solve"], "PAR1");
    assert!(piped.err.contains("Parquet cannot be read from a pipe"), "{piped:?}");
    assert_eq!(fs::read_dir(folder.path(".")).expect("the folder").count(), 2);
}

#[cfg(feature = "parquet")]
#[test]
fn what_is_written_is_read_back_by_every_command() {
    let list = random_list(40, 4..=8, 25).join("\n") + "\nno position\n";
    let folder = Folder::new().with("list", list);
    let solve = ["solve", "list", "--deterministic", "--all-moves", "--progress", "none"];
    let csv = folder.run(&[&solve[..], &["--format", "csv"]].concat());
    let written = folder.run(&[&solve[..], &["-o", "all.parquet"]].concat());
    assert_eq!((written.status, csv.status), (3, 3), "{written:?}");
    assert!(fs::read(folder.path("all.parquet")).expect("the file").starts_with(b"PAR1"));
    assert!(!folder.path("all.parquet.part").exists());

    // As claims, as a list, and as results.
    let verified = folder.run(&["verify", "all.parquet", "--format", "csv"]);
    let verdicts = column(&verified.out, "verdict");
    let (last, others) = verdicts.split_last().expect("verdicts");
    assert!(others.len() > 40 && others.iter().all(|verdict| verdict == "confirmed"));
    // The record of the invalid line is no position, as in JSON Lines.
    assert_eq!((last.as_str(), verified.status), ("malformed", 3), "{verified:?}");
    let again = folder.run(&["solve", "all.parquet", "--deterministic", "--format", "csv"]);
    assert_eq!(results(&again.out)[1], results(&csv.out)[1]);
    let report = folder.run(&["report", "all.parquet", "-o", "page.html"]);
    assert_eq!(report.status, 0, "{report:?}");

    // Shards in three formats, joined as Parquet and as JSON Lines.
    for (shard, name) in [("1/3", "1.parquet"), ("2/3", "2.jsonl"), ("3/3", "3.jsonl.gz")] {
        let part = folder.run(&[&solve[..], &["--shard", shard, "-o", name]].concat());
        assert!(part.status == 0 || part.status == 3, "{part:?}");
    }
    for name in ["joined.parquet", "joined.jsonl"] {
        let shards = ["1.parquet", "2.jsonl", "3.jsonl.gz", "--input", "list"];
        let joined = folder.run(&[&["merge", "-o", name][..], &shards].concat());
        assert_eq!(joined.status, 0, "{joined:?}");
        assert!(joined.err.contains("41 results from 3 files"), "{joined:?}");
    }
    folder.run(&["merge", "joined.parquet", "-o", "back.jsonl", "--input", "list"]);
    let lines = |name: &str| {
        let text = folder.read(name);
        let objects = text.lines().filter(|line| line.contains("\"type\":\"position\""));
        let objects = objects.map(|line| serde_json::from_str(line).expect("JSON"));
        objects.collect::<Vec<serde_json::Value>>()
    };
    assert_eq!(lines("back.jsonl").len(), 41);
    assert_eq!(lines("back.jsonl"), lines("joined.jsonl"));
    let csv_parts = folder.run(&["merge", "joined.parquet", "-o", "j.parquet", "--records-only"]);
    assert_eq!(csv_parts.status, 2, "{csv_parts:?}");
    let whole = folder.run(&["solve", "joined.parquet", "--deterministic", "--format", "csv"]);
    assert_eq!(results(&whole.out)[1], results(&csv.out)[1]);
}

#[cfg(feature = "parquet")]
#[test]
fn a_plan_is_joined_as_parquet() {
    let folder = Folder::new().with("list", random_list(60, 4..=7, 26).join("\n") + "\n");
    let run = |arguments: &[&str]| {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 0, "{ran:?}");
        ran
    };
    run(&["plan", "list", "-o", "p", "--task-minutes", "0.00001", "--nodes-per-second", "1e6"]);
    let tasks = folder.read("p/tasks.jsonl").lines().count();
    for number in 1..=tasks {
        run(&["task", "p", "--number", &number.to_string(), "--progress", "none"]);
    }
    run(&["merge", "p", "-o", "all.parquet"]);
    run(&["merge", "p", "-o", "all.csv"]);
    run(&["merge", "all.parquet", "-o", "all.jsonl", "--input", "list"]);
    let scores: Vec<String> = folder
        .read("all.jsonl")
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|line| line["type"] == "position")
        .map(|line| line["score"].to_string())
        .collect();
    assert_eq!(scores, column(&folder.read("all.csv"), "score"));
    assert_eq!(scores.len(), 60);
}

#[cfg(feature = "parquet")]
#[test]
fn what_is_not_finished_does_not_have_the_name() {
    let list = random_list(1, 20..=20, 27).join("\n") + "\n";
    let folder = Folder::new().with("list", list);
    let solve = ["solve", "list", "-o", "out.parquet", "--progress", "none"];
    let ended = folder.run(&[&solve[..], &["--deadline", "1ms"]].concat());
    assert_eq!(ended.status, 75, "{ended:?}");
    assert!(!folder.path("out.parquet").exists());
    // What is kept is a whole Parquet file of what is known; its positions can be read.
    let read = folder.run(&["show", "out.parquet.part"]);
    assert_eq!(read.status, 0, "{read:?}");
    let again = folder.run(&solve);
    assert!(again.status == 2 && again.err.contains("out.parquet.part"), "{again:?}");
    let resumed = folder.run(&[&solve[..], &["--resume"]].concat());
    assert!(resumed.err.contains("only CSV and JSON Lines can be resumed"), "{resumed:?}");
    // A torn file is no file.
    let part = fs::read(folder.path("out.parquet.part")).expect("the file");
    fs::write(folder.path("torn.parquet"), &part[..part.len() - 9]).expect("a file");
    let torn = folder.run(&["solve", "torn.parquet"]);
    assert!(torn.err.contains("torn or damaged"), "{torn:?}");
    assert_eq!(torn.status, 2);
}

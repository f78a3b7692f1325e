//! `yose merge`: whatever `yose solve` can read and select is put in order, and nothing is lost.

use crate::common::{Folder, PLAIN, Ran, random_list};

/// A folder with the three files of games in `positions/`.
fn games() -> Folder {
    let positions = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    ["games.txt", "games.ggf", "games.wtb"].iter().fold(Folder::new(), |folder, name| {
        folder.with(name, std::fs::read(positions.join(name)).expect("a sample"))
    })
}

/// Solves a list as a whole and in three shards, and merges these, the last one first. `selection`
/// are the arguments that `yose solve` and `yose merge` share. Returns the whole and the result of
/// the merge.
#[track_caller]
fn whole_and_merged(folder: &Folder, inputs: &[&str], selection: &[&str]) -> (Ran, Ran) {
    let solve = [&["solve", "--deterministic", "-t", "1"], inputs, selection].concat();
    let whole = folder.run(&[&solve[..], &["--format", "csv"]].concat());
    assert!(whole.status == 0 && whole.out.lines().count() > 3, "{whole:?}");
    for (shard, name) in [("1/3", "s1.csv"), ("2/3", "s2.csv"), ("3/3", "s3.csv")] {
        let part = ["--shard", shard, "-o", name, "--force"];
        assert_eq!(folder.run(&[&solve[..], &part].concat()).status, 0);
    }
    let merge = [&["merge", "s3.csv", "s1.csv", "s2.csv", "--input"], inputs, selection].concat();
    (whole, folder.run(&merge))
}

/// The header and the records without `seconds`: the time of a search is another one in each run.
fn without_seconds(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let lines: Vec<csv::StringRecord> = reader.records().map(|line| line.expect("CSV")).collect();
    let seconds = lines[0].iter().position(|name| name == "seconds").expect("the column");
    let others = |line: &csv::StringRecord| {
        let fields = line.iter().enumerate().filter(|&(column, _)| column != seconds);
        fields.map(|(_, field)| field.to_owned()).collect()
    };
    lines.iter().map(others).collect()
}

#[test]
fn everything_that_solve_selects_is_put_in_order() {
    let bare = random_list(12, 3..=5, 61).into_iter().map(|line| format!("{}\n", &line[..64]));
    let folder = games().with("bare", bare.collect::<String>());
    for (inputs, selection) in [
        (&["games.txt", "games.wtb"][..], &["--at-empties", "2-6"][..]),
        (&["games.ggf", "games.wtb"], &["--at-empties", "3-5", "--games", "2-3"]),
        (&["games.wtb"], &["--at-empties", "1-6", "--input-format", "wthor"]),
        (&["bare"], &["--side", "O"]),
    ] {
        let (whole, merged) = whole_and_merged(&folder, inputs, selection);
        assert_eq!(without_seconds(&merged.out), without_seconds(&whole.out), "{selection:?}");
        let count = whole.out.lines().count() - 1;
        assert_eq!(merged.err, format!("{}yose: {count} results from 3 files\n", whole.err));
        assert_eq!(merged.status, 0, "{merged:?}");
    }
    let ran = folder.run(&["merge", "s1.csv", "--side", "O"]);
    let err = "yose: --input-format, --side, --at-empties and --games are about --input; \
               give it too\n";
    assert_eq!((ran.err.as_str(), ran.status), (err, 2));
}

#[test]
fn without_the_input_games_are_in_order() {
    let folder = games();
    for input in ["games.wtb", "games.ggf", "games.txt"] {
        let (whole, _) = whole_and_merged(&folder, &[input], &["--at-empties", "1-9"]);
        let merged = folder.run(&["merge", "s3.csv", "s1.csv", "s2.csv"]);
        assert_eq!(without_seconds(&merged.out), without_seconds(&whole.out), "{input}");
    }
}

#[test]
fn positions_with_one_identifier_are_all_kept() {
    let lines = random_list(24, 3..=5, 62);
    let list = |lines: &[String]| -> String {
        let rows = lines.iter().enumerate().map(|(row, line)| format!("{},{line}\n", row % 5));
        format!("id,position\n{}", rows.collect::<String>())
    };
    let folder = Folder::new()
        .with("a.csv", list(&lines[..12]))
        .with("b.csv", list(&lines[12..]) + &format!("7,{PLAIN}\n7,{PLAIN}\n"));
    let inputs = ["a.csv", "b.csv"];
    let (whole, merged) = whole_and_merged(&folder, &inputs, &[]);
    assert_eq!(without_seconds(&merged.out), without_seconds(&whole.out));
    assert_eq!(
        (merged.err.as_str(), merged.status),
        ("yose: 26 results from 3 files, 1 repeated\n", 0)
    );
    // Without the input, positions with one identifier may be an error. None is lost.
    let merged = folder.run(&["merge", "s3.csv", "s1.csv", "s2.csv"]);
    assert!(merged.err.contains("contradiction: ") && merged.status == 1, "{merged:?}");
    assert!(lines.iter().all(|line| merged.out.contains(line)), "{merged:?}");
}

#[test]
fn positions_of_the_command_line_come_first() {
    let list = random_list(9, 3..=5, 63);
    let folder = Folder::new().with("list", list[3..].join("\n"));
    let selection = ["-p", &list[0], "--position", &list[1], "-p", &list[2]];
    let (whole, merged) = whole_and_merged(&folder, &["list"], &selection);
    assert_eq!(without_seconds(&merged.out), without_seconds(&whole.out));
    assert!(merged.out.lines().nth(1).is_some_and(|line| line.starts_with("argument:1,")));
    assert_eq!((merged.err.as_str(), merged.status), ("yose: 9 results from 3 files\n", 0));
    let missing = folder.run(&["merge", "s1.csv", "s2.csv", "s3.csv", "-p", &list[0], "-p", PLAIN]);
    assert!(missing.err.contains("no result: argument:2\n"), "{missing:?}");
}

/// A list and its two shards in JSON Lines. The second is solved with further arguments.
fn json_shards(second: &[&str]) -> Folder {
    let folder = Folder::new().with("list", random_list(12, 3..=5, 64).join("\n"));
    for (shard, name, more) in [("1/2", "a.jsonl", &[][..]), ("2/2", "b.jsonl", second)] {
        let arguments = [&["solve", "list", "--shard", shard, "-o", name], more].concat();
        assert_eq!(folder.run(&arguments).status, 0);
    }
    folder
}

fn json(line: Option<&str>) -> serde_json::Value {
    serde_json::from_str(line.expect("a line")).expect("JSON")
}

#[test]
fn settings_in_which_runs_differ_are_stated() {
    let folder = json_shards(&["--goal", "wld", "--node-limit", "1000000"]);
    let merged = folder.run(&["merge", "a.jsonl", "b.jsonl"]);
    assert!(
        merged.err.starts_with(
            "different runs: alpha is -64 in a.jsonl, -1 in b.jsonl\n\
             different runs: beta is 64 in a.jsonl, 1 in b.jsonl\n\
             different runs: node_limit is not set in a.jsonl, 1000000 in b.jsonl\n"
        ),
        "{merged:?}"
    );
    let run = json(merged.out.lines().next());
    assert_eq!(
        (&run["differences"]["alpha"], &run["differences"]["node_limit"], run.get("alpha")),
        (&serde_json::json!([-64, -1]), &serde_json::json!([null, 1_000_000]), None)
    );
    assert_eq!(run["inputs"], json(folder.read("a.jsonl").lines().next())["inputs"]);

    // The same with a file of two files, and with another list of the same name.
    let both = folder.read("a.jsonl") + &folder.read("b.jsonl");
    let folder = folder.with("both.jsonl", both);
    let both = folder.run(&["merge", "both.jsonl"]);
    assert!(both.err.contains("alpha is -64 in both.jsonl, -1 in both.jsonl\n"), "{both:?}");
    let folder = json_shards(&[]).with("list", random_list(12, 3..=5, 65).join("\n"));
    assert_eq!(folder.run(&["merge", "a.jsonl", "b.jsonl"]).err, "yose: 12 results from 2 files\n");
    folder.run(&["solve", "list", "--shard", "2/2", "-o", "b.jsonl", "--force"]);
    let merged = folder.run(&["merge", "a.jsonl", "b.jsonl"]);
    assert!(merged.err.contains("different runs: the SHA-256 of list is "), "{merged:?}");

    // Records with other columns, in the middle of a file.
    let folder = json_shards(&["--all-moves"]);
    let both = folder.read("a.jsonl") + &folder.read("b.jsonl");
    let folder = folder.with("both.jsonl", both);
    let line = folder.read("a.jsonl").lines().count() + 1;
    let message =
        format!("both.jsonl:{line}:1: has a run with other columns than the first line; ");
    for command in
        [&["merge", "both.jsonl"][..], &["solve", "list", "-o", "both.jsonl", "--resume"]]
    {
        let ran = folder.run(command);
        assert!(ran.err.contains(&message) && ran.status == 2, "{ran:?}");
    }
}

#[test]
fn files_of_records_only_are_merged_into_one() {
    let folder = Folder::new().with("list", random_list(12, 3..=5, 66).join("\n"));
    let solve = ["solve", "list", "-t", "1", "--deterministic", "--records-only"];
    for (shard, name) in [("1/2", "a.jsonl"), ("2/2", "b.jsonl")] {
        let part = ["--shard", shard, "-o", name];
        assert_eq!(folder.run(&[&solve[..], &part].concat()).status, 0);
    }
    let whole = folder.run(&[&solve[..], &["--format", "jsonl"]].concat()).out;
    let merge = ["merge", "a.jsonl", "b.jsonl", "--records-only"];
    let records = |text: &str| -> Vec<serde_json::Value> {
        let read = |line| {
            let mut record = json(Some(line));
            record.as_object_mut().expect("an object").remove("seconds");
            record
        };
        text.lines().map(read).collect()
    };
    assert_eq!(records(&folder.run(&merge).out), records(&whole), "on standard output");
    let to_file = [&merge[..], &["-o", "all.jsonl"]].concat();
    assert_eq!(folder.run(&to_file).status, 0);
    assert_eq!(records(&folder.read("all.jsonl")), records(&whole));
    let about = folder.read("all.jsonl.run");
    let (run, summary) = (json(about.lines().next()), json(about.lines().last()));
    assert_eq!((&run["type"], &summary["positions"]), (&"run".into(), &12.into()));
    // The file can be resumed, and merged again.
    let resumed = folder.run(&[&solve[..], &["-o", "all.jsonl", "--resume"]].concat());
    assert_eq!((resumed.err.as_str(), resumed.status), ("", 0));
    let kept = &json(folder.read("all.jsonl.run").lines().last())["kept"];
    assert_eq!(*kept, serde_json::Value::from(12));
    let again = folder.run(&["merge", "all.jsonl", "--records-only"]);
    assert_eq!((records(&again.out), again.status), (records(&whole), 0));

    let ran = folder.run(&to_file);
    assert!(ran.err.contains("all.jsonl: exists already") && ran.status == 2, "{ran:?}");
    std::fs::remove_file(folder.path("all.jsonl")).expect("it is there");
    let ran = folder.run(&to_file);
    assert!(ran.err.contains("all.jsonl.run: exists already") && ran.status == 2, "{ran:?}");
    folder.run(&["solve", "list", "-o", "a.csv"]);
    let ran = folder.run(&["merge", "a.csv", "--records-only"]);
    let err = "yose: --records-only needs files in JSON Lines\n";
    assert_eq!((ran.err.as_str(), ran.status), (err, 2));
}

#[test]
fn a_result_that_lacks_its_bounds_is_refused() {
    let folder = Folder::new().with("list", PLAIN);
    folder.run(&["solve", "list", "-o", "out.csv"]);
    folder.run(&["solve", "list", "-o", "out.jsonl", "--all-moves"]);
    let json = folder.read("out.jsonl");
    let move_bound = json.rfind("\"upper\":").expect("a move");
    let of_move = json[..move_bound].to_owned() + "\"other\":" + &json[move_bound + 8..];
    let csv = folder.read("out.csv").replacen(",exact,6,6,6,", ",exact,6,,6,", 1);
    for (name, text, fault) in [
        ("bad.csv", csv, "bad.csv:2:85: has no lower; "),
        (
            "bad.jsonl",
            json.replacen("\"upper\":6", "\"upper\":null", 1),
            "bad.jsonl:2:1: has no upper; ",
        ),
        ("worse.jsonl", of_move, ": the move h6 has no upper; "),
    ] {
        let folder = Folder::new().with("list", PLAIN).with(name, &text);
        let merged = folder.run(&["merge", name]);
        assert!(merged.err.contains(fault) && merged.status == 2, "{merged:?}");
        let all = if name.ends_with(".jsonl") { &["--all-moves"][..] } else { &[] };
        let arguments = [&["solve", "list", "-o", name, "--resume"], all].concat();
        let ran = folder.run(&arguments);
        assert!(ran.err.contains(fault) && ran.status == 2, "{ran:?}");
        assert_eq!(folder.read(name), text, "it stays as it is");
    }
}

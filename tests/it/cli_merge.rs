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

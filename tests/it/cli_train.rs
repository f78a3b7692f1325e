//! `yose train` as a user sees it: every step once, on a few hundred positions.

use crate::common::Folder;

/// Runs a step that must succeed, and gives its standard output.
#[track_caller]
fn step(folder: &Folder, arguments: &str) -> String {
    let words: Vec<&str> = ["train"].into_iter().chain(arguments.split(' ')).collect();
    let ran = folder.run(&words);
    assert_eq!(ran.status, 0, "{ran:#?}");
    ran.out
}

/// The first steps: 600 positions of 8 to 10 empties, labelled.
fn labelled() -> Folder {
    let folder = Folder::new();
    step(&folder, "positions --empties 8-10 --count 600 --weights zero -o positions");
    step(&folder, "label positions --exact-to 9 --depth 2 --weights zero -o labels");
    folder
}

#[test]
fn the_steps_of_training_work_together() {
    let folder = labelled();
    let out = step(&folder, "fit labels --stages 8,12 --iterations 10 -o weights");
    assert!(out.contains(" held out; iteration ") && out.contains("\n    all "), "{out}");
    let out = step(&folder, "check labels --weights weights");
    assert!(out.lines().count() == 5 && out.contains("\n     10        200 "), "{out}");
    let out = step(&folder, "show weights");
    assert!(
        out.contains("origin: {\"data\":{\"labels\":600},")
            && out.contains("\nstages at 8, 12 empties\n"),
        "{out}"
    );

    step(&folder, "positions --empties 17 --count 2 --weights zero -o roots");
    step(&folder, "sample roots --empties 13-14 --count 20 --one-in 1 --weights weights -o boards");
    step(&folder, "label boards --exact-to 14 --weights weights -o exact");
    let out = step(&folder, "deviation exact --weights weights -o weights-and-deviation");
    assert!(out.contains("\n     13 ") && out.contains("\n     14 "), "{out}");
    assert!(step(&folder, "show weights-and-deviation").contains("\"deviation_positions\":20"));
    // The new weights can be used by other commands.
    assert!(
        step(&folder, "check exact --weights weights-and-deviation")
            .contains("    all         20 ")
    );
}

#[test]
fn an_existing_output_is_not_changed() {
    let folder = labelled();
    let before = std::fs::read(folder.path("labels")).expect("it is there");
    let ran = folder.run(&[
        "train",
        "label",
        "positions",
        "--exact-to",
        "0",
        "--weights",
        "zero",
        "-o",
        "labels",
    ]);
    assert_eq!((ran.err.as_str(), ran.status), ("labels: already there\n", 0));
    assert_eq!(std::fs::read(folder.path("labels")).expect("it is there"), before);
}

#[test]
fn malformed_files_are_reported() {
    let folder = labelled().with("text", "something else\n");
    for (arguments, message) in [
        ("fit none -o out", "yose: none: "),
        (
            "fit text -o out",
            "yose: text: this is no file of positions; `yose train positions` makes one\n",
        ),
        ("fit positions -o out", "yose: out: 0 labelled positions and 0 held out are too few"),
        (
            "fit labels --stages 12,8 -o out",
            "yose: out: the stages must be at least two different numbers",
        ),
        (
            "check labels --weights text",
            "yose: text: this is not a weight file; `yose train fit` makes one\n",
        ),
        ("check labels --weights none", "yose: none: cannot be read: "),
        (
            "deviation labels --weights zero -o out",
            "yose: out: exactly labelled positions with two numbers of empties",
        ),
        ("label labels --weights zero -o none/out", "yose: none/out: "),
    ] {
        let words: Vec<&str> = ["train"].into_iter().chain(arguments.split(' ')).collect();
        let ran = folder.run(&words);
        let last = ran.err.lines().last().unwrap_or_default();
        assert!(format!("{last}\n").starts_with(message), "{ran:#?}");
        assert_eq!(ran.status, 2, "{ran:#?}");
        assert!(!folder.path("out").exists());
    }
    let ran = folder.run(&["train", "positions", "--empties", "13-8", "--count", "1", "-o", "out"]);
    assert!(
        ran.err.contains("this is no range of empties; write two numbers from 1 to 60"),
        "{ran:#?}"
    );
}

#[test]
fn parameters_are_tuned() {
    let folder = Folder::new();
    step(&folder, "positions --empties 12 --count 6 --weights zero -o list");
    let common = "--hash 1MiB --weights zero";
    let plain = step(&folder, &format!("nodes list {common}"));
    assert!(plain.starts_with("6 positions\nnodes          "), "{plain}");

    let tune = format!("tune list -l log --batch 4 --every 2 {common}");
    let out = step(&folder, &format!("{tune} --iterations 3"));
    assert!(out.starts_with("3 iterations\n"), "{out}");
    let sum =
        |out: &str| out.lines().find_map(|line| line.strip_prefix("nodes ")).map(str::to_owned);
    let (start, values) =
        (sum(&plain).expect("a sum"), out.lines().last().expect("the parameters"));
    assert!(sum(&out).is_some_and(|line| line.trim_start().starts_with(start.trim())), "{out}");
    // A second call prints the same from the log, and its values can be measured again.
    assert_eq!(step(&folder, &format!("{tune} --iterations 3")), out);
    let again = step(&folder, &format!("nodes list --values {values} {common}"));
    assert_eq!(sum(&again), sum(&out));
    // A weight file with the new parameters gives the same node count, and `show` prints them.
    assert_eq!(step(&folder, &format!("{tune} --iterations 3 -o tuned")), out);
    let tuned = step(&folder, "nodes list --hash 1MiB --weights tuned");
    assert!(
        sum(&out).is_some_and(|line| line.contains(sum(&tuned).expect("a sum").trim())),
        "{tuned}{out}"
    );
    let shown = step(&folder, "show tuned");
    assert!(
        values.split(',').all(|value| shown.contains(value)) && shown.contains("\"iterations\":3"),
        "{shown}"
    );
    assert!(
        step(&folder, "show zero").contains("parameters of the search: the start values of a fit")
    );
    let ran = folder.run(&["train", "tune", "list", "-l", "log", "-o", "tuned"]);
    assert_eq!((ran.err.as_str(), ran.status), ("tuned: already there\n", 0));

    let one = step(
        &folder,
        &format!("tune list -l one --parameter odd-quadrant --iterations 2 {common}"),
    );
    let moved = one.lines().skip(2).filter(|line| {
        line.split_whitespace().collect::<Vec<_>>()[1..].windows(2).any(|two| two[0] != two[1])
    });
    assert!(
        moved
            .map(|line| line.split_whitespace().next())
            .all(|name| matches!(name, Some("odd-quadrant" | "nodes" | "mean"))),
        "{one}"
    );

    let folder = folder.with("text", "something else\n").with("empty", "% nothing\n");
    for (arguments, message) in [
        ("tune list -l log --batch 5", "yose: log: this log is of another run: "),
        ("tune text -l log", "yose: text:1:"),
        ("tune empty -l log", "yose: empty: holds no positions\n"),
        ("tune list -l none/log", "yose: none/log: "),
        ("nodes none", "yose: none: cannot be read: "),
        (
            "nodes list --values square",
            "error: invalid value 'square' for '--values <NAME=VALUE,...>': write a name",
        ),
        (
            "tune list -l log --parameter speed",
            "error: invalid value 'speed' for '--parameter <NAME>'",
        ),
    ] {
        let words: Vec<&str> = ["train"].into_iter().chain(arguments.split(' ')).collect();
        let ran = folder.run(&words);
        assert!(ran.err.starts_with(message), "{ran:#?}");
        assert_eq!(ran.status, 2, "{ran:#?}");
    }
}

/// A node with the margin -3.2 and three moves. By value the order is e3, which fails low with 50
/// nodes, c5, which fails high with 30, and c3, which fails high with 20.
const RECORDS: &str = "\
node,board,empties,alpha,margin,move,value,hash_move,fails_high,nodes
1,-------------------O-------OO------OX--------------------------- X,59,1,-3.2,c3,-4,false,true,20
1,-------------------O-------OO------OX--------------------------- X,59,1,-3.2,e3,9,false,false,50
1,-------------------O-------OO------OX--------------------------- X,59,1,-3.2,c5,7,false,true,30
";

#[test]
fn regret_is_computed_from_records() {
    let folder = Folder::new().with("records", RECORDS).with("wrong", RECORDS.replace("e3", "e9"));
    let out = step(&folder, "regret records records");
    let table = "\
2 records, of which 2 are cut nodes
empties  margin  cut nodes  by first  nodes to cut-off  min. nodes  ratio  geom. mean  cut move only
     59     all          2     0.0 %               160          40   4.00        4.00           1.50
     59   -8..0          2     0.0 %               160          40   4.00        4.00           1.50
    all     all          2     0.0 %               160          40   4.00        4.00           1.50
    all   -8..0          2     0.0 %               160          40   4.00        4.00           1.50
";
    assert_eq!(out, table);
    for (arguments, message) in [
        (["train", "regret", "records", "wrong"], "yose: wrong:3: move: "),
        (["train", "regret", "records", "none"], "yose: none: cannot be read: "),
    ] {
        let ran = folder.run(&arguments);
        assert!(ran.err.starts_with(message) && ran.out.is_empty(), "{ran:#?}");
        assert_eq!(ran.status, 2, "{ran:#?}");
    }
}

#[test]
#[cfg(feature = "record")]
fn records_are_made() {
    let folder = Folder::new();
    step(&folder, "positions --empties 15 --count 4 --weights zero -o list");
    let record = "record list -o records --hash 1MiB --rate 7:100,9:40,12:10";
    step(&folder, record);
    let records = folder.read("records");
    let column = |number: usize| {
        records.lines().skip(1).map(move |line| line.split(',').nth(number).expect("a column"))
    };
    let mut empties: Vec<&str> = column(2).collect();
    empties.sort_unstable();
    empties.dedup();
    assert_eq!(empties, ["12", "7", "9"]);
    let nodes = column(0).last().expect("a record");
    let out = step(&folder, "regret records");
    assert!(out.starts_with(&format!("{nodes} records, of which ")), "{out}");
    assert!(
        ["     12     all ", "      9     all ", "      7     all "]
            .iter()
            .all(|line| out.contains(line)),
        "{out}"
    );

    // The records are reproducible, and an existing file is not changed.
    std::fs::rename(folder.path("records"), folder.path("before")).expect("it is there");
    step(&folder, record);
    assert_eq!(folder.read("records"), folder.read("before"));
    let words: Vec<&str> = ["train"].into_iter().chain(record.split(' ')).collect();
    assert_eq!(folder.run(&words).err, "records: already there\n");
    let ran = folder.run(&["train", "record", "list", "-o", "other", "--rate", "6:10"]);
    assert!(
        ran.err.contains("write a number of empties from 7 to 60 and one in how many nodes"),
        "{ran:#?}"
    );
}

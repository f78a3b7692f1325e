//! The records of `yose solve` as other programs read them, and as Yose reads them back.

use serde_json::Value;

use crate::common::{Folder, PASS, PLAIN, column, program};

/// FFO 21: 15 empties, a draw.
const DRAW: &str = "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O";

/// The lines of JSON Lines.
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn wins_draws_and_losses_have_a_column_and_are_read_back() {
    let folder = Folder::new().with("list", format!("{PLAIN}\n{PASS}\n{DRAW}\nwrong\n"));
    let wld = |arguments: &[&str]| {
        let ran = folder.run(&[&["solve", "list", "--goal", "wld"], arguments].concat());
        assert_eq!(ran.status, 3, "{arguments:?}: {ran:?}");
        ran.out
    };
    wld(&["-o", "out.csv"]);
    let csv = folder.read("out.csv");
    assert_eq!(column(&csv, "status"), ["wld", "wld", "exact", "invalid"]);
    assert_eq!(column(&csv, "wld"), ["win", "loss", "draw", ""]);
    assert_eq!(column(&csv, "score"), ["", "", "0", ""]);
    wld(&["-o", "out.jsonl"]);
    let json = folder.read("out.jsonl");
    let values = objects(&json).into_iter().map(|object| object["wld"].clone());
    let expected: [Value; 6] =
        [Value::Null, "win".into(), "loss".into(), "draw".into(), Value::Null, 2.into()];
    assert_eq!(values.collect::<Vec<_>>(), expected, "the run has none, the summary counts them");
    let table = wld(&["--format", "table"]);
    let results = table.lines().map(|line| line.split_whitespace().nth(3).expect("a word"));
    assert_eq!(results.take(4).collect::<Vec<_>>(), ["result", "win", "loss", "draw"]);
    assert!(table.contains("\n1 exact score, 2 won or lost, 1 invalid; "), "{table}");

    for (name, text) in [("out.csv", &csv), ("out.jsonl", &json)] {
        // Nothing is left to solve for the same goal.
        assert_eq!(wld(&["-o", name, "--resume"]), "");
        let records = |text: &str| {
            let mut lines = text.lines().filter(|line| line.contains("list:"));
            lines.by_ref().take(3).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(records(&folder.read(name)), records(text));
        let ran = folder.run(&["merge", name, "--input", "list"]);
        assert_eq!((records(&ran.out), ran.status), (records(text), 0), "{ran:?}");
        let ran = folder.run(&["verify", name, "--format", "csv"]);
        let bounds = column(&ran.out, "claimed_lower").into_iter().zip(column(&ran.out, "verdict"));
        let bounds: Vec<String> = bounds.map(|(lower, verdict)| lower + &verdict).collect();
        assert_eq!(bounds[..3], ["2confirmed", "-64confirmed", "0confirmed"], "{ran:?}");
    }
    // For exact scores the draw is kept, and the others are solved again.
    let ran = folder.run(&["solve", "list", "-o", "out.csv", "--resume"]);
    let exact = folder.read("out.csv");
    assert_eq!(column(&exact, "score"), ["6", "-64", "0", ""], "{ran:?}");
    assert_eq!(exact.lines().nth(3), csv.lines().nth(3));
    assert_eq!(column(&exact, "wld"), ["win", "loss", "draw", ""]);

    // A list of another program may have no other claim.
    let claims = format!("position,wld\n{PLAIN},Win\n{PASS},draw\n{PLAIN},won\n");
    let ran = folder.run_on(&["verify", "--format", "csv"], claims);
    assert_eq!(column(&ran.out, "verdict"), ["confirmed", "refuted", "malformed"], "{ran:?}");
}

#[test]
fn json_lines_of_records_only_are_a_table() {
    let list = format!("{PLAIN}\n{PASS}\nwrong\n");
    let folder = Folder::new().with("list", list);
    let solve = |arguments: &[&str]| {
        let arguments = [&["solve", "list", "--format", "jsonl", "--records-only"], arguments];
        folder.run(&arguments.concat())
    };
    let ran = solve(&[]);
    let types: Vec<Value> = objects(&ran.out).iter().map(|object| object["type"].clone()).collect();
    assert_eq!((types, ran.status), (vec!["position".into(); 3], 3));

    assert_eq!(solve(&["-o", "out.jsonl"]).status, 3);
    let (records, run) = (folder.read("out.jsonl"), folder.read("out.jsonl.run"));
    assert_eq!(objects(&records).len(), 3);
    let types: Vec<Value> = objects(&run).iter().map(|object| object["type"].clone()).collect();
    assert_eq!(types, ["run", "summary"]);
    let ran = folder.run(&["verify", "out.jsonl", "--format", "csv"]);
    assert_eq!(column(&ran.out, "verdict")[..2], ["confirmed", "confirmed"]);

    // It is continued, whether the first run finished, or was killed, or killed at once.
    let torn = &records[..records.len() / 2];
    let whole_lines = torn.rfind('\n').map_or("", |end| &torn[..=end]).to_owned();
    let begun = run.split_inclusive('\n').next().expect("a run");
    for (left, left_run) in [(&records[..], &run[..]), (torn, begun), ("", ""), (torn, &run)] {
        std::fs::write(folder.path("out.jsonl"), left).expect("a file");
        std::fs::write(folder.path("out.jsonl.run"), left_run).expect("a file");
        assert_eq!(solve(&["-o", "out.jsonl", "--resume"]).status, 3, "{left}");
        let now = folder.read("out.jsonl");
        let ids = |text: &str| -> Vec<Value> {
            objects(text).iter().map(|object| object["id"].clone()).collect()
        };
        assert_eq!(ids(&now), ids(&records));
        assert!(left != torn || now.starts_with(&whole_lines), "{now}");
        assert_eq!(objects(&folder.read("out.jsonl.run"))[1]["positions"], 3);
    }

    // A merge needs the run file, and a run that finished.
    let ran = folder.run(&["merge", "out.jsonl", "-o", "all.jsonl", "--input", "list"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let all = objects(&folder.read("all.jsonl"));
    assert_eq!((&all[0]["type"], all[1..4].len()), (&"run".into(), 3));
    assert_eq!(all[4]["positions"], 3);
    std::fs::write(folder.path("out.jsonl.run"), begun).expect("a file");
    let ran = folder.run(&["merge", "out.jsonl"]);
    assert!(ran.status == 4 && ran.err.contains("out.jsonl: has no summary"), "{ran:?}");
    std::fs::write(folder.path("out.jsonl.run"), &run).expect("a file");
    std::fs::write(folder.path("out.jsonl"), &whole_lines).expect("a file");
    let ran = folder.run(&["merge", "out.jsonl"]);
    assert!(ran.status == 4 && ran.err.contains("out.jsonl: has no summary"), "{ran:?}");

    // Neither file is replaced or lost.
    let ran = solve(&["-o", "out.jsonl"]);
    assert!(ran.status == 2 && ran.err.contains("exists already"), "{ran:?}");
    std::fs::remove_file(folder.path("out.jsonl")).expect("a file");
    let ran = solve(&["-o", "out.jsonl"]);
    assert!(ran.status == 2 && ran.err.contains("out.jsonl.run: exists already"), "{ran:?}");
    assert!(!folder.path("out.jsonl").exists());
    let ran = folder.run(&[
        "solve",
        "out.jsonl.run",
        "-o",
        "out.jsonl",
        "--records-only",
        "--format",
        "jsonl",
        "--force",
    ]);
    assert!(ran.status == 2 && ran.err.contains("out.jsonl.run: is one of the inputs"), "{ran:?}");
    std::fs::write(folder.path("out.jsonl"), &records).expect("a file");
    std::fs::remove_file(folder.path("out.jsonl.run")).expect("a file");
    let ran = solve(&["-o", "out.jsonl", "--resume"]);
    assert!(ran.err.starts_with("yose: out.jsonl.run: cannot be read: "), "{ran:?}");
    assert_eq!((ran.status, folder.read("out.jsonl")), (2, records));
    let ran = folder.run(&["solve", "list", "--records-only", "-o", "out.csv"]);
    assert_eq!(ran.err, "yose: --records-only needs --format jsonl\n");
}

/// The fields of the first record of a CSV in these columns.
fn first(csv: &str, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| column(csv, name)[0].clone()).collect()
}

#[test]
fn games_have_columns_on_request() {
    let board = PLAIN.replace('X', "*");
    let game =
        format!("(;GM[Othello]PB[ann, \"a\"]PW[bob]DT[2011-04-19 14:02]TY[8]BO[8 {board}]B[h5];)");
    let positions = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    let mut database = std::fs::read(positions.join("games.wtb")).expect("a database");
    // The first game: players 1 and 2, of whom the list of names has the first.
    (database[18], database[20]) = (1, 2);
    let names: Vec<u8> = [&[0; 36], &b"Andr\xe9 B"[..], &[0; 13]].concat();
    let games = std::fs::read(positions.join("games.txt")).expect("games");
    let folder = Folder::new()
        .with("list.ggf", format!("{game}\n{}\n", game.replace("ann, \"a\"", "")))
        .with("games.wtb", &database)
        .with("games.txt", games);
    let columns = ["id", "file", "game", "year", "black", "white", "move"];
    let solve = |arguments: &[&str]| {
        let ran = folder.run(&[&["solve", "--game-columns"], arguments].concat());
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{arguments:?}");
        ran.out
    };

    let csv = solve(&["games.wtb", "--at-empties", "4-5"]);
    assert!(csv.starts_with("id,file,game,year,black,white,real_score,move,position,"), "{csv}");
    let expected = ["games.wtb#1@5", "games.wtb", "1", "2026", "#1", "#2", "56"].map(str::to_owned);
    assert_eq!(first(&csv, &columns), expected);
    // The real score is seen by the side to move, as the other scores are.
    let sides: Vec<(bool, String)> = column(&csv, "position")
        .iter()
        .map(|position| position.ends_with('X'))
        .zip(column(&csv, "real_score"))
        .collect();
    let black = |(is_black, score): &(bool, String)| {
        let score: i32 = score.parse().expect("a score");
        if *is_black { score } else { -score }
    };
    assert!(sides.chunks(2).all(|game| black(&game[0]) == black(&game[1])), "{sides:?}");
    assert_eq!(black(&sides[0]), 2 * i32::from(database[22]) - 64);

    std::fs::write(folder.path("wthor.jou"), &names).expect("names");
    let json = solve(&["games.wtb", "--games", "1", "--format", "jsonl"]);
    let object = &objects(&json)[1];
    assert_eq!((&object["black"], &object["white"]), (&"André B".into(), &"#2".into()));
    assert_eq!((&object["game"], &object["year"]), (&1.into(), &2026.into()));

    // Names that cannot be read are reported, and the games are solved.
    let game = ["solve", "games.wtb", "--games", "1", "--game-columns"];
    std::fs::write(folder.path("wthor.jou"), &names[..names.len() - 1]).expect("names");
    let torn = folder.run(&game);
    let err = "wthor.jou: the names of the players cannot be read: it ends within a name\n";
    assert_eq!((torn.err.as_str(), torn.status), (err, 2));
    assert_eq!(torn.records().len(), 1);
    std::fs::remove_file(folder.path("wthor.jou")).expect("it is there");
    std::fs::create_dir(folder.path("wthor.jou")).expect("a folder");
    let ran = folder.run(&game);
    assert!(ran.err.starts_with("wthor.jou: the names of the players cannot be read: "), "{ran:?}");
    assert_eq!((ran.records().len(), ran.status), (1, 2));

    // Of a transcript nothing but the moves is known.
    let csv = solve(&["games.txt", "--games", "2", "--at-empties", "3"]);
    let expected = ["games.txt:3", "games.txt", "2", "", "", "", "58"].map(str::to_owned);
    assert_eq!(first(&csv, &columns), expected);
    let end = first(&solve(&["games.txt", "--games", "2"]), &["real_score", "score"]);
    assert_eq!(end[0], end[1], "the game was played to its end");

    // GGF has the players and the date.
    let csv = solve(&["list.ggf", "--at-empties", "6"]);
    let expected = ["list.ggf#1", "list.ggf", "1", "2011", "ann, \"a\"", "bob", "1"];
    assert_eq!(first(&csv, &columns), expected.map(str::to_owned));
    assert_eq!((&*column(&csv, "black")[1], &*column(&csv, "real_score")[0]), ("", "6"));

    // A journal with the columns is continued with them, and not without.
    let solved = ["list.ggf", "--at-empties", "6", "-o", "out.csv"];
    solve(&solved);
    let text = folder.read("out.csv");
    solve(&[&solved[..], &["--resume"]].concat());
    assert_eq!(folder.read("out.csv"), text);
    assert_eq!(folder.run(&["merge", "out.csv"]).out, text);
    let ran = folder.run(&[&["solve"], &solved[..], &["--resume"]].concat());
    assert!(ran.err.starts_with("yose: out.csv: its results have other columns; "), "{ran:?}");
    assert_eq!((ran.status, folder.read("out.csv")), (2, text));
    let ran = folder.run(&["solve", "games.txt", "--game-columns", "--format", "table"]);
    let message = "yose: --game-columns needs --format csv, jsonl or parquet\n";
    assert_eq!((ran.err.as_str(), ran.status), (message, 2));
}

#[test]
fn identifiers_do_not_depend_on_the_spelling_of_a_path() {
    let folder = Folder::new().with("l.obf", PLAIN);
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    std::fs::write(folder.path("sub/m.obf"), PLAIN).expect("a file");
    let absolute = folder.path("l.obf").canonicalize().expect("a file");
    let ran = folder.run(&[
        "solve",
        "./l.obf",
        ".//sub/.././l.obf",
        absolute.to_str().expect("UTF-8"),
        "sub//m.obf",
    ]);
    assert_eq!(column(&ran.out, "id"), ["l.obf:1", "l.obf:1", "l.obf:1", "sub/m.obf:1"]);
    assert_eq!(folder.run(&["solve", "l.obf", "-o", "out.csv"]).status, 0);
    let text = folder.read("out.csv");
    assert_eq!(folder.run(&["solve", "./l.obf", "-o", "out.csv", "--resume"]).status, 0);
    assert_eq!(folder.read("out.csv"), text);
    let ran = folder.run(&["merge", "out.csv", "--input", "./l.obf"]);
    assert_eq!((ran.out, ran.status), (text, 0));
}

#[test]
fn comments_are_kept_on_request() {
    let list = format!("{PLAIN}; h5:+6; % FFO 20, \"six\" empties\n{PASS}\nwrong % why\n");
    let folder = Folder::new().with("list", list);
    let solve = |arguments: &[&str]| folder.run(&[&["solve"], arguments].concat()).out;
    let comments = ["FFO 20, \"six\" empties", "", "why"];
    assert!(!solve(&["list"]).contains("FFO"));
    let csv = solve(&["list", "--comments"]);
    assert_eq!(column(&csv, "comment"), comments);
    let json = solve(&["list", "--comments", "--format", "jsonl"]);
    let found: Vec<Value> =
        objects(&json)[1..4].iter().map(|object| object["comment"].clone()).collect();
    assert_eq!(found, [comments[0].into(), Value::Null, comments[2].into()]);
    let obf = solve(&["list", "--comments", "--format", "obf"]);
    assert!(obf.starts_with(&format!("{PLAIN}; H5:+6; % {}\n{PASS}; PS:-64;\n% ", comments[0])));
    // They survive another round, in any format.
    for (name, text) in [("a.csv", &csv), ("a.jsonl", &json), ("a.obf", &obf)] {
        std::fs::write(folder.path(name), text).expect("a file");
        let again = solve(&[name, "--comments"]);
        assert_eq!(column(&again, "comment")[..2], comments[..2], "{name}");
    }
}

#[test]
fn a_row_of_the_table_has_the_comment_and_the_side_to_move() {
    let list = format!("{PLAIN} % FFO 20\n{PASS}\n{DRAW} % FFO 21\n");
    let folder = Folder::new().with("list.obf", list);
    let ran = folder.run(&["solve", "list.obf", "--format", "table", "--node-limit", "100"]);
    let rows: Vec<Vec<&str>> = ran.out.lines().map(|row| row.split("  ").collect()).collect();
    let cells = |row: usize| -> Vec<&str> {
        rows[row].iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect()
    };
    assert_eq!(cells(0)[..4], ["position", "empties", "side", "score"]);
    assert_eq!(cells(1)[..4], ["list.obf:1 FFO 20", "6", "X", "+6"]);
    assert_eq!(cells(2)[..4], ["list.obf:2", "1", "X", "-64"]);
    assert_eq!(cells(3)[..3], ["list.obf:3 FFO 21", "15", "O"]);
    assert_eq!(cells(3).last(), Some(&"(ended by a limit)"), "{}", ran.out);
    assert!(!ran.out.contains(['!', '?']), "{}", ran.out);
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_fits_the_width_of_the_terminal() {
    use std::io::Read as _;

    let list = format!("{PLAIN} % FFO 20, 6 empties\n{DRAW} % FFO 21, 15 empties\n");
    let folder = Folder::new().with("a_list_with_a_long_name.obf", list);
    for (columns, name) in
        [(80, "1 FFO 20, 6 empti…"), (150, "a_list_with_a_long_name.obf:1 FFO 20, 6 empties")]
    {
        let mut pty = pty::Pty::open(columns);
        let mut command = std::process::Command::new(program());
        command.current_dir(folder.path(".")).env("YOSE_HASH", "1MiB");
        command.args(["solve", "a_list_with_a_long_name.obf", "--all-moves", "--progress", "none"]);
        let mut child = command.stdout(pty.slave()).spawn().expect("the program");
        assert!(child.wait().expect("its end").success());
        drop(command);
        let mut text = Vec::new();
        // At the end of a terminal there is an error.
        let _ = pty.close_slave().read_to_end(&mut text);
        let text = String::from_utf8(text).expect("UTF-8").replace("\r\n", "\n");
        assert!(text.contains(&format!("\n{name}  ")), "{text}");
        let rows = text.lines().filter(|line| !line.contains(" nodes in "));
        assert!(rows.clone().count() >= 5, "{text}");
        for row in rows {
            assert!(row.chars().count() <= columns.into(), "{row}");
        }
    }
}

/// A terminal for a program.
#[cfg(target_os = "linux")]
mod pty {
    use std::fs::File;
    use std::os::fd::FromRawFd;

    pub struct Pty {
        master: File,
        slave: File,
    }

    impl Pty {
        pub fn open(columns: u16) -> Pty {
            let (mut master, mut slave) = (-1, -1);
            let size = libc::winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
            let name = std::ptr::null_mut();
            // SAFETY: the pointers are valid or null, as the function accepts.
            let result =
                unsafe { libc::openpty(&mut master, &mut slave, name, std::ptr::null(), &size) };
            assert_eq!(result, 0, "a terminal");
            // SAFETY: the descriptors are open, and belong to nothing else.
            let [master, slave] = [master, slave].map(|fd| unsafe { File::from_raw_fd(fd) });
            Pty { master, slave }
        }

        pub fn slave(&mut self) -> File {
            self.slave.try_clone().expect("a descriptor")
        }

        /// Closes the program's end, and returns the other one.
        pub fn close_slave(self) -> File {
            self.master
        }
    }
}

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

#[test]
fn a_table_without_positions_is_named_with_its_columns() {
    let missing = |columns: &str| {
        format!(
            "stdin:1: the column `position` is missing, so the rest of the file is skipped; \
             the columns are {columns}\n"
        )
    };
    for (text, columns) in [
        (format!("id,board\na,{PLAIN}\n"), "id, board"),
        (format!("Id;Board;Score\na;{PLAIN};6\n"), "id, board, score"),
        ("name\tcolor\nx\ty\n".to_owned(), "name, color"),
    ] {
        for forced in [&["solve"][..], &["solve", "--input-format", "csv"]] {
            let ran = Folder::new().run_on(forced, text.clone());
            assert_eq!((ran.err, ran.status), (missing(columns), 2), "{text}");
        }
    }
    // Lines that happen to have a comma are no headers.
    let ran = Folder::new().run_on(&["solve"], format!("hello, world\n{PLAIN}\n"));
    assert_eq!(ran.records(), ["stdin:1 invalid", "stdin:2 exact 6"]);
}

#[test]
fn a_line_break_in_a_quoted_field_is_a_part_of_it() {
    for end in ["\n", "\r\n", "\r"] {
        let text = format!(
            "id,position,score\n\"a line\nbreak\",{PLAIN},6\n\"two\nlines, and a \"\"quote\"\"\",{PLAIN},6\n\
             last,\"{OVER}\n\",\"6\n5\"\nplain,{PLAIN},4\n"
        );
        let ran = Folder::new().run_on(&["solve"], text.replace('\n', end));
        let records = [
            "a line break exact 6",
            "two lines, and a \"quote\" exact 6",
            "last invalid",
            "plain exact 6",
        ];
        assert_eq!(ran.records(), records, "{end:?}");
        // The column of a field that begins in the second line of the row.
        assert!(ran.err.starts_with("stdin:7:4: `6�5` is not a score; "), "{}", ran.err);
    }
}

#[test]
fn a_quote_without_its_second_costs_one_row() {
    let hint = "a field that begins with `\"` ends with one; a quote within it is `\"\"`";
    let err = format!("stdin:3:3: the quoted field does not end; {hint}\n");
    let row = |id: &str| format!("{id},{PLAIN},6\n");
    let bad = format!("b,\"{PLAIN},6\n");
    let names = "id,position,score\n";
    for (rest, records) in [
        // Up to the end of the file, up to a row, and up to another quote.
        (String::new(), &["stdin:3 invalid"][..]),
        (row("c"), &["stdin:3 invalid", "c exact 6"]),
        (format!("no row\n{}", row("d")), &["stdin:3 invalid", "stdin:4 invalid", "d exact 6"]),
        ("x\ny\"\n".to_owned(), &["stdin:3 invalid", "stdin:4 invalid", "stdin:5 invalid"]),
        (format!("f5d6\n{FFO_20}\n"), &["stdin:3 invalid", "stdin:4 limit", "stdin:5 exact 6"]),
    ] {
        let text = format!("{names}{}{bad}{rest}", row("a"));
        let ran = Folder::new().run_on(&["solve", "--node-limit", "1000"], text);
        assert_eq!(ran.records()[0], "a exact 6");
        assert_eq!(&ran.records()[1..], records, "{rest}");
        assert!(ran.err.starts_with(&err), "{rest}: {}", ran.err);
    }
    // Not more than a line may have is kept.
    let text = format!("{names}\"{}{}", "long\n".repeat(20_000), row("z"));
    let ran = Folder::new().run_on(&["solve"], text);
    let records = ran.records();
    assert_eq!((records.len(), &*records[20_000]), (20_001, "z exact 6"));
}

#[test]
fn tables_with_other_separators_sides_and_games() {
    let board = &PLAIN[..64];
    for separator in [",", ";", "\t"] {
        let table = |rows: &[&[&str]]| {
            rows.iter().map(|row| row.join(separator) + "\n").collect::<String>()
        };
        let positions = table(&[
            &["name", "Position", "side", "score"],
            &["a", board, "X", "6"],
            &["b", board, "black", "6"],
            &["c", PLAIN, "", "6"],
            &["d", PLAIN, "white", "6"],
            &["e", board, "green", "6"],
            &["f", board, "", "6"],
        ]);
        let ran = Folder::new().run_on(&["solve"], positions.clone());
        let records =
            ["2 exact 6", "3 exact 6", "4 exact 6", "5 invalid", "6 invalid", "7 invalid"];
        assert_eq!(ran.records(), records.map(|record| format!("stdin:{record}")), "{separator}");
        let messages: Vec<&str> = ran.err.lines().collect();
        assert_eq!(
            messages[0],
            "stdin:5:70: the side to move is said to be O; the position names the other one"
        );
        assert_eq!(
            messages[1],
            "stdin:6:68: `green` is not a side to move; it is X or black, or O or white"
        );
        assert!(messages[2].starts_with("stdin:7:67: the side to move is missing"), "{messages:?}");
        let verified = Folder::new().run_on(&["verify", "--format", "csv"], positions);
        assert_eq!(verified.out.matches(",confirmed,").count(), 3, "{verified:?}");

        let games = "f5d6c3d3c4f4f6f3e6e7";
        for column in ["transcript", "moves"] {
            let ran = Folder::new().run_on(
                &["show", "-"],
                table(&[&["id", column, "score"], &["first", games, "12"], &["", "f5 a1", ""]]),
            );
            assert!(ran.out.starts_with("first\n"), "{ran:?}");
            assert!(ran.out.contains("\nX 6 discs, O 8 discs, 50 empties\n"), "{ran:?}");
            let illegal = "stdin:3:5: move 2: O cannot play a1; the legal moves are f4 d6 f6\n";
            assert_eq!((ran.err.as_str(), ran.status), (illegal, 3));
        }
    }
    // In a table of positions `moves` has scores, and in JSON Lines the same columns are keys.
    let scores = format!("position,moves\n{PLAIN},h5:+6 g6:-2\n");
    let verified = Folder::new().run_on(&["verify", "--format", "csv"], scores);
    assert_eq!((verified.out.matches(",confirmed,").count(), verified.status), (2, 0));
    let lines = format!(
        "{{\"position\":\"{board}\",\"side\":\"black\"}}\n\
         {{\"id\":\"game\",\"transcript\":\"e6f4e3f6g5d6e7f5c5\"}}\n"
    );
    let ran = Folder::new().run_on(&["solve"], lines);
    ran.expect(&["stdin:1 exact 6", "game exact -64"], "", 0);
}

/// A game that ends with a wipeout after nine moves.
const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn sgf_games() {
    let square = |mv: &str| {
        let bytes = mv.as_bytes();
        format!("{}{}", char::from(bytes[0]), char::from(bytes[1] - b'1' + b'a'))
    };
    let moves: Vec<&str> = (0..9).map(|number| &WIPEOUT[2 * number..2 * number + 2]).collect();
    let nodes = |name: &dyn Fn(&str) -> String, between: &str| -> String {
        let node = |(number, mv): (usize, &&str)| {
            format!("{between};{}[{}]", ["B", "W"][number % 2], name(mv))
        };
        moves.iter().enumerate().map(node).collect()
    };
    let digits = nodes(&|mv| mv.to_owned(), "");
    let letters = nodes(&square, "\n");
    let head = "FF[4]GM[2]SZ[8]";
    let setup = "AB[e4][d5]AW[d4][e5]PL[B]";
    let games = [
        format!("(;{head}PB[a [\\] (b)]C[;)]{digits})"),
        format!("(;{head}{letters}\n)"),
        format!("(\n;\n{head}{setup}\n{digits}\n)"),
        format!("(;{head}{}RE[B+64]{digits}(;W[])(;C[a variation]))", setup.replace("PL[B]", "")),
        // As Edax writes it.
        format!(
            "(;FF[4]GM[2]AP[edax:4.5]\nPB[?]PW[?]\nSZ[8]{setup}\n{};)",
            digits.replacen(';', "", 1)
        ),
    ];
    let text = games.join("\n");
    for text in [text.clone(), text.replace('\n', "\r\n"), games.join(" ")] {
        let ran = Folder::new().run_on(&["solve"], text);
        let records = [1, 2, 3, 4, 5].map(|game| format!("stdin#{game} exact -64"));
        assert_eq!((ran.records(), ran.err.as_str()), (records.to_vec(), ""));
    }
    let position = "(;GM[2]AB[a1:b1][b2]AW[c1]AE[d4:e5]PL[W])";
    let ran = Folder::new().run_on(&["show", "-"], position);
    assert!(ran.out.contains("X 3 discs, O 1 disc, 60 empties"), "{ran:?}");
    // GGF stays GGF.
    let both = format!("(;GM[Othello];)\n{}\n(;B[e6]W[f4];)\n", games[0]);
    let ran = Folder::new().run_on(&["show", "-"], both);
    assert_eq!((ran.err.as_str(), ran.status), ("", 0));
    assert_eq!(ran.out.matches("discs, O ").count(), 3, "{ran:?}");
}

#[test]
fn bad_sgf_games_cost_one_game() {
    for (game, column, message) in [
        ("(;FF[4]GM[1];B[aa])", 11, "this is game `1`; only Othello is read, which is GM[2]"),
        (
            "(;FF[4];B[f5])",
            1,
            "the game has no GM; Othello is GM[2]; without it, a game is one of Go",
        ),
        ("(;GM[2]SZ[10])", 11, "the board has the size 10; only 8x8 is read"),
        ("(;GM[2];B[a1])", 11, "move 1: X cannot play a1; the legal moves are d3 c4 f5 e6"),
        ("(;GM[2];W[d3])", 11, "move 1 is said to be O's; it is the turn of X"),
        ("(;GM[2];B[z9])", 11, "`z9` is not a move; a move is B[f5] or B[fe]; a pass is B[]"),
        ("(;GM[2];B[f5][d6])", 15, "a second value of B; it has one"),
        ("(;GM[2];B[f5]AB[a1])", 14, "a set-up after the first move; only one before it is read"),
        (
            "(;GM[2]AB[a1]PL[W])",
            1,
            "the set-up does not say what is on d4; it has all discs of the board; AE names an empty square of the centre",
        ),
        ("(;GM[2]AB[d4:e5])", 1, "the side to move is missing; PL[B] or PL[W] names it"),
        ("(;GM[2]AB[d4][d4])", 15, "d4 is set up twice; a square has one content"),
        (
            "(;GM[2] x)",
            9,
            "`x)` is no property; a game is a list such as ;B[f5];W[d6], and ends with `)`",
        ),
        (
            "(;GM[2];B[f5]",
            1,
            "the game does not end; a game ends with `)`, and each `(` and `[` has its end",
        ),
        (
            "(;GM[2]C[",
            1,
            "the game does not end; a game ends with `)`, and each `(` and `[` has its end",
        ),
    ] {
        let ran =
            Folder::new().run_on(&["solve"], format!("{PLAIN}\n{game}\n(;GM[2]AW[a1:h8]PL[W])\n"));
        let records = ["stdin:1 exact 6", "stdin#1 invalid", "stdin#2 exact 64"];
        ran.expect(&records, &format!("stdin:2:{column}: {message}\n"), 3);
    }
}

#[test]
fn transcripts_with_numbers_line_breaks_and_passes() {
    // Black passes after the eighth move.
    let whole = "d3 c3 e6 d2 d1 e1 b2 c1 -- a3 a1";
    let pairs = "1. d3 c3 2. e6 d2\n% a comment\n\n3. d1 e1 4. b2\nc1 5. pass a3 6. a1\n";
    let single = "1.d3 2.c3 3.e6 4.d2 5.d1 6.e1 7.b2 8.c1 9.a3 10.a1";
    let written = single.replace("9.", "9. PS 10.").replace("10.a1", "11) a1");
    let expected = Folder::new().run_on(&["show", "-"], whole);
    assert_eq!((expected.err.as_str(), expected.status), ("", 0));
    let drawn = |out: &str| out.split_once('\n').expect("an identifier").1.to_owned();
    let wrapped = single.replace(' ', "\r");
    for text in [
        pairs.to_owned(),
        single.to_owned(),
        wrapped,
        written,
        whole.to_uppercase(),
        whole.replace("--", "PA"),
        whole.replace([' ', '-'], ""),
    ] {
        let ran = Folder::new().run_on(&["show", "-"], text.clone());
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{text}");
        assert_eq!(drawn(&ran.out), drawn(&expected.out), "{text}");
    }
    // Two games, the second of which lacks a move; a game without numbers follows.
    let text = format!("1. f5\n2. d6\n1. f5 2. d6\n4. c3\n{WIPEOUT}\n");
    let ran = Folder::new().run_on(&["solve", "--node-limit", "100"], text);
    let records = ["stdin:1 limit", "stdin:3 limit", "stdin:4 invalid", "stdin:5 exact -64"];
    let err = "stdin:4:1: the move number is 4; the next one of this game is 1\n";
    assert_eq!(ran.records(), records);
    assert!(ran.err.starts_with(err), "{ran:?}");
    // An error has its own line.
    let ran = Folder::new().run_on(&["solve"], "1. f5 d6\n2. a1\n");
    let err = "stdin:2:4: move 3: X cannot play a1; the legal moves are c3 c4 c5 c6 c7\n";
    ran.expect(&["stdin:1 invalid"], err, 3);
}

#[test]
fn positions_and_games_as_arguments() {
    let folder = Folder::new().with("list", OVER).with("other.obf", FFO_20);
    let two = &["-p", PLAIN, "--position", "1. e6 f4 e3\n2. f6 g5 d6 e7 f5 c5"];
    let records = ["argument:1 exact 6", "argument:2 exact -64"];
    folder.run(&[&["solve"], &two[..]].concat()).expect(&records, "", 0);
    let ran = folder.run(&["solve", "list", "-p", PASS_FIRST, "--side", "O"]);
    ran.expect(&["argument:1 exact 64", "list:1 exact 64"], "", 0);
    let ran = folder.run(&["solve", "-p", "wrong", "-p", PLAIN]);
    assert_eq!(ran.records(), ["argument:1 invalid", "argument:2 exact 6"]);
    assert!(ran.err.starts_with("argument:1:2: 'r' is not a square"), "{ran:?}");
    assert_eq!(folder.run(&["verify", "-p", FFO_20]).status, 0);
    let estimate = folder.run(&["estimate", "-p", PLAIN, "--trial", "1ms"]);
    assert!(estimate.out.contains("    all          1  "), "{estimate:?}");
    let bad = folder.run(&["solve", "-p", " "]);
    assert!(bad.err.contains("it is empty") && bad.status == 2, "{bad:?}");
    // A run with arguments can be resumed.
    for _ in 0..2 {
        let ran = folder.run(&["solve", "-p", PLAIN, "-o", "out.jsonl", "--resume"]);
        assert_eq!((ran.err.as_str(), ran.status), ("", 0));
        assert_eq!(folder.read("out.jsonl").matches("argument:1").count(), 1);
    }

    let shown = folder.run(&["show", "-p", PLAIN, "-p", WIPEOUT]);
    assert!(shown.out.starts_with("argument:1\n") && shown.out.contains("\n\nargument:2\n"));
    let files = folder.run(&["show", "list", "other.obf"]);
    assert!(files.out.starts_with("list:1\n") && files.out.contains("\n\nother.obf:1\n"));
    assert!(files.out.ends_with("Given scores: h5 +6  g6 -2  f6 -4  h6 -10\n"), "{files:?}");
    assert!(folder.run(&["show", "f5", "d6"]).out.contains("58 empties"));
    assert!(folder.run(&["show", WIPEOUT]).out.contains("X wins by 64"));
    assert_eq!(folder.run(&["show"]).status, 2);
    let several = folder.run(&["show", "(;B[f5];)(;B[d3];)"]);
    let err = "yose: the text has several positions; give one, or a file\n";
    assert_eq!((several.err.as_str(), several.status), (err, 2));
    assert!(folder.run(&["perft", "1", "f5d6"]).out.contains("    1"));
}

/// O to move has all but one disc, without its side.
const PASS_FIRST: &str = "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO";

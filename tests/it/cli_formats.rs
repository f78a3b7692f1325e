//! Games, databases, and what Yose wrote itself, read as a user has them read; and OBF written.

use crate::common::{FFO_20, Folder, OVER, PASS, PLAIN, Ran, column};

/// Files of games, of random moves: the same three games in each.
const TRANSCRIPTS: &str = "games.txt";
const GGF: &str = "games.ggf";
const DATABASE: &str = "games.wtb";

fn folder() -> Folder {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("positions");
    let copy = |folder: Folder, name: &str| {
        folder.with(name, std::fs::read(games.join(name)).expect("a sample"))
    };
    [TRANSCRIPTS, GGF, DATABASE].iter().fold(Folder::new(), |folder, name| copy(folder, name))
}

#[test]
fn the_same_games_in_three_formats_give_the_same_positions() {
    let folder = folder();
    let positions = |file: &str| {
        let ran = folder.run(&["solve", file, "--at-empties", "4-6"]);
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{file}");
        assert!(column(&ran.out, "status").iter().all(|status| status == "exact"));
        (column(&ran.out, "position"), column(&ran.out, "id"))
    };
    let (expected, ids) = positions(TRANSCRIPTS);
    let names = |base: [&str; 3]| -> Vec<String> {
        base.iter().flat_map(|base| [6, 5, 4].map(|empties| format!("{base}@{empties}"))).collect()
    };
    assert_eq!(ids, names(["games.txt:2", "games.txt:3", "games.txt:4"]));
    assert_eq!(
        positions(GGF),
        (expected.clone(), names(["games.ggf#1", "games.ggf#2", "games.ggf#3"]))
    );
    assert_eq!(
        positions(DATABASE),
        (expected, names(["games.wtb#1", "games.wtb#2", "games.wtb#3"]))
    );
}

#[test]
fn each_format_has_its_usual_position() {
    let folder = folder();
    let empties = |arguments: &[&str]| {
        let ran = folder.run(&[&["solve"], arguments].concat());
        assert_eq!((ran.err.as_str(), ran.status), ("", 0), "{arguments:?}");
        column(&ran.out, "empties").join(" ")
    };
    assert_eq!(empties(&[TRANSCRIPTS]), "0 0 0", "the last");
    assert_eq!(empties(&[GGF]), "0 0 0", "the last");
    assert_eq!(empties(&[DATABASE]), "8 8 8", "that of the theoretical score");
    assert_eq!(
        empties(&[TRANSCRIPTS, GGF, DATABASE, "--games", "2-3"]),
        "0 0 0 0 8 8",
        "counted in each file"
    );
    assert_eq!(empties(&[DATABASE, "--games", "1", "--at-empties", "0"]), "0");
}

#[test]
fn the_theoretical_scores_of_a_database_are_what_is_computed() {
    let folder = folder();
    let ran = folder.run(&["solve", DATABASE]);
    let bytes = std::fs::read(folder.path(DATABASE)).expect("the database");
    let boards = column(&ran.out, "position");
    for (game, (board, score)) in boards.iter().zip(column(&ran.out, "score")).enumerate() {
        let discs = i32::from(bytes[16 + 68 * game + 7]);
        let score: i32 = score.parse().expect("a score");
        let black = if board.ends_with('X') { score } else { -score };
        assert_eq!(2 * discs - 64, black, "game {}", game + 1);
    }
}

#[test]
fn games_that_end_early_are_counted_and_are_no_fault() {
    // A wipeout after nine moves, a game that was given up, and those that go on to the end.
    let folder = folder();
    let text = format!("e6f4e3f6g5d6e7f5c5\nf5d6c3\n{}", folder.read(TRANSCRIPTS));
    let ran = folder.run_on(&["solve", "--at-empties", "5"], text);
    assert_eq!(ran.err, "stdin: 2 of 5 games have no position with 5 empties\n");
    assert_eq!(column(&ran.out, "empties"), ["5", "5", "5"]);
    assert_eq!(ran.status, 0);
}

#[test]
fn a_bad_game_costs_that_game() {
    let text = format!(
        "e6f4e3f6g5d6e7f5c5\ne6f4e3a1\n(;B[e6]W[f4];)(;B[e6]\nW[e6];) (;TY[10];)\ne6 x9\n{OVER}\n"
    );
    let ran = Folder::new().run_on(&["solve", "--at-empties", "51"], text);
    let err = "stdin:2:7: move 4: O cannot play a1; the legal moves are d2 f2 d6 f6\n\
               stdin:4:3: move 2: O cannot play e6; the legal moves are f4 d6 f6\n\
               stdin:4:14: the board has 10x10 squares; only 8x8 is read\n\
               stdin:5:4: `x9` is not a move; a game is its moves, such as f5d6c3; a pass may be left out, or written --\n\
               stdin: 1 of 6 games has no position with 51 empties\n";
    let records = [
        "stdin:1 exact -64",
        "stdin:2 invalid",
        "stdin#4 invalid",
        "stdin#5 invalid",
        "stdin:5 invalid",
        "stdin:6 exact 64",
    ];
    ran.expect(&records, err, 3);
}

#[test]
fn a_database_from_standard_input_and_one_that_is_cut_short() {
    let folder = folder();
    let bytes = std::fs::read(folder.path(DATABASE)).expect("the database");
    let ids = |ran: &Ran| column(&ran.out, "id").join(" ");
    let ran = folder.run_on(&["solve"], bytes.clone());
    assert_eq!((ids(&ran).as_str(), ran.status), ("stdin#1 stdin#2 stdin#3", 0));
    let ran = folder.run_on(&["solve", "-", TRANSCRIPTS, "--games", "2-9"], &bytes[..200]);
    let err =
        "stdin#3: the file ends within this game, though the header counts 3; get the whole file\n";
    assert_eq!(
        (ids(&ran).as_str(), ran.err.as_str(), ran.status),
        ("stdin#2 games.txt:3 games.txt:4", err, 2)
    );
}

#[test]
fn what_is_written_can_be_read_again() {
    let folder = Folder::new().with("list.obf", format!("{FFO_20}\n{PASS}\n{OVER}\nwrong\n"));
    let scores = |file: &str| {
        let ran = folder.run(&["solve", file, "--all-moves"]);
        (
            column(&ran.out, "id"),
            column(&ran.out, "position"),
            column(&ran.out, "score"),
            column(&ran.out, "moves"),
        )
    };
    let (ids, positions, values, moves) = scores("list.obf");
    assert_eq!(values, ["6", "-64", "64", ""]);
    for format in ["csv", "jsonl"] {
        let file = format!("again.{format}");
        assert_eq!(folder.run(&["solve", "list.obf", "--all-moves", "-o", &file]).status, 3);
        let again = scores(&file);
        assert_eq!(
            again,
            (ids.clone(), positions.clone(), values.clone(), moves.clone()),
            "{format}: identifiers stay"
        );
    }
    // OBF has no identifiers, and no line for what is no position.
    assert_eq!(folder.run(&["solve", "list.obf", "--all-moves", "-o", "again.obf"]).status, 3);
    let again = scores("again.obf");
    assert_eq!(again.0, ["again.obf:1", "again.obf:2", "again.obf:3"]);
    assert_eq!(
        (&again.1[..], &again.2[..], &again.3[..]),
        (&positions[..3], &values[..3], &moves[..3])
    );
}

#[test]
fn obf_as_other_solvers_read_it() {
    let list = format!("{PLAIN}\n{PASS}\n{OVER}\nwrong\n");
    let written = |arguments: &[&str]| {
        Folder::new().run_on(&[&["solve", "--format", "obf"], arguments].concat(), list.clone())
    };
    let wrong = "% stdin:4: invalid: stdin:4:2: 'r' is not a square (square 2 of 64); \
                 a position is 64 squares of X, O and -, then the side to move, X or O\n";
    assert_eq!(
        written(&[]).out,
        format!("{PLAIN}; H5:+6;\n{PASS}; PS:-64;\n{OVER}; +64;\n{wrong}")
    );
    let moves = "H5:+6; G6:-2; F6:-4; H6:-10;";
    assert_eq!(
        written(&["--all-moves"]).out,
        format!("{PLAIN}; {moves}\n{PASS}; PS:-64;\n{OVER}; +64;\n{wrong}")
    );
    let wld = format!("{PLAIN}; % score >=+2\n{PASS}; % score <=-2\n{OVER}; % score >=+2\n{wrong}");
    assert_eq!(written(&["--goal", "wld"]).out, wld);
}

#[test]
fn the_files_of_othello_is_solved() {
    let knowledge = format!(
        "obf,depth,accuracy,score_lowerbound,score_upperbound,nodes\n{PLAIN};,6,100,-64,6,12\n{OVER};,51,100,65,64,1\n"
    );
    let tasks = format!("obf,alpha,beta,estimated_score\n{PASS};,-64,0,-4\n");
    let folder = Folder::new().with("knowledge.csv", knowledge).with("tasks.csv", tasks);
    let ran = folder.run(&["solve", "knowledge.csv", "tasks.csv"]);
    let err = "knowledge.csv:3:76: `65` is not a score; a score is a number from -64 to 64\n";
    ran.expect(
        &["knowledge.csv:2 exact 6", "knowledge.csv:3 invalid", "tasks.csv:2 exact -64"],
        err,
        3,
    );
    let ran = folder.run(&["solve", "knowledge.csv", "--input-format", "csv"]);
    let head = "the column `position` is missing, so the rest of the file is skipped; \
                the columns are obf, depth, accuracy, score_lowerbound, score_upperbound, nodes";
    ran.expect(&[], &format!("knowledge.csv:1: {head}\n"), 2);
}

#[test]
fn wrong_spans_are_told() {
    for (arguments, message) in [
        (["--at-empties", "61"], "a game has at most 60 empties, not 61"),
        (["--at-empties", "9-3"], "9 is more than 3; the smaller number comes first"),
        (["--games", "0-3"], "games are counted from 1"),
        (["--games", "all"], "write one number, or two with a `-` between them, such as 12-20"),
    ] {
        let ran = folder().run(&["solve", TRANSCRIPTS, arguments[0], arguments[1]]);
        assert!(ran.err.contains(message), "{arguments:?}: {ran:?}");
        assert_eq!((ran.out.as_str(), ran.status), ("", 2), "{arguments:?}");
    }
}

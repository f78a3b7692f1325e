//! `yose review`: the mistakes of games, in all formats, and a run that is continued.

use crate::common::{Folder, column};

/// A game to its end. Perfect play from 12 empties wins by 4 for X, who loses it at move 57.
pub const GAME: &str = "f5d6c3d3c4f4f6g5e3f3g4h3e6g3g6f7h4h5c7d2e2c2d1c1e1f1f2e7e8c6\
    d7c8f8d8b8c5b6b4b5g1a3b3a2a4a5b2g2h1h2a7a6a1b1b7a8g7h8g8h6h7";

/// The same game with names, as a file of GGF.
pub fn ggf(black: &str, white: &str) -> String {
    let moves = GAME.as_bytes().chunks(2).enumerate().map(|(index, mv)| {
        let side = if index % 2 == 0 { 'B' } else { 'W' };
        format!("{side}[{}]", String::from_utf8_lossy(mv))
    });
    let moves: String = moves.collect();
    format!("(;GM[Othello]PB[{black}]PW[{white}]DT[2015]TY[8]{moves};)\n")
}

fn folder() -> Folder {
    Folder::new().with("game.txt", GAME).with("game.ggf", ggf("Ann", "Bob"))
}

#[test]
fn a_table_has_the_mistakes_and_a_board_for_each() {
    let ran = folder().run(&["review", "game.txt", "--from", "12", "--format", "table"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("game.txt:1: X - O, played +0, perfect +4\n"), "{}", ran.out);
    assert!(ran.out.contains("\n  57     X      h8     +0    4!      +0  +4 h7\n"), "{}", ran.out);
    assert!(ran.out.contains("\n7   O   O   O   O   O   O   O< +4\n"), "{}", ran.out);
    assert!(ran.out.contains("first mistake at move 57, 1 turning point"), "{}", ran.out);
    let without = folder().run(&["review", "game.txt", "--from", "12", "--no-boards"]);
    assert!(!without.out.contains("a   b   c"), "{}", without.out);
}

#[test]
fn csv_has_a_row_for_each_move() {
    let folder = folder();
    let ran = folder.run(&["review", "game.ggf", "--at-empties", "3-5", "--format", "csv"]);
    assert_eq!(column(&ran.out, "move"), ["g7", "h8", "g8"]);
    assert_eq!(column(&ran.out, "lost"), ["0", "4", "0"]);
    assert_eq!(column(&ran.out, "result"), ["4", "4", "0"]);
    assert_eq!(column(&ran.out, "player"), ["Bob", "Ann", "Bob"]);
    assert_eq!(column(&ran.out, "turning_point"), ["false", "true", "false"]);
    // The scores are those that `solve` finds.
    let solved = folder.run(&["solve", "game.ggf", "--at-empties", "3-5", "--format", "csv"]);
    assert_eq!(column(&solved.out, "score"), column(&ran.out, "best_score"));
    assert_eq!(column(&solved.out, "id"), column(&ran.out, "id"));
}

#[test]
fn games_come_back_with_their_scores() {
    let folder = folder();
    let ran = folder.run(&["review", "game.ggf", "--from", "10", "-o", "out.ggf"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = folder.read("out.ggf");
    assert!(text.contains("B[h8/+0.00]") && text.contains("% 57 h8 lost 4! (h7)"), "{text}");
    let again = folder.run(&["review", "out.ggf", "--from", "10", "--format", "transcript"]);
    assert_eq!(again.out, format!("{GAME} % Ann (X) - Bob (O): 57 h8 lost 4! (h7)\n"));
    let read = folder.run_on(&["review", "-", "--from", "4", "--format", "transcript"], again.out);
    assert!(read.out.starts_with(GAME), "{}", read.out);
}

#[test]
fn games_are_selected_by_number_and_by_player() {
    let games = ggf("Ann", "Bob") + &ggf("Carol", "Dan");
    let folder = Folder::new().with("games.ggf", games);
    let games = |arguments: &[&str]| {
        let mut all = vec!["review", "games.ggf", "--from", "4", "--format", "transcript"];
        all.extend(arguments);
        folder.run(&all).out
    };
    assert_eq!(games(&[]).lines().count(), 2);
    assert!(games(&["--games", "2"]).contains("Carol (X) - Dan (O)"));
    assert!(games(&["--player", "bOB"]).contains("Ann (X) - Bob (O)"));
    let nobody = folder.run(&["review", "games.ggf", "--player", "Eve"]);
    assert_eq!(nobody.status, 2);
    assert!(
        nobody.err.contains("no game has a player whose name contains `Eve`"),
        "{}",
        nobody.err
    );
    let table = folder.run(&["review", "games.ggf", "--from", "12", "--format", "table"]);
    assert!(
        table.out.contains("\nCarol       1      6    83.3%     4        4.0"),
        "{}",
        table.out
    );
}

#[test]
fn a_budget_chooses_the_empties() {
    let ran = folder().run(&["review", "game.txt", "--budget", "1ms", "--format", "csv"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("1ms allow the moves from "), "{}", ran.err);
    let both = folder().run(&["review", "game.txt", "--budget", "1s", "--from", "4"]);
    assert_eq!(both.status, 2);
}

#[test]
fn a_review_is_continued() {
    let folder = folder();
    let review = |arguments: &[&str]| {
        let mut all = vec!["review", "game.ggf", "-o", "out.jsonl"];
        all.extend(arguments);
        folder.run(&all)
    };
    let limited = review(&["--from", "16", "--node-limit", "5000"]);
    assert_eq!(limited.status, 4, "{}", limited.err);
    assert!(folder.read("out.jsonl").contains("\"complete\":false"));
    assert_eq!(review(&["--from", "16"]).status, 2, "the file exists");
    assert_eq!(review(&["--from", "16", "--resume"]).status, 0);
    let text = folder.read("out.jsonl");
    assert!(text.contains("\"complete\":true"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("{\"type\":\"move\"")).count(), 16);
    assert_eq!(review(&["--from", "16", "--resume"]).status, 0);
    let moves = |text: &str| -> Vec<String> {
        let kept = text.lines().filter(|line| line.starts_with("{\"type\":\"move\""));
        kept.map(str::to_owned).collect()
    };
    assert_eq!(moves(&folder.read("out.jsonl")), moves(&text), "nothing was solved again");
    let other = Folder::new().with("out.jsonl", "{}\n").with("game.ggf", ggf("a", "b"));
    let refused = other.run(&["review", "game.ggf", "-o", "out.jsonl", "--resume"]);
    assert_eq!(refused.status, 2);
    assert_eq!(other.read("out.jsonl"), "{}\n", "a strange file stays");
    let csv = folder.run(&["review", "game.ggf", "-o", "out.csv", "--resume"]);
    assert!(csv.err.contains("only JSON Lines can be resumed"), "{}", csv.err);
}

#[test]
fn wrong_input_is_reported_and_the_rest_is_reviewed() {
    let list = format!("f5a1\n---\n{GAME}\n{}\n", crate::common::PLAIN);
    let ran = Folder::new().run_on(&["review", "-", "--from", "4", "--format", "csv"], list);
    assert_eq!(ran.status, 3, "{}", ran.err);
    assert_eq!(column(&ran.out, "move").len(), 4);
    assert!(ran.err.contains("is a position and no game"), "{}", ran.err);
    assert_eq!(Folder::new().run(&["review", "none"]).status, 2);
    assert_eq!(Folder::new().run_on(&["review", "-"], "").status, 2);
    assert_eq!(Folder::new().run_on(&["review", "-", "--player", ""], GAME).status, 2);
    let full = folder().run(&["review", "game.txt", "--from", "4", "-o", "/dev/full"]);
    assert_eq!(full.status, 2, "{}", full.err);
}

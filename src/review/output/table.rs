//! A table for people: each game with its reviewed moves, a small board at each mistake, and the
//! players.

use super::super::lines::RunLine;
use super::super::moves::{Review, ReviewedMove, SideSummary};
use super::{Totals, player_name};
use crate::drawing::Board;
use crate::drawing::text::{Style, beside, lines};
use crate::othello::{Colour, Score};
use crate::records::output::{Writer, readable};

/// Writes a table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    style: Style,
    /// The columns of the terminal.
    width: usize,
    /// Whether each mistake has a board.
    boards: bool,
}

impl Table {
    /// A table for a terminal with this many columns.
    pub fn new(style: Style, width: usize, boards: bool) -> Table {
        Table { style, width, boards }
    }
}

impl Writer<RunLine, Review, Totals> for Table {
    fn begin(&mut self, run: &RunLine, out: &mut Vec<u8>) {
        let text = format!(
            "Reviewed: positions with {} empties. Scores are those of the side to move; results \
             are\nthose of X under perfect play.\n",
            run.empties
        );
        out.extend_from_slice(text.as_bytes());
    }

    fn record(&mut self, review: &Review, out: &mut Vec<u8>) {
        let mut text = format!("\n{}\n", heading(review));
        text += "move  side  played  score  lost  result  best\n";
        for one in &review.moves {
            text += &row(one);
        }
        if !review.complete {
            text += "The review of this game is not complete.\n";
        }
        for colour in [Colour::Black, Colour::White] {
            let side = review.side(colour);
            if side.moves > 0 {
                text += &format!("{}: {}\n", player_name(review, colour), in_words(&side));
            }
        }
        let mistakes: Vec<Vec<String>> = review
            .moves
            .iter()
            .filter(|one| one.is_mistake() && self.boards)
            .map(|one| self.board(review, one))
            .collect();
        if !mistakes.is_empty() {
            text += &format!("\n{}", beside(&mistakes, self.width));
        }
        out.extend_from_slice(text.as_bytes());
    }

    fn end(&mut self, totals: &Totals, out: &mut Vec<u8>) {
        let players = totals.players();
        let width = |name: &str| name.chars().count();
        let widest = players.iter().map(|player| width(&player.name)).max().unwrap_or(0);
        let widest = widest.max("player".len());
        let mut text = String::new();
        if players.len() > 2 || totals.summary.games > 1 {
            let name = "player";
            text += &format!(
                "\n{name:<widest$}  games  moves  perfect  lost  lost/game  turning points\n"
            );
            for player in &players {
                let SideSummary { moves, lost, turning_points, .. } = player.sums;
                let share = player.sums.share().unwrap_or(0.0) * 100.0;
                let padding = " ".repeat(widest - width(&player.name));
                text += &format!(
                    "{}{padding}  {:>5}  {moves:>5}  {share:>6.1}%  {lost:>4}  {:>9.1}  \
                     {turning_points:>14}\n",
                    player.name,
                    player.games,
                    lost as f64 / player.games as f64,
                );
            }
        }
        let summary = &totals.summary;
        text += &format!(
            "\n{}, {}, {}, {} discs lost; {} nodes, {:.3} s\n",
            counted(summary.games, "game"),
            counted(summary.moves, "move"),
            counted(summary.mistakes, "mistake"),
            summary.lost,
            readable(summary.nodes),
            summary.seconds,
        );
        out.extend_from_slice(text.as_bytes());
    }
}

/// The players, the year and the results of a game.
fn heading(review: &Review) -> String {
    let details = &review.game.details;
    let [black, white] = [Colour::Black, Colour::White].map(|colour| player_name(review, colour));
    let mut text = review.game.id.clone();
    if let Some(year) = details.year {
        text += &format!(", {year}");
    }
    text += &format!(": {black} - {white}");
    let results = [("played", details.real_score), ("perfect", review.theoretical_result())];
    for (name, score) in results {
        if let Some(score) = score {
            text += &format!(", {name} {score}");
        }
    }
    text
}

fn row(one: &ReviewedMove) -> String {
    let best: Vec<String> = one.best_moves().map(|mv| mv.to_string()).collect();
    let lost = match one.lost() {
        0 => String::new(),
        lost if one.is_turning_point() => format!("{lost}!"),
        lost => lost.to_string(),
    };
    format!(
        "{:>4}  {:>4}  {:>6}  {:>5}  {:>4}  {:>6}  {} {}\n",
        one.turn.number,
        one.turn.diagram.to_move.to_string(),
        one.turn.square.to_string(),
        score(one.score()),
        lost,
        score(one.result_after()),
        score(one.best_score()),
        best.join(" "),
    )
}

/// A number of things.
fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", readable(number))
}

fn score(score: Score) -> String {
    score.to_string()
}

/// The sums of a side.
fn in_words(side: &SideSummary) -> String {
    let mut text = format!(
        "{} of {} moves perfect ({:.0}%), {} discs lost",
        side.perfect,
        side.moves,
        side.share().unwrap_or(0.0) * 100.0,
        side.lost
    );
    if let Some(first) = side.first_mistake {
        text += &format!(", first mistake at move {first}");
    }
    match side.turning_points {
        0 => text,
        1 => text + ", 1 turning point",
        several => text + &format!(", {several} turning points"),
    }
}

impl Table {
    /// The board of a mistake, with the scores of all moves.
    fn board(&self, review: &Review, one: &ReviewedMove) -> Vec<String> {
        let turns = &review.game.turns;
        let before = turns.iter().rfind(|turn| turn.number + 1 == one.turn.number);
        let board = Board {
            last: before.map(|turn| turn.square),
            played: Some(one.turn.square),
            ..Board::new(one.turn.diagram).with_scores(&one.scores)
        };
        let mark = if one.is_turning_point() { ", a turning point" } else { "" };
        let mut text = vec![format!(
            "{}. {} {} lost {}{mark}",
            one.turn.number,
            one.turn.diagram.to_move,
            one.turn.square,
            one.lost()
        )];
        text.extend(lines(&board, self.style));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_game_has_its_moves_and_a_board_at_each_mistake() {
        let text = samples::written(&mut Table::new(Style::default(), 80, true));
        insta::assert_snapshot!(text);
    }
}

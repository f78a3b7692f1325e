//! GGF: each game with the exact scores of its reviewed moves in the place of evaluations,
//! `B[c3/-4.00]`. Its mistakes are in a comment after the game.
//!
//! Source: M. Buro, "Generic Game Format (GGF)", <https://www.skatgame.net/mburo/ggsa/ggf>.

use super::super::lines::RunLine;
use super::super::moves::Review;
use super::{Totals, mistakes_text};
use crate::othello::{Colour, Diagram, Square};
use crate::records::output::Writer;

/// Writes GGF.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ggf;

impl Writer<RunLine, Review, Totals> for Ggf {
    fn begin(&mut self, _: &RunLine, _: &mut Vec<u8>) {}

    fn record(&mut self, review: &Review, out: &mut Vec<u8>) {
        let game = &review.game;
        let mut text = "(;GM[Othello]PC[Yose]".to_owned();
        if let Some(year) = game.details.year {
            text += &format!("DT[{year}]");
        }
        for (name, colour) in [("PB", Colour::Black), ("PW", Colour::White)] {
            text += &format!("{name}[{}]", value(game.player(colour).unwrap_or_default()));
        }
        if let Some(score) = game.details.real_score {
            text += &format!("RE[{:+}.00]", score.discs());
        }
        let start = game.turns.first().map_or(game.end, |turn| turn.diagram);
        text += &format!("TY[8]BO[8 {}]", board(&start));
        for turn in &game.turns {
            let name = if turn.diagram.to_move == Colour::Black { 'B' } else { 'W' };
            let reviewed = review.moves.iter().find(|one| one.turn.number == turn.number);
            let score = reviewed.map(|one| format!("/{:+}.00", one.score().discs()));
            text += &format!("{name}[{}{}]", turn.square, score.unwrap_or_default());
        }
        out.extend_from_slice(format!("{text};) % {}\n", mistakes_text(review)).as_bytes());
    }

    fn end(&mut self, _: &Totals, _: &mut Vec<u8>) {}
}

/// A text as the value of a property, which ends with `]`.
fn value(text: &str) -> String {
    text.chars().map(|c| if c == ']' || c == '[' || c.is_control() { '?' } else { c }).collect()
}

/// The squares and the side to move, with the symbols of GGF.
fn board(diagram: &Diagram) -> String {
    let symbol = |c: char| if c == 'X' { '*' } else { c };
    let squares: String = Square::all().map(|square| symbol(diagram.symbol(square))).collect();
    let side = symbol(diagram.to_move.symbol());
    format!("{squares} {side}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{ReadOptions, Source};
    use crate::review::games::read_games;

    #[test]
    fn a_game_is_read_back() {
        let text = "(;GM[Othello]PB[Ann]PW[Bob]TY[8]B[f5]W[d6]B[c3];)\n";
        let read = |text: String| {
            let source = Source::Memory { name: "games", bytes: text.into_bytes().into() };
            let (mut games, ..) =
                read_games(vec![source], ReadOptions::default(), None, |message| {
                    panic!("{message}")
                });
            games.remove(0)
        };
        let game = read(text.to_owned());
        let review = Review { game: game.clone(), moves: Vec::new(), complete: false };
        let mut out = Vec::new();
        Ggf.record(&review, &mut out);
        assert_eq!(read(String::from_utf8(out).expect("UTF-8")), game);
        assert_eq!(value("a]b"), "a?b");
    }
}

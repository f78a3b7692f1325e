//! Transcripts: the moves of each game in a line, and its mistakes in a comment after a `%`.

use super::super::lines::RunLine;
use super::super::moves::Review;
use super::{Totals, mistakes_text, player_name};
use crate::othello::Colour;
use crate::records::output::Writer;

/// Writes transcripts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Transcript;

impl Writer<RunLine, Review, Totals> for Transcript {
    fn begin(&mut self, _: &RunLine, _: &mut Vec<u8>) {}

    fn record(&mut self, review: &Review, out: &mut Vec<u8>) {
        let turns = review.game.turns.iter();
        let moves: String = turns.map(|turn| turn.square.to_string()).collect();
        let [black, white] =
            [Colour::Black, Colour::White].map(|colour| player_name(review, colour));
        let line = format!("{moves} % {black} - {white}: {}\n", mistakes_text(review));
        out.extend_from_slice(line.as_bytes());
    }

    fn end(&mut self, _: &Totals, _: &mut Vec<u8>) {}
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn mistakes_stand_in_a_comment() {
        let text = samples::written(&mut Transcript);
        assert!(text.starts_with("g6"), "{text}");
        assert!(text.ends_with(" % Ann (X) - Bob (O): 55 g6 lost 8! (h5)\n"), "{text}");
    }
}

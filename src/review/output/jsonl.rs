//! JSON Lines: [`lines`](super::super::lines) describes them.

use super::super::lines::{GameLine, Line, MoveLine, PlayerLine, RunLine};
use super::super::moves::Review;
use super::Totals;
use crate::records::output::{Writer, json::write_line};

/// Writes JSON Lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonLines;

impl Writer<RunLine, Review, Totals> for JsonLines {
    fn begin(&mut self, run: &RunLine, out: &mut Vec<u8>) {
        write_line(out, &Line::Review(Box::new(run.clone())));
    }

    fn record(&mut self, review: &Review, out: &mut Vec<u8>) {
        for one in &review.moves {
            write_line(out, &Line::Move(Box::new(MoveLine::of(&review.game, one))));
        }
        write_line(out, &Line::Game(Box::new(GameLine::of(review))));
    }

    fn end(&mut self, totals: &Totals, out: &mut Vec<u8>) {
        for player in totals.players() {
            write_line(out, &Line::Player(PlayerLine::of(&player)));
        }
        write_line(out, &Line::Summary(totals.summary.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::review::lines::StoredReview;

    #[test]
    fn what_is_written_is_read_back() {
        let text = samples::written(&mut JsonLines);
        let stored = StoredReview::read(&text).expect("a review");
        assert_eq!(stored.run, Some(samples::run()));
        assert_eq!(stored.empties().map(|span| span.last), Some(20));
        assert_eq!(stored.summary.as_ref().map(|summary| summary.mistakes), Some(1));
        assert_eq!(stored.by_position().len(), 2);
        let torn = &text[..text.len() - 1];
        assert_eq!(StoredReview::read(torn).expect("a review").summary, None);
    }

    #[test]
    fn a_line_that_contradicts_itself_is_refused() {
        let text = samples::written(&mut JsonLines);
        for (from, to, part) in [
            ("\"score\":-10}]", "\"score\":-11}]", "contradicts itself"),
            ("{\"move\":\"h6\"", "{\"move\":\"a1\"", "contradicts itself"),
            (",{\"move\":\"h6\",\"score\":-10}", "", "contradicts itself"),
            ("\"type\":\"move\"", "\"type\":\"mover\"", "unknown variant"),
            ("\"schema\":1", "\"schema\":9", "is of schema 9"),
        ] {
            assert!(text.contains(from), "{from}");
            let (_, what) = StoredReview::read(&text.replace(from, to)).expect_err(from);
            assert!(what.contains(part), "{what}");
        }
        let first = text.find('\n').expect("a line") + 1;
        assert_eq!(StoredReview::read(&text[first..]).expect_err("no head").0, 1);
        assert!(StoredReview::read("").is_err());
    }
}

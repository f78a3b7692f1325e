//! Writers of reviews: a table for people, CSV, JSON Lines, and the games again.
//!
//! | module | content |
//! |---|---|
//! | [`table`] | the moves of each game, a board at each mistake, the players |
//! | [`csv`] | a row for each move |
//! | [`jsonl`] | all of a review; it can be continued, and `report` makes a page of it |
//! | [`ggf`], [`transcript`] | the games with the scores of their moves |

pub mod csv;
pub mod ggf;
pub mod jsonl;
pub mod table;
pub mod transcript;

use std::time::Duration;

use super::lines::{RunLine, SummaryLine};
use super::moves::{PlayerSummary, Players, Review, ReviewedMove};
use crate::othello::Colour;
use crate::records::output::Writer;

/// A writer of a review.
pub type ReviewWriter = dyn Writer<RunLine, Review, Totals>;

/// What a review amounts to.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// The sums.
    pub summary: SummaryLine,
    /// The players.
    players: Players,
}

impl Totals {
    /// Adds the review of a game.
    pub fn add(&mut self, review: &Review) {
        let summary = &mut self.summary;
        summary.games += 1;
        summary.complete += u64::from(review.complete);
        summary.moves += review.moves.len() as u64;
        for one in &review.moves {
            summary.mistakes += u64::from(one.is_mistake());
            summary.lost += i64::from(one.lost());
            summary.nodes += one.nodes;
        }
        self.players.add(review);
    }

    /// Sets the time of the run.
    pub fn set_time(&mut self, time: Duration) {
        self.summary.seconds = (time.as_secs_f64() * 1e3).round() / 1e3;
    }

    /// The players, those with the most games first.
    pub fn players(&self) -> Vec<PlayerSummary> {
        self.players.clone().finish()
    }
}

/// A mistake in a few words: `41 c3 lost 4 (a1, b2)`, and `!` at a turning point.
fn mistake_text(one: &ReviewedMove) -> String {
    let best: Vec<String> = one.best_moves().map(|mv| mv.to_string()).collect();
    let mark = if one.is_turning_point() { "!" } else { "" };
    format!(
        "{} {} lost {}{mark} ({})",
        one.turn.number,
        one.turn.square,
        one.lost(),
        best.join(", ")
    )
}

/// All mistakes of a game in a few words.
fn mistakes_text(review: &Review) -> String {
    let mistakes = review.moves.iter().filter(|one| one.is_mistake());
    let texts: Vec<String> = mistakes.map(mistake_text).collect();
    if texts.is_empty() { "no mistakes".to_owned() } else { texts.join("; ") }
}

/// The name of a player, or the colour.
fn player_name(review: &Review, colour: Colour) -> String {
    let name = review.game.player(colour);
    name.map_or_else(|| colour.to_string(), |name| format!("{name} ({colour})"))
}

#[cfg(test)]
mod samples {
    use super::super::lines::SCHEMA;
    use super::super::moves::samples::review;
    use super::*;

    pub fn run() -> RunLine {
        RunLine {
            schema: SCHEMA,
            tool: "yose".to_owned(),
            version: "0.0.0".to_owned(),
            tier: "tier".to_owned(),
            threads: 2,
            table_bytes: 1 << 20,
            weights: "embedded".to_owned(),
            empties: "0-20".to_owned(),
            player: None,
            inputs: Vec::new(),
        }
    }

    /// A review with one game, as a writer writes it.
    pub fn written(writer: &mut ReviewWriter) -> String {
        let mut out = Vec::new();
        writer.begin(&run(), &mut out);
        let mut totals = Totals::default();
        writer.record(&review(), &mut out);
        totals.add(&review());
        totals.set_time(Duration::from_millis(1234));
        writer.end(&totals, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }
}

//! A board with buttons that step through positions.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::page;
use crate::drawing::{Board, svg};
use crate::othello::{Diagram, Move, Score, Square};

/// The buttons: what they do, their names, and the outlines of their symbols.
const BUTTONS: [(&str, &str, &str); 4] = [
    ("first", "First", "M2 2h2v12H2zM14 2v12L5 8z"),
    ("back", "Back", "M12 2v12L3 8z"),
    ("next", "Next", "M4 2v12l9-6z"),
    ("last", "Last", "M12 2h2v12h-2zM2 2v12l9-6z"),
];

/// A step of a stepper.
#[derive(Debug)]
pub struct Step {
    /// The position.
    pub diagram: Diagram,
    /// The move that led to it.
    pub last: Option<Square>,
    /// What is written below it.
    pub caption: String,
    /// The scores on its squares.
    pub scores: Vec<(Move, Score)>,
    /// The move that was played, which is marked.
    pub played: Option<Square>,
}

impl Step {
    fn json(&self) -> Value {
        let index = |square: Option<Square>| square.map_or(-1, |square| square.index() as i64);
        let scores: Vec<Value> = self
            .scores
            .iter()
            .filter_map(|&(mv, score)| match mv {
                Move::Place(square) => Some(json!([square.index(), score.discs()])),
                Move::Pass => None,
            })
            .collect();
        let position = self.diagram.to_string();
        json!([
            position,
            index(self.last),
            page::shortened(&self.caption),
            scores,
            index(self.played)
        ])
    }

    fn board(&self) -> Board {
        let board = Board { legal: false, last: self.last, ..Board::new(self.diagram) };
        Board { played: self.played, ..board.with_scores(&self.scores) }
    }
}

/// A board with buttons that step through positions. It shows the step `at` first.
pub fn stepper(name: &str, steps: &[Step], at: usize) -> Markup {
    let json = Value::Array(steps.iter().map(Step::json).collect()).to_string();
    // Within a script element, only `<` could end it.
    let json = json.replace('<', "\\u003c");
    let first = &steps[at];
    html! {
        div.stepper data-at=(at) tabindex="0" role="group" aria-label={ (page::shortened(name)) ", arrow keys step" } {
            (svg::board(&first.board(), &page::shortened(name)))
            p.caption aria-live="polite" { (page::text(&first.caption)) }
            div.controls hidden {
                @for (action, label, path) in BUTTONS {
                    button type="button" data-action=(action) aria-label=(label) title=(label) {
                        svg viewBox="0 0 16 16" aria-hidden="true" { path d=(path) {} }
                    }
                }
            }
            script type="application/json" { (PreEscaped(json)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_do_not_end_the_script() {
        let step = Step {
            diagram: Diagram::START,
            last: None,
            caption: "</script><b>".to_owned(),
            scores: Vec::new(),
            played: None,
        };
        let text = stepper("</script>\"", &[step], 0).into_string();
        assert_eq!(text.matches("</script>").count(), 1, "{text}");
    }
}

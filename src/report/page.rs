//! The frame of a page, and the parts that its sections share.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::read::Solved;
use super::statistics::evenly;
use crate::drawing::{Board, svg};
use crate::othello::{Diagram, Move, Score, Square};
use crate::records::output::readable;

/// The bytes of the rows of all tables of positions.
pub const TABLE_BYTES: usize = 1_250_000;

/// The characters of a text of a file that are shown.
const LONGEST_TEXT: usize = 160;

/// The script of all pages.
const SCRIPT: &str = include_str!("script.js");
/// The style of all pages.
const STYLE: &str = include_str!("style.css");

/// A whole page. `contents` are the identifiers and the names of its sections.
pub fn frame(title: &str, contents: &[(String, String)], sections: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("yose ", env!("CARGO_PKG_VERSION")));
                title { (shortened(title)) " - Yose" }
                style { (PreEscaped(svg::STYLE)) (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (text(title)) }
                    p.faint {
                        "A report of Yose " (env!("CARGO_PKG_VERSION")) ". A score is the \
                         difference of discs after perfect play, seen by the side to move."
                    }
                }
                @if contents.len() > 1 {
                    nav aria-label="Sections" {
                        ul { @for (id, name) in contents { li { a href={ "#" (id) } { (text(name)) } } } }
                    }
                }
                main { (sections) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A text that is cut after some characters.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A text of a file. Marks that change the direction of writing do not change what is around it.
pub fn text(text: &str) -> Markup {
    html! { bdi { (shortened(text)) } }
}

/// Facts with their names.
pub fn facts(facts: &[(String, String)]) -> Markup {
    html! {
        dl.facts {
            @for (name, value) in facts { div { dt { (name) } dd { (text(value)) } } }
        }
    }
}

/// A fact.
pub fn fact(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

/// A column of a table: its name, and whether it has numbers.
pub type Column<'a> = (&'a str, bool);

/// A table with these rows. Wide ones can be scrolled, also by the keyboard.
pub fn table(caption: &str, columns: &[Column<'_>], rows: &[Vec<String>]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                thead { tr { @for (name, numbers) in columns { th.n[*numbers] scope="col" { (name) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (cell, (_, numbers)) in row.iter().zip(columns) {
                                td.n[*numbers] { (text(cell)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A time in seconds as a text.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        small if small < 10.0 => format!("{small:.3} s"),
        some if some < 600.0 => format!("{some:.1} s"),
        minutes if minutes < 36_000.0 => format!("{:.1} min", minutes / 60.0),
        hours => format!("{:.1} h", hours / 3600.0),
    }
}

/// Nodes per second as a text; nothing without a time.
pub fn speed(nodes: u64, seconds: f64) -> String {
    if seconds > 0.0 { format!("{:.1} M", nodes as f64 / seconds / 1e6) } else { String::new() }
}

/// A board with a name below it.
pub fn board(board: &Board, name: &str, caption: &Markup) -> Markup {
    html! {
        figure { (svg::board(board, &shortened(name))) figcaption { (caption) } }
    }
}

/// Square numbers and the side to move as the script reads them.
pub fn position_text(diagram: &Diagram) -> String {
    diagram.to_string()
}

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
        let position = position_text(&self.diagram);
        json!([position, index(self.last), shortened(&self.caption), scores, index(self.played)])
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
    let buttons = [
        ("first", "|◀", "First"),
        ("back", "◀", "Back"),
        ("next", "▶", "Next"),
        ("last", "▶|", "Last"),
    ];
    let first = &steps[at];
    html! {
        div.stepper data-at=(at) tabindex="0" role="group" aria-label={ (shortened(name)) ", arrow keys step" } {
            (svg::board(&first.board(), &shortened(name)))
            p.caption aria-live="polite" { (text(&first.caption)) }
            div.controls hidden {
                @for (action, symbol, label) in buttons {
                    button type="button" data-action=(action) aria-label=(label) { (symbol) }
                }
            }
            script type="application/json" { (PreEscaped(json)) }
        }
    }
}

/// The table of positions, which is sorted and filtered by the script. Rows are left out, evenly,
/// where they would take more than `bytes`; the slowest positions and the unfinished ones stay.
pub fn positions(id: &str, positions: &[Solved], bytes: usize) -> Markup {
    let rows: Vec<String> = positions.iter().map(|one| row(one).into_string()).collect();
    let shown = sample(positions, &rows, bytes);
    let panel = format!("{id}-board");
    let table = format!("{id}-table");
    let columns = [
        ("position", false),
        ("empties", true),
        ("status", false),
        ("score", true),
        ("nodes", true),
        ("seconds", true),
        ("best line", false),
    ];
    html! {
        h3 { "All positions" }
        @if shown.len() < rows.len() {
            p { (readable(shown.len() as u64)) " of " (readable(rows.len() as u64))
                " positions are listed: a sample, with the slowest and the unfinished ones." }
        }
        div.filter data-table=(table) hidden {
            label for={ (table) "-filter" } { "Show rows with" }
            input id={ (table) "-filter" } type="search" placeholder="words, such as exact +4";
            output aria-live="polite" {}
        }
        div.panel id=(panel) hidden {
            (svg::board(&Board { legal: false, ..Board::new(Diagram::START) }, "Board of the row"))
            p.caption {}
        }
        div.scroll.tall tabindex="0" role="region" aria-label="All positions" {
            table.sortable id=(table) data-board=(panel) {
                caption { "Positions; a column is sorted by its heading" }
                thead {
                    tr { @for (name, numbers) in columns { th.n[numbers] scope="col" { (name) } } }
                }
                tbody { @for index in shown { (PreEscaped(&rows[index])) } }
            }
        }
    }
}

/// The numbers of the rows that are shown.
fn sample(positions: &[Solved], rows: &[String], bytes: usize) -> Vec<usize> {
    let all: usize = rows.iter().map(String::len).sum();
    if all <= bytes {
        return (0..rows.len()).collect();
    }
    const SLOWEST: usize = 50;
    let mut slowest: Vec<usize> = (0..rows.len()).collect();
    slowest.sort_by(|&one, &other| positions[other].seconds.total_cmp(&positions[one].seconds));
    let unfinished = (0..rows.len()).filter(|&index| positions[index].is_unfinished());
    let mut shown: Vec<usize> =
        slowest.into_iter().take(SLOWEST).chain(unfinished.take(500)).collect();
    let count = (rows.len() as f64 * bytes as f64 / all as f64 * 0.95) as usize;
    shown.extend(evenly(rows.len(), count.saturating_sub(shown.len())));
    shown.sort_unstable();
    shown.dedup();
    shown
}

fn row(one: &Solved) -> Markup {
    let line = one.pv.split(' ').take(8).collect::<Vec<_>>().join(" ");
    html! {
        tr data-p=(position_text(&one.diagram)) {
            td { (text(&one.id)) }
            td.n { (one.empties()) }
            td { (shortened(&one.status)) }
            td.n { (one.bounds) }
            td.n { (readable(one.nodes)) }
            td.n { (format!("{:.3}", one.seconds)) }
            td { (shortened(&line)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(id: &str, seconds: f64) -> Solved {
        Solved {
            id: id.to_owned(),
            diagram: Diagram::START,
            status: "exact".to_owned(),
            score: Some(0),
            bounds: "+0".to_owned(),
            pv: "f5 d6".to_owned(),
            nodes: 1000,
            seconds,
        }
    }

    #[test]
    fn long_tables_are_sampled_with_the_slowest_positions() {
        let mut list: Vec<Solved> = (0..1000).map(|n| solved(&format!("p{n}"), 0.1)).collect();
        list[501].seconds = 9.0;
        let page = positions("s1", &list, 50_000).into_string();
        assert!(page.contains("a sample") && page.contains(">p501<"), "{page}");
        assert!(page.len() < 60_000, "{}", page.len());
        assert!(!positions("s1", &list, 500_000).into_string().contains("a sample"));
    }

    #[test]
    fn hostile_texts_are_texts() {
        let page = positions("s1", &[solved("</script><script>alert('\"')", 0.1)], 1000);
        let page = page.into_string();
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;"), "{page}");
        let step = Step {
            diagram: Diagram::START,
            last: None,
            caption: "</script><b>".to_owned(),
            scores: Vec::new(),
            played: None,
        };
        let text = stepper("</script>\"", &[step], 0).into_string();
        assert_eq!(text.matches("</script>").count(), 1, "{text}");
        assert_eq!(shortened(&"é".repeat(10_000)).chars().count(), LONGEST_TEXT + 1);
    }
}

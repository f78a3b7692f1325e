//! The table of all positions of a run.

use maud::{Markup, PreEscaped, html};

use super::page::{self, Column};
use super::read::Solved;
use super::statistics::evenly;
use crate::drawing::{Board, svg};
use crate::othello::Diagram;
use crate::records::output::readable;

/// The bytes of the rows of all tables of positions.
pub const TABLE_BYTES: usize = 1_250_000;

const COLUMNS: [Column; 7] = [
    Column::Words("position"),
    Column::Numbers("empties"),
    Column::Words("status"),
    Column::Numbers("score"),
    Column::Numbers("nodes"),
    Column::Numbers("seconds"),
    Column::Moves("best line"),
];

/// The table of positions, which is sorted and filtered by the script. Rows are left out, evenly,
/// where they would take more than `bytes`; the slowest positions and the unfinished ones stay.
pub fn positions(id: &str, positions: &[Solved], bytes: usize) -> Markup {
    let rows: Vec<String> = positions.iter().map(|one| row(one).into_string()).collect();
    let shown = sample(positions, &rows, bytes);
    let panel = format!("{id}-board");
    let table = format!("{id}-table");
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
        div.browse {
            div.panel id=(panel) hidden {
                (svg::board(&Board { legal: false, ..Board::new(Diagram::START) }, "Board of the row"))
                p.caption {}
            }
            div.scroll.tall tabindex="0" role="region"
                aria-label="All positions; the arrow keys choose a row" {
                table.sortable id=(table) data-board=(panel) {
                    caption { "Positions " small { "A heading sorts. A row shows its board." } }
                    (page::head(&COLUMNS))
                    tbody { @for index in shown { (PreEscaped(&rows[index])) } }
                }
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
        tr data-p=(one.diagram.to_string()) {
            td { (page::text(&one.id)) }
            td.n { (one.empties()) }
            td { (page::shortened(&one.status)) }
            td.n { (one.bounds) }
            td.n { (readable(one.nodes)) }
            td.n { (format!("{:.3}", one.seconds)) }
            td.m { (page::shortened(&line)) }
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
    }
}

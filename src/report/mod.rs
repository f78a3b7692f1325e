//! Pages of results: what `solve`, `verify`, `review`, `merge` and `bench` have written, as one
//! page of HTML for people, or as Markdown.
//!
//! | module | content |
//! |---|---|
//! | [`mod@read`] | files of results: their kind, and their records |
//! | [`statistics`] | quantiles, ratios with their intervals, samples |
//! | `plots` | plots as SVG |
//! | `page` | the frame of a page: style, script, facts, tables, boards |
//! | `stepper` | a board with buttons that step through positions |
//! | `positions` | the table of all positions of a run |
//! | `solve`, `verify`, `review`, `compare` | the sections |
//! | `markdown` | runs and their comparison as Markdown |
//!
//! # The page
//! It is one file and loads nothing: styles, script, plots and boards are in it. It is readable
//! without the script, which sorts, filters and steps. Texts of files are escaped by the templates
//! of maud, and isolated against marks that change the direction of writing.
//!
//! A page of 10,000 positions has at most [`LARGEST`] bytes. Lists are sampled to stay below it,
//! and the page says so.
//!
//! Source of what makes a page accessible: W3C, "Web Content Accessibility Guidelines 2.2", 2024,
//! <https://www.w3.org/TR/WCAG22/>.

mod compare;
mod markdown;
mod page;
mod plots;
mod positions;
pub mod read;
mod review;
mod solve;
pub mod statistics;
mod stepper;
mod verify;

pub use markdown::markdown;
pub use read::{ReadError, Results, read};

use maud::html;

/// The bytes that a page of 10,000 positions has at most.
pub const LARGEST: usize = 2_000_000;

/// A page of HTML about these results, in their order. Runs after the first are compared with it.
pub fn page(results: &[Results]) -> String {
    let runs: Vec<&read::Run> = results.iter().filter_map(Results::run).collect();
    let table_bytes = positions::TABLE_BYTES / runs.len().max(1);
    let mut number = 0;
    let mut anchor = || {
        number += 1;
        format!("s{number}")
    };
    let mut contents: Vec<(String, String)> = Vec::new();
    let mut sections = Vec::new();
    if let [first, others @ ..] = &runs[..] {
        for other in others {
            let id = anchor();
            contents.push((id.clone(), format!("{} against {}", other.name, first.name)));
            sections.push(compare::section(&id, first, other));
        }
    }
    for one in results {
        let id = anchor();
        contents.push((id.clone(), one.name().to_owned()));
        // A page about one file has its name at the top.
        let heading = match results {
            [_] => one.kind().to_owned(),
            _ => format!("{}: {}", one.kind(), one.name()),
        };
        sections.push(match one {
            Results::Run(run) => solve::section(&id, run, &heading, table_bytes),
            Results::Verify(verify) => verify::section(&id, verify, &heading),
            Results::Review(review) => review::section(&id, review, &heading),
        });
    }
    let title = match (results, &runs[..]) {
        ([one], _) => one.name().to_owned(),
        ([_, _], [first, second]) => format!("{} against {}", second.name, first.name),
        _ => format!("{} results", results.len()),
    };
    page::frame(&title, &contents, &html! { @for section in sections { (section) } })
}

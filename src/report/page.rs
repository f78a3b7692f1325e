//! The frame of a page, and the parts that its sections share.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::drawing::{Board, svg};
use crate::othello::Colour;
use crate::records::printable;

/// The characters of a text of a file that are shown.
pub const LONGEST_TEXT: usize = 160;

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
                    p.brand { "Yose report" }
                    h1 { (text(title)) }
                    p.faint {
                        "A score is the difference of discs after perfect play, seen by the side \
                         to move. X is black and O is white."
                    }
                }
                @if contents.len() > 1 {
                    nav aria-label="Sections" {
                        ul { @for (id, name) in contents { li { a href={ "#" (id) } { (text(name)) } } } }
                    }
                }
                main { (sections) }
                footer { "Made by Yose " (env!("CARGO_PKG_VERSION")) ". This page is one file: it \
                    loads nothing from elsewhere." }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A text that is cut after some characters. Control characters, and marks that change the
/// direction of writing, are replaced.
pub fn shortened(text: &str) -> String {
    let text = printable(text);
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A text of a file. The direction of its letters does not change what is around it.
pub fn text(text: &str) -> Markup {
    html! { bdi { (shortened(text)) } }
}

/// A fact with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
    /// What else is to be said, in small letters.
    pub note: String,
    /// Whether it is something to look at: a failure.
    pub is_bad: bool,
}

/// A fact.
pub fn fact(name: &str, value: impl Into<String>) -> Fact {
    Fact { name: name.to_owned(), value: value.into(), note: String::new(), is_bad: false }
}

impl Fact {
    /// Adds a note.
    pub fn note(self, note: impl Into<String>) -> Fact {
        Fact { note: note.into(), ..self }
    }

    /// Marks it as a failure if it is one.
    pub fn bad(self, is_bad: bool) -> Fact {
        Fact { is_bad, ..self }
    }
}

/// The key figures of a section.
pub fn key_figures(facts: &[Fact]) -> Markup {
    html! {
        dl.key {
            @for fact in facts {
                div {
                    dt { (fact.name) }
                    dd {
                        span class=[fact.is_bad.then_some("bad")] { (text(&fact.value)) }
                        @if !fact.note.is_empty() { small { (text(&fact.note)) } }
                    }
                }
            }
        }
    }
}

/// The settings of a run, in small letters.
pub fn settings(facts: &[(String, String)]) -> Markup {
    html! {
        @if !facts.is_empty() {
            dl.settings {
                @for (name, value) in facts { div { dt { (name) } dd { (text(value)) } } }
            }
        }
    }
}

/// What a column of a table has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// Words that may be broken.
    Words(&'static str),
    /// A long text, which needs some room.
    Long(&'static str),
    /// Numbers.
    Numbers(&'static str),
    /// Moves, which stay in a line.
    Moves(&'static str),
}

impl Column {
    /// The heading.
    pub fn name(self) -> &'static str {
        let (Column::Words(name)
        | Column::Long(name)
        | Column::Numbers(name)
        | Column::Moves(name)) = self;
        name
    }

    /// The class of its cells.
    pub fn class(self) -> Option<&'static str> {
        match self {
            Column::Words(_) => None,
            Column::Long(_) => Some("long"),
            Column::Numbers(_) => Some("n"),
            Column::Moves(_) => Some("m"),
        }
    }
}

/// The head of a table.
pub fn head(columns: &[Column]) -> Markup {
    html! {
        thead { tr {
            @for column in columns { th class=[column.class()] scope="col" { (column.name()) } }
        } }
    }
}

/// A table with these rows. Wide ones can be scrolled, also by the keyboard.
pub fn table(caption: &str, columns: &[Column], rows: &[Vec<String>]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                (head(columns))
                tbody {
                    @for row in rows {
                        tr {
                            @for (cell, column) in row.iter().zip(columns) {
                                td class=[column.class()] { (text(cell)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A symbol for the colour of a side, and its letter.
pub fn side(colour: Colour) -> Markup {
    html! { span.side.white[colour == Colour::White] aria-hidden="true" {} (colour) }
}

/// A time in seconds as a text.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        small if small < 10.0 => format!("{small:.3}\u{a0}s"),
        some if some < 600.0 => format!("{some:.1}\u{a0}s"),
        minutes if minutes < 36_000.0 => format!("{:.1}\u{a0}min", minutes / 60.0),
        hours => format!("{:.1}\u{a0}h", hours / 3600.0),
    }
}

/// Nodes per second as a text; nothing without a time.
pub fn speed(nodes: u64, seconds: f64) -> String {
    if seconds > 0.0 { format!("{:.1} M", nodes as f64 / seconds / 1e6) } else { String::new() }
}

/// A board with its name and what is to be said about it. The name is not read aloud twice.
pub fn board(board: &Board, name: &str, caption: &Markup) -> Markup {
    html! {
        figure {
            (svg::board(board, &shortened(name)))
            figcaption { strong { (text(name)) } (caption) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shortened(&"é".repeat(10_000)).chars().count(), LONGEST_TEXT + 1);
        assert_eq!(shortened("short"), "short");
    }
}

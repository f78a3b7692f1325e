//! The list of input formats.
//!
//! The table [`FORMATS`] has a row for each format. Recognition, the values and the help of
//! `--input-format`, and the fuzz target use this table.

use std::fmt;
use std::str::FromStr;

use super::format_reader::FormatReader;
use super::{csv, ggf, jsonl, obf, plain, solved, transcript};

/// An input format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Positions with the scores of their moves: [`obf`].
    Obf,
    /// Positions alone: [`plain`].
    Plain,
    /// The moves of games: [`transcript`].
    Transcript,
    /// Games of servers: [`ggf`].
    Ggf,
    /// Databases of tournament games: [`wthor`](super::wthor).
    Wthor,
    /// The files of "Othello is Solved": [`solved`].
    Solved,
    /// CSV, as Yose writes it: [`csv`].
    Csv,
    /// JSON Lines, as Yose writes them: [`jsonl`].
    JsonLines,
}

/// A row of the list of formats.
struct FormatRow {
    format: Format,
    name: &'static str,
    description: &'static str,
    reader: FormatKind,
}

/// Text or binary.
enum FormatKind {
    /// A text, with the constructor of its reader.
    Text(fn() -> Box<dyn FormatReader>),
    /// A WTHOR database, which is binary. [`Reader`](super::Reader) reads its header and its games.
    Database,
}

/// The formats, in the order of [`Format`].
const FORMATS: [FormatRow; 8] = [
    FormatRow {
        format: Format::Obf,
        name: "obf",
        description: "OBF: a position, then a `;` and fields with the scores of its moves",
        reader: FormatKind::Text(|| Box::new(obf::ObfReader)),
    },
    FormatRow {
        format: Format::Plain,
        name: "plain",
        description: "Plain positions, without fields",
        reader: FormatKind::Text(|| Box::new(plain::PlainReader)),
    },
    FormatRow {
        format: Format::Transcript,
        name: "transcript",
        description: "Transcripts: the moves of a game, such as f5d6c3, in each line",
        reader: FormatKind::Text(|| Box::new(transcript::TranscriptReader)),
    },
    FormatRow {
        format: Format::Ggf,
        name: "ggf",
        description: "GGF, the games of servers",
        reader: FormatKind::Text(|| Box::new(ggf::GgfReader::default())),
    },
    FormatRow {
        format: Format::Wthor,
        name: "wthor",
        description: "WTHOR databases of tournament games, .wtb",
        reader: FormatKind::Database,
    },
    FormatRow {
        format: Format::Solved,
        name: "solved",
        description: "The CSV files of \"Othello is Solved\", with a column `obf`",
        reader: FormatKind::Text(|| Box::new(solved::SolvedReader::default())),
    },
    FormatRow {
        format: Format::Csv,
        name: "csv",
        description: "CSV with a column `position`, as Yose writes it",
        reader: FormatKind::Text(|| Box::new(csv::CsvReader::default())),
    },
    FormatRow {
        format: Format::JsonLines,
        name: "jsonl",
        description: "JSON Lines with a key `position`, as Yose writes them",
        reader: FormatKind::Text(|| Box::new(jsonl::JsonLinesReader)),
    },
];

impl Format {
    /// All formats.
    pub const ALL: [Format; FORMATS.len()] = {
        let mut all = [Format::Obf; FORMATS.len()];
        let mut index = 0;
        while index < FORMATS.len() {
            all[index] = FORMATS[index].format;
            index += 1;
        }
        all
    };

    /// The name on the command line: lower case, without spaces.
    pub const fn name(self) -> &'static str {
        FORMATS[self as usize].name
    }

    /// A description in one line, for a help text.
    pub const fn description(self) -> &'static str {
        FORMATS[self as usize].description
    }

    /// A new reader of the format; `None` for a binary format.
    pub(super) fn text_reader(self) -> Option<Box<dyn FormatReader>> {
        match FORMATS[self as usize].reader {
            FormatKind::Text(reader) => Some(reader()),
            FormatKind::Database => None,
        }
    }
}

impl fmt::Display for Format {
    /// Prints the [name](Format::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    /// Reads a [name](Format::name).
    ///
    /// # Errors
    /// If no format has this name. The error lists the names.
    fn from_str(text: &str) -> Result<Format, String> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| {
            let names = Format::ALL.map(Format::name).join(", ");
            format!("`{text}` is not an input format; the formats are {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_its_names_read_back() {
        for (index, format) in Format::ALL.into_iter().enumerate() {
            assert_eq!(format as usize, index);
            assert_eq!(format.to_string().parse(), Ok(format));
            assert!(!format.description().is_empty());
        }
        let error = "edax".parse::<Format>().expect_err("no format");
        assert!(
            error.ends_with(
                "the formats are obf, plain, transcript, ggf, wthor, solved, csv, jsonl"
            )
        );
    }

    #[test]
    fn all_formats_but_the_database_are_texts() {
        for format in Format::ALL {
            assert_eq!(format.text_reader().is_none(), format == Format::Wthor, "{format}");
        }
    }
}

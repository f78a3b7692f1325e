//! The list of input formats.
//!
//! The table [`FORMATS`] has every format, text or binary. Recognition, the values and the help of
//! `--input-format`, and the fuzz target use this table.

use std::fmt;
use std::str::FromStr;

use super::entry::ReadOptions;
use super::format_reader::{FormatReader, SourceReader, Stop};
use super::stream::Stream;
use super::{csv, ggf, jsonl, obf, plain, sgf, solved, transcript, wthor};

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
    /// The Smart Game Format: [`sgf`].
    Sgf,
    /// Databases of tournament games: [`wthor`].
    Wthor,
    /// The files of "Othello is Solved": [`solved`].
    Solved,
    /// CSV, as Yose writes it: [`csv`].
    Csv,
    /// JSON Lines, as Yose writes them: [`jsonl`].
    JsonLines,
}

/// What the list has of a format. It stands beside the reader of the format.
pub(super) struct FormatInfo {
    /// The name on the command line: lower case, without spaces.
    pub name: &'static str,
    /// A description in one line, for a help text.
    pub description: &'static str,
    /// Its reader.
    pub kind: FormatKind,
}

/// Text or binary, with the reader.
pub(super) enum FormatKind {
    /// A text, with the constructor of its reader.
    Text(fn() -> Box<dyn FormatReader>),
    /// A binary format.
    Binary {
        /// Whether a file that begins with this byte may be of the format. No text does.
        may_begin_with: fn(u8) -> bool,
        /// Reads the header of a file, and returns the reader of the rest.
        open: OpenBinary,
    },
}

/// Opens a source of a binary format.
pub(super) type OpenBinary = fn(&mut Stream, &ReadOptions) -> Result<Box<dyn SourceReader>, Stop>;

/// The formats, in the order of [`Format`].
const FORMATS: [(Format, &FormatInfo); 9] = [
    (Format::Obf, &obf::FORMAT),
    (Format::Plain, &plain::FORMAT),
    (Format::Transcript, &transcript::FORMAT),
    (Format::Ggf, &ggf::FORMAT),
    (Format::Sgf, &sgf::FORMAT),
    (Format::Wthor, &wthor::FORMAT),
    (Format::Solved, &solved::FORMAT),
    (Format::Csv, &csv::FORMAT),
    (Format::JsonLines, &jsonl::FORMAT),
];

impl Format {
    /// All formats.
    pub const ALL: [Format; FORMATS.len()] = {
        let mut all = [Format::Obf; FORMATS.len()];
        let mut index = 0;
        while index < FORMATS.len() {
            all[index] = FORMATS[index].0;
            index += 1;
        }
        all
    };

    /// The name on the command line: lower case, without spaces.
    pub const fn name(self) -> &'static str {
        FORMATS[self as usize].1.name
    }

    /// A description in one line, for a help text.
    pub const fn description(self) -> &'static str {
        FORMATS[self as usize].1.description
    }

    /// The reader of the format.
    pub(super) const fn kind(self) -> &'static FormatKind {
        &FORMATS[self as usize].1.kind
    }

    /// A new reader of the format; `None` for a binary format.
    pub(super) fn text_reader(self) -> Option<Box<dyn FormatReader>> {
        match self.kind() {
            FormatKind::Text(reader) => Some(reader()),
            FormatKind::Binary { .. } => None,
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
        assert!(error.ends_with(
            "the formats are obf, plain, transcript, ggf, sgf, wthor, solved, csv, jsonl"
        ));
    }

    #[test]
    fn all_formats_but_the_database_are_texts() {
        for format in Format::ALL {
            assert_eq!(format.text_reader().is_none(), format == Format::Wthor, "{format}");
        }
    }
}

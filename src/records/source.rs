//! Where entries come from, and what can go wrong there.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::problem::Location;
use super::text::printable;

/// Where entries come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// What the program holds itself.
    Memory {
        /// What messages and identifiers call it.
        name: &'static str,
        /// Its contents.
        bytes: Cow<'static, [u8]>,
    },
}

impl Source {
    /// What an argument of the command line means: `-` is standard input (`./-` is a file of that
    /// name), everything else is a file.
    pub fn of_argument(argument: &Path) -> Source {
        if argument.as_os_str() == "-" { Source::Stdin } else { Source::File(argument.to_owned()) }
    }

    /// The name that messages and identifiers give it: the path as it was given, or `stdin`.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) => printable(&path.to_string_lossy()),
            Source::Memory { name, .. } => (*name).to_owned(),
        }
    }

    /// Whether it can be read twice with the same result: a regular file, no pipe.
    pub fn is_regular_file(&self) -> bool {
        matches!(self, Source::File(path) if path.is_file())
    }

    /// Whether reading it may have to wait for somebody who writes, and what it gave is gone:
    /// standard input, a pipe, a device.
    pub fn is_stream(&self) -> bool {
        match self {
            Source::Stdin => true,
            // What is not there and what is a folder give nothing at all.
            Source::File(path) => path.exists() && !path.is_file() && !path.is_dir(),
            Source::Memory { .. } => false,
        }
    }

    pub(super) fn open(&self) -> Result<Box<dyn BufRead>, FileError> {
        match self {
            Source::Stdin => Ok(Box::new(io::stdin().lock())),
            Source::Memory { bytes, .. } => Ok(Box::new(Cursor::new(bytes.clone()))),
            Source::File(path) if path.is_dir() => Err(FileError::Directory { file: self.name() }),
            Source::File(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
                Err(error) => Err(FileError::Open { file: self.name(), error }),
            },
        }
    }
}

/// A source that was read, or is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The source's name.
    pub name: String,
    /// The SHA-256 of its bytes in hexadecimal, known once it has been read to its end.
    pub sha256: Option<String>,
}

/// Why a file was not read to its end.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be opened.
    #[error("{file}: cannot be opened: {error}")]
    Open {
        /// The file's name.
        file: String,
        /// The system's reason.
        error: io::Error,
    },
    /// It is a directory.
    #[error("{file}: is a directory; name the files in it")]
    Directory {
        /// Its name.
        file: String,
    },
    /// Reading failed on the way.
    #[error("{location}: reading failed: {error}")]
    Read {
        /// The line or game that could not be read.
        location: Location,
        /// The system's reason.
        error: io::Error,
    },
    /// It holds what no text holds.
    #[error(
        "{location}: not a text file, so the rest of it is skipped; position files are ASCII or UTF-8 text, or WTHOR databases"
    )]
    NotText {
        /// The line that is no text.
        location: Location,
    },
    /// It is to be read as CSV, and does not begin with the names of its columns.
    #[error(
        "{location}: the head of the file is missing, so all of it is skipped; its first line names a column `{column}`"
    )]
    NoHead {
        /// The line in which a head was expected.
        location: Location,
        /// The column that the format needs.
        column: &'static str,
    },
    /// It is to be read as a WTHOR database, and is none.
    #[error(
        "{file}: is no WTHOR database; such a file begins with its date, the number of games and the year"
    )]
    NotWthor {
        /// The file's name.
        file: String,
    },
    /// It is a WTHOR database of games on another board.
    #[error("{file}: its games have a board of {size}x{size} squares; only 8x8 is read")]
    BoardSize {
        /// The file's name.
        file: String,
        /// Squares along an edge.
        size: u8,
    },
    /// It is a WTHOR database that does not say what its theoretical scores are about.
    #[error(
        "{file}: the header does not say which positions have the theoretical scores; \
         select them by their number of empties"
    )]
    NoDepth {
        /// The file's name.
        file: String,
    },
    /// It is a WTHOR database that was cut short.
    #[error(
        "{location}: the file ends within this game, though the header counts {games}; get the whole file"
    )]
    CutShort {
        /// The first game that is not whole.
        location: Location,
        /// How many games there should be.
        games: u32,
    },
    /// It is a WTHOR database with more in it than its header tells.
    #[error(
        "{file}: the file goes on after the {games} games that its header counts; the rest of it is skipped"
    )]
    TooMuch {
        /// The file's name.
        file: String,
        /// How many games there should be.
        games: u32,
    },
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

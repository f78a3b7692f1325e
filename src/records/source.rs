//! The sources of entries, and the errors of a whole file.

use std::borrow::Cow;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::compression::{Decompressed, PARQUET};
use super::error::Location;
use super::text::printable;
use crate::digest::sha256_hex;

/// A source of entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Bytes in memory.
    Memory {
        /// The name in messages and identifiers.
        name: &'static str,
        /// The content.
        bytes: Cow<'static, [u8]>,
    },
}

impl Source {
    /// The source that a command-line argument names: standard input for `-`, else a file. The
    /// argument `./-` names a file with the name `-`.
    pub fn of_argument(argument: &Path) -> Source {
        if argument.as_os_str() == "-" { Source::Stdin } else { Source::File(argument.to_owned()) }
    }

    /// The name in messages and identifiers: the path in its plainest spelling, without control
    /// characters, or `stdin`. A file in the current folder, or in a folder below it, is named from
    /// there, however its path is given.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) => printable(&plainest(path).to_string_lossy()),
            Source::Memory { name, .. } => (*name).to_owned(),
        }
    }

    /// Whether the source can be read again with the same result: a regular file, or memory.
    pub fn can_be_read_again(&self) -> bool {
        match self {
            Source::Stdin => false,
            Source::File(path) => path.is_file(),
            Source::Memory { .. } => true,
        }
    }

    /// Whether the source is standard input, a pipe or a device: a read may wait for a writer, and
    /// the bytes can be read only once.
    pub fn is_stream(&self) -> bool {
        match self {
            Source::Stdin => true,
            // A missing file and a folder are errors, not streams.
            Source::File(path) => path.exists() && !path.is_file() && !path.is_dir(),
            Source::Memory { .. } => false,
        }
    }

    /// Opens the source. What is compressed is read uncompressed.
    ///
    /// # Errors
    /// If it is a directory, or cannot be opened.
    pub(super) fn open(&self) -> Result<Box<dyn BufRead>, FileError> {
        let input: Box<dyn BufRead> = match self {
            Source::Stdin => Box::new(io::stdin().lock()),
            Source::Memory { bytes, .. } => return Ok(Box::new(Cursor::new(bytes.clone()))),
            Source::File(path) if path.is_dir() => {
                return Err(FileError::Directory { file: self.name() });
            }
            Source::File(path) => match open_file(path) {
                Ok(opened) => return Ok(opened),
                Err(error) => return Err(FileError::Open { file: self.name(), error }),
            },
        };
        Ok(Box::new(Decompressed::new(input)))
    }

    /// Reads the whole text. What is compressed is read uncompressed, and Parquet as JSON Lines.
    ///
    /// # Errors
    /// If the source cannot be read to its end, or is no UTF-8.
    #[doc(hidden)]
    pub fn read_to_string(&self) -> io::Result<String> {
        let mut text = String::new();
        let mut input = match self {
            Source::File(path) => open_file(path)?,
            _ => self.open().map_err(io::Error::other)?,
        };
        input.read_to_string(&mut text)?;
        Ok(text)
    }
}

/// Opens a file. What is compressed is read uncompressed, and Parquet as JSON Lines.
pub(crate) fn open_file(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = File::open(path)?;
    if file.metadata()?.is_file() {
        let mut begin = Vec::new();
        Read::by_ref(&mut file).take(PARQUET.len() as u64).read_to_end(&mut begin)?;
        file.seek(SeekFrom::Start(0))?;
        #[cfg(feature = "parquet")]
        if begin == PARQUET {
            return super::parquet::open(file);
        }
        if begin == PARQUET {
            let what = "a Parquet file; build Yose with `--features parquet` to read it";
            return Err(io::Error::new(ErrorKind::Unsupported, what));
        }
    }
    let input = BufReader::with_capacity(1 << 16, file);
    Ok(Box::new(Decompressed::new(Box::new(input))))
}

/// The plainest spelling of the path of a file: without `.`, double separators and, if no symbolic
/// link is affected, `..`; relative if the file is in the current folder or below it.
fn plainest(path: &Path) -> PathBuf {
    let current = env::current_dir().unwrap_or_default();
    let dots_removed = without_dots(&current.join(path));
    let same = || match (fs::canonicalize(&dots_removed), fs::canonicalize(path)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    let has_dots = path.components().any(|part| part == Component::ParentDir);
    let below = dots_removed.strip_prefix(&current).ok();
    let below = below.filter(|rest| !rest.as_os_str().is_empty() && (!has_dots || same()));
    match below {
        // A file with the name that stands for standard input.
        Some(rest) if rest.as_os_str() == "-" => Path::new(".").join(rest),
        Some(rest) => rest.to_owned(),
        None => path.components().filter(|part| *part != Component::CurDir).collect(),
    }
}

/// An absolute path without `.`, and with `..` resolved as if there were no symbolic links.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A source with its digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name of the source.
    pub name: String,
    /// The SHA-256 of its bytes, uncompressed, in hexadecimal; `None` if it was not read to its
    /// end.
    pub sha256: Option<String>,
}

impl Input {
    /// A source that consists of these bytes, with their digest.
    pub fn with_digest(name: String, bytes: &[u8]) -> Input {
        Input { name, sha256: Some(sha256_hex(bytes)) }
    }
}

/// The reason why a file was not read to its end.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be opened.
    #[error("{file}: cannot be opened: {error}")]
    Open {
        /// The name of the file.
        file: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is a directory.
    #[error("{file}: is a directory; name the files in it")]
    Directory {
        /// The name of the directory.
        file: String,
    },
    /// A read failed.
    #[error("{location}: reading failed: {error}")]
    Read {
        /// The line or game that could not be read.
        location: Location,
        /// The error of the system.
        error: io::Error,
    },
    /// The file with the names of the players cannot be read, or not to its end. The database is
    /// read; its other players have numbers.
    #[error("{file}: the names of the players cannot be read: {error}")]
    Names {
        /// The name of the file.
        file: String,
        /// The error of the system.
        error: io::Error,
    },
    /// The sources were read to their ends. They have content, but no position is in it, or none
    /// is selected.
    #[error("no position was found in the input, although it is not empty")]
    NoPositions,
    /// The file contains a NUL byte, or bytes that are not UTF-8.
    #[error(
        "{location}: not a text file, so the rest of it is skipped; \
         position files are ASCII or UTF-8 text, or WTHOR databases"
    )]
    NotText {
        /// The line that is not a text.
        location: Location,
    },
    /// A CSV file, whose format is forced, does not begin with the names of its columns.
    #[error(
        "{location}: the head of the file is missing, so all of it is skipped; \
         its first line names a column `{column}`"
    )]
    MissingHeader {
        /// The line at which a header was expected.
        location: Location,
        /// The column that the format needs.
        column: &'static str,
    },
    /// The header of a CSV file lacks a column that is needed.
    #[error(
        "{location}: the column `{column}` is missing, so the rest of the file is skipped; \
         the columns are {found}"
    )]
    MissingColumn {
        /// The line of the header.
        location: Location,
        /// The column that the format needs.
        column: &'static str,
        /// The names of the columns.
        found: String,
    },
    /// The format is forced to WTHOR, and the file has no header of a WTHOR database.
    #[error(
        "{file}: is no WTHOR database; \
         such a file begins with its date, the number of games and the year"
    )]
    NotWthor {
        /// The name of the file.
        file: String,
    },
    /// A WTHOR database of games on another board.
    #[error("{file}: its games have a board of {size}x{size} squares; only 8x8 is read")]
    BoardSize {
        /// The name of the file.
        file: String,
        /// The number of squares along an edge.
        size: u8,
    },
    /// The header of a WTHOR database does not name the number of empties at which its theoretical
    /// scores begin.
    #[error(
        "{file}: the header does not say which positions have the theoretical scores; \
         select them by their number of empties"
    )]
    UnknownScoreEmpties {
        /// The name of the file.
        file: String,
    },
    /// A WTHOR database that ends before its last game.
    #[error(
        "{location}: the file ends within this game, though the header counts {games}; \
         get the whole file"
    )]
    Truncated {
        /// The first incomplete game.
        location: Location,
        /// The number of games in the header.
        games: u32,
    },
    /// A WTHOR database with data after its last game.
    #[error(
        "{file}: the file goes on after the {games} games that its header counts; \
         the rest of it is skipped"
    )]
    TrailingData {
        /// The name of the file.
        file: String,
        /// The number of games in the header.
        games: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_depend_on_the_spelling_of_the_path() {
        let current = env::current_dir().expect("a current folder");
        let name = |path: &str| Source::File(path.into()).name();
        let absolute = |path: &str| current.join(path).display().to_string();
        for path in ["src/lib.rs", "./src/lib.rs", ".//src/./lib.rs", "src/../src/lib.rs"] {
            assert_eq!(name(path), "src/lib.rs", "{path}");
            assert_eq!(name(&absolute(path)), "src/lib.rs", "{path}");
        }
        assert_eq!(name("./no such file"), "no such file");
        assert_eq!([name("./-"), name(&absolute("-"))], ["./-"; 2], "not standard input");
        assert_eq!(name("/no//such/./file"), "/no/such/file");
        assert_eq!(name("../no such file"), "../no such file");
        assert_eq!(name("a\tb"), "a\u{fffd}b");
    }
}

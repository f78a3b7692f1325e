//! From files and standard input to entries, one line at a time.
//!
//! # The reader is relaxed
//! - A line may end with a line feed or with a carriage return and a line feed; the last one need not end at all.
//! - A byte order mark of UTF-8 at the beginning of a file is skipped, and so are blank lines.
//! - From a `%` on a line is a comment, whatever its encoding.
//! - Each line is recognised for itself, so that formats may be mixed in one file.
//!
//! # And it goes on
//! One bad line costs that line: it becomes an entry that says what is wrong. What cannot be opened, or turns out not
//! to be text, costs the rest of that file, with one message and not one for each line; the next file is read all the
//! same.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::othello::Colour;

use super::line::{self, Cut};
use super::problem::{Problem, ReadError};
use super::{Format, printable};

/// How lines are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The format of every line; none if each line's looks decide.
    pub format: Option<Format>,
    /// The side to move in plain positions that do not name it.
    pub side: Option<Colour>,
}

/// Where lines come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// A text that the program holds itself.
    Text {
        /// What messages and identifiers call it.
        name: &'static str,
        /// The text.
        text: &'static str,
    },
}

impl Source {
    /// What an argument of the command line means: `-` is standard input (`./-` is a file of that name), everything
    /// else is a file.
    pub fn of_argument(argument: &Path) -> Source {
        if argument.as_os_str() == "-" { Source::Stdin } else { Source::File(argument.to_owned()) }
    }

    /// The name that messages and identifiers give it: the path as it was given, or `stdin`.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) => printable(&path.to_string_lossy()),
            Source::Text { name, .. } => (*name).to_owned(),
        }
    }

    /// Whether it can be read twice with the same result: a regular file, no pipe.
    pub fn is_regular_file(&self) -> bool {
        matches!(self, Source::File(path) if path.is_file())
    }

    /// Whether reading it may have to wait for somebody who writes, and what it gave is gone: standard input, a pipe, a device.
    pub fn is_stream(&self) -> bool {
        match self {
            Source::Stdin => true,
            // What is not there and what is a folder give nothing at all.
            Source::File(path) => path.exists() && !path.is_file() && !path.is_dir(),
            Source::Text { .. } => false,
        }
    }

    fn open(&self) -> Result<Box<dyn BufRead>, FileError> {
        match self {
            Source::Stdin => Ok(Box::new(io::stdin().lock())),
            Source::Text { text, .. } => Ok(Box::new(text.as_bytes())),
            Source::File(path) if path.is_dir() => Err(FileError::Directory { file: self.name() }),
            Source::File(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(BufReader::with_capacity(1 << 16, file))),
                Err(error) => Err(FileError::Open { file: self.name(), error }),
            },
        }
    }
}

/// What a line gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// `file:line`.
    pub id: String,
    /// The position, or why there is none.
    pub problem: Result<Problem, ReadError>,
}

/// What a [`Reader`] comes upon.
#[derive(Debug)]
pub enum Item {
    /// A line that is neither blank nor a comment.
    Entry(Entry),
    /// A source was read to its end, and there was no such line in it.
    Empty {
        /// Its name.
        file: String,
    },
    /// A source could not be read, or not to its end.
    Failure(FileError),
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
    #[error("{file}:{line}: reading failed: {error}")]
    Read {
        /// The file's name.
        file: String,
        /// The line that could not be read.
        line: u64,
        /// The system's reason.
        error: io::Error,
    },
    /// It holds what no text holds.
    #[error("{file}:{line}: not a text file, so the rest of it is skipped; position files are ASCII or UTF-8 text")]
    NotText {
        /// The file's name.
        file: String,
        /// The line that is no text.
        line: u64,
    },
}

/// A source that was read, or is to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The source's name.
    pub name: String,
    /// The SHA-256 of its bytes in hexadecimal, known once it has been read to its end.
    pub sha256: Option<String>,
}

/// Reads sources one after the other; iterate over it.
pub struct Reader {
    sources: Vec<Source>,
    inputs: Vec<Input>,
    reading: Reading,
    /// The sources before this one are done with.
    next: usize,
    open: Option<Open>,
    line: Vec<u8>,
}

/// The source that is being read.
struct Open {
    input: Box<dyn BufRead>,
    digest: Sha256,
    /// The number of the line read last.
    line: u64,
    entries: u64,
}

impl Reader {
    /// A reader of these sources, none of which is opened yet.
    pub fn new(sources: Vec<Source>, reading: Reading) -> Reader {
        let inputs = sources.iter().map(|source| Input { name: source.name(), sha256: None }).collect();
        Reader { sources, inputs, reading, next: 0, open: None, line: Vec::new() }
    }

    /// The sources, with the digests of those that have been read to their end.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// How many of the sources are done with.
    pub fn done(&self) -> usize {
        self.next
    }

    /// Reads the next line of the open source.
    fn advance(&mut self) -> Option<Step> {
        let open = self.open.as_mut()?;
        open.line += 1;
        let cut = match line::next(&mut *open.input, &mut self.line, |bytes| open.digest.update(bytes)) {
            Ok(cut) => cut,
            Err(error) => {
                let (file, line) = (self.inputs[self.next].name.clone(), open.line);
                return Some(Step::Close(Some(Item::Failure(FileError::Read { file, line, error }))));
            }
        };
        match cut {
            Cut::End => {
                self.inputs[self.next].sha256 = Some(hex(&open.digest.finalize_reset()));
                let file = self.inputs[self.next].name.clone();
                Some(Step::Close((open.entries == 0).then_some(Item::Empty { file })))
            }
            Cut::NotText => Some(self.not_text()),
            Cut::TooLong => Some(self.entry(Err((
                1,
                format!("the line is longer than {} bytes", line::LONGEST),
                "each position has a line of its own".to_owned(),
            )))),
            Cut::Line => Some(self.read_line()),
        }
    }

    /// Reads the line in the buffer.
    fn read_line(&mut self) -> Step {
        let mut bytes = &self.line[..];
        if self.open.as_ref().is_some_and(|open| open.line == 1) {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        // The comment goes before the text is looked at, as old files have names in it in other encodings.
        let end = bytes.iter().position(|&byte| byte == b'%').unwrap_or(bytes.len());
        let Ok(text) = str::from_utf8(&bytes[..end]) else { return self.not_text() };
        if text.trim().is_empty() {
            return Step::Skip;
        }
        let format = self.reading.format.unwrap_or_else(|| Format::recognise(text));
        let problem = format
            .read(text, self.reading.side)
            .map_err(|error| (text[..error.offset].chars().count() + 1, error.what, error.hint));
        self.entry(problem)
    }

    /// The entry of the present line: a problem, or the column, what is wrong, and what would be right.
    fn entry(&mut self, problem: Result<Problem, (usize, String, String)>) -> Step {
        let file = &self.inputs[self.next].name;
        let line = self.open.as_mut().map_or(0, |open| {
            open.entries += 1;
            open.line
        });
        let problem =
            problem.map_err(|(column, what, hint)| ReadError { file: file.clone(), line, column, what, hint });
        Step::Give(Item::Entry(Entry { id: format!("{file}:{line}"), problem }))
    }

    /// The end of a source that is no text.
    fn not_text(&self) -> Step {
        let line = self.open.as_ref().map_or(0, |open| open.line);
        Step::Close(Some(Item::Failure(FileError::NotText { file: self.inputs[self.next].name.clone(), line })))
    }
}

/// What comes of one line.
enum Step {
    /// Nothing.
    Skip,
    Give(Item),
    /// The source is done with.
    Close(Option<Item>),
}

impl Iterator for Reader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            match self.advance() {
                Some(Step::Skip) => {}
                Some(Step::Give(item)) => return Some(item),
                Some(Step::Close(item)) => {
                    self.open = None;
                    self.next += 1;
                    if item.is_some() {
                        return item;
                    }
                }
                None => match self.sources.get(self.next)?.open() {
                    Ok(input) => self.open = Some(Open { input, digest: Sha256::new(), line: 0, entries: 0 }),
                    Err(error) => {
                        self.next += 1;
                        return Some(Item::Failure(error));
                    }
                },
            }
        }
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("inputs", &self.inputs).field("reading", &self.reading).finish_non_exhaustive()
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    /// What a file of these bytes gives, in words, and its digest.
    fn read(bytes: &[u8], reading: Reading) -> (Vec<String>, Option<String>) {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("it can be written");
        let name = file.path().to_string_lossy().into_owned();
        let mut reader = Reader::new(vec![Source::File(file.path().to_owned())], reading);
        let words = reader.by_ref().map(|item| {
            let words = match item {
                Item::Entry(Entry { id, problem: Ok(problem) }) => format!("{id} {}", problem.claims.len()),
                Item::Entry(Entry { problem: Err(error), .. }) => error.to_string(),
                Item::Empty { file } => format!("{file} is empty"),
                Item::Failure(error) => error.to_string(),
            };
            words.replace(&name, "F")
        });
        (words.collect(), reader.inputs()[0].sha256.clone())
    }

    #[test]
    fn every_leniency() {
        let text = format!("\u{feff}% head\r\n\r\n{START}\r\n  \n{START}; d3:+0; % é\n{START}");
        assert_eq!(read(text.as_bytes(), Reading::default()).0, ["F:3 0", "F:5 1", "F:6 0"]);
        let latin = [START.as_bytes(), b" % caf\xe9\n"].concat();
        assert_eq!(read(&latin, Reading::default()).0, ["F:1 0"]);
        let side = Reading { side: Some(Colour::White), ..Reading::default() };
        assert_eq!(read(&START.as_bytes()[..64], side).0, ["F:1 0"]);
    }

    #[test]
    fn a_bad_line_costs_one_line_and_is_placed_in_characters() {
        let text = format!("\u{feff}é{START}\n{START}\n{}\n", START.replacen('O', "?", 1));
        let (found, _) = read(text.as_bytes(), Reading::default());
        assert!(found[0].starts_with("F:1:1: 'é' is not a square"), "{}", found[0]);
        assert_eq!(found[1], "F:2 0");
        assert!(found[2].starts_with("F:3:28: '?' is not a square (square 28 of 64); "), "{}", found[2]);
        let long = format!("{}\n{START}", "-".repeat(100_000));
        let (found, _) = read(long.as_bytes(), Reading::default());
        assert_eq!(found, ["F:1:1: the line is longer than 65536 bytes; each position has a line of its own", "F:2 0"]);
    }

    #[test]
    fn a_forced_format_is_kept_to() {
        let text = format!("{START}; d3:+0;\n{}", &START[..64]);
        let plain = Reading { format: Some(Format::Plain), side: Some(Colour::Black) };
        let (found, _) = read(text.as_bytes(), plain);
        assert!(found[0].contains("--input-format obf") && found[1] == "F:2 0", "{found:?}");
        let (found, _) = read(text.as_bytes(), Reading { format: Some(Format::Obf), ..plain });
        assert!(found[0] == "F:1 1" && found[1].contains("X or O stands after"), "{found:?}");
    }

    #[test]
    fn what_is_no_text_is_said_once() {
        for tail in [&b"\0\x01\n\n\nx\n"[..], b"\xff\xfe\n\n\nx\n"] {
            let (found, digest) = read(&[START.as_bytes(), b"\n", tail].concat(), Reading::default());
            assert_eq!(found.len(), 2);
            assert_eq!(found[0], "F:1 0");
            assert!(found[1].starts_with("F:2: not a text file"), "{}", found[1]);
            assert_eq!(digest, None, "it was not read to its end");
        }
    }

    #[test]
    fn the_digest_is_of_every_byte() {
        let (found, digest) = read(b"", Reading::default());
        assert_eq!(found, ["F is empty"]);
        assert_eq!(digest.as_deref(), Some("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        let (found, digest) = read(b"% abc\r\n", Reading::default());
        assert_eq!(found, ["F is empty"]);
        assert_eq!(digest, Some(hex(&Sha256::digest(b"% abc\r\n"))));
    }

    #[test]
    fn a_file_that_is_not_there_does_not_stop_the_others() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let good = folder.path().join("good");
        std::fs::write(&good, START).expect("it can be written");
        let sources = [folder.path().join("none"), folder.path().to_owned(), good].map(Source::File);
        let items: Vec<Item> = Reader::new(sources.to_vec(), Reading::default()).collect();
        assert!(matches!(
            items[..],
            [Item::Failure(FileError::Open { .. }), Item::Failure(FileError::Directory { .. }), Item::Entry(_)]
        ));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_line_gives_one_entry(lines: Vec<(u8, String)>) {
            // Good lines and others, none of them blank, a comment, or two lines in one.
            let lines = lines.into_iter().map(|(kind, text)| match kind % 3 {
                0 => START.to_owned(),
                1 => format!("{START}; {}", text.replace(['\n', '\0'], "?")),
                _ => format!("?{}", text.replace(['\n', '\0'], "?")),
            });
            let lines: Vec<String> = lines.collect();
            let (found, _) = read(lines.join("\n").as_bytes(), Reading::default());
            let places: Vec<String> = (1..=lines.len()).map(|line| format!("F:{line}")).collect();
            prop_assert_eq!(found.len(), lines.len().max(1));
            for (words, place) in found.iter().zip(places) {
                prop_assert!(words.starts_with(&place), "{}", words);
            }
        }
    }
}

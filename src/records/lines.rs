//! A text, line by line: which format a line has, and what it holds.
//!
//! # Which format
//! Each line is recognised for itself, so that formats may be mixed in a file:
//!
//! - `{` begins an object of JSON Lines, and `(;` a game of GGF (also behind a number); what
//!   follows belongs to the game until it ends.
//! - A line that names a column `position` or `obf` is the head of a CSV, and lines with a comma
//!   are its rows from then on.
//! - Of the others, one with a `;` is OBF, one that begins with a square such as `f5` is a
//!   transcript, and the rest are plain positions.
//!
//! # What is skipped
//! Blank lines, a byte order mark of UTF-8 at the beginning, and comments: from a `%` on, whatever
//! its encoding, where a line has one position or transcript; in the other formats, in which names
//! may hold a `%`, lines that begin with it.

use std::io::{self, BufRead};

use super::columns::Head;
use super::game::Game;
use super::ggf::{self, CutError, Cutter};
use super::line::{self, LONGEST};
use super::problem::{LineError, LineOrGame, Problem};
use super::text::column_of;
use super::{Format, ReadOptions, csv, jsonl, obf, plain, solved, transcript};

/// An entry without its file's name: where it stands, and what it is.
#[derive(Debug)]
pub(super) struct Found {
    pub at: LineOrGame,
    pub content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// A position, with the identifier that it may have been given.
    Position { id: Option<String>, problem: Result<Problem, Fault> },
    /// A game. Its identifier is the number in its file if it has no line of its own.
    Game { game: Result<Game, Fault>, numbered: bool },
}

/// An error with its place in the file.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: LineOrGame,
    pub column: usize,
    pub what: String,
    pub hint: String,
}

impl Fault {
    pub fn new(at: LineOrGame, column: usize, error: LineError) -> Fault {
        Fault { at, column, what: error.what, hint: error.hint }
    }
}

/// What comes of reading on.
#[derive(Debug)]
pub(super) enum Step {
    /// Entries: none, one, or the games of a line.
    Found(Vec<Found>),
    /// The end of the text.
    End,
    /// This is no text.
    NotText,
    /// A row of CSV came before a head with this column.
    NoHead { column: &'static str },
}

/// A text that is being read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The number of the line read last.
    pub number: u64,
    line: Vec<u8>,
    /// The head of the CSV that lines belong to, and its format.
    head: Option<(Format, Head)>,
    cutter: Cutter,
}

impl Lines {
    /// Reads the next line and shows its bytes to `seen`.
    pub fn advance(
        &mut self,
        input: &mut dyn BufRead,
        reading: &ReadOptions,
        seen: impl FnMut(&[u8]),
    ) -> io::Result<Step> {
        self.number += 1;
        let mut line = std::mem::take(&mut self.line);
        let step = match line::next(input, &mut line, seen)? {
            line::Cut::Line => self.read(&line, reading),
            line::Cut::NotText => Step::NotText,
            line::Cut::TooLong => {
                let what = format!("the line is longer than {LONGEST} bytes");
                Step::Found(vec![
                    self.broken("", LineError::new(0, what, "each position has a line of its own")),
                ])
            }
            line::Cut::End => match self.cutter.end() {
                // The end is found once more after the game that has none.
                Some(cut) => Step::Found(vec![found_game(cut)]),
                None => Step::End,
            },
        };
        self.line = line;
        Ok(step)
    }

    fn read(&mut self, mut bytes: &[u8], reading: &ReadOptions) -> Step {
        if self.number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        let lossy = String::from_utf8_lossy(bytes);
        if self.cutter.is_open() {
            return Step::Found(self.games(&lossy));
        }
        if lossy.trim().is_empty() || lossy.trim_start().starts_with('%') {
            return Step::Found(Vec::new());
        }
        match reading.format.unwrap_or_else(|| self.recognise(&lossy)) {
            Format::Ggf => Step::Found(self.games(&lossy)),
            format @ (Format::Csv | Format::Solved) => match str::from_utf8(bytes) {
                Ok(text) => self.row(format, text, reading),
                Err(_) => Step::NotText,
            },
            Format::JsonLines => match str::from_utf8(bytes) {
                Ok(text) => {
                    let named = jsonl::read(text, reading.side);
                    let position = |(id, problem)| self.position(text, id, problem);
                    Step::Found(named.map(position).into_iter().collect())
                }
                Err(_) => Step::NotText,
            },
            format @ (Format::Obf | Format::Plain | Format::Transcript | Format::Wthor) => {
                // The comment goes before the text is looked at, as old files have names in it in
                // other encodings.
                let end = bytes.iter().position(|&byte| byte == b'%').unwrap_or(bytes.len());
                let Ok(text) = str::from_utf8(&bytes[..end]) else { return Step::NotText };
                let found = match format {
                    Format::Obf => self.position(text, None, obf::read(text)),
                    Format::Transcript => self.transcript(text),
                    _ => self.position(text, None, plain::read(text, reading.side)),
                };
                Step::Found(vec![found])
            }
        }
    }

    /// The format that a line has by its looks.
    fn recognise(&self, line: &str) -> Format {
        if jsonl::looks_like(line) {
            return Format::JsonLines;
        }
        if ggf::looks_like(line) {
            return Format::Ggf;
        }
        if Head::naming(csv::COLUMN, line).is_some() {
            return Format::Csv;
        }
        if Head::naming(solved::COLUMN, line).is_some() {
            return Format::Solved;
        }
        if let Some((format, _)) = self.head.as_ref().filter(|_| line.contains(',')) {
            return *format;
        }
        let text = line.split('%').next().unwrap_or(line);
        if text.contains(';') {
            Format::Obf
        } else if transcript::looks_like(text) {
            Format::Transcript
        } else {
            Format::Plain
        }
    }

    /// A line of CSV: a head, or a row.
    fn row(&mut self, format: Format, text: &str, reading: &ReadOptions) -> Step {
        let column = if format == Format::Csv { csv::COLUMN } else { solved::COLUMN };
        if let Some(head) = Head::naming(column, text) {
            self.head = Some((format, head));
            return Step::Found(Vec::new());
        }
        let Some((_, head)) = &self.head else { return Step::NoHead { column } };
        let (id, problem) = match format {
            Format::Csv => csv::read(head, text, reading.side),
            _ => (None, solved::read(head, text)),
        };
        Step::Found(vec![self.position(text, id, problem)])
    }

    fn position(
        &self,
        text: &str,
        id: Option<String>,
        problem: Result<Problem, LineError>,
    ) -> Found {
        let problem = problem.map_err(|error| self.fault(text, error));
        Found { at: LineOrGame::Line(self.number), content: Content::Position { id, problem } }
    }

    fn transcript(&self, text: &str) -> Found {
        let game = transcript::read(text).map_err(|error| self.fault(text, error));
        Found {
            at: LineOrGame::Line(self.number),
            content: Content::Game { game, numbered: false },
        }
    }

    fn broken(&self, text: &str, error: LineError) -> Found {
        self.position(text, None, Err(error))
    }

    fn fault(&self, text: &str, error: LineError) -> Fault {
        Fault::new(LineOrGame::Line(self.number), column_of(text, error.offset), error)
    }

    /// The games of GGF that end in this line.
    fn games(&mut self, text: &str) -> Vec<Found> {
        self.cutter.take(self.number, text).into_iter().map(found_game).collect()
    }
}

fn found_game(cut: ggf::Cut) -> Found {
    let fault =
        |CutError { line, column, error }| Fault::new(LineOrGame::Line(line), column, error);
    let content = Content::Game { game: cut.game.map_err(fault), numbered: true };
    Found { at: LineOrGame::Line(cut.line), content }
}

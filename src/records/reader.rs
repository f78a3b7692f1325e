//! From files and standard input to entries, one at a time.
//!
//! A source is a WTHOR database if it begins with the header of one, and a text otherwise. `lines`
//! chooses the reader for each line of a text. This module opens the sources one after the other;
//! `open_source` gives entries their identifiers and selects positions of games, in the same way
//! for all formats.
//!
//! # Leniency
//! - A line ends with a line feed, a carriage return, or a carriage return and a line feed, also
//!   mixed in a file. The last line may lack an end.
//! - A byte order mark of UTF-8 at the beginning of a file, blank lines and comments are skipped.
//! - Formats may be mixed in a file, and files of all formats in a run.
//!
//! # Errors
//! An error in a line or a game costs this line or game: it becomes an entry with the error. A file
//! that cannot be opened, or is not a text, costs the rest of the file, with one message. The
//! next file is read.
//!
//! A source without entries is named, with what it has instead. If no source has an entry, although
//! one has content, the last item is an error: a list that is misread whole must not look done.
//!
//! # Memory
//! A line, and a game with several lines, may have 64 KiB. Of a database one game is in memory. The
//! length of a list is not limited.

use std::collections::VecDeque;
use std::fmt;

use super::entry::{Content, Item, ReadOptions};
use super::open_source::OpenSource;
use super::source::{FileError, Input, Source};

/// An iterator over the entries of sources.
///
/// # Examples
/// ```
/// use yose::records::{Item, ReadOptions, Reader, Source};
///
/// let list = "f5d6c3 % a transcript\n\
///     XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; h5:+6;\n\
///     f5a1\n";
/// let source = Source::Memory { name: "list", bytes: list.as_bytes().into() };
/// let lines: Vec<String> = Reader::new(vec![source], ReadOptions::default())
///     .map(|item| match item {
///         Item::Entry(entry) => match entry.problem {
///             Ok(problem) => {
///                 let empties = problem.diagram.position.empties().count();
///                 format!("{}: {empties} empties, {} claims", entry.id, problem.claims.len())
///             }
///             Err(error) => error.to_string(),
///         },
///         other => format!("{other:?}"),
///     })
///     .collect();
/// assert_eq!(lines, [
///     "list:1: 57 empties, 0 claims",
///     "list:2: 6 empties, 1 claims",
///     "list:3:3: move 2: O cannot play a1; the legal moves are f4 d6 f6",
/// ]);
/// ```
pub struct Reader {
    sources: Vec<Source>,
    inputs: Vec<Input>,
    options: ReadOptions,
    /// The number of sources that are finished.
    finished: usize,
    outcome: Outcome,
    open: Option<OpenSource>,
    /// Items that were read and not yet returned: at most the positions of the games in a line.
    ready: VecDeque<Item>,
}

/// What the sources have given so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// Nothing that must be reported: no content, an entry, or an error.
    Complete,
    /// Content without an entry or an error.
    OnlyContent,
    /// An entry or an error. It stays.
    Reported,
}

impl Reader {
    /// A reader of these sources. Opens none of them yet.
    pub fn new(sources: Vec<Source>, options: ReadOptions) -> Reader {
        let inputs =
            sources.iter().map(|source| Input { name: source.name(), sha256: None }).collect();
        Reader {
            sources,
            inputs,
            options,
            finished: 0,
            outcome: Outcome::Complete,
            open: None,
            ready: VecDeque::new(),
        }
    }

    /// The sources, with the digests of those that were read to their end.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The number of sources that are finished: read to their end, or failed.
    pub fn done(&self) -> usize {
        self.finished
    }

    /// Reads on in the open source, or opens the next one; `None` after the last.
    fn advance(&mut self) -> Option<()> {
        let Some(open) = &mut self.open else {
            let Some(source) = self.sources.get(self.finished) else { return self.end() };
            match OpenSource::new(source, self.options) {
                Ok(mut open) => {
                    self.ready.extend(open.take_names_error().map(Item::Failure));
                    self.open = Some(open);
                }
                Err(error) => self.fail(error),
            }
            return Some(());
        };
        match open.next() {
            Ok(Some(entries)) => {
                for entry in entries {
                    open.push_items(entry, &mut self.ready);
                }
            }
            Ok(None) => {
                self.inputs[self.finished].sha256 = Some(open.finish_digest());
                self.ready.extend(open.item_at_end());
                if open.entries() > 0 {
                    self.outcome = Outcome::Reported;
                } else if open.content() != Content::Nothing && self.outcome == Outcome::Complete {
                    self.outcome = Outcome::OnlyContent;
                }
                self.close();
            }
            Err(error) => self.fail(error),
        }
        Some(())
    }

    /// Ends the reading after the last source: with an error if nothing came of its content.
    fn end(&mut self) -> Option<()> {
        let misread = std::mem::replace(&mut self.outcome, Outcome::Reported);
        (misread == Outcome::OnlyContent)
            .then(|| self.ready.push_back(Item::Failure(FileError::NoPositions)))
    }

    fn fail(&mut self, error: FileError) {
        self.ready.push_back(Item::Failure(error));
        self.outcome = Outcome::Reported;
        self.close();
    }

    fn close(&mut self) {
        self.open = None;
        self.finished += 1;
    }
}

impl Iterator for Reader {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        while self.ready.is_empty() {
            self.advance()?;
        }
        self.ready.pop_front()
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("inputs", &self.inputs)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

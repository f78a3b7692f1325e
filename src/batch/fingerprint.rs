//! The fingerprint: the node counts of a fixed list, which are equal if and only if the search is
//! unchanged.
//!
//! One thread with empty tables searches the same nodes on every machine and in every build tier.
//! So one number shows whether a change has left the search alone, as Stockfish's `bench` does
//! (<https://github.com/official-stockfish/Stockfish>). If the number differs, the node counts show
//! for which positions.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::executor::{TaskList, ThreadError, in_order};
use super::list::read_list;
use crate::digest::hex;
use crate::eval::Evaluation;
use crate::othello::{Diagram, Score};
use crate::records::{Problem, Source};
use crate::search::{Config, Request, Searcher, Window};
use crate::table::TableError;

/// The built-in list.
pub const LIST: Source = Source::Memory {
    name: "fingerprint.obf",
    bytes: Cow::Borrowed(include_bytes!("../../positions/fingerprint.obf")),
};

/// The size of the table, in bytes. Another size leads to other node counts, so it never changes.
pub const TABLE_BYTES: u64 = 16 << 20;

/// The node count and the score of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its identifier in the list.
    pub id: String,
    /// The position.
    pub diagram: Diagram,
    /// The nodes of its search.
    pub nodes: u64,
    /// Its score.
    pub score: Score,
}

/// The node counts and scores of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fingerprint {
    /// The positions, in the order of the list.
    pub lines: Vec<Line>,
}

/// Why a fingerprint could not be computed or read.
#[derive(Debug, Error)]
pub enum FingerprintError {
    /// A part of the list cannot be read.
    #[error("{0}")]
    List(String),
    /// A fingerprint file cannot be read.
    #[error("{file}:{line}: {what}")]
    Recorded {
        /// The name of the file.
        file: String,
        /// The number of the line.
        line: usize,
        /// The error in that line.
        what: &'static str,
    },
    /// There is not enough memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A thread could not be started.
    #[error(transparent)]
    Threads(ThreadError),
}

/// Solves a position with empty tables.
fn solve(searcher: &mut Searcher, id: &str, diagram: &Diagram) -> Line {
    searcher.clear();
    let request = Request { position: diagram.position, window: Window::FULL, all_moves: false };
    let solution = searcher.solve(&request);
    // With the full window, both bounds are the score.
    Line {
        id: id.to_owned(),
        diagram: *diagram,
        nodes: solution.nodes,
        score: solution.bounds.lower,
    }
}

/// A difference between two fingerprints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The position has another node count or another score.
    Changed {
        /// In the file.
        old: Line,
        /// Now.
        new: Line,
    },
    /// The position is not in the file.
    Added(Line),
    /// The position is only in the file.
    Removed(Line),
    /// The same positions, in another order or not as often.
    Order,
}

impl Fingerprint {
    /// Computes the fingerprint of a list, each position with empty tables. Calls `each` with every
    /// line, in the order of the list, as soon as it and those before it are there. The fingerprint
    /// depends on the evaluation, not on the number of threads.
    ///
    /// # Errors
    /// If a line of the list cannot be read, if there is not enough memory for the tables, if a
    /// thread cannot be started, or if `each` fails.
    pub fn compute<E: From<FingerprintError>>(
        list: Source,
        evaluation: Arc<Evaluation>,
        threads: NonZeroUsize,
        mut each: impl FnMut(&Line) -> Result<(), E>,
    ) -> Result<Fingerprint, E> {
        let problems = read_list(list).map_err(FingerprintError::List)?;
        let config = Config { table_bytes: TABLE_BYTES, evaluation, ..Config::default() };
        let mut searchers = match threads.get().min(problems.len()).try_into() {
            Ok(threads) => {
                Searcher::independent(&config, threads).map_err(FingerprintError::Table)?
            }
            Err(_) => Vec::new(),
        };
        searchers.iter_mut().try_for_each(Searcher::prepare).map_err(FingerprintError::Table)?;
        let work = |searcher: &mut Searcher, (id, problem): &(String, Problem)| {
            solve(searcher, id, &problem.diagram)
        };
        let mut fingerprint = Fingerprint::default();
        in_order(&mut searchers, &TaskList::new(&problems), work, |line| {
            each(&line)?;
            fingerprint.lines.push(line);
            Ok::<_, E>(ControlFlow::Continue(()))
        })
        .map_err(FingerprintError::Threads)??;
        Ok(fingerprint)
    }

    /// The nodes of the whole list.
    pub fn nodes(&self) -> u64 {
        self.lines.iter().map(|line| line.nodes).sum()
    }

    /// The digest: the first 16 hexadecimal digits of the SHA-256 of the lines
    /// `position nodes score`.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for line in &self.lines {
            digest.update(line.text());
        }
        let mut digits = hex(&digest.finalize());
        digits.truncate(16);
        digits
    }

    /// The text of a fingerprint file.
    pub fn write(&self) -> String {
        let mut text = format!(
            "# The fingerprint of Yose's search. `yose fingerprint --write` makes this file, \
             `--check` compares with it.\n\
             # One thread; a table of {} MiB, cleared before each position. \
             A line: position, nodes, score.\n",
            TABLE_BYTES >> 20
        );
        text.extend(self.lines.iter().map(Line::text));
        let _ = write!(text, "total {}\ndigest {}\n", self.nodes(), self.digest());
        text
    }

    /// Reads the text of a fingerprint file. `file` is its name, for messages.
    ///
    /// # Errors
    /// If a line is malformed, or if the digest does not belong to the lines.
    pub fn read(text: &str, file: &str) -> Result<Fingerprint, FingerprintError> {
        let mut fingerprint = Fingerprint::default();
        let mut digest = None;
        let mut last = 0;
        for (index, line) in text.lines().enumerate() {
            last = index + 1;
            let wrong =
                |what| FingerprintError::Recorded { file: file.to_owned(), line: last, what };
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with('#') || line.starts_with("total ") {
                continue;
            }
            if let Some(word) = line.strip_prefix("digest ") {
                digest = Some(word.to_owned());
                continue;
            }
            let mut words = line.rsplitn(3, ' ');
            let mut word =
                || words.next().ok_or(wrong("this line has no position, nodes and score"));
            let (score, nodes, position) = (word()?, word()?, word()?);
            fingerprint.lines.push(Line {
                id: format!("{file}:{last}"),
                diagram: position
                    .parse()
                    .map_err(|_| wrong("this line begins with no position"))?,
                nodes: nodes.parse().map_err(|_| wrong("the nodes are no number"))?,
                score: score
                    .parse()
                    .ok()
                    .and_then(Score::try_new)
                    .ok_or(wrong("the score is no number from -64 to +64"))?,
            });
        }
        let wrong = |what| FingerprintError::Recorded { file: file.to_owned(), line: last, what };
        match digest {
            None => Err(wrong("the file ends without a digest")),
            Some(digest) if digest != fingerprint.digest() => {
                Err(wrong("the digest is not that of the lines"))
            }
            Some(_) => Ok(fingerprint),
        }
    }

    /// The differences from an older fingerprint. There are none if and only if the digests are
    /// equal.
    pub fn differences(&self, old: &Fingerprint) -> Vec<Difference> {
        let find =
            |lines: &[Line], diagram| lines.iter().find(|line| line.diagram == diagram).cloned();
        let mut differences = Vec::new();
        for new in &self.lines {
            match find(&old.lines, new.diagram) {
                None => differences.push(Difference::Added(new.clone())),
                Some(old) if old.text() != new.text() => {
                    differences.push(Difference::Changed { old, new: new.clone() });
                }
                Some(_) => {}
            }
        }
        let removed = old.lines.iter().filter(|line| find(&self.lines, line.diagram).is_none());
        differences.extend(removed.cloned().map(Difference::Removed));
        if differences.is_empty() && self.digest() != old.digest() {
            differences.push(Difference::Order);
        }
        differences
    }
}

impl Line {
    /// The line of the file, which is also a part of the digest.
    fn text(&self) -> String {
        format!("{} {} {}\n", self.diagram, self.nodes, self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Fingerprint {
        let line = |position: &str, nodes, score| Line {
            id: String::new(),
            diagram: position.parse().expect("a position"),
            nodes,
            score: Score::new(score),
        };
        let row = |row: &str| format!("{row}{} X", "-".repeat(56));
        Fingerprint {
            lines: vec![line(&row("-XOOOO--"), 12, 4), line(&row("-OXXXX--"), 3456, -64)],
        }
    }

    #[test]
    fn a_written_fingerprint_is_read_back() {
        let fingerprint = sample();
        let read = Fingerprint::read(&fingerprint.write(), "f").expect("its own text");
        assert_eq!(read.digest(), fingerprint.digest());
        assert_eq!(read.differences(&fingerprint), []);
        assert_eq!((read.nodes(), read.digest().len()), (3468, 16));
    }

    #[test]
    fn an_edited_file_is_refused() {
        let text = sample().write();
        for (edited, line) in [
            (text.replace(" 12 ", " 13 "), 6),
            (text.replace("digest", "# digest"), 6),
            (text.replace(" 12 ", " ? "), 3),
            (text.replace(" +4", " +65"), 3),
            (text.replace("-XOO", "-XO"), 3),
            (text.replace("total", "sum"), 5),
        ] {
            let error = Fingerprint::read(&edited, "f").expect_err(&edited).to_string();
            assert!(error.starts_with(&format!("f:{line}: ")), "{error}");
        }
    }

    #[test]
    fn differences_are_named() {
        let (old, mut new) = (sample(), sample());
        new.lines[0].nodes += 1;
        let changed = Difference::Changed { old: old.lines[0].clone(), new: new.lines[0].clone() };
        assert_eq!(new.differences(&old), [changed]);
        let (removed, mut new) = (old.lines[0].clone(), sample());
        new.lines.remove(0);
        assert_eq!(new.differences(&old), [Difference::Removed(removed.clone())]);
        assert_eq!(old.differences(&new), [Difference::Added(removed)]);
        let mut new = sample();
        new.lines.reverse();
        assert_eq!(new.differences(&old), [Difference::Order]);
    }
}

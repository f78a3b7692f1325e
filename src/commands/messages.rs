//! Messages about the input on standard error: a limited number of each kind, and a count of the
//! rest. `--errors` writes all of them to a file.
//!
//! A list with a million lines of another format would bury every other message. Two messages are
//! of the same kind if the same words remain without quotations, squares and numbers.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueHint;
use parking_lot::Mutex;

use yose::records::Source;
use yose::records::output::readable;

use super::common::is_same_file;
use super::say;

/// The number of messages of each kind that are printed.
const PRINTED: u64 = 30;

/// The number of kinds that are told apart. Further ones count as one kind.
const KINDS: usize = 100;

/// The argument for the file of messages.
#[derive(Clone, Debug, clap::Args)]
pub struct MessageArgs {
    /// Write all messages about the input to FILE
    ///
    /// Standard error gets the first 30 messages of a kind, such as lines with too few squares, and
    /// their number at the end. An existing FILE is replaced.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    errors: Option<PathBuf>,
}

impl MessageArgs {
    /// Checks that the file, if one is named, replaces neither an input nor the output. It is
    /// opened later, so that other wrong usage does not empty it.
    ///
    /// # Errors
    /// If it is one of these, or a directory.
    pub fn check(&self, inputs: &[Source], output: Option<&Path>) -> Result<()> {
        let Some(path) = &self.errors else { return Ok(()) };
        let name = path.display();
        if inputs.iter().any(|source| is_same_file(source, path)) {
            bail!("{name}: is one of the inputs; give --errors another name");
        }
        let same =
            |output: &Path| output == path || is_same_file(&Source::File(output.to_owned()), path);
        if output.is_some_and(same) {
            bail!("{name}: is the output; give --errors another name");
        }
        if path.is_dir() {
            bail!("{name}: is a directory; give --errors the name of a file");
        }
        Ok(())
    }

    /// Opens the file, if one is named.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(&self) -> Result<Messages> {
        let Some(path) = &self.errors else { return Ok(Messages::default()) };
        let name = path.display();
        let file = File::create(path).with_context(|| format!("{name}: cannot be written"))?;
        let file = MessageFile { path: path.clone(), file: LineWriter::new(file), error: None };
        Ok(Messages(Mutex::new(State { kinds: HashMap::new(), file: Some(file) })))
    }
}

/// Messages about the input.
#[derive(Default, Debug)]
pub struct Messages(Mutex<State>);

#[derive(Default, Debug)]
struct State {
    kinds: HashMap<String, Kind>,
    file: Option<MessageFile>,
}

#[derive(Debug)]
struct Kind {
    /// The order of the first messages.
    number: usize,
    first: String,
    count: u64,
}

#[derive(Debug)]
struct MessageFile {
    path: PathBuf,
    /// Each line is written at once: the file is of use also after the program is killed.
    file: LineWriter<File>,
    /// The first error. Nothing is written after it.
    error: Option<io::Error>,
}

impl Messages {
    /// Takes a message, and returns it if it must be printed.
    pub fn add(&self, message: &dyn Display) -> Option<String> {
        let text = message.to_string();
        let mut state = self.0.lock();
        if let Some(file) = &mut state.file {
            file.write(&text);
        }
        let mut key = kind(&text);
        if state.kinds.len() >= KINDS && !state.kinds.contains_key(&key) {
            key.clear();
        }
        let number = state.kinds.len();
        let first = || Kind { number, first: text.clone(), count: 0 };
        let kind = state.kinds.entry(key).or_insert_with(first);
        kind.count += 1;
        (kind.count <= PRINTED).then_some(text)
    }

    /// Takes a message, and prints it if it is not one of too many.
    pub fn print(&self, message: &dyn Display) {
        if let Some(text) = self.add(message) {
            say(&text);
        }
    }

    /// Prints how many messages were not printed. Returns whether the file has all of them; if it
    /// does not, the reason is printed.
    pub fn finish(&self) -> bool {
        let State { kinds, file } = &mut *self.0.lock();
        let mut kinds: Vec<&Kind> = kinds.values().filter(|kind| kind.count > PRINTED).collect();
        kinds.sort_by_key(|kind| kind.number);
        let where_all = match &file {
            None => "--errors FILE writes all of them".to_owned(),
            Some(file) => format!("{} has all of them", file.path.display()),
        };
        for kind in &kinds {
            let more = readable(kind.count - PRINTED);
            say(&format!("yose: {more} more like this one: {}", kind.first));
        }
        let complete = file.as_mut().is_none_or(MessageFile::end);
        if complete && !kinds.is_empty() {
            say(&format!("yose: {where_all}"));
        }
        complete
    }
}

impl MessageFile {
    fn write(&mut self, text: &str) {
        if self.error.is_none() {
            self.error = writeln!(self.file, "{text}").err();
        }
    }

    /// Reports an error of the file. Returns whether there is none.
    fn end(&mut self) -> bool {
        let error = self.error.take().or_else(|| self.file.flush().err());
        if let Some(error) = &error {
            let name = self.path.display();
            say(&format!("yose: {name}: the messages cannot be written: {error}"));
        }
        error.is_none()
    }
}

/// The kind of a message: its words in lower case, outside of quotations.
fn kind(message: &str) -> String {
    let mut kind = String::new();
    for unquoted in message.split('`').step_by(2) {
        for word in unquoted.split_ascii_whitespace() {
            let word = word.trim_end_matches([',', ';', ':', '.']);
            if word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                kind += word;
                kind.push(' ');
            }
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_differ_in_what_they_quote_are_of_one_kind() {
        let same = [
            "list:1:5: '?' is not a square (square 5 of 64); a position is 64 squares",
            "other.obf:99:12: ' ' is not a square (square 12 of 64); a position is 64 squares",
        ];
        assert_eq!(kind(same[0]), kind(same[1]));
        let same = [
            "a:1:4: `zz top` is not a move; the legal moves are d3 c4",
            "a:1:4: `x` is not a move; the legal moves are b8",
        ];
        assert_eq!(kind(same[0]), kind(same[1]));
        assert_ne!(kind(same[0]), kind("a:1:4: move 3: X cannot play a1; the legal moves are b8"));
    }

    #[test]
    fn thirty_of_a_kind_are_printed() {
        let messages = Messages::default();
        let printed = (0..100).filter(|line| messages.add(&format!("a:{line}: is bad")).is_some());
        assert_eq!(printed.count(), 30);
        assert!(messages.add(&"a:100: is worse").is_some());
        // Kinds without end are one.
        let word = |number: u32| -> String {
            (0..4).map(|at| char::from(b'a' + (number >> (4 * at) & 15) as u8)).collect()
        };
        let printed = (0..1000).filter(|&number| messages.add(&word(number)).is_some());
        assert_eq!(printed.count(), KINDS - 2 + 30);
    }
}

//! The reader: the rows of a Parquet file as JSON Lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use serde_json::{Map, Number, Value, json};

use super::{RUN, SUMMARY};
use crate::records::output::bounds_of_text;

/// Reads a file as JSON Lines. Files of other programs are read too: a column is a key.
///
/// # Errors
/// If it is no Parquet file, or not a whole one.
pub(in crate::records) fn open(file: File) -> io::Result<Box<dyn BufRead>> {
    let reader = SerializedFileReader::new(file)
        .map_err(|error| invalid(&format!("the Parquet file is torn or damaged: {error}")))?;
    let pairs = reader.metadata().file_metadata().key_value_metadata();
    let value = |key: &str| {
        let pair = pairs.into_iter().flatten().find(|pair| pair.key == key)?;
        pair.value.clone()
    };
    let (run, end) = (value(RUN), value(SUMMARY));
    let line = run.map(|run| run + "\n").unwrap_or_default().into_bytes();
    Ok(Box::new(BufReader::with_capacity(
        1 << 16,
        Lines { rows: RowIter::from_file_into(Box::new(reader)), line, taken: 0, end },
    )))
}

/// The lines of a file.
struct Lines {
    rows: RowIter<'static>,
    /// The line that is being read, and how much of it was.
    line: Vec<u8>,
    taken: usize,
    /// The line after the last row.
    end: Option<String>,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.line.len() {
            self.line.clear();
            self.taken = 0;
            match self.rows.next() {
                Some(row) => {
                    let row = row.map_err(|error| invalid(&error.to_string()))?;
                    serde_json::to_writer(&mut self.line, &object(row)?)?;
                }
                None => match self.end.take() {
                    Some(end) => self.line.extend_from_slice(end.as_bytes()),
                    None => return Ok(0),
                },
            }
            self.line.push(b'\n');
        }
        let count = buffer.len().min(self.line.len() - self.taken);
        buffer[..count].copy_from_slice(&self.line[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

/// The object of a row.
fn object(row: Row) -> io::Result<Map<String, Value>> {
    let mut object = Map::new();
    object.insert("type".to_owned(), "position".into());
    for (name, field) in row.into_columns() {
        let value = match (&*name, field) {
            // These two are left out where there is nothing.
            ("moves" | "error", Field::Null) => continue,
            ("moves", Field::Str(text)) => moves(&text)?,
            (_, field) => value(field),
        };
        object.insert(name, value);
    }
    Ok(object)
}

/// The value of a field. What has no counterpart among results is `null`.
fn value(field: Field) -> Value {
    match field {
        Field::Bool(value) => value.into(),
        Field::Byte(number) => number.into(),
        Field::Short(number) => number.into(),
        Field::Int(number) => number.into(),
        Field::Long(number) => number.into(),
        Field::UByte(number) => number.into(),
        Field::UShort(number) => number.into(),
        Field::UInt(number) => number.into(),
        Field::ULong(number) => number.into(),
        Field::Float(number) => Number::from_f64(number.into()).into(),
        Field::Double(number) => Number::from_f64(number).into(),
        Field::Str(text) => text.into(),
        Field::Bytes(bytes) => str::from_utf8(bytes.data()).map_or(Value::Null, Value::from),
        _ => Value::Null,
    }
}

/// The scores of moves, from text such as `g8:+18 h1:<=+12`.
fn moves(text: &str) -> io::Result<Value> {
    let moves = text.split_whitespace().map(|entry| {
        let (mv, bounds) = entry.split_once(':')?;
        let bounds = bounds_of_text(bounds)?;
        let score = bounds.exact().map(|score| score.discs());
        let (lower, upper) = (bounds.lower.discs(), bounds.upper.discs());
        Some(json!({ "move": mv, "score": score, "lower": lower, "upper": upper }))
    });
    let moves: Option<Vec<Value>> = moves.collect();
    moves.map(Value::Array).ok_or_else(|| invalid(&format!("`{text}` is no list of moves")))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

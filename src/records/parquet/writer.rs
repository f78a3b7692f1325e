//! The writer: JSON Lines in, columns out.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::{Map, Value};

use super::{Kind, RUN, SUMMARY, columns};
use crate::othello::Score;
use crate::records::output::bounds_text;
use crate::search::Bounds;

/// The rows of a row group.
const ROWS: usize = 1_000_000;

/// The texts that are given to the encoder at a time.
const BATCH: usize = 8192;

/// Writes JSON Lines of results as a Parquet file. [`ParquetWriter::finish`] writes the rest.
///
/// The lines are those of [`JsonLines`](crate::records::output::jsonl::JsonLines); the first is the
/// run. A flush writes nothing.
pub struct ParquetWriter<W: Write + Send> {
    state: State<W>,
    /// The begin of a line.
    rest: Vec<u8>,
}

enum State<W: Write + Send> {
    /// Before the line of the run.
    Begin(W),
    Rows(Box<Rows<W>>),
    /// After an error.
    Failed,
}

struct Rows<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: usize,
}

/// The values of a column in the row group that is not written yet.
struct Column {
    name: &'static str,
    kind: Kind,
    /// 1 for a value, 0 for a null.
    levels: Vec<i16>,
    values: Values,
}

enum Values {
    /// The texts one after the other, and the end of each.
    Text(String, Vec<usize>),
    Integers(Vec<i32>),
    Longs(Vec<i64>),
    Doubles(Vec<f64>),
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Writes to `output`.
    pub fn new(output: W) -> ParquetWriter<W> {
        ParquetWriter { state: State::Begin(output), rest: Vec::new() }
    }

    /// Writes what is left, and returns the output.
    ///
    /// # Errors
    /// If it cannot be written, or if there was no line.
    pub fn finish(self) -> io::Result<W> {
        match self.state {
            State::Rows(mut rows) if self.rest.is_empty() => {
                rows.write_group()?;
                Ok(rows.file.into_inner()?)
            }
            _ => Err(invalid("the results are not whole")),
        }
    }

    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        let object: Map<String, Value> = serde_json::from_slice(line)?;
        let text = || String::from_utf8_lossy(line).into_owned();
        match (object.get("type").and_then(Value::as_str), &mut self.state) {
            (Some("run"), State::Begin(_)) => {
                let State::Begin(output) = std::mem::replace(&mut self.state, State::Failed) else {
                    unreachable!("it was just matched");
                };
                self.state = State::Rows(Box::new(Rows::begin(output, &object, text())?));
                Ok(())
            }
            (Some("position"), State::Rows(rows)) => rows.add(&object),
            (Some("summary"), State::Rows(rows)) => {
                rows.file.append_key_value_metadata(KeyValue::new(SUMMARY.to_owned(), text()));
                Ok(())
            }
            _ => Err(invalid("Parquet needs the JSON Lines of a run")),
        }
    }
}

impl<W: Write + Send> Write for ParquetWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut left = bytes;
        while let Some(end) = left.iter().position(|&byte| byte == b'\n') {
            let read = if self.rest.is_empty() {
                self.line(&left[..end])
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(&left[..end]);
                self.line(&whole)
            };
            if let Err(error) = read {
                self.state = State::Failed;
                return Err(error);
            }
            left = &left[end + 1..];
        }
        self.rest.extend_from_slice(left);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write + Send> fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetWriter").finish_non_exhaustive()
    }
}

impl<W: Write + Send> Rows<W> {
    /// Begins a file with the columns of a run.
    fn begin(output: W, run: &Map<String, Value>, text: String) -> io::Result<Rows<W>> {
        let has = |key: &str| run.get(key).and_then(Value::as_bool).unwrap_or(false);
        let columns = columns(has("game_columns"), has("comments"), has("all_moves"));
        let fields: String = columns.iter().map(|&(name, kind)| kind.schema(name)).collect();
        let schema = parse_message_type(&format!("message results {{ {fields} }}"))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("yose version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(Some(vec![KeyValue::new(RUN.to_owned(), text)]))
            .build();
        let file = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties))?;
        let columns = columns.into_iter().map(|(name, kind)| Column::new(name, kind)).collect();
        Ok(Rows { file, columns, rows: 0 })
    }

    fn add(&mut self, record: &Map<String, Value>) -> io::Result<()> {
        for column in &mut self.columns {
            column.add(record.get(column.name).unwrap_or(&Value::Null))?;
        }
        self.rows += 1;
        if self.rows == ROWS { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        self.rows = 0;
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.expect("the schema has a column for each");
            column.write(&mut writer)?;
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

impl Column {
    fn new(name: &'static str, kind: Kind) -> Column {
        let values = match kind {
            Kind::Text | Kind::Moves => Values::Text(String::new(), Vec::new()),
            Kind::Small | Kind::Integer => Values::Integers(Vec::new()),
            Kind::Long => Values::Longs(Vec::new()),
            Kind::Double => Values::Doubles(Vec::new()),
        };
        Column { name, kind, levels: Vec::new(), values }
    }

    fn add(&mut self, value: &Value) -> io::Result<()> {
        self.levels.push(i16::from(!value.is_null()));
        if value.is_null() {
            return Ok(());
        }
        let added = match (&mut self.values, self.kind) {
            (Values::Text(texts, ends), Kind::Moves) => {
                let text = moves_text(value);
                text.map(|text| texts.push_str(&text)).inspect(|()| ends.push(texts.len()))
            }
            (Values::Text(texts, ends), _) => {
                let text = value.as_str();
                text.map(|text| texts.push_str(text)).inspect(|()| ends.push(texts.len()))
            }
            (Values::Integers(numbers), kind) => value
                .as_i64()
                .and_then(|number| i32::try_from(number).ok())
                .filter(|&number| kind != Kind::Small || i8::try_from(number).is_ok())
                .map(|number| numbers.push(number)),
            (Values::Longs(numbers), _) => value.as_i64().map(|number| numbers.push(number)),
            (Values::Doubles(numbers), _) => value.as_f64().map(|number| numbers.push(number)),
        };
        added.ok_or_else(|| invalid(&format!("`{value}` is no value of `{}`", self.name)))
    }

    /// Writes the values, and forgets them.
    fn write(&mut self, writer: &mut SerializedColumnWriter<'_>) -> io::Result<()> {
        let levels = Some(&self.levels[..]);
        match &mut self.values {
            Values::Text(texts, ends) => {
                write_texts(texts, ends, &self.levels, writer)?;
                texts.clear();
                ends.clear();
            }
            Values::Integers(numbers) => {
                writer.typed::<Int32Type>().write_batch(numbers, levels, None)?;
                numbers.clear();
            }
            Values::Longs(numbers) => {
                writer.typed::<Int64Type>().write_batch(numbers, levels, None)?;
                numbers.clear();
            }
            Values::Doubles(numbers) => {
                writer.typed::<DoubleType>().write_batch(numbers, levels, None)?;
                numbers.clear();
            }
        }
        self.levels.clear();
        Ok(())
    }
}

/// Writes texts in batches: the encoder needs each as an object of its own.
fn write_texts(
    texts: &str,
    ends: &[usize],
    levels: &[i16],
    writer: &mut SerializedColumnWriter<'_>,
) -> io::Result<()> {
    let (mut start, mut ends) = (0, ends.iter());
    for levels in levels.chunks(BATCH) {
        let count = levels.iter().filter(|&&level| level == 1).count();
        let values: Vec<ByteArray> = ends
            .by_ref()
            .take(count)
            .map(|&end| ByteArray::from(&texts[std::mem::replace(&mut start, end)..end]))
            .collect();
        writer.typed::<ByteArrayType>().write_batch(&values, Some(levels), None)?;
    }
    Ok(())
}

/// The text of the scores of moves, as in CSV; `None` if it is no list of them.
fn moves_text(moves: &Value) -> Option<String> {
    let moves = moves.as_array()?.iter().map(|entry| {
        let score = |key| {
            let number = entry.get(key)?.as_i64()?;
            i32::try_from(number).ok().and_then(Score::try_new)
        };
        let bounds = Bounds { lower: score("lower")?, upper: score("upper")? };
        Some(format!("{}:{}", entry.get("move")?.as_str()?, bounds_text(bounds)))
    });
    Some(moves.collect::<Option<Vec<String>>>()?.join(" "))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

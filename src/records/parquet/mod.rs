//! Parquet: results in typed columns, for DuckDB, Polars, pandas and other programs that analyse
//! tables (<https://parquet.apache.org/docs/file-format/>).
//!
//! A file holds what JSON Lines hold. It is written from their text, and read back as their text,
//! as a compressed file would be. So each command that reads results reads Parquet, and none has
//! code for it.
//!
//! - A column has the name and the meaning of the key. Scores and empties are 8-bit integers, nodes
//!   are 64-bit integers, seconds are doubles, the rest is text. `null` is a null.
//! - `moves`, the scores of all moves, is text as in CSV: `g8:+18 h1:<=+12`.
//! - The objects of the run and of the summary are the texts `yose.run` and `yose.summary` in the
//!   metadata of the file. A file without the second is not complete.
//! - A row group has a million rows. Columns are encoded with a dictionary, as far as it is small,
//!   and compressed with Snappy.
//!
//! The metadata stands at the end of a Parquet file. So it cannot be a journal: what a killed
//! process leaves cannot be read. A row group is in memory until it is written, some 300 bytes for
//! a row.

mod reader;
mod writer;

pub(super) use reader::open;
pub use writer::ParquetWriter;

/// The key of the metadata with the object of the run.
const RUN: &str = "yose.run";

/// The key of the metadata with the object of the summary.
const SUMMARY: &str = "yose.summary";

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Text,
    /// An integer of 8 bits.
    Small,
    Integer,
    Long,
    Double,
    /// The scores of moves: a list of objects in JSON, text in Parquet.
    Moves,
}

impl Kind {
    /// The type in the language of Parquet's schemas.
    fn schema(self, name: &str) -> String {
        let (physical, logical) = match self {
            Kind::Text | Kind::Moves => ("binary", " (STRING)"),
            Kind::Small => ("int32", " (INTEGER(8,true))"),
            Kind::Integer => ("int32", ""),
            Kind::Long => ("int64", ""),
            Kind::Double => ("double", ""),
        };
        format!("optional {physical} {name}{logical};")
    }
}

/// The columns of a file, in the order of the keys.
fn columns(games: bool, comments: bool, moves: bool) -> Vec<(&'static str, Kind)> {
    let mut columns = vec![("id", Kind::Text)];
    if games {
        columns.extend([
            ("file", Kind::Text),
            ("game", Kind::Long),
            ("year", Kind::Integer),
            ("black", Kind::Text),
            ("white", Kind::Text),
            ("real_score", Kind::Small),
            ("move", Kind::Long),
        ]);
    }
    columns.extend(comments.then_some(("comment", Kind::Text)));
    columns.extend([
        ("position", Kind::Text),
        ("empties", Kind::Small),
        ("status", Kind::Text),
        ("score", Kind::Small),
        ("lower", Kind::Small),
        ("upper", Kind::Small),
        ("best_move", Kind::Text),
        ("pv", Kind::Text),
        ("nodes", Kind::Long),
        ("seconds", Kind::Double),
        ("wld", Kind::Text),
    ]);
    columns.extend(moves.then_some(("moves", Kind::Moves)));
    columns.push(("error", Kind::Text));
    columns
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufRead, Read, Seek, SeekFrom, Write};

    use serde_json::Value;

    use super::super::output::{COLUMNS, GAME_COLUMNS, jsonl::JsonLines, samples};
    use super::*;

    /// Writes the text to a file, and opens it.
    fn written(text: &str) -> File {
        let mut writer = ParquetWriter::new(tempfile::tempfile().expect("a file"));
        // Pieces of lines, as a buffer flushes them.
        for piece in text.as_bytes().chunks(100) {
            writer.write_all(piece).expect("lines of results");
        }
        let mut file = writer.finish().expect("the end of the file");
        file.seek(SeekFrom::Start(0)).expect("a file");
        file
    }

    #[test]
    fn json_lines_are_read_back_as_they_were_written() {
        let plain = samples::written(&mut JsonLines::default(), false);
        let moves = samples::written(&mut JsonLines::default(), true);
        let notes = samples::with_notes(&mut JsonLines::default());
        for text in [plain, moves, notes] {
            let read = open(written(&text)).expect("a Parquet file");
            let lines: Vec<Value> = read
                .lines()
                .map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON"))
                .collect();
            let mut expected: Vec<Value> =
                text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            // A run without all moves has no column for them. (The samples have them all the same.)
            if expected[0]["all_moves"] == false {
                for record in expected.iter_mut().filter_map(Value::as_object_mut) {
                    record.remove("moves");
                }
            }
            assert_eq!(lines, expected);
        }
    }

    #[test]
    fn every_column_of_the_results_is_there() {
        let names: Vec<&str> = columns(true, false, false).iter().map(|(name, _)| *name).collect();
        for name in COLUMNS.iter().chain(&GAME_COLUMNS) {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn a_torn_file_and_lines_that_are_no_results_are_errors() {
        let mut whole = Vec::new();
        let text = samples::written(&mut JsonLines::default(), false);
        written(&text).read_to_end(&mut whole).expect("a file");
        for length in [4, whole.len() / 2, whole.len() - 1] {
            let mut torn = tempfile::tempfile().expect("a file");
            torn.write_all(&whole[..length]).expect("a file");
            torn.seek(SeekFrom::Start(0)).expect("a file");
            assert!(open(torn).is_err(), "{length} of {} bytes", whole.len());
        }
        for line in ["no JSON\n", "{\"type\":\"finding\"}\n", "{\"id\":\"before the run\"}\n"] {
            let mut writer = ParquetWriter::new(Vec::new());
            assert!(writer.write_all(line.as_bytes()).is_err(), "{line}");
        }
    }
}

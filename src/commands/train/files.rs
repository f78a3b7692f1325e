//! The files that the commands read and write.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use yose::eval::Weights;
use yose::othello::Position;
use yose::output_file::{Existing, OutputFile};
use yose::records::{Item, ReadOptions, Reader, Source};
use yose::training::data_set::{DataSet, HEADER, PositionSource, Sample};

use super::report;
use crate::commands::common::digest_prefix;

/// Whether an output file exists, which is reported.
pub fn exists(output: &Path) -> bool {
    let exists = output.exists();
    if exists {
        report(&format!("{}: already there", output.display()));
    }
    exists
}

/// Reads a file of positions.
pub fn read(path: &Path) -> Result<DataSet> {
    DataSet::read(path).with_context(|| path.display().to_string())
}

/// Reads the positions of several files.
pub fn read_samples(paths: &[PathBuf]) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(read(path)?.samples);
    }
    Ok(samples)
}

/// Reads a list of positions to solve, of `yose train positions` or of any input format. Returns
/// the positions and a digest of the file. A malformed line is an error.
pub fn read_list(path: &Path) -> Result<(Vec<Position>, String)> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
    let positions: Vec<Position> = if file.starts_with(HEADER.as_bytes()) {
        read(path)?.samples.into_iter().map(|sample| sample.position).collect()
    } else {
        let position = |item| match item {
            Item::Entry(entry) => Ok(entry.problem?.diagram.position),
            Item::Empty(empty) => bail!("{empty}"),
            Item::MissingPositions(short) => bail!("{short}"),
            Item::Failure(error) => Err(error.into()),
        };
        Reader::new(vec![Source::File(path.to_owned())], ReadOptions::default())
            .map(position)
            .collect::<Result<_>>()?
    };
    if positions.is_empty() {
        bail!("{name}: holds no positions");
    }
    Ok((positions, digest_prefix(&file)))
}

/// The description of an input file in the origin of an output file: its own origin, and a digest
/// of its content.
pub fn describe(path: &Path, data: &DataSet) -> Result<Value> {
    let file = fs::read(path).with_context(|| path.display().to_string())?;
    let origin =
        serde_json::from_str(&data.origin).unwrap_or_else(|_| Value::String(data.origin.clone()));
    Ok(serde_json::json!({ "sha256": digest_prefix(&file), "origin": origin }))
}

/// Writes positions without labels, and reports their number.
pub fn write_positions(
    path: &Path,
    positions: Vec<Position>,
    source: PositionSource,
    origin: &Value,
) -> Result<()> {
    let samples = positions.into_iter().map(|position| Sample::unlabelled(position, source));
    let data = DataSet { origin: origin.to_string(), samples: samples.collect() };
    data.write(path).with_context(|| path.display().to_string())?;
    report(&format!("{}: {} positions", path.display(), data.samples.len()));
    Ok(())
}

/// The origin of weights with an additional entry.
pub fn with_origin(weights: &Weights, key: &str, value: Value) -> String {
    let mut origin = match serde_json::from_str(weights.origin()) {
        Ok(Value::Object(origin)) => origin,
        _ => Map::from_iter([("origin".to_owned(), weights.origin().into())]),
    };
    origin.insert(key.to_owned(), value);
    Value::Object(origin).to_string()
}

/// Writes a weight file, which has its name only when it is complete.
pub fn write_weights(path: &Path, weights: &Weights) -> Result<()> {
    let mut output = OutputFile::create(path, Existing::Replace)?;
    let written = output.write_all(&weights.write());
    written.with_context(|| format!("{}: cannot be written", path.display()))?;
    output.commit()?;
    Ok(())
}

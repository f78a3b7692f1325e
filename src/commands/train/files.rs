//! What the steps read and write.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use yose::eval::Weights;
use yose::othello::Position;
use yose::records::{Item, ReadOptions, Reader, Source};
use yose::training::data::{Data, HEAD, Origin, Sample, part_of};
use yose::training::pool::Empties;

use super::say;
use crate::commands::common::digest_prefix;

/// Whether there is nothing to do for an output, which is told.
pub fn is_there(output: &Path) -> bool {
    let there = output.exists();
    if there {
        say(&format!("{}: already there", output.display()));
    }
    there
}

/// Reads a range of numbers of empties: `8-13`, or a single number.
pub fn parse_empties(text: &str) -> Result<Empties, String> {
    const HINT: &str = "write two numbers from 1 to 60, such as 8-13, or one";
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|number| (1..=60).contains(number));
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low <= high => Ok(Empties { low, high }),
        _ => Err(format!("this is no range of empties; {HINT}")),
    }
}

/// What the files hold, one after the other.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(read(path)?.samples);
    }
    Ok(samples)
}

/// The positions alone.
pub fn read_positions(paths: &[PathBuf]) -> Result<Vec<Position>> {
    Ok(read_all(paths)?.into_iter().map(|sample| sample.position).collect())
}

/// What a file holds.
pub fn read(path: &Path) -> Result<Data> {
    Data::read(path).with_context(|| path.display().to_string())
}

/// A list of positions to solve, made by `yose train positions` or written as text, and a word by
/// which its content is known again. Unlike a list that is solved for its own sake, it must be
/// right in every line.
pub fn read_list(path: &Path) -> Result<(Vec<Position>, String)> {
    let name = path.display();
    let file = fs::read(path).with_context(|| format!("{name}: cannot be read"))?;
    let positions: Vec<Position> = if file.starts_with(HEAD.as_bytes()) {
        read(path)?.samples.into_iter().map(|sample| sample.position).collect()
    } else {
        let position = |item| match item {
            Item::Entry(entry) => Ok(entry.problem?.diagram.position),
            Item::Empty { file } => bail!("{file}: holds no positions"),
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

/// The origin of a file, as JSON if it is that, and a word by which its content is known again.
pub fn describe(path: &Path, data: &Data) -> Result<Value> {
    let file = fs::read(path).with_context(|| path.display().to_string())?;
    let origin =
        serde_json::from_str(&data.origin).unwrap_or_else(|_| Value::String(data.origin.clone()));
    Ok(serde_json::json!({ "sha256": digest_prefix(&file), "origin": origin }))
}

/// Writes positions that have no label yet.
pub fn write_positions(
    path: &Path,
    positions: Vec<Position>,
    from: Origin,
    origin: &Value,
) -> Result<()> {
    let samples = positions.into_iter().map(|position| Sample::unlabelled(position, from));
    let data = Data { origin: origin.to_string(), samples: samples.collect() };
    data.write(path).with_context(|| path.display().to_string())?;
    say(&format!("{}: {} positions", path.display(), data.samples.len()));
    Ok(())
}

/// The origin of weights with something more.
pub fn with_origin(weights: &Weights, key: &str, value: Value) -> String {
    let mut origin = match serde_json::from_str(weights.origin()) {
        Ok(Value::Object(origin)) => origin,
        _ => Map::from_iter([("origin".to_owned(), weights.origin().into())]),
    };
    origin.insert(key.to_owned(), value);
    Value::Object(origin).to_string()
}

/// Writes a weight file, whole or not at all.
pub fn write_weights(path: &Path, weights: &Weights) -> Result<()> {
    let part = part_of(path);
    let result = fs::write(&part, weights.write()).and_then(|()| fs::rename(part, path));
    result.with_context(|| format!("{}: cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_as_people_mean_them() {
        assert_eq!(parse_empties("8-13"), Ok(Empties { low: 8, high: 13 }));
        assert_eq!(parse_empties("20"), Ok(Empties { low: 20, high: 20 }));
        for text in ["", "-", "8-", "13-8", "0-5", "8-61", "a", "8-9-10"] {
            assert!(
                parse_empties(text).is_err_and(|error| error.starts_with("this is no range")),
                "{text}"
            );
        }
    }
}

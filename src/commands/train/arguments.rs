//! Groups of arguments that several commands of `yose train` have.
//!
//! | group | arguments |
//! |---|---|
//! | [`OutputArgs`] | `--output` |
//! | [`ListArgs`] | `LIST`: positions to solve |
//! | [`LabelledArgs`] | `FILES`: labelled positions |
//! | [`SampleArgs`] | `--empties`, `--count`, `--exclude` |
//! | [`ValueArgs`] | `--values`: parameters of the search |

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueHint;

use yose::othello::Position;
use yose::search::Parameters;
use yose::training::data_set::Sample;
use yose::training::stratified_sample::EmptiesRange;

use super::files::{exists, read_list, read_samples};
use super::parameters::{ParameterIndex, parse_value, with_values};

/// The output file of a command that needs one.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// File to write; if it exists, the command does nothing
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
}

impl OutputArgs {
    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.output
    }

    /// Whether the file exists, which is reported.
    pub fn exists(&self) -> bool {
        exists(&self.output)
    }
}

/// A list of positions to solve.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Positions to solve: a file of `yose train positions`, or any list that `yose solve` reads
    #[arg(value_name = "LIST", value_hint = ValueHint::FilePath)]
    list: PathBuf,
}

impl ListArgs {
    /// Reads the positions, and a digest of the file.
    pub fn read(&self) -> Result<(Vec<Position>, String)> {
        read_list(&self.list)
    }
}

/// Files of labelled positions.
#[derive(Debug, clap::Args)]
pub struct LabelledArgs {
    /// Files of labelled positions, made by `yose train label`
    #[arg(value_name = "FILES", required = true, value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

impl LabelledArgs {
    /// The names of the files.
    pub fn paths(&self) -> &[PathBuf] {
        &self.files
    }

    /// Reads the positions of all files.
    pub fn read(&self) -> Result<Vec<Sample>> {
        read_samples(&self.files)
    }
}

/// A sample of positions.
#[derive(Debug, clap::Args)]
pub struct SampleArgs {
    /// Empties of the positions: a range such as 8-13, or a single number
    #[arg(long, value_name = "RANGE", value_parser = parse_empties)]
    pub empties: EmptiesRange,

    /// Number of positions, distributed evenly over the numbers of empties
    ///
    /// The file has fewer positions if no more are found.
    #[arg(long, value_name = "COUNT")]
    pub count: usize,

    /// File of positions that must not be in the sample; may be given several times
    ///
    /// Positions that are symmetric to one of these are left out too.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    exclude: Vec<PathBuf>,
}

impl SampleArgs {
    /// Reads the excluded positions.
    pub fn read_excluded(&self) -> Result<Vec<Position>> {
        Ok(read_samples(&self.exclude)?.into_iter().map(|sample| sample.position).collect())
    }
}

/// Reads a range of numbers of empties: `8-13`, or a single number.
fn parse_empties(text: &str) -> Result<EmptiesRange, String> {
    const HINT: &str = "write two numbers from 1 to 60, such as 8-13, or one";
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|number| (1..=60).contains(number));
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low <= high => Ok(EmptiesRange { low, high }),
        _ => Err(format!("this is no range of empties; {HINT}")),
    }
}

/// Values of parameters.
#[derive(Debug, clap::Args)]
pub struct ValueArgs {
    /// Parameters with other values than in the weights: NAME=VALUE, separated by commas
    ///
    /// `yose train tune` prints its result in this form.
    #[arg(long, value_name = "NAME=VALUE,...", value_delimiter = ',', value_parser = parse_value)]
    values: Vec<(ParameterIndex, i32)>,
}

impl ValueArgs {
    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// These parameters, with the given values in place of their own.
    pub fn apply(&self, parameters: &Parameters) -> Parameters {
        with_values(parameters, &self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_two_numbers_or_one() {
        assert_eq!(parse_empties("8-13"), Ok(EmptiesRange { low: 8, high: 13 }));
        assert_eq!(parse_empties("20"), Ok(EmptiesRange { low: 20, high: 20 }));
        for text in ["", "-", "8-", "13-8", "0-5", "8-61", "a", "8-9-10"] {
            assert!(
                parse_empties(text).is_err_and(|error| error.starts_with("this is no range")),
                "{text}"
            );
        }
    }
}

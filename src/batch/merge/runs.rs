//! The runs of the files that are merged: what they have in common, and where they differ.

use std::fmt;
use std::path::PathBuf;

use serde_json::{Map, Value};

/// The settings of a run that change what is found, and so the records.
const SETTINGS: [&str; 4] = ["alpha", "beta", "node_limit", "time_limit"];

/// A setting in which two runs differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The key of the setting, or the SHA-256 of an input.
    pub setting: String,
    /// Two files with their values.
    pub values: [(String, String); 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(one, value), (other, differing)] = &self.values;
        write!(f, "{} is {value} in {one}, {differing} in {other}", self.setting)
    }
}

/// The runs of files in JSON Lines.
#[derive(Debug, Default)]
pub(super) struct Runs(Vec<(usize, Map<String, Value>)>);

impl Runs {
    /// Adds the run of a file.
    ///
    /// # Panics
    /// If `line` is no JSON object. It was read as the line of a run before.
    pub fn add(&mut self, file: usize, line: &str) {
        self.0.push((file, serde_json::from_str(line).expect("the line of a run")));
    }

    /// The line for the run of the merged file: the settings that all runs have in common, and the
    /// names of the files. For each of the others, `differences` has the different values.
    pub fn merged(&self, files: &[PathBuf]) -> String {
        let mut merged = Map::new();
        let mut differences = Map::new();
        let own = |key: &str| matches!(key, "shard" | "merged");
        let keys = self.0.iter().flat_map(|(_, run)| run.keys()).filter(|key| !own(key));
        for key in keys {
            if merged.contains_key(key) || differences.contains_key(key) {
                continue;
            }
            match self.values(key).as_slice() {
                [(_, value)] => merged.insert(key.clone(), value.clone()),
                several => {
                    let values = several.iter().map(|(_, value)| value.clone()).collect();
                    differences.insert(key.clone(), Value::Array(values))
                }
            };
        }
        if !differences.is_empty() {
            merged.insert("differences".to_owned(), Value::Object(differences));
        }
        let names = files.iter().map(|path| path.display().to_string().into()).collect();
        merged.insert("merged".to_owned(), Value::Array(names));
        Value::Object(merged).to_string()
    }

    /// The different values of a key, each with the first file that has it. `null` if a run does
    /// not have the key.
    fn values(&self, key: &str) -> Vec<(usize, Value)> {
        let mut values: Vec<(usize, Value)> = Vec::new();
        for (file, run) in &self.0 {
            let value = run.get(key).unwrap_or(&Value::Null);
            if values.iter().all(|(_, other)| other != value) {
                values.push((*file, value.clone()));
            }
        }
        values
    }

    /// The settings and the inputs in which the runs differ.
    pub fn differences(&self, files: &[PathBuf]) -> Vec<Difference> {
        let name = |file: usize| files[file].display().to_string();
        let mut differences = Vec::new();
        for key in SETTINGS {
            if let [(one, value), (other, differing), ..] = self.values(key).as_slice() {
                let text = |value: &Value| match value {
                    Value::Null => "not set".to_owned(),
                    value => value.to_string(),
                };
                let values = [(name(*one), text(value)), (name(*other), text(differing))];
                differences.push(Difference { setting: key.to_owned(), values });
            }
        }
        // A digest is `null` if the source can be read only once.
        let mut digests: Vec<(&str, &str, usize)> = Vec::new();
        for (file, run) in &self.0 {
            let inputs = run.get("inputs").and_then(Value::as_array);
            for input in inputs.into_iter().flatten() {
                let text = |key: &str| input.get(key).and_then(Value::as_str);
                let (Some(input), Some(digest)) = (text("name"), text("sha256")) else { continue };
                match digests.iter().find(|(other, ..)| *other == input) {
                    None => digests.push((input, digest, *file)),
                    Some((_, other, _)) if *other == digest => {}
                    Some((_, other, first)) => {
                        let values =
                            [(name(*first), (*other).to_owned()), (name(*file), digest.to_owned())];
                        let setting = format!("the SHA-256 of {input}");
                        differences.push(Difference { setting, values });
                    }
                }
            }
        }
        differences
    }
}

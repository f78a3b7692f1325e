//! The common parts of JSON Lines outputs: inputs, numbers and lines.

use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use super::seconds;
use crate::records::Input;
use crate::table::AutoTable;

/// A file that was read, by its name and the SHA-256 of its bytes.
#[derive(Serialize)]
pub(crate) struct InputJson<'a> {
    name: &'a str,
    sha256: Option<&'a str>,
}

impl<'a> InputJson<'a> {
    pub(crate) fn of(input: &'a Input) -> InputJson<'a> {
        InputJson { name: &input.name, sha256: input.sha256.as_deref() }
    }

    pub(crate) fn all(inputs: &'a [Input]) -> Vec<InputJson<'a>> {
        inputs.iter().map(InputJson::of).collect()
    }
}

/// What the size of a table was chosen by, in bytes and nodes, and how far it may grow.
#[derive(Serialize)]
pub(crate) struct AutoTableJson {
    limit_bytes: u64,
    free_bytes: Option<u64>,
    predicted_nodes: Option<u64>,
}

impl From<AutoTable> for AutoTableJson {
    fn from(size: AutoTable) -> AutoTableJson {
        AutoTableJson {
            limit_bytes: size.limit,
            free_bytes: size.free,
            predicted_nodes: size.predicted_nodes,
        }
    }
}

/// Seconds as a number with all its decimals.
pub(crate) fn number(time: Duration) -> Box<RawValue> {
    RawValue::from_string(seconds(time)).expect("a decimal number is JSON")
}

/// Adds `object` to `out` as one line.
pub(crate) fn write_line(out: &mut Vec<u8>, object: &impl Serialize) {
    serde_json::to_writer(&mut *out, object)
        .expect("these types become JSON, and memory can be written");
    out.push(b'\n');
}

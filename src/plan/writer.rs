//! The text of joined results: CSV or JSON Lines, as `yose solve` writes them.

use std::path::Path;

use serde_json::json;

use super::manifest::Manifest;
use crate::records::Input;
use crate::records::compression::Compression;
use crate::records::output::csv::Csv;
use crate::records::output::jsonl::{JsonLines, SCHEMA};
use crate::records::output::{NoteColumns, Record, Run, Summary, Writer};
use crate::search::Limits;

/// Whether the name of an output file means JSON Lines.
pub fn is_json(path: &Path) -> bool {
    let name = Compression::name_within(path);
    let extension = name.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("jsonl" | "ndjson" | "json"))
}

/// Turns joined records into text.
#[derive(Debug)]
pub struct ResultWriter {
    writer: Box<dyn Writer>,
    header: String,
    summary: Summary,
    text: Vec<u8>,
}

impl ResultWriter {
    /// A writer of JSON Lines, or of CSV.
    pub fn new(is_json: bool, manifest: &Manifest) -> ResultWriter {
        let mut writer: Box<dyn Writer> =
            if is_json { Box::new(JsonLines::default()) } else { Box::new(Csv::default()) };
        let inputs: Vec<Input> = manifest
            .inputs
            .iter()
            .map(|input| Input { name: input.name.clone(), sha256: input.sha256.clone() })
            .collect();
        let run = Run {
            threads: 1,
            deterministic: false,
            table_bytes: 0,
            auto_table: None,
            weights: Input { name: String::new(), sha256: None },
            window: manifest.window(),
            all_moves: manifest.all_moves,
            notes: NoteColumns::default(),
            limits: Limits::NONE,
            shard: None,
            inputs: inputs.clone(),
        };
        let mut header = Vec::new();
        writer.begin(&run, &mut header);
        let mut header = String::from_utf8(header).expect("UTF-8");
        if is_json {
            // Each task had its own threads and tables.
            let run = json!({
                "type": "run",
                "schema": SCHEMA,
                "tool": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "plan": manifest.plan,
                "tasks": manifest.tasks,
                "alpha": manifest.alpha,
                "beta": manifest.beta,
                "all_moves": manifest.all_moves,
                "inputs": manifest.inputs,
            });
            header = format!("{run}\n");
        }
        let summary = Summary { inputs, ..Summary::default() };
        ResultWriter { writer, header, summary, text: Vec::new() }
    }

    /// The text before the records.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// The text of a record.
    pub fn record(&mut self, record: &Record) -> &[u8] {
        self.summary.add(record);
        self.text.clear();
        self.writer.record(record, &mut self.text);
        &self.text
    }

    /// The text after the records, if none is missing.
    pub fn footer(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        self.summary.time = self.summary.file_time;
        self.writer.end(&self.summary, &mut text);
        text
    }
}

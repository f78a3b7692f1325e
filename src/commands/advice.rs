//! Advice for errors of the library: which argument helps. The library's own messages name no
//! arguments.

use std::error::Error;

use yose::batch::bench::BenchError;
use yose::batch::estimate::SpeedError;
use yose::batch::fingerprint::FingerprintError;
use yose::batch::{self, JournalError};
use yose::output_file::OutputFileError;
use yose::records::output::SinkError;
use yose::verify;
use yose::{SolverError, TableError};

/// The message of an error with its context, and the advice for it.
pub fn message(error: &anyhow::Error) -> String {
    match error.chain().find_map(advice) {
        Some(advice) => format!("{error:#}; {advice}"),
        None => format!("{error:#}"),
    }
}

/// The message of a library error, and the advice for it.
pub fn with_advice(error: &(impl Error + 'static)) -> String {
    match advice(error) {
        Some(advice) => format!("{error}; {advice}"),
        None => error.to_string(),
    }
}

fn advice(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref() {
        return Some(for_table(error));
    }
    if let Some(error) = error.downcast_ref() {
        return for_journal(error);
    }
    if let Some(error) = error.downcast_ref() {
        return for_sink(error);
    }
    if let Some(error) = error.downcast_ref() {
        return for_run(error);
    }
    match error.downcast_ref() {
        Some(verify::RunError::Output(error)) => return for_sink(error),
        Some(verify::RunError::Journal(error)) => return for_journal(error),
        Some(verify::RunError::Threads(_)) => return for_threads(),
        None => {}
    }
    match error.downcast_ref() {
        Some(BenchError::Table(error)) => return Some(for_table(error)),
        Some(BenchError::Run(error)) => return for_run(error),
        Some(BenchError::Threads(_)) => return for_threads(),
        Some(BenchError::Suite(_)) | None => {}
    }
    match error.downcast_ref() {
        Some(SpeedError::Table(error)) => return Some(for_table(error)),
        Some(SpeedError::Threads(_)) => return for_threads(),
        None => {}
    }
    match error.downcast_ref() {
        Some(SolverError::Table(error)) => return Some(for_table(error)),
        Some(SolverError::Threads(_)) => return for_threads(),
        _ => {}
    }
    if let Some(OutputFileError::Exists { .. } | OutputFileError::Unfinished { .. }) =
        error.downcast_ref()
    {
        return Some("give another name, or --force to replace it".to_owned());
    }
    match error.downcast_ref()? {
        FingerprintError::Recorded { file, .. } => {
            Some(format!("`yose fingerprint --write {file}` makes a new file"))
        }
        FingerprintError::Table(error) => Some(for_table(error)),
        FingerprintError::Threads(_) => for_threads(),
        FingerprintError::List(_) => None,
    }
}

fn for_table(error: &TableError) -> String {
    match error {
        TableError::TooLarge { count: 2.., .. } => "--hash gives them another size".to_owned(),
        TableError::TooManyThreads { .. } | TableError::NoLocalTables(_) => {
            "--threads starts fewer".to_owned()
        }
        _ => "--hash gives it another size".to_owned(),
    }
}

fn for_threads() -> Option<String> {
    Some("--threads starts fewer".to_owned())
}

fn for_run(error: &batch::RunError) -> Option<String> {
    match error {
        batch::RunError::Output(error) => for_sink(error),
        batch::RunError::Journal(error) => for_journal(error),
        batch::RunError::Threads(_) => for_threads(),
    }
}

fn for_sink(error: &SinkError) -> Option<String> {
    match error {
        SinkError::Order { .. } => Some("--resume puts them in order".to_owned()),
        _ => None,
    }
}

fn for_journal(error: &JournalError) -> Option<String> {
    let advice = match error {
        JournalError::Exists { .. } => {
            "give another name, --resume to continue it, or --force to replace it"
        }
        JournalError::NotARecord { .. } => "--resume needs an unchanged file of results",
        JournalError::OtherFormat { .. } => {
            "give the same --format, --all-moves, --game-columns and --comments as before"
        }
        JournalError::OtherInput { .. } => "give the same files and --shard as before",
        JournalError::Locked { .. } | JournalError::Read { .. } | JournalError::Write { .. } => {
            return None;
        }
    };
    Some(advice.to_owned())
}

#[cfg(test)]
mod tests {
    use std::io;

    use anyhow::Context;

    use super::*;

    #[test]
    fn advice_stands_behind_the_message() {
        let error = anyhow::Error::from(TableError::OutOfMemory(1 << 30));
        let text =
            "there is not enough memory for a table of 1.0 GiB; --hash gives it another size";
        assert_eq!(message(&error), text);
        let order = SinkError::Order { error: io::Error::other("no space") };
        let error: anyhow::Error = batch::RunError::Output(order).into();
        let text = message(&error.context("out.csv"));
        assert!(text.starts_with("out.csv: the results"), "{text}");
        assert!(text.ends_with(": no space; --resume puts them in order"), "{text}");
    }

    #[test]
    fn other_errors_stay_as_they_are() {
        let error = Err::<(), _>(io::Error::other("gone")).context("list").expect_err("an error");
        assert_eq!(message(&error), "list: gone");
    }
}

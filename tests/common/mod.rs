//! What the tests of the program share: positions with known scores, a folder to work in, the program itself.

// Each test file uses its own part of this.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::path::PathBuf;

use assert_cmd::Command;
use tempfile::TempDir;

/// FFO 20: 6 empties, and the published score of every move.
pub const FFO_20: &str =
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;";
/// FFO 20 as a plain position.
pub const PLAIN: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// X must pass, then O plays a1 and wins all.
pub const PASS: &str = "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X";
/// Nobody has a move; X has won by a wipeout.
pub const OVER: &str = "XXXXXXXX-------------------------------------------------------- X";

/// A folder with files in it, in which the program is run.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Puts a file there.
    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Folder {
        std::fs::write(self.path(name), content).expect("a file in the folder");
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text in the folder")
    }

    /// The program, with a small table, and the folder for its current one.
    pub fn yose(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("yose").expect("the program");
        command.current_dir(self.0.path()).env("YOSE_HASH", "1MiB").args(arguments);
        command
    }

    /// Runs the program.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.yose(arguments))
    }

    /// Runs the program on a text.
    pub fn run_on(&self, arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
        let mut command = self.yose(arguments);
        command.write_stdin(input);
        Ran::of(command)
    }
}

/// What a run of the program gave.
#[derive(Debug)]
pub struct Ran {
    pub out: String,
    pub err: String,
    pub status: i32,
}

impl Ran {
    fn of(mut command: Command) -> Ran {
        let output = command.output().expect("the program runs");
        Ran {
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
            status: output.status.code().expect("no signal"),
        }
    }

    /// The CSV records as `id status score`.
    pub fn records(&self) -> Vec<String> {
        let mut reader = csv::Reader::from_reader(self.out.as_bytes());
        let records = reader.records().map(|record| {
            let record = record.expect("CSV");
            let words = [&record[0], &record[3], &record[4]].join(" ");
            words.trim_end().to_owned()
        });
        records.collect()
    }

    /// Checks the records, the exit status, and what standard error says.
    #[track_caller]
    pub fn expect(&self, records: &[&str], err: &str, status: i32) {
        assert_eq!(self.records(), records, "{self:#?}");
        assert_eq!(self.err, err, "{self:#?}");
        assert_eq!(self.status, status, "{self:#?}");
    }
}

//! What the tests of the program share: positions with known scores, a folder to work in, the
//! program itself.

// Each test file uses its own part of this.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;
use yose::othello::{Colour, Diagram, Position, Square};

/// FFO 20: 6 empties, and the published score of every move.
pub const FFO_20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;";
/// FFO 20 as a plain position.
pub const PLAIN: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// X must pass, then O plays a1 and wins all.
pub const PASS: &str = "-XXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X";
/// Nobody has a move; X has won by a wipeout.
pub const OVER: &str = "XXXXXXXX-------------------------------------------------------- X";

/// FFO 77: 34 empties. It takes hours.
pub const HARD: &str = "--O-OX--X-OOO---XXOOO---XXOXOOOO-OOOOO--O-X-O-----OX------------ X";

/// The program under test: that of this build, or another one.
pub fn program() -> PathBuf {
    other_program().unwrap_or_else(|| assert_cmd::cargo::cargo_bin!("yose").to_path_buf())
}

/// The file that `YOSE_TEST_PROGRAM` names, such as a released program; `None` without one.
pub fn other_program() -> Option<PathBuf> {
    let name = std::env::var_os("YOSE_TEST_PROGRAM").filter(|name| !name.is_empty())?;
    Some(std::path::absolute(name).expect("a path"))
}

/// Positions with this many empties that come about when moves are chosen at random, one on each
/// line.
pub fn random_list(count: usize, empties: RangeInclusive<u32>, seed: u64) -> Vec<String> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut list = Vec::with_capacity(count);
    while list.len() < count {
        let wanted = rng.random_range(empties.clone());
        let mut position = Position::START;
        let mut to_move = Colour::Black;
        while position.empties().count() > wanted && !position.is_over() {
            let moves: Vec<Square> = position.moves().into_iter().collect();
            position = match moves.as_slice() {
                [] => position.passed(),
                moves => {
                    position.play(moves[rng.random_range(0..moves.len())]).expect("a legal move")
                }
            };
            to_move = to_move.other();
        }
        if position.empties().count() == wanted {
            list.push(Diagram { position, to_move }.to_string());
        }
    }
    list
}

/// The fields of a CSV in one of its columns.
pub fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header");
    let at = header.iter().position(|own| own == name).expect("the column");
    reader.records().map(|record| record.expect("CSV")[at].to_owned()).collect()
}

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
        let mut command = Command::new(program());
        command.current_dir(self.0.path()).env("YOSE_HASH", "1MiB").args(arguments);
        command
    }

    /// Starts the program with pipes, to be looked after by the caller.
    pub fn start(&self, arguments: &[&str]) -> Running {
        let mut command = std::process::Command::new(program());
        command.current_dir(self.0.path()).env("YOSE_HASH", "1MiB").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(command.spawn().expect("the program"))
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

/// The program while it runs. It ends with this.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Sends a signal, such as `INT`.
    pub fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        let sent =
            std::process::Command::new("kill").args(["-s", name, &id]).status().expect("kill");
        assert!(sent.success(), "{name} to {id}");
    }

    /// Waits for its end, but not for ever: a program that hangs is ended, and the test fails.
    #[track_caller]
    pub fn end(mut self, within: Duration) -> Ran {
        let read = |mut pipe: Box<dyn std::io::Read + Send>| {
            std::thread::spawn(move || {
                let mut text = String::new();
                pipe.read_to_string(&mut text).map(|_| text)
            })
        };
        let out = self.0.stdout.take().map(|pipe| read(Box::new(pipe)));
        let err = self.0.stderr.take().map(|pipe| read(Box::new(pipe)));
        let status = self.wait(within);
        let text = |reader: Option<std::thread::JoinHandle<std::io::Result<String>>>| {
            reader
                .map_or_else(String::new, |reader| reader.join().expect("no panic").expect("UTF-8"))
        };
        Ran { out: text(out), err: text(err), status }
    }

    /// The exit status, -1 if a signal has ended it.
    #[track_caller]
    pub fn wait(&mut self, within: Duration) -> i32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("its state") {
                return status.code().unwrap_or(-1);
            }
            assert!(start.elapsed() < within, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
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
    pub fn of(mut command: Command) -> Ran {
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

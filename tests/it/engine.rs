//! `yose engine`: dialogues as the documents of the protocols have them, interrupted searches,
//! wrong input, and exact scores against those of the shipped suite.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::common::{Folder, HARD, Ran, Running};

/// More than any answer takes, also on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine under way.
struct Dialogue {
    running: Running,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    fn start(arguments: &[&str]) -> Dialogue {
        let mut running = Folder::new().start(&[&["engine", "-t", "1"], arguments].concat());
        let input = running.0.stdin.take();
        let output = BufReader::new(running.0.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
        Dialogue { running, input, lines }
    }

    fn send(&mut self, text: &str) {
        self.input.as_mut().expect("an open input").write_all(text.as_bytes()).expect("a pipe");
    }

    /// The next line that is no statistics.
    #[track_caller]
    fn line(&mut self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
            if !line.starts_with("nodestats ") {
                return line;
            }
        }
    }

    /// The lines up to the first one that `is_last`.
    #[track_caller]
    fn lines_to(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.last().is_none_or(|line: &String| !is_last(line)) {
            lines.push(self.line());
        }
        lines
    }

    /// Ends the input. Returns the exit status, and the lines that were not read.
    #[track_caller]
    fn end(mut self) -> (i32, Vec<String>) {
        drop(self.input.take());
        let status = self.running.wait(PATIENCE);
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the output stays open"),
            }
        }
        (status, rest)
    }
}

/// Whether a line is the expected one. `*` stands for any characters but blanks.
fn agrees(expected: &str, line: &str) -> bool {
    let word = |expected: &str, word: &str| match expected.split_once('*') {
        Some((start, end)) => {
            word.len() >= start.len() + end.len() && word.starts_with(start) && word.ends_with(end)
        }
        None => expected == word,
    };
    let (expected, line): (Vec<&str>, Vec<&str>) =
        (expected.split(' ').collect(), line.split(' ').collect());
    expected.len() == line.len() && expected.iter().zip(line).all(|(one, other)| word(one, other))
}

/// Replays the transcripts whose names begin with that of the protocol.
fn replay(protocol: &str, expected: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut replayed = 0;
    for file in fs::read_dir(folder).expect("the transcripts") {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with(protocol) {
            continue;
        }
        for end in ["\n", "\r\n"] {
            let mut dialogue = Dialogue::start(&["--protocol", protocol]);
            for (number, line) in fs::read_to_string(&path).expect("a text").lines().enumerate() {
                let place = format!("{name}:{}", number + 1);
                match line.split_at_checked(1) {
                    Some(("%", _)) => {}
                    Some((">", command)) => dialogue.send(&format!("{}{end}", command.trim())),
                    Some(("<", answer)) => {
                        let (answer, line) = (answer.trim(), dialogue.line());
                        assert!(
                            agrees(answer, line.trim()),
                            "{place}: expected {answer}, got {line}"
                        );
                    }
                    _ => panic!("{place}: a line begins with >, < or %"),
                }
            }
            assert_eq!(dialogue.end(), (0, Vec::new()), "{name}");
        }
        replayed += 1;
    }
    assert_eq!(replayed, expected);
}

/// A position of the suite: the squares, the side, and the score of each move, best first.
type Solved = (String, String, Vec<(String, i32)>);

/// Positions of the suite.
fn suite() -> Vec<Solved> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("positions/ffo-20-39.obf");
    let text = fs::read_to_string(path).expect("the suite");
    let positions = text.lines().filter(|line| !line.starts_with('%')).map(|line| {
        let mut parts = line.split(';').map(str::trim);
        let (board, side) = parts.next().and_then(|it| it.split_once(' ')).expect("a position");
        let moves = parts.filter_map(|part| {
            let (square, score) = part.split_once(':')?;
            Some((square.to_owned(), score.parse().ok()?))
        });
        (board.to_owned(), side.to_owned(), moves.collect())
    });
    // More empties take longer than a test should.
    positions.take(4).collect()
}

#[test]
fn nboard_transcripts() {
    replay("nboard", 3);
}

#[test]
fn gtp_transcripts() {
    replay("gtp", 3);
}

#[test]
fn gtp_hints_have_the_scores_of_the_suite() {
    let mut dialogue = Dialogue::start(&["--protocol", "gtp"]);
    for (board, side, moves) in suite() {
        for count in [moves.len(), 2] {
            dialogue.send(&format!("yose-position {board} {side}\n1 yose-hint {count}\n"));
            assert_eq!((dialogue.line(), dialogue.line()), ("=".to_owned(), String::new()));
            let lines = dialogue.lines_to(str::is_empty);
            let wanted = count.min(moves.len());
            assert_eq!(lines.len(), wanted + 1, "{board}: {lines:?}");
            let first = lines[0].strip_prefix("=1 ").expect("a result");
            let lines = [first].into_iter().chain(lines[1..wanted].iter().map(String::as_str));
            for (line, (_, best)) in lines.zip(&moves) {
                let words: Vec<&str> = line.split(' ').collect();
                let score: i32 = words[1].parse().expect("a score");
                assert_eq!((score, words[2], words[3]), (*best, "exact", words[0]), "{board}");
                assert!(moves.contains(&(words[0].to_owned(), score)), "{board}: {line}");
            }
        }
    }
    assert_eq!(dialogue.end(), (0, Vec::new()));
}

#[test]
fn gtp_plays_a_game_on_a_short_clock() {
    let mut dialogue = Dialogue::start(&["--protocol", "gtp", "--exact-empties", "12"]);
    dialogue.send("time_settings 1 0 0\n");
    assert_eq!((dialogue.line(), dialogue.line()), ("=".to_owned(), String::new()));
    let (mut side, mut passes, mut moves) = ("black", 0, 0);
    while passes < 2 {
        dialogue.send(&format!("genmove {side}\n"));
        let answer = dialogue.line();
        assert!(answer.starts_with("= ") && dialogue.line().is_empty(), "{answer}");
        passes = if answer == "= pass" { passes + 1 } else { 0 };
        side = if side == "black" { "white" } else { "black" };
        moves += usize::from(passes == 0);
    }
    assert!(moves >= 9, "no game is shorter");
    dialogue.send("yose-hint\n");
    assert_eq!(dialogue.line(), "? the game is over");
    let (status, rest) = dialogue.end();
    assert_eq!((status, rest), (0, vec![String::new()]));
}

#[test]
fn nboard_hints_have_the_scores_of_the_suite() {
    let mut dialogue = Dialogue::start(&["--protocol", "nboard"]);
    for (board, side, moves) in suite() {
        let game = format!("(;GM[Othello]BO[8 {board} {side}];)");
        for count in [moves.len(), 2] {
            dialogue.send(&format!("set game {game}\nhint {count}\n"));
            let lines = dialogue.lines_to(|line| line == "status Yose is waiting");
            let words: Vec<Vec<&str>> = lines.iter().map(|it| it.split(' ').collect()).collect();
            let exact: Vec<(&str, i32)> = words
                .iter()
                .filter(|words| words[0] == "search" && words[4] == "100%")
                .map(|words| (&words[1][..2], words[2].parse::<f64>().expect("a value") as i32))
                .collect();
            // The best ones are among those that are reported. All that is reported is true.
            let wanted = count.min(moves.len());
            assert!(exact.len() >= wanted, "{board}: {exact:?}");
            for (square, score) in &exact {
                assert!(moves.contains(&((*square).to_owned(), *score)), "{board}: {square}");
            }
            let mut scores: Vec<i32> = exact.iter().map(|&(_, score)| score).collect();
            scores.sort_by(|a, b| b.cmp(a));
            let best: Vec<i32> = moves.iter().map(|&(_, score)| score).take(wanted).collect();
            assert_eq!(&scores[..wanted], best, "{board}");
            // Before them only guesses, each marked as one.
            for words in words.iter().filter(|words| words[0] == "search" && words[4] != "100%") {
                assert_eq!((words[4].parse::<u32>().is_ok(), words[5]), (true, "guess"));
            }
        }
    }
    assert_eq!(dialogue.end(), (0, Vec::new()));
}

#[test]
fn a_command_ends_a_search_at_once() {
    let mut dialogue = Dialogue::start(&["--protocol", "nboard", "--exact-empties", "60"]);
    let game = format!("set game (;GM[Othello]BO[8 {HARD}];)\n");
    let is_guess = |line: &str| line.starts_with("search ");
    for (number, command) in ["hint 9", "analyze", "go"].iter().enumerate() {
        // The whole search takes hours, for `go` ten seconds.
        dialogue.send(&format!("{game}{command}\n"));
        let first = dialogue.line();
        assert!(first.starts_with("status Yose is "), "{first}");
        if *command == "hint 9" {
            dialogue.lines_to(is_guess);
        }
        let begun = Instant::now();
        dialogue.send(&format!("unknown\n\nping {number}\n"));
        let lines = dialogue.lines_to(|line| line == format!("pong {number}"));
        assert!(begun.elapsed() < Duration::from_secs(8), "{command}: {:?}", begun.elapsed());
        assert!(lines.iter().all(|line| is_guess(line) || line.starts_with("pong")), "{lines:?}");
    }
    // Nothing comes after the answer to a ping.
    dialogue.send(&format!("{game}hint 9\nset game (;GM[Othello];)\nping 7\nhint 1\nquit\n"));
    let lines = dialogue.lines_to(|line| line == "pong 7");
    assert!(!lines.iter().any(|line| line.starts_with("===")), "{lines:?}");
    let (status, rest) = dialogue.end();
    assert_eq!(status, 0);
    assert!(!rest.iter().any(|line| line.contains("100%")), "{rest:?}");
}

#[test]
fn the_end_of_the_input_ends_no_search() {
    let text = "nboard 2\nset game (;GM[Othello]BO[8 \
                ***O****O*******OO******OOO*****OOO**OO-OOOOO---OOOOOOO-OOOOOOO- *];)\nhint 1";
    let Ran { out, err, status } =
        Folder::new().run_on(&["engine", "--protocol", "nboard", "-t1"], text);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("\nsearch H5 6.00 0 100% exact\n"), "{out}");
    assert!(out.ends_with("status Yose is waiting\n"), "{out}");
}

#[test]
fn a_move_is_played_in_time_and_marked_as_a_guess() {
    let mut dialogue =
        Dialogue::start(&["--protocol", "nboard", "--exact-empties", "60", "--move-time", "50ms"]);
    dialogue.send(&format!("set game (;GM[Othello]BO[8 {HARD}];)\ngo\n"));
    let lines = dialogue.lines_to(|line| line.starts_with("status Yose is waiting"));
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[1].starts_with("search ") && lines[1].ends_with(" guess"), "{lines:?}");
    assert_eq!(lines[2].split(['/', ' ']).nth(1), lines[1].split(' ').nth(1), "{lines:?}");
    assert!(lines[2].starts_with("=== "), "{lines:?}");
    assert_eq!(dialogue.end(), (0, Vec::new()));
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let input = [
        b"\xff\xfe\0\x1b[2J\n\r\r\n\rping 1\n".to_vec(),
        b"x".repeat(1 << 20),
        b"\nset game ".to_vec(),
        b"(".repeat(1 << 20),
        b"\nping 2\r\r\nhint 3".to_vec(),
    ]
    .concat();
    let start = ["engine", "-t1", "--protocol"];
    let Ran { out, err, status } =
        Folder::new().run_on(&[&start[..], &["nboard"]].concat(), &input[..]);
    assert_eq!((status, err.as_str()), (0, ""));
    let lost = "status Yose: a line is too long; `set game` is needed";
    // One for the line, and one for the hint.
    assert_eq!(out, format!("pong 1\n{lost}\npong 2\n{lost}\n"));
    let Ran { out, err, status } = Folder::new().run_on(&[&start[..], &["gtp"]].concat(), input);
    assert_eq!((status, err.as_str()), (0, ""));
    let long = "? the line is too long\n\n";
    let unknown = "? unknown command\n\n";
    assert_eq!(out, format!("{unknown}{unknown}{long}{long}{unknown}{unknown}"));
}

#[test]
#[cfg(unix)]
fn signals_and_closed_pipes_end_the_engine() {
    for (signal, status) in [("INT", 130), ("TERM", 75)] {
        let mut dialogue = Dialogue::start(&["--protocol", "nboard", "--exact-empties", "60"]);
        dialogue.send(&format!("set game (;GM[Othello]BO[8 {HARD}];)\nhint 9\n"));
        dialogue.lines_to(|line| line.starts_with("search "));
        dialogue.running.signal(signal);
        assert_eq!(dialogue.running.wait(PATIENCE), status, "{signal}");
    }
    // The other side is gone: a search that would take hours ends.
    let mut running =
        Folder::new().start(&["engine", "-t1", "--protocol", "nboard", "--exact-empties", "60"]);
    let mut input = running.0.stdin.take().expect("a pipe");
    let text = format!("set game (;GM[Othello]BO[8 {HARD}];)\nhint 9\n");
    input.write_all(text.as_bytes()).expect("a pipe");
    let mut output = BufReader::new(running.0.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("nodestats ") {
        line.clear();
        assert!(output.read_line(&mut line).expect("a line") > 0, "no statistics");
    }
    drop(output);
    let Ran { err, status, .. } = running.end(PATIENCE);
    assert_eq!((status, err.as_str()), (2, "yose: the output was closed\n"));
}

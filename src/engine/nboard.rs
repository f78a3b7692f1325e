//! The NBoard protocol, version 2.
//!
//! Source: C. Welty, "NBoard Protocol",
//! <https://github.com/weltyc/ntest/blob/master/instructions/Protocol.htm>.
//!
//! | command | answer |
//! |---|---|
//! | `nboard N` | `set myname Yose` |
//! | `set game GGF`, `move M/E/T` | none: the position of all commands that follow |
//! | `set depth N`, `set contempt N` | none |
//! | `hint N` | a line `search` for each move |
//! | `go` | `=== MOVE/VALUE/SECONDS` |
//! | `analyze` | a line `analysis` for each position of the game |
//! | `ping N`, `learn` | `pong N`, `learned` |
//!
//! A value is in discs for the side to move, that of `analysis` for Black. The depth of a line
//! `search` is `100%` if the value is proven, and otherwise the number of plies of a guess.
//!
//! Every command that the engine understands ends the search under way, and that search gives no
//! answer any more. Other lines are ignored, as the protocol demands.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::game::Game;
use super::session::{Hint, Session, Value};
use super::{Answer, Next, Output};
use crate::othello::{Colour, Move, Position};
use crate::search::Limits;
use crate::solver::CancelToken;

/// The time between two lines `nodestats` while a search runs. If nobody reads them any more, the
/// search ends.
const STATISTICS_INTERVAL: Duration = Duration::from_secs(1);

/// What the engine does while it waits.
const WAITING: &str = "status Yose is waiting";

/// A command and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Command<'a> {
    NBoard,
    SetDepth(&'a str),
    SetContempt,
    SetGame(&'a str),
    Move(&'a str),
    Hint(&'a str),
    Go,
    Ping(&'a str),
    Learn,
    Analyze,
    Quit,
}

impl Command<'_> {
    /// The command of a line; `None` if the line has to be ignored.
    fn of(line: &str) -> Option<Command<'_>> {
        let (word, rest) = first_word(line);
        Some(match word {
            "nboard" => Command::NBoard,
            "set" => match first_word(rest) {
                ("depth", rest) => Command::SetDepth(rest),
                ("contempt", _) => Command::SetContempt,
                ("game", rest) => Command::SetGame(rest),
                _ => return None,
            },
            "move" => Command::Move(rest),
            "hint" => Command::Hint(rest),
            "go" => Command::Go,
            "ping" => Command::Ping(rest),
            "learn" => Command::Learn,
            "analyze" => Command::Analyze,
            "quit" => Command::Quit,
            // Version 1 of the protocol has moves without a word before them.
            word if rest.is_empty() && read_move(word).is_some() => Command::Move(word),
            _ => return None,
        })
    }
}

/// Whether a line ends the search under way.
pub(super) fn ends_search(line: &str) -> bool {
    Command::of(line).is_some()
}

/// The first word of a text, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// The move at the beginning of `MOVE/EVALUATION/SECONDS`.
fn read_move(text: &str) -> Option<Move> {
    text.split('/').next()?.trim().parse().ok()
}

/// The engine's side of a dialogue.
pub(super) struct Engine<'a, W> {
    session: Session,
    output: &'a Output<W>,
    /// The game, or why it is not certain.
    game: Result<Game, String>,
}

impl<W: Write + Send> Answer for Engine<'_, W> {
    fn line(&mut self, line: &str, cancel: &CancelToken) -> io::Result<Next> {
        let Some(command) = Command::of(line) else { return Ok(Next::Command) };
        let is_search = matches!(command, Command::Hint(_) | Command::Go | Command::Analyze);
        if is_search && cancel.is_cancelled() {
            return Ok(Next::Command);
        }
        match command {
            Command::NBoard => self.output.line("set myname Yose")?,
            Command::SetDepth(depth) => {
                self.session.depth = depth.parse().unwrap_or(self.session.depth);
            }
            // It is about draws in an opening book, which Yose does not have.
            Command::SetContempt => {}
            Command::SetGame(text) => self.set_game(text)?,
            Command::Move(text) => self.play(text)?,
            Command::Hint(count) => self.hint(count, cancel)?,
            Command::Go => self.go(cancel)?,
            Command::Ping(number) => self.output.line(format!("pong {number}").trim_end())?,
            Command::Learn => self.output.line("learned")?,
            Command::Analyze => self.analyze(cancel)?,
            Command::Quit => return Ok(Next::End),
        }
        Ok(Next::Command)
    }

    fn too_long(&mut self, start: &str) -> io::Result<Next> {
        // It may have been a game.
        if ends_search(start) {
            self.lose_game("a line is too long".to_owned())?;
        }
        Ok(Next::Command)
    }
}

impl<'a, W: Write + Send> Engine<'a, W> {
    pub(super) fn new(session: Session, output: &'a Output<W>) -> Engine<'a, W> {
        Engine { session, output, game: Ok(Game::default()) }
    }

    fn set_game(&mut self, text: &str) -> io::Result<()> {
        match Game::of_ggf(text.trim()) {
            Ok(game) => self.game = Ok(game),
            Err(error) => {
                let column = text[..error.offset.min(text.len())].chars().count() + 1;
                let message = format!(
                    "the game cannot be read: character {column}: {}; {}",
                    error.what, error.hint
                );
                self.lose_game(message)?;
            }
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> io::Result<()> {
        let Ok(game) = &mut self.game else { return Ok(()) };
        match read_move(text) {
            Some(mv) if game.play(mv) => Ok(()),
            _ => {
                let word: String = text.chars().take(20).collect();
                self.lose_game(format!("`{word}` is not a legal move"))
            }
        }
    }

    /// From now on the position is not that of the interface.
    fn lose_game(&mut self, why: String) -> io::Result<()> {
        let why: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.output.line(&format!("status Yose: {why}; `set game` is needed"))?;
        self.game = Err(why);
        Ok(())
    }

    /// The current position; `None`, with a message, if it is not certain.
    fn position(&self) -> io::Result<Option<Position>> {
        match &self.game {
            Ok(game) => Ok(Some(game.current().position)),
            Err(why) => {
                self.output.line(&format!("status Yose: {why}; `set game` is needed"))?;
                Ok(None)
            }
        }
    }

    fn hint(&mut self, count: &str, cancel: &CancelToken) -> io::Result<()> {
        let Some(position) = self.position()? else { return Ok(()) };
        if position.is_over() {
            return self.output.line("status Yose: the game is over");
        }
        let count = first_word(count).0.parse().unwrap_or(1).max(1);
        self.output.line("status Yose is thinking")?;
        let waiting = self.waiting(&position);
        self.search(cancel, &waiting, |session, output| {
            session.hints(&position, count, cancel, &mut |hints| {
                output.write(&hints.iter().fold(String::new(), |mut text, hint| {
                    let _ = writeln!(text, "{}", search_line(hint));
                    text
                }))
            })
        })
    }

    fn go(&mut self, cancel: &CancelToken) -> io::Result<()> {
        let Some(position) = self.position()? else { return Ok(()) };
        if position.is_over() {
            return self.output.line("=== PA");
        }
        let (begun, time) = (Instant::now(), self.session.settings().move_time);
        self.output.line("status Yose is thinking")?;
        self.search(cancel, WAITING, |session, output| {
            let Some((mv, value)) = session.best_move(&position, time, cancel) else {
                return Ok(());
            };
            let seconds = begun.elapsed().as_secs_f64();
            let answer = match value {
                None => format!("=== {}", name(mv)),
                Some(value) => {
                    let line = search_line(&Hint { value, line: vec![mv] });
                    format!("{line}\n=== {}/{:.2}/{seconds:.2}", name(mv), value.discs())
                }
            };
            output.line(&answer)
        })
    }

    /// Values of all positions of the game, the last one first.
    fn analyze(&mut self, cancel: &CancelToken) -> io::Result<()> {
        if self.position()?.is_none() {
            return Ok(());
        }
        let diagrams = self.game.as_ref().map_or_else(|_| Vec::new(), |it| it.diagrams().to_vec());
        self.output.line("status Yose is analyzing")?;
        let limit = self.session.settings().exact_empties;
        let waiting = format!("{WAITING}; values above {limit} empties are guesses");
        self.search(cancel, &waiting, |session, output| {
            for (made, diagram) in diagrams.iter().enumerate().rev() {
                let position = &diagram.position;
                let discs = if session.is_within_reach(position) {
                    let solution = session.solve(position, Limits::NONE, cancel);
                    solution.and_then(|it| it.score()).map(|score| f64::from(score.discs()))
                } else {
                    session.guess(position, cancel)
                };
                let Some(discs) = discs else { return Ok(()) };
                let black = if diagram.to_move == Colour::Black { discs } else { -discs };
                output.line(&format!("analysis {made} {black:.2}"))?;
            }
            Ok(())
        })
    }

    /// The status after a hint.
    fn waiting(&self, position: &Position) -> String {
        let (empties, limit) = (position.empties().count(), self.session.settings().exact_empties);
        if self.session.is_within_reach(position) {
            WAITING.to_owned()
        } else {
            format!("{WAITING}; {empties} empties are above {limit}, so the values are guesses")
        }
    }

    /// Runs a search, with lines `nodestats` while it lasts and after it, and with the status
    /// `waiting` at its end. If the search is cancelled, nothing is written after that.
    fn search(
        &mut self,
        cancel: &CancelToken,
        waiting: &str,
        run: impl FnOnce(&mut Session, &Output<W>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (begun, nodes) = (Instant::now(), self.session.restart_nodes());
        let (session, output) = (&mut self.session, self.output);
        let line = |nodes: &AtomicU64| {
            let seconds = begun.elapsed().as_secs_f64();
            format!("nodestats {} {seconds:.2}", nodes.load(Ordering::Relaxed))
        };
        thread::scope(|scope| {
            let (end, ended) = mpsc::channel::<()>();
            let (nodes, line) = (&nodes, &line);
            let statistics = scope.spawn(move || {
                while ended.recv_timeout(STATISTICS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    if !cancel.is_cancelled() {
                        output.line(&line(nodes)).inspect_err(|_| cancel.cancel())?;
                    }
                }
                Ok(())
            });
            let result = run(session, output);
            drop(end);
            result.and(statistics.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })?;
        if cancel.is_cancelled() {
            return Ok(());
        }
        output.line(&format!("{}\n{waiting}", line(&nodes)))
    }
}

/// A line that reports a hint.
fn search_line(hint: &Hint) -> String {
    let line = hint.line.iter().map(|&mv| name(mv)).collect::<Vec<_>>().join("-");
    let discs = hint.value.discs();
    match hint.value {
        Value::Exact(_) => format!("search {line} {discs:.2} 0 100% exact"),
        Value::Guess { depth, .. } => format!("search {line} {discs:.2} 0 {depth} guess"),
    }
}

/// The name of a move: `F5`, or `PA`.
fn name(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_end_searches() {
        for line in ["ping 3", " go ", "set depth 3", "set  game (;)", "f5", "PA", "quit", "move"] {
            assert!(ends_search(line), "{line}");
        }
        for line in ["", "   ", "PING 3", "hints 3", "set", "set colour red", "f9", "f5 d6", "é"] {
            assert!(!ends_search(line), "{line}");
        }
        assert_eq!(Command::of("set\tgame  (; ;)\r"), Some(Command::SetGame("(; ;)")));
        assert_eq!(read_move("F5/-1.5/0.2"), Some("f5".parse().expect("a move")));
        assert_eq!(read_move("f5d6"), None);
    }
}

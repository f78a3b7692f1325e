//! The Go Text Protocol, version 2, as engines use it for Othello.
//!
//! Source: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2" (2002),
//! <http://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>.
//!
//! A command is a line `[ID] NAME [ARGUMENTS]`. Its answer is `=[ID] RESULT`, or `?[ID] MESSAGE`
//! if it failed, and an empty line. Commands are answered in their order, and none ends the search
//! of another.
//!
//! # What is different from Go
//! - Squares have the names of Othello: a1 is in the upper left corner, as in Edax.
//! - Moves must be legal, so the colours take turns. A forced pass may be left out. After the end
//!   of the game both sides may pass.
//! - `komi` has no effect.
//!
//! # Commands of Yose
//! | command | result |
//! |---|---|
//! | `yose-position BOARD SIDE` | none: the board is set up |
//! | `yose-hint [N]` | a line for each of the best N moves: square, value, `exact` or `guess` |
//! | `yose-solve` | the exact score, and perfect play of both sides |

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::game::Game;
use super::session::{Hint, Session, Value};
use super::{Answer, Next, Output};
use crate::othello::{Colour, Diagram, Move, Square};
use crate::search::Limits;
use crate::solver::CancelToken;

/// The commands, in the order of `list_commands`.
const COMMANDS: [&str; 21] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "set_game",
    "list_games",
    "yose-position",
    "yose-hint",
    "yose-solve",
];

/// A result, or the message of a failure.
type Reply = Result<String, String>;

/// The failure of a command whose arguments are not what it takes.
fn syntax_error<T>() -> Result<T, String> {
    Err("syntax error".to_owned())
}

/// The engine's side of a dialogue.
pub(super) struct Engine<'a, W> {
    session: Session,
    output: &'a Output<W>,
    game: Game,
    clocks: Clocks,
}

impl<W: Write + Send> Answer for Engine<'_, W> {
    fn line(&mut self, line: &str, cancel: &CancelToken) -> io::Result<Next> {
        let line = Line::of(line);
        let Some(&name) = line.words.first() else {
            return match line.id {
                "" => Ok(Next::Command),
                id => self.reply(id, &syntax_error()),
            };
        };
        let reply = self.answer(name, &line.words[1..], cancel);
        let next = self.reply(line.id, &reply)?;
        Ok(if name == "quit" { Next::End } else { next })
    }

    fn too_long(&mut self, start: &str) -> io::Result<Next> {
        self.reply(Line::of(start).id, &Err("the line is too long".to_owned()))
    }
}

impl<'a, W: Write + Send> Engine<'a, W> {
    pub(super) fn new(session: Session, output: &'a Output<W>) -> Engine<'a, W> {
        Engine { session, output, game: Game::default(), clocks: Clocks::default() }
    }

    fn reply(&self, id: &str, reply: &Reply) -> io::Result<Next> {
        let (mark, text) = match reply {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        // A result of several lines, such as a board, may begin on the next one.
        let gap = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        self.output.write(&format!("{mark}{id}{gap}{text}\n\n"))?;
        Ok(Next::Command)
    }

    fn answer(&mut self, name: &str, arguments: &[&str], cancel: &CancelToken) -> Reply {
        match (name, arguments) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Yose".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => Ok(String::new()),
            ("boardsize", [size, ..]) => match size.parse() {
                Ok(8_u32) => Ok(String::new()),
                Ok(_) => Err("unacceptable size".to_owned()),
                Err(_) => syntax_error(),
            },
            ("clear_board", _) => self.set_game(Game::default()),
            ("komi", [komi, ..]) => match komi.parse::<f64>() {
                Ok(_) => Ok(String::new()),
                Err(_) => syntax_error(),
            },
            ("play", [side, vertex, ..]) => self.play(colour(side)?, vertex),
            ("genmove", [side, ..]) => self.generate(colour(side)?, cancel, true),
            ("reg_genmove", [side, ..]) => self.generate(colour(side)?, cancel, false),
            ("undo", _) if self.game.undo() => Ok(String::new()),
            ("undo", _) => Err("cannot undo".to_owned()),
            ("showboard", _) => Ok(board(&self.game.current())),
            ("time_settings", [main, period, stones, ..]) => {
                self.clocks = Clocks::of(seconds(main)?, seconds(period)?, count(stones)?);
                Ok(String::new())
            }
            ("time_left", [side, time, stones, ..]) => {
                *self.clocks.of_side(colour(side)?) =
                    Some(Clock { left: seconds(time)?, stones: count(stones)? });
                Ok(String::new())
            }
            ("set_game", [game, ..]) => {
                if game.eq_ignore_ascii_case("othello") {
                    self.set_game(Game::default())
                } else {
                    Err("unsupported game".to_owned())
                }
            }
            ("list_games", _) => Ok("Othello".to_owned()),
            ("yose-position", board) => match board.join(" ").parse::<Diagram>() {
                Ok(diagram) => self.set_game(Game::at(diagram)),
                Err(error) => Err(error.to_string()),
            },
            ("yose-hint", []) => self.hint(usize::MAX, cancel),
            ("yose-hint", [number, ..]) => match number.parse() {
                Ok(0) | Err(_) => syntax_error(),
                Ok(number) => self.hint(number, cancel),
            },
            ("yose-solve", _) => self.solve(cancel),
            (name, _) if COMMANDS.contains(&name) => syntax_error(),
            _ => Err("unknown command".to_owned()),
        }
    }

    fn set_game(&mut self, game: Game) -> Reply {
        self.game = game;
        Ok(String::new())
    }

    fn play(&mut self, side: Colour, vertex: &str) -> Reply {
        let Ok(mv) = vertex.parse() else { return syntax_error() };
        let is_over = self.game.current().position.is_over();
        if mv == Move::Pass && is_over {
            self.game.pass_after_the_end();
            return Ok(String::new());
        }
        let legal = match mv {
            Move::Place(_) => self.may_move(side) && self.game.play(mv),
            Move::Pass => side == self.game.current().to_move && self.game.play(mv),
        };
        if legal { Ok(String::new()) } else { Err("illegal move".to_owned()) }
    }

    /// Whether this side places the next disc.
    fn may_move(&self, side: Colour) -> bool {
        let current = self.game.current();
        side == current.make(Move::Pass).unwrap_or(current).to_move
    }

    fn generate(&mut self, side: Colour, cancel: &CancelToken, play: bool) -> Reply {
        let current = self.game.current();
        if current.position.is_over() {
            if play {
                self.game.pass_after_the_end();
            }
            return Ok("pass".to_owned());
        }
        let after_pass = current.make(Move::Pass).filter(|passed| passed.to_move == side);
        let diagram = after_pass.unwrap_or(current);
        if diagram.to_move != side {
            return Err("wrong color".to_owned());
        }
        let begun = Instant::now();
        let empties = diagram.position.empties().count();
        let clock = self.clocks.of_side(side);
        let time = self.session.settings().move_time.min(Clock::for_move(*clock, empties));
        let chosen = self.session.best_move(&diagram.position, time, cancel);
        if let Some(clock) = self.clocks.of_side(side) {
            clock.left = clock.left.saturating_sub(begun.elapsed());
        }
        let Some((mv, _)) = chosen else { return Err("interrupted".to_owned()) };
        if play {
            let legal = self.game.play(mv);
            debug_assert!(legal, "{mv} in {diagram}");
        }
        Ok(name(mv))
    }

    fn hint(&mut self, number: usize, cancel: &CancelToken) -> Reply {
        let position = self.game.current().position;
        if position.is_over() {
            return Err("the game is over".to_owned());
        }
        let mut hints: Vec<Hint> = Vec::new();
        // The report of a text cannot fail.
        let _ = self.session.hints(&position, number, cancel, &mut |new| {
            let is_exact = |hints: &[Hint]| {
                hints.first().is_some_and(|hint| matches!(hint.value, Value::Exact(_)))
            };
            if !is_exact(&hints) || !is_exact(new) {
                hints.clear();
            }
            hints.extend_from_slice(new);
            Ok(())
        });
        if cancel.is_cancelled() {
            return Err("interrupted".to_owned());
        }
        hints.sort_by(|a, b| b.value.discs().total_cmp(&a.value.discs()));
        hints.truncate(number);
        let lines: Vec<String> = hints.iter().map(hint_line).collect();
        Ok(lines.join("\n"))
    }

    fn solve(&mut self, cancel: &CancelToken) -> Reply {
        let position = self.game.current().position;
        if !self.session.is_within_reach(&position) {
            return Err(format!(
                "{} empties are more than the {} that are solved",
                position.empties().count(),
                self.session.settings().exact_empties
            ));
        }
        let solution = self.session.solve(&position, Limits::NONE, cancel);
        let Some((solution, score)) = solution.and_then(|it| it.score().map(|score| (it, score)))
        else {
            return Err("interrupted".to_owned());
        };
        Ok(with_line(score.to_string(), &solution.pv))
    }
}

/// A line without control characters and comment: its number, if it has one, and its words.
struct Line<'a> {
    id: &'a str,
    words: Vec<&'a str>,
}

impl Line<'_> {
    fn of(line: &str) -> Line<'_> {
        let text = line.split('#').next().unwrap_or(line);
        // The specification discards control characters. They separate words here, which makes a
        // difference only inside a word.
        let is_gap = |c: char| c == ' ' || c.is_control();
        let mut words: Vec<&str> = text.split(is_gap).filter(|word| !word.is_empty()).collect();
        let has_id =
            words.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let id = if has_id { words.remove(0) } else { "" };
        Line { id, words }
    }
}

/// The time of both sides; `None` without a limit.
#[derive(Clone, Copy, Default, Debug)]
struct Clocks {
    black: Option<Clock>,
    white: Option<Clock>,
}

/// The time of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Clock {
    left: Duration,
    /// The number of moves for which the time is; 0: for the rest of the game.
    stones: u32,
}

impl Clocks {
    /// The clocks of a new game: the main time, then periods of overtime for a number of moves. A
    /// period for no moves means that there is no limit.
    fn of(main: Duration, period: Duration, stones: u32) -> Clocks {
        let clock = match (main.is_zero(), period.is_zero(), stones) {
            (_, false, 0) => None,
            (true, false, stones) => Some(Clock { left: period, stones }),
            _ => Some(Clock { left: main, stones: 0 }),
        };
        Clocks { black: clock, white: clock }
    }

    fn of_side(&mut self, side: Colour) -> &mut Option<Clock> {
        match side {
            Colour::Black => &mut self.black,
            Colour::White => &mut self.white,
        }
    }
}

impl Clock {
    /// The time for the next move, with this number of empties. A part is kept for delays.
    fn for_move(clock: Option<Clock>, empties: u32) -> Duration {
        let Some(Clock { left, stones }) = clock else { return Duration::MAX };
        let moves = if stones > 0 { stones } else { empties.div_ceil(2) + 1 };
        left.mul_f64(0.9) / moves
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse().map(|seconds: u32| Duration::from_secs(seconds.into())).or_else(|_| syntax_error())
}

fn count(text: &str) -> Result<u32, String> {
    text.parse().or_else(|_| syntax_error())
}

/// The colour of `b`, `black`, `w` or `white`, in either case.
fn colour(text: &str) -> Result<Colour, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Colour::Black),
        "w" | "white" => Ok(Colour::White),
        _ => syntax_error(),
    }
}

/// The name of a move: `F5`, or `pass`.
fn name(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "pass".to_owned(),
    }
}

/// A value, and moves after it.
fn with_line(mut text: String, line: &[Move]) -> String {
    line.iter().for_each(|&mv| {
        let _ = write!(text, " {}", name(mv));
    });
    text
}

fn hint_line(hint: &Hint) -> String {
    let mv = name(hint.mv());
    match hint.value {
        Value::Exact(score) => with_line(format!("{mv} {score} exact"), &hint.line),
        Value::Guess { discs, depth } => format!("{mv} {discs:+.2} guess depth {depth}"),
    }
}

/// The board in lines, none of which is empty.
fn board(diagram: &Diagram) -> String {
    let mut text = "\n  A B C D E F G H".to_owned();
    for square in Square::all() {
        if square.file() == 0 {
            let _ = write!(text, "\n{}", square.rank() + 1);
        }
        let _ = write!(text, " {}", diagram.symbol(square));
    }
    let _ = write!(text, "\n{} to move", diagram.to_move);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_number_and_words() {
        let line = Line::of(" 12\tplay  b\u{0} F5\r # comment");
        assert_eq!((line.id, &line.words[..]), ("12", &["play", "b", "F5"][..]));
        for empty in ["", "  ", "# play", "\t\r"] {
            let line = Line::of(empty);
            assert!(line.id.is_empty() && line.words.is_empty(), "{empty:?}");
        }
        assert_eq!(Line::of("7").id, "7");
        assert_eq!(Line::of("7up").words, ["7up"]);
    }

    #[test]
    fn the_time_of_a_move_is_a_part_of_what_is_left() {
        let second = Duration::from_secs(1);
        let time = |clocks: Clocks, empties| Clock::for_move(clocks.black, empties);
        assert_eq!(time(Clocks::default(), 30), Duration::MAX);
        assert_eq!(time(Clocks::of(second, second, 0), 30), Duration::MAX);
        assert_eq!(time(Clocks::of(20 * second, Duration::ZERO, 0), 18), 18 * second / 10);
        assert_eq!(time(Clocks::of(Duration::ZERO, 10 * second, 5), 60), 9 * second / 5);
        assert_eq!(time(Clocks::of(Duration::ZERO, Duration::ZERO, 0), 60), Duration::ZERO);
    }
}

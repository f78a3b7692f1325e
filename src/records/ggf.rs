//! GGF, the Generic Game Format in which the servers GGS and PlayOK, and the programs that play
//! there, keep their games.
//!
//! ```text
//! (;GM[Othello]PC[GGS/os]PB[a]PW[b]TY[8]RE[+4.000]BO[8 -------- ... *]B[d3//0.01]W[c5/-1.5/2];)
//! ```
//!
//! A game stands between `(;` and `;)` and is a list of properties `NAME[value]`. What matters here
//! is `BO`, the board that it begins from with the side to move, and the moves:
//! `B[move/evaluation/seconds]` and `W[...]`. All other properties are skipped: evaluations are
//! guesses, and the result `RE` is not told in one way by all servers.
//!
//! `Cutter` cuts a file into games, `read` reads one. The position that a game gives is its last
//! one, if no other is asked for.
//!
//! # The reader is relaxed
//! - A game may be spread over lines; several may stand in one line, behind their number (`2
//!   (;...;)(;...;)`, as the two games of a synchro match do). Properties may come in any order. A
//!   comment may stand between games, after a `%`.
//! - Without `BO` a game begins from the start position. With it, from any board and with either
//!   side to move.
//! - Of a move, the evaluation and the time may be missing. Letters may have either case; a pass is
//!   `PA`, `PS`, `pass` or `--`, and may be left out.
//!
//! # And it is strict
//! - Boards of another size (`TY[10]`, `BO[10 ...]`) and games other than Othello are told as such.
//! - A move must be its colour's turn, and legal.
//! - A game that does not end, because a bracket is open or the next one begins, is an error and
//!   costs that game.

use crate::othello::{Colour, Diagram, Move};

use super::game::{Game, Ply};
use super::line::LONGEST;
use super::problem::LineError;
use super::text::{column_of, shortened};

/// Whether a line looks as if a game began in it.
pub(super) fn looks_like(line: &str) -> bool {
    line.trim_ascii_start()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_ascii_start()
        .starts_with("(;")
}

/// Reads one game, from `(;` to `;)`.
///
/// # Errors
/// With what is malformed, not legal, or no Othello on 8x8 squares.
pub(super) fn read(text: &str) -> Result<Game, LineError> {
    let (mut start, mut plies) = (None, Vec::new());
    let mut at = "(;".len();
    loop {
        at = text.len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest == ";)" {
            return Game::play(start.unwrap_or(Diagram::START), &plies);
        }
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let value = rest[name.len()..].strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let Some((value, _)) = value.filter(|_| !name.is_empty()) else {
            let what = format!(
                "`{}` is no property",
                shortened(rest.split_whitespace().next().unwrap_or(""))
            );
            return Err(LineError::new(
                at,
                what,
                "a game is a list such as BO[...]B[d3]W[c5], and ends with ;)",
            ));
        };
        let offset = at + name.len() + 1;
        at = offset + value.len() + 1;
        match name {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                let what = format!("this is a game of `{}`", shortened(value));
                return Err(LineError::new(offset, what, "only Othello is read"));
            }
            "TY" => {
                check_size(value.trim_start_matches(|c: char| c.is_ascii_alphabetic()), offset)?
            }
            "BO" if start.is_some() => {
                return Err(LineError::new(offset, "a second board", "a game has one BO"));
            }
            "BO" => start = Some(read_board(value, offset)?),
            "B" => plies.push(read_move(value, Colour::Black, offset)?),
            "W" => plies.push(read_move(value, Colour::White, offset)?),
            _ => {}
        }
    }
}

/// Checks the number with which a board or the type of a game begins.
fn check_size(text: &str, offset: usize) -> Result<(), LineError> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match &text[..digits] {
        "" | "8" => Ok(()),
        size => Err(LineError::new(
            offset,
            format!("the board has {0}x{0} squares", shortened(size)),
            "only 8x8 is read",
        )),
    }
}

/// The value of `BO`: the size, the squares and the side to move.
fn read_board(value: &str, offset: usize) -> Result<Diagram, LineError> {
    check_size(value.trim_start(), offset)?;
    let board = value.trim_start().strip_prefix('8').ok_or_else(|| {
        LineError::new(
            offset,
            "the board has no size",
            "a board is `8`, 64 squares of *, O and -, then the side to move, * or O",
        )
    })?;
    let start = offset + value.len() - board.len();
    let (diagram, end) =
        Diagram::read(board, None).map_err(|error| LineError::from(error).within(start))?;
    let tail = board[end..].trim_start();
    if tail.is_empty() {
        Ok(diagram)
    } else {
        let what = "something follows the side to move";
        Err(LineError::new(
            start + board.len() - tail.len(),
            what,
            "a board is `8`, 64 squares, and one side to move",
        ))
    }
}

/// The value of `B` or `W`: a move, and what its player thought of it.
fn read_move(value: &str, by: Colour, offset: usize) -> Result<Ply, LineError> {
    let word = value.split('/').next().unwrap_or(value).trim();
    let mv: Move = word.parse().map_err(|_| {
        let hint = "a move is B[d3], or B[d3/evaluation/seconds]; a pass is B[PA]";
        LineError::new(offset, format!("`{}` is not a move", shortened(word)), hint)
    })?;
    Ok(Ply { mv, by: Some(by), offset })
}

/// Cuts lines into games.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// The game that has begun: its text so far. Empty outside a game.
    text: String,
    /// The line and the column at which it begins.
    line: u64,
    column: usize,
    /// Whether a bracket is open at the end of the text.
    in_value: bool,
    /// Whether all is skipped until a game begins, as the last one went on and on.
    lost: bool,
}

/// What a [`Cutter`] finds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The line in which it begins.
    pub line: u64,
    /// The game, or why there is none.
    pub game: Result<Game, CutError>,
}

/// An error with its own line, as a game may have many.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CutError {
    pub line: u64,
    pub column: usize,
    pub error: LineError,
}

impl Cutter {
    /// Whether a game has begun and not ended, so that the next line belongs to it.
    pub fn is_open(&self) -> bool {
        self.lost || !self.text.is_empty()
    }

    /// Takes the next line, and gives the games that end in it.
    pub fn take(&mut self, number: u64, line: &str) -> Vec<Cut> {
        let mut cuts = Vec::new();
        let mut at = 0;
        // A line that begins a game does so even if the last one has no end.
        if self.is_open() && looks_like(line) {
            cuts.extend(self.end());
        }
        loop {
            if self.lost {
                match line.find("(;") {
                    None => return cuts,
                    Some(start) => (at, self.lost) = (start, false),
                }
            }
            if self.text.is_empty() {
                let rest = line[at..].trim_start();
                if rest.is_empty() || rest.starts_with('%') {
                    return cuts;
                }
                at = line.len() - rest.len();
                if !looks_like(rest) {
                    let error =
                        LineError::new(at, "something stands between games", "a game is `(;...;)`");
                    cuts.push(broken(number, column_of(line, at), error));
                    return cuts;
                }
                at += rest.find("(;").unwrap_or(0);
                (self.line, self.column, self.in_value) = (number, column_of(line, at), false);
                self.text.push_str("(;");
                at += "(;".len();
            }
            match self.end_of_game(&line[at..]) {
                Some(length) => {
                    self.text.push_str(&line[at..at + length]);
                    at += length;
                    cuts.push(self.cut());
                }
                None => {
                    self.text.push_str(&line[at..]);
                    self.text.push('\n');
                    if self.text.len() > LONGEST {
                        let what = format!("the game is longer than {LONGEST} bytes");
                        cuts.push(broken(
                            self.line,
                            self.column,
                            LineError::new(0, what, "a game ends with ;)"),
                        ));
                        self.text.clear();
                        self.lost = true;
                    }
                    return cuts;
                }
            }
        }
    }

    /// The end of the file: a game that has begun is not whole.
    pub fn end(&mut self) -> Option<Cut> {
        self.lost = false;
        let unfinished = !std::mem::take(&mut self.text).is_empty();
        let error = || {
            LineError::new(0, "the game does not end", "a game ends with ;) and each [ has its ]")
        };
        unfinished.then(|| broken(self.line, self.column, error()))
    }

    /// How far the game goes on in this text; none if it does not end there.
    fn end_of_game(&mut self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b']' => self.in_value = false,
                b'[' => self.in_value = true,
                b';' if !self.in_value && bytes.get(at + 1) == Some(&b')') => return Some(at + 2),
                _ => {}
            }
        }
        None
    }

    /// Reads the game whose text is whole.
    fn cut(&mut self) -> Cut {
        let text = std::mem::take(&mut self.text);
        let game = read(&text).map_err(|error| {
            let before = &text[..error.offset];
            let breaks = before.matches('\n').count();
            let column = match before.rfind('\n') {
                Some(end) => column_of(&before[end + 1..], error.offset - end - 1),
                None => self.column + column_of(before, error.offset) - 1,
            };
            CutError { line: self.line + breaks as u64, column, error }
        });
        Cut { line: self.line, game }
    }
}

fn broken(line: u64, column: usize, error: LineError) -> Cut {
    Cut { line, game: Err(CutError { line, column, error }) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::game::{empties_of, samples};
    use super::*;

    const BOARD: &str =
        "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    /// What lines give, in words: the line of each game, and its last position's empties or what is
    /// wrong where.
    fn words(text: &str) -> Vec<String> {
        let mut cutter = Cutter::default();
        let mut cuts: Vec<Cut> =
            (1..).zip(text.lines()).flat_map(|(number, line)| cutter.take(number, line)).collect();
        cuts.extend(cutter.end());
        let word = |Cut { line, game }: Cut| match game {
            Ok(game) => {
                format!("{line} {}", empties_of(game.positions.last().expect("a position")))
            }
            Err(CutError { line, column, error }) => {
                format!("{line}:{column} {}; {}", error.what, error.hint)
            }
        };
        cuts.into_iter().map(word).collect()
    }

    #[test]
    fn every_leniency() {
        let game = format!("(;GM[Othello]PB[a;)b]BO[{BOARD}]B[f5//0.01]W[d6/-1.5/2]B[C3];)");
        assert_eq!(words(&game), ["1 57"]);
        assert_eq!(
            words(&format!("  2 {game} {game}  % a match\n% a comment\n\n{game}")),
            ["1 57", "1 57", "4 57"]
        );
        assert_eq!(
            words("(;B[f5]\nW[d6]\n\nPW[somebody\nelse];)(;\nB[f5];)"),
            ["1 58", "5 59"],
            "lines, and no BO"
        );
        assert_eq!(
            words("(;W[d6]B[f5]BO[8 ---------------------------O*------*O--------------------------- O];)").len(),
            1
        );
        assert_eq!(words("(;TY[s8r18]GM[othello]RE[+0.000:r];)"), ["1 60"]);
        assert!(
            looks_like(" 12 (;GM") && looks_like("(;") && !looks_like("(a") && !looks_like("12")
        );
    }

    #[test]
    fn passes_and_the_end_of_the_game() {
        let wipeout = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
        assert_eq!(words(&format!("(;{wipeout}W[PA]B[pass];)")), ["1 51"]);
        // White has no move after these; it may be said or not.
        let start =
            "BO[8 OXXXXXX- -------- -------- -------- -------- -------- -------- -------- X]";
        assert_eq!(words(&format!("(;{start}B[PA]W[h1];)\n(;{start}W[h1];)")), ["1 56", "2 56"]);
        assert_eq!(
            words(&format!("(;{start}W[PA];)")),
            ["1:84 move 1 is said to be O's; it is the turn of X"]
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let hint = "a move is B[d3], or B[d3/evaluation/seconds]; a pass is B[PA]";
        assert_eq!(words("(;B[f5]W[z9];)"), [format!("1:10 `z9` is not a move; {hint}")]);
        let legal = "the legal moves are f4 d6 f6";
        assert_eq!(
            words("(;B[f5]\nPB[é]W[f5];)"),
            [format!("2:8 move 2: O cannot play f5; {legal}")]
        );
        assert_eq!(words("(;B[f5]B[d6];)"), ["1:10 move 2 is said to be X's; it is the turn of O"]);
        assert_eq!(words("(;GM[Chess];)"), ["1:6 this is a game of `Chess`; only Othello is read"]);
        assert_eq!(words("(;TY[s10r14];)"), ["1:6 the board has 10x10 squares; only 8x8 is read"]);
        assert_eq!(words("(;BO[10 --];)"), ["1:6 the board has 10x10 squares; only 8x8 is read"]);
        assert!(
            words("(;BO[8 ---*];)")[0].starts_with("1:12 the board ends after 4 of 64 squares")
        );
        assert!(words(&format!("(;BO[{BOARD} x];)"))[0].starts_with("1:82 something follows"));
        assert!(
            words(&format!("(;BO[{BOARD}]BO[{BOARD}];)"))[0]
                .ends_with("a second board; a game has one BO")
        );
        assert!(words("(;BO[];)")[0].starts_with("1:6 the board has no size"));
        assert!(words("(;B[f5] 12 ;)")[0].starts_with("1:9 `12` is no property"));
    }

    #[test]
    fn a_game_without_end_costs_one_game() {
        let end = "the game does not end; a game ends with ;) and each [ has its ]";
        assert_eq!(
            words("(;B[f5]\n(;B[f5];)\n (;B[f5"),
            [format!("1:1 {end}"), "2 59".to_owned(), format!("3:2 {end}")]
        );
        assert_eq!(
            words("(;B[f5];) x (;B[f5];)"),
            ["1 59", "1:11 something stands between games; a game is `(;...;)`"]
        );
        let long = format!("(;PB[{}\nx]\ny (;B[f5];)", "z\n".repeat(LONGEST));
        let found = words(&long);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("1:1 the game is longer than") && found[1].ends_with(" 59"),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            choices in prop::collection::vec(any::<u8>(), 0..64), skip in 0usize..80, breaks: bool,
        ) {
            // A game from its start, or from a position on the way, with its moves in GGF.
            let moves = samples::random(&choices);
            let skip = skip.min(moves.len());
            let mut now = moves[..skip].iter().fold(Diagram::START, |now, &mv| now.make(mv).expect("a legal move"));
            let board = now.to_string().replace('X', "*");
            let mut text = format!("(;GM[Othello]TY[8]BO[8 {board}]");
            for (number, &mv) in moves[skip..].iter().enumerate() {
                let name = if now.to_move == Colour::Black { "B" } else { "W" };
                let mv_text = if mv == Move::Pass { "PA".to_owned() } else { mv.to_string() };
                let rest = ["", "//0.5", "/+3.5/2"][number % 3];
                text += &format!("{name}[{mv_text}{rest}]{}", if breaks { "\n" } else { "" });
                now = now.make(mv).expect("a legal move");
            }
            text += ";)";
            let game = read(&text).expect("a game");
            prop_assert_eq!(game.positions.last().map(|problem| problem.diagram), Some(samples::after(&moves)));
        }

        #[test]
        fn no_text_panics(lines in prop::collection::vec(r"(\(;|;\)|B\[|W\[|BO\[8 |TY|\]|[a-h][1-8]|[-*O]{20}|é|%|2 ){0,12}", 0..6)) {
            let mut cutter = Cutter::default();
            for (number, line) in (1..).zip(&lines) {
                for cut in cutter.take(number, line) {
                    prop_assert!(cut.line <= number);
                }
            }
            cutter.end();
        }
    }
}

//! GGF, the Generic Game Format of the servers GGS and PlayOK, and of programs that play there.
//!
//! Source: M. Buro, "Generic Game Format (GGF)", <https://www.skatgame.net/mburo/ggsa/ggf>.
//!
//! ```text
//! (;GM[Othello]PC[GGS/os]PB[a]PW[b]TY[8]RE[+4.000]BO[8 -------- ... *]B[d3//0.01]W[c5/-1.5/2];)
//! ```
//!
//! A game stands between `(;` and `;)`, and is a list of properties `NAME[value]`. `BO` is the
//! board at the start with the side to move. `B[move/evaluation/seconds]` and `W[...]` are the
//! moves. `PB` and `PW` are the players, `DT` is the date. All other properties are skipped:
//! evaluations are estimates, and servers differ in the meaning of the result `RE`.
//! Without a selection, a game gives its last position.
//!
//! # Leniency
//! - A game may have several lines. Several games may stand in a line, after their number
//!   (`2 (;...;)(;...;)`, the two games of a synchro match). Properties may have any order. A
//!   comment may stand between games, after a `%`.
//! - Without `BO` a game begins from the start position. `BO` may be any board, with either side to
//!   move.
//! - A move may lack its evaluation and its time. Letters may have either case. A pass is `PA`,
//!   `PS`, `pass` or `--`, and may be left out.
//!
//! # Refused
//! - Boards of another size (`TY[10]`, `BO[10 ...]`), and games other than Othello.
//! - A move that is illegal, or not the turn of its colour.
//! - A game without an end, as a bracket is open or the next game begins. It costs this game only.

use crate::othello::{Colour, Diagram, Move};

use super::error::{LineError, LineOrGame};
use super::format_reader::{
    EntryContent, EntryError, FormatReader, Line, ParsedEntry, Recognition, Stop, comment_of,
};
use super::formats::{FormatInfo, FormatKind};
use super::game::{Game, GameMove};
use super::notes::GameDetails;
use super::stream::LONGEST_LINE;
use super::text::{column_of, shortened};

/// The largest size of a game in bytes.
const LONGEST_GAME: usize = LONGEST_LINE;

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "ggf",
    description: "GGF, the games of servers",
    kind: FormatKind::Text(|| Box::new(GgfReader::default())),
};

impl FormatReader for GgfReader {
    fn recognise(&self, line: &str) -> Recognition {
        if begins_game(line) { Recognition::Bracket } else { Recognition::No }
    }

    fn read(&mut self, line: &Line<'_>, _: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        Ok(self.read_line(line.number, line.lossy()))
    }

    fn is_inside_entry(&self, _: &str) -> bool {
        self.is_inside_game()
    }

    fn has_begun(&self) -> bool {
        self.is_inside_game()
    }

    fn finish(&mut self) -> Option<ParsedEntry> {
        self.end()
    }
}

/// Whether a game begins at the start of a line, perhaps after its number.
fn begins_game(line: &str) -> bool {
    line.trim_ascii_start()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_ascii_start()
        .starts_with("(;")
}

/// Reads one game, from `(;` to `;)`.
///
/// # Errors
/// If a property is malformed, a move is illegal, or the game is not Othello on 8x8 squares.
pub(crate) fn read(text: &str) -> Result<Game, LineError> {
    let (start, moves, details) = properties(text)?;
    let game = Game::play(start, &moves)?;
    Ok(Game { details, ..game })
}

/// The start position and the moves of one game, from `(;` to `;)`. The moves may be illegal.
///
/// # Errors
/// If a property is malformed, or the game is not Othello on 8x8 squares.
pub(crate) fn start_and_moves(text: &str) -> Result<(Diagram, Vec<GameMove>), LineError> {
    properties(text).map(|(start, moves, _)| (start, moves))
}

/// The start position, the moves and the details of one game.
fn properties(text: &str) -> Result<(Diagram, Vec<GameMove>, GameDetails), LineError> {
    let (mut start, mut moves, mut details) = (None, Vec::new(), GameDetails::default());
    if !text.starts_with("(;") {
        return Err(LineError::new(0, "this is no game", "a game is `(;...;)`"));
    }
    let mut at = "(;".len();
    loop {
        at = text.len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest == ";)" {
            return Ok((start.unwrap_or(Diagram::START), moves, details));
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
            "PB" => details.black = comment_of(value),
            "PW" => details.white = comment_of(value),
            "DT" => details.year = year(value),
            "B" => moves.push(read_move(value, Colour::Black, offset)?),
            "W" => moves.push(read_move(value, Colour::White, offset)?),
            _ => {}
        }
    }
}

/// The year at the beginning of a date such as `2011-04-19` or `2003.05.01`.
fn year(date: &str) -> Option<u16> {
    let date = date.trim_start();
    let digits = date.find(|c: char| !c.is_ascii_digit()).unwrap_or(date.len());
    date[..digits].parse().ok().filter(|_| digits == 4)
}

/// Checks the size at the beginning of a board or of the type of a game.
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

/// The value of `B` or `W`: a move, perhaps with its evaluation and its time.
fn read_move(value: &str, by: Colour, offset: usize) -> Result<GameMove, LineError> {
    let word = value.split('/').next().unwrap_or(value).trim();
    let mv: Move = word.parse().map_err(|_| {
        let hint = "a move is B[d3], or B[d3/evaluation/seconds]; a pass is B[PA]";
        LineError::new(offset, format!("`{}` is not a move", shortened(word)), hint)
    })?;
    Ok(GameMove { mv, by: Some(by), offset })
}

/// The reader of this format: splits lines into games.
#[derive(Debug, Default)]
pub(super) struct GgfReader {
    /// The text so far of the game that has begun. Empty outside a game.
    text: String,
    /// The line and the column at which the game begins.
    line: u64,
    column: usize,
    /// Whether a bracket is open at the end of the text.
    in_value: bool,
    /// Whether all text up to the next game is skipped, as the last game was too long.
    skipping: bool,
}

impl GgfReader {
    /// Whether a game has begun and not ended.
    fn is_inside_game(&self) -> bool {
        self.skipping || !self.text.is_empty()
    }

    /// Reads the next line, and returns the games that end in it.
    fn read_line(&mut self, number: u64, line: &str) -> Vec<ParsedEntry> {
        let mut games = Vec::new();
        let mut at = 0;
        // A line that begins a game does so even if the last game has no end.
        if self.is_inside_game() && begins_game(line) {
            games.extend(self.end());
        }
        loop {
            if self.skipping {
                match line.find("(;") {
                    None => return games,
                    Some(start) => (at, self.skipping) = (start, false),
                }
            }
            if self.text.is_empty() {
                match self.begin_game(number, line, at) {
                    Ok(Some(after)) => at = after,
                    Ok(None) => return games,
                    Err(error) => {
                        games.push(*error);
                        return games;
                    }
                }
            }
            match self.end_of_game(&line[at..]) {
                Some(length) => {
                    self.text.push_str(&line[at..at + length]);
                    at += length;
                    games.push(self.read_game());
                }
                None => {
                    self.text.push_str(&line[at..]);
                    self.text.push('\n');
                    games.extend(self.check_length());
                    return games;
                }
            }
        }
    }

    /// Begins the next game in a line from byte `at`, and returns the offset after its `(;`. `None`
    /// if no game follows.
    ///
    /// # Errors
    /// If another text follows.
    fn begin_game(
        &mut self,
        number: u64,
        line: &str,
        at: usize,
    ) -> Result<Option<usize>, Box<ParsedEntry>> {
        let rest = line[at..].trim_start();
        if rest.is_empty() || rest.starts_with('%') {
            return Ok(None);
        }
        let at = line.len() - rest.len();
        if !begins_game(rest) {
            let error = LineError::new(at, "something stands between games", "a game is `(;...;)`");
            return Err(Box::new(failed_game(number, column_of(line, at), error)));
        }
        let at = at + rest.find("(;").unwrap_or(0);
        (self.line, self.column, self.in_value) = (number, column_of(line, at), false);
        self.text.push_str("(;");
        Ok(Some(at + "(;".len()))
    }

    /// Ends a game that is too long, and returns its error.
    fn check_length(&mut self) -> Option<ParsedEntry> {
        if self.text.len() <= LONGEST_GAME {
            return None;
        }
        self.text.clear();
        self.skipping = true;
        let what = format!("the game is longer than {LONGEST_GAME} bytes");
        let error = LineError::new(0, what, "a game ends with ;)");
        Some(failed_game(self.line, self.column, error))
    }

    /// Ends a game that has begun, at the end of the file or where the next game begins. Returns
    /// its error.
    fn end(&mut self) -> Option<ParsedEntry> {
        self.skipping = false;
        let unfinished = !std::mem::take(&mut self.text).is_empty();
        let error = || {
            LineError::new(0, "the game does not end", "a game ends with ;) and each [ has its ]")
        };
        unfinished.then(|| failed_game(self.line, self.column, error()))
    }

    /// The length of the rest of the game in this text; `None` if the game does not end there.
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

    /// Reads the game, whose text is complete.
    fn read_game(&mut self) -> ParsedEntry {
        let text = std::mem::take(&mut self.text);
        let game = read(&text).map_err(|error| {
            let before = &text[..error.offset];
            let breaks = before.matches('\n').count();
            let column = match before.rfind('\n') {
                Some(end) => column_of(&before[end + 1..], error.offset - end - 1),
                None => self.column + column_of(before, error.offset) - 1,
            };
            EntryError { at: LineOrGame::Line(self.line + breaks as u64), column, error }
        });
        let content = EntryContent::Game { id: None, game, numbered: true };
        ParsedEntry { at: LineOrGame::Line(self.line), content, comment: None }
    }
}

/// An entry for a game that could not be read.
fn failed_game(line: u64, column: usize, error: LineError) -> ParsedEntry {
    let at = LineOrGame::Line(line);
    let game = Err(EntryError { at, column, error });
    ParsedEntry {
        at,
        content: EntryContent::Game { id: None, game, numbered: true },
        comment: None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::game::{empties_of, samples};
    use super::*;

    const BOARD: &str =
        "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    /// The games of lines: the line of each game, and the empties of its last position or the
    /// error.
    fn texts(lines: &str) -> Vec<String> {
        let mut reader = GgfReader::default();
        let mut games: Vec<ParsedEntry> = (1..)
            .zip(lines.lines())
            .flat_map(|(number, line)| reader.read_line(number, line))
            .collect();
        games.extend(reader.end());
        let text = |ParsedEntry { at, content, .. }: ParsedEntry| {
            let EntryContent::Game { game, numbered: true, .. } = content else {
                panic!("{content:?}")
            };
            match game {
                Ok(game) => {
                    let last = game.positions.last().expect("a position");
                    format!("{at} {}", empties_of(last))[1..].to_owned()
                }
                Err(EntryError { at, column, error }) => {
                    format!("{at}:{column} {}; {}", error.what, error.hint)[1..].to_owned()
                }
            }
        };
        games.into_iter().map(text).collect()
    }

    #[test]
    fn each_leniency_is_accepted() {
        let game = format!("(;GM[Othello]PB[a;)b]BO[{BOARD}]B[f5//0.01]W[d6/-1.5/2]B[C3];)");
        assert_eq!(texts(&game), ["1 57"]);
        assert_eq!(
            texts(&format!("  2 {game} {game}  % a match\n% a comment\n\n{game}")),
            ["1 57", "1 57", "4 57"]
        );
        assert_eq!(
            texts("(;B[f5]\nW[d6]\n\nPW[somebody\nelse];)(;\nB[f5];)"),
            ["1 58", "5 59"],
            "lines, and no BO"
        );
        let start = "---------------------------O*------*O---------------------------";
        assert_eq!(texts(&format!("(;W[d6]B[f5]BO[8 {start} O];)")).len(), 1);
        assert_eq!(texts("(;TY[s8r18]GM[othello]RE[+0.000:r];)"), ["1 60"]);
        assert!(
            begins_game(" 12 (;GM")
                && begins_game("(;")
                && !begins_game("(a")
                && !begins_game("12")
        );
    }

    #[test]
    fn passes_and_the_end_of_the_game() {
        let wipeout = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
        assert_eq!(texts(&format!("(;{wipeout}W[PA]B[pass];)")), ["1 51"]);
        // White has no move after these; it may be said or not.
        let start =
            "BO[8 OXXXXXX- -------- -------- -------- -------- -------- -------- -------- X]";
        assert_eq!(texts(&format!("(;{start}B[PA]W[h1];)\n(;{start}W[h1];)")), ["1 56", "2 56"]);
        assert_eq!(
            texts(&format!("(;{start}W[PA];)")),
            ["1:84 move 1 is said to be O's; it is the turn of X"]
        );
    }

    #[test]
    fn errors_have_their_lines_and_columns() {
        let hint = "a move is B[d3], or B[d3/evaluation/seconds]; a pass is B[PA]";
        assert_eq!(texts("(;B[f5]W[z9];)"), [format!("1:10 `z9` is not a move; {hint}")]);
        let legal = "the legal moves are f4 d6 f6";
        assert_eq!(
            texts("(;B[f5]\nPB[é]W[f5];)"),
            [format!("2:8 move 2: O cannot play f5; {legal}")]
        );
        assert_eq!(texts("(;B[f5]B[d6];)"), ["1:10 move 2 is said to be X's; it is the turn of O"]);
        assert_eq!(texts("(;GM[Chess];)"), ["1:6 this is a game of `Chess`; only Othello is read"]);
        assert_eq!(texts("(;TY[s10r14];)"), ["1:6 the board has 10x10 squares; only 8x8 is read"]);
        assert_eq!(texts("(;BO[10 --];)"), ["1:6 the board has 10x10 squares; only 8x8 is read"]);
        assert!(
            texts("(;BO[8 ---*];)")[0].starts_with("1:12 the board ends after 4 of 64 squares")
        );
        assert!(texts(&format!("(;BO[{BOARD} x];)"))[0].starts_with("1:82 something follows"));
        assert!(
            texts(&format!("(;BO[{BOARD}]BO[{BOARD}];)"))[0]
                .ends_with("a second board; a game has one BO")
        );
        assert!(texts("(;BO[];)")[0].starts_with("1:6 the board has no size"));
        assert!(texts("(;B[f5] 12 ;)")[0].starts_with("1:9 `12` is no property"));
    }

    #[test]
    fn a_game_without_end_costs_one_game() {
        let end = "the game does not end; a game ends with ;) and each [ has its ]";
        assert_eq!(
            texts("(;B[f5]\n(;B[f5];)\n (;B[f5"),
            [format!("1:1 {end}"), "2 59".to_owned(), format!("3:2 {end}")]
        );
        assert_eq!(
            texts("(;B[f5];) x (;B[f5];)"),
            ["1 59", "1:11 something stands between games; a game is `(;...;)`"]
        );
        let long = format!("(;PB[{}\nx]\ny (;B[f5];)", "z\n".repeat(LONGEST_GAME));
        let found = texts(&long);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("1:1 the game is longer than") && found[1].ends_with(" 59"),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn a_written_game_reads_back(
            choices in prop::collection::vec(any::<u8>(), 0..64), skip in 0usize..80, breaks: bool,
        ) {
            // A game from its start, or from a position on the way, with its moves in GGF.
            let moves = samples::random(&choices);
            let skip = skip.min(moves.len());
            let make = |current: Diagram, &mv: &Move| current.make(mv).expect("a legal move");
            let mut current = moves[..skip].iter().fold(Diagram::START, make);
            let board = current.to_string().replace('X', "*");
            let mut text = format!("(;GM[Othello]TY[8]BO[8 {board}]");
            for (number, &mv) in moves[skip..].iter().enumerate() {
                let name = if current.to_move == Colour::Black { "B" } else { "W" };
                let mv_text = if mv == Move::Pass { "PA".to_owned() } else { mv.to_string() };
                let rest = ["", "//0.5", "/+3.5/2"][number % 3];
                text += &format!("{name}[{mv_text}{rest}]{}", if breaks { "\n" } else { "" });
                current = current.make(mv).expect("a legal move");
            }
            text += ";)";
            let game = read(&text).expect("a game");
            let last = game.positions.last().map(|problem| problem.diagram);
            prop_assert_eq!(last, Some(samples::after(&moves)));
        }

        #[test]
        fn no_text_panics(
            lines in prop::collection::vec(
                r"(\(;|;\)|B\[|W\[|BO\[8 |TY|\]|[a-h][1-8]|[-*O]{20}|é|%|2 ){0,12}",
                0..6,
            ),
        ) {
            let mut reader = GgfReader::default();
            for (number, line) in (1..).zip(&lines) {
                for game in reader.read_line(number, line) {
                    let LineOrGame::Line(first) = game.at else { panic!("{:?}", game) };
                    prop_assert!(first <= number);
                }
            }
            reader.end();
        }
    }
}

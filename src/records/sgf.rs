//! SGF, the Smart Game Format, with games of Othello.
//!
//! Sources: A. Kierulf, "Smart Game Board: a Workbench for Game-Playing Programs, with Go and
//! Othello as Case Studies", 1990, appendix A; M. Müller and A. Hollosi, "SGF FF\[4\]", 2006,
//! <https://www.red-bean.com/sgf/>. They do not define the coordinates of Othello: programs write
//! either `f5`, as Edax does (R. Delorme, <https://github.com/abulmo/edax-reversi>), or two letters
//! for the column and the row, as in Go.
//!
//! ```text
//! (;FF[4]GM[2]PB[a]PW[b];B[f5];W[d6];B[c3])
//! ```
//!
//! A file is a list of game trees. A tree stands between `(` and `)`, and is a list of nodes, each
//! after a `;`, then the trees of its variations. A node is a list of properties `NAME[value]`.
//! Only the main line is read: that of the first variations. `B` and `W` are moves, `AB`, `AW` and
//! `AE` set up the board, and `PL` names the side to move. All other properties are skipped. The
//! result `RE` is no claim, as it may be that of a game that was given up.
//!
//! # Leniency
//! - All versions of the format are read. A node may have several moves.
//! - A game may have several lines. A comment may stand between games, after a `%`.
//! - `f5` and `fe` are the same square, in either case. A pass is `B[]`, `B[tt]`, `PA`, `PS`,
//!   `pass` or `--`, and may be left out.
//!
//! # Refused
//! - Other games than `GM[2]`; a missing `GM` means Go. Boards of another size.
//! - A set-up after the first move, and one that leaves a square of the centre empty without `AE`:
//!   it may be all discs, or added to the four of the start.
//! - A game without an end, as a bracket is open or the next game begins. It costs this game only.

use crate::othello::{Bitboard, Colour, Diagram, Move, Square};

use super::error::{LineError, LineOrGame};
use super::format_reader::{
    EntryContent, EntryError, FormatReader, Line, ParsedEntry, Recognition, Stop,
};
use super::formats::{FormatInfo, FormatKind};
use super::game::{Game, GameMove};
use super::joined_lines::JoinedLines;
use super::stream::LONGEST_LINE;
use super::text::{column_of, shortened};

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "sgf",
    description: "SGF, the Smart Game Format, with games of Othello",
    kind: FormatKind::Text(|| Box::new(SgfReader::default())),
};

/// The largest size of a game in bytes.
const LONGEST_GAME: usize = LONGEST_LINE;

/// The names of a pass, in lower case. An empty value is a pass as well.
const PASSES: [&str; 5] = ["tt", "pa", "ps", "pass", "--"];

/// The reader of this format: splits lines into game trees.
#[derive(Debug, Default)]
pub(super) struct SgfReader {
    /// The text so far of the game that has begun. Empty outside a game.
    game: JoinedLines,
    /// The number of trees that are open at the end of the text.
    depth: usize,
    /// Whether a value is open at the end of the text, and whether it ends with a `\`.
    in_value: bool,
    escaped: bool,
    /// Whether all text up to the next game is skipped, as the last game was too long.
    skipping: bool,
}

impl FormatReader for SgfReader {
    fn recognise(&self, line: &str) -> Recognition {
        let text = line.trim();
        // A line with the bracket alone has neither this game nor that of GGF.
        if begins_game(text) || matches!(text, "(" | "(;") {
            Recognition::Bracket
        } else {
            Recognition::No
        }
    }

    fn read(&mut self, line: &Line<'_>, _: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        let mut games = Vec::new();
        // A line that begins a game does so even if the last game has no end.
        if begins_game(line.lossy()) {
            games.extend(self.end());
        }
        if !self.skipping {
            self.read_line(line.number, line.lossy(), &mut games);
        }
        Ok(games)
    }

    fn is_inside_entry(&self, _: &str) -> bool {
        self.skipping || !self.game.is_empty()
    }

    fn has_begun(&self) -> bool {
        self.skipping || !self.game.is_empty()
    }

    fn finish(&mut self) -> Option<ParsedEntry> {
        self.end()
    }
}

/// Whether a line begins a game, with a property that only the root of a tree has.
fn begins_game(line: &str) -> bool {
    let root = line.trim_start().strip_prefix('(').map(str::trim_start);
    let Some(node) = root.and_then(|root| root.strip_prefix(';')) else { return false };
    let node = node.trim_start();
    let other_format =
        node.get(..11).is_some_and(|start| start.eq_ignore_ascii_case("gm[othello]"));
    !other_format && ["FF[", "GM[", "CA[", "AP["].iter().any(|name| node.starts_with(name))
}

impl SgfReader {
    /// Reads a line, and adds the games that end in it.
    fn read_line(&mut self, number: u64, line: &str, games: &mut Vec<ParsedEntry>) {
        let mut rest = line;
        let column = |rest: &str| column_of(line, line.len() - rest.len());
        if !self.game.is_empty() {
            self.game.begin_line(number, 1);
        }
        loop {
            if self.game.is_empty() {
                rest = rest.trim_start();
                if rest.is_empty() || rest.starts_with('%') {
                    return;
                }
                if !rest.starts_with('(') {
                    let what = "something stands between games";
                    let error = LineError::new(0, what, "a game is `(;...)`");
                    games.push(failed_game(number, column(rest), error));
                    return;
                }
                self.game.begin_line(number, column(rest));
            }
            let Some(length) = self.end_of_game(rest) else {
                self.game.push(rest);
                games.extend(self.check_length());
                return;
            };
            self.game.push(&rest[..length]);
            rest = &rest[length..];
            let game = std::mem::take(&mut self.game);
            let read = read(game.text()).map_err(|error| game.error(error));
            games.push(game.entry(EntryContent::Game { id: None, game: read, numbered: true }));
        }
    }

    /// The length of the rest of the game in this text; `None` if the game does not end there.
    fn end_of_game(&mut self, text: &str) -> Option<usize> {
        for (at, &byte) in text.as_bytes().iter().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_value => self.escaped = true,
                b']' => self.in_value = false,
                _ if self.in_value => {}
                b'[' => self.in_value = true,
                b'(' => self.depth += 1,
                b')' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        // An escaped line end is no character of the value.
        self.escaped = false;
        None
    }

    /// Ends a game that is too long, and returns its error.
    fn check_length(&mut self) -> Option<ParsedEntry> {
        if self.game.text().len() <= LONGEST_GAME {
            return None;
        }
        let what = format!("the game is longer than {LONGEST_GAME} bytes");
        let failed = self.fail(LineError::new(0, what, "a game ends with `)`"));
        self.skipping = true;
        failed
    }

    /// Ends a game that has begun, at the end of the file or where the next game begins. Returns
    /// its error.
    fn end(&mut self) -> Option<ParsedEntry> {
        self.skipping = false;
        let hint = "a game ends with `)`, and each `(` and `[` has its end";
        self.fail(LineError::new(0, "the game does not end", hint))
    }

    /// Ends a game that has begun, with this error.
    fn fail(&mut self, error: LineError) -> Option<ParsedEntry> {
        let SgfReader { game, .. } = std::mem::take(self);
        let failed = |game: JoinedLines| {
            let error = Err(game.error(error));
            game.entry(EntryContent::Game { id: None, game: error, numbered: true })
        };
        (!game.is_empty()).then(|| failed(game))
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

/// A value of a property, and its offset in the text.
#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a str,
    offset: usize,
}

/// Reads the main line of a tree.
///
/// # Errors
/// If a property is malformed, a move is illegal, or the game is not Othello on 8x8 squares.
fn read(text: &str) -> Result<Game, LineError> {
    let (mut setup, mut moves, mut is_othello) = (Setup::default(), Vec::new(), false);
    let mut at = 0;
    loop {
        at = text.len() - text[at..].trim_start().len();
        match text.as_bytes().get(at) {
            Some(b'(' | b';') => at += 1,
            // The main line ends where the first tree does.
            Some(b')') | None => break,
            Some(_) => {
                let (name, values, end) = read_property(text, at)?;
                let first = values[0];
                if let ("GM" | "SZ" | "PL" | "B" | "W", Some(second)) = (&*name, values.get(1)) {
                    let what = format!("a second value of {name}");
                    return Err(LineError::new(second.offset, what, "it has one"));
                }
                match name.as_str() {
                    "GM" => is_othello = check_game(first)?,
                    "SZ" if !matches!(first.text.trim(), "8" | "8:8") => {
                        let what = format!("the board has the size {}", shortened(first.text));
                        return Err(LineError::new(first.offset, what, "only 8x8 is read"));
                    }
                    "B" => moves.push(read_move(first, Colour::Black)?),
                    "W" => moves.push(read_move(first, Colour::White)?),
                    "AB" | "AW" | "AE" | "PL" if !moves.is_empty() => {
                        let what = "a set-up after the first move";
                        return Err(LineError::new(at, what, "only one before it is read"));
                    }
                    "AB" => setup.add(&values, Some(Colour::Black))?,
                    "AW" => setup.add(&values, Some(Colour::White))?,
                    "AE" => setup.add(&values, None)?,
                    "PL" => setup.to_move = Some(read_side(first)?),
                    _ => {}
                }
                at = end;
            }
        }
    }
    if !is_othello {
        let hint = "Othello is GM[2]; without it, a game is one of Go";
        return Err(LineError::new(0, "the game has no GM", hint));
    }
    Game::play(setup.start(moves.first().and_then(|first| first.by))?, &moves)
}

/// The property at an offset: its name, its values, of which there is at least one, and the offset
/// after it. Lower-case letters in a name are skipped, as old versions of the format have them.
fn read_property(text: &str, at: usize) -> Result<(String, Vec<Value<'_>>, usize), LineError> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let name: String = rest[..length].chars().filter(char::is_ascii_uppercase).collect();
    let (mut values, mut end) = (Vec::new(), at + length);
    loop {
        let start = text.len() - text[end..].trim_start().len();
        if name.is_empty() || !text[start..].starts_with('[') {
            break;
        }
        let (mut escaped, offset) = (false, start + 1);
        let close = text[offset..].find(|c: char| {
            let is_end = c == ']' && !escaped;
            escaped = c == '\\' && !escaped;
            is_end
        });
        // The game ends outside of values, so each has its end.
        let Some(close) = close else { break };
        values.push(Value { text: &text[offset..offset + close], offset });
        end = offset + close + 1;
    }
    if values.is_empty() {
        let word = shortened(rest.split_whitespace().next().unwrap_or(""));
        let hint = "a game is a list such as ;B[f5];W[d6], and ends with `)`";
        return Err(LineError::new(at, format!("`{word}` is no property"), hint));
    }
    Ok((name, values, end))
}

/// Checks the value of `GM`.
fn check_game(value: Value<'_>) -> Result<bool, LineError> {
    let name = value.text.trim();
    if name == "2" || name.eq_ignore_ascii_case("othello") {
        return Ok(true);
    }
    let what = format!("this is game `{}`", shortened(name));
    Err(LineError::new(value.offset, what, "only Othello is read, which is GM[2]"))
}

fn read_side(value: Value<'_>) -> Result<Colour, LineError> {
    match value.text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Colour::Black),
        "w" | "white" => Ok(Colour::White),
        other => {
            let what = format!("`{}` is not a side to move", shortened(other));
            Err(LineError::new(value.offset, what, "it is PL[B] or PL[W]"))
        }
    }
}

fn read_move(value: Value<'_>, by: Colour) -> Result<GameMove, LineError> {
    let text = value.text.trim();
    let mv = if text.is_empty() || PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
        Move::Pass
    } else {
        Move::Place(read_square(text).ok_or_else(|| {
            let hint = "a move is B[f5] or B[fe]; a pass is B[]";
            LineError::new(value.offset, format!("`{}` is not a move", shortened(text)), hint)
        })?)
    };
    Ok(GameMove { mv, by: Some(by), offset: value.offset })
}

/// A square as `f5`, or as two letters for the column and the row.
fn read_square(text: &str) -> Option<Square> {
    if let Ok(square) = text.parse() {
        return Some(square);
    }
    let index = |byte: u8| {
        let byte = byte.to_ascii_lowercase();
        (b'a'..=b'h').contains(&byte).then(|| byte - b'a')
    };
    match *text.as_bytes() {
        [column, row] => Some(Square::new(8 * index(row)? + index(column)?)),
        _ => None,
    }
}

/// The board and the side to move that properties set up.
#[derive(Default)]
struct Setup {
    black: Bitboard,
    white: Bitboard,
    empty: Bitboard,
    to_move: Option<Colour>,
}

impl Setup {
    /// Adds the squares of `AB`, `AW` or `AE`. A value is a square, or a rectangle `aa:bb`.
    fn add(&mut self, values: &[Value<'_>], colour: Option<Colour>) -> Result<(), LineError> {
        for value in values {
            let text = value.text.trim();
            let (first, last) = text.split_once(':').unwrap_or((text, text));
            let (Some(first), Some(last)) = (read_square(first), read_square(last)) else {
                let what = format!("`{}` is not a square", shortened(text));
                return Err(LineError::new(value.offset, what, "a square is [f5] or [fe]"));
            };
            let contains = |square: &Square| {
                (first.file()..=last.file()).contains(&square.file())
                    && (first.rank()..=last.rank()).contains(&square.rank())
            };
            for square in Square::all().filter(contains) {
                let bit = Bitboard::of(square);
                if (self.black | self.white | self.empty).contains(square) {
                    let what = format!("{square} is set up twice");
                    return Err(LineError::new(value.offset, what, "a square has one content"));
                }
                match colour {
                    Some(Colour::Black) => self.black |= bit,
                    Some(Colour::White) => self.white |= bit,
                    None => self.empty |= bit,
                }
            }
        }
        Ok(())
    }

    /// The position at the start. `first` is the side of the first move.
    fn start(&self, first: Option<Colour>) -> Result<Diagram, LineError> {
        let (black, white) = (Diagram::START.black(), Diagram::START.white());
        let set_up = self.black | self.white | self.empty;
        if set_up == Bitboard::EMPTY {
            let to_move = self.to_move.unwrap_or(Colour::Black);
            return Ok(Diagram::of_colours(black, white, to_move));
        }
        if let Some(square) = (black | white).into_iter().find(|&square| !set_up.contains(square)) {
            let what = format!("the set-up does not say what is on {square}");
            let hint = "it has all discs of the board; AE names an empty square of the centre";
            return Err(LineError::new(0, what, hint));
        }
        let to_move = self.to_move.or(first).ok_or_else(|| {
            LineError::new(0, "the side to move is missing", "PL[B] or PL[W] names it")
        })?;
        Ok(Diagram::of_colours(self.black, self.white, to_move))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::game::samples;
    use super::*;

    fn entries(lines: &[String]) -> Vec<ParsedEntry> {
        let mut reader = SgfReader::default();
        let mut games = Vec::new();
        for (number, line) in (1..).zip(lines) {
            let line = Line::new(number, line.as_bytes());
            games.extend(reader.read(&line, None).expect("each line is read"));
        }
        games.extend(reader.finish());
        assert!(!reader.has_begun());
        games
    }

    #[test]
    fn a_game_that_is_too_long_costs_itself() {
        let mut lines = vec!["(;GM[2]C[".to_owned()];
        lines.extend(vec!["x\n".repeat(999); 100]);
        lines.push("];B[f5])".to_owned());
        lines.push("(;GM[2];B[f5])".to_owned());
        let games = entries(&lines);
        let line = |game: &ParsedEntry| {
            (game.at, matches!(game.content, EntryContent::Game { game: Ok(_), .. }))
        };
        let found: Vec<_> = games.iter().map(line).collect();
        assert_eq!(found, [(LineOrGame::Line(1), false), (LineOrGame::Line(103), true)]);
    }

    proptest! {
        #[test]
        fn a_written_game_reads_back(
            choices in prop::collection::vec(any::<u8>(), 0..64), letters: bool, passes: bool,
        ) {
            let moves = samples::random(&choices);
            let (mut text, mut side) = ("(;FF[4]GM[2]".to_owned(), Colour::Black);
            for mv in &moves {
                let name = if side == Colour::Black { "B" } else { "W" };
                side = side.other();
                match mv {
                    Move::Pass if passes => text += &format!(";{name}[]"),
                    Move::Pass => {}
                    Move::Place(square) if letters => {
                        let letter = |index: usize| char::from(b'a' + index as u8);
                        let (column, row) = (letter(square.file()), letter(square.rank()));
                        text += &format!(";{name}[{column}{row}]");
                    }
                    Move::Place(square) => text += &format!(";{name}[{square}]"),
                }
            }
            let game = read(&(text + ")")).expect("a game");
            let last = game.positions.last().map(|problem| problem.diagram);
            prop_assert_eq!(last, Some(samples::after(&moves)));
        }

        #[test]
        fn no_text_panics(
            lines in prop::collection::vec(r"(\(;?|;|\)|B\[|W\[|AB|AW\[|PL|GM\[2\]|\]|[a-h][1-8]|\\|é|%|:){0,12}", 0..6),
        ) {
            for game in entries(&lines) {
                let LineOrGame::Line(first) = game.at else { panic!("{:?}", game) };
                prop_assert!(first <= lines.len() as u64);
            }
        }
    }
}

//! CSV with a column `position`: Yose's own output, and lists from spreadsheets. Or with a column
//! `transcript` for games.
//!
//! ```text
//! id,position,empties,status,score,lower,upper,best_move,pv,nodes,seconds,wld
//! a:1,XXXOXX(...)OOOOO- X,6,exact,6,6,6,h5,h5,16,0.000009,win
//! ```
//!
//! The first line names the columns. Without `position`, each row is a game: `transcript` has its
//! moves, or `moves`, which otherwise has scores. Other columns of a game but `id` are skipped.
//! `row` lists the columns that are read, and their claims. The
//! quotation rules are those of RFC 4180 (Y. Shafranovich, "Common Format and MIME Type for
//! Comma-Separated Values (CSV) Files", 2005, <https://www.rfc-editor.org/rfc/rfc4180>). A
//! quoted field may contain line ends; in an `id` they become spaces. `table` says when.
//!
//! # Leniency
//! - Semicolons or tabs may separate the fields; the header shows it.
//! - `side` may have the side to move: X, O, black or white, or another symbol of a disc.
//! - Columns may have any order, and spaces around their contents. Only `position` or the game is
//!   required. Unknown columns are skipped.
//! - A line that begins with `%` is a comment. Another header may follow, as in concatenated files.
//! - `moves` may contain bounds: `g8:+18 h1:<=+12 b1:>=-4 a1:-4..+2 a2:?`.
//!
//! # Refused
//! - A row with more or fewer fields than the header, such as a row that was cut short.
//! - A header with usual names, but without `position` or `transcript`. The error names its
//!   columns.
//! - A row with a quoted field that does not end.

use crate::othello::Colour;

use super::columns::{Cell, CsvHeader, split_by};
use super::error::LineError;
use super::format_reader::{FormatReader, Line, NamedProblem, ParsedEntry, Recognition, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::game::Game;
use super::row::{Row, ScoreCells};
use super::table::{Table, TableLine, TableRow};
use super::text::{printable, shortened};
use super::transcript;

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "csv",
    description: "CSV with a column `position` or `transcript`, as Yose writes it",
    kind: FormatKind::Text(|| Box::new(CsvReader::default())),
};

/// The reader of this format.
#[derive(Debug)]
pub(super) struct CsvReader {
    table: Table,
}

impl Default for CsvReader {
    fn default() -> CsvReader {
        CsvReader { table: Table::new(&["position", TRANSCRIPT, "moves"]) }
    }
}

/// The column with the moves of a game.
const TRANSCRIPT: &str = "transcript";

impl FormatReader for CsvReader {
    fn recognise(&self, line: &str) -> Recognition {
        match self.table.recognise(line) {
            Recognition::No if self.table.is_foreign_header(line) => Recognition::OtherHeader,
            recognition => recognition,
        }
    }

    fn read(&mut self, line: &Line<'_>, side: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        Ok(match self.table.read(line)? {
            TableLine::NoRow => Vec::new(),
            TableLine::Failed(entry) => vec![entry],
            TableLine::Row(row) => vec![read_row(&row, side)],
        })
    }

    fn is_inside_entry(&self, line: &str) -> bool {
        self.table.continues(line)
    }

    fn has_begun(&self) -> bool {
        self.table.has_begun()
    }

    fn finish(&mut self) -> Option<ParsedEntry> {
        self.table.finish()
    }

    fn take_rejected(&mut self) -> Vec<(u64, String)> {
        self.table.take_rejected()
    }
}

/// The entry of a row: a game, if the table has no column `position`.
fn read_row(row: &TableRow<'_>, side: Option<Colour>) -> ParsedEntry {
    let (header, text) = (row.header, row.text());
    let fields = split_by(text, header.separator());
    if header.has("position") {
        let cell = header.cell(&fields, "side");
        return row.position(with_side(cell.as_ref(), side, |side| {
            parse(header, fields, text).problem(text, side)
        }));
    }
    let id = header.cell(&fields, "id").map(|id| identifier(&id.text));
    row.game(id, header.check_width(&fields, text).and_then(|()| read_game(header, &fields)))
}

/// The game in the column `transcript`, or in the column `moves` of a table without positions.
fn read_game(header: &CsvHeader, fields: &[Cell]) -> Result<Game, LineError> {
    let column = if header.has(TRANSCRIPT) { TRANSCRIPT } else { "moves" };
    let cell = header.cell(fields, column).ok_or_else(|| {
        LineError::new(0, "the moves are missing", format!("they stand in the column `{column}`"))
    })?;
    transcript::read(&cell.text).map_err(|error| error.within(cell.offset))
}

/// An identifier in one line, without control characters.
pub(super) fn identifier(text: &str) -> String {
    printable(&text.split(['\r', '\n']).map(str::trim).collect::<Vec<_>>().join(" "))
}

/// The position that `read` returns for a side to move: that of the cell `side`, or else of the
/// caller.
pub(super) fn with_side(
    cell: Option<&Cell>,
    side: Option<Colour>,
    read: impl FnOnce(Option<Colour>) -> NamedProblem,
) -> NamedProblem {
    let Some(cell) = cell else { return read(side) };
    let colour = match cell.text.to_ascii_lowercase().as_str() {
        "black" => Some(Colour::Black),
        "white" => Some(Colour::White),
        text => text.parse().ok().and_then(Colour::of_symbol),
    };
    let error = |what: String, hint: &str| Err(LineError::new(cell.offset, what, hint));
    let mut named = read(colour.or(side));
    named.problem = match (colour, named.problem) {
        (None, _) => {
            let what = format!("`{}` is not a side to move", shortened(&cell.text));
            error(what, "it is X or black, or O or white")
        }
        (Some(side), Ok(problem)) if problem.diagram.to_move != side => {
            let what = format!("the side to move is said to be {side}");
            error(what, "the position names the other one")
        }
        (_, problem) => problem,
    };
    named
}

/// The cells of a row. `fields` are the fields of `line`.
pub(super) fn parse(header: &CsvHeader, fields: Vec<Cell>, line: &str) -> Row {
    let cell = |name: &str| header.cell(&fields, name);
    let mut row = Row {
        kind: None,
        id: header.cell(&fields, "id").map(|id| Cell { text: identifier(&id.text), ..id }),
        position: cell("position"),
        empties: cell("empties"),
        status: cell("status"),
        score: ScoreCells {
            score: cell("score"),
            lower: cell("lower"),
            upper: cell("upper"),
            wld: cell("wld"),
        },
        best_move: cell("best_move"),
        moves: Vec::new(),
        comment: cell("comment"),
        nodes: cell("nodes"),
        seconds: cell("seconds"),
        error: None,
    };
    match header.check_width(&fields, line) {
        Ok(()) => row.moves = cell("moves").as_ref().map_or_else(Vec::new, parse_moves),
        Err(error) => row.error = Some(error),
    }
    row
}

/// The moves of the column `moves`, with their scores.
fn parse_moves(cell: &Cell) -> Vec<Result<(Cell, ScoreCells), LineError>> {
    let words = cell.text.split(' ').scan(cell.offset, |at, text| {
        let offset = *at;
        *at += text.len() + 1;
        Some(Cell { text: text.to_owned(), offset })
    });
    words.filter(|word| !word.text.is_empty()).map(parse_move).collect()
}

fn parse_move(word: Cell) -> Result<(Cell, ScoreCells), LineError> {
    let Cell { text, offset } = &word;
    let (mv, score) = text.split_once(':').ok_or_else(|| {
        LineError::new(
            *offset,
            format!("`{}` has no score", shortened(text)),
            "write a move and its score as g8:+18, g8:>=+2 or g8:?",
        )
    })?;
    let start = offset + mv.len() + 1;
    let part = |text: &str, at: usize| Some(Cell { text: text.to_owned(), offset: start + at });
    let mut cells = ScoreCells::default();
    if let Some(lower) = score.strip_prefix(">=") {
        cells.lower = part(lower, 2);
    } else if let Some(upper) = score.strip_prefix("<=") {
        cells.upper = part(upper, 2);
    } else if let Some((lower, upper)) = score.split_once("..") {
        (cells.lower, cells.upper) = (part(lower, 0), part(upper, lower.len() + 2));
    } else if score != "?" {
        cells.score = part(score, 0);
    }
    Ok((Cell { text: mv.to_owned(), offset: *offset }, cells))
}

#[cfg(test)]
mod tests {
    use super::super::columns::split;
    use super::super::output::samples;
    use super::super::row::samples::claim_texts;
    use super::*;

    const FFO_20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    fn row(header: &str, line: &str) -> NamedProblem {
        parse(&CsvHeader::read(header), split(line), line).problem(line, None)
    }

    #[test]
    fn the_output_of_the_writer_is_read() {
        let text = samples::written(&mut crate::records::output::csv::Csv::default(), true);
        let (header, rows) = text.split_once('\n').expect("lines");
        let rows: Vec<NamedProblem> = rows.lines().map(|line| row(header, line)).collect();
        let ids: Vec<Option<&str>> = rows.iter().map(|row| row.id.as_deref()).collect();
        assert_eq!(ids, [Some("list.obf:1"), Some("list.obf:3"), Some("list.obf:4")]);
        let claims = |row: usize| claim_texts(rows[row].problem.as_ref().expect("a position"));
        assert_eq!(claims(0), ["88 +18", "97 best [g8]", "130 g8 +18", "137 h1 <=+12"]);
        assert_eq!(claims(1), ["87 <=-2"]);
        let error = rows[2].problem.as_ref().expect_err("it was invalid");
        assert_eq!((error.offset, error.what.as_str()), (13, "there was no position to solve"));
    }

    #[test]
    fn each_leniency_is_accepted() {
        let claims = |header: &str, line: &str| {
            let NamedProblem { id, problem, .. } = row(header, line);
            (
                id.unwrap_or_default(),
                claim_texts(&problem.unwrap_or_else(|error| panic!("{line}: {error:?}"))),
            )
        };
        assert_eq!(claims("position,comment", &format!("{FFO_20},good")), (String::new(), vec![]));
        assert_eq!(
            claims("Score , Position,ID", &format!(" +6,\"{FFO_20};\" ,a")),
            ("a".to_owned(), vec!["2 +6".to_owned()])
        );
        assert_eq!(
            claims("position,lower,upper", &format!("{FFO_20},-3,")).1,
            ["68 >=-2"],
            "odd bounds"
        );
        assert_eq!(claims("position,lower,upper", &format!("{FFO_20},-64,64")).1, [""; 0]);
        assert_eq!(claims("position,wld", &format!("{FFO_20},Win")).1, ["68 >=+2"]);
        assert_eq!(claims("position,wld", &format!("{FFO_20},draw")).1, ["68 +0"]);
        assert_eq!(claims("wld,lower,position", &format!("loss,-10,{FFO_20}")).1, ["6 -10..-2"]);
        let moves =
            claims("moves,position", &format!("h5:+6  f6:<=-4 g6:>=-2 h6:-10..-8,{FFO_20}")).1;
        assert_eq!(moves, ["1 h5 +6", "8 f6 <=-4", "16 g6 >=-2", "24 h6 -10..-8"]);
        assert_eq!(claims("moves,position", &format!("h5:?,{FFO_20}")).1, [""; 0]);
        let best = claims("position,lower,best_move", &format!("{FFO_20},2,h5")).1;
        assert_eq!(best, ["68 >=+2"], "a move that is good enough need not be the best");
    }

    #[test]
    fn errors_have_their_offsets() {
        let error = |header: &str, line: String| {
            let NamedProblem { problem, malformed, .. } = row(header, &line);
            let error = problem.map_or_else(|error| error, |_| malformed[0].clone());
            format!("{} {}; {}", error.offset, error.what, error.hint)
        };
        let legal = "the legal moves are h5 f6 g6 h6";
        let short = error("id,position,score", format!("a,{FFO_20}"));
        assert_eq!(short, "68 the row has 2 fields; the head of the file names 3");
        assert_eq!(
            error("id,position", "a,".to_owned()),
            "0 the position is missing; it stands in the column `position`"
        );
        assert!(
            error("position", FFO_20[1..].to_owned())
                .starts_with("63 the board ends after 63 of 64 squares")
        );
        assert!(
            error("position,id", format!("{FFO_20} X,a"))
                .starts_with("67 something follows the side to move")
        );
        assert_eq!(
            error("position,empties", format!("{FFO_20},7")),
            "67 the number of empties is said to be `7`; the position has 6"
        );
        assert!(
            error("position,score", format!("{FFO_20},x")).starts_with("67 `x` is not a score")
        );
        assert!(
            error("position,score", format!("{FFO_20},65")).starts_with("67 `65` is not a score")
        );
        assert!(
            error("position,score", format!("{FFO_20},5")).starts_with("67 `5` is an odd score")
        );
        let outside = "69 the score +6 lies outside its bounds; they are -64 and +4";
        assert_eq!(error("position,upper,score", format!("{FFO_20},4,6")), outside);
        assert!(
            error("position,score,wld", format!("{FFO_20},4,loss"))
                .starts_with("69 the bounds do not allow a `loss`; they are +4 and +4")
        );
        assert!(
            error("position,lower,upper", format!("{FFO_20},4,2"))
                .starts_with("67 no score lies within the bounds")
        );
        assert!(
            error("position,lower,upper", format!("{FFO_20},3,3"))
                .starts_with("67 no score lies within the bounds")
        );
        assert_eq!(
            error("position,score,best_move", format!("{FFO_20},6,a1")),
            format!("69 X cannot play a1; {legal}")
        );
        assert_eq!(
            error("position,moves", format!("{FFO_20},h5:+6 a1:+0")),
            format!("73 X cannot play a1; {legal}")
        );
        assert!(
            error("position,moves", format!("{FFO_20},h5:+6 H5:+0"))
                .starts_with("73 a second score for h5")
        );
        assert!(
            error("position,moves", format!("{FFO_20},h5")).starts_with("67 `h5` has no score")
        );
        assert!(
            error("position,moves", format!("{FFO_20},h5:>=x"))
                .starts_with("72 `x` is not a score")
        );
    }
}

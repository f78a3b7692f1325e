//! JSON Lines with a key `position`: Yose's own output, and lists of other programs. Or with a key
//! `transcript` for games.
//!
//! ```text
//! {"type":"position","id":"a.obf:1","position":"XXXO... X","score":6,"moves":[{"move":"h5"}]}
//! ```
//!
//! Each line is a JSON object (<https://jsonlines.org>). `row` lists the keys that are read, and
//! their claims. An object is skipped if its `type` is `run` or `summary`, which describe the run,
//! or is unknown, as later versions may add types.
//!
//! # Leniency
//! - Keys may have any order. Only `position` or `transcript` is required. `side` may have the side
//!   to move, as in CSV. Unknown keys are skipped, and `null` is
//!   the same as a missing key.
//! - `type` may be missing. A number may be written as a string.
//! - A line that begins with `%` is a comment.
//!
//! # Refused
//! - A line that is not an object, and an object with a key twice.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::othello::Colour;

use super::columns::Cell;
use super::csv::{identifier, with_side};
use super::error::LineError;
use super::format_reader::{FormatReader, Line, ParsedEntry, Recognition, Stop};
use super::formats::{FormatInfo, FormatKind};
use super::row::{Row, ScoreCells};
use super::text::shortened;
use super::transcript;

/// The entry of this format in the list of formats.
pub(super) const FORMAT: FormatInfo = FormatInfo {
    name: "jsonl",
    description: "JSON Lines with a key `position` or `transcript`, as Yose writes them",
    kind: FormatKind::Text(|| Box::new(JsonLinesReader)),
};

/// The reader of this format.
#[derive(Debug)]
pub(super) struct JsonLinesReader;

impl FormatReader for JsonLinesReader {
    fn recognise(&self, line: &str) -> Recognition {
        if line.trim_ascii_start().starts_with('{') {
            Recognition::Bracket
        } else {
            Recognition::No
        }
    }

    fn read(&mut self, line: &Line<'_>, side: Option<Colour>) -> Result<Vec<ParsedEntry>, Stop> {
        let text = line.text()?;
        let mut row = parse(text);
        let OtherCells { side: cell, transcript } = OtherCells::of(text).unwrap_or_else(|error| {
            row.error.get_or_insert(error);
            OtherCells::default()
        });
        if let Some(kind) = row.kind.as_ref().filter(|kind| kind.text != "position") {
            if row.position.is_none() && transcript.is_none() && row.error.is_none() {
                return Ok(Vec::new());
            }
            // A position must not be lost.
            let what = format!("the type is `{}`", shortened(&kind.text));
            let hint = "a line with a position or a transcript has the type `position`, or none";
            row.error.get_or_insert(LineError::new(kind.offset, what, hint));
        }
        Ok(vec![match transcript.filter(|_| row.position.is_none() && row.error.is_none()) {
            Some(moves) => {
                let game = transcript::read(&moves.text);
                let game = game.map_err(|error| error.within(moves.offset));
                line.game(row.id.map(|id| identifier(&id.text)), text, game)
            }
            None => {
                let read = |side| row.problem(text, side);
                line.position(text, with_side(cell.as_ref(), side, read))
            }
        }])
    }
}

#[derive(Deserialize)]
struct RowJson<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    position: Option<&'a RawValue>,
    #[serde(borrow)]
    empties: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    #[serde(borrow)]
    score: Option<&'a RawValue>,
    #[serde(borrow)]
    lower: Option<&'a RawValue>,
    #[serde(borrow)]
    upper: Option<&'a RawValue>,
    #[serde(borrow)]
    wld: Option<&'a RawValue>,
    #[serde(borrow)]
    best_move: Option<&'a RawValue>,
    #[serde(borrow)]
    moves: Option<&'a RawValue>,
    #[serde(borrow)]
    comment: Option<&'a RawValue>,
    #[serde(borrow)]
    nodes: Option<&'a RawValue>,
    #[serde(borrow)]
    seconds: Option<&'a RawValue>,
}

/// The cells of an object that are no part of Yose's records.
#[derive(Default)]
struct OtherCells {
    side: Option<Cell>,
    transcript: Option<Cell>,
}

impl OtherCells {
    /// # Errors
    /// If a key occurs twice.
    fn of(line: &str) -> Result<OtherCells, LineError> {
        #[derive(Deserialize)]
        struct OtherJson<'a> {
            #[serde(borrow)]
            side: Option<&'a RawValue>,
            #[serde(borrow)]
            transcript: Option<&'a RawValue>,
        }
        // Few objects have them. This check avoids to parse the others twice.
        if !line.contains("\"side\"") && !line.contains("\"transcript\"") {
            return Ok(OtherCells::default());
        }
        let OtherJson { side, transcript } =
            serde_json::from_str(line).map_err(|error| json_error(&error, line))?;
        Ok(OtherCells {
            side: side.map(|value| cell(value, line)),
            transcript: transcript.map(|value| cell(value, line)),
        })
    }
}

#[derive(Deserialize)]
struct MoveJson<'a> {
    #[serde(borrow, rename = "move")]
    mv: &'a RawValue,
    #[serde(borrow)]
    score: Option<&'a RawValue>,
    #[serde(borrow)]
    lower: Option<&'a RawValue>,
    #[serde(borrow)]
    upper: Option<&'a RawValue>,
}

/// The cells of an object.
pub(super) fn parse(line: &str) -> Row {
    let object: RowJson<'_> = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => return Row { error: Some(json_error(&error, line)), ..Row::default() },
    };
    let cell = |value: Option<&RawValue>| value.map(|value| cell(value, line));
    let mut row = Row {
        kind: cell(object.kind),
        id: cell(object.id),
        position: cell(object.position),
        empties: cell(object.empties),
        status: cell(object.status),
        score: ScoreCells {
            score: cell(object.score),
            lower: cell(object.lower),
            upper: cell(object.upper),
            wld: cell(object.wld),
        },
        best_move: cell(object.best_move),
        moves: Vec::new(),
        comment: cell(object.comment),
        nodes: cell(object.nodes),
        seconds: cell(object.seconds),
        error: None,
    };
    row.moves = object.moves.map_or_else(Vec::new, |moves| parse_moves(moves, line));
    row
}

/// The values of an object by their keys. Those that are `null` are left out.
///
/// # Errors
/// If the line is no object.
pub(crate) fn values(line: &str) -> Result<HashMap<String, Cell>, LineError> {
    let object: HashMap<String, Option<&RawValue>> =
        serde_json::from_str(line).map_err(|error| json_error(&error, line))?;
    let values = object.into_iter().filter_map(|(key, value)| Some((key, cell(value?, line))));
    Ok(values.collect())
}

/// The elements of an array of moves, or their errors. If the value is no array, its error.
fn parse_moves(moves: &RawValue, line: &str) -> Vec<Result<(Cell, ScoreCells), LineError>> {
    match from_part::<Vec<&RawValue>>(moves, line) {
        Ok(moves) => moves.into_iter().map(|mv| parse_move(mv, line)).collect(),
        Err(error) => vec![Err(error)],
    }
}

fn parse_move(mv: &RawValue, line: &str) -> Result<(Cell, ScoreCells), LineError> {
    let mv: MoveJson<'_> = from_part(mv, line)?;
    let cell = |value: Option<&RawValue>| value.map(|value| cell(value, line));
    let score = ScoreCells {
        score: cell(mv.score),
        lower: cell(mv.lower),
        upper: cell(mv.upper),
        wld: None,
    };
    Ok((self::cell(mv.mv, line), score))
}

/// Parses a value that borrows from the line.
fn from_part<'a, T: Deserialize<'a>>(value: &'a RawValue, line: &str) -> Result<T, LineError> {
    serde_json::from_str(value.get())
        .map_err(|error| json_error(&error, value.get()).within(offset_in(value, line)))
}

/// A value as a text: the content of a JSON string, or another value as it is written.
fn cell(value: &RawValue, line: &str) -> Cell {
    let offset = offset_in(value, line);
    match serde_json::from_str(value.get()) {
        Ok(text) => Cell { text, offset: offset + 1 },
        Err(_) => Cell { text: value.get().to_owned(), offset },
    }
}

/// The offset of a value that borrows from the line.
fn offset_in(value: &RawValue, line: &str) -> usize {
    value.get().as_ptr().addr() - line.as_ptr().addr()
}

/// An error of `serde_json` in a text.
fn json_error(error: &serde_json::Error, text: &str) -> LineError {
    // Its columns count bytes, and may lie behind the end.
    let mut offset = error.column().saturating_sub(1).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default().to_owned();
    LineError::new(offset, what, "a line is a JSON object, and names each key once")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::format_reader::NamedProblem;
    use super::super::output::jsonl::JsonLines;
    use super::super::output::samples;
    use super::super::row::samples::claim_texts;
    use super::*;

    /// The position of a line; `None` if its type is another one.
    fn read(line: &str, side: Option<Colour>) -> Option<NamedProblem> {
        let row = parse(line);
        let other = row.kind.as_ref().is_some_and(|kind| kind.text != "position");
        (!other).then(|| row.problem(line, side))
    }

    const FFO_20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    #[test]
    fn the_output_of_the_writer_is_read() {
        let text = samples::written(&mut JsonLines::default(), true);
        let rows: Vec<NamedProblem> = text.lines().filter_map(|line| read(line, None)).collect();
        let ids: Vec<Option<&str>> = rows.iter().map(|row| row.id.as_deref()).collect();
        assert_eq!(
            ids,
            [Some("list.obf:1"), Some("list.obf:3"), Some("list.obf:4")],
            "run and summary are skipped"
        );
        let claims = |row: usize| claim_texts(rows[row].problem.as_ref().expect("a position"));
        assert_eq!(claims(0), ["156 +18", "194 best [g8]", "279 g8 +18", "326 h1 <=+12"]);
        assert_eq!(claims(1), ["167 <=-2"]);
        assert_eq!(
            rows[2].problem.as_ref().expect_err("it was invalid").what,
            "there was no position to solve"
        );
    }

    #[test]
    fn each_leniency_is_accepted() {
        let line = format!(
            r#" {{ "unknown" : [1], "score" : "+6" , "lower":null, "position" : "{FFO_20}" }} "#
        );
        let NamedProblem { id, problem, .. } = read(&line, None).expect("a position");
        let problem = problem.expect("a position");
        assert_eq!((id, claim_texts(&problem)), (None, vec!["32 +6".to_owned()]));
        assert_eq!(&line[problem.claims[0].column - 1..][..2], "+6", "the column is the text's");
        assert!(read(r#"{"type":"later"}"#, None).is_none());
        let bare = format!(r#"{{"position":"{}","id":7}}"#, &FFO_20[..64]);
        let NamedProblem { id, problem, .. } =
            read(&bare, Some(Colour::White)).expect("a position");
        assert_eq!(
            (id.as_deref(), problem.expect("a side was given").diagram.to_move),
            (Some("7"), Colour::White)
        );
    }

    #[test]
    fn errors_have_their_offsets() {
        let error = |line: &str| {
            let NamedProblem { problem, malformed, .. } = read(line, None).expect("a position");
            let error = problem.map_or_else(|error| error, |_| malformed[0].clone());
            format!("{} {}; {}", error.offset, error.what, error.hint)
        };
        let hint = "a line is a JSON object, and names each key once";
        assert_eq!(error(r#"{"position":"#), format!("11 EOF while parsing a value; {hint}"));
        assert_eq!(error("{x}"), format!("1 key must be a string; {hint}"));
        assert!(error(r#"{"id":1,"id":2}"#).contains("duplicate field `id`"));
        assert_eq!(error("{}"), "0 the position is missing; it stands in the column `position`");
        assert!(
            error(r#"{"position":"XO"}"#).starts_with("15 the board ends after 2 of 64 squares")
        );
        assert!(error(r#"{"position":12}"#).starts_with("12 '1' is not a square"));
        let with = |rest: &str| error(&format!(r#"{{"position":"{FFO_20}",{rest}}}"#));
        assert_eq!(
            with(r#""best_move":"a1","score":6"#),
            "94 X cannot play a1; the legal moves are h5 f6 g6 h6"
        );
        assert!(with(r#""score":6.5"#).starts_with("89 `6.5` is not a score"));
        assert!(
            with(r#""moves":[{"move":"h5","score":5}]"#).starts_with("111 `5` is an odd score")
        );
        assert_eq!(with(r#""moves":[{"score":5}]"#), format!("100 missing field `move`; {hint}"));
        assert!(with(r#""moves":{"h5":6}"#).contains("invalid type: map"));
    }

    proptest! {
        #[test]
        fn no_text_panics(
            text in concat!(
                r#"\{("(id|score|position|moves)":|"#,
                r#"[0-9]|"[XO-]{0,4}"|\[|\]|\{|\}|,|é|null){0,12}"#,
            ),
        ) {
            let Some(NamedProblem { problem, malformed, .. }) = read(&text, None) else {
                return Ok(());
            };
            for error in problem.err().into_iter().chain(malformed) {
                prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
            }
        }
    }
}

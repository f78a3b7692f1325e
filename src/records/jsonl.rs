//! JSON Lines with a key `position`: what Yose writes, read back, and lists of other programs.
//!
//! ```text
//! {"type":"position","id":"a.obf:1","position":"XXXO... X","score":6,"moves":[{"move":"h5",…}]}
//! ```
//!
//! Each line is an object. Which of its keys are read, and what they claim, `results.rs` tells. An
//! object whose `type` is `run` or `summary` tells of the run and is skipped; so is one of a `type`
//! that is not known, as a later version may have more of them.
//!
//! # The reader is relaxed
//! - Keys may come in any order; only `position` must be there. Those that are not known are
//!   skipped, and `null` is the same as nothing.
//! - `type` may be missing, and a number may be written as a text.
//! - A line that begins with `%` is a comment.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::othello::Colour;

use super::columns::Cell;
use super::problem::LineError;
use super::row::{Named, Row, ScoreCells};

/// Whether a line looks like one.
pub(super) fn looks_like(line: &str) -> bool {
    line.trim_ascii_start().starts_with('{')
}

#[derive(Deserialize)]
struct Line<'a> {
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
    best_move: Option<&'a RawValue>,
    #[serde(borrow)]
    moves: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct MoveLine<'a> {
    #[serde(borrow, rename = "move")]
    mv: &'a RawValue,
    #[serde(borrow)]
    score: Option<&'a RawValue>,
    #[serde(borrow)]
    lower: Option<&'a RawValue>,
    #[serde(borrow)]
    upper: Option<&'a RawValue>,
}

/// Reads a line; none if it tells of no position.
pub(super) fn read(line: &str, side: Option<Colour>) -> Option<Named> {
    let object: Line<'_> = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => return Some((None, Err(wrong(&error, line)))),
    };
    let cell = |value: Option<&RawValue>| value.map(|value| cell(value, line));
    if cell(object.kind).is_some_and(|kind| kind.text != "position") {
        return None;
    }
    let mut row = Row {
        id: cell(object.id),
        position: cell(object.position),
        empties: cell(object.empties),
        status: cell(object.status),
        score: ScoreCells {
            score: cell(object.score),
            lower: cell(object.lower),
            upper: cell(object.upper),
        },
        best_move: cell(object.best_move),
        moves: Vec::new(),
    };
    match object.moves.map_or(Ok(Vec::new()), |moves| read_moves(moves, line)) {
        Ok(moves) => row.moves = moves,
        Err(error) => return Some((row.read(line, side).0, Err(error))),
    }
    Some(row.read(line, side))
}

fn read_moves(moves: &RawValue, line: &str) -> Result<Vec<(Cell, ScoreCells)>, LineError> {
    let start = offset_in(moves, line);
    let moves: Vec<MoveLine<'_>> = serde_json::from_str(moves.get())
        .map_err(|error| wrong(&error, moves.get()).within(start))?;
    let cells = |mv: &MoveLine<'_>| {
        let cell = |value: Option<&RawValue>| value.map(|value| cell(value, line));
        (
            self::cell(mv.mv, line),
            ScoreCells { score: cell(mv.score), lower: cell(mv.lower), upper: cell(mv.upper) },
        )
    };
    Ok(moves.iter().map(cells).collect())
}

/// A value as text: the contents of a JSON string, everything else as it stands.
fn cell(value: &RawValue, line: &str) -> Cell {
    let offset = offset_in(value, line);
    match serde_json::from_str(value.get()) {
        Ok(text) => Cell { text, offset: offset + 1 },
        Err(_) => Cell { text: value.get().to_owned(), offset },
    }
}

/// Where a value that was borrowed from a line stands in it.
fn offset_in(value: &RawValue, line: &str) -> usize {
    value.get().as_ptr().addr() - line.as_ptr().addr()
}

/// What `serde_json` found wrong with a text.
fn wrong(error: &serde_json::Error, text: &str) -> LineError {
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

    use super::super::output::jsonl::JsonLines;
    use super::super::output::samples;
    use super::super::row::samples::words;
    use super::*;

    const FFO_20: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

    #[test]
    fn what_the_writer_wrote() {
        let text = samples::written(&mut JsonLines, true);
        let rows: Vec<Named> = text.lines().filter_map(|line| read(line, None)).collect();
        let ids: Vec<Option<&str>> = rows.iter().map(|(id, _)| id.as_deref()).collect();
        assert_eq!(
            ids,
            [Some("list.obf:1"), Some("list.obf:3"), Some("list.obf:4")],
            "run and summary are skipped"
        );
        let claims = |row: usize| words(rows[row].1.as_ref().expect("a position"));
        assert_eq!(claims(0), ["156 +18", "194 best [g8]", "267 g8 +18", "314 h1 <=+12"]);
        assert_eq!(claims(1), ["170 <=-2"]);
        assert_eq!(
            rows[2].1.as_ref().expect_err("it was invalid").what,
            "there was no position to solve"
        );
    }

    #[test]
    fn every_leniency() {
        let line = format!(
            r#" {{ "unknown" : [1], "score" : "+6" , "lower":null, "position" : "{FFO_20}" }} "#
        );
        let (id, problem) = read(&line, None).expect("a position");
        let problem = problem.expect("a position");
        assert_eq!((id, words(&problem)), (None, vec!["32 +6".to_owned()]));
        assert_eq!(&line[problem.claims[0].column - 1..][..2], "+6", "the column is the text's");
        assert!(read(r#"{"type":"later"}"#, None).is_none());
        let bare = format!(r#"{{"position":"{}","id":7}}"#, &FFO_20[..64]);
        let (id, problem) = read(&bare, Some(Colour::White)).expect("a position");
        assert_eq!(
            (id.as_deref(), problem.expect("a side was given").diagram.to_move),
            (Some("7"), Colour::White)
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let error = |line: &str| {
            let error = read(line, None).expect("no other type").1.expect_err("a bad line");
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
        fn no_text_panics(text in r#"\{("(id|score|position|moves)":|[0-9]|"[XO-]{0,4}"|\[|\]|\{|\}|,|é|null){0,12}"#) {
            if let Some((_, Err(error))) = read(&text, None) {
                prop_assert!(text.is_char_boundary(error.offset), "{:?}", error);
            }
        }
    }
}

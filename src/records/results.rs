//! The records of an earlier run, read back for `--resume` and for `yose merge`.
//!
//! This reads only what Yose writes: CSV with its header, and JSON Lines. It reads line by line and
//! strictly. No record spans lines, because identifiers hold no control characters. A last line
//! without a line break is torn and is not a record.

use serde::Deserialize;

use super::output::{COLUMNS, Status};
use crate::othello::{Diagram, Move, Score};
use crate::search::{Bounds, Window};

/// The formats that can be read back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFormat {
    /// [`csv`](super::csv).
    Csv,
    /// [`jsonl`](super::jsonl).
    JsonLines,
}

/// The first line of a file of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResultHeader {
    /// The format of the file.
    pub format: ResultFormat,
    /// Whether the records have the score of every move.
    pub all_moves: bool,
}

/// A line after the first.
#[derive(Clone, PartialEq, Debug)]
pub enum ResultLine {
    /// A record.
    Record(Box<StoredRecord>),
    /// The options of a run.
    Run,
    /// The summary of a run, which is the last line of a finished one.
    Summary,
}

/// A record that was written before.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredRecord {
    /// Its identifier.
    pub id: String,
    /// The position; `None` if the input line was invalid.
    pub diagram: Option<Diagram>,
    /// The kind of result.
    pub status: Status,
    /// The proven bounds of the score, for the side to move.
    pub bounds: Bounds,
    /// The proven bounds after each move, if the run had `all_moves`.
    pub moves: Vec<(Move, Bounds)>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The duration of the search in seconds.
    pub seconds: f64,
}

impl StoredRecord {
    /// Whether a run with this `window` can use the record and need not search the position. The
    /// record must be finished, and its score must be exact or lie outside the window. With
    /// `all_moves` the same must hold for every move.
    pub fn answers(&self, window: Window, all_moves: bool) -> bool {
        let known = |bounds: Bounds| {
            bounds.exact().is_some()
                || bounds.lower >= window.beta()
                || bounds.upper <= window.alpha()
        };
        let moves = || match &self.diagram {
            Some(diagram) if !diagram.position.is_over() => !self.moves.is_empty(),
            _ => true,
        };
        matches!(self.status, Status::Exact | Status::Bounds)
            && known(self.bounds)
            && (!all_moves || moves() && self.moves.iter().all(|&(_, bounds)| known(bounds)))
    }
}

/// Reads the first line of a file.
///
/// # Errors
/// A description of the fault, if Yose did not write the line.
pub fn read_header(line: &str) -> Result<ResultHeader, String> {
    #[derive(Deserialize)]
    struct RunJson {
        #[serde(rename = "type")]
        kind: String,
        schema: u32,
        all_moves: bool,
    }

    let columns = COLUMNS.join(",");
    if let Some(rest) = line.strip_prefix(&columns)
        && (rest.is_empty() || rest == ",moves")
    {
        return Ok(ResultHeader { format: ResultFormat::Csv, all_moves: !rest.is_empty() });
    }
    match serde_json::from_str::<RunJson>(line) {
        Ok(RunJson { kind, schema: super::output::jsonl::SCHEMA, all_moves }) if kind == "run" => {
            Ok(ResultHeader { format: ResultFormat::JsonLines, all_moves })
        }
        Ok(run) if run.kind == "run" => {
            Err(format!("is of schema {}, which this version does not read", run.schema))
        }
        _ => Err("does not begin as a file of results does".to_owned()),
    }
}

/// Reads a line after the first.
///
/// # Errors
/// A description of the fault, if the line is neither a record nor about the run.
pub fn read_line(text: &str, form: ResultFormat) -> Result<ResultLine, String> {
    match form {
        ResultFormat::Csv => csv_line(text).map(|written| ResultLine::Record(Box::new(written))),
        ResultFormat::JsonLines => json_line(text),
    }
}

fn csv_line(text: &str) -> Result<StoredRecord, String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    if !reader.read_record(&mut record).map_err(|error| error.to_string())? {
        return Err("is blank".to_owned());
    }
    let field = |index: usize| record.get(index).unwrap_or_default();
    if record.len() != COLUMNS.len() && record.len() != COLUMNS.len() + 1 {
        return Err(format!("has {} fields and not {}", record.len(), COLUMNS.len()));
    }
    let status = status(field(3))?;
    let (diagram, bounds) = match status {
        Status::Invalid => (None, Bounds::UNKNOWN),
        _ => (Some(position(field(1))?), bounds(number(field(5))?, number(field(6))?)?),
    };
    let moves =
        field(COLUMNS.len()).split_ascii_whitespace().map(move_text).collect::<Result<_, _>>()?;
    let [nodes, seconds] =
        [field(9), field(10)].map(|text| if text.is_empty() { "0" } else { text });
    Ok(StoredRecord {
        id: field(0).to_owned(),
        diagram,
        status,
        bounds,
        moves,
        nodes: number(nodes)?,
        seconds: number(seconds)?,
    })
}

/// A move and its score as [`csv`](super::csv) writes them: `g8:+18`, `b1:<=-4`.
fn move_text(text: &str) -> Result<(Move, Bounds), String> {
    let (mv, score) =
        text.split_once(':').ok_or_else(|| format!("`{text}` is not a move and its score"))?;
    let mv = mv.parse().map_err(|error| format!("{error}"))?;
    let (lower, upper) = match score {
        "?" => (-64, 64),
        _ => match (score.strip_prefix(">="), score.strip_prefix("<="), score.split_once("..")) {
            (Some(lower), _, _) => (number(lower)?, 64),
            (_, Some(upper), _) => (-64, number(upper)?),
            (_, _, Some((lower, upper))) => (number(lower)?, number(upper)?),
            _ => (number(score)?, number(score)?),
        },
    };
    Ok((mv, bounds(lower, upper)?))
}

fn json_line(text: &str) -> Result<ResultLine, String> {
    #[derive(Deserialize)]
    #[serde(tag = "type", rename_all = "lowercase")]
    enum LineJson {
        Run,
        Position(Box<PositionJson>),
        Summary,
    }
    #[derive(Deserialize)]
    struct PositionJson {
        id: String,
        position: Option<String>,
        status: String,
        lower: Option<i32>,
        upper: Option<i32>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        #[serde(default)]
        moves: Vec<MoveJson>,
    }
    #[derive(Deserialize)]
    struct MoveJson {
        #[serde(rename = "move")]
        mv: String,
        lower: i32,
        upper: i32,
    }

    let record = match serde_json::from_str(text).map_err(|error| error.to_string())? {
        LineJson::Position(record) => record,
        LineJson::Run => return Ok(ResultLine::Run),
        LineJson::Summary => return Ok(ResultLine::Summary),
    };
    let read = |mv: MoveJson| {
        Ok::<_, String>((
            mv.mv.parse().map_err(|error| format!("{error}"))?,
            bounds(mv.lower, mv.upper)?,
        ))
    };
    let written = StoredRecord {
        id: record.id,
        status: status(&record.status)?,
        diagram: record.position.as_deref().map(position).transpose()?,
        bounds: bounds(record.lower.unwrap_or(-64), record.upper.unwrap_or(64))?,
        moves: record.moves.into_iter().map(read).collect::<Result<_, _>>()?,
        nodes: record.nodes.unwrap_or(0),
        seconds: record.seconds.unwrap_or(0.0),
    };
    if written.diagram.is_none() && written.status != Status::Invalid {
        return Err("has no position".to_owned());
    }
    Ok(ResultLine::Record(Box::new(written)))
}

fn status(text: &str) -> Result<Status, String> {
    Status::ALL
        .into_iter()
        .find(|status| status.name() == text)
        .ok_or_else(|| format!("`{text}` is not a status"))
}

fn position(text: &str) -> Result<Diagram, String> {
    text.parse().map_err(|error| format!("`{text}` is not a position: {error}"))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn bounds(lower: i32, upper: i32) -> Result<Bounds, String> {
    match (Score::try_new(lower), Score::try_new(upper)) {
        (Some(lower), Some(upper)) if lower <= upper => Ok(Bounds { lower, upper }),
        _ => Err(format!("no score lies from {lower} to {upper}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::output::{Record, Writer, csv::Csv, jsonl::JsonLines, samples};
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for (writer, form) in [
            (&mut Csv::default() as &mut dyn Writer, ResultFormat::Csv),
            (&mut JsonLines, ResultFormat::JsonLines),
        ] {
            let text = samples::written(writer, true);
            let mut lines = text.lines();
            assert_eq!(
                read_header(lines.next().expect("a head")),
                Ok(ResultHeader { format: form, all_moves: true })
            );
            for record in samples::records() {
                let Ok(ResultLine::Record(written)) =
                    read_line(lines.next().expect("a record"), form)
                else {
                    panic!("{text}")
                };
                assert_eq!((&written.id, written.status), (&record.id, record.status()));
                let Record { outcome: Ok(solved), .. } = record else { continue };
                assert_eq!(written.diagram, Some(solved.diagram));
                assert_eq!(written.bounds, solved.solution.bounds);
                assert_eq!(written.moves, solved.solution.moves);
                assert_eq!((written.nodes, written.seconds), (solved.solution.nodes, 1.234_567));
            }
            match form {
                ResultFormat::Csv => assert_eq!(lines.next(), None),
                ResultFormat::JsonLines => {
                    assert_eq!(
                        read_line(lines.next().expect("a summary"), form),
                        Ok(ResultLine::Summary)
                    )
                }
            }
        }
    }

    #[test]
    fn what_answers_a_question() {
        let (position, window) =
            (samples::POSITION.parse().expect("a position"), Window::WIN_LOSS_DRAW);
        let written = |lower, upper, status| StoredRecord {
            id: String::new(),
            diagram: Some(position),
            status,
            bounds: samples::bounds(lower, upper),
            moves: Vec::new(),
            nodes: 0,
            seconds: 0.0,
        };
        assert!(written(4, 4, Status::Exact).answers(Window::FULL, false));
        assert!(written(2, 64, Status::Bounds).answers(window, false));
        assert!(
            !written(2, 64, Status::Bounds).answers(Window::FULL, false),
            "a narrower question was answered"
        );
        assert!(!written(0, 64, Status::Limit).answers(window, false));
        assert!(!written(4, 4, Status::Exact).answers(Window::FULL, true), "the moves are missing");
        let mut all = written(4, 4, Status::Exact);
        all.moves = vec![(Move::Pass, samples::bounds(-64, -2))];
        assert!(all.answers(window, true) && !all.answers(Window::FULL, true));
    }

    #[test]
    fn what_yose_did_not_write_is_refused() {
        for text in [
            "",
            "a,b",
            "{}",
            r#"{"type":"run"}"#,
            r#"{"type":"run","schema":99,"all_moves":false}"#,
        ] {
            assert!(read_header(text).is_err(), "{text}");
        }
        let torn = format!("list:1,{},14,exa", samples::POSITION);
        let wrong = format!("list:1,{},14,exact,4,6,4,,,1,0.1", samples::POSITION);
        for text in ["", "list:1", &torn, &wrong] {
            assert!(read_line(text, ResultFormat::Csv).is_err(), "{text}");
        }
        for text in ["", "{", r#"{"type":"position","id":"a","status":"exact"}"#] {
            assert!(read_line(text, ResultFormat::JsonLines).is_err(), "{text}");
        }
    }
}

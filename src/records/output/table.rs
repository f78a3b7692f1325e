//! A table for people, the default on a terminal.
//!
//! - The first column has the identifier, and the comment of the line if it has one, such as
//!   `list.obf:3 FFO 20`.
//! - `side` is the side to move. Scores are from its point of view, and have a sign. A score that
//!   is only bounded is printed as `>=+2` or `<=-2`, and as `unknown` if no score is excluded.
//! - If wins, draws and losses were to be found, they are printed in place of the score.
//! - `principal variation` is perfect play by both sides. For a search that was cut short, the
//!   column has the reason.
//! - With the scores of all moves, further lines list them, best first.
//!
//! On a terminal, lines fit its width: names are shortened at the front and moves at the end, and
//! `…` stands for the rest. Elsewhere nothing is left out: a cell that is wider than its column
//! moves the rest of its line to the right.

use std::io::Write as _;
use std::time::Duration;

use super::{Record, Run, Solved, Status, Summary, Wld, Writer, bounds_text, moves_text, readable};
use crate::othello::Move;
use crate::search::{Bounds, Window};

/// The width of the columns between the name and the principal variation, with the spaces before
/// each of them and before the principal variation.
const BETWEEN: usize = 2 + 7 + 2 + 4 + 2 + 7 + 2 + 13 + 2 + 9 + 2;
/// The largest width of the column of names. Longer names are rare.
const WIDEST_NAME: usize = 60;
/// The smallest one: that of its title.
const TITLE: &str = "position";
/// The indentation of the scores of all moves.
const INDENT: &str = "    ";

/// The writer of a table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The width of the terminal.
    width: Option<usize>,
    /// The length of the longest name.
    longest_name: Option<usize>,
    /// The width of the column of names.
    name: usize,
    /// Whether wins, draws and losses are printed, and not scores.
    wld: bool,
}

impl Table {
    /// A table for a terminal with so many columns, or without limit. `longest_name` is the length
    /// in characters of the longest identifier with its comment, if it is known.
    pub fn new(width: Option<usize>, longest_name: Option<usize>) -> Table {
        Table { width, longest_name, ..Table::default() }
    }

    fn row(&self, out: &mut Vec<u8>, cells: [&str; 6], play: &str) {
        let [name, empties, side, score, nodes, seconds] = cells;
        let mut row = format!(
            "{name:<0$}  {empties:>7}  {side:>4}  {score:>7}  {nodes:>13}  {seconds:>9}  ",
            self.name
        );
        match self.width {
            Some(width) => row += &first_words(play, width.saturating_sub(length(&row))),
            None => row += play,
        }
        let _ = writeln!(out, "{}", row.trim_end());
    }

    /// The name of a record: its identifier and its comment, shortened to the width of the column
    /// if the width of the table is limited.
    fn name_of(&self, record: &Record) -> String {
        let comment = record.notes.comment.as_deref();
        let with_comment = |id: &str| match comment {
            Some(comment) => format!("{id} {comment}"),
            None => id.to_owned(),
        };
        let whole = with_comment(&record.id);
        if self.width.is_none() || length(&whole) <= self.name {
            return whole;
        }
        // Without its folders, then without its file.
        let file = record.id.rsplit('/').next().unwrap_or_default();
        let line = record.id.rsplit([':', '#']).next().unwrap_or_default();
        let shorter = with_comment(file);
        match comment {
            _ if length(&shorter) <= self.name => shorter,
            Some(_) => beginning(&with_comment(line), self.name),
            None => end(file, self.name),
        }
    }

    /// The score of a position, or its result.
    fn score_of(&self, bounds: Bounds) -> String {
        match Wld::of(bounds).filter(|_| self.wld) {
            Some(wld) => wld.name().to_owned(),
            None => score_text(bounds),
        }
    }

    /// The scores of all moves, in as many lines as their width takes.
    fn moves(&self, out: &mut Vec<u8>, moves: &[(Move, Bounds)]) {
        let width = self.width.unwrap_or(usize::MAX);
        let mut line = String::new();
        for &(mv, bounds) in moves {
            let word = format!("{mv} {}", score_text(bounds));
            if !line.is_empty() && length(&line) + 2 + length(&word) > width {
                let _ = writeln!(out, "{line}");
                line.clear();
            }
            line += if line.is_empty() { INDENT } else { "  " };
            line += &word;
        }
        if !line.is_empty() {
            let _ = writeln!(out, "{line}");
        }
    }
}

/// The principal variation; why a search was cut short; or the move that proves a lower bound,
/// which has no principal variation.
fn play_text(solved: &Solved, status: Status) -> String {
    let solution = &solved.solution;
    match (status, solution.best_move) {
        (Status::Limit, _) => "(ended by a limit)".to_owned(),
        (Status::Interrupted, _) => "(interrupted)".to_owned(),
        (_, Some(mv)) if solution.pv.is_empty() => mv.to_string(),
        _ => moves_text(&solution.pv),
    }
}

fn score_text(bounds: Bounds) -> String {
    if bounds == Bounds::UNKNOWN { "unknown".to_owned() } else { bounds_text(bounds) }
}

/// Seconds with three decimals.
fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// The length of a text in characters.
fn length(text: &str) -> usize {
    text.chars().count()
}

/// A text, or as much of its beginning as fits into `width` characters with a `…`.
fn beginning(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A text, or as much of its end as fits into `width` characters with a `…`.
fn end(text: &str, width: usize) -> String {
    let skipped = (length(text) + 1).saturating_sub(width);
    if length(text) <= width {
        return text.to_owned();
    }
    ['…'].into_iter().chain(text.chars().skip(skipped)).collect()
}

/// A text, or as many of its first words as fit into `width` characters with a `…`.
fn first_words(text: &str, width: usize) -> String {
    if length(text) <= width {
        return text.to_owned();
    }
    let mut words = String::new();
    for word in text.split(' ') {
        if length(&words) + length(word) + 2 > width {
            break;
        }
        words += word;
        words.push(' ');
    }
    words + "…"
}

impl Writer for Table {
    fn begin(&mut self, run: &Run, out: &mut Vec<u8>) {
        // Most identifiers have the form `name:1234`.
        let guess = || {
            run.inputs.iter().map(|input| length(&input.name)).max().unwrap_or(0) + ":1234".len()
        };
        let longest = self.longest_name.unwrap_or_else(guess);
        // On a narrow terminal, the principal variation gets a third of the rest.
        let most = self.width.map_or(WIDEST_NAME, |width| width.saturating_sub(BETWEEN) * 2 / 3);
        self.name = longest.min(most).max(TITLE.len());
        self.wld = run.window == Window::WIN_LOSS_DRAW;
        let score = if self.wld { "result" } else { "score" };
        let titles = [TITLE, "empties", "side", score, "nodes", "seconds"];
        let whole = "principal variation";
        let room = self.width.map(|width| width.saturating_sub(self.name + BETWEEN));
        let play = if room.is_some_and(|room| room < whole.len()) { "play" } else { whole };
        self.row(out, titles, play);
    }

    fn record(&mut self, record: &Record, out: &mut Vec<u8>) {
        let name = self.name_of(record);
        let Ok(solved) = &record.outcome else {
            return self.row(out, [&name, "", "", "invalid", "", ""], "");
        };
        let solution = &solved.solution;
        let cells = [
            &name,
            &solved.diagram.position.empties().count().to_string(),
            &solved.diagram.to_move.to_string(),
            &self.score_of(solution.bounds),
            &readable(solution.nodes),
            &seconds(solved.time),
        ];
        self.row(out, cells.map(String::as_str), &play_text(solved, record.status()));
        self.moves(out, &solution.moves);
    }

    fn end(&mut self, summary: &Summary, out: &mut Vec<u8>) {
        let _ = writeln!(out, "{}", summary_text(summary));
    }
}

/// The summary of a run in one line: the numbers of results, the nodes and the speed.
fn summary_text(summary: &Summary) -> String {
    let mut text = match summary.exact {
        1 => "1 exact score".to_owned(),
        exact => format!("{} exact scores", readable(exact)),
    };
    for (count, what) in [
        (summary.wld, "won or lost"),
        (summary.bounds, "bounded"),
        (summary.invalid, "invalid"),
        (summary.limit, "at a limit"),
        (summary.interrupted, "interrupted"),
    ] {
        if count > 0 {
            text += &format!(", {} {what}", readable(count));
        }
    }
    text += &format!("; {} nodes in {} s", readable(summary.nodes), seconds(summary.time));
    let rate = summary.nodes as f64 / summary.time.as_secs_f64();
    if rate.is_finite() && rate >= 1.0 {
        text += &format!(", {} nodes/s", readable(rate as u64));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn what_it_looks_like() {
        insta::assert_snapshot!(samples::written(&mut Table::default(), true));
        let narrow = samples::written(&mut Table::new(Some(80), Some(30)), true);
        insta::assert_snapshot!("in_80_columns", narrow);
    }

    #[test]
    fn rows_fit_the_width() {
        for width in [72, 80, 100, 132] {
            let text = samples::written(&mut Table::new(Some(width), Some(60)), true);
            let (summary, rows) = text.trim_end().rsplit_once('\n').map(|(a, b)| (b, a)).expect("");
            assert!(summary.contains(" nodes in "));
            assert!(rows.lines().all(|row| length(row) <= width), "{width}:\n{text}");
        }
    }

    #[test]
    fn a_name_keeps_what_distinguishes_it() {
        let name = |width, id: &str, comment: Option<&str>| {
            let mut record = samples::records().swap_remove(1);
            record.id = id.to_owned();
            record.notes.comment = comment.map(Into::into);
            Table { name: width, ..Table::new(Some(99), None) }.name_of(&record)
        };
        let comment = Some("FFO 20, 6 empties");
        assert_eq!(name(40, "lists/a.obf:3", comment), "lists/a.obf:3 FFO 20, 6 empties");
        assert_eq!(name(26, "lists/a.obf:3", comment), "a.obf:3 FFO 20, 6 empties");
        assert_eq!(name(19, "lists/a.obf:3", comment), "3 FFO 20, 6 empties");
        assert_eq!(name(12, "lists/a.obf:3", comment), "3 FFO 20, 6…");
        assert_eq!(name(12, "lists/a.obf:3", None), "a.obf:3");
        assert_eq!(name(12, "lists/WTH_2001.wtb#1234@20", None), "…wtb#1234@20");
        assert_eq!(name(12, "x", None), "x");
    }

    #[test]
    fn words_are_not_divided() {
        let cut = |width| first_words("g5 e8 -- g2", width);
        assert_eq!([cut(11), cut(10), cut(9)], ["g5 e8 -- g2", "g5 e8 -- …", "g5 e8 …"]);
        assert_eq!([cut(7), cut(4), cut(3)], ["g5 e8 …", "g5 …", "…"]);
    }

    #[test]
    fn a_run_without_time_has_no_rate() {
        assert_eq!(
            summary_text(&Summary { exact: 1, ..Summary::default() }),
            "1 exact score; 0 nodes in 0.000 s"
        );
    }
}

//! Boards as SVG: squares, discs, names of files and ranks, marks, and a description in words.
//!
//! Source: W3C, "Scalable Vector Graphics (SVG) 2", 2018, <https://www.w3.org/TR/SVG2/>.

use maud::{Markup, PreEscaped, html};

use super::Board;
use crate::othello::Square;

/// The style sheet of a board. A page has it once, a file of a board has it inside.
pub const STYLE: &str = "\
.board{font:bold 7px system-ui,sans-serif;text-anchor:middle;max-width:100%}\
.board .felt{fill:#1d7a46}.board .grid{stroke:#0c3d22;stroke-width:1;fill:none}\
.board .x{fill:#111}.board .o{fill:#fafafa}.board .name{fill:currentColor;font-weight:normal}\
.board .last{fill:#ff5a36}.board .legal{fill:#0c3d22}\
.board .score{fill:#fff;font-size:7.5px}\
.board .best{fill:#fde047;text-decoration:underline}\
.board .played{fill:none;stroke:#ff5a36;stroke-width:1.5}";

/// The length of a side of a square, and the margin for the names.
const SIDE: usize = 20;
const MARGIN: usize = 12;

/// The centre of a square.
fn centre(square: Square) -> (usize, usize) {
    (MARGIN + SIDE * square.file() + SIDE / 2, MARGIN + SIDE * square.rank() + SIDE / 2)
}

/// A board for a page that has [`STYLE`]. `name` is read aloud before its description.
pub fn board(board: &Board, name: &str) -> Markup {
    let size = MARGIN + 8 * SIDE + 2;
    let label = format!("{name}: {}", board.description());
    html! {
        svg.board viewBox=(format!("0 0 {size} {size}")) width=(size) height=(size) role="img"
            aria-label=(label) xmlns="http://www.w3.org/2000/svg" {
            (inside(board))
        }
    }
}

/// A board as a file of its own.
pub fn file(drawn: &Board, name: &str) -> String {
    files(&[(name.to_owned(), drawn.clone())])
}

/// Boards beside each other as one file, each with its name below.
pub fn files(boards: &[(String, Board)]) -> String {
    const IN_ROW: usize = 4;
    let size = MARGIN + 8 * SIDE + 2;
    let (width, height) = (size + 10, size + 14);
    let columns = boards.len().clamp(1, IN_ROW);
    let rows = boards.len().div_ceil(IN_ROW).max(1);
    let box_size = format!("0 0 {} {}", columns * width, rows * height);
    let text = html! {
        svg.board viewBox=(box_size) width=(2 * columns * width) height=(2 * rows * height)
            xmlns="http://www.w3.org/2000/svg" {
            style { (PreEscaped(STYLE)) }
            @for (index, (name, one)) in boards.iter().enumerate() {
                g role="img" transform=(format!(
                    "translate({} {})", index % IN_ROW * width, index / IN_ROW * height
                )) {
                    title { (name) ": " (one.description()) }
                    (inside(one))
                    text.name x=(MARGIN + 4 * SIDE) y=(size + 8) { (shortened(name)) }
                }
            }
        }
    };
    text.into_string() + "\n"
}

/// A name that fits below a board.
fn shortened(name: &str) -> String {
    const LONGEST: usize = 44;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// The elements of a board.
fn inside(board: &Board) -> Markup {
    let (start, length) = (MARGIN, 8 * SIDE);
    let mut grid = String::new();
    for line in 0..=8 {
        let at = MARGIN + line * SIDE;
        grid += &format!("M{start} {at}h{length}M{at} {start}v{length}");
    }
    let diagram = &board.diagram;
    html! {
        @for (index, file) in ('a'..='h').enumerate() {
            text.name x=(MARGIN + SIDE * index + SIDE / 2) y="9" { (file) }
            text.name x="6" y=(MARGIN + SIDE * index + SIDE / 2 + 2) { (index + 1) }
        }
        rect.felt x=(start) y=(start) width=(length) height=(length) {}
        path.grid d=(grid) {}
        @for (discs, class) in [(diagram.black(), "x"), (diagram.white(), "o")] {
            @for (x, y) in discs.into_iter().map(centre) {
                circle class=(class) cx=(x) cy=(y) r="8" {}
            }
        }
        (marks(board))
    }
}

/// The marks of a board.
fn marks(board: &Board) -> Markup {
    let best = board.best();
    html! {
        @if board.legal && board.scores.is_empty() {
            @for (x, y) in board.diagram.position.moves().into_iter().map(centre) {
                circle.legal cx=(x) cy=(y) r="2" {}
            }
        }
        @for &(square, score) in &board.scores {
            @let (x, y) = centre(square);
            text.score.best[Some(score) == best] x=(x) y=(y as f64 + 2.5) { (score) }
        }
        @if let Some((x, y)) = board.played.map(centre) {
            circle.played cx=(x) cy=(y) r="9" {}
        }
        @if let Some((x, y)) = board.last.map(centre) {
            circle.last cx=(x) cy=(y) r="2.5" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Diagram;

    #[test]
    fn all_discs_and_marks_are_drawn() {
        let drawn = Board { last: Some(Square::new(0)), ..Board::new(Diagram::START) };
        let text = file(&drawn, "<script>alert(1)</script>");
        assert_eq!(text.matches("class=\"x\"").count(), 2);
        assert_eq!(text.matches("class=\"o\"").count(), 2);
        assert_eq!(text.matches("class=\"legal\"").count(), 4);
        assert_eq!(text.matches("class=\"last\"").count(), 1);
        assert!(!text.contains("<script"), "{text}");
        assert!(text.contains("X to move. Last move a1. X: e4 d5. O: d4 e5."), "{text}");
    }
}

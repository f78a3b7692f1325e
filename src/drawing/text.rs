//! Boards as text.
//!
//! A square is two columns wide, or four if scores are written on squares. The last move has a mark
//! after its disc: `X<`. Colours are those of ECMA-48 (SGR), which terminals have.

use super::Board;
use crate::othello::{Colour, Square};

/// The symbols of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// Discs as `●` and `○`, legal moves as `·`; otherwise `X`, `O` and `.`.
    pub unicode: bool,
    /// Colours of a terminal.
    pub colour: bool,
}

/// The symbol of a legal move.
const LEGAL: char = '.';

/// The lines of a board, with the names of its files and ranks.
pub fn lines(board: &Board, style: Style) -> Vec<String> {
    let width = if board.scores.is_empty() { 2 } else { 4 };
    let files = ('a'..='h').map(|file| format!("{file:>width$}"));
    let mut lines = vec![format!(" {}", files.collect::<String>())];
    for rank in 0..8u8 {
        let squares = (0..8u8).map(|file| Square::new(8 * rank + file));
        let mut line = (rank + 1).to_string();
        let mut marked = false;
        for square in squares {
            let cell = symbol(board, style, square);
            let padding = width - cell.columns;
            // The mark of the last move takes the first column of the next square.
            let blanks = padding - usize::from(marked && padding > 0);
            line += &" ".repeat(blanks);
            line += &cell.text;
            marked = board.last == Some(square);
            if marked {
                line.push('<');
            }
        }
        lines.push(line);
    }
    lines
}

/// What is drawn in a square.
struct Cell {
    text: String,
    columns: usize,
}

fn symbol(board: &Board, style: Style, square: Square) -> Cell {
    let diagram = &board.diagram;
    let disc = [(diagram.black(), Colour::Black), (diagram.white(), Colour::White)]
        .into_iter()
        .find(|(discs, _)| discs.contains(square));
    if let (None, Some(score)) = (disc, board.score(square)) {
        let text = score.to_string();
        let columns = text.len();
        // Green and bold: the best moves. Red: the move that was played, and is none of them.
        let code = if board.best() == Some(score) {
            Some("1;32")
        } else {
            (board.played == Some(square)).then_some("1;31")
        };
        return Cell { text: coloured(text, code.filter(|_| style.colour)), columns };
    }
    let (symbol, code) = match disc {
        Some((_, Colour::Black)) if style.unicode => ('●', None),
        Some((_, Colour::White)) if style.unicode => ('○', None),
        Some((_, colour)) => (colour.symbol(), None),
        None if board.legal && diagram.position.moves().contains(square) => {
            (if style.unicode { '·' } else { LEGAL }, Some("32"))
        }
        None => (if style.unicode { ' ' } else { '-' }, None),
    };
    let code = match (style.colour, board.last == Some(square)) {
        (false, _) => None,
        (true, true) => Some("1;33"),
        (true, false) => code,
    };
    Cell { text: coloured(symbol.to_string(), code), columns: 1 }
}

fn coloured(text: String, code: Option<&str>) -> String {
    match code {
        Some(code) => format!("\x1b[{code}m{text}\x1b[0m"),
        None => text,
    }
}

/// The number of columns of a line on a terminal. Colours take none.
pub fn columns(line: &str) -> usize {
    let mut in_colour = false;
    line.chars()
        .filter(|&c| {
            let counts = !in_colour && c != '\x1b';
            in_colour = if in_colour { c != 'm' } else { c == '\x1b' };
            counts
        })
        .count()
}

/// Blocks of lines beside each other, as many as fit in `width` columns, with a blank line between
/// the rows of blocks.
pub fn beside(blocks: &[Vec<String>], width: usize) -> String {
    const GAP: usize = 3;
    let widest = |block: &Vec<String>| block.iter().map(|line| columns(line)).max().unwrap_or(0);
    let block_width = blocks.iter().map(widest).max().unwrap_or(0);
    let in_row = ((width + GAP) / (block_width + GAP)).max(1);
    let mut text = String::new();
    for (index, row) in blocks.chunks(in_row).enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let height = row.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = String::new();
            let mut end = 0;
            for (number, block) in row.iter().enumerate() {
                let part = block.get(at).map_or("", String::as_str);
                line += &" ".repeat(number * (block_width + GAP) - end);
                line += part;
                end = number * (block_width + GAP) + columns(part);
            }
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Diagram, Move, Score};

    fn board() -> Board {
        let start = Diagram::START;
        let mv: Move = "f5".parse().expect("a move");
        let diagram = start.make(mv).expect("a legal move");
        Board { last: Some("f5".parse().expect("a square")), ..Board::new(diagram) }
    }

    #[test]
    fn the_last_move_is_marked() {
        let lines = lines(&board(), Style::default());
        assert_eq!(lines[0], "  a b c d e f g h");
        assert_eq!(lines[5], "5 - - - X X X<- -");
        assert_eq!(lines[4], "4 - - - O X . - -");
    }

    #[test]
    fn scores_stand_on_their_squares() {
        let scores = [("d6", 2), ("f4", -10)]
            .map(|(mv, score)| (mv.parse().expect("a move"), Score::new(score)));
        let board = board().with_scores(&scores);
        let drawn = lines(&board, Style::default());
        assert_eq!(drawn[0], "    a   b   c   d   e   f   g   h");
        assert_eq!(drawn[4], "4   -   -   -   O   X -10   -   -");
        assert_eq!(drawn[6], "6   -   -   -  +2   -   .   -   -");
        let coloured = lines(&board, Style { unicode: true, colour: true });
        assert_eq!(columns(&coloured[6]), columns(&drawn[6]));
        assert!(coloured[6].contains("\x1b[1;32m+2\x1b[0m"), "{coloured:?}");
    }

    #[test]
    fn boards_stand_beside_each_other() {
        let block = lines(&board(), Style::default());
        let text = beside(&[block.clone(), block.clone(), block.clone()], 40);
        assert_eq!(text.lines().count(), 19);
        assert_eq!(text.lines().next(), Some("  a b c d e f g h     a b c d e f g h"));
        assert_eq!(beside(std::slice::from_ref(&block), 1), block.join("\n") + "\n");
    }
}

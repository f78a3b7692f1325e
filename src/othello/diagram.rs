//! A position with colours, and its text: 64 squares and the side to move.
//!
//! # Input
//! - The squares a1, b1, … h1, a2, … h8: `X x * B b` for Black, `O o W w` for White, `- . _` for
//!   an empty square. White space between them is skipped.
//! - Then the side to move, by any of the nine symbols for a disc, with or without white space
//!   before it.
//!
//! # Output
//! `X`, `O` and `-`, one blank, and `X` or `O`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Bitboard, Move, Position, Square};

/// Black's symbol in output.
const BLACK: char = 'X';
/// White's symbol in output.
const WHITE: char = 'O';
/// The symbol of an empty square in output.
const EMPTY: char = '-';

/// The colour of a disc or of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Colour {
    /// Black, which has the first move of a game: `X`.
    Black,
    /// White: `O`.
    White,
}

impl Colour {
    /// The other one.
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// The colour of a symbol in input, or `None` if the symbol is not one for a disc.
    pub const fn of_symbol(symbol: char) -> Option<Colour> {
        match symbol {
            'X' | 'x' | '*' | 'B' | 'b' => Some(Colour::Black),
            'O' | 'o' | 'W' | 'w' => Some(Colour::White),
            _ => None,
        }
    }

    /// The symbol in output: `X` or `O`.
    pub const fn symbol(self) -> char {
        match self {
            Colour::Black => BLACK,
            Colour::White => WHITE,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.symbol())
    }
}

/// A position with the colour of the side to move.
///
/// ```
/// use yose::othello::{Colour, Diagram};
///
/// let text = "---------------------------OX------XO--------------------------- X";
/// let diagram: Diagram = text.parse()?;
/// assert_eq!(diagram, Diagram::START);
/// assert_eq!(diagram.to_move, Colour::Black);
/// assert_eq!(diagram.to_string(), text);
/// # Ok::<(), yose::othello::DiagramError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Diagram {
    /// The board; `player` is the side to move.
    pub position: Position,
    /// The colour of the side to move.
    pub to_move: Colour,
}

/// The error for a text that is not a diagram.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{what}; {hint}")]
pub struct DiagramError {
    /// The byte offset in the text at which reading stopped.
    pub offset: usize,
    /// What is wrong there.
    pub what: String,
    /// What to write instead.
    pub hint: &'static str,
}

impl Diagram {
    /// The start of a game.
    pub const START: Diagram = Diagram { position: Position::START, to_move: Colour::Black };

    /// Reads a diagram at the start of `text`. Returns it with the byte offset of the text after
    /// it. If the text ends after 64 squares, `default_side` is the side to move, where it is
    /// given.
    ///
    /// # Errors
    /// Returns an error if there are fewer than 64 squares, an unknown symbol, or no side to move.
    pub fn read(
        text: &str,
        default_side: Option<Colour>,
    ) -> Result<(Diagram, usize), DiagramError> {
        const SQUARES: &str =
            "a position is 64 squares of X, O and -, then the side to move, X or O";
        if let Some(diagram) = Diagram::read_plain(text) {
            return Ok((diagram, 66));
        }
        let mut symbols = text.char_indices().filter(|(_, c)| !c.is_ascii_whitespace());
        let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
        // The number of gaps of white space between squares, and the square after the last one.
        let (mut gaps, mut last_gap, mut end) = (0, 0, None);
        for (read, square) in Square::all().enumerate() {
            let Some((offset, symbol)) = symbols.next() else {
                return Err(DiagramError {
                    offset: text.trim_ascii_end().len(),
                    what: format!("the board ends after {read} of 64 squares"),
                    hint: SQUARES,
                });
            };
            if end.is_some_and(|end| end < offset) {
                (gaps, last_gap) = (gaps + 1, read);
            }
            end = Some(offset + symbol.len_utf8());
            match Colour::of_symbol(symbol) {
                Some(Colour::Black) => black |= Bitboard::of(square),
                Some(Colour::White) => white |= Bitboard::of(square),
                None if matches!(symbol, '-' | '.' | '_') => {}
                None if symbol == ';' => {
                    return Err(DiagramError {
                        offset,
                        what: format!("the board ends after {read} of 64 squares"),
                        hint: SQUARES,
                    });
                }
                None => {
                    return Err(DiagramError {
                        offset,
                        what: format!("{symbol:?} is not a square (square {} of 64)", read + 1),
                        hint: SQUARES,
                    });
                }
            }
        }
        let (to_move, rest) =
            match symbols.next().filter(|&(_, symbol)| symbol != ';' && symbol != '%') {
                Some((offset, symbol)) => match Colour::of_symbol(symbol) {
                    Some(colour) => (colour, offset + symbol.len_utf8()),
                    None => {
                        return Err(DiagramError {
                            offset,
                            what: if matches!(symbol, '-' | '.' | '_') {
                                "the board has more than 64 squares".to_owned()
                            } else {
                                format!("{symbol:?} is not a side to move")
                            },
                            hint: SQUARES,
                        });
                    }
                },
                None => {
                    let end = text.find([';', '%']).unwrap_or(text.len());
                    let end = text[..end].trim_ascii_end().len();
                    // 63 squares, white space, and one symbol: a square is missing, and the symbol
                    // is the side.
                    if (gaps, last_gap) == (1, 63) {
                        return Err(DiagramError {
                            offset: text[..end - 1].trim_ascii_end().len(),
                            what: "the board ends after 63 of 64 squares".to_owned(),
                            hint: SQUARES,
                        });
                    }
                    match default_side {
                        Some(colour) => (colour, end),
                        None => {
                            return Err(DiagramError {
                                offset: end,
                                what: "the side to move is missing".to_owned(),
                                hint: "write X or O after the 64 squares, or name one side for all",
                            });
                        }
                    }
                }
            };
        Ok((Diagram::of_colours(black, white, to_move), rest))
    }

    /// The diagram in the first 66 bytes of `text`, if they are 64 squares, a space and a side to
    /// move, as [`Diagram`] prints them. Nearly every line of a list begins so, and this takes a
    /// fraction of the time of [`Diagram::read`].
    fn read_plain(text: &str) -> Option<Diagram> {
        let bytes: &[u8; 66] = text.as_bytes().first_chunk()?;
        let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (square, &byte) in Square::all().zip(bytes) {
            match char::from(byte) {
                BLACK => black |= Bitboard::of(square),
                WHITE => white |= Bitboard::of(square),
                EMPTY => {}
                _ => return None,
            }
        }
        let to_move = Colour::of_symbol(bytes[65].into()).filter(|_| bytes[64] == b' ')?;
        Some(Diagram::of_colours(black, white, to_move))
    }

    /// The diagram with these discs.
    ///
    /// # Panics
    /// Panics if a square is in both sets.
    pub fn of_colours(black: Bitboard, white: Bitboard, to_move: Colour) -> Diagram {
        let position = match to_move {
            Colour::Black => Position::new(black, white),
            Colour::White => Position::new(white, black),
        };
        Diagram { position, to_move }
    }

    /// The diagram after `mv`, or `None` if it is not legal ([`Position::make`] says when a pass
    /// is).
    pub fn make(&self, mv: Move) -> Option<Diagram> {
        let position = self.position.make(mv)?;
        Some(Diagram { position, to_move: self.to_move.other() })
    }

    /// Black's discs.
    pub fn black(&self) -> Bitboard {
        match self.to_move {
            Colour::Black => self.position.player,
            Colour::White => self.position.opponent,
        }
    }

    /// White's discs.
    pub fn white(&self) -> Bitboard {
        match self.to_move {
            Colour::Black => self.position.opponent,
            Colour::White => self.position.player,
        }
    }

    /// The symbol of one square in output: `X`, `O` or `-`.
    pub fn symbol(&self, square: Square) -> char {
        if self.black().contains(square) {
            BLACK
        } else if self.white().contains(square) {
            WHITE
        } else {
            EMPTY
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b' '; 66];
        for (byte, square) in text.iter_mut().zip(Square::all()) {
            *byte = self.symbol(square) as u8;
        }
        text[65] = self.to_move.symbol() as u8;
        f.pad(str::from_utf8(&text).expect("symbols are ASCII"))
    }
}

impl FromStr for Diagram {
    type Err = DiagramError;

    /// Reads a text that is a diagram and nothing else.
    ///
    /// # Errors
    /// As [`Diagram::read`], and if anything but white space follows the diagram.
    fn from_str(text: &str) -> Result<Diagram, DiagramError> {
        let (diagram, rest) = Diagram::read(text, None)?;
        if text[rest..].trim().is_empty() {
            Ok(diagram)
        } else {
            Err(DiagramError {
                offset: rest + (text[rest..].len() - text[rest..].trim_start().len()),
                what: "something follows the side to move".to_owned(),
                hint: "a position is 64 squares and one side to move",
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_position_reads_and_prints() {
        let start: Diagram = START.parse().expect("the start position");
        assert_eq!(start, Diagram::START);
        assert_eq!(start.to_string(), START);
    }

    #[test]
    fn a_move_gives_the_turn_to_the_other_colour() {
        let next = Diagram::START.make("f5".parse().expect("a move")).expect("a legal move");
        assert_eq!(
            next.to_string(),
            "---------------------------OX------XXX-------------------------- O"
        );
        assert_eq!(Diagram::START.make(Move::Pass), None);
    }

    #[test]
    fn every_accepted_symbol_and_spacing_reads() {
        let start: Diagram = START.parse().expect("the start position");
        let spaced = START.as_bytes()[..64]
            .chunks(8)
            .map(|row| str::from_utf8(row).expect("ASCII"))
            .collect::<Vec<_>>();
        for text in [
            START.replace('X', "*").replace('O', "w").replace('-', "."),
            START.replace('X', "b").replace('O', "o").replace('-', "_"),
            spaced.join(" ") + " x",
            START.replace(' ', ""),
            START.replace(' ', "\t"),
        ] {
            assert_eq!(text.parse(), Ok(start), "{text}");
        }
        assert_eq!(Diagram::read(&START[..64], Some(Colour::Black)), Ok((start, 64)));
    }

    #[test]
    fn an_error_has_the_cause_and_its_offset() {
        let error = |text: &str| text.parse::<Diagram>().expect_err("no diagram");
        assert_eq!(
            (error(&START[1..]).offset, error(&START[1..]).what.contains("63 of 64")),
            (63, true)
        );
        assert!(
            Diagram::read(&START[1..], Some(Colour::White)).is_err(),
            "the X is no square, whatever the default side"
        );
        assert!(error(&START[..64]).what.contains("side to move is missing"));
        assert_eq!(error(&START.replacen('O', "?", 1)).offset, 27);
        assert!(error("").what.contains("0 of 64"));
        assert!(error(&START[..30]).what.contains("30 of 64"));
        assert!(error(&format!("-{START}")).what.contains("more than 64"));
        assert!(error(&format!("{START} X")).what.contains("follows"));
        assert_eq!(error("é").offset, 0);
    }

    proptest! {
        #[test]
        fn printed_diagrams_read_back(a: u64, b: u64, black_moves: bool) {
            let to_move = if black_moves { Colour::Black } else { Colour::White };
            let diagram = Diagram::of_colours(Bitboard(a & !b), Bitboard(b), to_move);
            prop_assert_eq!(diagram.to_string().parse(), Ok(diagram));
        }

        #[test]
        fn no_text_panics(text in "[-XO*xo .;%é]{0,80}") {
            let _ = text.parse::<Diagram>();
        }
    }
}

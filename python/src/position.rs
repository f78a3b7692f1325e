//! The class `Position`, and positions from strings.

use std::borrow::Cow;

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use yose::records::{Item, ReadOptions, Reader, Source};
use yose::{Colour, Diagram, Move};

/// A position: the discs on 64 squares and the side to move. It never changes.
///
/// `Position(text)` reads any format of one line that Yose reads: a plain position, OBF, a line of
/// JSON Lines, a transcript such as `f5d6c3` or a game of GGF (the position at its end). The board
/// may also stand in eight lines. `side`, "X" or "O", is the side to move in texts that do not
/// have one.
#[pyclass(frozen, module = "yose", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position(pub Diagram);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text, *, side = None))]
    fn new(text: &str, side: Option<&str>) -> PyResult<Position> {
        let side = side.map(side_of).transpose()?;
        read(text, side).map(Position).map_err(PyValueError::new_err)
    }

    /// The start of a game: X is to move.
    #[staticmethod]
    fn start() -> Position {
        Position(Diagram::START)
    }

    /// The side to move: "X" (Black) or "O" (White).
    #[getter]
    fn side(&self) -> String {
        self.0.to_move.to_string()
    }

    /// The number of empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.0.position.empties().count()
    }

    /// The number of discs of X.
    #[getter]
    fn black(&self) -> u32 {
        self.0.black().count()
    }

    /// The number of discs of O.
    #[getter]
    fn white(&self) -> u32 {
        self.0.white().count()
    }

    /// Whether the game is over: neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.position.is_over()
    }

    /// The legal moves in the order of the squares; `["--"]` if the side to move must pass, and an
    /// empty list if the game is over.
    fn moves(&self) -> Vec<String> {
        let position = &self.0.position;
        if position.must_pass() {
            return vec![Move::Pass.to_string()];
        }
        position.moves().into_iter().map(|square| square.to_string()).collect()
    }

    /// The position after these moves, in their order: squares such as "f5", or "--" for a pass.
    /// Raises ValueError if one is not legal.
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: Vec<String>) -> PyResult<Position> {
        let mut diagram = self.0;
        for (index, text) in moves.iter().enumerate() {
            let number =
                if moves.len() > 1 { format!("move {}: ", index + 1) } else { String::new() };
            let mv: Move =
                text.parse().map_err(|error| PyValueError::new_err(format!("{number}{error}")))?;
            diagram = diagram.make(mv).ok_or_else(|| {
                PyValueError::new_err(format!("{number}{}", illegal(&Position(diagram), mv)))
            })?;
        }
        Ok(Position(diagram))
    }

    /// The score of the side to move if the game ended here: the difference of discs, with the
    /// empty squares counted for the winner.
    fn final_score(&self) -> i32 {
        self.0.position.final_score().discs()
    }

    /// The board for people: eight rows with the names of the squares, and the side to move.
    fn board(&self) -> String {
        let text = self.0.to_string();
        let (squares, _) = text.split_at(64);
        let mut board = "  a b c d e f g h\n".to_owned();
        for (rank, row) in squares.as_bytes().chunks(8).enumerate() {
            board += &(rank + 1).to_string();
            row.iter().for_each(|&symbol| board.extend([' ', symbol as char]));
            board.push('\n');
        }
        if self.0.position.is_over() {
            board + "the game is over"
        } else {
            format!("{board}{} to move", self.0.to_move)
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        let discs = self.0.position;
        let side = u64::from(self.0.to_move == Colour::White);
        // Fibonacci hashing: Knuth, The Art of Computer Programming 3, 6.4.
        let mixed = discs.player.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ discs.opponent.0;
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ side).rotate_left(29)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let equal = match (other.cast::<Position>(), op) {
            (Ok(other), CompareOp::Eq) => self == other.get(),
            (Ok(other), CompareOp::Ne) => self != other.get(),
            _ => return Ok(py.NotImplemented()),
        };
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = PyTuple::new(py, [PyString::new(py, &self.0.to_string())])?;
        PyTuple::new(py, [py.get_type::<Position>().into_any(), arguments.into_any()])
    }

    fn __copy__(slf: Py<Position>) -> Py<Position> {
        slf
    }

    fn __deepcopy__(slf: Py<Position>, _memo: &Bound<'_, PyAny>) -> Py<Position> {
        slf
    }
}

/// The colour of a side to move.
pub fn side_of(text: &str) -> PyResult<Colour> {
    let mut symbols = text.chars();
    match (symbols.next().and_then(Colour::of_symbol), symbols.next()) {
        (Some(colour), None) => Ok(colour),
        _ => Err(PyValueError::new_err(format!("side is \"X\" or \"O\", not {text:?}"))),
    }
}

/// Why a move is not legal, and what would be.
fn illegal(position: &Position, mv: Move) -> String {
    let side = position.0.to_move;
    let hint = match position.moves() {
        moves if moves.is_empty() => "the game is over".to_owned(),
        moves if moves == ["--"] => format!("{side} has no move and must pass: \"--\""),
        moves => format!("the legal moves are {}", moves.join(" ")),
    };
    match mv {
        Move::Place(square) => format!("{side} cannot play {square}; {hint}"),
        Move::Pass => format!("{side} cannot pass; {hint}"),
    }
}

/// Reads a text that has one position.
///
/// # Errors
/// With the column, what is wrong there, and what would be right.
fn read(text: &str, side: Option<Colour>) -> Result<Diagram, String> {
    let text = text.trim();
    if text.contains('\0') {
        return Err("the text contains a NUL character".to_owned());
    }
    if text.contains(['\n', '\r']) {
        return read_lines(text, side);
    }
    let source = Source::Memory { name: "text", bytes: Cow::Owned(text.as_bytes().to_vec()) };
    let options = ReadOptions { side, ..ReadOptions::default() };
    let mut read = None;
    for item in Reader::new(vec![source], options) {
        match item {
            Item::Entry(entry) => match entry.problem {
                Ok(problem) if read.is_none() => read = Some(problem.diagram),
                Ok(_) => return Err("the text has several positions".to_owned()),
                Err(error) => {
                    return Err(format!("column {}: {}; {}", error.column, error.what, error.hint));
                }
            },
            Item::Failure(error) => return Err(error.to_string()),
            Item::Empty(_) | Item::MissingPositions(_) => {}
        }
    }
    read.ok_or_else(|| {
        "the text holds no position; a position is 64 squares of X, O and -, then the side to \
         move, X or O"
            .to_owned()
    })
}

/// Reads a board in several lines.
fn read_lines(text: &str, side: Option<Colour>) -> Result<Diagram, String> {
    let (diagram, rest) = Diagram::read(text, side).map_err(|error| error.to_string())?;
    match text[rest..].trim() {
        "" => Ok(diagram),
        _ => Err("the text has more than one position; a list is a list of strings".to_owned()),
    }
}

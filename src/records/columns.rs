//! Rows of CSV: a line cut into fields, each with its place, and the head that names them.
//!
//! The `csv` crate does not tell where in a line a field stands, which an error message must; the
//! machine that it is built on does.

use std::cell::RefCell;

use csv_core::{ReadFieldResult, Reader};

thread_local! {
    /// The machine. To make it takes longer than to cut a line with it.
    static READER: RefCell<Reader> = RefCell::new(Reader::new());
}

/// The byte-order mark.
const MARK: char = '\u{feff}';

/// A text in a line, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// The text, without quotes.
    pub text: String,
    /// Byte offset in the line.
    pub offset: usize,
}

/// Cuts a line at its commas. A field in quotes may hold commas and, doubled, quotes, but no line
/// end.
pub(super) fn split(line: &str) -> Vec<Cell> {
    READER.with_borrow_mut(|reader| {
        reader.reset();
        split_with(reader, line)
    })
}

fn split_with(reader: &mut Reader, line: &str) -> Vec<Cell> {
    let bytes = line.as_bytes();
    let (mut cells, mut text, mut at) = (Vec::new(), vec![0; bytes.len() + 1], 0);
    loop {
        // The machine takes a byte-order mark away, which begins a line in the middle where files
        // were put together.
        let start = if at == 0 && line.starts_with(MARK) { MARK.len_utf8() } else { at };
        let mut written = 0;
        loop {
            let (result, read, wrote) = reader.read_field(&bytes[at..], &mut text[written..]);
            (at, written) = (at + read, written + wrote);
            match result {
                // No input is left, which the next call is told by being given none.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => unreachable!("a field is not longer than its line"),
                ReadFieldResult::Field { .. } => break,
                ReadFieldResult::End => return cells,
            }
        }
        let quoted = bytes.get(start) == Some(&b'"');
        let text = String::from_utf8_lossy(&text[..written]).into_owned();
        cells.push(Cell { text, offset: start + usize::from(quoted) });
    }
}

/// The first line of a file of CSV, which names its columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    names: Vec<String>,
}

impl Head {
    /// Reads a head. Names are compared without their blanks and in lower case.
    pub fn read(line: &str) -> Head {
        Head {
            names: split(line)
                .into_iter()
                .map(|cell| cell.text.trim().to_ascii_lowercase())
                .collect(),
        }
    }

    /// Reads a head that names this column; none if the line does not.
    pub fn naming(column: &str, line: &str) -> Option<Head> {
        // Nearly all lines are rows, and need not be cut to see that.
        let head = line.to_ascii_lowercase().contains(column).then(|| Head::read(line));
        head.filter(|head| head.names.iter().any(|own| own == column))
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The field of a row in the column of this name, without blanks around it; none if there is no
    /// such column or field, or if it is empty.
    pub fn cell(&self, row: &[Cell], name: &str) -> Option<Cell> {
        let column = self.names.iter().position(|own| own == name)?;
        let Cell { text, offset } = row.get(column)?;
        let blanks = text.len() - text.trim_start().len();
        let text = text.trim();
        (!text.is_empty()).then(|| Cell { text: text.to_owned(), offset: offset + blanks })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(line: &str) -> Vec<(String, usize)> {
        split(line).into_iter().map(|cell| (cell.text, cell.offset)).collect()
    }

    fn cell(text: &str, offset: usize) -> (String, usize) {
        (text.to_owned(), offset)
    }

    #[test]
    fn fields_know_their_places() {
        assert_eq!(texts("a,bc,,d"), [cell("a", 0), cell("bc", 2), cell("", 5), cell("d", 6)]);
        assert_eq!(texts("a,"), [cell("a", 0), cell("", 2)]);
        assert_eq!(
            texts(r#""a,b","c""d",é,e"#),
            [cell("a,b", 1), cell("c\"d", 7), cell("é", 13), cell("e", 16)]
        );
        assert_eq!(texts(r#""open,b"#), [cell("open,b", 1)]);
        assert_eq!(texts(""), []);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_field() {
        assert_eq!(texts("\u{feff}a,b"), [cell("a", 3), cell("b", 5)]);
        assert_eq!(texts("\u{feff}\"a\",b"), [cell("a", 4), cell("b", 7)]);
        assert_eq!(
            texts("\u{feff}\u{feff}a,\u{feff}"),
            [cell("\u{feff}a", 3), cell("\u{feff}", 8)],
            "only the first one is"
        );
        assert_eq!(texts("\u{feff}"), []);
    }

    #[test]
    fn a_head_names_the_fields_of_a_row() {
        let head = Head::read("ID, position,score");
        assert_eq!(Head::naming("position", "ID, Position,score"), Some(head.clone()));
        assert_eq!(
            (Head::naming("lower", "ID, Position,score"), Head::naming("obf", "a.obf:1,b")),
            (None, None)
        );
        let row = split("7, x ,,");
        assert_eq!(head.cell(&row, "position"), Some(Cell { text: "x".to_owned(), offset: 3 }));
        assert_eq!((head.cell(&row, "score"), head.cell(&row, "lower")), (None, None));
        assert_eq!(head.cell(&row[..1], "position"), None, "a short row");
    }

    proptest! {
        #[test]
        fn what_the_csv_crate_writes_reads_back(fields in prop::collection::vec("[a-zé,\" -]{0,8}", 1..6)) {
            let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
            writer.write_record(&fields).expect("memory can be written");
            let line = String::from_utf8(writer.into_inner().expect("memory can be written")).expect("UTF-8");
            let line = line.trim_end_matches('\n');
            let cells = split(line);
            prop_assert_eq!(cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>(), fields);
            prop_assert!(cells.iter().all(|cell| line.is_char_boundary(cell.offset)));
        }
    }
}

//! The columns of CSV tables: the fields of a row with their offsets, and the header that names
//! them. Fields are separated by commas, semicolons or tabs; the header shows by which.
//!
//! The `csv` crate does not return the offset of a field in its line, which an error message
//! needs. Its core, `csv_core`, does.

use std::cell::RefCell;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

use super::error::LineError;

/// The characters that separate fields.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

thread_local! {
    /// The state machines of the separators. Their construction takes longer than the split of a
    /// line.
    static READERS: RefCell<[Reader; SEPARATORS.len()]> = RefCell::new(
        SEPARATORS.map(|separator| ReaderBuilder::new().delimiter(separator as u8).build())
    );
}

/// The byte order mark.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text in a line, and its offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// The text, without quotes.
    pub text: String,
    /// Byte offset in the line.
    pub offset: usize,
}

/// Splits a row at its commas. A field in quotes may contain commas, doubled quotes and line ends.
pub(crate) fn split(line: &str) -> Vec<Cell> {
    split_by(line, ',')
}

/// Splits a row at its separators, in the same way.
///
/// # Panics
/// If the separator is none of the three.
pub(super) fn split_by(line: &str, separator: char) -> Vec<Cell> {
    let index = SEPARATORS.iter().position(|&other| other == separator).expect("a separator");
    READERS.with_borrow_mut(|readers| {
        readers[index].reset();
        split_with(&mut readers[index], line)
    })
}

fn split_with(reader: &mut Reader, line: &str) -> Vec<Cell> {
    let bytes = line.as_bytes();
    let (mut cells, mut text, mut at) = (Vec::new(), vec![0; bytes.len() + 1], 0);
    loop {
        // The state machine removes a byte order mark. Where files were concatenated, a mark may
        // begin any line.
        let start = if at == 0 && line.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            at
        };
        let mut written = 0;
        loop {
            let (result, read, wrote) = reader.read_field(&bytes[at..], &mut text[written..]);
            (at, written) = (at + read, written + wrote);
            match result {
                // The next call gets no input, which ends the last field.
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

/// The header of a table: the names of its columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CsvHeader {
    names: Vec<String>,
    separator: char,
}

impl CsvHeader {
    /// Reads a header with commas. Names are compared in lower case, without spaces around them.
    pub fn read(line: &str) -> CsvHeader {
        CsvHeader::of(split(line), ',')
    }

    fn of(cells: Vec<Cell>, separator: char) -> CsvHeader {
        let names = cells.into_iter().map(|cell| cell.text.trim().to_ascii_lowercase());
        CsvHeader { names: names.collect(), separator }
    }

    /// Reads a header that has one of these columns; `None` if the line names none of them. The
    /// separator is the first with which it does.
    pub fn with_column(columns: &[&str], line: &str) -> Option<CsvHeader> {
        // Most lines are rows. This check avoids the split of a row.
        let text = line.to_ascii_lowercase();
        if !columns.iter().any(|column| text.contains(column)) {
            return None;
        }
        SEPARATORS
            .into_iter()
            .filter(|&separator| separator == ',' || text.contains(separator))
            .map(|separator| match separator {
                ',' => CsvHeader::read(line),
                _ => CsvHeader::of(split_by(line, separator), separator),
            })
            .find(|header| columns.iter().any(|&column| header.has(column)))
    }

    /// Whether there is a column of this name.
    pub fn has(&self, column: &str) -> bool {
        self.names.iter().any(|name| name == column)
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The character between fields.
    pub fn separator(&self) -> char {
        self.separator
    }

    /// Checks that a row has as many fields as the header has columns.
    ///
    /// # Errors
    /// If it has more or fewer.
    pub fn check_width(&self, row: &[Cell], line: &str) -> Result<(), LineError> {
        if row.len() == self.names.len() {
            return Ok(());
        }
        let fields = match row.len() {
            1 => "1 field".to_owned(),
            count => format!("{count} fields"),
        };
        let hint = format!("the head of the file names {}", self.names.len());
        Err(LineError::new(line.len(), format!("the row has {fields}"), hint))
    }

    /// The field of a row in the column of this name, without spaces around it. `None` if there is
    /// no such column or field, or if the field is empty.
    pub fn cell(&self, row: &[Cell], name: &str) -> Option<Cell> {
        let Cell { text, offset } = self.untrimmed_cell(row, name)?;
        let spaces = text.len() - text.trim_start().len();
        let text = text.trim();
        (!text.is_empty()).then(|| Cell { text: text.to_owned(), offset: offset + spaces })
    }

    /// The field of a row in the column of this name; `None` if there is no such column or field.
    fn untrimmed_cell<'a>(&self, row: &'a [Cell], name: &str) -> Option<&'a Cell> {
        row.get(self.names.iter().position(|column| column == name)?)
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
    fn fields_have_their_offsets() {
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
    fn a_header_names_the_fields_of_a_row() {
        let header = CsvHeader::read("ID, position,score");
        let found =
            |columns: &[&str], line| CsvHeader::with_column(columns, line).map(|found| found.names);
        let names = header.names.clone();
        for line in ["ID, Position,score", "ID; Position;score", "ID\t Position\tscore"] {
            assert_eq!(found(&["obf", "position"], line), Some(names.clone()), "{line:?}");
        }
        assert_eq!(found(&["position"], "position"), Some(vec!["position".to_owned()]));
        assert_eq!(
            (found(&["lower"], "ID, Position,score"), found(&["obf"], "a.obf:1,b")),
            (None, None)
        );
        let row = split("7, x ,,");
        assert_eq!(header.cell(&row, "position"), Some(Cell { text: "x".to_owned(), offset: 3 }));
        assert_eq!((header.cell(&row, "score"), header.cell(&row, "lower")), (None, None));
        assert_eq!(header.cell(&row[..1], "position"), None, "a short row");
    }

    proptest! {
        #[test]
        fn what_the_csv_crate_writes_reads_back(
            fields in prop::collection::vec("[a-zé,\" -]{0,8}", 1..6),
        ) {
            let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
            writer.write_record(&fields).expect("memory can be written");
            let bytes = writer.into_inner().expect("memory can be written");
            let line = String::from_utf8(bytes).expect("UTF-8");
            let line = line.trim_end_matches('\n');
            let cells = split(line);
            prop_assert_eq!(cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>(), fields);
            prop_assert!(cells.iter().all(|cell| line.is_char_boundary(cell.offset)));
        }
    }
}

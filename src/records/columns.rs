//! CSV tables: the fields of a line with their offsets, and the header that names them.
//!
//! The `csv` crate does not return the offset of a field in its line, which an error message
//! needs. Its core, `csv_core`, does.

use std::cell::RefCell;

use csv_core::{ReadFieldResult, Reader};

use super::error::LineError;
use super::format_reader::{Recognition, Stop};

thread_local! {
    /// The state machine. Its construction takes longer than the split of a line.
    static READER: RefCell<Reader> = RefCell::new(Reader::new());
}

/// The byte order mark.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text in a line, and its offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    /// The text, without quotes.
    pub text: String,
    /// Byte offset in the line.
    pub offset: usize,
}

/// Splits a line at its commas. A field in quotes may contain commas and doubled quotes, but no
/// line end.
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
}

impl CsvHeader {
    /// Reads a header. Names are compared in lower case, without spaces around them.
    pub fn read(line: &str) -> CsvHeader {
        let cells = split(line);
        let names = cells.into_iter().map(|cell| cell.text.trim().to_ascii_lowercase());
        CsvHeader { names: names.collect() }
    }

    /// Reads a header that has this column; `None` if the line does not name it.
    pub fn with_column(column: &str, line: &str) -> Option<CsvHeader> {
        // Most lines are rows. This check avoids the split of a row.
        let header = line.to_ascii_lowercase().contains(column).then(|| CsvHeader::read(line));
        header.filter(|header| header.names.iter().any(|name| name == column))
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
    pub fn untrimmed_cell<'a>(&self, row: &'a [Cell], name: &str) -> Option<&'a Cell> {
        row.get(self.names.iter().position(|column| column == name)?)
    }
}

/// The state of a reader of tables: the latest header, and its line.
#[derive(Default, Debug)]
pub(super) struct Table {
    header: Option<(u64, CsvHeader)>,
}

impl Table {
    /// How surely a line belongs to a table whose headers have this column.
    pub fn recognise(&self, column: &str, line: &str) -> Recognition {
        if CsvHeader::with_column(column, line).is_some() {
            return Recognition::Header;
        }
        match &self.header {
            Some((header, _)) if line.contains(',') => Recognition::Row { header: *header },
            _ => Recognition::No,
        }
    }

    /// The header for a row. `None` if the line is itself a header, which is stored.
    ///
    /// # Errors
    /// If the line is a row, and no header stands before it.
    pub fn header_for(
        &mut self,
        column: &'static str,
        number: u64,
        line: &str,
    ) -> Result<Option<&CsvHeader>, Stop> {
        if let Some(header) = CsvHeader::with_column(column, line) {
            self.header = Some((number, header));
            return Ok(None);
        }
        match &self.header {
            Some((_, header)) => Ok(Some(header)),
            None => Err(Stop::MissingHeader { column }),
        }
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
        assert_eq!(CsvHeader::with_column("position", "ID, Position,score"), Some(header.clone()));
        assert_eq!(
            (
                CsvHeader::with_column("lower", "ID, Position,score"),
                CsvHeader::with_column("obf", "a.obf:1,b")
            ),
            (None, None)
        );
        let row = split("7, x ,,");
        assert_eq!(header.cell(&row, "position"), Some(Cell { text: "x".to_owned(), offset: 3 }));
        assert_eq!((header.cell(&row, "score"), header.cell(&row, "lower")), (None, None));
        assert_eq!(header.cell(&row[..1], "position"), None, "a short row");
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

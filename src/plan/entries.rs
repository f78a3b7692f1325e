//! Entries of the input and rows of tasks: `entries.bin`, `ids.gz`, and the records by which the
//! planner sorts.

use std::io::{self, Read};

use crate::othello::{Bitboard, Colour, Diagram, Position, Symmetry};

/// How an entry of the input relates to its row, which has the canonical form of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Orientation {
    /// Leads from the position of the entry to the canonical form.
    pub symmetry: Symmetry,
    /// The side to move.
    pub to_move: Colour,
}

impl Orientation {
    /// The canonical form of a diagram, and how it relates to it.
    pub fn of(diagram: &Diagram) -> (Position, Orientation) {
        let (canonical, symmetry) = Symmetry::canonical(diagram.position);
        (canonical, Orientation { symmetry, to_move: diagram.to_move })
    }

    /// The diagram of an entry whose canonical form this is.
    pub fn diagram(self, canonical: Position) -> Diagram {
        let position = self.symmetry.inverse().position(canonical);
        Diagram { position, to_move: self.to_move }
    }

    pub fn to_byte(self) -> u8 {
        let index = Symmetry::ALL.iter().position(|&one| one == self.symmetry).expect("all");
        index as u8 | u8::from(self.to_move == Colour::White) << 3
    }

    /// The orientation of a byte. The upper four bits are not used.
    pub fn of_byte(byte: u8) -> Orientation {
        let to_move = if byte & 8 == 0 { Colour::Black } else { Colour::White };
        Orientation { symmetry: Symmetry::ALL[usize::from(byte & 7)], to_move }
    }
}

/// An entry, as the planner sorts them: the most expensive first, those of one position together,
/// these in the order of the input.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Planned {
    /// The predicted mean of the nodes.
    pub cost: f32,
    pub canonical: Position,
    /// The number of the entry in the input, from 0.
    pub number: u64,
    pub orientation: Orientation,
}

impl Planned {
    /// The length of the record.
    const LENGTH: usize = 29;
    /// The length of its beginning that all entries of one position share.
    pub const ROW: usize = 20;

    /// The record. The order of records is that of their bytes.
    pub fn to_bytes(self) -> [u8; Planned::LENGTH] {
        let mut bytes = [0; Planned::LENGTH];
        // Positive numbers are in the order of their bits.
        bytes[..4].copy_from_slice(&(!self.cost.to_bits()).to_be_bytes());
        bytes[4..12].copy_from_slice(&self.canonical.player.0.to_be_bytes());
        bytes[12..20].copy_from_slice(&self.canonical.opponent.0.to_be_bytes());
        bytes[20..28].copy_from_slice(&self.number.to_be_bytes());
        bytes[28] = self.orientation.to_byte();
        bytes
    }

    /// # Panics
    /// If `bytes` are no record.
    pub fn of_bytes(bytes: &[u8]) -> Planned {
        let word = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        let cost = u32::from_be_bytes(bytes[..4].try_into().expect("4 bytes"));
        Planned {
            cost: f32::from_bits(!cost),
            canonical: Position::new(Bitboard(word(4)), Bitboard(word(12))),
            number: word(20),
            orientation: Orientation::of_byte(bytes[28]),
        }
    }
}

/// An entry of `entries.bin`: they are in the order of the tasks, of the rows, and of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowEntry {
    /// The number of the row in its task, from 0.
    pub row: u32,
    /// The number of the entry in the input, from 0.
    pub number: u64,
    pub orientation: Orientation,
}

impl RowEntry {
    /// The length of the record.
    const LENGTH: usize = 13;

    pub fn to_bytes(self) -> [u8; RowEntry::LENGTH] {
        let mut bytes = [0; RowEntry::LENGTH];
        bytes[..4].copy_from_slice(&self.row.to_le_bytes());
        bytes[4..12].copy_from_slice(&self.number.to_le_bytes());
        bytes[12] = self.orientation.to_byte();
        bytes
    }

    /// Reads the next entry.
    pub fn read(input: &mut impl Read) -> io::Result<RowEntry> {
        let mut bytes = [0; RowEntry::LENGTH];
        input.read_exact(&mut bytes)?;
        Ok(RowEntry {
            row: u32::from_le_bytes(bytes[..4].try_into().expect("4 bytes")),
            number: u64::from_le_bytes(bytes[4..12].try_into().expect("8 bytes")),
            orientation: Orientation::of_byte(bytes[12]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back_and_sorted_by_cost() {
        let start = Diagram { to_move: Colour::White, ..Diagram::START };
        let (canonical, orientation) = Orientation::of(&start);
        assert_eq!(orientation.diagram(canonical), start);
        for symmetry in Symmetry::ALL {
            let one = Orientation { symmetry, to_move: Colour::Black };
            assert_eq!(Orientation::of_byte(one.to_byte()), one);
        }
        let planned = |cost, number| Planned { cost, canonical, number, orientation };
        let cheap = planned(0.5, 3);
        assert_eq!(Planned::of_bytes(&cheap.to_bytes()), cheap);
        assert!(planned(1e30, 7).to_bytes() < cheap.to_bytes());
        assert!(planned(0.5, 2).to_bytes() < cheap.to_bytes());
        let entry = RowEntry { row: 7, number: 1 << 40, orientation };
        assert_eq!(RowEntry::read(&mut &entry.to_bytes()[..]).ok(), Some(entry));
    }
}

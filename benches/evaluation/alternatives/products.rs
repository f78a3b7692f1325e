//! Extraction by multiplication: mask, multiply, shift, for each pattern. It takes about nine times
//! as long as byte shuffles, and needs no vector registers.
//!
//! A pattern is cut into *parts*, each of squares on one line of the board. The discs of one side
//! on a part become a number in base 3 with digits 0 and 1; the feature, in balanced base 3, is the
//! player's number less the opponent's, over all parts. A part's number is computed in one of two
//! ways:
//!
//! - *Direct*: the multiplier holds the place values of the digits, as far apart as the squares, so
//!   that the highest bits of the product are the number itself. No sum below may carry into these
//!   bits. This works for diagonals of up to five squares, for those of six squares in steps of
//!   nine bits, and for the files of the corner patterns.
//! - *By table*: a multiplier of single bits collects the squares side by side, ascending or
//!   descending, or a row's as they lie; a table of 256 converts these bits to base 3. PEXT
//!   collects them, too, always ascending.
//!
//! Only the cuts are written by hand. A function computes each multiplier and checks at compile
//! time, with all squares of the part set, that nothing collides.
//!
//! # Source
//!
//! Petric, "Bit gathering and base-2-to-base-3 conversion for Othello" (2014),
//! <http://drpetric.blogspot.com/2014/03/bit-gathering-and-base-2-to-base-3.html>.

use yose::eval::patterns::{FEATURES, KINDS, LANES, PATTERNS, Pattern, length};
use yose::othello::Position;

/// How the kinds are cut: the squares of each part, as one-digit indices into the kind. A kind that
/// is not here is one line.
const CUTS: [&[&str]; 4] =
    [&["012", "345", "678"], &["01234", "6", "5789"], &["01234567", "89"], &["012345", "6789"]];

/// The squares of a kind that is one line.
const WHOLE: &str = "01234567";

const fn parts_of(kind: usize) -> usize {
    if kind < CUTS.len() { CUTS[kind].len() } else { 1 }
}

const fn cut(kind: usize, part: usize) -> &'static [u8] {
    if kind < CUTS.len() {
        CUTS[kind][part].as_bytes()
    } else {
        WHOLE.as_bytes().split_at(length(kind)).0
    }
}

/// The squares of a part, ascending, relative to the lowest one, and their place values.
#[derive(Clone, Copy)]
struct Line {
    lowest: u32,
    length: usize,
    squares: [u32; 8],
    values: [i16; 8],
}

const fn line(pattern: &Pattern, part: &[u8]) -> Line {
    let mut line = Line { lowest: 0, length: part.len(), squares: [0; 8], values: [0; 8] };
    let (mut square, mut found) = (0, 0);
    while square < 64 {
        let mut i = 0;
        while i < part.len() {
            let n = (part[i] - b'0') as usize;
            if pattern.nth_square(n).index() == square {
                if found == 0 {
                    line.lowest = square as u32;
                }
                line.squares[found] = square as u32 - line.lowest;
                line.values[found] = pattern.place_value(n);
                found += 1;
            }
            i += 1;
        }
        square += 1;
    }
    assert!(found == part.len());
    line
}

/// Mask, shift, multiply, shift.
#[derive(Clone, Copy, Debug)]
pub struct Gather {
    /// The squares.
    pub mask: u64,
    /// Shifts the lowest square to bit 0.
    down: u32,
    pub multiplier: u64,
    /// Shifts the highest bits of the product to bit 0.
    shift: u32,
}

impl Gather {
    const NONE: Gather = Gather { mask: 0, down: 0, multiplier: 0, shift: 0 };

    /// The number of these discs.
    #[inline(always)]
    pub fn of(&self, discs: u64) -> u64 {
        ((discs & self.mask) >> self.down).wrapping_mul(self.multiplier) >> self.shift
    }
}

/// A multiplication whose highest `width` bits are the sum of `field[i]` over the set squares `i`.
/// `None` if bits would collide.
const fn gather(line: &Line, field: &[u64; 8], width: u32) -> Option<Gather> {
    let bottom = 64 - width;
    let mut gather = Gather { mask: 0, down: line.lowest, multiplier: 0, shift: bottom };
    let mut i = 0;
    while i < line.length {
        gather.mask |= 1 << (line.lowest + line.squares[i]);
        // The multiplier's part for this square, placed so that its field is at the top of the
        // product.
        let part = if line.squares[i] <= bottom {
            field[i] << (bottom - line.squares[i])
        } else {
            let surplus = line.squares[i] - bottom;
            if field[i].trailing_zeros() < surplus {
                return None;
            }
            field[i] >> surplus
        };
        // Neighbours on a row share a bit of the multiplier. Other overlaps are found below.
        gather.multiplier |= part;
        i += 1;
    }
    // Each square adds its field at the top of the product, and something below. The sum of what
    // is below must not carry.
    let mut below = 0u128;
    let mut i = 0;
    while i < line.length {
        let product = gather.multiplier << line.squares[i];
        if product >> bottom != field[i] {
            return None;
        }
        below += (product & ((1 << bottom) - 1)) as u128;
        i += 1;
    }
    if below >> bottom == 0 { Some(gather) } else { None }
}

/// The direct way, and the place value of its least digit.
const fn direct(line: &Line) -> Option<(Gather, i16)> {
    let (mut unit, mut sum) = (i16::MAX, 0);
    let mut i = 0;
    while i < line.length {
        unit = if line.values[i] < unit { line.values[i] } else { unit };
        sum += line.values[i] as u32;
        i += 1;
    }
    let mut field = [0; 8];
    let mut i = 0;
    while i < line.length {
        field[i] = (line.values[i] / unit) as u64;
        i += 1;
    }
    match gather(line, &field, u32::BITS - (sum / unit as u32).leading_zeros()) {
        Some(gather) => Some((gather, unit)),
        None => None,
    }
}

/// The order of collected bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ascending,
    Descending,
    /// As on their row, with its gaps.
    AsOnTheBoard,
}

impl Order {
    const ALL: [Order; 3] = [Order::Ascending, Order::Descending, Order::AsOnTheBoard];

    /// The index of the bit of a line's `i`-th square.
    const fn bit(self, line: &Line, i: usize) -> usize {
        match self {
            Order::Ascending => i,
            Order::Descending => line.length - 1 - i,
            Order::AsOnTheBoard => line.squares[i] as usize,
        }
    }
}

/// The multiplication that collects the bits of a line in this order.
const fn collect(line: &Line, order: Order) -> Option<Gather> {
    let mut field = [0; 8];
    let (mut i, mut width) = (0, 0);
    while i < line.length {
        let bit = order.bit(line, i);
        if bit >= 8 {
            return None;
        }
        field[i] = 1 << bit;
        width = if bit < width { width } else { bit + 1 };
        i += 1;
    }
    gather(line, &field, width as u32)
}

/// A part whose number is the product, times the place value of its least digit.
#[derive(Clone, Copy, Debug)]
pub struct Direct {
    pub feature: usize,
    pub gather: Gather,
    pub value: i16,
}

/// A part whose bits are collected for a table.
#[derive(Clone, Copy, Debug)]
pub struct Collected {
    pub feature: usize,
    pub gather: Gather,
    /// The table for the order of the bits that `gather` collects.
    pub table: usize,
    /// The table for ascending bits.
    #[cfg_attr(not(tier_v3), expect(dead_code))]
    pub ascending: usize,
}

const PARTS: usize = {
    let (mut feature, mut parts) = (0, 0);
    while feature < FEATURES {
        parts += parts_of(PATTERNS[feature].kind);
        feature += 1;
    }
    parts
};

/// All parts of all patterns, and the place value of each bit of each table.
struct Plan {
    direct: [Direct; PARTS],
    collected: [Collected; PARTS],
    tables: [[i16; 8]; PARTS],
    /// The numbers of direct parts, collected parts and tables.
    counts: [usize; 3],
}

impl Plan {
    /// The index of the table for a line's bits in this order.
    const fn table(&mut self, line: &Line, order: Order) -> usize {
        let mut values = [0; 8];
        let mut i = 0;
        while i < line.length {
            values[order.bit(line, i)] = line.values[i];
            i += 1;
        }
        let mut table = 0;
        while table < self.counts[2] {
            let (mut same, mut bit) = (true, 0);
            while bit < 8 {
                same &= self.tables[table][bit] == values[bit];
                bit += 1;
            }
            if same {
                return table;
            }
            table += 1;
        }
        self.tables[table] = values;
        self.counts[2] += 1;
        table
    }
}

const PLAN: Plan = {
    let none = Collected { feature: 0, gather: Gather::NONE, table: 0, ascending: 0 };
    let mut plan = Plan {
        direct: [Direct { feature: 0, gather: Gather::NONE, value: 0 }; PARTS],
        collected: [none; PARTS],
        tables: [[0; 8]; PARTS],
        counts: [0; 3],
    };
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS[feature];
        let (mut part, mut squares) = (0, 0);
        while part < parts_of(pattern.kind) {
            let line = line(pattern, cut(pattern.kind, part));
            squares += line.length;
            if let Some((gather, value)) = direct(&line) {
                plan.direct[plan.counts[0]] = Direct { feature, gather, value };
                plan.counts[0] += 1;
            } else {
                let mut order = 0;
                let gather = loop {
                    match collect(&line, Order::ALL[order]) {
                        Some(gather) => break gather,
                        None => order += 1,
                    }
                };
                let (table, ascending) =
                    (plan.table(&line, Order::ALL[order]), plan.table(&line, Order::Ascending));
                plan.collected[plan.counts[1]] = Collected { feature, gather, table, ascending };
                plan.counts[1] += 1;
            }
            part += 1;
        }
        assert!(squares == length(pattern.kind));
        feature += 1;
    }
    assert!(KINDS.len() > CUTS.len());
    plan
};

/// The direct parts.
pub static DIRECT: [Direct; PLAN.counts[0]] = *PLAN.direct.first_chunk().expect("counted");

/// The other parts.
pub static COLLECTED: [Collected; PLAN.counts[1]] = *PLAN.collected.first_chunk().expect("counted");

/// The numbers in base 3 of collected bits, for each order and set of place values.
pub static TABLES: [[i16; 256]; PLAN.counts[2]] = {
    let plan = PLAN;
    let mut tables = [[0; 256]; PLAN.counts[2]];
    let mut table = 0;
    while table < tables.len() {
        let mut bits = 1usize;
        while bits < 256 {
            let lowest = bits.trailing_zeros() as usize;
            tables[table][bits] = tables[table][bits & (bits - 1)] + plan.tables[table][lowest];
            bits += 1;
        }
        table += 1;
    }
    tables
};

/// The features of a position.
pub fn extract(position: &Position) -> [i16; LANES] {
    extract_with(position, |part, discs| TABLES[part.table][part.gather.of(discs) as u8 as usize])
}

/// The features of a position. `number` returns the number in base 3 of the discs of a collected
/// part.
#[inline(always)]
pub fn extract_with(position: &Position, number: impl Fn(&Collected, u64) -> i16) -> [i16; LANES] {
    let (player, opponent) = (position.player.0, position.opponent.0);
    let mut features = [0; LANES];
    for part in &DIRECT {
        features[part.feature] +=
            part.value * (part.gather.of(player) as i16 - part.gather.of(opponent) as i16);
    }
    for part in &COLLECTED {
        features[part.feature] += number(part, player) - number(part, opponent);
    }
    features
}

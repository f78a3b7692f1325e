//! Features from a board by gathering bits: mask, multiply, shift. Source: "Bit Gathering and
//! base-2-to-base-3 conversion for Othello" (2014).
//!
//! A pattern is cut into *parts*, each of squares on one line of the board. A part's discs of one
//! side become a number in base 3 with digits 0 and 1 in one of two ways; the feature, in balanced
//! base 3, is the own number less the opponent's, over all parts.
//!
//! * *Straight*: the factor holds the digits' powers of 3, as far apart as the squares are, so that
//!   the product's topmost bits are the number itself. No sum below may carry into them, and
//!   nothing else may reach them: diagonals of five or fewer squares, of six where the squares are
//!   nine bits apart, and the pieces of files that corners have.
//! * *By table*: a factor of single bits collects the squares side by side, ascending or
//!   descending, or a row's as they lie; a table of 256 turns these bits into the number. Where
//!   PEXT collects them, they are always ascending.
//!
//! Nothing is typed but where the kinds are cut. A function finds each factor and proves, with
//! every square of the part set, that nothing collides; a part for which neither way is sound would
//! not compile.
//!
//! It takes 141 ns for all features, or 97 with PEXT; all of them at once by shuffles, 16
//! ([`super::arch`]). It serves where a few patterns are wanted, and as a second opinion in tests.

use super::Features;
use super::patterns::{FEATURES, KINDS, LANES, PATTERNS_CONST, Pattern, length};
use crate::othello::Position;

/// How the kinds are cut: the places of each part, one digit each. A kind that is not here is one
/// line.
const CUTS: [&[&str]; 4] =
    [&["014", "236", "578"], &["01234", "5", "6789"], &["12345678", "09"], &["012789", "3456"]];

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

/// The squares of a part, ascending, from the lowest one on, and what each is worth.
#[derive(Clone, Copy)]
struct Line {
    lowest: u32,
    length: usize,
    squares: [u32; 8],
    worth: [i16; 8],
}

const fn line(pattern: &Pattern, places: &[u8]) -> Line {
    let mut line = Line { lowest: 0, length: places.len(), squares: [0; 8], worth: [0; 8] };
    let (mut square, mut found) = (0, 0);
    while square < 64 {
        let mut i = 0;
        while i < places.len() {
            let place = (places[i] - b'0') as usize;
            if pattern.square(place).index() == square {
                if found == 0 {
                    line.lowest = square as u32;
                }
                line.squares[found] = square as u32 - line.lowest;
                line.worth[found] = pattern.power(place);
                found += 1;
            }
            i += 1;
        }
        square += 1;
    }
    assert!(found == places.len());
    line
}

/// Mask, shift, multiply, shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gather {
    /// The squares.
    pub mask: u64,
    /// Brings the lowest square to bit 0.
    down: u32,
    factor: u64,
    /// Brings the topmost bits of the product to bit 0.
    shift: u32,
}

impl Gather {
    const NONE: Gather = Gather { mask: 0, down: 0, factor: 0, shift: 0 };

    /// The gathered number.
    #[inline(always)]
    pub fn of(&self, discs: u64) -> u64 {
        ((discs & self.mask) >> self.down).wrapping_mul(self.factor) >> self.shift
    }
}

/// A gathering whose `width` topmost bits are for each square `i` what `field[i]` says, or nothing
/// if it would not be exact.
const fn gather(line: &Line, field: &[u64; 8], width: u32) -> Option<Gather> {
    let bottom = 64 - width;
    let mut gather = Gather { mask: 0, down: line.lowest, factor: 0, shift: bottom };
    let mut i = 0;
    while i < line.length {
        gather.mask |= 1 << (line.lowest + line.squares[i]);
        // Where the factor's part for this square must lie for its field to be at the top of the
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
        // Neighbours on a row share a bit of the factor. What else may overlap is noticed below.
        gather.factor |= part;
        i += 1;
    }
    // What each square adds to the product must be its field, and something below: not so much, in
    // all, that it carries.
    let mut below = 0u128;
    let mut i = 0;
    while i < line.length {
        let product = gather.factor << line.squares[i];
        if product >> bottom != field[i] {
            return None;
        }
        below += (product & ((1 << bottom) - 1)) as u128;
        i += 1;
    }
    if below >> bottom == 0 { Some(gather) } else { None }
}

/// The straight way, and the worth of its least digit.
const fn straight(line: &Line) -> Option<(Gather, i16)> {
    let (mut unit, mut sum) = (i16::MAX, 0);
    let mut i = 0;
    while i < line.length {
        unit = if line.worth[i] < unit { line.worth[i] } else { unit };
        sum += line.worth[i] as u32;
        i += 1;
    }
    let mut field = [0; 8];
    let mut i = 0;
    while i < line.length {
        field[i] = (line.worth[i] / unit) as u64;
        i += 1;
    }
    match gather(line, &field, u32::BITS - (sum / unit as u32).leading_zeros()) {
        Some(gather) => Some((gather, unit)),
        None => None,
    }
}

/// How collected bits lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ascending,
    Descending,
    /// With the gaps that they have on their row.
    AsOnTheBoard,
}

impl Order {
    const ALL: [Order; 3] = [Order::Ascending, Order::Descending, Order::AsOnTheBoard];

    /// Where the bit of a line's `i`-th square lies.
    const fn place(self, line: &Line, i: usize) -> usize {
        match self {
            Order::Ascending => i,
            Order::Descending => line.length - 1 - i,
            Order::AsOnTheBoard => line.squares[i] as usize,
        }
    }
}

/// The bits together.
const fn collected(line: &Line, order: Order) -> Option<Gather> {
    let mut field = [0; 8];
    let (mut i, mut width) = (0, 0);
    while i < line.length {
        let place = order.place(line, i);
        if place >= 8 {
            return None;
        }
        field[i] = 1 << place;
        width = if place < width { width } else { place + 1 };
        i += 1;
    }
    gather(line, &field, width as u32)
}

/// A part that a product gives straight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Straight {
    pub feature: usize,
    pub gather: Gather,
    pub worth: i16,
}

/// A part whose bits are collected for a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collected {
    pub feature: usize,
    pub gather: Gather,
    /// The table for the bits as `gather` gives them.
    pub table: usize,
    /// The table for ascending bits.
    #[cfg_attr(not(tier_v3), expect(dead_code))]
    pub ascending: usize,
}

const PARTS: usize = {
    let (mut feature, mut parts) = (0, 0);
    while feature < FEATURES {
        parts += parts_of(PATTERNS_CONST[feature].kind);
        feature += 1;
    }
    parts
};

/// All parts of all patterns, and what the bits of each table are worth.
struct Plan {
    straight: [Straight; PARTS],
    collected: [Collected; PARTS],
    tables: [[i16; 8]; PARTS],
    counts: [usize; 3],
}

impl Plan {
    /// The number of the table for these bits.
    const fn table(&mut self, line: &Line, order: Order) -> usize {
        let mut worth = [0; 8];
        let mut i = 0;
        while i < line.length {
            worth[order.place(line, i)] = line.worth[i];
            i += 1;
        }
        let mut table = 0;
        while table < self.counts[2] {
            let (mut same, mut bit) = (true, 0);
            while bit < 8 {
                same &= self.tables[table][bit] == worth[bit];
                bit += 1;
            }
            if same {
                return table;
            }
            table += 1;
        }
        self.tables[table] = worth;
        self.counts[2] += 1;
        table
    }
}

const PLAN: Plan = {
    let none = Collected { feature: 0, gather: Gather::NONE, table: 0, ascending: 0 };
    let mut plan = Plan {
        straight: [Straight { feature: 0, gather: Gather::NONE, worth: 0 }; PARTS],
        collected: [none; PARTS],
        tables: [[0; 8]; PARTS],
        counts: [0; 3],
    };
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS_CONST[feature];
        let (mut part, mut squares) = (0, 0);
        while part < parts_of(pattern.kind) {
            let line = line(pattern, cut(pattern.kind, part));
            squares += line.length;
            if let Some((gather, worth)) = straight(&line) {
                plan.straight[plan.counts[0]] = Straight { feature, gather, worth };
                plan.counts[0] += 1;
            } else {
                let mut order = 0;
                let gather = loop {
                    match collected(&line, Order::ALL[order]) {
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

/// The straight parts.
pub(super) static STRAIGHT: [Straight; PLAN.counts[0]] =
    *PLAN.straight.first_chunk().expect("counted");

/// The others.
pub(super) static COLLECTED: [Collected; PLAN.counts[1]] =
    *PLAN.collected.first_chunk().expect("counted");

/// The number in base 3 of collected bits, for each way in which they lie.
pub(super) static TABLES: [[i16; 256]; PLAN.counts[2]] = {
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

/// As [`portable::extract`](super::arch::portable::extract), by multiplication alone.
pub fn extract(position: &Position) -> Features {
    let (player, opponent) = (position.player.0, position.opponent.0);
    let mut features = [0; LANES];
    for part in &STRAIGHT {
        features[part.feature] +=
            part.worth * (part.gather.of(player) as i16 - part.gather.of(opponent) as i16);
    }
    for part in &COLLECTED {
        let number = |discs| TABLES[part.table][part.gather.of(discs) as u8 as usize];
        features[part.feature] += number(player) - number(opponent);
    }
    Features(features)
}

/// The discs on eight squares of a line, the first square's lowest: a gathering alone, for
/// comparison with other codes.
#[cfg(test)]
pub(super) fn bits(squares: &[crate::othello::Square; 8], discs: crate::othello::Bitboard) -> u8 {
    let descending = squares[0].index() > squares[7].index();
    let mut line = Line {
        lowest: 0,
        length: 8,
        squares: squares.map(|square| square.index() as u32),
        worth: [0; 8],
    };
    line.squares.sort_unstable();
    line.lowest = line.squares[0];
    line.squares = line.squares.map(|square| square - line.lowest);
    let ascending =
        collected(&line, Order::Ascending).expect("an edge can be collected").of(discs.0) as u8;
    if descending { ascending.reverse_bits() } else { ascending }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which parts go straight is what the document says, and pieces of files beside.
    #[test]
    fn what_goes_straight() {
        let squares = |part: &Straight| part.gather.mask.count_ones();
        let of_kind =
            |kind| STRAIGHT.iter().filter(move |part| PATTERNS_CONST[part.feature].kind == kind);
        // Five-long and four-long diagonals of both directions.
        assert_eq!((of_kind(10).count(), of_kind(11).count()), (4, 4));
        // Six-long ones nine bits apart.
        assert_eq!(of_kind(9).count(), 2);
        // No longer ones.
        assert_eq!((7..=8).flat_map(of_kind).count(), 0);
        // The corners' files of five, and their X squares. Their rows of four are for a table.
        let mut lengths: Vec<_> = of_kind(1).map(squares).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [1, 1, 1, 1, 5, 5, 5, 5]);
    }

    /// The factor that the document prints (as that of a six-long diagonal, but it has five powers
    /// of 3), but for where the product ends; and one of its six powers.
    #[test]
    fn the_factor_of_the_document() {
        let factors = |length: u32| {
            let parts = STRAIGHT.iter().filter(move |part| part.gather.mask.count_ones() == length);
            parts.map(|part| part.gather.factor >> part.gather.factor.trailing_zeros())
        };
        assert!(factors(5).any(|factor| factor == 0x10_1824_3651));
        assert!(factors(6).any(|factor| factor == 0x2030_486c_a2f3));
    }
}

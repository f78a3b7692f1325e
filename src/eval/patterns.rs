//! The patterns of the evaluation: which squares they cover, and how a configuration becomes an
//! index.
//!
//! A *kind* of pattern is a list of squares. Its *instances* are its images under the eight
//! symmetries of the board: four of most kinds, two of the long diagonal; 46 in all. All instances
//! of a kind share one table of weights.
//!
//! A *configuration* is what stands on the squares of an instance. It is a number in balanced base
//! 3: own disc +1, opponent's disc -1, empty 0; the first square is the most significant digit. The
//! number, the *feature*, lies between -(3^n - 1) / 2 and (3^n - 1) / 2 for n squares. The index
//! of its weight is the feature plus the index of the empty configuration ([`EMPTY_INDICES`]). For
//! the other side every digit changes its sign, so a pass negates the feature.
//!
//! Everything else is computed from [`KINDS`] at compile time.
//!
//! # Source
//!
//! The shapes are those of Edax (Richard Delorme, <https://github.com/abulmo/edax-reversi>), which
//! has most of them from Logistello (Michael Buro). T. Okuhara, "Edax AVX",
//! <http://www.amy.hi-ho.ne.jp/okuhara/edaxopt.htm>, compares the two.

use crate::othello::{Square, Symmetry};

/// The squares of each kind, row by row. The first square is the most significant digit.
pub const KINDS: [&str; 12] = [
    // The corner: three by three squares.
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    // Both edges of a corner, five squares each, and the X square.
    "a1 b1 c1 d1 e1 a2 b2 a3 a4 a5",
    // The edge and its two X squares.
    "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
    // The corners of an edge, and two rows of four squares between them.
    "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
    // The three inner lines.
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    // The diagonals of eight to four squares.
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "d1 c2 b3 a4",
];

/// The number of instances, each of which has a feature.
pub const FEATURES: usize = 46;

/// The number of lanes that hold the features in vector registers. The last two are always zero.
pub const LANES: usize = 48;

/// The number of configurations of all kinds: the sum of 3^n over the kinds of n squares.
pub const CONFIGURATIONS: usize = first_index(KINDS.len());

/// The number of squares of a kind.
pub const fn length(kind: usize) -> usize {
    (KINDS[kind].len() + 1) / 3
}

/// The number of configurations of a kind: 3 to the power of its length.
pub const fn configurations(kind: usize) -> usize {
    3usize.pow(length(kind) as u32)
}

/// The `n`-th square of a kind, from 0, before any symmetry.
pub const fn nth_square(kind: usize, n: usize) -> Square {
    let text = KINDS[kind].as_bytes();
    Square::new((text[3 * n + 1] - b'1') * 8 + (text[3 * n] - b'a'))
}

/// An instance of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The index of its kind in [`KINDS`].
    pub kind: usize,
    /// Its squares in the kind's order, and padding up to the greatest length.
    squares: [Square; 10],
}

impl Pattern {
    /// Its squares, that of the most significant digit first.
    pub fn squares(&self) -> &[Square] {
        &self.squares[..length(self.kind)]
    }

    /// Its `n`-th square, from 0.
    pub const fn nth_square(&self, n: usize) -> Square {
        self.squares[n]
    }

    /// The place value of the digit of the `n`-th square: a power of 3.
    pub const fn place_value(&self, n: usize) -> i16 {
        3i16.pow((length(self.kind) - 1 - n) as u32)
    }
}

/// All instances, kind by kind.
pub const PATTERNS: [Pattern; FEATURES] = instances();

const fn instances() -> [Pattern; FEATURES] {
    let mut patterns = [Pattern { kind: 0, squares: [Square::new(0); 10] }; FEATURES];
    let mut found = 0;
    let mut kind = 0;
    while kind < KINDS.len() {
        let mut masks = [0u64; 8];
        let first = found;
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut squares = [Square::new(0); 10];
            let mut mask = 0u64;
            let mut n = 0;
            while n < length(kind) {
                squares[n] = Symmetry::ALL[symmetry].square(nth_square(kind, n));
                mask |= 1 << squares[n].index();
                n += 1;
            }
            let mut is_new = true;
            let mut other = first;
            while other < found {
                is_new &= masks[other - first] != mask;
                other += 1;
            }
            if is_new {
                masks[found - first] = mask;
                patterns[found] = Pattern { kind, squares };
                found += 1;
            }
            symmetry += 1;
        }
        kind += 1;
    }
    assert!(found == FEATURES);
    patterns
}

/// `FEATURE_DELTAS[square]`: the change of each feature when the digit of `square` grows by one.
pub static FEATURE_DELTAS: [FeatureDeltas; 64] = {
    let mut deltas = [FeatureDeltas([0; LANES]); 64];
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS[feature];
        let mut n = 0;
        while n < length(pattern.kind) {
            deltas[pattern.squares[n].index()].0[feature] = pattern.place_value(n);
            n += 1;
        }
        feature += 1;
    }
    deltas
};

/// A change of each feature, by lane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct FeatureDeltas(pub [i16; LANES]);

/// The index of the empty configuration of each lane, in a table that has the weights of all kinds
/// one after the other. The lanes without a pattern have the index behind all weights, where the
/// table has a zero.
pub static EMPTY_INDICES: [i32; LANES] = {
    let mut indices = [CONFIGURATIONS as i32; LANES];
    let mut feature = 0;
    while feature < FEATURES {
        let kind = PATTERNS[feature].kind;
        indices[feature] = (first_index(kind) + configurations(kind) / 2) as i32;
        feature += 1;
    }
    indices
};

/// The number of words in a table of weights: one for each configuration, the zero of the lanes
/// without a pattern, and padding to whole cache lines. The last word is a zero that belongs to no
/// configuration.
pub const TABLE_WORDS: usize = (CONFIGURATIONS + 1).next_multiple_of(16);

/// The index of a kind's first configuration among those of all kinds.
pub const fn first_index(kind: usize) -> usize {
    let mut index = 0;
    let mut before = 0;
    while before < kind {
        index += configurations(before);
        before += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_have_the_expected_instances_and_configurations() {
        let mut instances = [0; KINDS.len()];
        for pattern in &PATTERNS {
            instances[pattern.kind] += 1;
        }
        assert_eq!(instances, [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        assert_eq!(CONFIGURATIONS, 226_314);
        assert_eq!(std::array::from_fn(length), [9, 10, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4]);
    }

    #[test]
    fn the_squares_of_a_kind_are_listed_row_by_row() {
        for kind in 0..KINDS.len() {
            assert!((0..length(kind)).is_sorted_by_key(|n| nth_square(kind, n).index()));
        }
    }

    #[test]
    fn the_deltas_of_a_square_are_its_place_values() {
        for square in Square::all() {
            for (feature, &delta) in FEATURE_DELTAS[square.index()].0.iter().enumerate() {
                let n = PATTERNS
                    .get(feature)
                    .and_then(|p| p.squares().iter().position(|&s| s == square));
                assert_eq!(delta, n.map_or(0, |n| PATTERNS[feature].place_value(n)));
            }
        }
    }
}

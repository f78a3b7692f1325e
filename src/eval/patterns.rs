//! Which squares a pattern looks at.
//!
//! Twelve *kinds* of pattern, each laid on the board in all the ways that the eight symmetries
//! give: four instances of most, two of the long diagonal's; 46 in all. An instance keeps the
//! kind's order of squares, so that all instances of a kind share their weights. The
//! kinds are those of Edax.

use crate::othello::{Square, Symmetry};

/// The squares of each kind, in the order of its digits, the first one the most significant.
pub const KINDS: [&str; 12] = [
    // The corner with what surrounds it, three by three.
    "a1 b1 a2 b2 c1 a3 c2 b3 c3",
    // The two edges that meet in the corner, five squares each, and the X square.
    "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1",
    // The edge and both X squares.
    "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    // The corners of an edge, and two rows of four between them.
    "a1 c1 d1 c2 d2 e2 f2 e1 f1 h1",
    // The three inner lines.
    "a2 b2 c2 d2 e2 f2 g2 h2",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    // The diagonals, longest first.
    "a1 b2 c3 d4 e5 f6 g7 h8",
    "b1 c2 d3 e4 f5 g6 h7",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
    "d1 c2 b3 a4",
];

/// How many instances there are.
pub const FEATURES: usize = 46;

/// How many lanes hold them in vector registers; the last two stay zero.
pub const LANES: usize = 48;

/// Indices of all kinds together: the sum of 3^n over the kinds' lengths n.
pub const INDICES: usize = {
    let mut sum = 0;
    let mut kind = 0;
    while kind < KINDS.len() {
        sum += indices_of(kind);
        kind += 1;
    }
    sum
};

/// How many squares a kind has.
pub const fn length(kind: usize) -> usize {
    (KINDS[kind].len() + 1) / 3
}

/// How many different fillings a kind has: 3 to the power of its length.
pub const fn indices_of(kind: usize) -> usize {
    3usize.pow(length(kind) as u32)
}

/// A kind's `place`-th square, before any symmetry.
pub const fn square_of(kind: usize, place: usize) -> Square {
    let text = KINDS[kind].as_bytes();
    Square::new((text[3 * place + 1] - b'1') * 8 + (text[3 * place] - b'a'))
}

/// An instance of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Which of the [`KINDS`].
    pub kind: usize,
    /// Its squares in the kind's order; only the first [`length`] count.
    squares: [Square; 10],
}

impl Pattern {
    /// Its squares, that of the most significant digit first.
    pub fn squares(&self) -> &[Square] {
        &self.squares[..length(self.kind)]
    }

    /// The square of a place.
    pub const fn square(&self, place: usize) -> Square {
        self.squares[place]
    }

    /// The number whose addition changes the digit of the `place`-th square by one.
    pub const fn power(&self, place: usize) -> i16 {
        3i16.pow((length(self.kind) - 1 - place) as u32)
    }
}

/// All instances, kind by kind.
pub static PATTERNS: [Pattern; FEATURES] = instances();

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
            let mut place = 0;
            while place < length(kind) {
                squares[place] = Symmetry::ALL[symmetry].square(square_of(kind, place));
                mask |= 1 << squares[place].index();
                place += 1;
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

/// `STEPS[square]`: what each feature gains when the digit of `square` grows by one.
pub static STEPS: [Steps; 64] = {
    let mut steps = [Steps([0; LANES]); 64];
    let mut feature = 0;
    while feature < FEATURES {
        let pattern = &PATTERNS_CONST[feature];
        let mut place = 0;
        while place < length(pattern.kind) {
            steps[pattern.squares[place].index()].0[feature] = pattern.power(place);
            place += 1;
        }
        feature += 1;
    }
    steps
};

/// [`PATTERNS`] for constants, which may not read statics.
pub(super) const PATTERNS_CONST: [Pattern; FEATURES] = instances();

/// A step for every lane.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub struct Steps(pub [i16; LANES]);

/// `CENTRES[lane]`: where, in a table of all kinds' weights one after the other, the weight for the
/// feature 0 (no disc) lies. The lanes without a pattern point behind all others, at a weight of
/// zero.
pub static CENTRES: [i32; LANES] = {
    let mut centres = [INDICES as i32; LANES];
    let mut feature = 0;
    while feature < FEATURES {
        let kind = PATTERNS_CONST[feature].kind;
        centres[feature] = (base_of(kind) + indices_of(kind) / 2) as i32;
        feature += 1;
    }
    centres
};

/// Words of a table of weights: one for each index, the zero that unused lanes read, and what makes
/// it whole cache lines. Its last word is a zero that no index of a pattern names.
pub const TABLE: usize = (INDICES + 1).next_multiple_of(16);

/// Where a kind's indices begin among those of all kinds.
pub const fn base_of(kind: usize) -> usize {
    let mut base = 0;
    let mut before = 0;
    while before < kind {
        base += indices_of(before);
        before += 1;
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_has_the_instances_and_indices_of_edax() {
        let mut instances = [0; KINDS.len()];
        for pattern in &PATTERNS {
            instances[pattern.kind] += 1;
        }
        assert_eq!(instances, [4, 4, 4, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        // 226,315 with the constant.
        assert_eq!(INDICES, 226_314);
        assert_eq!(std::array::from_fn(length), [9, 10, 10, 10, 8, 8, 8, 8, 7, 6, 5, 4]);
    }

    #[test]
    fn a_square_has_its_steps_where_it_has_patterns() {
        for square in Square::all() {
            for (feature, &step) in STEPS[square.index()].0.iter().enumerate() {
                let place = PATTERNS
                    .get(feature)
                    .and_then(|p| p.squares().iter().position(|&s| s == square));
                assert_eq!(step, place.map_or(0, |place| PATTERNS[feature].power(place)));
            }
        }
    }
}

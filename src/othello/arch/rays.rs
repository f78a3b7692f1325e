//! Tables by square and direction that the kernels share, each computed from its definition.

/// The squares that are not on an edge.
pub const INNER: u64 = BETWEEN[0] & BETWEEN[2];
/// The a file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The bits of the a file gathered into a byte, a1 lowest; other bits of `bits` do not matter.
///
/// The factor has a term for each rank that moves the bit of this rank to its place in the top
/// byte. No two of the 64 products meet, so there are no carries. The technique: Gerd Isenberg,
/// "Kindergarten Bitboards", Chess Programming Wiki,
/// <https://www.chessprogramming.org/Kindergarten_Bitboards>.
#[inline(always)]
pub const fn gather_file_a(bits: u64) -> usize {
    const FACTOR: u64 = {
        let (mut factor, mut rank) = (0, 0);
        while rank < 8 {
            // From bit 8 · rank to bit 56 + rank.
            factor |= 1 << (56 + rank - 8 * rank);
            rank += 1;
        }
        factor
    };
    ((bits & FILE_A).wrapping_mul(FACTOR) >> 56) as usize
}

/// The rays from one square, without the square itself, in the order of [`STEPS`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Rays {
    /// Eastward, south-westward, southward, south-eastward.
    pub up: [u64; 4],
    /// Their opposites.
    pub down: [u64; 4],
}

/// How far apart the squares of a ray are: along rows, the two diagonals and files.
pub const STEPS: [u32; 4] = [1, 7, 8, 9];

/// The change of file in one step up of each kind.
const FILE_STEPS: [i32; 4] = [1, -1, 0, 1];

const fn ray(square: usize, direction: usize, up: bool) -> u64 {
    let sign = if up { 1 } else { -1 };
    let (mut file, mut index) = ((square & 7) as i32, square as i32);
    let mut bits = 0;
    loop {
        file += sign * FILE_STEPS[direction];
        index += sign * STEPS[direction] as i32;
        if file < 0 || file > 7 || index < 0 || index > 63 {
            return bits;
        }
        bits |= 1 << index;
    }
}

/// The line through a square in one direction and its opposite, the square among them.
const fn line(square: usize, direction: usize) -> u64 {
    ray(square, direction, true) | 1 << square | ray(square, direction, false)
}

/// The squares with a neighbour on either side, for each direction of [`STEPS`]. A disc can be
/// flipped along a line of that direction on these squares only.
pub const BETWEEN: [u64; 4] = {
    let mut between = [0; 4];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            if ray(square, d, true) != 0 && ray(square, d, false) != 0 {
                between[d] |= 1 << square;
            }
            d += 1;
        }
        square += 1;
    }
    between
};

/// The rays of every square.
pub static RAYS: [Rays; 64] = {
    let mut rays = [Rays { up: [0; 4], down: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            rays[square].up[d] = ray(square, d, true);
            rays[square].down[d] = ray(square, d, false);
            d += 1;
        }
        square += 1;
    }
    rays
};

/// The squares that moves of 1, 2 and 4 squares along a line can reach, for each direction of
/// [`STEPS`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Reachable {
    /// `up[n][d]`: moves of `2^n` squares towards higher bits in direction `d`.
    pub up: [[u64; 4]; 3],
    /// The same towards lower bits.
    pub down: [[u64; 4]; 3],
}

/// The squares that moves along a line can reach. A shift of the board by as many squares has bits
/// elsewhere too, which crossed an edge.
pub static REACHABLE: Reachable = {
    let mut reachable = Reachable { up: [[0; 4]; 3], down: [[0; 4]; 3] };
    let mut n = 0;
    while n < 3 {
        let mut d = 0;
        while d < 4 {
            let distance = (STEPS[d] as usize) << n;
            let mut square = 0;
            while square < 64 {
                if square + distance < 64 {
                    reachable.up[n][d] |= ray(square, d, true) & 1 << (square + distance);
                }
                if square >= distance {
                    reachable.down[n][d] |= ray(square, d, false) & 1 << (square - distance);
                }
                square += 1;
            }
            d += 1;
        }
        n += 1;
    }
    reachable
};

/// The squares on the row, the file and the two diagonals of each square, and the square itself.
pub static LINES: [u64; 64] = {
    let mut lines = [0; 64];
    let mut square = 0;
    while square < 64 {
        lines[square] = line(square, 0) | line(square, 1) | line(square, 2) | line(square, 3);
        square += 1;
    }
    lines
};

/// The squares next to each square: where an opponent's disc must stand for a move to flip
/// anything.
pub static NEIGHBOURS: [u64; 64] = {
    let mut neighbours = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = ((square & 7) as i32, (square >> 3) as i32);
        let mut other = 0;
        while other < 64 {
            let (df, dr) = ((other & 7) as i32 - file, (other >> 3) as i32 - rank);
            if other != square && -1 <= df && df <= 1 && -1 <= dr && dr <= 1 {
                neighbours[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    neighbours
};

/// The two diagonals through a square, the square among them.
#[derive(Clone, Copy, Debug)]
pub struct Diagonals {
    /// Of step 7 (south-west to north-east).
    pub of_7: u64,
    /// Of step 9 (north-west to south-east).
    pub of_9: u64,
}

/// The diagonals through every square.
pub static DIAGONALS: [Diagonals; 64] = {
    let mut diagonals = [Diagonals { of_7: 0, of_9: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        diagonals[square] = Diagonals { of_7: line(square, 1), of_9: line(square, 3) };
        square += 1;
    }
    diagonals
};

/// `LINE_FLIPS[position][own]`: the number of discs that a move to bit `position` flips in a line
/// of eight squares. `own` is the discs of the side that moves; all other squares but `position`
/// have discs of the other side.
///
/// A shorter line is the low end of one of eight: beyond its end stand discs of the other side
/// only, which close no flip.
pub static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut position = 0;
    while position < 8 {
        let mut own = 0;
        while own < 256 {
            let (mut flips, mut run, mut at) = (0, 0, position + 1);
            while at < 8 {
                if own >> at & 1 != 0 {
                    flips += run;
                    break;
                }
                run += 1;
                at += 1;
            }
            run = 0;
            at = position;
            while at > 0 {
                at -= 1;
                if own >> at & 1 != 0 {
                    flips += run;
                    break;
                }
                run += 1;
            }
            table[position][own] = flips;
            own += 1;
        }
        position += 1;
    }
    table
};

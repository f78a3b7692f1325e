//! The kernels in plain Rust: the definition of each, and the versions that the portable tier runs.

use super::rays::{
    BETWEEN, DIAGONALS, FILE_A, INNER, LINE_FLIPS, LINES, RAYS, STEPS, gather_file_a,
};

/// The discs that a move of `player` to the empty square `square` flips; 0 if the move is not
/// legal.
///
/// `stop` is the first square of a ray, seen from `square`, without an opponent's disc. `near` is
/// the ray up to and including its stop, or the whole ray if it has none. If `near` has a disc of
/// the player, which can stand on the stop only, the opponent's discs in `near` are flipped.
///
/// The stop is the lowest bit of a ray that runs towards higher bits, and the highest bit of one
/// that runs towards lower bits.
#[inline(always)]
pub fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square & 63];
    let mut flips = 0;
    for ray in rays.up {
        let stops = ray & !opponent;
        let near = ray & (stops ^ stops.wrapping_sub(1));
        flips |= if near & player == 0 { 0 } else { near & opponent };
    }
    for ray in rays.down {
        // Bit 0 is set so that there is a highest bit. If it is the highest one, `near` is the
        // whole ray, as it must be: either the ray has no stop, or its stop is bit 0.
        let stops = ray & !opponent | 1;
        let beyond = i64::MAX as u64 >> stops.leading_zeros();
        let near = ray & !beyond;
        // The player's disc is the lowest bit of `near`: its negative covers the discs above it,
        // and is 0 if there is none.
        flips |= near & opponent & (near & player).wrapping_neg();
    }
    flips
}

/// The legal moves of `player`.
///
/// A move ends a run of one to six of the opponent's discs that begins next to a disc of the
/// player. For each direction:
///
/// 1. `reach` is the player's discs and the opponent's discs at a distance of one to three in an
///    unbroken run from one of them: single steps first, then steps of two over two discs in a row.
/// 2. A run of one to three discs ends on an opponent's disc of `reach`. A run of three to six ends
///    three squares beyond a square of `reach`, on the third of three opponent's discs in a row.
/// 3. An empty square next to such an end is a move.
///
/// The opponent's discs count on the squares [`BETWEEN`] only. A run therefore never continues
/// across the edge of the board. This is a parallel prefix computation: Peter M. Kogge and Harold
/// S. Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
/// Equations", 1973, <https://doi.org/10.1109/TC.1973.5009159>.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let mut moves = 0;
    for (step, between) in STEPS.into_iter().zip(BETWEEN) {
        let flippable = opponent & between;
        let second = flippable & flippable << step;
        let third = second & second << step;
        let reach = player | flippable & player << step;
        let reach = reach | second & reach << (2 * step);
        moves |= (flippable & reach | third & reach << (3 * step)) << step;

        // Downwards, the second of two discs is the lower one, and the third of three the lowest.
        let second = second >> step;
        let third = third >> (2 * step);
        let reach = player | flippable & player >> step;
        let reach = reach | second & reach >> (2 * step);
        moves |= (flippable & reach | third & reach >> (3 * step)) >> step;
    }
    moves & !(player | opponent)
}

/// The squares next to a disc of `opponent` in a direction in which it has a neighbour on the other
/// side too: the disc might be flipped by a move there. Occupied squares are among them; the caller
/// removes these.
///
/// A disc in the inner files gives the squares to its left and right. A disc in the inner ranks
/// gives the squares above and below it and, if it has neighbours to its left and right, above and
/// below those.
#[inline(always)]
pub fn potential_moves(opponent: u64) -> u64 {
    let [inner_files, _, inner_ranks, _] = BETWEEN;
    let along_row = opponent & inner_files;
    let beside = along_row << 1 | along_row >> 1;
    let middle = (opponent | beside) & inner_ranks;
    beside | middle << 8 | middle >> 8
}

/// The number of discs, 0 to 18, that a move of `player` to `square` flips when `square` is the
/// only empty square. `player` must not have `square` set.
///
/// Each of the four lines through the square is gathered into a byte, which selects its count in a
/// table. The technique: Gerd Isenberg and others, "Kindergarten Bitboards", Chess
/// Programming Wiki, <https://www.chessprogramming.org/Kindergarten_Bitboards>. All tiers use this
/// version. A version with PEXT gained at most 1 % and is slow on CPUs that have PEXT in microcode
/// (Zen 1 and 2). Measured: docs/experiments/kernels.md, "Flips of the last disc".
#[inline(always)]
pub fn last_flips(square: usize, player: u64) -> u32 {
    let square = square & 63;
    let diagonals = DIAGONALS[square];
    let row = player >> (square & 56) & 0xff;
    let file = gather_file_a(player >> (square & 7));
    // A diagonal has one square in a file at most, so that the sum of all ranks, in the top byte,
    // has its discs by files. Files that the diagonal does not reach are without a disc of the
    // player there, so they close no flip.
    let by_file = |mask: u64| ((player & mask).wrapping_mul(FILE_A) >> 56) as usize;
    let (x, y) = (square & 7, square >> 3);
    u32::from(LINE_FLIPS[x][row as usize])
        + u32::from(LINE_FLIPS[y][file])
        + u32::from(LINE_FLIPS[x][by_file(diagonals.of_7)])
        + u32::from(LINE_FLIPS[x][by_file(diagonals.of_9)])
}

/// The stability closure: the stable discs that follow from stable discs already known.
///
/// - `known` is a set of stable discs of one side. It has every disc on an edge that is to count.
/// - `own` is all discs of that side.
/// - `open[d]` is the squares on lines of direction `d` of [`STEPS`] that have an empty square.
///
/// A disc of `own` away from the edges is stable if, in each of the four directions, it is on no
/// open line or next to a stable disc of its own colour. This is applied until it adds no disc. The
/// result includes `known`.
#[inline(always)]
pub fn stability_closure(known: u64, own: u64, open: [u64; 4]) -> u64 {
    let inner = own & INNER;
    let grown = |stable: u64| {
        let mut safe = inner;
        for (open, step) in open.into_iter().zip(STEPS) {
            safe &= !open | stable << step | stable >> step;
        }
        stable | safe
    };
    let mut stable = known;
    loop {
        // Two steps for each test, which makes the branch easier to predict.
        let once = grown(stable);
        let twice = grown(once);
        if twice == once {
            return once;
        }
        stable = twice;
    }
}

/// The squares whose row, file and both diagonals have no empty square. A disc there can neither be
/// flipped nor help to flip another one.
#[inline(always)]
pub fn all_full(occupied: u64) -> u64 {
    let (mut empties, mut open) = (!occupied, 0);
    while empties != 0 {
        open |= LINES[empties.trailing_zeros() as usize & 63];
        empties &= empties - 1;
    }
    !open
}

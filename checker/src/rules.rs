//! The rules of Othello. Bit 0 of a set of squares is a1, bit 1 is b1, bit 63 is h8.

/// The discs of the side to move and of the other side. The order is that of the format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Board {
    /// The discs of the side to move.
    pub player: u64,
    /// The discs of the other side.
    pub opponent: u64,
}

/// For each of the eight directions, four up and four down: the rows of the squares of `through`
/// that begin next to one of `from`, and the squares behind them.
const fn rows(from: u64, through: u64) -> [u64; 8] {
    let (mut rows, mut direction) = ([0; 8], 0);
    while direction < 4 {
        let by = [1, 7, 8, 9][direction];
        // A row along a rank or a diagonal ends at the files a and h.
        let through = if by == 8 { through } else { through & 0x7e7e_7e7e_7e7e_7e7e };
        let (mut up, mut down, mut length) = (from << by & through, from >> by & through, 1);
        while length < 6 {
            (up, down) = (up | up << by & through, down | down >> by & through);
            length += 1;
        }
        (rows[direction], rows[direction + 4]) = (up | up << by, down | down >> by);
        direction += 1;
    }
    rows
}

/// The squares in the eight directions from each square; none if it is one, which no row can reach.
static RAYS: [[u64; 8]; 64] = {
    let (mut rays, mut square) = ([[0; 8]; 64], 0);
    while square < 64 {
        rays[square] = rows(1 << square, !0);
        square += 1;
    }
    rays
};

impl Board {
    /// The number of empty squares.
    pub fn empties(self) -> u32 {
        (self.player | self.opponent).count_zeros()
    }

    /// The same board with the other side to move.
    pub fn passed(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// The legal moves: the empty squares at the end of a row of the opponent's discs, at whose
    /// other end is a disc of the player.
    pub fn moves(self) -> u64 {
        let ends = rows(self.player, self.opponent).into_iter().fold(0, |all, row| all | row);
        ends & !(self.player | self.opponent)
    }

    /// The board after a disc on `square`, a set of one empty square. `None` if it flips nothing.
    #[inline(always)]
    pub fn play(self, square: u64) -> Option<Board> {
        let (mut flips, rays) = (0, &RAYS[square.trailing_zeros() as usize % 64]);
        for ray in &rays[..4] {
            // The carry runs to the first square of the ray without a disc of the opponent.
            let end = (self.opponent | !ray).wrapping_add(1) & ray & self.player;
            flips |= end.saturating_sub(1) & ray;
        }
        for ray in &rays[4..] {
            let end = (1 << 63) >> (ray & !self.opponent | 1).leading_zeros() & ray & self.player;
            flips |= (end << 1).wrapping_neg() & ray;
        }
        let player = self.opponent ^ flips;
        (flips != 0).then_some(Board { player, opponent: self.player | flips | square })
    }

    /// The boards after the legal moves, in the order of the squares.
    pub fn children(self) -> impl Iterator<Item = Board> {
        let mut left = !(self.player | self.opponent);
        std::iter::from_fn(move || {
            while left != 0 {
                let square = left & left.wrapping_neg();
                left ^= square;
                if let Some(child) = self.play(square) {
                    return Some(child);
                }
            }
            None
        })
    }

    /// The score of a finished game for the side to move: the difference of discs, and the empty
    /// squares to the winner.
    pub fn final_score(self) -> i32 {
        let difference = self.player.count_ones() as i32 - self.opponent.count_ones() as i32;
        difference + difference.signum() * self.empties() as i32
    }

    /// The least of the eight images of the board: seven reflections, by turns at the middle and at
    /// the diagonal, lead to all of them.
    pub fn normalised(self) -> Board {
        let (mut least, mut board) = (self, self);
        for turn in 0..7 {
            let reflect = if turn % 2 == 0 { u64::swap_bytes } else { transpose };
            board = Board { player: reflect(board.player), opponent: reflect(board.opponent) };
            least = least.min(board);
        }
        least
    }

    /// The squares a1, b1, ... h8, with `X` for the side to move, and the side to move.
    pub fn text(self) -> String {
        let square = |index: u32| match (self.player >> index & 1, self.opponent >> index & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        (0..64).map(square).chain(" X".chars()).collect()
    }
}

/// The mirror image at the diagonal from a1 to h8: exchanges parts of 1, 2 and 4 squares.
fn transpose(mut set: u64) -> u64 {
    for (distance, mask) in [(7, 0xaa_00aa_00aa_00aa), (14, 0xcccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let change = (set ^ set >> distance) & mask;
        set ^= change ^ change << distance;
    }
    set
}

//! The rules of Othello. Bit 0 of a set of squares is a1, bit 1 is b1, bit 63 is h8.

/// The discs of the side to move and of the other side. The order is that of the format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Board {
    /// The discs of the side to move.
    pub player: u64,
    /// The discs of the other side.
    pub opponent: u64,
}

/// The squares next to `set` in one of the eight directions.
#[inline(always)]
fn step(set: u64, direction: usize) -> u64 {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    match direction {
        0 => set << 1 & NOT_A,
        1 => set >> 1 & NOT_H,
        2 => set << 8,
        3 => set >> 8,
        4 => set << 9 & NOT_A,
        5 => set >> 9 & NOT_H,
        6 => set << 7 & NOT_H,
        _ => set >> 7 & NOT_A,
    }
}

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
    #[inline(always)]
    pub fn moves(self) -> u64 {
        let mut ends = 0;
        for direction in 0..8 {
            let mut row = step(self.player, direction) & self.opponent;
            for _ in 0..5 {
                row |= step(row, direction) & self.opponent;
            }
            ends |= step(row, direction);
        }
        ends & !(self.player | self.opponent)
    }

    /// The board after a disc on `square`, a set of one empty square.
    #[inline(always)]
    pub fn play(self, square: u64) -> Board {
        let mut flips = 0;
        for direction in 0..8 {
            let (mut row, mut next) = (0, step(square, direction));
            while next & self.opponent != 0 {
                row |= next;
                next = step(next, direction);
            }
            if next & self.player != 0 {
                flips |= row;
            }
        }
        Board { player: self.opponent ^ flips, opponent: self.player | flips | square }
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
    for (distance, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let change = (set ^ set >> distance) & mask;
        set ^= change ^ change << distance;
    }
    set
}

#!/usr/bin/env python3
"""Checks certificates of Othello scores: check.py FILE...

Prints for each file what it proves, or what is wrong; the exit status is 1 if a file is wrong. It is
slow. It is written from docs/certificate.md and the rules of the game alone.
"""

import hashlib
import struct
import sys
import zlib

# The limits of a check: moves in a file, positions of a level, positions in searches of leaves.
MAX_MOVES = 1 << 28
MAX_WIDTH = 1 << 22
MAX_WORK = 10**11

ALL = (1 << 64) - 1
NOT_A = 0xFEFEFEFEFEFEFEFE
NOT_H = 0x7F7F7F7F7F7F7F7F
# Of each direction: the shift to the left, and the squares at which it can arrive.
DIRECTIONS = [(1, NOT_A), (-1, NOT_H), (8, ALL), (-8, ALL),
              (9, NOT_A), (-9, NOT_H), (7, NOT_H), (-7, NOT_A)]


class Fault(Exception):
    """What is wrong with a certificate."""


def step(squares, direction):
    shift, mask = direction
    return (squares << shift if shift > 0 else squares >> -shift) & mask


def legal_moves(board):
    """The legal moves of a board: the discs of the side to move, and those of the other side."""
    player, opponent = board
    ends = 0
    for direction in DIRECTIONS:
        row = step(player, direction) & opponent
        for _ in range(5):
            row |= step(row, direction) & opponent
        ends |= step(row, direction)
    return ends & ~(player | opponent)


def play(board, square):
    """The board after a move, with the other side to move."""
    player, opponent = board
    flips = 0
    for direction in DIRECTIONS:
        row, square_behind = 0, step(square, direction)
        while square_behind & opponent:
            row |= square_behind
            square_behind = step(square_behind, direction)
        if square_behind & player:
            flips |= row
    return opponent ^ flips, player | flips | square


def passed(board):
    return board[1], board[0]


def count(squares):
    return bin(squares).count("1")


def empties(board):
    return 64 - count(board[0] | board[1])


def final_score(board):
    """The score of a finished game for the side to move: empty squares count for the winner."""
    difference = count(board[0]) - count(board[1])
    return difference + empties(board) * ((difference > 0) - (difference < 0))


def children(board):
    """The boards after the legal moves, by the number of replies, then by square."""
    moves = legal_moves(board)
    after = [play(board, 1 << index) for index in range(64) if moves >> index & 1]
    return sorted(after, key=lambda child: count(legal_moves(child)))


# Where each square goes if ranks, files or both are reversed, before or after their exchange.
IMAGES = [[(7 - rank if ranks else rank) * 8 + (7 - file if files else file)
           if not swap else (7 - file if ranks else file) * 8 + (7 - rank if files else rank)
           for rank in range(8) for file in range(8)]
          for swap in (0, 1) for ranks in (0, 1) for files in (0, 1)]
# The images of each value of each byte of a set of squares.
BYTES = [[[sum(1 << image[8 * place + bit] for bit in range(8) if value >> bit & 1)
           for value in range(256)] for place in range(8)] for image in IMAGES]


def normalised(board):
    """The least of the eight images of a board."""
    def image(squares, table):
        return sum(table[place][squares >> 8 * place & 255] for place in range(8))
    return min(tuple(image(squares, table) for squares in board) for table in BYTES)


def text(board):
    squares = ["X" if board[0] >> i & 1 else "O" if board[1] >> i & 1 else "-" for i in range(64)]
    return "".join(squares) + " X"


class Checker:
    def __init__(self, file):
        if file[:12] != b"YOSECERT\x01\0\0\0" or len(file) < 88:
            raise Fault("it does not begin as a certificate of version 1")
        if hashlib.sha256(file[44:]).digest() != file[12:44]:
            raise Fault("the digest differs from the content")
        player, opponent, self.lower, self.upper, *rest = struct.unpack("<QQbbBBQQQ", file[44:88])
        self.board, self.leaf_empties = (player, opponent), rest[:2]
        moves, self.width, self.work = rest[2:]
        if player & opponent:
            raise Fault("a square has discs of both sides")
        if not -64 <= self.lower <= self.upper <= 64 or self.lower % 2 or self.upper % 2:
            raise Fault("these are no bounds of a score")
        if max(self.leaf_empties) > 14:
            raise Fault("leaves have at most 14 empties")
        if moves > MAX_MOVES or self.width > MAX_WIDTH or self.work > MAX_WORK:
            raise Fault("over the limits")
        try:
            # One byte more than declared shows that there are too many.
            stream = zlib.decompressobj()
            content = stream.decompress(file[88:], moves + 1)
        except zlib.error as error:
            raise Fault("the moves cannot be decompressed: %s" % error) from None
        if len(content) != moves or not stream.eof or stream.unused_data:
            raise Fault("the rest of the file is not the declared number of moves")
        self.moves = iter(content)

    def check(self):
        for winner_to_move, bound, leaf in [(True, self.lower, self.leaf_empties[0]),
                                            (False, -self.upper, self.leaf_empties[1])]:
            if bound > -64:
                self.proof(self.board, winner_to_move, bound, leaf)
        if next(self.moves, None) is not None:
            raise Fault("moves are left over after the proof")
        return "proved: from %+d to %+d, %s" % (self.lower, self.upper, text(self.board))

    def proof(self, root, root_winner, bound, leaf_empties):
        level = set()
        self.add(level, root, root_winner, bound)
        for number in range(empties(root), -1, -1):
            following = set()
            for board, winner_to_move in sorted(level):
                if number <= leaf_empties + (not winner_to_move):
                    sought = bound if winner_to_move else 2 - bound
                    if self.gets(board, sought) != winner_to_move:
                        raise Fault("not proved: a search of %s" % text(board))
                elif winner_to_move:
                    move, boards = next(self.moves, 255), children(board)
                    if move >= len(boards):
                        raise Fault("not proved: no move for %s" % text(board))
                    self.add(following, boards[move], False, bound)
                else:
                    for child in children(board):
                        self.add(following, child, True, bound)
            level = following

    def add(self, level, board, winner_to_move, bound):
        if not legal_moves(board):
            board, winner_to_move = passed(board), not winner_to_move
            if not legal_moves(board):
                if final_score(board) * (1 if winner_to_move else -1) < bound:
                    raise Fault("not proved: the end of the game %s" % text(board))
                return
        level.add((normalised(board), winner_to_move))
        if len(level) > self.width:
            raise Fault("a level has more positions than declared")

    def gets(self, board, bound):
        """Whether the side to move gets at least `bound`."""
        self.work -= 1
        if self.work < 0:
            raise Fault("the searches of leaves look at more positions than declared")
        if not legal_moves(board):
            if not legal_moves(passed(board)):
                return final_score(board) >= bound
            return not self.gets(passed(board), 2 - bound)
        return any(not self.gets(child, 2 - bound) for child in children(board))


def main():
    status = 0
    for name in sys.argv[1:]:
        try:
            with open(name, "rb") as file:
                result = Checker(file.read()).check()
        except (Fault, OSError) as fault:
            result, status = str(fault), 1
        print("%s: %s" % (name, result))
    return status


if __name__ == "__main__":
    sys.exit(main())

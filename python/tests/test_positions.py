"""Positions: what is read, what is printed, and the rules."""

import copy
import pickle
import unittest

from common import SIX

import yose

START = "---------------------------OX------XO--------------------------- X"


class Reading(unittest.TestCase):
    def test_every_format_of_one_line_is_read(self) -> None:
        six = yose.Position(SIX)
        for text in [
            SIX.replace("X", "*").replace("-", "."),
            f"  {SIX}; h5:+6; % FFO 20",
            f'{{"position": "{SIX}"}}',
        ]:
            self.assertEqual(yose.Position(text), six, text)
        self.assertEqual(yose.Position("F5d6C3"), yose.Position.start().play("f5", "d6", "c3"))
        self.assertEqual(yose.Position("f5 d6 c3").empties, 57)

    def test_a_board_in_eight_lines_is_read(self) -> None:
        rows = "\n".join(START[start : start + 8] for start in range(0, 64, 8))
        for end in ["\n", "\r\n", "\r"]:
            text = f"\n{rows} X\n".replace("\n", end)
            self.assertEqual(yose.Position(text), yose.Position.start())
        self.assertEqual(yose.Position(rows, side="O").side, "O")

    def test_a_side_is_taken_where_the_text_has_none(self) -> None:
        self.assertEqual(str(yose.Position(START[:64], side="O")), START[:64] + " O")
        self.assertEqual(str(yose.Position(START, side="O")), START)
        with self.assertRaisesRegex(ValueError, 'side is "X" or "O", not "Z"'):
            yose.Position(START, side="Z")

    def test_an_error_has_the_column_and_what_would_be_right(self) -> None:
        for text, message in [
            ("", "the text holds no position"),
            ("% a comment", "the text holds no position"),
            (START[:64], "column 65: the side to move is missing"),
            (START.replace("OX", "O?", 1), r"column 29: '\?' is not a square"),
            ("f5a1", "column 3: move 2: O cannot play a1; the legal moves are f4 d6 f6"),
            (f"{START}\n{START}", "more than one position"),
            (f"{START}\0", "NUL"),
            ("x" * 100_000, "longer than"),
            ("\ud7ff\U0001f600", "column 1"),
        ]:
            with self.subTest(text[:80]), self.assertRaisesRegex(ValueError, message):
                yose.Position(text)
        for value in [None, 5, b"f5", ["f5"]]:
            with self.assertRaises(TypeError):
                yose.Position(value)  # type: ignore[arg-type]


class Rules(unittest.TestCase):
    def test_moves_and_play(self) -> None:
        start = yose.Position.start()
        self.assertEqual((start.side, start.empties, start.black, start.white), ("X", 60, 2, 2))
        self.assertEqual(start.moves(), ["d3", "c4", "f5", "e6"])
        after = start.play("f5")
        self.assertEqual((after.side, after.empties, after.black, after.white), ("O", 59, 4, 1))
        self.assertEqual(start.play(), start)

    def test_a_forced_pass_is_a_move(self) -> None:
        position = yose.Position("XO" + "-" * 62 + " O")
        self.assertEqual(position.moves(), ["--"])
        self.assertEqual(position.play("--").moves(), ["c1"])
        over = position.play("--", "c1")
        self.assertEqual((over.moves(), over.is_over, over.final_score()), ([], True, -64))
        self.assertIn("the game is over", over.board())

    def test_an_illegal_move_is_an_error_with_the_legal_ones(self) -> None:
        start = yose.Position.start()
        for moves, message in [
            (["a1"], "^X cannot play a1; the legal moves are d3 c4 f5 e6$"),
            (["f5", "f5"], "^move 2: O cannot play f5; the legal moves are f4 d6 f6$"),
            (["--"], "^X cannot pass; the legal moves"),
            (["z9"], "^`z9` is not a move; a move is a square from a1 to h8"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                start.play(*moves)


class Objects(unittest.TestCase):
    def test_a_position_is_a_value(self) -> None:
        a, b, c = yose.Position(SIX), yose.Position(SIX), yose.Position.start()
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)
        self.assertNotEqual(a, SIX)
        self.assertNotEqual(a, yose.Position(SIX[:64], side="O"))
        self.assertEqual(len({a, b, c}), 2)
        for copied in [pickle.loads(pickle.dumps(a)), copy.copy(a), copy.deepcopy([a])[0]]:
            self.assertEqual(copied, a)
        with self.assertRaises(AttributeError):
            a.side = "O"  # type: ignore[misc]
        with self.assertRaises(TypeError):
            a < c  # type: ignore[operator]  # noqa: B015

    def test_its_texts(self) -> None:
        start = yose.Position.start()
        self.assertEqual(str(start), START)
        self.assertEqual(repr(start), f"Position('{START}')")
        rows = start.board().splitlines()
        self.assertEqual(rows[0], "  a b c d e f g h")
        self.assertEqual(rows[4], "4 - - - O X - - -")
        self.assertEqual(rows[-1], "X to move")


if __name__ == "__main__":
    unittest.main()

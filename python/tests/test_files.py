"""Files of positions and games."""

import os
import pathlib
import tempfile
import threading
import unittest
import warnings

from common import POSITIONS, SIX, SMALL, suite

import yose


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name: str, content: bytes) -> pathlib.Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_a_suite_has_its_positions_ids_and_scores(self) -> None:
        path = POSITIONS / "ffo-1-19.obf"
        self.addCleanup(os.chdir, pathlib.Path.cwd())
        os.chdir(POSITIONS.parent)
        entries = list(yose.read(path))
        self.assertEqual(
            [(str(entry.position), entry.claimed_score) for entry in entries],
            suite("ffo-1-19.obf"),
        )
        # The identifier does not depend on how the path is spelled.
        self.assertEqual(entries[0].id, "positions/ffo-1-19.obf:3")
        self.assertEqual(list(yose.read("./positions/ffo-1-19.obf", path)), entries * 2)

    def test_games_give_the_selected_positions(self) -> None:
        entries = list(yose.read(POSITIONS / "games.ggf", empties=(10, 12), games=(1, 2)))
        self.assertEqual([entry.position.empties for entry in entries], [12, 11, 10] * 2)
        self.assertTrue(entries[0].id.endswith("#1@12"))
        self.assertTrue(list(yose.read(POSITIONS / "games.wtb", games=1)))

    def test_entries_are_solved_with_their_ids(self) -> None:
        entries = list(yose.read(POSITIONS / "ffo-1-19.obf"))[:4]
        results = yose.solve(entries, **SMALL)
        self.assertEqual([result.id for result in results], [entry.id for entry in entries])
        self.assertEqual(results.scores, [entry.claimed_score for entry in entries])
        self.assertEqual(yose.solve(entries[0], **SMALL).id, entries[0].id)

    def test_an_invalid_line_raises_and_the_next_one_is_read(self) -> None:
        path = self.write("list.obf", f"{SIX}\nXO X\n{SIX}\n".encode())
        reader = yose.read(path)
        self.assertEqual(next(reader).position, yose.Position(SIX))
        with self.assertRaisesRegex(ValueError, r"list\.obf:2:\d+: the board ends"):
            next(reader)
        self.assertEqual(next(reader).id, f"{path}:3")
        self.assertEqual(list(reader), [])
        with self.assertWarnsRegex(UserWarning, "list.obf:2"):
            self.assertEqual(len(list(yose.read(path, errors="warn"))), 2)

    def test_a_file_that_cannot_be_read_is_an_error_of_the_system(self) -> None:
        with self.assertRaises(FileNotFoundError) as caught:
            list(yose.read(self.folder / "missing.obf"))
        self.assertEqual(caught.exception.filename, str(self.folder / "missing.obf"))
        with self.assertRaises(IsADirectoryError):
            list(yose.read(self.folder))
        with self.assertRaisesRegex(ValueError, "not a text file"):
            list(yose.read(self.write("zeros.bin", b"f5\n\0\0\0")))

    def test_a_file_without_positions_is_a_warning(self) -> None:
        for content in [b"", b"% nothing\n"]:
            with self.assertWarnsRegex(UserWarning, "holds no positions"):
                self.assertEqual(list(yose.read(self.write("empty.obf", content))), [])

    def test_invalid_arguments_are_errors(self) -> None:
        for arguments, message in [
            ({"format": "pdf"}, "pdf"),
            ({"side": "black and white"}, "side is"),
            ({"games": 0}, "games is a number"),
            ({"games": (5, 2)}, "games is a number"),
            ({"empties": 61}, "empties is a number.*greatest 60"),
            ({"empties": "12"}, "empties is a number"),
            ({"errors": "ignore"}, "errors is"),
        ]:
            with self.subTest(arguments), self.assertRaisesRegex(ValueError, message):
                yose.read("x.obf", **arguments)  # type: ignore[arg-type]

    def test_a_reader_that_is_dropped_ends_its_thread(self) -> None:
        before = len(os.listdir("/proc/self/task")) if os.path.exists("/proc") else 0
        path = self.write("long.obf", f"{SIX}\n".encode() * 2000)
        for _ in range(20):
            next(yose.read(path))
        after = len(os.listdir("/proc/self/task")) if os.path.exists("/proc") else 0
        self.assertLess(after - before, 20)

    def test_threads_may_share_a_reader(self) -> None:
        path = self.write("long.obf", f"{SIX}\n".encode() * 2000)
        reader, counts = yose.read(path), []

        def count() -> None:
            counts.append(sum(1 for _ in reader))

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sum(counts), 2000)

    def test_every_line_end_is_read(self) -> None:
        for end in ["\n", "\r\n", "\r"]:
            path = self.write("ends.obf", end.join([SIX] * 3).encode())
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.assertEqual(len(list(yose.read(path))), 3)


if __name__ == "__main__":
    unittest.main()

"""Searches: scores, windows, limits, progress and errors."""

import copy
import os
import pickle
import signal
import sys
import threading
import time
import unittest
from typing import Any, Union
from unittest import mock

from common import POSITIONS, SIX, SMALL, positions_of_games, suite

import yose

LONG = str(yose.Position.start())


class Scores(unittest.TestCase):
    def test_one_position(self) -> None:
        result = yose.solve(SIX, **SMALL)
        self.assertEqual((result.score, result.lower, result.upper), (6, 6, 6))
        self.assertEqual((result.best_move, result.exact, result.outcome), ("h5", True, "win"))
        self.assertEqual(result.pv[0], "h5")
        self.assertEqual(result.position, yose.Position(SIX))
        self.assertGreater(result.nodes, 0)
        self.assertGreater(result.seconds, 0)
        self.assertEqual((result.stopped, result.status, result.id), (None, "exact", None))
        end = result.position.play(*result.pv)
        self.assertTrue(end.is_over)
        self.assertEqual(end.final_score() * (1 if end.side == "X" else -1), 6)

    def test_the_suites_have_their_scores(self) -> None:
        for name in ["ffo-1-19.obf", "ffo-20-39.obf"]:
            positions = suite(name)
            results = yose.solve([board for board, _ in positions])
            self.assertEqual(results.scores, [score for _, score in positions], name)
            self.assertTrue(all(result.seconds >= 0 and result.nodes > 0 for result in results))

    def test_every_move_has_its_score(self) -> None:
        import re

        lines = (POSITIONS / "ffo-1-19.obf").read_text().splitlines()[2:8]
        for result, line in zip(yose.solve(lines, all_moves=True, **SMALL), lines):
            claimed = {move.lower(): int(score) for move, score in re.findall(r"(..):(\S+);", line)}
            self.assertEqual(dict(result.moves), claimed)
            self.assertEqual(sorted(claimed), sorted(result.position.moves()))
            self.assertEqual(result.moves[0], (result.best_move, result.score))
        self.assertEqual(yose.solve(SIX, **SMALL).moves, [])

    def test_the_number_of_threads_changes_no_score(self) -> None:
        boards = [board for board, _ in suite("ffo-1-19.obf")]
        expected = [score for _, score in suite("ffo-1-19.obf")]
        for threads in [1, 2, 5]:
            self.assertEqual(yose.solve(boards, threads=threads, **SMALL).scores, expected)

    def test_one_thread_with_an_empty_table_searches_the_same_nodes(self) -> None:
        board = suite("ffo-1-19.obf")[0][0]
        counts = []
        for _ in range(2):
            yose.clear()
            counts.append(yose.solve(board, threads=1, **SMALL).nodes)
        self.assertEqual(counts[0], counts[1])

    def test_a_thousand_positions(self) -> None:
        positions = positions_of_games(1000, 8)
        results = yose.solve(positions, **SMALL)
        self.assertEqual(len(results), 1000)
        self.assertTrue(all(result.exact for result in results))
        self.assertEqual([result.position for result in results], positions)
        # The score of a position is the best score after a move.
        for result in results[:50]:
            position = result.position
            after = [position.play(move) for move in position.moves()]
            scores = [-(child.score or 0) for child in yose.solve(after, **SMALL)]
            expected = max(scores) if scores else position.final_score()
            self.assertEqual(result.score, expected)

    def test_games_that_are_over_and_passes(self) -> None:
        over = yose.solve("X" * 64 + " O", **SMALL)
        self.assertEqual((over.score, over.best_move, over.pv), (-64, None, []))
        forced = yose.solve("XO" + "-" * 62 + " O", all_moves=True, **SMALL)
        self.assertEqual((forced.best_move, forced.moves), ("--", [("--", -64)]))

    def test_an_empty_list_has_no_results(self) -> None:
        empty: list[str] = []
        for positions in (empty, (), iter(empty)):
            results = yose.solve(positions, progress=lambda _: None)
            self.assertEqual((len(results), list(results), results.nodes), (0, [], 0))


class Settings(unittest.TestCase):
    def test_win_loss_draw(self) -> None:
        positions = suite("ffo-1-19.obf")
        results = yose.solve([board for board, _ in positions], goal="wld", **SMALL)
        for result, (_, score) in zip(results, positions):
            sign = (score > 0) - (score < 0)
            self.assertEqual(result.outcome, ["draw", "win", "loss"][sign])
            self.assertEqual(result.status, "bounds" if sign else "exact")
            self.assertLessEqual(result.lower, score)
            self.assertGreaterEqual(result.upper, score)

    def test_a_window(self) -> None:
        result = yose.solve(SIX, window=(6, 10), **SMALL)
        self.assertEqual((result.score, result.lower <= 6, result.upper), (None, True, 6))
        self.assertEqual(yose.solve(SIX, window=(4, 8), **SMALL).score, 6)

    def test_limits(self) -> None:
        by_nodes = yose.solve(LONG, node_limit=1000, **SMALL)
        self.assertEqual((by_nodes.stopped, by_nodes.status), ("node_limit", "limit"))
        self.assertEqual((by_nodes.score, by_nodes.exact), (None, False))
        started = time.monotonic()
        by_time = yose.solve([LONG, SIX], time_limit=0.2, **SMALL)
        self.assertLess(time.monotonic() - started, 5)
        self.assertEqual([result.stopped for result in by_time], ["time_limit", None])

    def test_sizes_of_the_table(self) -> None:
        sizes: list[Union[int, str]] = [1 << 20, "1MiB", "2m", " 4 MiB ", "1048576"]
        for size in sizes:
            self.assertEqual(yose.solve(SIX, hash=size).score, 6)

    def test_invalid_arguments_are_errors(self) -> None:
        cases: list[tuple[dict[str, Any], type[Exception], str]] = [
            ({"threads": 0}, ValueError, "threads is at least 1, not 0"),
            ({"threads": -3}, ValueError, "threads is at least 1"),
            ({"threads": 10**30}, ValueError, "threads is at most 1,024"),
            ({"threads": 2.5}, TypeError, "threads is a whole number, not float"),
            ({"hash": "junk"}, ValueError, "hash is a size such as"),
            ({"hash": 1000}, ValueError, "hash is at least 1,048,576, not 1,000"),
            ({"hash": "9" * 10_000}, ValueError, "hash is at most"),
            ({"hash": 1 << 60}, MemoryError, "does not fit into the memory"),
            ({"hash": 1.5}, TypeError, "hash is a whole number"),
            ({"window": (5, 5)}, ValueError, "the lower one first"),
            ({"window": (-66, 5)}, ValueError, "from -64 to 64"),
            ({"window": 5}, ValueError, "window is two scores"),
            ({"window": (0, 1), "goal": "wld"}, ValueError, "only one of"),
            ({"goal": "win"}, ValueError, 'goal is "exact" or "wld"'),
            ({"node_limit": 0}, ValueError, "node_limit is at least 1"),
            ({"node_limit": 1 << 70}, ValueError, "node_limit is at most"),
            ({"time_limit": -1}, ValueError, "time_limit: -1"),
            ({"time_limit": float("nan")}, ValueError, "time_limit"),
            ({"time_limit": float("inf")}, ValueError, "time_limit"),
            ({"progress": 5}, TypeError, "progress is True, False or a callable"),
        ]
        for arguments, error, message in cases:
            with self.subTest(arguments), self.assertRaisesRegex(error, message):
                yose.solve(SIX, **arguments)

    def test_an_invalid_element_has_its_index(self) -> None:
        with self.assertRaisesRegex(ValueError, r"^positions\[2\]: column 3: move 2: O cannot"):
            yose.solve([SIX, SIX, "f5a1", SIX])
        with self.assertRaisesRegex(TypeError, r"^positions\[1\]: a position is a str.*not int$"):
            yose.solve([SIX, 5])  # type: ignore[list-item]
        with self.assertRaisesRegex(ValueError, "^column 3: move 2"):
            yose.solve("f5a1")
        for value in [None, 5, b"f5"]:
            with self.assertRaisesRegex(TypeError, "positions is a str"):
                yose.solve(value)  # type: ignore[arg-type]

    def test_a_path_has_a_hint(self) -> None:
        path = POSITIONS / "ffo-1-19.obf"
        with self.assertRaisesRegex(ValueError, r"write yose\.solve\(yose\.read\(path\)\)"):
            yose.solve(str(path))
        with self.assertRaisesRegex(TypeError, r"write yose\.solve\(yose\.read\(path\)\)"):
            yose.solve(path)  # type: ignore[call-overload]


class Threads(unittest.TestCase):
    def test_other_threads_run_during_a_search(self) -> None:
        ticks, ended = 0, threading.Event()

        def tick() -> None:
            nonlocal ticks
            while not ended.wait(0.01):
                ticks += 1

        other = threading.Thread(target=tick)
        other.start()
        yose.solve(LONG, time_limit=1.0, threads=1, **SMALL)
        ended.set()
        other.join()
        self.assertGreater(ticks, 10)

    def test_threads_may_solve_at_the_same_time(self) -> None:
        expected, found = suite("ffo-1-19.obf"), {}

        def solve(number: int) -> None:
            found[number] = yose.solve([board for board, _ in expected[:6]], threads=2, **SMALL)

        threads = [threading.Thread(target=solve, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 4)
        for results in found.values():
            self.assertEqual(results.scores, [score for _, score in expected[:6]])

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_a_forked_process_solves(self) -> None:
        import warnings

        yose.solve(SIX, threads=2, **SMALL)
        with warnings.catch_warnings():
            # Python 3.12 warns of a fork while there are threads. Here that is the point.
            warnings.simplefilter("ignore")
            process = os.fork()
        if process == 0:
            status = 1
            try:
                signal.alarm(60)
                status = 0 if yose.solve(SIX, threads=2, **SMALL).score == 6 else 2
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(process, 0)[1], 0)
        self.assertEqual(yose.solve(SIX, threads=2, **SMALL).score, 6)


class ProgressReports(unittest.TestCase):
    def test_a_callable_gets_the_progress(self) -> None:
        reports: list[yose.Progress] = []
        positions = positions_of_games(300, 9)
        results = yose.solve(positions, progress=reports.append, **SMALL)
        last = reports[-1]
        self.assertEqual((last.done, last.total, last.exact), (300, 300, 300))
        self.assertEqual(last.nodes, results.nodes)
        self.assertEqual(sorted(report.done for report in reports), [r.done for r in reports])

    def test_an_exception_of_the_callable_ends_the_search(self) -> None:
        def stop(progress: yose.Progress) -> None:
            if progress.done >= 1:
                raise LookupError("enough")

        started = time.monotonic()
        with self.assertRaisesRegex(LookupError, "enough") as caught:
            yose.solve([SIX, LONG], progress=stop, threads=2, **SMALL)
        self.assertLess(time.monotonic() - started, 10)
        results = caught.exception.results  # type: ignore[attr-defined]
        self.assertEqual(results.scores, [6, None])
        self.assertEqual(results[1].stopped, "interrupted")

    def test_true_shows_a_bar(self) -> None:
        import io

        for hidden in [{}, {"tqdm": None, "tqdm.auto": None}]:
            errors = io.StringIO()
            with mock.patch.dict(sys.modules, hidden), mock.patch("sys.stderr", errors):
                yose.solve([SIX] * 3, progress=True, **SMALL)
            shown = errors.getvalue()
            if hidden:
                self.assertIn("3 of 3 positions", shown)
            self.assertTrue(shown.endswith("\n"), shown)
        with mock.patch.dict(sys.modules, hidden), mock.patch("sys.stderr", None):
            yose.solve([SIX] * 3, progress=True, **SMALL)


class Objects(unittest.TestCase):
    def test_results_are_a_sequence(self) -> None:
        results = yose.solve([SIX] * 3, **SMALL)
        self.assertEqual((len(results), results[0].score, results[-1].score), (3, 6, 6))
        self.assertEqual([result.score for result in results], [6, 6, 6])
        self.assertIsInstance(results[1:], yose.Results)
        self.assertEqual(len(results[1:]), 2)
        self.assertEqual(results[:], results)
        self.assertNotEqual(results[1:], results)
        self.assertIn(results[0], results)
        with self.assertRaises(IndexError):
            results[3]

    def test_results_are_copied_and_pickled(self) -> None:
        results = yose.solve([SIX, LONG], node_limit=1000, all_moves=True, **SMALL)
        for copied in [pickle.loads(pickle.dumps(results)), copy.deepcopy(results)]:
            self.assertEqual(copied, results)
            self.assertEqual(copied.seconds, results.seconds)

    def test_their_texts(self) -> None:
        yose.clear()
        results = yose.solve([SIX], threads=1, **SMALL)
        self.assertRegex(
            repr(results), r"^<Results: 1 position, 1 exact, \d+ nodes, \d+\.\d{3} s>$"
        )
        self.assertRegex(
            repr(results[0]), rf"^<Result score=\+6 best_move='h5' nodes=\d+ of '{SIX}'>$"
        )
        stopped = yose.solve(LONG, node_limit=1000, **SMALL)
        self.assertIn("stopped='node_limit'", repr(stopped))

    def test_everything_public_has_a_docstring(self) -> None:
        for name in yose.__all__:
            thing = getattr(yose, name)
            if callable(thing):
                self.assertTrue(thing.__doc__, name)
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and (callable(value) or type(value) is property):
                    self.assertTrue(value.__doc__, f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()

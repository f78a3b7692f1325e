"""Data frames of results."""

import sys
import unittest
from unittest import mock

from common import SIX, SMALL

import yose

try:
    import pandas
except ImportError:
    pandas = None
try:
    import polars
except ImportError:
    polars = None  # type: ignore[assignment]

COLUMNS = [
    "id",
    "position",
    "empties",
    "status",
    "score",
    "lower",
    "upper",
    "best_move",
    "pv",
    "nodes",
    "seconds",
]


class Frames(unittest.TestCase):
    def setUp(self) -> None:
        self.results = yose.solve([SIX, str(yose.Position.start())], node_limit=1000, **SMALL)
        self.moves = yose.solve([SIX], all_moves=True, **SMALL)

    def test_dicts(self) -> None:
        first, second = self.results.to_dicts()
        self.assertEqual(list(first), [*COLUMNS, "moves"])
        self.assertEqual((first["position"], first["score"], first["empties"]), (SIX, 6, 6))
        self.assertEqual((second["score"], second["status"]), (None, "limit"))
        self.assertEqual(self.moves.to_dicts()[0]["moves"][0], ("h5", 6))

    @unittest.skipUnless(pandas, "NOT TESTED: pandas is missing")
    def test_pandas(self) -> None:
        frame = self.results.to_pandas()
        self.assertEqual(list(frame.columns), COLUMNS)
        self.assertEqual(frame.score.dtype, "Int64")
        self.assertEqual((frame.score[0], frame.score.isna().tolist()), (6, [False, True]))
        self.assertEqual(frame.lower.dtype, "int64")
        self.assertEqual(frame.query("status == 'exact'").best_move.tolist(), ["h5"])
        self.assertEqual(self.moves.to_pandas().moves[0][0], ("h5", 6))
        self.assertEqual(list(yose.Results().to_pandas().columns), COLUMNS)

    @unittest.skipUnless(polars, "NOT TESTED: Polars is missing")
    def test_polars(self) -> None:
        frame = self.results.to_polars()
        self.assertEqual(frame.columns, COLUMNS)
        self.assertEqual(frame["score"].to_list(), [6, None])
        self.assertEqual(frame["score"].dtype, polars.Int64)
        moves = self.moves.to_polars().select("moves").explode("moves").unnest("moves")
        self.assertEqual(moves.row(0), ("h5", 6))
        self.assertEqual(moves.columns, ["move", "score"])
        empty = yose.Results().to_polars()
        self.assertEqual((empty.columns, empty.schema), (COLUMNS, frame.schema))

    def test_a_missing_library_is_named(self) -> None:
        for name, convert in [
            ("pandas", self.results.to_pandas),
            ("polars", self.results.to_polars),
        ]:
            with mock.patch.dict(sys.modules, {name: None}):
                with self.assertRaisesRegex(ImportError, f"pip install {name}"):
                    convert()


if __name__ == "__main__":
    unittest.main()

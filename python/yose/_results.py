"""Results of searches, and the data frames that they become."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from yose._native import Position

if TYPE_CHECKING:
    import pandas as _pandas
    import polars as _polars


@dataclass(frozen=True)
class Result:
    """The result of one position. All scores are those of the side to move in the position."""

    position: Position
    """The position."""

    lower: int
    """The score is at least this. This is proven, also after an interruption."""

    upper: int
    """The score is at most this. This is proven, also after an interruption."""

    best_move: Optional[str] = None
    """A move that leads to the score: a square such as "d3", or "--" for a pass. None if the game
    is over, or if no move is proven to be the best."""

    pv: list[str] = field(default_factory=list)
    """The principal variation. With an exact score: perfect play of both sides to the end of the
    game, passes included. Otherwise the best move alone."""

    move_bounds: list[tuple[str, int, int]] = field(default_factory=list)
    """With ``all_moves``: every legal move with the lower and the upper bound of its score, best
    first."""

    nodes: int = 0
    """The number of nodes that were searched."""

    seconds: float = 0.0
    """The time of the search. With several threads, some may have worked on other positions."""

    stopped: Optional[str] = None
    """Why the search ended early: "node_limit", "time_limit" or "interrupted". None if it did
    not."""

    id: Optional[str] = None
    """The identifier of the entry, for positions of ``read``."""

    @property
    def score(self) -> Optional[int]:
        """The exact score. None if it lies outside the window, or if the search ended early."""
        return self.lower if self.lower == self.upper else None

    @property
    def exact(self) -> bool:
        """Whether the score is exact."""
        return self.lower == self.upper

    @property
    def moves(self) -> list[tuple[str, Optional[int]]]:
        """With ``all_moves``: every legal move with its score, best first. A score is None if
        only its bounds are proven: see ``move_bounds``."""
        return [
            (move, lower if lower == upper else None) for move, lower, upper in self.move_bounds
        ]

    @property
    def outcome(self) -> Optional[str]:
        """"win", "draw" or "loss" for the side to move, or None if it is not proven."""
        if self.lower > 0:
            return "win"
        if self.upper < 0:
            return "loss"
        return "draw" if self.exact else None

    @property
    def status(self) -> str:
        """The status as the program prints it: "exact", "bounds", "limit" or "interrupted"."""
        if self.stopped is not None:
            return "interrupted" if self.stopped == "interrupted" else "limit"
        return "exact" if self.exact else "bounds"

    def to_dict(self) -> dict[str, Any]:
        """The result as a dict, with the names of the columns that the program writes."""
        return {
            "id": self.id,
            "position": str(self.position),
            "empties": self.position.empties,
            "status": self.status,
            "score": self.score,
            "lower": self.lower,
            "upper": self.upper,
            "best_move": self.best_move,
            "pv": " ".join(self.pv),
            "nodes": self.nodes,
            "seconds": self.seconds,
            "moves": self.moves,
        }

    def __repr__(self) -> str:
        """The result in one line, with what differs from one result to the next."""
        score = f"score={self.score:+}" if self.exact else f"{self.lower:+}..{self.upper:+}"
        parts = [score, f"best_move={self.best_move!r}", f"nodes={self.nodes}"]
        if self.stopped is not None:
            parts.append(f"stopped={self.stopped!r}")
        return f"<Result {' '.join(parts)} of '{self.position}'>"


class Results(Sequence[Result]):
    """Results in the order of the positions. It is a sequence: it has a length, and can be indexed,
    sliced, iterated and compared."""

    def __init__(self, results: Iterable[Result] = (), seconds: float = 0.0) -> None:
        """Take these results. ``seconds`` is the time of the call that found them."""
        self._results = list(results)
        self._seconds = seconds

    @property
    def seconds(self) -> float:
        """The time of the call of ``solve``. (The times of the results overlap with several
        threads.)"""
        return self._seconds

    @property
    def nodes(self) -> int:
        """The number of nodes of all results."""
        return sum(result.nodes for result in self._results)

    @property
    def scores(self) -> list[Optional[int]]:
        """The exact scores, None where there is none."""
        return [result.score for result in self._results]

    def to_dicts(self) -> list[dict[str, Any]]:
        """The results as dicts: see ``Result.to_dict``."""
        return [result.to_dict() for result in self._results]

    def to_pandas(self) -> "_pandas.DataFrame":
        """The results as a pandas data frame with one row for each position.

        The columns are those of ``Result.to_dict``, ``moves`` only if there are moves. ``score``
        may be missing.

        Raises:
            ImportError: pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas") from error
        types = {name: "Int64" if name == "score" else "int64" for name in _INTEGERS}
        return pandas.DataFrame(self._columns()).astype({**types, "seconds": "float64"})

    def to_polars(self) -> "_polars.DataFrame":
        """The results as a Polars data frame with one row for each position.

        The columns are those of ``Result.to_dict``, ``moves`` only if there are moves: lists of
        structs with the fields ``move`` and ``score``.

        Raises:
            ImportError: Polars is not installed.
        """
        try:
            import polars
        except ImportError as error:
            raise ImportError("to_polars needs Polars: pip install polars") from error
        columns = self._columns()
        schema: dict[str, Any] = {name: polars.String for name in columns}
        schema.update({name: polars.Int64 for name in _INTEGERS})
        schema["seconds"] = polars.Float64
        if "moves" in columns:
            move = polars.Struct({"move": polars.String, "score": polars.Int64})
            schema["moves"] = polars.List(move)
            columns["moves"] = [
                [{"move": move, "score": score} for move, score in moves]
                for moves in columns["moves"]
            ]
        return polars.DataFrame(columns, schema=schema)

    def _columns(self) -> dict[str, list[Any]]:
        names = list(Result(Position.start(), -64, 64).to_dict())
        if not any(result.move_bounds for result in self._results):
            names.remove("moves")
        rows = self.to_dicts()
        return {name: [row[name] for row in rows] for name in names}

    def __len__(self) -> int:
        """The number of results."""
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> "Results": ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Result, "Results"]:
        """A result, or a part of the results."""
        if isinstance(index, slice):
            return Results(self._results[index], self._seconds)
        return self._results[index]

    def __iter__(self) -> Iterator[Result]:
        """The results in their order."""
        return iter(self._results)

    def __eq__(self, other: object) -> bool:
        """Whether the results are equal, one by one."""
        if isinstance(other, Results):
            return self._results == other._results
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """A summary in one line."""
        exact = sum(result.exact for result in self._results)
        return (
            f"<Results: {len(self)} {'position' if len(self) == 1 else 'positions'}, "
            f"{exact} exact, {self.nodes:,} nodes, {self.seconds:.3f} s>"
        )


_INTEGERS = ("empties", "score", "lower", "upper", "nodes")

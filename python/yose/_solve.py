"""The function ``solve``."""

import operator
import os
import re
import time
from collections.abc import Iterable
from typing import Callable, Optional, SupportsIndex, Union, overload

from yose import _native
from yose._files import Entry
from yose._native import Position
from yose._progress import Display, Progress
from yose._results import Result, Results

AnyPosition = Union[str, Position, Entry]

_GOALS = {"exact": (-64, 64), "wld": (-1, 1)}
_UNITS = {
    "": 1,
    "b": 1,
    **{unit: 1024**power for power, k in enumerate("kmgt", 1) for unit in (k, f"{k}ib")},
    **{f"{k}b": 1000**power for power, k in enumerate("kmgt", 1)},
}
_SMALLEST_TABLE = 1 << 20
_MOST_THREADS = 1024


# A str is an iterable of str too; the first overload that fits is taken.
@overload
def solve(  # type: ignore[overload-overlap]
    positions: AnyPosition,
    *,
    threads: Optional[int] = ...,
    all_moves: bool = ...,
    goal: Optional[str] = ...,
    window: Optional[tuple[int, int]] = ...,
    hash: Union[int, str] = ...,
    node_limit: Optional[int] = ...,
    time_limit: Optional[float] = ...,
    progress: Union[bool, Callable[[Progress], object]] = ...,
) -> Result: ...
@overload
def solve(
    positions: Iterable[AnyPosition],
    *,
    threads: Optional[int] = ...,
    all_moves: bool = ...,
    goal: Optional[str] = ...,
    window: Optional[tuple[int, int]] = ...,
    hash: Union[int, str] = ...,
    node_limit: Optional[int] = ...,
    time_limit: Optional[float] = ...,
    progress: Union[bool, Callable[[Progress], object]] = ...,
) -> Results: ...
def solve(
    positions: Union[AnyPosition, Iterable[AnyPosition]],
    *,
    threads: Optional[int] = None,
    all_moves: bool = False,
    goal: Optional[str] = None,
    window: Optional[tuple[int, int]] = None,
    hash: Union[int, str] = "256MiB",
    node_limit: Optional[int] = None,
    time_limit: Optional[float] = None,
    progress: Union[bool, Callable[[Progress], object]] = False,
) -> Union[Result, Results]:
    """Solve one position, or a list of positions.

    Args:
        positions: A position, or an iterable of positions. Each is a ``Position``, a string in any
            format of one line that Yose reads, or an ``Entry`` of ``read``.
        threads: The number of threads. The default is the number of processors that this process
            may use. Threads without a position of their own help the others.
        all_moves: Whether to find the score of every legal move, not only of the best.
        goal: "exact", the default, for the exact score; "wld" for win, loss or draw only, which is
            faster: see ``Result.outcome``.
        window: Two scores A and B: only scores between them are found exactly. Of others, the
            result has bounds. ``goal="wld"`` is ``window=(-1, 1)``.
        hash: The size of the transposition table: a number of bytes, or a text such as "1GiB".
        node_limit: Stop each position after this many nodes.
        time_limit: Stop each position after this many seconds.
        progress: A callable, which gets a ``Progress`` several times a second while positions are
            finished, once a second otherwise, and at the end. True shows a bar: that of tqdm if it
            is installed.

    Returns:
        A ``Result`` for one position; ``Results`` for an iterable, in its order.

    Raises:
        ValueError: A position or an argument is not valid. For an element of a list, the message
            has its index. Nothing has been searched then.
        TypeError: An argument is not of the right type.
        KeyboardInterrupt: Ctrl-C was pressed.
        MemoryError: There is not enough memory for the transposition table.

    An exception of the callable ends the search, as Ctrl-C does. Such an exception, a
    ``KeyboardInterrupt`` too, has an attribute ``results``: a result for every position of the
    call. Those that were not finished have ``stopped`` set to "interrupted" and bounds that are
    proven.

    The threads and the table are kept for the next call with the same ``threads`` and ``hash``, so
    it may need fewer nodes. No score depends on them. ``clear`` frees them. Other Python threads
    run during a search.
    """
    single = isinstance(positions, (str, Position, Entry))
    items = [positions] if single else _iterable(positions)
    entries = [_entry(item, None if single else index) for index, item in enumerate(items)]
    if threads is not None:
        threads = _integer("threads", threads, 1, _MOST_THREADS)
    if node_limit is not None:
        node_limit = _integer("node_limit", node_limit, 1, 2**63)
    alpha_beta, table_bytes = _window(goal, window), _table_bytes(hash)
    display = None if progress is False else Display(progress, len(entries))
    started = time.perf_counter()
    try:
        answers, error = _native.solve(
            [position for position, _ in entries],
            threads=threads,
            window=alpha_beta,
            table_bytes=table_bytes,
            all_moves=bool(all_moves),
            node_limit=node_limit,
            time_limit=None if time_limit is None else float(time_limit),
            progress=display,
        )
    finally:
        if display is not None:
            display.close()
    found = (
        _result(position, id, answer) for (position, id), answer in zip(entries, answers)
    )
    results = Results(found, time.perf_counter() - started)
    if error is not None:
        _add_results(error, results)
        raise error
    return results[0] if single else results


def _add_results(error: BaseException, results: Results) -> None:
    """Give the results to the exception that has ended the search."""
    if isinstance(error, KeyboardInterrupt) and not error.args:
        done = sum(result.stopped != "interrupted" for result in results)
        error.args = (f"{done} of {len(results)} positions are done: see its `results`",)
    # Not an exception class of its own: only a plain KeyboardInterrupt that nobody catches ends the
    # process by the signal, as shells expect.
    error.results = results  # type: ignore[attr-defined]


def _iterable(positions: object) -> Iterable[object]:
    if isinstance(positions, os.PathLike):
        raise TypeError("to solve the positions of a file, write yose.solve(yose.read(path))")
    if isinstance(positions, (bytes, bytearray)) or not isinstance(positions, Iterable):
        raise TypeError(
            "positions is a str, a yose.Position, a yose.Entry or an iterable of them, "
            f"not {type(positions).__name__}"
        )
    return positions


def _entry(item: object, index: Optional[int]) -> tuple[Position, Optional[str]]:
    """The position of an item and its identifier."""
    where = "" if index is None else f"positions[{index}]: "
    if isinstance(item, Position):
        return item, None
    if isinstance(item, Entry):
        return item.position, item.id
    if not isinstance(item, str):
        raise TypeError(
            f"{where}a position is a str, a yose.Position or a yose.Entry, "
            f"not {type(item).__name__}"
        )
    try:
        return Position(item), None
    except ValueError as error:
        hint = "; to solve a file, write yose.solve(yose.read(path))" if _is_file(item) else ""
        raise ValueError(f"{where}{error}{hint}") from None


def _is_file(text: str) -> bool:
    try:
        return os.path.isfile(text)
    except (OSError, ValueError):
        return False


def _integer(name: str, value: SupportsIndex, least: int, greatest: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}") from None
    if number < least:
        raise ValueError(f"{name} is at least {least:,}, not {number:,}")
    if number > greatest:
        raise ValueError(f"{name} is at most {greatest:,}, not {number:,}")
    return number


def _window(goal: Optional[str], window: Optional[tuple[int, int]]) -> tuple[int, int]:
    if window is None:
        if goal is not None and goal not in _GOALS:
            raise ValueError(f'goal is "exact" or "wld", not {goal!r}')
        return _GOALS[goal or "exact"]
    if goal is not None:
        raise ValueError("only one of goal and window can be given")
    try:
        alpha, beta = (operator.index(score) for score in window)
    except (TypeError, ValueError):
        raise ValueError(f"window is two scores, such as (-1, 1), not {window!r}") from None
    if not -64 <= alpha < beta <= 64:
        raise ValueError(
            f"window is two scores from -64 to 64, the lower one first, not {window!r}"
        )
    return alpha, beta


def _table_bytes(size: Union[int, str]) -> int:
    if not isinstance(size, str):
        return _integer("hash", size, _SMALLEST_TABLE, 2**63)
    match = re.fullmatch(r"\s*([0-9]+)\s*([A-Za-z]*)\s*", size)
    if match is None or match[2].lower() not in _UNITS:
        raise ValueError(f'hash is a size such as "256MiB" or "1GiB", not {size[:100]!r}')
    # Python converts only so many digits; these are more than any size has.
    number = int(match[1][:30]) * _UNITS[match[2].lower()]
    return _integer("hash", number, _SMALLEST_TABLE, 2**63)


def _result(
    position: Position, id: Optional[str], answer: "Optional[_native._Answer]"
) -> Result:
    if answer is None:
        return Result(position, -64, 64, stopped="interrupted", id=id)
    lower, upper, best_move, pv, move_bounds, nodes, seconds, stopped = answer
    return Result(
        position, lower, upper, best_move, pv, move_bounds, nodes, seconds, stopped, id
    )

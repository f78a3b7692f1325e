"""Files of positions and games."""

import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional, Union

from yose import _native
from yose._native import Position


@dataclass(frozen=True)
class Entry:
    """A position of a file."""

    id: str
    """``file:line``, ``file#game`` for a game of a database, or the ``id`` in the file."""

    position: Position
    """The position."""

    claimed_score: Optional[int] = None
    """The score that the file has for the position, from the point of view of the side to move."""


class Reader(Iterator[Entry]):
    """The entries of files: what ``read`` returns."""

    def __init__(self, native: _native.Reader, errors: str) -> None:
        self._native = native
        self._errors = errors

    def __iter__(self) -> "Reader":
        """The reader itself: it can be iterated once."""
        return self

    def __next__(self) -> Entry:
        """The next entry. After an exception, the entry after the error."""
        while True:
            item = next(self._native)
            if isinstance(item, tuple):
                return Entry(*item)
            if not isinstance(item, Warning):
                if self._errors == "raise":
                    raise item
                item = UserWarning(str(item))
            warnings.warn(item, stacklevel=2)


def read(
    *paths: Union[str, "os.PathLike[str]"],
    format: Optional[str] = None,
    side: Optional[str] = None,
    games: Union[None, int, tuple[int, int]] = None,
    empties: Union[None, int, tuple[int, int]] = None,
    errors: str = "raise",
) -> Reader:
    """Read the positions of files, one at a time.

    All formats that Yose reads are recognised from the content: OBF, plain positions, transcripts,
    GGF, WTHOR databases, CSV and JSON Lines.

    Args:
        paths: The files.
        format: The format of all files, as ``yose solve --input-format`` names it.
        side: The side to move, "X" or "O", in positions that do not have one.
        games: The numbers of the games to read from each file: one number, or the first and the
            last. Games are counted from 1.
        empties: The numbers of empties of the positions to take from each game: one number, or the
            least and the greatest. The default is the last position of a game; in a WTHOR database
            it is the position of the theoretical score.
        errors: "raise": a line or a file that cannot be read raises an exception. The reader can
            still be asked for the next entry. "warn": it is a warning, and is skipped.

    Returns:
        An iterator over ``Entry`` objects.

    Raises:
        ValueError: While iterating: a line or a game is not valid. The message has the file, the
            line and the column. Or no position is found in files that are not empty.
        OSError: While iterating: a file cannot be read.
    """
    if errors not in ("raise", "warn"):
        raise ValueError(f'errors is "raise" or "warn", not {errors!r}')
    native = _native.Reader(
        paths,
        format=format,
        side=side,
        games=_span("games", games, 1, 2**63),
        empties=_span("empties", empties, 0, 60),
    )
    return Reader(native, errors)


def _span(
    name: str, value: Union[None, int, tuple[int, int]], least: int, greatest: int
) -> Optional[tuple[int, int]]:
    if value is None:
        return None
    if isinstance(value, int):
        value = (value, value)
    try:
        first, last = value
        is_span = least <= first <= last <= greatest
    except (TypeError, ValueError):
        is_span = False
    if not is_span:
        raise ValueError(
            f"{name} is a number, or the least and the greatest of them, not {value!r}; "
            f"the least possible number is {least}"
            + (f", the greatest {greatest}" if greatest < 1000 else "")
        )
    return (first, last)

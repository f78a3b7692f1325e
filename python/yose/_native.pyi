import os
from collections.abc import Callable, Sequence
from typing import Optional, Union, final

__all__ = ["Position", "Reader", "__version__", "clear", "solve", "tier"]

__version__: str
tier: str

# Lower and upper bound, best move, principal variation, moves with their bounds, nodes, seconds,
# and the reason for which the search ended early.
_Answer = tuple[
    int,
    int,
    Optional[str],
    list[str],
    list[tuple[str, int, int]],
    int,
    float,
    Optional[str],
]

@final
class Position:
    def __new__(cls, text: str, *, side: Optional[str] = None) -> Position: ...
    @staticmethod
    def start() -> Position: ...
    @property
    def side(self) -> str: ...
    @property
    def empties(self) -> int: ...
    @property
    def black(self) -> int: ...
    @property
    def white(self) -> int: ...
    @property
    def is_over(self) -> bool: ...
    def moves(self) -> list[str]: ...
    def play(self, *moves: str) -> Position: ...
    def final_score(self) -> int: ...
    def board(self) -> str: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Position], tuple[str]]: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: object) -> Position: ...

@final
class Reader:
    def __new__(
        cls,
        paths: Sequence[Union[str, os.PathLike[str]]],
        *,
        format: Optional[str],
        side: Optional[str],
        games: Optional[tuple[int, int]],
        empties: Optional[tuple[int, int]],
    ) -> Reader: ...
    def __iter__(self) -> Reader: ...
    def __next__(self) -> Union[tuple[str, Position, Optional[int]], Exception]: ...

def solve(
    positions: Sequence[Position],
    *,
    threads: Optional[int],
    table_bytes: int,
    window: tuple[int, int],
    all_moves: bool,
    node_limit: Optional[int],
    time_limit: Optional[float],
    progress: Optional[Callable[[int, int, int, float], object]],
) -> tuple[list[Optional[_Answer]], Optional[BaseException]]: ...
def clear() -> None: ...

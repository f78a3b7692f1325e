"""Exact scores of Othello endgames.

>>> import yose
>>> result = yose.solve("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X")
>>> result.score, result.best_move
(6, 'h5')

``solve`` solves one position or a list, ``read`` reads files of positions and games, ``Position``
is a position, ``Result`` and ``Results`` are what ``solve`` returns.

A score is the difference of discs at the end of perfect play, from the point of view of the side
to move: an even number from -64 to 64. Squares that stay empty count for the winner.
"""

from yose._files import Entry, Reader, read
from yose._native import Position, __version__, clear, tier
from yose._progress import Progress
from yose._results import Result, Results
from yose._solve import solve

__all__ = [
    "Entry",
    "Position",
    "Progress",
    "Reader",
    "Result",
    "Results",
    "__version__",
    "clear",
    "read",
    "solve",
    "tier",
]

# Where users find them, in messages and in pickles.
for _class in (Entry, Progress, Reader, Result, Results):
    _class.__module__ = "yose"
solve.__module__ = read.__module__ = "yose"

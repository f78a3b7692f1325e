"""What several tests use."""

import pathlib
import re
from typing import Any, Optional

import yose

ROOT = pathlib.Path(__file__).resolve().parents[2]
POSITIONS = ROOT / "positions"

# FFO 20: six empties, X to move, +6 with h5.
SIX = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"

# Small tables: some tests have several at a time.
SMALL: dict[str, Any] = {"hash": "16MiB"}


def suite(name: str, most_empties: int = 64) -> list[tuple[str, int]]:
    """The positions of a suite with their scores, read without Yose: the best of an OBF line's
    scores."""
    found: list[tuple[str, int]] = []
    for line in (POSITIONS / name).read_text().splitlines():
        board = line.split(";")[0].strip()
        scores = [int(score) for score in re.findall(r":\s*([+-]?\d+)", line)]
        if not line.startswith("%") and scores and board[:64].count("-") <= most_empties:
            found.append((board, max(scores)))
    return found


def positions_of_games(count: int, empties: int, seed: int = 1) -> list[yose.Position]:
    """Positions of random games."""
    import random

    generator = random.Random(seed)
    found: list[yose.Position] = []
    while len(found) < count:
        position: Optional[yose.Position] = yose.Position.start()
        while position is not None and position.empties > empties:
            moves = position.moves()
            position = position.play(generator.choice(moves)) if moves else None
        if position is not None:
            found.append(position)
    return found

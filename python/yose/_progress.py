"""The display of progress."""

import sys
from typing import Any, Callable, NamedTuple, Optional, Union


class Progress(NamedTuple):
    """How far a call of ``solve`` is."""

    done: int
    """The number of positions that are done: solved, or ended by a limit."""

    total: int
    """The number of positions of the call."""

    exact: int
    """The number of positions with an exact score."""

    nodes: int
    """The number of nodes of the positions that are done."""

    seconds: float
    """The time since the start of the call."""


class Display:
    """Calls the callable of the user, or shows a simple bar."""

    INTERVAL = 1.0
    """The time after which the callable is called even if nothing has changed, in seconds."""

    def __init__(self, progress: Union[bool, Callable[[Progress], object]], total: int) -> None:
        self._total = total
        self._bar: Optional[Any] = None
        self._last: Optional[Progress] = None
        self._call: Callable[[Progress], object]
        if progress is not True:
            if not callable(progress):
                raise TypeError(
                    f"progress is True, False or a callable, not {type(progress).__name__}"
                )
            self._call = progress
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._call = _print
        else:
            bar = self._bar = tqdm(total=total, unit="position")
            self._call = lambda progress: bar.update(progress.done - bar.n)

    def __call__(self, done: int, exact: int, nodes: int, seconds: float) -> None:
        """Report the state of the search, if it has changed or has not been reported lately."""
        progress = Progress(done, self._total, exact, nodes, seconds)
        last = self._last
        if last is None or done != last.done or seconds - last.seconds >= self.INTERVAL:
            self._last = progress
            self._call(progress)

    def close(self) -> None:
        """End the bar, so that other output begins on a line of its own."""
        if self._bar is not None:
            self._bar.close()
        elif self._call is _print and sys.stderr is not None:
            print(file=sys.stderr)


def _print(progress: Progress) -> None:
    done, total, _, nodes, seconds = progress
    # Some programs without a console have no standard error.
    if sys.stderr is not None:
        text = f"\r{done} of {total} positions, {nodes:,} nodes, {seconds:.1f} s"
        print(text, end="", file=sys.stderr, flush=True)

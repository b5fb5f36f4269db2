"""The sweep as it works, for people to watch: which cells are decided, and how many partial boards are left to try."""

from dataclasses import dataclass
from typing import NamedTuple

from kibitz.core.limit import Limit
from kibitz.puzzles.flow import sweep_kernel as kernel
from kibitz.puzzles.flow.answers import NO_LIMIT
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.sweep import Run, Sweep

Joined = tuple[int, ...]  # the later nodes that a cell is joined with


class Moment(NamedTuple):
    """What has changed since the last one: so many decided cells stay as they were, and these come after them."""

    kept: int
    decided: tuple[Joined, ...]
    alive: int  # partial boards that are still to be tried, this one included


@dataclass(frozen=True)
class Walk:
    """A sweep from one corner: the order in which it takes the nodes, and its moments."""

    order: tuple[int, ...]
    moments: tuple[Moment, ...]
    search: Sweep
    solution: Solution | None


def walked(board: Board, most: int, limit: Limit = NO_LIMIT) -> Walk:
    """The way to the first solution, or to the proof that there is none, in at most `most` equal strides.

    It is the way from the corner that gets there first. Of a search that gave up it is what the last corner tried.
    """
    search = Sweep(board, limit)
    solution = next(search, None)
    assert search.run is not None
    run = Run(board, *search.run.corner)
    stride = 1 + search.run.nodes // most
    moments: list[Moment] = []
    before: list[Joined] = []
    status = kernel.PAUSED
    while status == kernel.PAUSED and run.nodes < search.run.nodes:
        status = run.go(stride)
        after = run.decided()
        moments.append(_moment(before, after, run.alive()))
        before = after
    return Walk(run.order(), tuple(moments), search, solution)


def _moment(before: list[Joined], after: list[Joined], alive: int) -> Moment:
    pairs = zip(before, after, strict=False)
    kept = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
    return Moment(kept, tuple(after[kept:]), alive)

"""The layers of an indexed game: where each begins, and the stretches of numbers that threads work on."""

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam.control import STOP, new_control

STRETCH = 1 << 17  # numbers that a thread works on before it asks for more
Item = TypeVar("Item")
Made = TypeVar("Made")


class Piece(NamedTuple):
    """A block with the number at which it begins."""

    layer: int
    side: int
    start: int
    stop: int
    images: int


class Layer(NamedTuple):
    """The numbers of one layer, and those of each side in it."""

    name: int
    start: int
    stop: int
    sides: tuple[tuple[int, int], tuple[int, int]]


def pieces_of(game: Game) -> list[Piece]:
    """The blocks that the game declares, none where it cannot be indexed."""
    book = game.rulebook
    needed = (book.index, book.unindex, book.unmoves, book.unplay, book.blocks)
    if any(rule is None for rule in needed) or not game.alternating:
        return []
    start, pieces = 0, []
    for block in game.blocks:
        pieces.append(Piece(block.layer, block.side, start, start + block.size, block.images))
        start += block.size
    return pieces


def layers_of(pieces: list[Piece]) -> list[Layer]:
    """The layers in the order in which they are solved; a side's blocks lie next to each other."""
    layers = []
    for name in dict.fromkeys(piece.layer for piece in pieces):
        mine = [piece for piece in pieces if piece.layer == name]
        sides = [_range([piece for piece in mine if piece.side == side]) for side in (FIRST, SECOND)]
        layers.append(Layer(name, *_range(mine), (sides[0], sides[1])))
    return layers


def _range(pieces: list[Piece]) -> tuple[int, int]:
    return (pieces[0].start, pieces[-1].stop) if pieces else (0, 0)


def stretches(start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A range in parts for threads, cut at multiples of eight."""
    cuts = [start, *range((start // STRETCH + 1) * STRETCH, stop, STRETCH), stop]
    yield from ((low, high) for low, high in pairwise(cuts) if low < high)


class Crew:
    """Threads that run kernels on stretches of numbers; Ctrl-C stops them all."""

    def __init__(self, jobs: int, buffer: int) -> None:
        self.control = new_control()
        self.jobs = jobs
        self.buffer = buffer
        self.one_at_a_time = threading.Lock()
        self.pool = ThreadPoolExecutor(jobs)

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *problem: object) -> None:
        self.control[STOP] = 1
        self.pool.shutdown(wait=True, cancel_futures=True)

    def run(self, start: int, stop: int, work: Callable[[int, int, NDArray[np.int64]], Any]) -> list[Any]:
        """What the work returns for every stretch of a range; it is given the stretch and a buffer for moves."""

        def one(low: int, high: int) -> Any:
            return work(low, high, np.empty(self.buffer, np.int64))

        return self.each(stretches(start, stop), lambda stretch: one(*stretch))

    def each(self, items: Iterable[Item], work: Callable[[Item], Made]) -> list[Made]:
        """What the work returns for every item."""
        waiting = [self.pool.submit(work, item) for item in items]
        return [each.result() for each in waiting]

    def taken(self, items: Iterator[Item]) -> Item | None:
        """The next item of those that threads share, None behind the last one."""
        with self.one_at_a_time:
            return next(items, None)

"""One army of checkers alone on its board: the fewest moves home from everywhere, by index.

Every move can be taken back, so what is reached in n moves from home is n moves from it. Small boards only: six marbles
on 7x7 have 14 million armies, or 280 million in two colours.
"""

import os
from math import comb

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.result import FIRST
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.games.checkers import EMPTY, ORDINARY, SPECIAL, belongs, checkers, targets
from kibitz.tables.errors import CannotSolve
from kibitz.tables.progress import SILENT, Progress
from kibitz.tables.resources import format_bytes
from kibitz.tables.worker_pool import WorkerPool

RULEBOOK = checkers
UNREACHABLE = 255  # an army that cannot get home
MOST_ARMIES = 500_000_000


class Army:
    """The armies of one side: each has a number, and the table says how many moves it is from home.

    `reach` keeps marbles within a part of the board: how many cells follow each cell in each direction.
    """

    def __init__(
        self,
        game: Game,
        side: int,
        reach: NDArray[np.int8] | None = None,
        jobs: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        rules = game.rules
        self.side = side
        self.cells = len(rules.wanted)
        home = [int(cell) for cell in np.split(rules.goals, 2)[side]]
        self.home = np.array([int(rules.wanted[cell]) * (cell in home) for cell in range(self.cells)], np.int8)
        self.kinds = [int((self.home == kind + side).sum()) for kind in (ORDINARY, SPECIAL)]
        self.choose = np.array([[comb(n, k) for k in range(12)] for n in range(self.cells + 1)], np.int64)
        self.size = comb(self.cells, self.kinds[0]) * comb(self.cells - self.kinds[0], self.kinds[1])
        if self.size > MOST_ARMIES:
            raise CannotSolve(
                f"{game.text} has {self.size:,} armies, expected at most {MOST_ARMIES:,}: take a smaller board"
            )
        self.steps, self.reach = rules.step, rules.reach if reach is None else reach
        progress.log(f"{game.text}: {self.size:,} armies, {format_bytes(self.size)} of memory")
        progress.start("armies", self.size)
        self.distances = np.full(self.size, UNREACHABLE, np.uint8)
        self.counts = self._solve(jobs, progress)

    def _solve(self, jobs: int, progress: Progress) -> list[int]:
        """How many armies are 0, 1, 2, ... moves from home; each round goes one move farther."""
        self.distances[self._number(self.home)] = 0
        counts = [1]
        with WorkerPool(jobs, 0) as pool:
            while counts[-1]:
                progress.advance(counts[-1])
                counts.append(self._step_farther(pool, len(counts) - 1))
        return counts[:-1]

    def _step_farther(self, pool: WorkerPool, distance: int) -> int:
        """Move the armies at this distance; how many more are found. Threads that meet the same one write the same."""
        kernel = specialise(None, walk)

        def work(start: int, stop: int, out: object) -> None:
            given = self.side, *self.kinds, self.steps, self.reach, self.choose, self.distances
            kernel(start, stop, distance, *given, pool.control)

        def count(start: int, stop: int, out: object) -> int:
            return int(np.count_nonzero(self.distances[start:stop] == distance + 1))

        pool.map_range(0, self.size, work)
        return sum(pool.map_range(0, self.size, count))

    def _number(self, cells: NDArray[np.int8]) -> int:
        return int(specialise(None, number_of)(np.array(cells), self.side, *self.kinds, self.choose))

    def distance(self, cells: NDArray[np.int8]) -> int:
        """The fewest moves home of the army on these cells; the enemy's marbles are not looked at."""
        return int(self.distances[self._number(cells)])


def solve(game: Game, jobs: int = 0, progress: Progress = SILENT) -> list[int]:
    """How many armies of the first player are 0, 1, 2, ... moves from home."""
    return Army(game, FIRST, jobs=jobs or os.cpu_count() or 1, progress=progress).counts


# The kernels. Ordinary marbles are a set of cells, special ones a set of those that are left; both are numbered.


def number_of(board: NDArray[np.int8], side: int, ordinary: int, special: int, choose: NDArray[np.int64]) -> int:
    """The number of the army on a board."""
    first, second = 0, 0
    met, met_special, free = 0, 0, 0
    for cell in range(len(board)):
        if board[cell] == ORDINARY + side:
            met += 1
            first += choose[cell, met]
            continue
        if board[cell] == SPECIAL + side:
            met_special += 1
            second += choose[free, met_special]
        free += 1
    return int(first * choose[len(board) - ordinary, special] + second)


def place_army(
    number: int, side: int, ordinary: int, special: int, choose: NDArray[np.int64], board: NDArray[np.int8]
) -> None:
    """The army of a number, on an otherwise empty board."""
    cells = len(board)
    ways = choose[cells - ordinary, special]
    first, second = number // ways, number % ways
    board[:] = EMPTY
    left = ordinary
    for cell in range(cells - 1, -1, -1):
        if left > 0 and choose[cell, left] <= first:
            first -= choose[cell, left]
            board[cell] = ORDINARY + side
            left -= 1
    left, free = special, cells - ordinary
    for cell in range(cells - 1, -1, -1):
        if board[cell] == EMPTY:
            free -= 1
            if left > 0 and choose[free, left] <= second:
                second -= choose[free, left]
                board[cell] = SPECIAL + side
                left -= 1


def walk(
    start: int,
    stop: int,
    distance: int,
    side: int,
    ordinary: int,
    special: int,
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
    choose: NDArray[np.int64],
    distances: NDArray[np.uint8],
    control: NDArray[np.int64],
) -> None:
    """Find what is one move farther from home than the armies of a part that are at this distance."""
    cells = len(choose) - 1
    board = np.zeros(cells, np.int8)
    queue = np.empty(cells, np.int16)
    reached = np.empty(cells, np.int16)
    for number in range(start, stop):
        if control[STOP] != 0:
            return
        if distances[number] != distance:
            continue
        place_army(number, side, ordinary, special, choose, board)
        reached[:] = 0
        for origin in range(cells):
            if not belongs(int(board[origin]), side):
                continue
            marble = board[origin]
            for at in range(1, targets(board, origin, queue, reached, steps, reach)):
                board[origin], board[queue[at]] = EMPTY, marble
                other = number_of(board, side, ordinary, special, choose)
                board[origin], board[queue[at]] = marble, EMPTY
                if distances[other] == UNREACHABLE:
                    distances[other] = distance + 1

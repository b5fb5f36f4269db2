"""Numbers for the boards of wolves eat sheep, so that a table of perfect play needs no keys.

A board is turned so that its wolves stand on the first of the places that symmetries make one: 49 packs of two wolves,
or 319 of three, are left. The flock is then a set of some size among the cells without a wolf, and such sets are
numbered in order. Some packs look the same after a turn; of the flocks that are one by that turn the smallest stands
for all, and the numbers of the others, about a quarter, are not in use.
"""

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count, lowest
from kibitz.core.result import FIRST, SECOND
from kibitz.core.rulebook import Block

CELLS = 25
FEWEST, MOST = 3, 15  # sheep; with fewer the wolves have won
PAIRS = comb(CELLS, 2)  # ways to place two wolves
LOW = 12  # a flock is numbered by its cells below and above this one
LOW_CELLS = (1 << LOW) - 1


def _seen() -> NDArray[np.int64]:
    """[symmetry, cell]: where one of eight views brings a cell; the first leaves all as it is."""
    board = np.arange(CELLS).reshape(5, 5)
    views = [np.rot90(side, quarters) for side in (board, board[:, ::-1]) for quarters in range(4)]
    return np.array([np.argsort(view.ravel()) for view in views])


SEEN = _seen()


def _packs(wolves: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The leaders, how many packs each stands for, and for every pack, in the order of `pack_number`, a view that
    brings it to its leader and the number of that leader.
    """
    packs = np.array(sorted(cells[::-1] for cells in combinations(range(CELLS), wolves)))
    views = (1 << SEEN[:, packs]).sum(-1)
    leaders, numbers, several = np.unique(views.min(0), return_inverse=True, return_counts=True)
    return leaders, several, views.argmin(0), numbers


def _same(leaders: NDArray[np.int64]) -> NDArray[np.int64]:
    """[leader, up to three]: the views but the first that leave a pack as it is; 0 where there are no more."""
    held = leaders[:, None] >> np.arange(CELLS) & 1
    images = (held[:, None, :] << SEEN).sum(-1)
    kept = [[*np.flatnonzero(row[1:] == row[0]) + 1, 0, 0, 0][:3] for row in images]
    return np.array(kept, np.int64)


_two, _three = _packs(2), _packs(3)
LEADERS, TURN_OF, NUMBER_OF = (np.concatenate([_two[part], _three[part]]) for part in (0, 2, 3))
SAME = _same(LEADERS)
TWO, THREE = len(_two[0]), len(_three[0])  # leaders of packs of so many wolves
# [symmetry, row, what stands in the row]: where it comes to stand
_bits = np.arange(32)[:, None] >> np.arange(5) & 1
VIEWS = ((_bits == 1) * (1 << SEEN.reshape(8, 5, 1, 5))).sum(-1)
# Sets of low cells by size, where each size begins, and the place of each set among those of its size.
_sizes = np.array([cells.bit_count() for cells in range(1 << LOW)])
LOW_SETS = np.argsort(_sizes, kind="stable")
LOW_BEGIN = np.cumsum([0, *(comb(LOW, size) for size in range(LOW + 1))])
LOW_RANK = np.argsort(LOW_SETS) - LOW_BEGIN[_sizes]
# [sheep, high cells]: how many flocks of that size have smaller high cells
_rest = np.arange(MOST + 1)[:, None] - _sizes[: 1 << CELLS - 2 - LOW]
_widths = np.where(_rest < 0, 0, np.array([comb(LOW, size) for size in range(MOST + 1)])[_rest])
SMALLER = (np.cumsum(_widths, axis=1) - _widths).astype(np.int32)
FLOCKS = np.array([[comb(CELLS - wolves, sheep) for sheep in range(MOST + 1)] for wolves in range(4)])
# [wolves, sheep]: the first number of a board with so many; each side has its own
BEGIN = np.zeros((4, MOST + 2), np.int64)
BEGIN[:, FEWEST + 1 :] = np.cumsum(2 * FLOCKS[:, FEWEST:] * np.array([[0], [0], [TWO], [THREE]]), axis=1)


def blocks_of(wolves: int, sheep: int) -> list[Block]:
    """The blocks of boards with so many wolves and three sheep up to so many; none where they cannot be numbered."""
    if wolves not in (2, 3) or not FEWEST <= sheep <= MOST:
        return []
    images = (_two if wolves == 2 else _three)[1].tolist()
    layers = range(FEWEST, sheep + 1)
    sides = (FIRST, SECOND)
    return [Block(each, side, int(FLOCKS[wolves, each]), many) for each in layers for side in sides for many in images]


def number_of(wolves: int, sheep: int, side: int) -> int:
    """The number of a board, or -1."""
    animals, several = count(sheep), count(wolves)
    if animals < FEWEST or animals > MOST or several < 2 or several > 3:
        return -1
    pack = pack_number(wolves)
    turn = int(TURN_OF[pack])
    leader = int(NUMBER_OF[pack])
    place = leader + (TWO if several == 3 else 0)
    flock = smallest(seen(sheep, turn), place)
    flock = without(flock, int(LEADERS[place]))
    block = side * (TWO if several == 2 else THREE) + leader
    rank = int(SMALLER[animals, flock >> LOW]) + int(LOW_RANK[flock & LOW_CELLS])
    return int(BEGIN[several, animals]) + block * int(FLOCKS[several, animals]) + rank


def seen(cells: int, view: int) -> int:
    """Where a view brings these cells."""
    found = 0
    for row in range(5):
        found |= int(VIEWS[view, row, cells >> 5 * row & 31])
    return found


def smallest(flock: int, place: int) -> int:
    """The first of the flocks that the views make one which leave the pack as it is."""
    least = flock
    for at in range(3):
        view = int(SAME[place, at])
        if view == 0:
            break
        least = min(least, seen(flock, view))
    return least


def pack_number(pack: int) -> int:
    """Where the arrays above keep a pack: those of two wolves in front, those of three behind."""
    first = lowest(pack)
    rest = pack & (pack - 1)
    second = lowest(rest)
    number = first + second * (second - 1) // 2
    rest &= rest - 1
    if rest == 0:
        return number
    third = lowest(rest)
    return PAIRS + number + third * (third - 1) * (third - 2) // 6


def without(flock: int, pack: int) -> int:
    """The flock on the cells that are left when those of the pack are taken out."""
    taken = 0
    while pack:
        below = (1 << (lowest(pack) - taken)) - 1
        pack &= pack - 1
        taken += 1
        flock = flock & below | flock >> 1 & ~below
    return flock


def among(flock: int, pack: int) -> int:
    """The other way round: the flock on all cells, none on those of the pack."""
    while pack:
        below = (1 << lowest(pack)) - 1
        pack &= pack - 1
        flock = flock & below | (flock & ~below) << 1
    return flock


def board_of(number: int, several: int) -> tuple[int, int, int]:
    """The wolves, the sheep and the side to move of a number, where there are so many wolves."""
    animals = FEWEST
    while animals < MOST and BEGIN[several, animals + 1] <= number:
        animals += 1
    size = int(FLOCKS[several, animals])
    leading = TWO if several == 2 else THREE
    block = (number - int(BEGIN[several, animals])) // size
    rank = (number - int(BEGIN[several, animals])) % size
    pack = int(LEADERS[block % leading + (TWO if several == 3 else 0)])
    return pack, among(flock_of(rank, animals, several), pack), block // leading


def flock_of(rank: int, animals: int, several: int) -> int:
    """The flock of a rank among those of its size, on the cells without wolves."""
    high, above = 0, 1 << (CELLS - several - LOW)
    while above - high > 1:
        middle = (high + above) // 2
        if SMALLER[animals, middle] <= rank:
            high = middle
        else:
            above = middle
    low = rank - int(SMALLER[animals, high])
    return high << LOW | int(LOW_SETS[int(LOW_BEGIN[animals - count(high)]) + low])

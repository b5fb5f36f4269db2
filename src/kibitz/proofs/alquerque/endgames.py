"""Endgame tables of Alquerque (`dm574`): the value of every position with few pieces, for the side to move.

Every move steps forward or takes a piece, so no position comes back and each value follows from positions further on. A
value takes two bits. Positions are counted through by the places of the mover's pieces among the fields, then of the
enemy's among those left; of a position and its mirror image one is filled in, and both sides share a table, for the
side to move always goes up.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count, lowest
from kibitz.core.options import in_range
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, new_control, run_stoppable
from kibitz.games.alquerque import BOARD, FIELDS
from kibitz.games.alquerque import PIECES as MEN
from kibitz.proofs import sealed_file
from kibitz.proofs.alquerque.moves import list_moves
from kibitz.proofs.question import Report
from kibitz.proofs.sealed_file import BadFile
from kibitz.proofs.slots import LOST
from kibitz.proofs.symmetry import MOST_CELLS, flip, make_images, turn_round
from kibitz.tables.resources import GB, budget_memory

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]
Watch = Callable[[int, int, tuple[int, int, int]], None]

UNKNOWN, WIN, DRAWN, LOSS = range(4)  # for the side to move; 4 less the value is the other side's
POSITION = (1 << 2 * FIELDS) - 1
FEWEST, MOST = 2, 11
SQUARE = FIELDS + 1  # `places` holds binomials in rows of so many, then where the table of each pair of counts begins
DEEPEST, WIDEST = 160, 100
KIND = "endings"


def place_of(own: int, enemy: int, places: Integers) -> int:
    """The number of a position, by the combinatorial number system."""
    rank, chosen = 0, 0
    rest = own
    while rest:
        chosen += 1
        rank += places[lowest(rest) * SQUARE + chosen]
        rest &= rest - 1
    below, against = 0, 0
    rest = enemy
    while rest:
        against += 1
        cell = lowest(rest)
        below += places[(cell - count(own & ((1 << cell) - 1))) * SQUARE + against]
        rest &= rest - 1
    begin = places[SQUARE * SQUARE + chosen * SQUARE + against]
    return int(begin + rank * places[(FIELDS - chosen) * SQUARE + against] + below)


def look_up(code: int, places: Integers, values: Small) -> int:
    """The value of a position whose table is there."""
    place = place_of(code & BOARD, code >> FIELDS, places)
    return int(values[place >> 2]) >> 2 * (place & 3) & 3


def value_of(code: int, at: int, children: Integers, images: Integers, places: Integers, values: Small) -> int:
    """The value of a position, found from those it leads to, and kept. `children` is a stack, free from `at` on."""
    place = place_of(code & BOARD, code >> FIELDS, places)
    value = int(values[place >> 2]) >> 2 * (place & 3) & 3
    if value != UNKNOWN:
        return value
    end = list_moves(code & BOARD, code >> FIELDS, 0, at, children, images)
    value = WIN if end == LOST else DRAWN if end == at else LOSS
    for index in range(at, end):
        value = min(value, 4 - value_of(children[index], end, children, images, places, values))
        if value == WIN:
            break
    values[place >> 2] |= np.uint8(value << 2 * (place & 3))
    return int(value)


def fill_tables(
    mine: int,
    theirs: int,
    children: Integers,
    images: Integers,
    places: Integers,
    values: Small,
    counts: Integers,
    control: Integers,
) -> int:
    """Every position with so many pieces of the mover and of the enemy; `counts` says how many have each value."""
    own = (1 << mine) - 1
    while own <= BOARD:
        free = BOARD & ~own
        compact = (1 << theirs) - 1
        while compact < 1 << FIELDS - mine:
            enemy = spread(compact, free)
            code = own | enemy << FIELDS
            if code <= mirror(own, images) | mirror(enemy, images) << FIELDS:
                value = value_of(code, int(np.int64(0)), children, images, places, values)
                counts[value] += 1
            compact = next_set(compact)
        own = next_set(own)
        if control[STOP] != 0:
            return -1
    return 0


def next_set(cells: int) -> int:
    """The next larger set of as many cells (Gosper's hack)."""
    low = cells & -cells
    ripple = cells + low
    return ripple | (cells ^ ripple) // low >> 2


def spread(compact: int, free: int) -> int:
    """The cells of `free` that `compact` counts."""
    found = 0
    while compact:
        low = free & -free
        if compact & 1:
            found |= low
        free ^= low
        compact >>= 1
    return found


def mirror(cells: int, images: Integers) -> int:
    """Left and right exchanged: upside down and turned round."""
    return turn_round(flip(cells, images), images) >> MOST_CELLS


@dataclass(frozen=True, eq=False)
class EndgameTables:
    """Filled tables up to a number of pieces, and where to look in them."""

    pieces: int
    places: Integers
    values: Small


def empty_tables() -> EndgameTables:
    """Tables of nothing."""
    return EndgameTables(0, _places(0)[0], np.zeros(1, np.uint8))


def size_in_bytes(pieces: int) -> int:
    """How much memory and disk the tables up to so many pieces take."""
    return _places(pieces)[1] // 4 + 1


def solve_tables(
    pieces: int, watch: Watch = lambda mine, theirs, counts: None, fewer: EndgameTables | None = None
) -> EndgameTables:
    """Fill all tables up to so many pieces; those of fewer pieces may be there already. `watch` is called with each
    pair of counts and its wins, draws and losses.
    """
    places, size = _places(in_range("pieces", pieces, FEWEST, MOST))
    values = np.zeros(size // 4 + 1, np.uint8)
    fewer = fewer or empty_tables()
    values[: fewer.values.size] = fewer.values
    children, images = np.zeros(DEEPEST * WIDEST, np.int64), make_images(5, 5)
    run = specialise(None, fill_tables)
    for mine, theirs in pairs(pieces)[len(pairs(fewer.pieces)) :]:
        counts, control = np.zeros(4, np.int64), new_control()
        run_stoppable(control, run, mine, theirs, children, images, places, values, counts, control)
        watch(mine, theirs, (int(counts[WIN]), int(counts[DRAWN]), int(counts[LOSS])))
    return EndgameTables(pieces, places, values)


def write(path: Path, tables: EndgameTables) -> None:
    """Keep the tables in a file."""
    sealed_file.write(path, KIND, {"pieces": tables.pieces}, zlib.compress(tables.values.tobytes(), 1))


def read(path: Path) -> EndgameTables:
    """The tables of a file."""
    header, block = sealed_file.read(path, KIND)
    try:
        pieces = int(header["pieces"])
        values = np.frombuffer(zlib.decompress(block), np.uint8).copy()
    except (KeyError, ValueError, TypeError, zlib.error):
        raise BadFile(f"'{path}' is damaged: it does not hold what it says") from None
    if values.size != size_in_bytes(pieces):
        raise BadFile(f"'{path}' is damaged: {values.size} bytes of values, expected {size_in_bytes(pieces)}")
    return EndgameTables(pieces, _places(pieces)[0], values)


def pairs(pieces: int) -> list[tuple[int, int]]:
    """The counts of pieces that there are tables for, the mover's and the enemy's."""
    return [(mine, total - mine) for total in range(2, pieces + 1) for mine in range(1, total) if _may_be(mine, total)]


def _may_be(mine: int, total: int) -> bool:
    return mine <= MEN and total - mine <= MEN


def _places(pieces: int) -> tuple[Integers, int]:
    """Binomials, and where each table begins; and how many positions there are."""
    places = np.zeros((2, SQUARE, SQUARE), np.int64)
    for cells in range(SQUARE):
        places[0, cells] = [comb(cells, chosen) for chosen in range(SQUARE)]
    size = 0
    for mine, theirs in pairs(pieces):
        places[1, mine, theirs] = size
        size += comb(FIELDS, mine) * comb(FIELDS - mine, theirs)
    return places.reshape(-1), size


def open_or_solve(folder: Path, pieces: int, report: Report) -> EndgameTables:
    """The tables up to so many pieces: those on disk, or else solved now and kept. On the way to many pieces those of
    fewer are kept, so that a run that is killed goes on from there.
    """

    def path(size: int) -> Path:
        return folder / f"alquerque-{size}.endings"

    def watch(mine: int, theirs: int, counts: tuple[int, int, int]) -> None:
        won, drawn, lost = counts
        state = f"{mine} pieces to move against {theirs}: {won:,} won, {drawn:,} drawn, {lost:,} lost"
        report("endgames", state)

    budget_memory(max(size_in_bytes(pieces) / GB, 1e-3))
    kept = max((size for size in range(FEWEST, pieces + 1) if path(size).is_file()), default=0)
    found = read(path(kept)) if kept else empty_tables()
    for size in range(max(kept + 1, FEWEST), pieces + 1):
        found = solve_tables(size, watch, found)
        write(path(size), found)
        if size - 1 > kept:
            path(size - 1).unlink(missing_ok=True)
    return found

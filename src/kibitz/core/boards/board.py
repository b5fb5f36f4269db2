"""A board declared as data: its cells, what may stand on them, and numbers about it for compiled rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import atan2, hypot, tau
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import WORD, Bits
from kibitz.core.boards.beside import Beside
from kibitz.core.errors import KibitzError, did_you_mean, quoted
from kibitz.core.layout import Cell, Layout, Piece, Shape, Tone
from kibitz.core.result import FIRST, SECOND

Coding = Literal["cell", "from-to"]
Along = Literal["all", "orthogonal", "diagonal"]
HOLE: Tone = "beside"  # the tone of a cell that is no part of the board


@dataclass(frozen=True, eq=False, kw_only=True)
class Board:
    """Cells are numbered from 0 in the order given, directions counterclockwise from the right.

    A set of cells is a number whose bit n is cell n: an `int`, a `Bits` on boards of 64 cells or where `wide` says so,
    and on larger boards an array of 64-bit words.
    """

    cells: tuple[Cell, ...]
    kinds: Mapping[str, Piece]  # what may stand on a cell, by the name of the state's field; its glyph is its letter
    links: frozenset[tuple[int, int]]  # neighbours, each pair in both orders
    shape: Shape = "square"
    lines_drawn: tuple[tuple[int, int], ...] = ()
    rows: Mapping[float, str] = field(default_factory=dict)  # labels
    columns: Mapping[float, str] = field(default_factory=dict)
    images: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # where each symmetry brings each cell
    symmetries: tuple[str, ...] = ()  # those that the game has; `+swap` behind a name exchanges the sides
    moves: Coding = "cell"
    start: str = ""  # the rows of the first position; empty where it is the empty board
    wide: bool = False
    beside: Mapping[str, Beside] = field(default_factory=dict)  # fields of the state that are shown beside the board
    places: tuple[str, ...] = ()  # fields of the state that hold the number of a cell, or -1

    # Numbers for compiled rules.

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.cells)

    @cached_property
    def all(self) -> Any:
        """The set of all cells, without holes."""
        return self.set_of(number for number, cell in enumerate(self.cells) if cell.tone != HOLE)

    @property
    def pass_move(self) -> int:
        """The move that passes: one beyond the moves that touch cells."""
        return self.size if self.moves == "cell" else self.size * self.size

    def lines(self, length: int) -> tuple[Any, ...]:
        """Every row, column and diagonal of so many neighbours, as sets."""
        found = [self._line(way, cell, length) for way in range(len(self.ways) // 2) for cell in range(self.size)]
        return tuple(self.set_of(line) for line in found if line)

    def _line(self, way: int, cell: int, length: int) -> list[int]:
        """The cells of a line from here on, or none if the board ends before."""
        line = [cell]
        while len(line) < length and (after := int(self.ways[way, line[-1]])) >= 0:
            line.append(after)
        return line if len(line) == length else []

    def runs(self, length: int) -> tuple[tuple[int, Any], ...]:
        """The lines of so many cells, told by directions: how far bits shift, and where such a line may begin."""
        found = []
        for way in range(len(self.ways) // 2):
            starts = self.set_of(cell for cell in range(self.size) if self._line(way, cell, length))
            found.append((self._shift(way), starts))
        if min(shift for shift, _ in found) < 0:
            raise KibitzError("runs() needs a board whose cells are numbered from the bottom row on")
        return tuple(found)

    def steps(self, along: Along = "all") -> tuple[tuple[int, Any], ...]:
        """For each direction how far bits shift, and the cells that can be arrived at; `bits.step` takes both."""
        chosen = self._chosen(along)
        return tuple(
            (self._shift(way), self.set_of(int(cell) for cell in self.ways[way] if cell >= 0)) for way in chosen
        )

    @cached_property
    def shifts(self) -> NDArray[np.int64]:
        """The shifts of all steps, for rules whose board depends on options."""
        return np.array([shift for shift, _ in self.steps()], np.int64)

    @cached_property
    def onto(self) -> NDArray[np.uint64]:
        """The cells that each of those steps can arrive at."""
        return np.array([onto for _, onto in self.steps()], Bits)

    def _shift(self, way: int) -> int:
        shifts = {int(after) - cell for cell, after in enumerate(self.ways[way]) if after >= 0}
        if len(shifts) != 1:
            raise KibitzError("steps and runs need a board where each direction is one shift; use neighbours or rays")
        return shifts.pop()

    def _chosen(self, along: Along) -> list[int]:
        """The directions along rows and columns, between them, or all."""
        every = list(range(len(self.ways)))
        if along == "all":
            return every
        straight = [way for way in every if 0 in (round(part, 3) for part in self._directions[way])]
        return straight if along == "orthogonal" else [way for way in every if way not in straight]

    @cached_property
    def ways(self) -> NDArray[np.int64]:
        """`ways[direction, cell]`: the cell one step on, -1 where the board ends."""
        found = np.full((len(self._directions), self.size), -1, np.int64)
        for one, other in self.links:
            found[self._directions.index(self._direction(one, other)), one] = other
        return found

    @cached_property
    def _directions(self) -> list[tuple[float, float]]:
        """The directions of all links, counterclockwise from the right."""
        found = {self._direction(one, other) for one, other in self.links}
        return sorted(found, key=lambda way: round(atan2(way[1], way[0]) % tau, 3))

    def _direction(self, one: int, other: int) -> tuple[float, float]:
        here, there = self.cells[one], self.cells[other]
        across, up = there.x - here.x, here.y - there.y
        length = hypot(across, up)
        return round(across / length, 3) + 0.0, round(up / length, 3) + 0.0

    @cached_property
    def neighbours(self) -> NDArray[np.int64]:
        """`neighbours[cell, direction]`: the cell one step on, -1 where the board ends."""
        return np.ascontiguousarray(self.ways.T)

    @cached_property
    def rays(self) -> NDArray[np.int64]:
        """`rays[cell, direction, n]`: the cell n + 1 steps on, -1 where the board ends; each ray ends with -1."""
        rays = [[self._ray(way, cell) for way in range(len(self.ways))] for cell in range(self.size)]
        longest = max((len(ray) for around in rays for ray in around), default=0) + 1
        return np.array([[ray + [-1] * (longest - len(ray)) for ray in around] for around in rays], np.int64)

    def _ray(self, way: int, cell: int) -> list[int]:
        found: list[int] = []
        while (cell := int(self.ways[way, cell])) >= 0:
            found.append(cell)
        return found

    @cached_property
    def near(self) -> NDArray[Any]:
        """`near[cell]`: the set of its neighbours; on boards beyond 64 cells `near[cell, word]`."""
        sets = [self.set_of(int(cell) for cell in around if cell >= 0) for around in self.neighbours]
        return np.array(sets, Bits if self.wide or self.size > 63 else np.int64)

    def row(self, index: int) -> Any:
        """The set of a row, counted from 0 at the bottom; on other boards than squares by height."""
        return self._at_same([-cell.y for cell in self.cells], index)

    def column(self, index: int) -> Any:
        """The set of a column, counted from 0 at the left."""
        return self._at_same([cell.x for cell in self.cells], index)

    def _at_same(self, places: list[float], index: int) -> Any:
        wanted = sorted({round(place, 3) for place in places})[index]
        members = (cell for cell, place in enumerate(places) if round(place, 3) == wanted)
        return self.set_of(cell for cell in members if self.cells[cell].tone != HOLE)

    def cell(self, name: str) -> int:
        """The number of the cell of this name."""
        if name not in self._numbers:
            raise KibitzError(f"the board has no cell {quoted(name)}{did_you_mean(name, self._numbers)}")
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {cell.name: number for number, cell in enumerate(self.cells)}

    def set_of(self, cells: Iterable[int | str]) -> Any:
        """The set of these cells, given by numbers or by names."""
        return self.number(sum(1 << (self.cell(cell) if isinstance(cell, str) else cell) for cell in set(cells)))

    def number(self, members: int) -> Any:
        """A set as this board keeps it."""
        if self.size > 64:
            words = range(self.words)
            return np.array([members >> 64 * word & WORD for word in words], Bits)
        return Bits(members) if self.wide or self.size > 63 else members

    @property
    def words(self) -> int:
        """How many 64-bit words a set of cells takes."""
        return -(-self.size // 64)

    # What people see.

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides, called after their first kinds of pieces."""
        names = [next((name for name, kind in self.kinds.items() if kind.side == side), "") for side in (FIRST, SECOND)]
        first, second = (name.replace("_", " ") for name in names)
        return (first, second) if first and second else ("first", "second")

    @cached_property
    def layout(self) -> Layout:
        """The board as pictures draw it."""
        pieces = {piece.glyph: piece for piece in self.kinds.values()}
        return Layout(self.cells, pieces, self.shape, self.lines_drawn, self.rows, self.columns)

    @cached_property
    def text_rows(self) -> list[list[int]]:
        """The cells row by row from the top, each from the left: the order of texts."""
        heights = sorted({round(cell.y, 3) for cell in self.cells})
        placed = sorted(range(self.size), key=lambda cell: self.cells[cell].x)
        return [[cell for cell in placed if round(self.cells[cell].y, 3) == height] for height in heights]

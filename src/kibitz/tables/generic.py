"""The generic way to solve a game: all positions that can come about are met, in as much memory as is allowed."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import specialise
from kibitz.core.seam.interpret import words_of
from kibitz.core.seam.running import new_control, stoppable
from kibitz.tables import exploring
from kibitz.tables.errors import CannotSolve
from kibitz.tables.indexed import Watch
from kibitz.tables.memory import Allowance
from kibitz.tables.probing import HEADER, KIND, SALT, SIZE, SORTED, WIDTH

START = 1 << 12  # positions that there is room for at first
SALTS = 5
MANY = (1 << 31) - 1  # the most that can be numbered


class Solved(NamedTuple):
    """A solved game: the table as `probing` wants it, and what is in it."""

    header: NDArray[np.int64]
    codes: NDArray[np.int64]  # sorted
    values: NDArray[np.int32]
    rows: list[dict[str, int]]

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes that are looked up."""
        return np.concatenate([self.codes.view(np.uint8), self.values.view(np.uint8)])


def solve(game: Game, allowance: Allowance, watch: Watch) -> Solved:
    """Meet every position of a game, then go back from the ends."""
    refuse_unfit(game)
    for salt in range(1, SALTS + 1):  # two positions may have the same code; another salt, another code
        graph = Graph(game, allowance, salt)
        if graph.explore(watch):
            return graph.decided()
    raise CannotSolve(f"{game.text} has positions that cannot be told apart by {SALTS} hashes; please report it")


def refuse_unfit(game: Game) -> None:
    """There is no table of a game with chance, nor of one that counts in fractions."""
    book = game.rulebook
    if book.outcomes is not None:
        raise CannotSolve(f"{game.text} has chances, expected a game without them")
    for field in book.state_fields:
        if field.dtype.kind == "f":
            raise CannotSolve(f"{game.text}: field '{field.name}' of its state is a fraction, expected whole numbers")


class Graph:
    """The positions met so far and who leads to whom, in arrays that grow."""

    def __init__(self, game: Game, allowance: Allowance, salt: int) -> None:
        self.game = game
        self.allowance = allowance
        self.state = game.new().state
        self.widths = word_widths(game, self.state)
        self.row = int(self.widths.sum())
        self.control = new_control()
        self.control[exploring.SALT] = salt
        self.rows = np.empty(START * self.row, np.uint8)
        self.codes = np.empty(START, np.int64)
        self.sides = np.empty(START, np.int8)
        self.values = np.empty(START, np.int32)
        self.first = np.zeros(START + 1, np.int64)
        self.slots = np.full(4 * START, exploring.NONE, np.int32)
        self.edges = np.empty(8 * START, np.int32)

    @property
    def met(self) -> int:
        return int(self.control[exploring.MET])

    def explore(self, watch: Watch) -> bool:
        """Meet all positions; False where two have one code."""
        kernel = specialise(self.game.rulebook, exploring.explore)
        out = np.empty(self.game.max_moves, np.int64)
        words = np.empty(len(self.widths) + 1, np.int64)
        told = 0
        self._make_room(len(out))
        while True:
            given = (self.rows, self.codes, self.slots, self.sides, self.values, self.first, self.edges, out, words)
            stoppable(self.control, kernel, self.state, self.game.rules, self.widths, *given, self.control)
            watch(self.met - told)
            told = self.met
            if self.control[exploring.WIDER]:
                raise CannotSolve(f"{self.game.text}: its states have arrays of different lengths, expected one length")
            if self.control[exploring.CLASH]:
                return False
            if self.control[exploring.AT] == self.met:
                return True
            self._make_room(len(out))

    def _make_room(self, moves: int) -> None:
        """Make the arrays that are nearly full twice as large."""
        while self.met + moves > len(self.codes):
            self._grow_positions()
        while 2 * (self.met + moves) > len(self.slots):
            self.slots = np.empty(2 * len(self.slots), np.int32)
            specialise(None, exploring.fill_slots)(self.codes, self.met, self.slots)
        while self.control[exploring.EDGES] + moves > len(self.edges):
            self._allow(self.edges.nbytes)
            self.edges = longer(self.edges, 2 * len(self.edges))

    def _grow_positions(self) -> None:
        size = 2 * len(self.codes)
        if size > MANY:
            raise CannotSolve(f"{self.game.text} has more than {MANY:,} positions, expected fewer")
        self._allow(self.rows.nbytes + self.codes.nbytes + 3 * self.first.nbytes)
        self.rows = longer(self.rows, size * self.row)
        self.codes, self.sides, self.values = (
            longer(self.codes, size),
            longer(self.sides, size),
            longer(self.values, size),
        )
        self.first = longer(self.first, size + 1)

    def _allow(self, more: int) -> None:
        """Refuse to grow beyond what is allowed, what the way back needs included."""
        arrays = (self.rows, self.codes, self.sides, self.values, self.first, self.slots, self.edges)
        used = sum(array.nbytes for array in arrays)
        back = self.edges.nbytes + self.codes.nbytes * 3
        if used + more + back > self.allowance.bytes:
            raise CannotSolve(
                f"{self.game.text} has more positions than fit into {self.allowance}: {self.met:,} were met, and "
                f"about {2 * self.met:,} would fit into {(2 * (used + back) + more) / 1e9:.1f} GB"
            )

    def decided(self) -> Solved:
        """Go back from the ends; the positions sorted by code."""
        size = self.met
        first, sides, values = self.first[: size + 1], self.sides[:size], self.values[:size]
        begin, sources = np.empty(size + 1, np.int64), np.empty(int(first[size]), np.int32)
        specialise(None, exploring.turn_around)(first, self.edges, begin, sources)
        left = np.diff(first).astype(np.int32)
        go_back = specialise(None, exploring.go_back)
        stoppable(self.control, go_back, sides, values, left, begin, sources, np.empty(size, np.int32), self.control)
        order = np.argsort(self.codes[:size])
        header = np.zeros(HEADER, np.int64)
        header[KIND], header[SIZE] = SORTED, size
        header[WIDTH], header[SALT] = len(self.widths), self.control[exploring.SALT]
        return Solved(header, self.codes[:size][order], values[order], rows_of(sides, values))


def longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    """A copy with room for more."""
    grown = np.empty(size, array.dtype)
    grown[: len(array)] = array
    return grown


def word_widths(game: Game, state: Any) -> NDArray[np.int64]:
    """How many bytes each word of a state needs."""
    widths: list[int] = []
    for field, part in zip(game.rulebook.state_fields, state, strict=True):
        widths += [4, *[field.dtype.itemsize] * len(part)] if field.array else [field.dtype.itemsize]
    assert len(widths) == len(words_of(state))
    return np.array(widths, np.int64)


def rows_of(sides: NDArray[np.int8], values: NDArray[np.int32]) -> list[dict[str, int]]:
    """How many positions each side wins, for each side to move and for finished games."""
    rows = []
    for side in (FIRST, SECOND, exploring.ENDED):
        mine = values[sides == side]
        rows.append(
            {
                "layer": 0,
                "side": side,
                "first_wins": int((mine > 0).sum()),
                "second_wins": int((mine < 0).sum()),
                "draws": int((mine == 0).sum()),
                "longest_first": int(mine.max(initial=1)) - 1,
                "longest_second": -int(mine.min(initial=-1)) - 1,
                "entries": len(mine),
            }
        )
    return rows

"""The generic way to solve a game: all positions that can come about are met, in as much memory as is allowed."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.fields import packed
from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND
from kibitz.core.rulebook import call_rule
from kibitz.core.seam import specialise
from kibitz.core.seam.interpreter import state_of, words_of
from kibitz.tables.errors import CannotSolve, NoRoom
from kibitz.tables.generic import backward_kernels, forward_kernels
from kibitz.tables.generic.buckets import MANY, TRAY, Decided, Drawer, Trays
from kibitz.tables.generic.forward_kernels import DRAWER_SHIFT, DRAWERS, DRAWN, EDGES, FILLED, LOOKED
from kibitz.tables.generic.journal import Journal
from kibitz.tables.indexed.layers import Crew
from kibitz.tables.probe import HEADER, KIND, SALT, SIZE, SORTED, WIDTH, hash_of
from kibitz.tables.progress import NOBODY, Told
from kibitz.tables.resources import Allowance, gigabytes

SALTS = 5
TRAYS_SHARE = 16  # of the memory that is allowed, trays may take one part in so many


class Solved(NamedTuple):
    """A solved game: the table as `probing` wants it, what is in it, and the positions that it was made of."""

    header: NDArray[np.int64]
    data: NDArray[np.uint8]
    rows: list[dict[str, int]]
    positions: list[NDArray[np.uint8]]  # the packed states of each drawer

    @property
    def size(self) -> int:
        """How many positions there are."""
        return int(self.header[SIZE])

    @property
    def codes(self) -> NDArray[np.int64]:
        """The sorted codes."""
        return self.data[: 8 * self.size].view(np.int64)

    @property
    def values(self) -> NDArray[np.int32]:
        """The value of each."""
        return self.data[8 * self.size :].view(np.int32)


def solve(
    game: Game, allowance: Allowance, crew: Crew, told: Told = NOBODY, journal: Journal | None = None, guess: int = 0
) -> Solved:
    """Meet every position of a game, then go back from the ends. `guess` says how many positions are expected."""
    refuse_unfit(game)
    begun = None if journal is None else journal.salt()
    for salt in range(begun or 1, SALTS + 1):  # two positions may have the same code; another salt, another code
        graph = Graph(game, allowance, salt, crew, told)
        if graph.explored(journal, salt == begun, guess):
            return Return(graph).solved()
        crew.control[:] = 0
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
    """The positions met so far and who leads to whom."""

    def __init__(self, game: Game, allowance: Allowance, salt: int, crew: Crew, told: Told) -> None:
        self.game = game
        self.allowance = allowance
        self.salt = salt
        self.crew = crew
        self.told = told
        self.widths = word_widths(game, game.new().state)
        self.width = int(self.widths.sum())
        self.drawers = [Drawer(name, self.width) for name in range(DRAWERS)]
        fitting = allowance.free // TRAYS_SHARE // (crew.jobs * Trays.bytes_each(self.width))
        self.trays = Trays(crew.jobs, max(min(TRAY, fitting), 2 * game.max_moves), self.width)
        self.words = np.empty((crew.jobs, 2 * len(self.widths) + 64), np.int64)
        self.out = np.empty((crew.jobs, game.max_moves), np.int64)

    @property
    def met(self) -> int:
        return sum(drawer.met for drawer in self.drawers)

    @property
    def looked(self) -> int:
        return sum(drawer.looked for drawer in self.drawers)

    def explored(self, journal: Journal | None, again: bool, guess: int) -> bool:
        """Meet all positions; False where two have one code."""
        if journal is not None and again:
            self._recall(journal)
        elif journal is not None:
            journal.begin(self.salt)
        if not self.met:
            self._meet_the_start()
        self.told.stage("positions looked at", max(guess, self.met))
        self.told.advance(self.looked)
        while any(drawer.looked < drawer.met for drawer in self.drawers):
            looked = self.looked
            self._expand()
            if not self._absorb():
                return False
            if journal is not None:
                journal.add(self.drawers, bool(self.crew.control[forward_kernels.LONG]))
            self.told.expect(max(guess, self.met))
            self.told.advance(self.looked - looked)
        return True

    def _recall(self, journal: Journal) -> None:
        if journal.size > self.allowance.free:
            raise self._too_little(f"an earlier run has found {gigabytes(journal.size)}")
        self.crew.control[forward_kernels.LONG] = journal.recall(self.drawers)
        fill = specialise(None, forward_kernels.fill_slots)
        self.crew.each(self.drawers, lambda drawer: fill(drawer.codes, drawer.met, drawer.slots))
        if self.met:
            self.told.say(f"going on with the {self.met:,} positions that an earlier run has met")

    def _meet_the_start(self) -> None:
        words = words_of(keyed(self.game, self.game.new().state))
        code = int(hash_of(words, len(words), self.salt))
        specialise(None, forward_kernels.pack)(0, self.widths, self.trays.rows[0], words)
        self.trays.codes[0, 0], self.trays.homes[0, 0], self.trays.filled[0, FILLED] = code, code >> DRAWER_SHIFT, 1
        self.trays.sort(0)
        self._absorb()
        self.drawers[code >> DRAWER_SHIFT].counts[EDGES] = 0  # nobody leads to it yet
        self.trays.bounds[:] = 0

    def _expand(self) -> None:
        """Fill the trays with what follows from positions that were not looked at."""
        kernel = specialise(self.game.rulebook, forward_kernels.expand)
        control, trays = self.crew.control, self.trays
        waiting = iter([drawer for drawer in self.drawers if drawer.looked < drawer.met])

        def work(tray: int) -> None:
            found = trays.rows[tray], trays.codes[tray], trays.sources[tray], trays.homes[tray], trays.filled[tray]
            while (drawer := self.crew.taken(waiting)) is not None:
                of_drawer = drawer.rows, drawer.kinds, drawer.left
                more = self.out[tray], self.words[tray], control
                stop = drawer.met
                given = (drawer.name, drawer.looked, stop, self.salt, self.widths, *of_drawer, *found, *more)
                drawer.counts[LOOKED] = kernel(self.game.rules, *given)
                self._refuse_faults(tray, drawer)
                if drawer.looked < stop:
                    break
            trays.sort(tray)

        self.crew.each(range(self.crew.jobs), work)

    def _absorb(self) -> bool:
        """Let the drawers take what is on the trays; False where two positions have one code."""
        kernel = specialise(None, forward_kernels.absorb)
        waiting = self.trays.waiting
        self._refuse_too_many(waiting)
        trays = self.trays
        notes = trays.rows, trays.codes, trays.sources, trays.order, trays.bounds

        def work(drawer: Drawer) -> None:
            drawer.make_room(int(waiting[drawer.name]))
            own = drawer.rows, drawer.codes, drawer.slots, drawer.targets, drawer.sources, drawer.counts
            kernel(drawer.name, self.width, *notes, *own, self.crew.control)

        self.crew.each([drawer for drawer in self.drawers if waiting[drawer.name]], work)
        return not self.crew.control[forward_kernels.CLASH]

    def _refuse_too_many(self, waiting: NDArray[np.int64]) -> None:
        """Refuse to grow beyond what is allowed."""
        needed = sum(drawer.bytes_with(int(waiting[drawer.name])) for drawer in self.drawers)
        if needed > self.allowance.free:
            raise self._too_little(f"{self.met:,} were met and {self.looked:,} of them looked at")
        if any(drawer.met + waiting[drawer.name] > MANY for drawer in self.drawers):
            raise CannotSolve(f"{self.game.text} has more than {self.met:,} positions, expected fewer")

    def _too_little(self, so_far: str) -> NoRoom:
        return NoRoom(f"{self.game.text} has more positions than fit into {self.allowance}: {so_far}")

    def _refuse_faults(self, tray: int, drawer: Drawer) -> None:
        if self.crew.control[forward_kernels.WIDER]:
            raise CannotSolve(f"{self.game.text}: its states have arrays of different lengths, expected one length")
        if self.crew.control[forward_kernels.STUCK] == 1 + drawer.name:
            shown = self.game.write(state_of(self.game.rulebook, self.words[tray], 0))
            raise CannotSolve(f"{self.game.text}: moves() yields nothing in an unfinished game, position '{shown}'")


class Return:
    """The way back through a graph that is complete."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.crew, self.trays, self.told = graph.crew, graph.trays, graph.told
        self.size = graph.met
        self.drawers: list[Decided] = self.crew.each(graph.drawers, Drawer.turned_around)
        graph.drawers = []

    def solved(self) -> Solved:
        """Decide what can be decided; the positions sorted by code."""
        self.told.stage("going back from the ends", self.size)
        self.told.advance(self._decided)
        distance = 0
        while any(drawer.told < drawer.queued for drawer in self.drawers):
            begun = [drawer.told for drawer in self.drawers]
            if self.crew.control[forward_kernels.LONG]:
                self._tell(distance, 0)
                for drawer, first in zip(self.drawers, begun, strict=True):
                    drawer.counts[backward_kernels.TOLD] = first
            self._tell(distance, 1)
            distance += 1
        self.told.advance(self.size - self._decided)
        return self._sorted()

    @property
    def _decided(self) -> int:
        return sum(drawer.queued for drawer in self.drawers)

    def _tell(self, distance: int, cost: int) -> None:
        """Tell of what is queued; of what is queued meanwhile too, if it is as near."""
        ends = [drawer.queued for drawer in self.drawers]
        while True:
            stops = ends if cost else [drawer.queued for drawer in self.drawers]
            if all(drawer.told >= stop for drawer, stop in zip(self.drawers, stops, strict=True)):
                return
            before = self._decided
            self._write(stops)
            self._hear(distance, cost)
            self.told.advance(self._decided - before)

    def _write(self, stops: list[int]) -> None:
        kernel = specialise(None, backward_kernels.tell)
        trays = self.trays
        waiting = iter([drawer for drawer in self.drawers if drawer.told < stops[drawer.name]])

        def work(tray: int) -> None:
            notes = trays.codes[tray], trays.homes[tray], trays.filled[tray], self.crew.control
            while (drawer := self.crew.taken(waiting)) is not None:
                own = drawer.kinds, drawer.values, drawer.begin, drawer.before, drawer.queue, drawer.counts
                kernel(stops[drawer.name], *own, *notes)
                if drawer.told < stops[drawer.name]:
                    break
            trays.sort(tray)

        self.crew.each(range(self.crew.jobs), work)

    def _hear(self, distance: int, cost: int) -> None:
        kernel = specialise(None, backward_kernels.hear)
        waiting = self.trays.waiting

        def work(drawer: Decided) -> None:
            notes = self.trays.codes, self.trays.order, self.trays.bounds
            own = drawer.kinds, drawer.left, drawer.values, drawer.queue, drawer.counts
            kernel(drawer.name, distance, cost, *notes, *own)

        self.crew.each([drawer for drawer in self.drawers if waiting[drawer.name]], work)

    def _sorted(self) -> Solved:
        """Drawers are in the order of their codes; so each is sorted for itself."""
        data = np.empty(12 * self.size, np.uint8)
        codes, values = data[: 8 * self.size].view(np.int64), data[8 * self.size :].view(np.int32)
        ends = np.cumsum([len(drawer.codes) for drawer in self.drawers])

        def work(drawer: Decided) -> None:
            order = np.argsort(drawer.codes)
            place = slice(int(ends[drawer.name]) - len(order), int(ends[drawer.name]))
            codes[place], values[place] = drawer.codes[order], drawer.values[order]

        self.crew.each(self.drawers, work)
        header = np.zeros(HEADER, np.int64)
        header[KIND], header[SIZE] = SORTED, self.size
        header[WIDTH], header[SALT] = len(self.graph.widths), self.graph.salt
        return Solved(header, data, rows_of(self.drawers), [drawer.rows for drawer in self.drawers])


def keyed(game: Game, state: Any) -> Any:
    """The state without what repetition ignores."""
    book = game.rulebook
    return (
        state
        if book.key is None
        else packed(book.state, book.state_fields, call_rule(book.key, game.rules, state), book.key)
    )


def word_widths(game: Game, state: Any) -> NDArray[np.int64]:
    """How many bytes each word of a state needs."""
    widths: list[int] = []
    for field, part in zip(game.rulebook.state_fields, state, strict=True):
        widths += [4, *[field.dtype.itemsize] * len(part)] if field.array else [field.dtype.itemsize]
    assert len(widths) == len(words_of(state))
    return np.array(widths, np.int64)


def rows_of(drawers: list[Decided]) -> list[dict[str, int]]:
    """How many positions each side wins, for each side to move and for finished games."""
    rows = []
    for side in (FIRST, SECOND, DRAWN):
        mine = np.concatenate([drawer.values[np.minimum(drawer.kinds, DRAWN) == side] for drawer in drawers])
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

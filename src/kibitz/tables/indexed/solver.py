"""The indexed way to solve a game: a byte for every number, layer by layer, on all cores."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import specialise
from kibitz.tables.errors import CannotSolve
from kibitz.tables.file.values import (
    EVEN_SPLIT,
    FARTHEST,
    NOBODY,
    WON_BY_FIRST,
    WON_BY_SECOND,
    distance_of,
    split_for,
    win_code,
    winner_of,
)
from kibitz.tables.indexed import retrograde_kernels
from kibitz.tables.indexed.layers import Layer, Span
from kibitz.tables.worker_pool import WorkerPool

Values = NDArray[np.uint8]
Rows = Sequence[dict[str, int]]  # what `count_rows` finds
Watch = Callable[[int], None]  # called with how many more positions are decided


class LayerSolver:
    """Decides the layers of a game one after the other, in one array of codes."""

    def __init__(self, game: Game, values: Values, pool: WorkerPool, watch: Watch, rows: Rows = ()) -> None:
        assert len(values) % 8 == 0
        self.game = game
        self.values = values
        self.words = values.view(np.uint64)
        self.pool = pool
        self.watch = watch
        self.left = 0  # positions of this layer that were not reported yet
        self.longest = longest_wins(rows)
        self._make_room()

    @property
    def split(self) -> int:
        """Up to which code the second player wins."""
        return int(self.pool.control[retrograde_kernels.SPLIT])

    def solve(self, layer: Layer) -> None:
        """Decide a layer whose lower ones are decided."""
        self.left = layer.stop - layer.start
        self.values[layer.start : layer.stop] = 0
        known = [self._init(layer, side) for side in (FIRST, SECOND)]
        self._refuse_faults()
        for distance in range(FARTHEST + 1):
            self._note_longest(known)
            self._make_room()
            if distance > max(self.longest):
                break
            for winner in (FIRST, SECOND):
                code = win_code(winner, distance)
                if winner_of(code, self.split) != winner:
                    continue
                if distance % 2 == 0 and known[1 - winner][code]:
                    known[winner] += self._spread_wins(layer, winner, code)
                elif distance % 2 == 1 and known[winner][code]:
                    known[1 - winner] += self._spread_losses(layer, winner, code, distance)
            self._refuse_faults()
        self.watch(self.left)

    def _note_longest(self, known: list[NDArray[np.int64]]) -> None:
        for side, tally in enumerate(known):
            for code in np.flatnonzero(tally):
                winner = winner_of(int(code), self.split)
                if winner != NOBODY:
                    self.longest[winner] = max(self.longest[winner], distance_of(int(code), side, self.split))

    def _make_room(self) -> None:
        """What is decided next is at most one turn farther than what is known: let there be codes for that."""
        first, second = self.longest
        self.pool.control[retrograde_kernels.SPLIT] = split_for(first + 1, second + 1) or self.split or EVEN_SPLIT

    def _init(self, layer: Layer, side: int) -> NDArray[np.int64]:
        kernel = specialise(self.game.rulebook, retrograde_kernels.init_layer)
        low, high = layer.sides[side]

        def work(start: int, stop: int, out: NDArray[np.int64]) -> NDArray[np.int64]:
            tally = np.zeros(256, np.int64)
            kernel(self.game.rules, start, stop, side, layer.start, self.values, out, tally, self.pool.control)
            return tally

        return self._report(sum(self.pool.map_range(low, high, work), np.zeros(256, np.int64)))

    def _spread_wins(self, layer: Layer, winner: int, code: int) -> NDArray[np.int64]:
        """One turn before the loser is to move, the winner is, and wins."""
        return self._report(self._pass(retrograde_kernels.win_before, layer, 1 - winner, code, layer.start, layer.stop))

    def _spread_losses(self, layer: Layer, winner: int, code: int, distance: int) -> NDArray[np.int64]:
        """One turn before the winner is to move, the loser is, and loses if all moves do."""
        self._pass(retrograde_kernels.touch_before, layer, winner, code, layer.start, layer.stop)
        loser = 1 - winner
        return self._report(self._pass(retrograde_kernels.lose_touched, layer, loser, loser, layer.start, distance))

    def _pass(self, kernel: Callable[..., None], layer: Layer, side: int, *given: int) -> NDArray[np.int64]:
        """Run a kernel over one side's numbers; how many got each code."""
        run = specialise(self.game.rulebook, kernel)

        def work(start: int, stop: int, out: NDArray[np.int64]) -> NDArray[np.int64]:
            tally = np.zeros(256, np.int64)
            run(self.game.rules, start, stop, *given, self.values, self.words, out, tally, self.pool.control)
            return tally

        return sum(self.pool.map_range(*layer.sides[side], work), np.zeros(256, np.int64))

    def _report(self, tally: NDArray[np.int64]) -> NDArray[np.int64]:
        decided = min(int(tally[2:].sum()), self.left)
        self.left -= decided
        self.watch(decided)
        return tally

    def _refuse_faults(self) -> None:
        name = self.game.text
        if self.pool.control[retrograde_kernels.ODD_END]:
            raise CannotSolve(
                f"{name} can end with a move of the loser, expected moves of the winner for an indexed table"
            )
        if self.pool.control[retrograde_kernels.TOO_FAR]:
            first, second = self.longest
            raise CannotSolve(
                f"{name} has wins of more than {first} and {second} turns, expected fewer than {FARTHEST} together "
                "for an indexed table"
            )


def longest_wins(rows: Rows) -> list[int]:
    """The longest wins of the first and the second player in layers that are counted."""
    return [max((row[f"longest_{winner}"] for row in rows), default=0) for winner in ("first", "second")]


def derive_side(game: Game, values: Values, pool: WorkerPool, layers: list[Layer], side: int, watch: Watch) -> None:
    """Fill in the codes of one side from those of the other."""
    kernel = specialise(game.rulebook, retrograde_kernels.decide_by_moves)

    def work(start: int, stop: int, out: NDArray[np.int64]) -> None:
        kernel(game.rules, start, stop, side, values, out, pool.control)
        watch(stop - start)

    for layer in layers:
        pool.map_range(*layer.sides[side], work)


def count_wrong_codes(
    game: Game, values: Values, pool: WorkerPool, size: int, numbers: NDArray[np.int64], watch: Watch
) -> int:
    """How many of these codes, or of all where no numbers are given, do not follow from those one move on."""
    kernel = specialise(game.rulebook, retrograde_kernels.count_wrong_codes)

    def work(start: int, stop: int, out: NDArray[np.int64]) -> int:
        wrong = int(kernel(game.rules, numbers, start, stop, values, out, pool.control))
        watch(stop - start)
        return wrong

    return sum(pool.map_range(0, len(numbers) or size, work))


def count_rows(game: Game, values: Values, pool: WorkerPool, spans: list[Span]) -> list[dict[str, int]]:
    """For every layer and side to move: boards won by each side, drawn ones, and the longest wins."""
    split = int(pool.control[retrograde_kernels.SPLIT])
    kernel = specialise(game.rulebook, retrograde_kernels.count_codes)

    def codes_of(span: Span) -> tuple[NDArray[np.int64], int]:
        def work(start: int, stop: int, out: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
            counts = np.zeros(256, np.int64)
            return counts, kernel(game.rules, start, stop, span.images, values, counts, pool.control)

        parts = pool.map_range(span.start, span.stop, work)
        return sum((counts for counts, _ in parts), np.zeros(256, np.int64)), sum(used for _, used in parts)

    found: dict[tuple[int, int], tuple[NDArray[np.int64], int]] = {}
    for span in spans:
        counts, used = codes_of(span)
        before, others = found.get((span.layer, span.side), (0, 0))
        found[span.layer, span.side] = counts + before, used + others
    return [_row(layer, side, split, codes, used) for (layer, side), (codes, used) in found.items()]


def _row(layer: int, side: int, split: int, codes: NDArray[np.int64], used: int) -> dict[str, int]:
    met = [code for code in range(256) if codes[code]]
    by = {winner: [code for code in met if winner_of(code, split) == winner] for winner in (FIRST, SECOND)}
    longest = {winner: max((distance_of(code, side, split) for code in by[winner]), default=0) for winner in by}
    return {
        "layer": layer,
        "side": side,
        "first_wins": int(sum(codes[code] for code in by[FIRST])),
        "second_wins": int(sum(codes[code] for code in by[SECOND])),
        "draws": int(codes[:WON_BY_SECOND].sum()),
        "longest_first": longest[FIRST],
        "longest_second": longest[SECOND],
        "entries": used,
        "ended": int(codes[WON_BY_FIRST if side == SECOND else WON_BY_SECOND]),
    }

"""Is a table that was solved the generic way right? Every value must follow from those one move on."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.seam import specialise
from kibitz.tables.generic import backward_kernels
from kibitz.tables.generic.forward_kernels import DRAWER_SHIFT, DRAWERS
from kibitz.tables.generic.solver import Solved, word_widths
from kibitz.tables.indexed.layers import Crew


def wrong_values(
    game: Game, solved: Solved, crew: Crew, chosen: list[NDArray[np.int64]] | None, watch: Callable[[int], None]
) -> int:
    """How many values do not follow from those one move on: of these numbers in each drawer, or of all."""
    kernel = specialise(game.rulebook, backward_kernels.wrong_values)
    widths = word_widths(game, game.new().state)
    width = int(widths.sum())
    sizes = np.bincount(solved.codes >> DRAWER_SHIFT, minlength=DRAWERS)

    def wrong_in(name: int) -> int:
        numbers = np.zeros(0, np.int64) if chosen is None else chosen[name]

        def work(start: int, stop: int, out: NDArray[np.int64]) -> int:
            words = np.empty(2 * len(widths) + 64, np.int64)
            given = numbers, start, stop, widths, solved.positions[name], solved.header, solved.data
            wrong = int(kernel(game.rules, *given, out, words, crew.control))
            watch(stop - start)
            return wrong

        assert len(solved.positions[name]) >= width * sizes[name]
        return sum(crew.run(0, int(sizes[name]) if chosen is None else len(numbers), work))

    return sum(wrong_in(name) for name in range(DRAWERS))


def sample(solved: Solved, count: int) -> list[NDArray[np.int64]]:
    """So many random numbers, drawer by drawer."""
    sizes = np.bincount(solved.codes >> DRAWER_SHIFT, minlength=DRAWERS)
    chosen = np.sort(np.random.default_rng(1).integers(0, solved.size, min(solved.size, count)))
    first = np.cumsum(sizes) - sizes
    cuts = np.split(chosen, np.searchsorted(chosen, first[1:]))
    return [numbers - begin for numbers, begin in zip(cuts, first, strict=True)]

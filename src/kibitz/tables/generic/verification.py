"""Is a table of the generic solver right? Every value must follow from those one move on."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.seam import specialise
from kibitz.tables.generic import backward_kernels
from kibitz.tables.generic.forward_kernels import BUCKET_SHIFT, BUCKETS
from kibitz.tables.generic.forward_pass import word_widths
from kibitz.tables.generic.solution import Solution
from kibitz.tables.worker_pool import WorkerPool


def count_wrong_values(
    game: Game,
    solution: Solution,
    pool: WorkerPool,
    chosen: list[NDArray[np.int64]] | None,
    watch: Callable[[int], None],
) -> int:
    """How many values do not follow from those one move on: of these numbers in each bucket, or of all."""
    kernel = specialise(game.rulebook, backward_kernels.count_wrong_values)
    widths = word_widths(game, game.new().state)
    width = int(widths.sum())
    sizes = np.bincount(solution.codes >> BUCKET_SHIFT, minlength=BUCKETS)

    def count_in(name: int) -> int:
        numbers = np.zeros(0, np.int64) if chosen is None else chosen[name]

        def work(start: int, stop: int, out: NDArray[np.int64]) -> int:
            words = np.empty(2 * len(widths) + 64, np.int64)
            given = numbers, start, stop, widths, solution.positions[name], solution.header, solution.data
            wrong = int(kernel(game.rules, *given, out, words, pool.control))
            watch(stop - start)
            return wrong

        assert len(solution.positions[name]) >= width * sizes[name]
        return sum(pool.map_range(0, int(sizes[name]) if chosen is None else len(numbers), work))

    return sum(count_in(name) for name in range(BUCKETS))


def sample_numbers(solution: Solution, count: int) -> list[NDArray[np.int64]]:
    """So many random numbers, bucket by bucket."""
    sizes = np.bincount(solution.codes >> BUCKET_SHIFT, minlength=BUCKETS)
    chosen = np.sort(np.random.default_rng(1).integers(0, solution.size, min(solution.size, count)))
    first = np.cumsum(sizes) - sizes
    cuts = np.split(chosen, np.searchsorted(chosen, first[1:]))
    return [numbers - begin for numbers, begin in zip(cuts, first, strict=True)]

"""How many positions a game has at least: an estimate from random games, made before all of them are found.

Positions that random games meet once and twice say how many they do not meet at all: A. Chao, "Nonparametric
estimation of the number of classes in a population", Scandinavian Journal of Statistics 11 (1984). It is a lower bound.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.random_numbers import next_number, number_below
from kibitz.core.result import ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, new_control, run_stoppable
from kibitz.core.seam.slots import key_state, moves, play, result, write_words
from kibitz.tables.probe import hash_of

SAMPLE = 1 << 18  # positions of random games
LONGEST = 1000  # moves of one
PARTS = (0.0, 0.2, 0.4, 0.6, 0.8)  # shares of what is met that are left out, the openings first
SPREAD = 2.0  # standard deviations by which fewer may have been met twice than is to be expected
GAMES, MOVED, CHOICES = 1, 2, 3  # of a control array, behind STOP


class Estimate(NamedTuple):
    """What random games say of a game."""

    positions: int  # at least so many
    moves: float  # of a position
    games: int


def estimate(game: Game, sample: int = SAMPLE) -> Estimate:
    """Play random games until so many positions are met."""
    control = new_control()
    codes, lengths = np.empty(sample, np.int64), np.empty(sample, np.int64)
    state = game.new().state
    out, words = np.empty(game.max_moves, np.int64), np.empty(64 + 2 * count_words(state), np.int64)
    kernel = specialise(game.rulebook, sample_games)
    run_stoppable(control, kernel, state, game.rules, codes, lengths, out, words, control)
    moved = max(1, int(control[MOVED]))
    return Estimate(lower_bound(codes, lengths), int(control[CHOICES]) / moved, int(control[GAMES]))


def count_words(state: Any) -> int:
    """How many numbers a state has."""
    return sum(1 + np.size(part) for part in state)


def lower_bound(codes: NDArray[np.int64], lengths: NDArray[np.int64]) -> int:
    """How many positions there are, where these were met after so many moves.

    Openings are met again and again and say little of the rest: what is met from some move on is counted for itself,
    and the largest bound of any such part is taken.
    """
    later = [codes[lengths >= np.quantile(lengths, share)] for share in PARTS]
    return max(len(np.unique(codes)), *(_lower_bound(np.unique(part, return_counts=True)[1]) for part in later))


def _lower_bound(times: NDArray[np.int64]) -> int:
    once, twice = int((times == 1).sum()), int((times == 2).sum())
    surely = twice + SPREAD * sqrt(twice) + SPREAD
    return len(times) + int(once * once / (2 * surely))


def sample_games(
    state: Any,
    rules: Any,
    codes: NDArray[np.int64],
    lengths: NDArray[np.int64],
    out: NDArray[np.int64],
    words: NDArray[np.int64],
    control: NDArray[np.int64],
) -> None:
    """Fill the array with the codes of positions of random games."""
    here, length, number = state, 0, 1
    for at in range(len(codes)):
        if control[STOP] != 0:
            return
        codes[at] = hash_of(words, write_words(key_state(here, rules), rules, words, 0), 1)
        lengths[at] = length
        ended = result(here, rules) != ONGOING or length == LONGEST
        choices = 0 if ended else moves(here, rules, out, 0)
        if choices == 0:
            here, length = state, 0
            control[GAMES] += 1
            continue
        number = next_number(number)
        here = play(here, out[number_below(number, choices)], rules)
        length += 1
        control[MOVED] += 1
        control[CHOICES] += choices

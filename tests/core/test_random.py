"""Random numbers of kernels and random play: the same seed, the same numbers, and each number fair."""

import random
from collections import Counter

import numpy as np
import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.random_numbers import PRIME, hash_number, next_number, number_below, shuffle
from kibitz.core.random_play import first_decision, play_turns, random_opening
from kibitz.core.result import CHANCE, FIRST
from kibitz.core.seam import specialise
from tests.laws.two_at_a_time import two_at_a_time
from tests.search.chance_first import chance_first


def test_the_generator_is_the_published_one() -> None:
    """Park, Miller and Stockmeyer (1993): from 1, the 10,000th number with this factor is 399268537."""
    number = 1
    for _ in range(10_000):
        number = next_number(number)
    assert number == 399268537


def test_every_number_below_a_count_is_as_likely() -> None:
    number, times = 12345, Counter[int]()
    for _ in range(60_000):
        number = next_number(number)
        times[number_below(number, 6)] += 1
    assert sorted(times) == list(range(6))
    assert max(times.values()) - min(times.values()) < 500
    assert number_below(1, 7) == 0
    assert number_below(PRIME - 1, 7) == 6


def test_compiled_and_interpreted_code_shuffle_alike() -> None:
    one, two = np.arange(30), np.arange(30)
    number = hash_number(np.uint64(2**64 - 5), 77)
    last = specialise(None, shuffle)(one, 5, 25, number)
    assert shuffle(two, 5, 25, number) == last
    assert one.tolist() == two.tolist() != list(range(30))
    assert sorted(one) == list(range(30))
    assert one[:5].tolist() + one[25:].tolist() == [*range(5), *range(25, 30)]


def test_random_play_counts_turns() -> None:
    after = play_turns(two_at_a_time().new(), 2, random.Random(1))
    assert after is not None
    assert len(list(after.trail())) == 5
    assert after.turn == FIRST
    assert play_turns(two_at_a_time().new(), 3, random.Random(1)) is None
    begun = random_opening(games.load("vampires:testmap"), 3, random.Random(2))
    assert begun.turn != CHANCE
    assert begun.line == random_opening(games.load("vampires:testmap"), 3, random.Random(2)).line


def test_a_game_too_short_for_the_opening_is_refused() -> None:
    with pytest.raises(KibitzError, match=r"^two_at_a_time: games end within 3 random turns"):
        random_opening(two_at_a_time(), 3, random.Random(1))


def test_where_chance_begins_the_first_decision_comes_after_it() -> None:
    after = first_decision(chance_first())
    assert after is not None
    assert after.turn != CHANCE
    assert first_decision(games.breakthrough()) == games.breakthrough().new()

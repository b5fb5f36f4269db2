"""Machine code and plain Python play the same game, on thousands of random positions."""

import random
from collections.abc import Iterator

import pytest

from kibitz import games
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.seam import interpreting
from kibitz.laws.law import Broken
from kibitz.laws.parity import interpreted_and_compiled_rules_agree

GAMES = ("breakthrough", "breakthrough:5x10-three", "alquerque", "alquerque:qirkat", "wolves", "checkers", "vampires")
POSITIONS = 400


def random_positions(text: str) -> Iterator[Position]:
    dice = random.Random(text)
    while True:
        here = games.load(text).new()
        while not here.over:
            yield here
            here = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
        yield here


@pytest.mark.skipif(interpreting(), reason="compares compiled rules with interpreted ones")
@pytest.mark.parametrize("text", GAMES)
def test_compiled_and_interpreted_rules_agree_on_hundreds_of_positions_of_each_game(text: str) -> None:
    disagreements = []
    for _, position in zip(range(POSITIONS), random_positions(text), strict=False):
        try:
            interpreted_and_compiled_rules_agree(position)
        except Broken as broken:
            disagreements.append(str(broken))
    assert disagreements == []

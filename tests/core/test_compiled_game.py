"""A game whose positions are played by machine code is the same game."""

import random

import pytest

from kibitz import games
from kibitz.core.errors import IllegalMove
from kibitz.core.position import Position
from kibitz.core.result import CHANCE

PLIES = 60


@pytest.mark.parametrize("text", ["breakthrough", "breakthrough:5x10-three", "alquerque", "wolves", "vampires:testmap"])
def test_compiled_and_plain_positions_agree_all_along_a_game(text: str) -> None:
    plain, compiled = games.load(text).new(), games.load(text).compiled().new()
    dice = random.Random(3)
    for _ in range(PLIES):
        assert compiled == plain
        assert (compiled.turn, compiled.result, compiled.move_ids) == (plain.turn, plain.result, plain.move_ids)
        if plain.over:
            break
        seed, move = dice.random(), 0 if plain.turn == CHANCE else dice.choice(plain.move_ids)
        plain, compiled = (_next(position, seed, move) for position in (plain, compiled))
    assert compiled.line == plain.line


def _next(position: Position, seed: float, move: int) -> Position:
    return position.roll(random.Random(seed)) if position.turn == CHANCE else position.play(move)


def test_a_compiled_position_is_checked_and_speaks_text() -> None:
    position = games.breakthrough().compiled().new().play("a2-a3 b7-b6")
    assert position == games.breakthrough().new().play("a2-a3 b7-b6")
    assert position.game.text == "breakthrough"
    with pytest.raises(IllegalMove, match="illegal move 'a2-a9'"):
        position.play("a2-a9")
    with pytest.raises(IllegalMove, match="illegal move 77 in"):
        position.play(77)

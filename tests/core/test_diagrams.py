"""Diagrams of rulebooks: every one that a game asks for can be drawn, and what cannot be is left to its characters."""

import pytest

from kibitz.core.picture.diagrams import diagrams, rules_text
from kibitz.games import catalog

NAMES = [entry.name for entry in catalog.entries()]


@pytest.mark.parametrize("name", NAMES)
def test_every_diagram_of_a_game_can_be_drawn(name: str) -> None:
    game = catalog.load(name)
    found = diagrams(game)
    assert None not in found
    assert len(found) == rules_text(game).count("    diagram:")


@pytest.mark.parametrize("name", NAMES)
def test_no_rulebook_draws_a_board_in_characters_alone(name: str) -> None:
    blocks = rules_text(catalog.load(name)).split("\n\n")
    drawn = [block for block in blocks if block.startswith("    ") and " . . " in block]
    assert all(block.startswith("    diagram:") for block in drawn)


def test_a_diagram_shows_the_position_after_its_moves() -> None:
    game = catalog.load("tictactoe")
    (scene,) = diagrams(game)
    assert scene is not None
    assert scene["pieces"] == game.pieces(game.new().play("b2 a1").state)
    assert scene["last"][0]["cells"] != []


def test_options_without_the_position_leave_the_diagram_out() -> None:
    start, captured = diagrams(catalog.load("breakthrough,rows=5,columns=4"))
    assert start is not None
    assert captured is None

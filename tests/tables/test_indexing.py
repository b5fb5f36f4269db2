"""The laws of games that are solved by index hold for wolves, and catch a game that breaks them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from kibitz.core.game import Game
from kibitz.core.rulebook import Rulebook
from kibitz.games import wolves
from kibitz.games.wolves import index, unmoves, unplay
from kibitz.laws import LAWS, Broken, Law, Sample, try_law

BACKWARDS, NUMBERS = (law for law in LAWS if "unmoves" in law.name or "numbers" in law.name)


def broken(law: Law, book: Rulebook) -> str:
    with pytest.raises(Broken) as caught:
        try_law(law, Sample(Game(book, book.options()), 2, positions=60))
    return caught.value.reason


@pytest.mark.parametrize("preset", ["standard", "twelve", "fifteen"])
@pytest.mark.parametrize("law", [BACKWARDS, NUMBERS], ids=str)
def test_wolves_obeys_them(law: Law, preset: str) -> None:
    assert try_law(law, Sample(wolves(preset), 2, positions=60)) > 0


def forgetful(state: Any, rules: Any) -> Iterator[int]:
    yield from list(unmoves(state, rules))[1:]


def inventive(state: Any, rules: Any) -> Iterator[int]:
    yield from unmoves(state, rules)
    yield 12 * 32 + 12


def unplay_without_sheep(state: Any, move: int) -> Any:
    before = unplay(state, move)
    return before._replace(sheep=state.sheep) if state.side == 1 else before


def crooked_index(state: Any) -> int:
    return index(state) + int(state.wolves & 1)


def test_a_way_back_that_misses_a_move_is_caught() -> None:
    assert "does not know how" in broken(BACKWARDS, replace(wolves, unmoves=forgetful))


def test_a_way_back_that_invents_a_move_is_caught() -> None:
    assert "where it is no move" in broken(BACKWARDS, replace(wolves, unmoves=inventive))


def test_a_move_that_is_taken_back_to_another_board_is_caught() -> None:
    assert "takes" in broken(BACKWARDS, replace(wolves, unplay=unplay_without_sheep))


def test_a_number_that_symmetries_change_is_caught() -> None:
    assert "number" in broken(NUMBERS, replace(wolves, index=crooked_index))

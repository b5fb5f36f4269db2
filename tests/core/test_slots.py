"""The slots of a game, filled for Python, say what they say to compiled kernels."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz import games
from kibitz.core import heuristic
from kibitz.core.limit import UNBOUNDED
from kibitz.core.result import DRAW, ONGOING
from kibitz.core.seam import slots, specialise
from kibitz.core.seam.adapters import write_adapters
from kibitz.core.seam.compiler import CompiledKernel
from kibitz.core.seam.interpreter import InterpretedKernel
from kibitz.core.seam.slots import (
    UNKNOWN,
    UnfilledSlot,
    at_limit,
    candidates,
    horizon,
    is_tactical,
    key,
    key_state,
    known_result,
    moves,
    outcomes,
    plies_left,
    probe,
    read_words,
    result,
    transform_move,
    write_words,
)
from kibitz.core.seam.words import words_of
from tests.core.stones import STONES, edited


def write_key_and_words(state: Any, rules: Any, out: NDArray[np.int64]) -> tuple[np.uint64, np.uint64, int]:
    end = write_words(state, rules, out, 0)
    again = read_words(out, 0, rules)
    return key(state, rules), key(again, rules), write_words(key_state(again, rules), rules, out, end)


@pytest.mark.parametrize("text", ["breakthrough", "checkers", "vampires:thetrap"])
def test_keys_and_words_are_the_same_numbers_compiled_and_interpreted(text: str) -> None:
    position, dice = games.load(text).new(), random.Random(5)
    book, rules = position.game.rulebook, position.game.rules
    kinds: tuple[Callable[..., Callable[..., Any]], ...] = (CompiledKernel, InterpretedKernel)
    kernels = [kind(book, write_key_and_words) for kind in kinds]
    for _ in range(12):
        buffers = np.zeros((2, 2000), np.int64)
        found = [kernel(position.state, rules, out) for kernel, out in zip(kernels, buffers, strict=True)]
        assert tuple(map(int, found[0])) == tuple(map(int, found[1]))
        assert np.array_equal(*buffers)
        words = words_of(position.state)
        assert np.array_equal(buffers[0][: len(words)], words)
        position = position.play(dice.choice(position.move_ids)) if position.move_ids else position.roll(dice)


def ask_defaults(state: Any, rules: Any, out: NDArray[np.int64], odds: NDArray[np.float64], table: Any) -> Any:
    return (
        plies_left(state, rules),
        horizon(state, rules),
        at_limit(state, rules),
        outcomes(state, rules, odds, out, 3),
        transform_move(7, 0, rules),
        is_tactical(state, 1, rules),
        known_result(state, rules),
        probe(state, rules, out, table),
        candidates(state, rules, out, 0) - moves(state, rules, out, 0),
    )


def test_a_slot_that_no_function_fills_answers_with_its_default(tmp_path: Path) -> None:
    (tmp_path / "stones.py").write_text(STONES)
    start = games.load(str(tmp_path / "stones.py")).new()
    given = np.zeros(9, np.int64), np.zeros(9), np.zeros(0, np.uint8)
    found = specialise(start.game.rulebook, ask_defaults)(start.state, start.game.rules, *given)
    assert found == (UNBOUNDED, UNBOUNDED, DRAW, 3, 7, False, 0, UNKNOWN, 0)


def ask_result(state: Any, rules: Any) -> int:
    return result(state, rules)


def test_a_limit_without_at_limit_is_a_draw(tmp_path: Path) -> None:
    limit = "def plies_left(state: State) -> int:\n    return state.heap - 5\n\n\ndef moves("
    declared = "    moves=moves,\n    plies_left=plies_left,\n"
    (tmp_path / "stones.py").write_text(edited(("def moves(", limit), ("    moves=moves,\n", declared)))
    game = games.load(str(tmp_path / "stones.py"))
    ask = specialise(game.rulebook, ask_result)
    found = [ask(game.position(f"heap={heap} side=0").state, game.rules) for heap in (6, 5)]
    assert found == [ONGOING, DRAW]


def side_of(state: Any, rules: Any) -> int:
    raise UnfilledSlot


def ask_side(state: Any, rules: Any) -> int:
    return 10 + side_of(state, rules)


@pytest.mark.parametrize("kind", [CompiledKernel, InterpretedKernel])
def test_a_new_slot_is_one_row(kind: Callable[..., Callable[..., Any]]) -> None:
    start = games.breakthrough().new().play("a2-a3")
    slots.slot(rules=("turn",))(side_of)
    try:
        assert kind(start.game.rulebook, ask_side)(start.state, start.game.rules) == 10 + start.turn
    finally:
        del slots.ROWS["side_of"], slots.SLOTS["side_of"]


def test_a_kernel_that_was_not_specialised_says_so() -> None:
    with pytest.raises(UnfilledSlot):
        ask_result(None, None)


def test_every_row_names_functions_that_authors_can_declare() -> None:
    book = games.breakthrough().rulebook
    for row in slots.ROWS.values():
        for name in row.rules:
            assert hasattr(book, name) or name in heuristic.RULES_OF_A_HEURISTIC
    assert set(write_adapters(book, heuristic.NO_HEURISTIC)) <= set(slots.SLOTS)

"""One army of checkers alone: against plans that a search has proved shortest."""

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.core.limit import Limit
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import interpreting
from kibitz.games import breakthrough, checkers
from kibitz.heuristics.checkers_endgame import find_plan, rows_of, zone_of
from kibitz.tables.errors import CannotSolve
from kibitz.tables.solo import find_solver
from kibitz.tables.solo.checkers import Army
from tests.heuristics.test_checkers_endgame import in_two_zones


@pytest.mark.skipif(interpreting(), reason="takes long as plain Python")
@pytest.mark.parametrize(("text", "border"), [("4x4", 4), ("5x5", 5)])
def test_races_are_planned_with_as_few_moves_as_the_table_says(text: str, border: int) -> None:
    game = checkers(text)
    dice = random.Random(f"alone {text}")
    armies: dict[tuple[int, int], Army] = {}
    for _ in range(25):
        position = in_two_zones(game, dice, border)
        for side in (FIRST, SECOND):
            enemy = rows_of(position, 1 - side)
            zone = min(enemy) if side == FIRST else 2 * int(game.rules.size) - 2 - max(enemy)
            if (side, zone) not in armies:
                armies[side, zone] = Army(game, side, zone_of(game, side, zone).reach)
            plan = find_plan(position, side, Limit(nodes=1_000_000))
            assert plan.proven
            assert len(plan.moves) == armies[side, zone].distance(position.state.cells), position.text


@pytest.mark.skipif(interpreting(), reason="takes long as plain Python")
def test_every_army_gets_home_and_both_sides_have_equal_ways() -> None:
    game = checkers("4x4")
    blue, red = Army(game, FIRST), Army(game, SECOND)
    assert blue.counts == red.counts == [1, 6, 34, 119, 271, 436, 460, 284, 68, 1]
    assert sum(blue.counts) == blue.size == 16 * 105
    start = game.new().state.cells
    assert blue.distance(start) == red.distance(start) == least_moves(start) == 9


def least_moves(cells: NDArray[np.int8]) -> int:
    """Breadth first over boards, by the rules of the game, with the enemy taken off."""
    game = checkers("4x4", overstay="off")
    kind = game.rulebook.state
    alone = np.where((cells == 1) | (cells == 3), cells, 0).astype(np.int8)
    layer, seen, moves = [alone], {alone.tobytes()}, 0
    while layer:
        following = []
        for board in layer:
            state = kind(board, FIRST, 0)
            if game.result(state) == 1:
                return moves
            for code in game.moves(state):
                after = game.play(state, code).cells
                if after.tobytes() not in seen:
                    seen.add(after.tobytes())
                    following.append(after)
        layer, moves = following, moves + 1
    return -1


def test_only_checkers_of_small_size_have_armies_that_walk_alone() -> None:
    assert find_solver(checkers("5x5")).solve is not None
    with pytest.raises(CannotSolve, match="breakthrough has no side that walks alone, expected checkers"):
        find_solver(breakthrough())
    with pytest.raises(CannotSolve, match="take a smaller board"):
        Army(checkers(), FIRST)

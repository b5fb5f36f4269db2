"""What is good in Chinese checkers: the report's numbers, the laws of ours, and which moves are worth trying."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.core import Game, Position
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import interpreting, specialise
from kibitz.core.seam.slots import candidates as candidates_slot
from kibitz.games import checkers
from kibitz.games.checkers import place_of
from kibitz.heuristics import find, heuristics_of
from kibitz.heuristics.checkers import army, candidates, features
from tests.heuristics.oracle import Oracle, walks

COURSE = checkers()
RACER, FLAPPY, SHIPPED, ROW_GAIN = heuristics_of(COURSE.rulebook)
FEW = 1 if interpreting() else 2


def strolls(game: Game, games: int, seed: int) -> Iterator[Position]:
    """The positions of random games in which marbles get somewhere."""
    dice = random.Random(seed)
    for _ in range(games):
        position = game.new()
        while not position.over and position.state.ply < 90:
            yield position
            good = [code for code in position.move_ids if forward_rows(position, code) >= dice.choice((-3, 1, 1))]
            position = position.play(dice.choice(good or position.move_ids))


def forward_rows(position: Position, code: int) -> int:
    size = position.game.rules.size
    (origin, _), (target, _) = (place_of(cell, size) for cell in divmod(code, size * size))
    return origin - target if position.turn == FIRST else target - origin


# The report's.


def test_the_default_comes_first() -> None:
    assert [heuristic.name for heuristic in (RACER, FLAPPY, SHIPPED, ROW_GAIN)] == [
        "racer",
        "flappy",
        "flappy-shipped",
        "row-gain",
    ]
    assert find(COURSE.rulebook) is RACER


@pytest.mark.parametrize(("name", "first", "second"), [("flappy", 0.0, 0.0), ("flappy-shipped", 0.0, -595.6)])
def test_the_start_is_worth_what_the_report_makes_of_it(name: str, first: float, second: float) -> None:
    heuristic = find(COURSE.rulebook, name)
    assert [heuristic.explain(COURSE.new(), me).total for me in (FIRST, SECOND)] == [first, second]


Marble = tuple[int, int, str]  # row, column, letter


def report_value(position: Position, me: int, shipped: bool) -> float:
    """The report's formula, straight from its listing."""
    names = [cell.name.split(",") for cell in COURSE.layout.cells]
    board = [
        (int(row), int(column), letter)
        for (row, column), letter in zip(names, COURSE.pieces(position.state), strict=True)
    ]
    armies = [[marble for marble in board if marble[2] in letters] for letters in (("B", "Y"), ("r", "g"))]
    rows = [[20 - row for row, _, _ in armies[0]], [row for row, _, _ in armies[1]]]
    means = [sum(found) / 10 for found in rows]
    if shipped and me == SECOND:
        means[FIRST] *= 10
    spread = [sum(abs(row - mean) for row in found) for found, mean in zip(rows, means, strict=True)]
    aside = [sum(off_centre(marble, side) for marble in armies[side]) for side in (FIRST, SECOND)]
    placed = [reward(marble, me) for marble in armies[me]]
    if placed.count(5) == 10:
        return 10_000.0
    you = 1 - me
    score = 24 * (means[me] - means[you]) - 0.2 * (spread[me] - spread[you]) - 0.6 * (aside[me] - aside[you])
    return score + sum(placed)


def off_centre(marble: Marble, side: int) -> float:
    row, column, _ = marble
    if row <= 4 if side == FIRST else row >= 16:
        return 0
    middle = (min(row, 20 - row) + 1) / 2
    if row % 2 == 0:
        return abs(column - middle)
    return 1 if column == middle else abs(column - middle) - 1


def reward(marble: Marble, side: int) -> int:
    row, column, letter = marble
    if row > 4 if side == FIRST else row < 16:
        return 0
    special_cell = (row if side == FIRST else 20 - row, column) in [(2, 1), (2, 2), (3, 2)]
    if special_cell == (letter in ("Y", "g")):
        return 5
    return -55 if row in (1, 19) and letter in ("Y", "g") else -5


@pytest.mark.parametrize(("heuristic", "shipped"), [(FLAPPY, False), (SHIPPED, True)])
def test_flappy_agrees_with_the_listing_of_the_report(heuristic: Any, shipped: bool) -> None:
    corked = COURSE.position("Y/BY/BYB/BBB1/3B1/6/7/8/9/10/9/8/7/6/rr3/rr2/rgr/gg/r b")
    won = COURSE.position("B/YY/BYB/BBBB/5/6/7/8/9/10/9/8/7/6/rr3/rr2/rgr/gg/r r")
    for position in [corked, won, *strolls(COURSE, FEW, 5)]:
        for me in (FIRST, SECOND):
            found = heuristic.explain(position, me).total
            assert found == pytest.approx(report_value(position, me, shipped)), position.text


def test_row_gain_grows_by_the_rows_of_a_move() -> None:
    for position in strolls(COURSE, 1, 2):
        before = ROW_GAIN.explain(position).total
        for code in position.move_ids[::7]:
            grown = ROW_GAIN.explain(position.play(code)).total - before
            assert grown == forward_rows(position, code) * (1 if position.turn == FIRST else -1)


# Ours.


@pytest.mark.parametrize("heuristic", [RACER, FLAPPY, SHIPPED, ROW_GAIN])
def test_no_score_lies_outside_the_bounds(heuristic: Any) -> None:
    low, high = heuristic.bounds
    for preset in ("course", "4x4", "star"):
        for position in strolls(checkers(preset), 1, 3):
            for me in (FIRST, SECOND):
                assert low <= heuristic.explain(position, me).total <= high, position.text


def test_compiled_and_interpreted_scores_agree() -> None:
    for heuristic in (RACER,) if interpreting() else (RACER, FLAPPY):
        oracle = Oracle(COURSE, heuristic)
        for position in strolls(COURSE, 1, 4):
            assert oracle.score(position) == pytest.approx(heuristic.explain(position).total), position.text


@pytest.mark.parametrize("preset", ["course", "5x5"])
def test_the_mirror_image_is_worth_the_same_and_the_board_turned_over_the_negative(preset: str) -> None:
    game = checkers(preset, overstay="off")
    for position in strolls(game, FEW, 6):
        score = features(position.state, game.rules)
        assert features(game.transform(position.state, 0), game.rules) == score, position.text
        turned = features(game.transform(position.state, 1), game.rules)
        assert tuple(-count for count in turned) == score, position.text


def test_the_start_is_worth_the_tempo_and_a_won_race_more_than_a_lost_one() -> None:
    assert RACER.explain(COURSE.new()).total == RACER.weights["tempo"]
    ahead = COURSE.position("B/YY/BYB/BBB1/3B1/6/7/8/9/10/9/8/3r3/6/rr3/rr2/rgr/gg/1 b ply=90")
    behind = COURSE.position("B/YY/BYB/BB2/3B1/6/3B3/8/9/10/9/8/7/6/rr3/rr2/rgr/gg/r r ply=90")
    assert RACER.explain(ahead).total > 0 > RACER.explain(behind).total


@pytest.mark.parametrize("preset", ["course", "4x4"])
def test_the_least_number_of_turns_is_zero_where_a_game_is_won_and_does_not_depend_on_the_enemy(preset: str) -> None:
    game = checkers(preset)

    def bound(position: Position, side: int) -> int:
        rules = game.rules
        return army(position.state.cells, side, rules.size, rules.goals, rules.wanted, rules.step, rules.reach).turns

    for position in strolls(game, 1, 8):
        side = position.turn
        for code in position.move_ids[::9]:
            after = position.play(code)
            assert bound(after, 1 - side) == bound(position, 1 - side) > 0
            assert bound(after, side) > 0 or after.result is not None, after.text
    won = checkers("4x4").position("B/YY/3/r3/3/g1/g r")
    if preset == "4x4":
        assert (bound(won, FIRST), bound(won, SECOND)) == (0, 2)


# Which moves to try.


def written(state: Any, rules: Any, out: NDArray[np.int64]) -> int:
    return int(candidates_slot(state, rules, out, 0))


@pytest.mark.parametrize("preset", ["course", "4x4"])
def test_candidates_are_legal_moves_without_far_retreats_the_most_forward_first(preset: str) -> None:
    game = checkers(preset)
    for position in strolls(game, FEW, 9):
        found = list(candidates(position.state, game.rules))
        gains = [forward_rows(position, code) for code in found]
        assert gains == sorted(gains, reverse=True)
        assert len(set(found)) == len(found) > 0
        assert (
            {code for code in position.move_ids if forward_rows(position, code) >= -1}
            <= set(found)
            <= set(position.move_ids)
        )
        assert all(gain >= -2 for gain in gains) or max(forward_rows(position, code) for code in position.move_ids) < -1


def test_compiled_candidates_come_in_the_same_order() -> None:
    out = np.zeros(COURSE.max_moves, np.int64)
    listed = specialise(COURSE.rulebook, written, RACER)
    for position in strolls(COURSE, 1, 10):
        end = listed(position.state, COURSE.rules, out)
        assert out[:end].tolist() == list(candidates(position.state, COURSE.rules)), position.text


def test_random_games_never_run_out_of_candidates() -> None:
    game = checkers("4x4")
    assert all(list(candidates(position.state, game.rules)) for position in walks(game, 5, 11))

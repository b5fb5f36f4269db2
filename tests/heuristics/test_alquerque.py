"""Our heuristic for Alquerque, under all its rulesets."""

import random
from collections.abc import Iterator

import pytest

from kibitz.core import Game, Position
from kibitz.core.seam import interpreting
from kibitz.games import alquerque
from kibitz.games.alquerque import State
from kibitz.heuristics import find
from kibitz.heuristics.alquerque import MORE, MOST
from tests.heuristics.oracle import Oracle, counts, turned, walks

OURS = find(alquerque)
COURSE = alquerque()
RULESETS = [alquerque(name) for name in ("dm574", "alfonso", "bell", "qirkat")]


def sprinkled(game: Game, number: int, seed: int) -> Iterator[Position]:
    """Unfinished positions with one to three pieces a side anywhere."""
    dice = random.Random(seed)
    for _ in range(number):
        cells = dice.sample(range(25), dice.randint(2, 6))
        half = dice.randint(1, min(3, len(cells) - 1))
        white, black = (sum(1 << cell for cell in part) for part in (cells[:half], cells[half:]))
        position = Position(game, State(white, black, dice.randint(0, 1), 0, 0, 0, 0))
        if not position.over:
            yield position


# Laws.


@pytest.mark.parametrize("game", RULESETS, ids=str)
def test_the_mirror_image_is_worth_the_same_and_the_flipped_board_the_negative(game: Game) -> None:
    oracle = Oracle(game, OURS)
    for position in walks(game, 4, seed=1):
        for other, sign in turned(position):
            assert oracle.score(other) == pytest.approx(sign * oracle.score(position)), position.text
            assert oracle.known_result(other) == sign * oracle.known_result(position), position.text


@pytest.mark.parametrize("game", RULESETS, ids=str)
def test_the_explained_sum_is_the_compiled_score_and_lies_within_the_bounds(game: Game) -> None:
    oracle = Oracle(game, OURS)
    low, high = OURS.bounds
    for position in walks(game, 4, seed=2):
        score = oracle.score(position)
        assert OURS.explain(position).total == pytest.approx(score), position.text
        assert low <= score <= high, position.text
        for name, count in counts(OURS, position).items():
            assert abs(count) <= MORE.get(name, MOST), f"{name} in {position.text}"


@pytest.mark.parametrize("game", RULESETS, ids=str)
def test_what_is_called_sure_is_won_in_this_turn(game: Game) -> None:
    oracle = Oracle(game, OURS)
    checked = 0
    for position in sprinkled(game, 300 if interpreting() else 3000, seed=3):
        claim = oracle.known_result(position)
        assert claim in (0, -1 if position.turn else 1)
        if claim:
            checked += 1
            assert oracle.agrees(position, claim), position.text
    assert checked > 0


@pytest.mark.parametrize("game", RULESETS, ids=str)
def test_jumps_are_loud_and_steps_are_not(game: Game) -> None:
    oracle = Oracle(game, OURS)
    for position in walks(game, 2, seed=4):
        for code in position.move_ids:
            after = position.play(code)
            took = sum(map(bool, game.pieces(after.state))) < sum(map(bool, game.pieces(position.state)))
            assert oracle.is_tactical(position, code) == (took or game.move_text(position.state, code) == "stop")


# Cases.


def test_the_start_is_worth_the_steps_and_the_move() -> None:
    assert counts(OURS, COURSE.new()) == {"tempo": 1}


def test_a_piece_that_can_be_jumped_counts_by_whose_move_it_is() -> None:
    board = "5/2b2/2w2/5/4w"
    waiting, moving = (counts(OURS, COURSE.position(f"{board} {side}")) for side in "bw")
    assert (waiting["hanging"], waiting["hanging_on_move"]) == (1, -1)
    assert (moving["hanging"], moving["hanging_on_move"]) == (-1, 1)


def test_advance_counts_apart_where_pieces_only_step_forward() -> None:
    board = "w4/5/5/1b3/4w w"
    forward, free = counts(OURS, COURSE.position(board)), counts(OURS, alquerque("alfonso").position(board))
    assert forward["gone"] == free["gone_freely"] == 4 - 3
    assert forward["far_row"] == 1
    assert not {"gone", "far_row"} & free.keys()
    assert "gone_freely" not in forward


def test_the_last_piece_jumped_is_sure() -> None:
    oracle = Oracle(COURSE, OURS)
    assert oracle.known_result(COURSE.position("5/2b2/2w2/5/4w w")) == 1
    assert oracle.known_result(COURSE.position("5/2b2/2w2/5/4w b")) == 0
    assert oracle.known_result(COURSE.position("5/2b2/2w2/5/5 b")) == -1

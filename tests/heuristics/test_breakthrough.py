"""Our heuristic for Breakthrough: its symmetry and bounds, what it counts, and that what it calls decided is so."""

import random
from collections.abc import Iterator

import pytest

from kibitz.core import Game, Position
from kibitz.core.bits import bits_of
from kibitz.core.seam import interpreting
from kibitz.games import breakthrough
from kibitz.games.breakthrough import State
from kibitz.heuristics import find
from kibitz.heuristics.breakthrough import MORE, MOST
from kibitz.heuristics.breakthrough_races import nearest, race
from tests.heuristics.oracle import Oracle, counts, turned, walks

OURS = find(breakthrough)
EIGHT = breakthrough()
BOARDS = [EIGHT, breakthrough("5x10-three"), breakthrough(rows=6, columns=5), breakthrough(rows=21, columns=3)]


def sprinkled(game: Game, most: int, number: int, seed: int) -> Iterator[Position]:
    """Unfinished positions with up to `most` workers a side anywhere on the board."""
    dice = random.Random(seed)
    rows, columns = game.rules.rows, game.rules.columns
    for _ in range(number):
        cells = dice.sample(range(rows * columns), dice.randint(2, min(2 * most, rows * columns)))
        half = dice.randint(1, len(cells) - 1)
        white = bits_of([cell for cell in cells[:half] if cell < (rows - 1) * columns])
        black = bits_of([cell for cell in cells[half:] if cell >= columns])
        position = Position(game, State(white, black, dice.randint(0, 1)))
        if not position.over:
            yield position


# Laws.


@pytest.mark.parametrize("game", BOARDS, ids=str)
def test_the_mirror_image_is_worth_the_same_and_the_swapped_board_the_negative(game: Game) -> None:
    oracle = Oracle(game, OURS)
    for position in walks(game, 4, seed=1):
        for other, sign in turned(position):
            assert oracle.score(other) == pytest.approx(sign * oracle.score(position)), position.text
            assert oracle.known_result(other) == sign * oracle.known_result(position), position.text


@pytest.mark.parametrize("game", BOARDS, ids=str)
def test_the_explained_sum_is_the_compiled_score_and_lies_within_the_bounds(game: Game) -> None:
    oracle = Oracle(game, OURS)
    low, high = OURS.bounds
    for position in walks(game, 4, seed=2):
        score = oracle.score(position)
        assert OURS.explain(position).total == pytest.approx(score), position.text
        assert low <= score <= high, position.text


def test_no_feature_exceeds_what_the_bounds_were_reckoned_from() -> None:
    for game in BOARDS:
        for position in sprinkled(game, 16, 150, seed=3):
            for name, count in counts(OURS, position).items():
                assert abs(count) <= MORE.get(name, MOST), f"{name} in {position.text}"


@pytest.mark.parametrize(
    ("rows", "columns", "most", "number"),
    [(5, 4, 6, 3000), (6, 4, 6, 3000), (5, 2, 3, 1000), (6, 3, 4, 2000), (8, 8, 5, 3000), (8, 8, 12, 3000)],
)
def test_what_is_called_sure_is_won_in_exactly_so_many_turns(rows: int, columns: int, most: int, number: int) -> None:
    game = breakthrough(rows=rows, columns=columns)
    oracle = Oracle(game, OURS)
    deepest = 3 if interpreting() else 7
    checked = 0
    for position in sprinkled(game, most, 60 if interpreting() else number, seed=4):
        claim = oracle.known_result(position)
        if claim and abs(claim) <= deepest:
            checked += 1
            assert oracle.agrees(position, claim), f"{claim} in {position.text}"
    assert checked > 0


@pytest.mark.parametrize("base", [1, 2, 3])
def test_a_win_at_once_is_always_seen_and_never_invented(base: int) -> None:
    game = breakthrough(rows=5, columns=4, base=base)
    oracle = Oracle(game, OURS)
    for position in sprinkled(game, 6, 100 if interpreting() else 2000, seed=5):
        wins = oracle.forces(position, position.turn, 1)
        assert (oracle.known_result(position) == (-1 if position.turn else 1)) == wins, position.text


def test_sure_keeps_silent_about_longer_wins_with_several_workers_to_base() -> None:
    game = breakthrough("three")
    oracle = Oracle(game, OURS)
    assert all(abs(oracle.known_result(position)) <= 1 for position in sprinkled(game, 8, 300, seed=6))


# Cases.


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("8/P6p/8/8/8/8/8/7P w 0 1", 1),
        ("7p/8/8/8/8/8/p7/7P b 0 1", -1),
        ("8/8/8/8/3p4/4P3/8/8 w 0 1", 1),  # the last enemy worker is taken
        ("7p/P1P5/8/8/8/8/8/8 b 0 1", 2),
        ("1p6/P1P5/8/8/8/8/8/8 b 0 1", 2),  # one of two can be taken
        ("1p5p/P7/8/8/8/8/P7/8 b 0 1", 0),  # the only one can be taken
        ("7p/8/P7/8/8/8/8/7P w 0 1", 3),  # a safe step to the row before the goal
        ("2p4p/1p6/P7/8/8/8/8/7P w 0 1", 3),  # by a capture
        ("1pp4p/8/P7/8/8/8/8/7P w 0 1", 0),  # both squares are guarded
        ("7p/7p/7p/P7/8/8/8/8 w 0 1", 5),
        ("7p/7p/7p/P7/8/8/8/8 b 0 1", 6),
        ("7p/7p/7p/P7/8/8/7p/6P1 w 0 1", 0),  # Black is quicker, but can be taken
        ("7p/8/8/P7/P7/7p/8/8 w 0 1", -4),  # Black is quicker
    ],
)
def test_races_are_counted_in_turns(text: str, turns: int) -> None:
    assert Oracle(EIGHT, OURS).known_result(EIGHT.position(text)) == turns


def test_one_defender_cannot_hold_a_runner_and_two_can() -> None:
    free, met = EIGHT.position("1p6/8/P7/8/8/8/8/8 w").state, EIGHT.position("1pp5/8/P7/8/8/8/8/8 w").state
    assert race(free.white, free.black, 0, True, EIGHT.rules) == 2
    assert race(met.white, met.black, 0, True, EIGHT.rules) == 0
    assert (nearest(free.white, 0, EIGHT.rules), nearest(free.black, 1, EIGHT.rules)) == (2, 7)


def test_the_start_is_worth_the_move_alone() -> None:
    assert counts(OURS, EIGHT.new()) == {"tempo": 1}


def test_workers_are_counted_by_their_steps_to_go_and_from_the_edge() -> None:
    found = counts(OURS, EIGHT.position("7p/8/8/P7/4P3/8/8/1P6 w"))
    assert found["three_edge"] == found["four"] == found["guard_second"] == 1
    assert found["guard_edge"] == -1


def test_a_hanging_worker_counts_by_whose_move_it_is() -> None:
    board = "7p/8/8/3p4/4P3/8/8/P7"
    waiting, moving = (counts(OURS, EIGHT.position(f"{board} {side}")) for side in "bw")
    assert (waiting["bare_rear"], waiting["bare_rear_on_move"]) == (1, -1)
    assert (moving["bare_rear"], moving["bare_rear_on_move"]) == (-1, 1)


def test_a_protected_worker_is_not_bare_but_outnumbered_by_two() -> None:
    one = counts(OURS, EIGHT.position("7p/8/8/3p4/4P3/3P4/8/8 b"))
    two = counts(OURS, EIGHT.position("7p/8/8/3p1p2/4P3/3P4/8/8 b"))
    assert "bare_rear" not in one
    assert "outnumbered" not in one
    assert two["outnumbered"] == 1


def test_pairs_columns_and_protection_are_seen() -> None:
    found = counts(OURS, EIGHT.position("7p/8/2PP4/3P4/8/8/8/8 w"))
    assert (found["pair_two"], found["column"], found["guarded_two"]) == (1, 1, 1)


def test_captures_and_steps_to_the_far_row_are_loud() -> None:
    position = EIGHT.position("7p/P7/8/3p4/4P3/8/8/8 w")
    oracle = Oracle(EIGHT, OURS)
    assert [text for text in position.moves() if oracle.is_tactical(position, position.play(text).last_move or 0)] == [
        "a7-a8",
        "a7-b8",
        "e4xd5",
    ]

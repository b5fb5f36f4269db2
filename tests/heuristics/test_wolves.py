"""Our heuristic for Wolves eat sheep."""

import random
from collections.abc import Iterator

import pytest

from kibitz.core import Game, Position
from kibitz.core.seam import interpreting
from kibitz.games import wolves
from kibitz.games.wolves import State
from kibitz.heuristics import find
from kibitz.heuristics.wolves import MORE, MOST
from tests.heuristics.oracle import Oracle, counts, turned, walks

OURS = find(wolves)
STANDARD = wolves()
GAMES = [STANDARD, wolves("fifteen")]


def sprinkled(number: int, seed: int) -> Iterator[Position]:
    """Unfinished positions with two wolves and three to ten sheep anywhere."""
    dice = random.Random(seed)
    for _ in range(number):
        cells = dice.sample(range(25), 2 + dice.randint(3, 10))
        hunters, flock = (sum(1 << cell for cell in part) for part in (cells[:2], cells[2:]))
        position = Position(STANDARD, State(hunters, flock, dice.randint(0, 1), 0))
        if not position.over:
            yield position


# Laws.


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_turned_or_mirrored_board_is_worth_the_same(game: Game) -> None:
    oracle = Oracle(game, OURS)
    for position in walks(game, 3, seed=1):
        for other, sign in turned(position):
            assert oracle.score(other) == pytest.approx(sign * oracle.score(position)), position.text
            assert oracle.known_result(other) == sign * oracle.known_result(position), position.text


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_explained_sum_is_the_compiled_score_and_lies_within_the_bounds(game: Game) -> None:
    oracle = Oracle(game, OURS)
    low, high = OURS.bounds
    for position in walks(game, 3, seed=2):
        score = oracle.score(position)
        assert OURS.explain(position).total == pytest.approx(score), position.text
        assert low <= score <= high, position.text
        for name, count in counts(OURS, position).items():
            assert abs(count) <= MORE.get(name, MOST), f"{name} in {position.text}"


def test_a_win_at_once_of_the_side_to_move_is_seen_and_never_invented() -> None:
    oracle = Oracle(STANDARD, OURS)
    seen = {1: 0, -1: 0}
    for position in sprinkled(200 if interpreting() else 20_000, seed=3):
        wins = oracle.forces(position, position.turn, 1)
        claim = -1 if position.turn else 1
        assert oracle.known_result(position) == (claim if wins else 0), position.text
        seen[claim] += wins
    assert interpreting() or min(seen.values()) > 10


# Cases.


def test_the_features_of_the_start() -> None:
    found = counts(OURS, STANDARD.new())
    assert found == {
        "sheep": 10,
        "exposed": 5,
        "freedom": 6,
        "walk": 13,
        "near": 10,
        "edge": 2,
        "sheep_centre": 3,
        "pairs": 13,
        "tempo": 1,
    }


def test_food_and_threats_count_by_whose_move_it_is() -> None:
    board = "5/s4/5/w3s/3ws"
    hunting, fleeing = (counts(OURS, STANDARD.position(f"{board} {side}")) for side in "ws")
    assert hunting["food"] == 1
    assert "threat" not in hunting
    assert fleeing["threat"] == 1
    assert "second_threat" not in fleeing


def test_a_wolf_hemmed_in_is_trapped_or_has_one_way() -> None:
    found = counts(OURS, STANDARD.position("ws3/s4/5/3s1/2s1w w"))
    assert (found["trapped"], found["corner"]) == (1, 2)
    found = counts(OURS, STANDARD.position("ws3/5/5/3ss/3sw w"))
    assert (found["trapped"], found["one_way"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("ww1s1/5/5/5/s3s w", 1),
        ("ww2s/5/5/5/s3s w", 0),
        ("sw3/5/5/5/w1s1s w", 1),
        ("ws3/2s2/5/3ss/3sw s", 0),
        ("w1s2/s4/5/4s/3sw s", -1),
        ("w4/s4/1s3/4s/3sw s", 0),
    ],
)
def test_what_is_sure(text: str, turns: int) -> None:
    assert Oracle(STANDARD, OURS).known_result(STANDARD.position(text)) == turns


def test_eating_and_closing_the_last_way_are_loud() -> None:
    oracle = Oracle(STANDARD, OURS)
    eating = STANDARD.position("5/5/2s2/s4/w1s1w w")
    closing = STANDARD.position("w1s2/s4/5/4s/3sw s")
    assert [text for text in eating.moves() if oracle.is_tactical(eating, eating.play(text).last_move or 0)] == [
        "a1xc1",
        "e1xc1",
    ]
    assert [text for text in closing.moves() if oracle.is_tactical(closing, closing.play(text).last_move or 0)] == [
        "c5-b5"
    ]

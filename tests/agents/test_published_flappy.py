"""FlappyAgent against a plain version of its program, and against greedy."""

import random
from typing import Any

import pytest

from kibitz import agents
from kibitz.agents import match
from kibitz.agents.published.flappy import retreats, root_moves
from kibitz.core import Position
from kibitz.core.errors import BadOption, IllegalMove
from kibitz.core.limit import Limit
from kibitz.core.seam import interpreting
from kibitz.games import breakthrough, checkers
from kibitz.games.checkers import place_of
from kibitz.heuristics import find

COURSE = checkers()
FLAPPY = find(COURSE.rulebook, "flappy")
WON = 10_000.0


# The oracle: the report's program in plain words, on positions.


class Program:
    """`play` leaves the move and its value, and how often minimax was called."""

    def __init__(self, position: Position, deepest: int) -> None:
        self.me = position.turn
        self.calls = 0
        self.value, self.move = -1e5, -1
        queue: list[tuple[float, tuple[Any, ...], int]] = [
            (-gain(position, move), action(move), move) for move in root_moves(position)
        ]
        for self.depth in range(2, deepest + 1):
            later = []
            for _, tuples, move in sorted(queue):
                child = after(position, move)
                if self.worth(child) == WON:
                    self.value, self.move = WON, move
                    return
                found = self.minimax(self.value, 1e5, child, self.depth)
                later.append((-found, tuples, move))
                if found > self.value:
                    self.value, self.move = found, move
            queue = later

    def worth(self, position: Position) -> float:
        return FLAPPY.explain(position, self.me).total

    def minimax(self, alpha: float, beta: float, position: Position, depth: int) -> float:
        self.calls += 1
        if depth == 0:
            return self.worth(position)
        mine = position.turn == self.me
        if not mine and depth < self.depth and self.worth(position) == WON:
            return WON
        codes = list(position.game.rulebook.moves(position.state, position.game.rules))
        codes.sort(key=lambda move: (-gain(position, move), action(move)))
        value = -1e5 if mine else 1e5
        for move in codes[:20]:
            found = self.minimax(alpha, beta, after(position, move), depth - 1)
            value = max(value, found) if mine else min(value, found)
            if (mine and value >= beta) or (not mine and value <= alpha):
                return value
            if mine:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        return value


def action(move: int) -> tuple[Any, ...]:
    return tuple(place_of(cell, 10) for cell in divmod(move, 100))


def gain(position: Position, move: int) -> int:
    (origin, _), (target, _) = action(move)
    return int(origin - target if position.turn == 0 else target - origin)


def after(position: Position, move: int) -> Position:
    return Position(position.game, position.game.play(position.state, move))


def wandered(plies: int, seed: int) -> Position:
    """A position some forward moves into a game."""
    dice = random.Random(seed)
    position = COURSE.new()
    for _ in range(plies):
        good = [move for move in position.move_ids if gain(position, move) > 0]
        position = position.play(dice.choice(good or position.move_ids))
    return position


@pytest.mark.parametrize(("plies", "depth"), [(0, 4), (1, 4), (12, 3), (23, 3), (40, 3), (41, 3)])
def test_it_chooses_what_the_plain_program_chooses_from_as_many_nodes(plies: int, depth: int) -> None:
    position = wandered(plies, plies)
    plain = Program(position, depth - 1 if not interpreting() else 2)
    report = agents.agent("flappy:seed=1", COURSE).choose(position, Limit(depth=depth if not interpreting() else 3))
    assert report.moves == (plain.move,), position.text
    assert report.nodes == plain.calls
    assert report.score is not None
    assert report.score.value == pytest.approx(plain.value)


def test_the_best_value_is_kept_from_one_depth_to_the_next() -> None:
    """So a deeper look never lowers it."""
    if interpreting():
        pytest.skip("takes long as plain Python")
    agent = agents.agent("flappy", COURSE)
    for position in (wandered(plies, 7) for plies in range(0, 30, 3)):
        reports = [agent.choose(position, Limit(depth=depth)) for depth in (3, 4, 5)]
        values = [report.score.value for report in reports if report.score]
        assert values == sorted(values), position.text


# What it considers.


def test_it_considers_at_most_twenty_moves_and_the_most_forward_first() -> None:
    position = wandered(24, 2)
    found = [gain(position, move) for move in root_moves(position)]
    assert len(position.move_ids) > len(found) == 20
    assert found == sorted(found, reverse=True)
    assert found[-1] >= -1


def test_it_goes_back_by_one_row_and_by_two_from_the_inner_rows_of_the_goal() -> None:
    seen = set()
    for position in (wandered(plies, seed) for plies in (30, 31, 44, 45) for seed in range(4)):
        for move in position.move_ids:
            row = action(move)[0][0]
            inner = row <= 3 if position.turn == 0 else row >= 17
            assert retreats(move, position) == (gain(position, move) < (-2 if inner else -1)), position.text
            seen.add((inner, retreats(move, position)))
        assert not any(retreats(move, position) for move in root_moves(position))
    assert len(seen) == 4


def test_it_does_not_take_back_its_last_move() -> None:
    game = checkers("4x4")
    position = game.new().play("6,1-5,1 2,1-3,1")
    undo = next(code for code in position.move_ids if game.move_text(position.state, code) == "5,1-6,1")
    assert undo in root_moves(game.position(position.text))
    assert undo not in root_moves(position)


# How it plays.


@pytest.mark.skipif(interpreting(), reason="takes long as plain Python")
def test_flappy_beats_greedy_ten_to_nothing() -> None:
    """The report's headline."""
    flappy, greedy = agents.agent("flappy:nodes=1500", COURSE), agents.agent("greedy:seed=4", COURSE)
    for number in range(10):
        pair = (flappy, greedy) if number % 2 == 0 else (greedy, flappy)
        end = match.play(COURSE, *pair, Limit(), seed=number)
        assert end.result is not None
        assert end.result.winner == number % 2, end.line


@pytest.mark.parametrize("name", ["flappy", "flappy-shipped"])
def test_it_takes_a_win_at_once(name: str) -> None:
    position = COURSE.position("B/YY/BYB/BBB1/3B1/6/7/8/9/10/9/8/7/6/rr3/rr2/rgr/gg/r b")
    report = agents.agent(name, COURSE).choose(position, Limit(depth=3))
    assert COURSE.move_text(position.state, report.moves[0]) == "5,4-4,4"
    assert report.score is not None
    assert report.score.value == WON


def test_the_same_nodes_give_the_same_move_and_too_few_still_a_legal_one() -> None:
    position = wandered(10, 3)
    chosen = [agents.agent("flappy:nodes=300", COURSE).choose(position, Limit()) for _ in range(2)]
    assert chosen[0].moves == chosen[1].moves
    assert chosen[0].nodes == chosen[1].nodes == 300
    assert agents.agent("flappy:seed=2", COURSE).choose(position, Limit(nodes=1)).moves[0] in position.move_ids


def test_it_plays_checkers_only_and_not_when_the_game_is_over() -> None:
    assert str(agents.read("flappy-shipped:nodes=5")) == "flappy-shipped:nodes=5"
    with pytest.raises(BadOption, match="agent flappy plays checkers, not breakthrough"):
        agents.agent("flappy", breakthrough())
    over = COURSE.position("B/YY/BYB/BBBB/5/6/7/8/9/10/9/8/7/6/rr3/rr2/rgr/gg/r r")
    with pytest.raises(IllegalMove, match="the game is over"):
        agents.agent("flappy", COURSE).choose(over, Limit(depth=3))

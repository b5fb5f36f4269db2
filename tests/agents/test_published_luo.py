"""The wolves and sheep agent of the report, by the values it is known to find."""

from functools import cache
from typing import cast

import pytest

from kibitz import agents, games
from kibitz.agents.published.luo import Luo
from kibitz.core.errors import BadOption
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.heuristics import find
from kibitz.heuristics.wolves_report import luo, menace, threatened_sheep
from tests.search.oracles import walked

START = games.wolves().new()
AFTER_ONE = START.play("b1-b2")


@cache
def agent(text: str) -> Luo:
    return cast(Luo, agents.agent(text, games.wolves()))


def found(text: str, position: Position) -> tuple[str, float]:
    report = agent(text).choose(position, Limit())
    assert report.score is not None
    return report.lines[0].text, report.score.value


def test_wolves_begin_as_meant() -> None:
    values = {move: agent("luo").value_of(START, move) for move in START.moves()}
    assert values == {"b1-b2": 480, "d1-d2": 480, "b1-c1": 320, "d1-c1": 320, "b1-a1": 160, "d1-e1": 160}


@pytest.mark.parametrize(("text", "value"), [("luo", 480), ("luo-shipped", 2440)])
def test_wolves_begin_with_a_step_forward(text: str, value: int) -> None:
    met = {found(f"{text}:seed={seed}", START) for seed in range(1, 4 if interpreting() else 12)}
    assert met <= {("b1-b2", value), ("d1-d2", value)}
    assert interpreting() or len(met) == 2


@pytest.mark.parametrize(("text", "value"), [("luo", -600), ("luo-shipped", -21602)])
def test_sheep_answer_with_one_move(text: str, value: int) -> None:
    assert found(text, AFTER_ONE) == ("b4-b3", value)
    others = [agent(text).value_of(AFTER_ONE, move) for move in AFTER_ONE.moves() if move != "b4-b3"]
    assert max(others) < value


def test_an_option_is_what_a_sheep_is_worth() -> None:
    dear, cheap = agent("luo").value_of(AFTER_ONE, "a4-a3"), agent("luo:killed=8000").value_of(AFTER_ONE, "a4-a3")
    assert cheap - dear == 12_000


def test_a_game_that_can_be_won_at_once_is_won_at_once() -> None:
    won = games.wolves().position("5/ss3/s4/5/w3w w")
    text, value = found("luo", won)
    assert value == 100_000
    assert won.play(text).over


def plainly(position: Position, root: Position, depth: int) -> tuple[float, int]:
    """The score for the root's side without any pruning, and how deep its leaf lies; of equal ones the shallowest."""
    me = root.turn
    played = len(list(position.trail())) - len(list(root.trail()))
    if position.result is not None:
        return (100_000.0 if position.result.winner == me else -100_000.0), played
    if played == depth:
        constant = luo(root.state, me) - menace(me) * threatened_sheep(root.state)
        return luo(position.state, me) - constant, played
    sign = 1 if position.turn == me else -1
    return min(
        (plainly(position.play(move), root, depth) for move in position.move_ids), key=lambda r: (-sign * r[0], r[1])
    )


def test_it_plays_a_move_of_the_best_score_and_of_those_one_with_the_shallowest_leaf() -> None:
    for seed in range(2 if interpreting() else 12):
        start = walked(games.load("wolves,plies=100000"), 20 + seed, seed)
        root = Position(start.game, start.state)
        values = {move: plainly(root.play(move), root, 2) for move in root.move_ids}
        best = min(values.values(), key=lambda r: (-r[0], r[1]))
        (chosen,) = agent("luo").choose(root, Limit(depth=2)).moves
        assert values[chosen] == best, root


def test_as_shipped_it_knows_two_wolves_only() -> None:
    with pytest.raises(BadOption, match="luo-shipped knows two wolves, not the 3 of wolves:fifteen"):
        agents.agent("luo-shipped", games.load("wolves:fifteen"))
    three = games.load("wolves:fifteen")
    assert agents.agent("luo", three).choose(three.new(), Limit(depth=2)).moves


def test_the_heuristic_differs_from_the_agent_s_leaves_by_what_the_root_adds() -> None:
    heuristic = find(games.wolves, "luo")
    here, there = heuristic.explain(START, 0).total, heuristic.explain(AFTER_ONE, 0).total
    assert there - here == 20 * 10 + 300  # one row closer to each of ten sheep, one of them in danger


def test_a_limit_stops_it_with_a_move() -> None:
    report = agent("luo").choose(START, Limit(nodes=3))
    assert report.nodes == 3
    START.play(report.moves[0])
    assert agent("luo").choose(START, Limit(depth=1)).depth == 1

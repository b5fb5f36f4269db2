"""The Alquerque program of the report, by the values it is known to find."""

from functools import cache

import pytest

from kibitz import agents, games
from kibitz.agents import Agent
from kibitz.core.limit import Limit
from kibitz.core.seam import interpreting

AFTER_ONE = games.alquerque().new().play("17-13")
DEEPEST = 4 if interpreting() else 7


@cache
def agent(name: str, depth: int) -> Agent:
    return agents.agent(f"{name}:depth={depth}", games.alquerque())


def found(name: str, line: str, depth: int) -> tuple[str, float]:
    """The move, as the course writes it, and its value."""
    report = agent(name, depth).choose(games.alquerque().new().play(line), Limit())
    assert report.score is not None
    return report.lines[0].text.replace("x", "-"), report.score.value


@pytest.mark.parametrize("name", ["dm574", "dm574-shipped"])
def test_white_begins_as_the_program_does(name: str) -> None:
    expected = [("17-13", 0), ("17-13", 0), ("17-13", 1), ("17-13", 1), ("18-13", 2), ("18-13", 2), ("18-13", 3)]
    assert [found(name, "", depth) for depth in range(1, DEEPEST + 1)] == expected[:DEEPEST]


def test_black_goes_for_captures_as_meant() -> None:
    values = [1, 1, 2, 2, 3, 3][:DEEPEST]
    assert [found("dm574", "17-13", depth) for depth in range(1, len(values) + 1)] == [("9-17", n) for n in values]


def test_black_seeks_its_own_losses_as_shipped() -> None:
    expected = [("9-17", 0), ("12-17", 1), ("12-17", 1), ("11-17", 1), ("11-17", 1), ("12-17", 2)][:DEEPEST]
    assert [found("dm574-shipped", "17-13", depth) for depth in range(1, len(expected) + 1)] == expected


def test_the_whole_tree_is_built() -> None:
    report = agent("dm574", 4).choose(games.alquerque().new(), Limit())
    assert report.nodes == 1 + 3 + 6 + 19 + 82


def test_a_limit_lowers_the_level_and_stops_it_with_a_move() -> None:
    assert agent("dm574", DEEPEST).choose(AFTER_ONE, Limit(depth=1)).depth == 1
    for nodes in (1, 2, 50):
        report = agent("dm574", DEEPEST).choose(AFTER_ONE, Limit(nodes=nodes))
        assert report.nodes <= nodes
        assert report.remarks == ("stopped early",)
        AFTER_ONE.play(report.moves[0])


def test_it_plays_a_whole_turn_where_jumps_go_on() -> None:
    game = games.load("alquerque:qirkat")
    chain = game.position("5/2b2/5/2b2/2w2 w")
    report = agents.agent("dm574:depth=2", game).choose(chain, Limit())
    assert report.lines[0].text == "23x13+13x3"

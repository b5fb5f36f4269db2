"""Levels: how many positions a player looks at, and what it overlooks."""

from itertools import pairwise

import pytest

from kibitz import agents, games
from kibitz.agents.engine import EngineAgent, EngineOptions
from kibitz.agents.levels import LEVELS, MOST, OTHERS, level_of
from kibitz.core.errors import BadOption
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.search.engine import Engine

pytestmark = pytest.mark.skipif(interpreting(), reason="whole searches need the compiler")

BUILT_IN = ("breakthrough", "alquerque", "wolves", "checkers", "vampires")
LONG = Limit(seconds=1000)


@pytest.mark.parametrize("name", [*BUILT_IN, "a game of one's own"])
def test_a_higher_level_looks_at_more_positions_and_overlooks_no_more(name: str) -> None:
    levels = [level_of(name, number) for number in range(1, MOST + 1)]
    for lower, upper in pairwise(levels):
        assert lower.nodes < upper.nodes
        assert lower.overlook >= upper.overlook
    assert all(0.0 <= level.overlook < 1.0 for level in levels)


def test_tables_are_of_games_that_there_are_and_have_ten_levels() -> None:
    assert set(LEVELS) <= set(BUILT_IN)
    assert {len(levels) for levels in (*LEVELS.values(), OTHERS)} == {MOST}


def test_a_level_is_nodes_not_time() -> None:
    game = games.load("tictactoe")
    for number in (2, MOST):
        most = level_of("tictactoe", number).nodes
        report = agents.agent(f"engine:level={number}", game).choose(game.new(), LONG)
        assert 0 < report.nodes <= most + 1


def test_a_level_answers_by_its_seed_and_the_position_alone() -> None:
    game = games.load("tictactoe")
    places = [game.new(), game.new().play("b2"), game.new().play("a1 b2")]
    alone = [agents.agent(f"engine:level=3,seed={n}", game).choose(place, LONG) for n, place in enumerate(places, 1)]
    for number, (place, report) in enumerate(zip(places, alone, strict=True), 1):
        agent = EngineAgent(game, EngineOptions(level=3, seed=number))
        agent.engine.search(places[-1], Limit(nodes=500))  # leaves its traces in the table
        again = agent.choose(place, LONG)
        assert (again.moves, again.nodes, again.score) == (report.moves, report.nodes, report.score)


def test_other_seeds_overlook_other_moves() -> None:
    game = games.load("tictactoe")
    chosen = {agents.agent(f"engine:level=1,seed={n}", game).choose(game.new(), LONG).moves for n in range(1, 20)}
    assert len(chosen) > 3


def test_who_overlooks_everything_still_moves() -> None:
    game = games.load("tictactoe")
    engine = Engine(game, megabytes=1)
    for seed in range(1, 20):
        here = game.new()
        while not here.over:
            found = engine.search(here, Limit(nodes=300), overlook=0.999, seed=seed)
            here = here.play(found.moves[0])


def perfect(here: Position, known: dict[object, int]) -> int:
    """Who wins, from the side to move: 1, 0 or -1."""
    if here.key not in known:
        if here.result is not None:
            known[here.key] = 0 if here.result.winner is None else 1 if here.result.winner == here.turn else -1
        else:
            known[here.key] = max(-perfect(here.play(move), known) for move in here.move_ids)
    return known[here.key]


@pytest.mark.parametrize("overlook", [0.2, 0.6])
def test_what_is_called_proven_holds_however_much_is_overlooked(overlook: float) -> None:
    game = games.load("tictactoe")
    engine = Engine(game, megabytes=1)
    known: dict[object, int] = {}
    perfect(game.new(), known)
    claims = 0
    for number, here in enumerate(_unfinished(game.new(), set())):
        if number % 4:
            continue
        engine.forget()
        score = engine.search(here, Limit(depth=6), overlook=overlook, seed=number + 1).score
        if score is not None and score.win_in is not None:
            claims += 1
            assert (score.win_in > 0) == (known[here.key] > 0), here.text
            assert known[here.key] != 0, here.text
    assert claims > 5


def _unfinished(here: Position, seen: set[object]) -> list[Position]:
    if here.over or here.key in seen:
        return []
    seen.add(here.key)
    return [here, *(after for move in here.move_ids for after in _unfinished(here.play(move), seen))]


def test_a_level_that_has_no_effect_says_so() -> None:
    game = games.load("tictactoe")
    highest = agents.agent(f"engine:level={MOST},nodes=20", game).choose(game.new(), LONG)
    assert any("level 10 has no effect" in remark and "the limit is 20" in remark for remark in highest.remarks)
    unbounded = agents.agent(f"engine:level={MOST}", game).choose(game.new(), LONG)
    assert not any("level" in remark for remark in unbounded.remarks)


@pytest.mark.parametrize("number", [-1, 11])
def test_there_are_ten_levels(number: int) -> None:
    with pytest.raises(BadOption, match="level"):
        agents.agent(f"engine:level={number}", games.load("tictactoe"))

"""An exported game plays and searches as Python does, to the node."""

import random
from pathlib import Path

import pytest

from kibitz import heuristics
from kibitz.bench.signature import CASES, position_after
from kibitz.core.limit import Limit
from kibitz.core.random_numbers import next_number
from kibitz.core.random_play import random_opening
from kibitz.export.node import find_node
from kibitz.games import catalog
from kibitz.nets.choice import find_heuristic
from tests.export.parity import Exported, compare_rules, compare_searches, random_game

pytestmark = pytest.mark.skipif(find_node() is None, reason="there is no Node")
GAMES = [entry.name for entry in catalog.entries() if entry.origin in (catalog.BUILT_IN, catalog.GALLERY)]
NETS = ("breakthrough", "connectfour", "othello")


@pytest.fixture(scope="module")
def einstein(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """A game of chance whose states hold an array."""
    game = catalog.load("einstein")
    return Exported(game, heuristics.find(game), tmp_path_factory.mktemp("einstein"))


def test_rules_are_those_of_plain_python_chance_included(einstein: Exported) -> None:
    assert compare_rules(einstein, 1000) >= 1000


def test_the_deepening_loops_agree_node_by_node(einstein: Exported) -> None:
    dice = random.Random(3)
    positions = [random_opening(einstein.game, turns, dice) for turns in (0, 3, 6)]
    limits = [(Limit(depth=4), 1), (Limit(depth=3), 3), (Limit(nodes=777), 1), (Limit(nodes=2000), 4)]
    assert compare_searches(einstein, positions, *limits) > 5000
    assert compare_searches(einstein, positions, (Limit(nodes=500), 1), overlook=0.4, seed=7) > 0


def test_a_search_in_rations_ends_when_it_is_stopped(einstein: Exported) -> None:
    game = random_game(einstein.game, random.Random(5), 2)
    moves = [position.last_move for position in game[1:]]
    (stopped,) = einstein.ask(rationed=[{"moves": moves, "abortAfter": 2}])["rationed"]
    assert stopped["reports"] == stopped["report"]["depth"] == 2
    assert stopped["report"]["moves"][0] in game[-1].move_ids


def test_the_seeded_generator_is_the_one_of_the_kernels(einstein: Exported) -> None:
    found = einstein.ask(rolls=[11, 5])["rolls"]
    number, expected = 12, []
    for _ in range(5):
        number = next_number(number)
        expected.append(number)
    assert found == expected


@pytest.mark.proof
@pytest.mark.parametrize("name", GAMES)
def test_every_game_plays_and_searches_as_python_does(name: str, tmp_path: Path) -> None:
    for preset in (None, *catalog.load(name).rulebook.presets):
        game = catalog.load(name if preset is None else f"{name}:{preset}")
        exported = Exported(game, heuristics.find(game), tmp_path / game.text.replace(":", "-"))
        compare_rules(exported, 2000 if preset is None else 300)
        dice = random.Random(2)
        positions = [random_opening(game, turns, dice) for turns in (0, 2, 4, 7)]
        compare_searches(exported, positions, (Limit(nodes=20_000), 1), (Limit(nodes=5000), 3))


@pytest.mark.proof
@pytest.mark.parametrize(("name", "depth", "lines"), CASES)
def test_the_bench_positions_have_the_same_nodes(name: str, depth: int, lines: tuple[str, ...], tmp_path: Path) -> None:
    game = catalog.load(name)
    exported = Exported(game, heuristics.find(game), tmp_path)
    compare_searches(exported, [position_after(game, line) for line in lines], (Limit(depth=depth), 1))


@pytest.mark.proof
@pytest.mark.parametrize("name", NETS)
def test_learned_nets_are_the_same_to_the_bit(name: str, tmp_path: Path) -> None:
    game = catalog.load(name)
    heuristic = find_heuristic(game, "learned")
    assert heuristic.network is not None
    exported = Exported(game, heuristic, tmp_path)
    compare_rules(exported, 1000)
    dice = random.Random(4)
    positions = [random_opening(game, turns, dice) for turns in (0, 4)]
    compare_searches(exported, positions, (Limit(nodes=20_000), 1))


@pytest.mark.proof
@pytest.mark.parametrize("name", ["checkers", "einstein", "vampires"])
def test_memory_stays_as_it_is_over_millions_of_nodes(name: str, tmp_path: Path) -> None:
    game = catalog.load(name)
    exported = Exported(game, heuristics.find(game), tmp_path)
    position = random_opening(game, 2, random.Random(1))
    moves = [each.last_move for each in reversed(list(position.trail())) if each.last_move is not None]
    jobs = [{"moves": moves, "nodes": nodes} for nodes in (100_000, 2_000_000)]
    first, second = exported.ask(searches=jobs)["searches"]
    assert second["grown"] == 0
    assert second["last"]["nodes"] >= 20 * first["last"]["nodes"] - 100

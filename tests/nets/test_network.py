"""A network's score: whole numbers that agree with the real ones, compiled, interpreted and in every thread."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz import games
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.network import LARGEST_SUM, MOST_POINTS, BadNetwork
from kibitz.core.position import Position
from kibitz.core.random_play import random_opening
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import interpreting
from kibitz.core.seam.compiler import CompiledKernel
from kibitz.core.seam.interpreter import InterpretedKernel
from kibitz.core.seam.slots import evaluate, write_inputs
from kibitz.learn.inputs import Inputs, Kind
from kibitz.learn.parameters import Parameters
from kibitz.nets.choice import with_network
from kibitz.search.engine import Engine
from kibitz.search.engine.scale import constants_of
from kibitz.search.engine.transpositions import (
    BUSY_SLOTS,
    EXACT,
    FACTS,
    PROVEN_BIT,
    STATIC_BIT,
    WORDS,
    bound_of,
    depth_of,
    facts_of,
    static_of,
    with_static,
)
from kibitz.search.mcts import Settings, Tree
from tests.nets.networks import random_net


def judge(state: Any, rules: Any, weights: NDArray[np.int64], times: int) -> float:
    """A kernel: the score, worked out so many times."""
    total = 0.0
    for _ in range(times):
        total += evaluate(state, rules, weights, 0)
    return total


def list_inputs(state: Any, rules: Any, weights: NDArray[np.int64], out: NDArray[np.int64]) -> int:
    """A kernel: the numbers of the inputs that are on."""
    return int(write_inputs(state, rules, weights, 0, out, 0))


CASES: list[tuple[str, Kind]] = [("breakthrough", "bits"), ("checkers", "bits"), ("breakthrough", "both")]


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def case(request: pytest.FixtureRequest) -> tuple[Heuristic, Inputs, Parameters, list[Position]]:
    text, kind = request.param
    game = games.load(text)
    net, inputs, parameters = random_net(game, kind)
    dice = random.Random(3)
    places = [random_opening(game, dice.randrange(12), dice) for _ in range(12)]
    return with_network(inputs.base, net.network), inputs, parameters, places


def real_score(position: Position, heuristic: Heuristic, inputs: Inputs, parameters: Parameters) -> float:
    """The score in real numbers, as training has it."""
    assert heuristic.network is not None
    out = np.zeros(heuristic.network.most_active + 4, np.int64)
    run = InterpretedKernel(position.game.rulebook, list_inputs, heuristic)  # type: ignore[arg-type]
    active = run(position.state, position.game.rules, heuristic.weight_array, out)
    view = position.turn
    places = [inputs.columns[view, number] for number in out[:active]]
    on = np.zeros(inputs.size)
    on[[place for place in places if place >= 0]] = 1.0
    group, phase = inputs.groups[view], inputs.phases[min(active, inputs.phases.size - 1)]
    sums = on @ parameters.rows[group] + parameters.biases[group]
    value = np.clip(sums, 0.0, 1.0) ** 2 @ parameters.outputs[group, phase] + parameters.offsets[group, phase]
    points = max(-MOST_POINTS, min(MOST_POINTS, 100.0 * float(value)))
    return points if view == FIRST else -points


def test_compiled_and_interpreted_scores_are_equal_and_near_the_real_one(
    case: tuple[Heuristic, Inputs, Parameters, list[Position]],
) -> None:
    heuristic, inputs, parameters, places = case
    compiled = CompiledKernel(inputs.game.rulebook, judge, heuristic)  # type: ignore[arg-type]
    interpreted = InterpretedKernel(inputs.game.rulebook, judge, heuristic)  # type: ignore[arg-type]
    seen = set()
    for place in places:
        given = place.state, place.game.rules
        score = compiled(*given, heuristic.weight_array, 1)
        assert score == interpreted(*given, heuristic.weight_array, 1), place
        assert score == pytest.approx(real_score(place, heuristic, inputs, parameters), abs=5.0), place
        seen.add(score)
    assert len(seen) > 3


def test_threads_with_arrays_of_their_own_agree() -> None:
    game = games.load("breakthrough")
    net, inputs, _ = random_net(game)
    heuristic = with_network(inputs.base, net.network)
    run = CompiledKernel(game.rulebook, judge, heuristic)  # type: ignore[arg-type]
    states = [random_opening(game, turns, random.Random(turns)).state for turns in range(4)]
    alone = [run(state, game.rules, heuristic.weight_array, 20_000) for state in states]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda state: run(state, game.rules, heuristic.weight_array, 20_000), states))
    assert together == alone


def test_the_mirror_image_with_sides_swapped_is_worth_the_negative() -> None:
    game = games.load("breakthrough")
    net, inputs, _ = random_net(game)
    heuristic = with_network(inputs.base, net.network)
    run = CompiledKernel(game.rulebook, judge, heuristic)  # type: ignore[arg-type]
    swap = next(number for number, symmetry in enumerate(game.symmetries) if symmetry.swaps)
    for turns in range(10):
        state = random_opening(game, turns, random.Random(turns)).state
        image = game.transform(state, swap)
        scores = [run(one, game.rules, heuristic.weight_array, 1) for one in (state, image)]
        assert scores[0] == -scores[1]


def test_searches_take_a_network_and_other_weights_need_no_compiling() -> None:
    game = games.load("breakthrough")
    first, second = (
        with_network(inputs.base, net.network) for net, inputs, _ in (random_net(game, seed=s) for s in (1, 2))
    )
    assert first.functions == second.functions
    reports = [Engine(game, one, megabytes=1).search(game.new(), Limit(depth=3)) for one in (first, second)]
    assert reports[0].score != reports[1].score
    tree = Tree(game, first, Settings(leaf="heuristic", megabytes=1, seed=1))
    assert tree.search(game.new(), Limit(nodes=50)).moves


@pytest.mark.skipif(not interpreting(), reason="two searches to compile; plain Python shows the same")
def test_values_kept_in_the_table_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load("tictactoe")
    net, inputs, _ = random_net(game)
    heuristic = with_network(inputs.base, net.network)
    keeps = Engine(game, heuristic, megabytes=1)
    monkeypatch.setattr(
        "kibitz.search.engine.engine.constants_of", lambda *given: constants_of(*given) | {"KEEPS_STATIC": 0}
    )
    keeps_not = Engine(game, heuristic, megabytes=1)
    for line in ("b2 a1", "a1 c3 b1"):
        here = game.new().play(line)
        answers = [engine.search(here, Limit(depth=2)) for engine in (keeps, keeps_not)]
        assert len({(one.moves, one.nodes, one.score) for one in answers}) == 1
    assert any(int(facts) & STATIC_BIT for facts in keeps.table[FACTS:-BUSY_SLOTS:WORDS])
    assert not any(int(facts) & STATIC_BIT for facts in keeps_not.table[FACTS:-BUSY_SLOTS:WORDS])


@pytest.mark.parametrize("static", [-MOST_POINTS, -1, 0, 7, MOST_POINTS])
def test_a_static_value_stands_beside_the_other_facts(static: float) -> None:
    plain = facts_of(-3, EXACT | PROVEN_BIT, 63)
    both = with_static(plain, static)
    assert static_of(both) == static
    assert (depth_of(both), bound_of(both), both & 255) == (-3, EXACT | PROVEN_BIT, 63)
    assert not plain & STATIC_BIT


def test_weights_that_could_overflow_are_refused() -> None:
    net, _, _ = random_net(games.load("breakthrough"))
    network = net.network
    rows = network.rows.copy()
    rows[1:, 0] = LARGEST_SUM // 20
    with pytest.raises(BadNetwork, match="sums reach"):
        replace(network, rows=rows)
    wide = {name: getattr(network, name).repeat(8, axis=-1) for name in ("rows", "biases", "outputs")}
    wide["outputs"][...] = 32_000
    with pytest.raises(BadNetwork, match="totals reach"):
        replace(network, shape=network.shape._replace(units=128), **wide)
    with pytest.raises(BadNetwork, match="no row"):
        replace(network, maps=network.maps + np.int16(len(rows)))


def test_quantised_weights_never_reach_beyond_the_width_of_a_sum() -> None:
    for text, kind in CASES:
        net, _, _ = random_net(games.load(text), kind)
        assert 0 < net.network.largest_sum <= LARGEST_SUM
        assert len(net.network.maps) > SECOND

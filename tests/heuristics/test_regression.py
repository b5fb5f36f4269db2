"""Fitting weights to results: it finds weights that are known, and keeps to the old ones where games say nothing."""

import random

import numpy as np
import pytest

from kibitz.core import Position
from kibitz.games import breakthrough, wolves
from kibitz.heuristics import find
from kibitz.heuristics.regression import (
    FeatureTable,
    Observation,
    best_scale,
    fit_weights,
    listing,
    loss,
    observe_games,
    play_out,
    tabulate,
)

SMALL = breakthrough(rows=5, columns=4)
OURS = find(breakthrough)


def random_turn(position: Position) -> tuple[int, ...]:
    return (random.Random(position.text).choice(position.move_ids),)


def games_with(weights: list[float], scale: float, number: int = 20_000) -> FeatureTable:
    """Positions with random features, won as often as these weights expect."""
    dice = np.random.default_rng(1)
    features = dice.integers(-3, 4, (number, len(weights))).astype(np.float64)
    shares = 1.0 / (1.0 + np.exp(-features @ np.array(weights) / scale))
    return FeatureTable(features, (dice.random(number) < shares).astype(np.float64))


def test_known_weights_are_found_again() -> None:
    pytest.importorskip("scipy")
    table = games_with([100.0, 40.0, -20.0], scale=250.0)
    found = fit_weights({"piece": 100.0, "step": 0.0, "hole": 0.0}, table, ["piece"])
    assert found["piece"] == pytest.approx(100.0)
    assert found["step"] == pytest.approx(40.0, abs=4.0)
    assert found["hole"] == pytest.approx(-20.0, abs=4.0)


def test_the_fitted_weights_surprise_less_than_those_before() -> None:
    pytest.importorskip("scipy")
    table = games_with([100.0, 40.0, -20.0], scale=250.0)
    before = {"piece": 100.0, "step": -10.0, "hole": 30.0}
    after = fit_weights(before, table, ["piece"])
    old, new = (np.array([*weights.values()]) for weights in (before, after))
    assert loss(new, best_scale(new, table), table) < loss(old, best_scale(old, table), table)
    assert best_scale(new, table) == pytest.approx(250.0, rel=0.1)


def test_a_feature_that_never_occurred_keeps_its_weight() -> None:
    pytest.importorskip("scipy")
    table = games_with([100.0, 40.0, 0.0], scale=250.0)
    table.features[:, 2] = 0.0
    found = fit_weights({"piece": 50.0, "step": 40.0, "base": 500.0}, table, ["piece"])
    assert found["base"] == 500.0


def test_a_kept_feature_changes_by_the_unit_alone() -> None:
    pytest.importorskip("scipy")
    table = games_with([100.0, 40.0, -20.0], scale=250.0)
    found = fit_weights({"piece": 100.0, "step": 0.0, "hole": 30.0}, table, ["hole"], kept=["hole"])
    assert found["hole"] == pytest.approx(30.0)
    assert found["step"] > 0.0


def test_a_position_seen_is_a_line_of_text_and_back() -> None:
    seen = Observation(0.5, 12, True, SMALL.new().text)
    assert Observation.read(f"{seen}\n") == seen


def test_every_position_of_a_game_carries_its_result_unless_it_is_sure() -> None:
    seen = list(observe_games(SMALL, OURS, random_turn, games=6, plies=2, seed=1))
    assert {one.game for one in seen} == set(range(6))
    for one in seen:
        position = SMALL.position(one.text)
        *_, (end, last) = play_out(position, (random_turn, random_turn))
        assert last is None
        assert end.result is not None
        assert one.won == (end.result.winner == 0)
        assert OURS.known_result is not None
        assert OURS.known_result(position.state, SMALL.rules) == 0


def test_a_table_holds_the_features_that_explain_shows() -> None:
    game = wolves()
    heuristic = find(wolves)
    table = tabulate(game, heuristic, [Observation(1.0, 0, True, game.new().text)])
    assert table.features[0].tolist() == [count for _, count, _ in heuristic.explain(game.new()).rows]
    assert table.results.tolist() == [1.0]


def test_weights_are_listed_as_python() -> None:
    weights = {"piece": 100.0, "hole": -2.5}
    assert eval(listing(weights)) == weights

"""Weights fitted to the results of games: logistic regression of who won on what the features said.

A score s means that the first player is expected to win the share 1 / (1 + exp(-s / scale)) of such games. The fit
finds the weights under which the results seen are likeliest, held to the weights it started from where the games say
little: a feature that never occurred keeps its weight. Needs scipy (`pip install 'kibitz[fit]'`).
"""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.game_loop import Chooser, play_game
from kibitz.core.heuristic import Heuristic
from kibitz.core.position import Position
from kibitz.core.random_play import random_opening
from kibitz.core.result import DRAW, FIRST_WINS
from kibitz.core.rulebook import call_rule

FIRMLY = 1e6  # a pull that no results overcome

Floats = NDArray[np.float64]


class Observation(NamedTuple):
    """A position of some game and how that game ended for the first player: 1, 1/2 or 0."""

    won: float
    game: int  # the number of the game
    quiet: bool  # was the move then played a quiet one?
    text: str

    def __str__(self) -> str:
        return f"{self.won:g} {self.game} {self.quiet:d} {self.text}"

    @classmethod
    def read(cls, line: str) -> "Observation":
        won, game, quiet, text = line.strip().split(" ", 3)
        return cls(float(won), int(game), quiet == "1", text)


@dataclass(frozen=True)
class FeatureTable:
    """The features of many positions and the results of their games."""

    features: Floats
    results: Floats

    @property
    def size(self) -> int:
        return len(self.results)


# Games.


def play_out(
    position: Position, choosers: tuple[Chooser, Chooser], dice: random.Random | None = None
) -> Iterator[tuple[Position, int | None]]:
    """Each position of a game with the move then played, None at the end."""
    for turn in play_game(position, lambda here: choosers[here.turn](here), dice or random.Random(1)):
        position = turn.before
        for move in turn.moves:
            yield position, move
            position = position.play(move)
    yield position, None


def observe_games(
    game: Game, heuristic: Heuristic, choose: Chooser, games: int, plies: int, seed: int
) -> Iterator[Observation]:
    """The positions of games that one player plays against itself, but for those whose result can be seen."""
    dice = random.Random(seed)
    for number in range(games):
        line = list(play_out(random_opening(game, plies, dice), (choose, choose)))
        outcome = line[-1][0].result
        won = 0.5 if outcome == DRAW else float(outcome == FIRST_WINS)
        for position, move in line[:-1]:
            if _ask(heuristic.known_result, position) == 0:
                yield Observation(won, number, not _ask(heuristic.is_tactical, position, move), position.text)


def tabulate(game: Game, heuristic: Heuristic, seen: Iterable[Observation]) -> FeatureTable:
    """What the heuristic's features say of these observations."""
    pairs = [(_ask(heuristic.features, game.position(one.text)), one.won) for one in seen]
    return FeatureTable(np.array([row for row, _ in pairs], np.float64), np.array([won for _, won in pairs]))


def _ask(rule: Callable[..., Any] | None, position: Position, *more: Any) -> Any:
    return 0 if rule is None else call_rule(rule, position.game.rules, position.state, *more)


# Fitting.


def loss(weights: Floats, scale: float, table: FeatureTable) -> float:
    """How surprising the results are: the mean of -log of the share that the weights gave to what happened."""
    expected = table.features @ weights / scale
    return float(np.mean(np.logaddexp(0.0, expected) - table.results * expected))


def best_scale(weights: Floats, table: FeatureTable) -> float:
    """The scale under which these weights surprise least."""
    from scipy.optimize import minimize_scalar

    return float(np.exp(minimize_scalar(lambda log: loss(weights, np.exp(log), table), bounds=(2.0, 9.0)).x))


def fit_weights(
    prior: Mapping[str, float],
    table: FeatureTable,
    anchors: Collection[str],
    kept: Collection[str] = (),
    stiffness: float = 10.0,
) -> dict[str, float]:
    """The fitted weights, in a unit that leaves the mean of the `anchors` as it was.

    `stiffness` holds each weight to the prior, as strongly as so many positions whose feature lies a deviation off;
    those of `kept` features do not move, but for the unit.
    """
    from scipy.optimize import minimize

    start = np.array([*prior.values()])
    scale = best_scale(start, table)
    begin = start / scale
    spread = table.features.std(axis=0) + 1e-3
    pull = stiffness * spread**2 / table.size
    pull[[name in kept for name in prior]] = FIRMLY

    def surprise(weights: Floats) -> tuple[float, Floats]:
        expected = table.features @ weights
        shares = 1.0 / (1.0 + np.exp(-expected))
        value = np.mean(np.logaddexp(0.0, expected) - table.results * expected)
        slope = (shares - table.results) @ table.features / table.size
        off = weights - begin
        return float(value + 0.5 * np.sum(pull * off**2)), slope + pull * off

    found = minimize(surprise, begin, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    named = dict(zip(prior, found, strict=True))
    unit = sum(prior[name] for name in anchors) / sum(named[name] for name in anchors)
    occurs = dict(zip(prior, np.abs(table.features).max(axis=0) > 0, strict=True))
    return {name: float(unit * weight) if occurs[name] else prior[name] for name, weight in named.items()}


def listing(weights: Mapping[str, float]) -> str:
    """The weights as Python, ready for a heuristic's file."""
    return "\n".join(["{", *(f'    "{name}": {weight:.1f},' for name, weight in weights.items()), "}"])

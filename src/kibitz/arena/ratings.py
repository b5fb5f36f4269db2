"""Ratings of several players from all their games: Bradley-Terry, Davidson's draws, an advantage of the first side.

With strengths in natural units, x = first + advantage and y = second, a game ends

    first wins : draw : second wins  =  e^x : v e^((x+y)/2) : e^y

and all numbers are chosen together to make what happened most likely (Davidson 1970; Agresti, Categorical Data
Analysis, on home advantage). A weak prior, worth about a third of a game, keeps a player finite who won or lost
everything.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.arena.statistics import Z95, Interval

ELO = 400.0 / math.log(10.0)  # of one natural unit
PRIOR = 600.0 / ELO  # standard deviation of a strength, before any game
Numbers = Any  # a numpy array of floats


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games in which one player had the first side against another."""

    first: int  # players by number
    second: int
    wins: float = 0.0  # of the first side
    draws: float = 0.0
    losses: float = 0.0


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of each player about a mean of zero, Elo of the first side, and how likely the order of two players is."""

    players: tuple[Interval, ...]
    advantage: Interval
    draw: float  # Davidson's v: draws for each geometric mean of wins and losses
    covariance: Numbers

    def superiority(self, left: int, right: int) -> float:
        """The likelihood that one player is stronger than another."""
        spread = self.covariance
        variance = spread[left, left] + spread[right, right] - 2.0 * spread[left, right]
        difference = self.players[left].value - self.players[right].value
        return (1.0 + math.erf(difference / math.sqrt(2.0 * max(variance, 1e-12)))) / 2.0


def rate(players: int, meetings: Sequence[Meeting], prior: float | None = PRIOR) -> Ratings:
    """The ratings that make these games most likely. Without a prior a perfect score has no finite rating."""
    from scipy.optimize import minimize

    model = _Model(players, meetings, prior)
    found = minimize(model.cost, np.zeros(model.size), jac=model.slope, hess=model.curvature, method="trust-exact")
    numbers = found.x
    centre = np.eye(model.size)
    centre[:players, :players] -= 1.0 / players
    spread = centre @ np.linalg.pinv(model.curvature(numbers)) @ centre.T * ELO**2
    values = centre @ numbers * ELO
    errors = Z95 * np.sqrt(np.maximum(np.diag(spread), 0.0))
    intervals = [
        Interval(float(value), float(value - error), float(value + error))
        for value, error in zip(values, errors, strict=True)
    ]
    draw = math.exp(numbers[players + 1]) if model.drawn else 0.0
    return Ratings(tuple(intervals[:players]), intervals[players], draw, spread[:players, :players])


class _Model:
    """The likelihood of all meetings: numbers are the strengths, the advantage, and ln v where a game was drawn."""

    def __init__(self, players: int, meetings: Sequence[Meeting], prior: float | None) -> None:
        self.players = players
        self.drawn = any(meeting.draws for meeting in meetings)
        self.size = players + 1 + self.drawn
        counts = [(meeting.wins, meeting.draws, meeting.losses) for meeting in meetings]
        self.counts = np.array(counts, dtype=float).reshape(-1, 3)
        self.designs = np.array([self._design(meeting) for meeting in meetings]).reshape(-1, 3, self.size)
        self.weights = np.zeros(self.size) if prior is None else np.full(self.size, prior**-2)
        # Without a prior only differences matter; this holds the mean where it is and moves nothing else.
        self.hold = np.zeros((self.size, self.size))
        self.hold[:players, :players] = 1e-3 if prior is None else 0.0

    def _design(self, meeting: Meeting) -> Numbers:
        """The weights of each outcome, win, draw, loss, as a linear function of the numbers."""
        rows = np.zeros((3, self.size))
        rows[0, [meeting.first, self.players]] = 1.0
        rows[1, [meeting.first, self.players, meeting.second]] = 0.5
        rows[2, meeting.second] = 1.0
        if self.drawn:
            rows[1, self.players + 1] = 1.0
        return rows

    def _odds(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        weights = self.designs @ numbers
        if not self.drawn:
            weights[:, 1] = -np.inf
        top = weights.max(axis=1, keepdims=True)
        shares = np.exp(weights - top)
        total = shares.sum(axis=1, keepdims=True)
        return weights - top - np.log(total), shares / total

    def cost(self, numbers: Numbers) -> float:
        logs, _ = self._odds(numbers)
        likelihood = np.where(self.counts > 0, self.counts * np.where(np.isfinite(logs), logs, 0.0), 0.0).sum()
        return float(-likelihood + 0.5 * (self.weights * numbers**2).sum() + 0.5 * numbers @ self.hold @ numbers)

    def slope(self, numbers: Numbers) -> Numbers:
        _, shares = self._odds(numbers)
        games = self.counts.sum(axis=1, keepdims=True)
        surprise = self.counts - games * shares
        return -np.einsum("mo,mos->s", surprise, self.designs) + self.weights * numbers + self.hold @ numbers

    def curvature(self, numbers: Numbers) -> Numbers:
        _, shares = self._odds(numbers)
        games = self.counts.sum(axis=1)
        mean = np.einsum("mo,mos->ms", shares, self.designs)
        away = self.designs - mean[:, None, :]
        seen = np.einsum("m,mo,mos,mot->st", games, shares, away, away)
        return seen + np.diag(self.weights) + self.hold

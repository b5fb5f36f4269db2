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

from kibitz.arena.stats.estimate import Z95, Estimate

ELO = 400.0 / math.log(10.0)  # of one natural unit
PRIOR = 600.0 / ELO  # standard deviation of a strength, before any game
Numbers = Any  # a numpy array of floats
PARTS = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 1.0], [0.0, 1.0, 0.0]])  # of x, y and ln v in win, draw and loss
SAMPLES = 20_000  # to tell shares of a half percent apart
STEPS = 100


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
    """Elo of each player about a mean of zero, Elo of the first side, and how all of them vary together."""

    players: tuple[Estimate, ...]
    advantage: Estimate
    draw: float  # Davidson's v: draws for each geometric mean of wins and losses
    covariance: Numbers

    def superiority(self, left: int, right: int) -> float:
        """The likelihood that one player is stronger than another."""
        spread = self.covariance
        variance = spread[left, left] + spread[right, right] - 2.0 * spread[left, right]
        difference = self.players[left].value - self.players[right].value
        return (1.0 + math.erf(difference / math.sqrt(2.0 * max(variance, 1e-12)))) / 2.0

    def top_shares(self, samples: int = SAMPLES) -> Numbers:
        """How often each player is the strongest when all ratings are drawn together, as often as `samples`."""
        values = np.array([player.value for player in self.players])
        if len(values) == 1:
            return np.ones(1)
        size, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(size, 0.0))
        drawn = values + np.random.default_rng(1).standard_normal((samples, len(values))) @ root.T
        return np.bincount(drawn.argmax(axis=1), minlength=len(values)) / samples


def rate(players: int, meetings: Sequence[Meeting], prior: float | None = PRIOR) -> Ratings:
    """The ratings that make these games most likely. Without a prior a perfect score has no finite rating."""
    model = _Model(players, meetings, prior)
    numbers, curvature = model.most_likely()
    centre = np.eye(model.size)
    centre[:players, :players] -= 1.0 / players
    spread = centre @ np.linalg.pinv(curvature, hermitian=True) @ centre.T * ELO**2
    values = centre @ numbers * ELO
    errors = Z95 * np.sqrt(np.maximum(np.diag(spread), 0.0))
    found = [
        Estimate(float(value), float(value - error), float(value + error))
        for value, error in zip(values, errors, strict=True)
    ]
    draw = math.exp(numbers[players + 1]) if model.drawn else 0.0
    return Ratings(tuple(found[:players]), found[players], draw, spread[:players, :players])


def _solve(curvature: Numbers, slope: Numbers) -> Numbers:
    try:
        return np.linalg.solve(curvature, slope)
    except np.linalg.LinAlgError:  # without a prior, a player who has not played
        return np.linalg.lstsq(curvature, slope, rcond=None)[0]


class _Model:
    """The likelihood of all meetings: numbers are the strengths, the advantage, and ln v where a game was drawn.

    A meeting depends on three sums of numbers only, x, y and ln v. So its slope and curvature are worked out for these,
    all meetings at once, and added up at the places of the two players.
    """

    def __init__(self, players: int, meetings: Sequence[Meeting], prior: float | None) -> None:
        self.players = players
        self.drawn = any(meeting.draws for meeting in meetings)
        self.size = players + 1 + self.drawn
        self.first = np.array([meeting.first for meeting in meetings], dtype=int)
        self.second = np.array([meeting.second for meeting in meetings], dtype=int)
        counts = [(meeting.wins, meeting.draws, meeting.losses) for meeting in meetings]
        self.counts = np.array(counts, dtype=float).reshape(-1, 3)
        self.games = self.counts.sum(axis=1)
        self.weights = np.zeros(self.size) if prior is None else np.full(self.size, prior**-2)
        # Without a prior only differences matter; this holds the mean where it is and moves nothing else.
        self.hold = np.zeros((self.size, self.size))
        self.hold[:players, :players] = 1e-3 if prior is None else 0.0

    def most_likely(self) -> tuple[Numbers, Numbers]:
        """The numbers, and the curvature there: Newton's steps, halved where one goes too far."""
        numbers = np.zeros(self.size)
        cost = self._cost(numbers)
        for _ in range(STEPS):
            slope, curvature = self._slope_and_curvature(numbers)
            step = _solve(curvature, slope)
            for _ in range(60):
                better = numbers - step
                now = self._cost(better)
                if now <= cost:
                    break
                step = step / 2.0
            moved, numbers, cost = np.abs(step).max(), better, now
            if moved < 1e-10:
                break
        return numbers, self._slope_and_curvature(numbers)[1]

    def _shares(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Logarithms and probabilities of win, draw and loss of each meeting."""
        x = numbers[self.first] + numbers[self.players]
        y = numbers[self.second]
        v = numbers[self.players + 1] if self.drawn else -np.inf
        odds = np.stack([x, v + (x + y) / 2.0, y], axis=1)
        odds -= odds.max(axis=1, keepdims=True)
        shares = np.exp(odds)
        total = shares.sum(axis=1, keepdims=True)
        return odds - np.log(total), shares / total

    def _cost(self, numbers: Numbers) -> float:
        logs, _ = self._shares(numbers)
        likelihood = np.where(self.counts > 0, self.counts * np.where(np.isfinite(logs), logs, 0.0), 0.0).sum()
        return float(-likelihood + 0.5 * (self.weights * numbers**2).sum() + 0.5 * numbers @ self.hold @ numbers)

    def _slope_and_curvature(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        _, shares = self._shares(numbers)
        surprise = self.counts - self.games[:, None] * shares
        mean = shares @ PARTS
        local = np.einsum("m,mo,op,oq->mpq", self.games, shares, PARTS, PARTS)
        local -= self.games[:, None, None] * mean[:, :, None] * mean[:, None, :]
        slope = self.weights * numbers + self.hold @ numbers
        curvature = np.diag(self.weights) + self.hold
        pull = surprise @ PARTS
        places = self._places()
        for at, part in places:
            slope -= np.bincount(at, pull[:, part], self.size)
            for other, second in places:
                added = np.bincount(at * self.size + other, local[:, part, second], self.size**2)
                curvature += added.reshape(self.size, self.size)
        return slope, curvature

    def _places(self) -> list[tuple[Numbers, int]]:
        """Which numbers each of x, y and ln v consists of."""
        alike = np.full(len(self.first), self.players)
        places = [(self.first, 0), (alike, 0), (self.second, 1)]
        return [*places, (alike + 1, 2)] if self.drawn else places

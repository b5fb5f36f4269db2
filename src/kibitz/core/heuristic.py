"""A heuristic is data: features, their weights, and what else a search may be told about a game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadOption, RulesError, did_you_mean, quoted
from kibitz.core.fields import where
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.network import Network
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.core.rulebook import Rule, asks, call_rule

RULES_OF_A_HEURISTIC = ("features", "evaluate", "is_tactical", "known_result", "candidates")


class Planner(Protocol):
    """Finds the moves of a game's last phase without a search, for one game."""

    remark: str  # how a report says that a move was planned

    def plan(self, position: Position, limit: Limit) -> int | None:
        """The move of the side to move, or None where there is nothing to plan."""
        ...


@dataclass(frozen=True, kw_only=True)
class Heuristic:
    """How good a position is, for the first player unless its function takes a parameter `me`.

    Either `features(state)` returns a tuple of numbers, one for each name in `weights`, or `evaluate(state)` returns
    the score, or a `network` works it out. The functions are compiled like rules, and like rules they may ask for
    `rules`. Weights are data: other weights need no compiling.
    """

    name: str
    game: str  # the name of the rulebook
    bounds: tuple[float, float]  # no score lies outside
    unit: float = 100.0  # about what a piece is worth: the scale of margins and windows
    unit_name: str = ""  # such as "pieces", where people should see scores counted in units
    features: Rule | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    evaluate: Rule | None = None
    network: Network | None = None
    is_tactical: Rule | None = None  # (state, move) -> is it a move that a quiet search must follow?
    known_result: Rule | None = None  # (state) -> n: the first player wins in n turns, -n: the second; 0: not seen
    candidates: Rule | None = None  # (state) yields the moves worth trying, the most promising first
    compulsory: bool = True  # may a side have tactical moves alone, as where it must capture? False saves time
    planner: Callable[[Game], Planner] | None = None  # takes over from the engine where it finds a move
    greedy: bool = False  # is this what the greedy agent looks at, rather than the default?

    def __hash__(self) -> int:
        return hash((self.name, self.game))

    @property
    def functions(self) -> tuple[object, ...]:
        """What is compiled with a search: the functions, the names of the features, the shape of the network."""
        shape = None if self.network is None else (self.network.shape, tuple(map(len, self.network.levels)))
        return (*(getattr(self, name) for name in RULES_OF_A_HEURISTIC), tuple(self.weights), shape)

    @property
    def judges(self) -> bool:
        """Does it value positions at all?"""
        return self.features is not None or self.evaluate is not None or self.network is not None

    @property
    def weight_array(self) -> NDArray[Any]:
        """The weights as kernels take them: each thread its own, for a network works in it."""
        if self.network is not None:
            return self.network.weight_array()
        return np.array([*self.weights.values()] or [0.0], np.float64)

    def weighing(self, **weights: float) -> "Heuristic":
        """The same heuristic with some weights changed."""
        for name in weights:
            if name not in self.weights:
                raise BadOption(f"{self.name} has no feature {quoted(name)}{did_you_mean(name, self.weights)}")
        return replace(self, weights={**self.weights, **weights})

    def explain(self, position: Position, me: int = FIRST) -> "Explanation":
        """The score term by term."""
        rule = self.features or self.evaluate
        if rule is None:
            return Explanation(self.name, position.game.rulebook.sides[me], ())
        mine = asks(rule, "me")
        given = (position.state, me) if mine else (position.state,)
        found = call_rule(rule, position.game.rules, *given)
        counts = self._counts(rule, found) if self.features else {}
        rows = [(name, count, self.weights[name]) for name, count in counts.items()]
        if not rows and found is None:
            raise RulesError(f"{where(rule)}: {rule.__name__}() ends without a return, expected a number")
        rows = rows or [(rule.__name__, float(found), 1.0)]
        view = me if mine else FIRST
        return Explanation(self.name, position.game.rulebook.sides[view], tuple(rows), view)

    def _counts(self, rule: Rule, found: Any) -> dict[str, float]:
        """The features by name, or an error where there are more or fewer than weights."""
        if not isinstance(found, tuple) or len(found) != len(self.weights):
            shown = f"{len(found)} features" if isinstance(found, tuple) else f"{found!r:.40}"
            names = ", ".join(self.weights)
            raise RulesError(
                f"{where(rule)}: {rule.__name__}() returns {shown}, expected a tuple with one number for each of the"
                f" {len(self.weights)} weights ({names})"
            )
        return {name: float(count) for name, count in zip(self.weights, found, strict=True)}


@dataclass(frozen=True)
class Explanation:
    """A score taken apart; printed, it is a table."""

    heuristic: str
    side: str  # whose point of view
    rows: tuple[tuple[str, float, float], ...]  # feature, count, weight
    view: int = FIRST  # the same as a number

    @property
    def total(self) -> float:
        return sum(count * weight for _, count, weight in self.rows)

    def total_for(self, side: int) -> float:
        """The score from one side's point of view."""
        return self.total if side == self.view else -self.total

    def __str__(self) -> str:
        width = max([len("feature"), *(len(name) for name, _, _ in self.rows)])
        lines = [f"{'feature':{width}} {'count':>9} {'weight':>9} {'score':>10}"]
        lines += [
            f"{name:{width}} {count:+9g} {weight:9g} {count * weight:+10.2f}" for name, count, weight in self.rows
        ]
        return "\n".join(
            [*lines, f"{'total':{width}} {'':9} {'':9} {self.total:+10.2f}  ({self.heuristic}, for {self.side})"]
        )


NO_HEURISTIC = Heuristic(name="nothing", game="", bounds=(0.0, 0.0))


def nothing(game: str) -> Heuristic:
    """The heuristic of a game that has none: every unfinished position is worth the same."""
    return Heuristic(name="nothing", game=game, bounds=(0.0, 0.0))

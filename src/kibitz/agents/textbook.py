"""Agents that search to a fixed depth, as textbooks do."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple

from kibitz.agents.agent import AgentKind, wins_at_once
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.random_play import first_decision
from kibitz.heuristics import find, heuristics_of
from kibitz.search import textbook
from kibitz.search.report import Report, Score

Search = Callable[..., Report]


class MinimaxOptions(NamedTuple):
    depth: int = 3
    heuristic: str = ""
    shuffle: bool = False
    breadth: int = 0  # 0: all moves
    ties: Literal["first", "shallow"] = "first"
    noise: float = 0.0
    seed: int = 0  # 0: another one each time


class AlphabetaOptions(NamedTuple):
    depth: int = 4
    heuristic: str = ""
    shuffle: bool = False
    breadth: int = 0
    ties: Literal["first", "shallow"] = "first"
    noise: float = 0.0
    seed: int = 0


class GreedyOptions(NamedTuple):
    seed: int = 0


class TextbookAgent:
    """Searches to a depth with a heuristic."""

    def __init__(self, game: Game, search: Search, depth: int, heuristic: Heuristic, style: textbook.Style) -> None:
        self.search = search
        self.depth = in_range("depth", depth, 1, 100)
        self.heuristic = heuristic
        self.style = style
        self.dice = random.Random(style.seed or None)
        start = first_decision(game)
        if start is not None:  # compiled before any clock starts
            self.choose(start, Limit(nodes=1))

    def choose(self, position: Position, limit: Limit) -> Report:
        style = self.style._replace(seed=self.dice.randrange(1, 1 << 31))
        report = self.search(position, self.depth, self.heuristic, style, limit)
        return report if self._proves(position, report) else _as_estimate(report)

    def _proves(self, position: Position, report: Report) -> bool:
        """Is a win or loss that was found certain? Not if it is a mean over chances, or moves were not looked at."""
        whole = position.game.rulebook.outcomes is None and not self.style.breadth and not report.remarks
        return whole or wins_at_once(position, report.moves)


def _as_estimate(report: Report) -> Report:
    lines = (replace(line, score=Score.estimate(line.score.value, line.score.side)) for line in report.lines)
    return replace(report, lines=tuple(lines))


def minimax(game: Game, options: MinimaxOptions) -> TextbookAgent:
    return _made(game, textbook.minimax, options)


def alphabeta(game: Game, options: AlphabetaOptions) -> TextbookAgent:
    return _made(game, textbook.alphabeta, options)


def greedy(game: Game, options: GreedyOptions) -> TextbookAgent:
    """One turn ahead; the best moves are equally likely."""
    known = heuristics_of(game.rulebook)
    heuristic = next((each for each in known if each.greedy), find(game.rulebook))
    return TextbookAgent(game, textbook.minimax, 1, heuristic, textbook.Style(shuffle=True, seed=options.seed))


def _made(game: Game, search: Search, options: MinimaxOptions | AlphabetaOptions) -> TextbookAgent:
    if options.noise < 0:
        raise BadOption(f"option noise is {options.noise:g}, expected 0 or more")
    style = textbook.Style(
        shuffle=options.shuffle,
        breadth=in_range("breadth", options.breadth, 0, 10_000),
        shallow=options.ties == "shallow",
        noise=options.noise,
        seed=options.seed,
    )
    heuristic = find(game.rulebook, options.heuristic or None)
    return TextbookAgent(game, search, options.depth, heuristic, style)


KINDS: list[AgentKind] = [
    AgentKind(name="minimax", summary="minimax at a fixed depth", make=minimax, web=True, options=MinimaxOptions),
    AgentKind(
        name="alphabeta", summary="alpha-beta at a fixed depth", make=alphabeta, web=True, options=AlphabetaOptions
    ),
    AgentKind(name="greedy", summary="the best turn at first sight", make=greedy, web=True, options=GreedyOptions),
]

"""How games begin: some random turns, kept when the engine calls the position balanced, none like another.

Opening number k depends on the seed and on the openings before it only, so that more of them can be drawn later. Two
lines that lead to one position, or to its mirror image, count as one opening.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from kibitz import heuristics
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.random_play import play_turns
from kibitz.search.engine import Engine
from kibitz.search.mcts import Settings, Tree
from kibitz.tables.probe_table import find_probe_table

TRIES = 24  # balanced positions are looked for so often; then the most balanced one seen will do
SIMULATIONS = 2_000  # where no heuristic tells who is better
EVEN_CHANCES = 0.2  # how far from even sampling may find a position, its values being -1 to 1

Judge = Callable[[Position], float]  # how far from even, 1 being just acceptable


class BadOpening(KibitzError):
    """A line that cannot be an opening, or a way to draw them that makes no sense."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OpeningSettings:
    """How openings are drawn. `lines` are given instead of drawn ones."""

    seed: int = 1
    least: int = 4  # turns
    most: int = 8
    balance: float = 1.0  # in pieces: how much better one side may stand; 0: anything goes
    nodes: int = 20_000  # that the engine looks at to say so
    lines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.least <= self.most <= 200:
            raise BadOpening(f"openings of {self.least} to {self.most} turns, expected 0 to 200, the fewer first")
        if not 0 <= self.balance < 1e6:
            raise BadOpening(f"balance is {self.balance:g}, expected a number of pieces, or 0 for any position")


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """One way to begin, and where it is less than was asked."""

    number: int
    line: str
    seed: int  # of everything random in the games that begin so
    note: str = ""  # where it is less than was asked: unbalanced, repeated
    game: str = ""  # the board, where a contest has several


def generate_openings(game: Game, settings: OpeningSettings, known: Sequence[Opening] = ()) -> Iterator[Opening]:
    """Openings without end, from the number after those known."""
    if settings.lines:
        yield from _repeat_lines(settings, len(known))
    seen = {form(game.new().play(opening.line)) for opening in known}
    with keep_ctrl_c():
        judge = judge_of(game, settings)
    for number in count(len(known)):
        opening, after = _sample_opening(game, settings, number, seen, judge)
        seen.add(form(after))
        yield opening


def _repeat_lines(settings: OpeningSettings, start: int) -> Iterator[Opening]:
    for number in count(start):
        line = settings.lines[number % len(settings.lines)]
        note = "repeated" if number >= len(settings.lines) else ""
        yield Opening(number=number, line=line, seed=seed_for(settings.seed, number), note=note)


def _sample_opening(
    game: Game, settings: OpeningSettings, number: int, seen: set[Any], judge: Judge | None
) -> tuple[Opening, Position]:
    """The first balanced new position of some tries, else the most balanced, else one that was there before."""
    seed = seed_for(settings.seed, number)
    dice = random.Random(seed)
    fallback: tuple[tuple[bool, float], Position] | None = None
    for _ in range(TRIES if settings.most else 1):
        here = play_turns(game.new(), dice.randint(settings.least, settings.most), dice)
        if here is None:
            continue
        old = form(here) in seen
        if old and fallback is not None:
            continue
        with keep_ctrl_c():
            uneven = 0.0 if judge is None else judge(here)
        if not old and uneven <= 1.0:
            return Opening(number=number, line=here.line, seed=seed), here
        if fallback is None or (old, uneven) < fallback[0]:
            fallback = (old, uneven), here
    if fallback is None:
        raise BadOpening(f"{game.text}: games end within {settings.least} random turns, expected shorter openings")
    (old, _), here = fallback
    note = "" if settings.most == 0 else "repeated" if old else "unbalanced"
    return Opening(number=number, line=here.line, seed=seed, note=note), here


def form(position: Position) -> Any:
    """What two openings share that count as one: the least key among the position and its mirror images."""
    game = position.game
    turned = [number for number, symmetry in enumerate(game.symmetries) if not symmetry.swaps]
    states = [position.state, *(game.transform(position.state, number) for number in turned)]
    return min(game.key(state) for state in states)


def judge_of(game: Game, settings: OpeningSettings) -> Judge | None:
    """Who says how even a position is: the engine with a heuristic, sampling without, nobody if nobody is asked."""
    if settings.balance == 0 or settings.most == 0:
        return None
    if heuristics.heuristics_of(game.rulebook):
        return _engine_judge(game, settings)
    tree_settings = Settings(megabytes=64, seed=settings.seed or 1)

    def chances(position: Position) -> float:
        report = Tree(game, None, tree_settings).search(position, Limit(nodes=SIMULATIONS))
        return abs(report.score.value) / EVEN_CHANCES if report.score else 0.0

    return chances


def _engine_judge(game: Game, settings: OpeningSettings) -> Judge:
    heuristic = heuristics.find(game.rulebook)
    engine = Engine(game, heuristic, perfect=find_probe_table(game), megabytes=16)

    def pieces(position: Position) -> float:
        engine.forget()
        report = engine.search(position, Limit(nodes=settings.nodes))
        return abs(report.score.value) / (heuristic.unit * settings.balance) if report.score else 0.0

    return pieces


def seed_for(*parts: object) -> int:
    """A seed that follows from these values alone, on any machine. Never zero, which means "any" to agents."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:6], "big") + 1

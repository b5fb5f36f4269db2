"""How games begin: some random turns, kept when the engine calls the position balanced, none like another.

Opening number k depends on the seed and on the openings before it only, so that more of them can be drawn later. Two
lines that lead to one position, or to its mirror image, count as one opening.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from kibitz import heuristics
from kibitz.arena.heeding import ctrl_c_heeded
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.random_play import play_turns
from kibitz.core.result import CHANCE
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
class Drawing:
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


def draw(game: Game, drawing: Drawing, known: Sequence[Opening] = ()) -> Iterator[Opening]:
    """Openings without end, from the number after those known."""
    if drawing.lines:
        yield from _given(drawing, len(known))
    seen = {form(game.new().play(opening.line)) for opening in known}
    with ctrl_c_heeded():
        judge = judge_of(game, drawing)
    for number in count(len(known)):
        opening, after = _drawn(game, drawing, number, seen, judge)
        seen.add(form(after))
        yield opening


def _given(drawing: Drawing, start: int) -> Iterator[Opening]:
    for number in count(start):
        line = drawing.lines[number % len(drawing.lines)]
        note = "repeated" if number >= len(drawing.lines) else ""
        yield Opening(number=number, line=line, seed=seed_for(drawing.seed, number), note=note)


def _drawn(game: Game, drawing: Drawing, number: int, seen: set[Any], judge: Judge | None) -> tuple[Opening, Position]:
    """The first balanced new position of some tries, else the most balanced, else one that was there before."""
    seed = seed_for(drawing.seed, number)
    dice = random.Random(seed)
    fallback: tuple[tuple[bool, float], Position] | None = None
    for _ in range(TRIES if drawing.most else 1):
        here = play_turns(game.new(), dice.randint(drawing.least, drawing.most), dice)
        if here is None:
            continue
        old = form(here) in seen
        if old and fallback is not None:
            continue
        with ctrl_c_heeded():
            uneven = 0.0 if judge is None else judge(here)
        if not old and uneven <= 1.0:
            return Opening(number=number, line=here.line, seed=seed), here
        if fallback is None or (old, uneven) < fallback[0]:
            fallback = (old, uneven), here
    if fallback is None:
        raise BadOpening(f"{game.text}: games end within {drawing.least} random turns, expected shorter openings")
    (old, _), here = fallback
    note = "" if drawing.most == 0 else "repeated" if old else "unbalanced"
    return Opening(number=number, line=here.line, seed=seed, note=note), here


def form(position: Position) -> Any:
    """What two openings share that count as one: the least key among the position and its mirror images."""
    game = position.game
    turned = [number for number, symmetry in enumerate(game.symmetries) if not symmetry.swaps]
    states = [position.state, *(game.transform(position.state, number) for number in turned)]
    return min(game.key(state) for state in states)


def judge_of(game: Game, drawing: Drawing) -> Judge | None:
    """Who says how even a position is: the engine with a heuristic, sampling without, nobody if nobody is asked."""
    if drawing.balance == 0 or drawing.most == 0:
        return None
    if heuristics.heuristics_of(game.rulebook):
        return _engine_judge(game, drawing)
    tree_settings = Settings(megabytes=64, seed=drawing.seed or 1)

    def chances(position: Position) -> float:
        report = Tree(game, None, tree_settings).search(position, Limit(nodes=SIMULATIONS))
        return abs(report.score.value) / EVEN_CHANCES if report.score else 0.0

    return chances


def _engine_judge(game: Game, drawing: Drawing) -> Judge:
    heuristic = heuristics.find(game.rulebook)
    engine = Engine(game, heuristic, perfect=find_probe_table(game), megabytes=16)

    def pieces(position: Position) -> float:
        engine.forget()
        report = engine.search(position, Limit(nodes=drawing.nodes))
        return abs(report.score.value) / (heuristic.unit * drawing.balance) if report.score else 0.0

    return pieces


def seed_for(*parts: object) -> int:
    """A seed that follows from these values alone, on any machine. Never zero, which means "any" to agents."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:6], "big") + 1


def read_lines(path: Path, game: Game) -> tuple[str, ...]:
    """The openings of a file, one line of moves each; empty lines and what follows a `#` do not count."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadOpening(f"cannot read the openings '{path}': {getattr(problem, 'strerror', 'not a text')}") from None
    lines = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if line:
            _check(game, line, f"{path}:{number}")
            lines.append(line)
    if not lines:
        raise BadOpening(f"no opening in '{path}', expected a line of moves for each")
    return tuple(lines)


def _check(game: Game, line: str, place: str) -> None:
    try:
        end = game.new().play(line)
    except KibitzError as error:
        raise BadOpening(f"{place}: {error}") from None
    if end.over or end.turn == CHANCE:
        state = "the game is over" if end.over else "chance is to move"
        raise BadOpening(f"{place}: {state} after {quoted(line)}, expected a position in which a player is to move")

"""An exported game beside Python: the same rules on random games, the same searches node by node."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.seam.interpreter import InterpretedKernel
from kibitz.core.seam.slots import evaluate
from kibitz.core.seam.words import words_of
from kibitz.export.library import file_name, write_library
from kibitz.export.node import run_script
from kibitz.search.engine import Engine
from kibitz.search.engine.engine import hash_key
from kibitz.search.report import Report

ANSWERS = Path(__file__).with_name("answers.mjs")
MEGABYTES = 16
LARGEST_NUMBER = 2**53 - 1


def as_id(move: int) -> int | str:
    """A move as engine.js writes it."""
    return move if abs(move) <= LARGEST_NUMBER else str(move)


class Exported:
    """A game in a folder, ready to be asked."""

    def __init__(self, game: Game, heuristic: Heuristic, folder: Path) -> None:
        self.game, self.heuristic, self.folder = game, heuristic, folder
        write_library(game, heuristic, folder)

    def ask(self, **job: Any) -> Any:
        """What Node answers."""
        return run_script(ANSWERS, {"folder": str(self.folder), "name": file_name(self.game), **job})


def random_game(game: Game, dice: random.Random, most: int) -> list[Position]:
    """The positions of a game played at random."""
    here = game.new()
    found = [here]
    while not here.over and len(found) < most:
        here = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
        found.append(here)
    return found


def line_of(position: Position) -> list[int | str]:
    """The moves that led to a position."""
    trail = [each.last_move for each in position.trail() if each.last_move is not None]
    return [as_id(move) for move in reversed(trail)]


def compare_rules(exported: Exported, count: int, seed: int = 1, most: int = 300) -> int:
    """Compare random games with plain Python; how many positions there were."""
    game, dice = exported.game, random.Random(seed)
    walks: list[list[Position]] = []
    while sum(map(len, walks)) < count:
        walks.append(random_game(game, dice, most))
    answers = exported.ask(games=[line_of(walk[-1]) for walk in walks])["games"]
    judge: Any = InterpretedKernel(game.rulebook, evaluate_state, exported.heuristic)  # type: ignore[arg-type]
    find_key: Any = InterpretedKernel(game.rulebook, hash_key)  # type: ignore[arg-type]
    weights = exported.heuristic.weight_array
    for walk, answer in zip(walks, answers, strict=True):
        for position, found in zip(walk, answer, strict=True):
            state, rules = position.state, game.rules
            value = float(judge(state, rules, weights, position.turn & 1))
            expected = describe(position, value, find_key(state, rules))
            assert found == expected, f"{game.text} position {position.text}: {found} != {expected}"
    return sum(map(len, walks))


def evaluate_state(state: Any, rules: Any, weights: Any, me: int) -> float:
    """A kernel: what the heuristic says for the first player."""
    return evaluate(state, rules, weights, me)


def describe(position: Position, value: float, key: int) -> dict[str, Any]:
    """What the answers have to say of a position, by plain Python."""
    return {
        "side": position.turn,
        "chance": position.turn == CHANCE,
        "over": position.over,
        "result": None if position.result is None else int(position.result),
        "words": [str(word) for word in words_of(position.state).tolist()],
        "key": str(key),
        "moves": [] if position.turn == CHANCE else [as_id(move) for move in position.move_ids],
        "outcomes": [{"id": as_id(move), "odds": odds} for odds, move in rolls_of(position)],
        "value": (-value if position.turn == 1 else value) + 0.0,
    }


def rolls_of(position: Position) -> list[tuple[float, int]]:
    """What chance may do, unless the game is over."""
    return position.game.outcomes(position.state) if position.turn == CHANCE and not position.over else []


def compare_searches(
    exported: Exported, positions: Iterable[Position], *limits: tuple[Limit, int], overlook: float = 0.0, seed: int = 1
) -> int:
    """Compare searches, depth by depth; how many nodes they had."""
    more = {"overlook": overlook, "seed": seed}
    cases = [(position, limit, lines) for position in positions for limit, lines in limits]
    jobs = [
        {"start": [str(word) for word in words_of(root_of(position).state).tolist()], "moves": line_of(position),
         "depth": limit.depth, "nodes": limit.nodes, "lines": lines, **more}
        for position, limit, lines in cases
    ]  # fmt: skip
    answers = exported.ask(searches=jobs)["searches"]
    engine = Engine(exported.game, exported.heuristic, megabytes=MEGABYTES)
    nodes = 0
    for (position, limit, lines), answer in zip(cases, answers, strict=True):
        depths: list[Report] = []
        engine.forget()
        last = engine.search(position, limit, lines=lines, watch=depths.append, overlook=overlook, seed=seed)
        found = [summary(each) for each in (*answer["depths"], answer["last"])]
        expected = [summary_of(each) for each in (*depths, last)]
        assert found == expected, f"{position!r} {limit}, {lines} lines:\n{found}\n{expected}"
        nodes += last.nodes
    return nodes


def root_of(position: Position) -> Position:
    """The oldest position of a game."""
    return list(position.trail())[-1]


def summary(report: dict[str, Any]) -> tuple[Any, ...]:
    """What two reports have in common if they come from the same search."""
    lines = tuple((tuple(line["line"]), round(line["score"], 6), line["proven"]) for line in report["lines"])
    return report["depth"], report["nodes"], report["tableHits"], report["cutoffs"], tuple(report["moves"]), lines


def summary_of(report: Report) -> tuple[Any, ...]:
    """The same of a report in Python."""
    lines = tuple(
        (tuple(map(as_id, line.moves)), round(line.score.value, 6), line.score.proven) for line in report.lines
    )
    moves = tuple(map(as_id, report.moves))
    return report.depth, report.nodes, report.table_hits, report.cutoffs, moves, lines

"""What a worker does for a page of puzzles: show one, judge a turn, play out why it fails, and the solution."""

import itertools

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.puzzles.tactics.turns import start_afresh
from kibitz.search.report import Score, win_chance
from kibitz.tables.table import Value
from kibitz.web.api.facts import Facts, moves_facts, pieces_of
from kibitz.web.session.steps import make_step
from kibitz.web.workers.cache import WorkerCache

MOST_FRAMES = 12  # moves of a refutation that are shown


def show(cache: WorkerCache, given: Facts) -> Facts:
    """A puzzle as it begins."""
    about: Facts = given["about"]
    return about | {"board": _board(_begun(cache, given))}


def play(cache: WorkerCache, given: Facts) -> Facts:
    """What the moves of a turn come to: more is to be moved, the right turn with its answer, or a wrong one."""
    here = _begun(cache, given)
    after = _played(here, given["moves"])
    frames = _frames(here, after)
    if not after.over and after.turn == here.turn:
        return {"verdict": "partial", "frames": frames, "board": _board(after)}
    line, done = given["line"], given["done"]
    expected = here.play(line[done])
    if not (expected.key == after.key and expected.turn == after.turn):
        return {"verdict": "wrong", "frames": frames, "board": _board(after)}
    if done + 1 == len(line):
        return {"verdict": "solved", "frames": frames, "board": _board(after)}
    answered = after.play(line[done + 1])
    answer = _frames(after, answered)
    return {"verdict": "right", "frames": frames, "answer": answer, "done": done + 2, "board": _board(answered)}


def why(cache: WorkerCache, given: Facts) -> Facts:
    """How the other side meets a wrong turn: its line, and what is known of how it ends."""
    here = _begun(cache, given)
    after = _played(here, given["moves"])
    if after.over:
        return {"frames": [], "ends": _ended(after), "board": _board(after)}
    engine = cache.engine(given["game"], given["exact"])
    report = engine.search(start_afresh(after), Limit(seconds=given["seconds"]))
    line = report.lines[0]
    there = after
    for code in line.moves[:MOST_FRAMES]:
        there = there.play(int(code))
    value = _probed(cache, given["game"], after) if given["exact"] else None
    ends = _described(after, here.turn, line.score, value, engine.heuristic.unit)
    return {"frames": _frames(after, there), "ends": ends, "board": _board(there)}


def solution(cache: WorkerCache, given: Facts) -> Facts:
    """The rest of the line, move by move."""
    here = _begun(cache, given)
    after = here
    for turn in given["line"][given["done"] :]:
        after = after.play(turn)
    return {"frames": _frames(here, after), "board": _board(after)}


def _begun(cache: WorkerCache, given: Facts) -> Position:
    """The position in which the solver is to move."""
    here = cache.game(given["game"]).position(given["position"])
    for turn in given["line"][: given["done"]]:
        here = here.play(turn)
    return here


def _played(here: Position, moves: str) -> Position:
    """The position after moves of one turn."""
    after = here
    for word in filter(None, moves.split("+")):
        if after.over or after.turn != here.turn:
            raise KibitzError(f"'{moves[:60]}' is more than a turn")
        after = after.play(word)
    return after


def _board(here: Position) -> Facts:
    return {
        "pieces": pieces_of(here),
        "moves": moves_facts(here),
        "turn": here.turn,
        "to_move": here.to_move,
        "position": here.text,
        "ended": _ended(here) if here.over else None,
    }


def _frames(before: Position, after: Position) -> list[Facts]:
    """The boards from one position to a later one."""
    passed = list(itertools.takewhile(lambda position: position is not before, after.trail()))[::-1]
    return [
        {"gesture": step.gesture, "pieces": pieces_of(position), "side": step.side, "chance": step.side == CHANCE}
        for position in passed
        for step in [make_step(position)]
    ]


def _ended(here: Position) -> Facts:
    assert here.result is not None
    return {"known": True, "winner": here.result.winner, "turns": 0}


def _probed(cache: WorkerCache, game: str, here: Position) -> Value | None:
    table = cache.table(game)
    return None if table is None else table.probe(here.state)


def _described(here: Position, solver: int, score: Score, value: Value | None, unit: float) -> Facts:
    """How a position ends: `known`, with the winner and the turns until then, or the solver's chances as the engine
    thinks.
    """
    if value is not None:
        return {"known": True, "winner": value.winner, "turns": value.turns}
    if score.win_in is not None:
        winner = here.turn if score.win_in > 0 else 1 - here.turn
        return {"known": True, "winner": winner, "turns": abs(score.win_in)}
    chances = win_chance(score, unit)
    return {"known": False, "chances": round(chances if here.turn == solver else 1.0 - chances, 3), "side": solver}


VERBS = {"show": show, "play": play, "why": why, "solution": solution}

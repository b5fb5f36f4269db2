"""An agent that never errs: it plays by a table of perfect play."""

from typing import NamedTuple

from kibitz.agents.agent import AgentKind
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.search.report import WIN, Line, Report, Score
from kibitz.tables.lookup import open_or_solve, require_value
from kibitz.tables.table import Table, Value


class Candidate(NamedTuple):
    """A move with what decides between it and others, the more the better, one after the other."""

    worth: int  # by the table: a win soon, a draw, a loss late
    fresh: bool  # where that is equal: not seen before in this game, so that it goes on
    traps: float  # the share of the enemy's answers that lose
    code: int
    value: Value


class PerfectAgent:
    """Wins in the fewest turns, holds every draw and lets the enemy err, and where it is lost resists longest."""

    def __init__(self, game: Game) -> None:
        self.table: Table = open_or_solve(game.new())

    def choose(self, position: Position, limit: Limit) -> Report:
        here = position
        best = self._best(here)
        value, moves = best.value, [best.code]
        here = here.play(best.code)
        while here.turn == position.turn and not here.over:
            best = self._best(here)
            moves.append(best.code)
            here = here.play(best.code)
        score = Score(score_of(value, position.turn), position.to_move, proven=value.winner is not None)
        text = _line_text(position, tuple(moves))
        return Report(tuple(moves), (Line(score, tuple(moves), text),), depth=value.turns, nodes=len(position.move_ids))

    def _best(self, position: Position) -> Candidate:
        found = [self._candidate(position, code) for code in position.move_ids]
        return max(found, key=lambda each: (each.worth, each.fresh, each.traps, -each.code))

    def _candidate(self, position: Position, code: int) -> Candidate:
        after = position.play(code)
        value = require_value(self.table, after.state)
        worth = 0 if after.over and not value.turns and value.winner is None else value.rank(position.turn)
        traps = self._traps(after, position.turn) if value.winner is None else 0.0
        return Candidate(worth, after.seen == 1, traps, code, one_turn_before(value, position, after))

    def _traps(self, after: Position, side: int) -> float:
        """The share of the enemy's answers that turn a draw into a loss."""
        if after.over or after.turn in (side, CHANCE):
            return 0.0
        answers = [self.table.probe(after.game.play(after.state, code)) for code in after.move_ids]
        return sum(answer is not None and answer.winner == side for answer in answers) / len(answers)


def one_turn_before(value: Value, position: Position, after: Position) -> Value:
    """What a position is worth by a move whose value is known."""
    same_turn = after.turn == position.turn and not after.over
    return Value(value.winner, value.turns + (value.winner is not None and not same_turn))


def score_of(value: Value, side: int) -> float:
    """A value as searches score it, for this side."""
    if value.winner is None:
        return 0.0
    return WIN - value.turns if value.winner == side else value.turns - WIN


def _line_text(position: Position, moves: tuple[int, ...]) -> str:
    here = Position(position.game, position.state)
    for move in moves:
        here = here.play(move)
    return here.line


def perfect(game: Game, options: object) -> PerfectAgent:
    return PerfectAgent(game)


KINDS: list[AgentKind] = [
    AgentKind(name="perfect", summary="plays by a table that kibitz solve has built", make=perfect, ours=True),
]

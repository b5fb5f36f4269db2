"""Is a position a puzzle? One turn alone wins, or alone holds the draw, and all the others do not.

There are three ways to know. A table of perfect play says it of every turn. Without one, the engine looks for positions
where it may be so, and then proof-number search is asked about every single turn; where it does not finish, a puzzle
may still be kept as checked, if the engine sees the same after a much longer look. In games of chance nothing is
proven: there the best turn is one whose chances are higher by a margin than those of any other.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from kibitz import nets
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.puzzles.tactics.provers import MEGABYTES, SMALL, ProofNumberProver, find_table, search
from kibitz.puzzles.tactics.puzzle import Evidence, Goal
from kibitz.puzzles.tactics.turns import WholeTurn, find_turn, list_turns
from kibitz.search.engine import Engine
from kibitz.search.report import Report, win_chance
from kibitz.tables import lookup
from kibitz.tables.table import Table, Value

GLANCE = 8  # how many times shorter the look is by which most positions are passed over
DEEP = 20  # how many times longer the look is that a checked puzzle withstands
LOST_AT_ONCE = 2  # turns: one's own, and the other side's that wins
STILL_OPEN = 0.6  # the highest chance that the next best turn of a checked win may have


class Finding(NamedTuple):
    """A turn that is the only one of its kind."""

    goal: Goal
    turn: WholeTurn
    choices: int
    evidence: Evidence
    turns: int | None = None  # until the win
    margin: float | None = None
    parry: bool = False  # does every other turn lose at once? Then the only one is seen without looking ahead


class Judge(Protocol):
    """Finds the only good turn of a position, and the answer that makes it hardest."""

    def judge(self, position: Position) -> Finding | None: ...

    def answer(self, position: Position) -> WholeTurn | None: ...


class TableJudge:
    """Knows by a table of perfect play."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def judge(self, position: Position) -> Finding | None:
        turns = list_turns(position)
        if turns is None or len(turns) < 2:
            return None
        side = position.turn
        values = [lookup.require_value(self.table, turn.after.state) for turn in turns]
        if position.game.turns_left(position.state) <= max(value.turns for value in values) + 1:
            return None  # a table knows nothing of the ply limit
        wins = [(turn, value) for turn, value in zip(turns, values, strict=True) if value.winner == side]
        if len(wins) == 1:
            turn, value = wins[0]
            return Finding("win", turn, len(turns), "table", value.turns + 1, parry=_is_parry(values, side))
        draws = [turn for turn, value in zip(turns, values, strict=True) if value.winner is None]
        if not wins and len(draws) == 1:
            return Finding("draw", draws[0], len(turns), "table", parry=_is_parry(values, side))
        return None

    def answer(self, position: Position) -> WholeTurn | None:
        """The turn after which the other side needs longest."""
        turns = list_turns(position) or []
        return max(turns, key=lambda turn: self._value(turn).rank(position.turn), default=None)

    def _value(self, turn: WholeTurn) -> Value:
        return lookup.require_value(self.table, turn.after.state)


class SearchJudge:
    """Knows by proof, or where `checked` allows it, by a deep search."""

    def __init__(self, game: Game, nodes: int, checked: bool = False) -> None:
        heuristic = nets.find_heuristic(game)
        self.nodes = nodes
        self.checked = checked
        self.engine = Engine(game, heuristic, megabytes=SMALL)
        self.prover = ProofNumberProver(game)

    def judge(self, position: Position) -> Finding | None:
        if _goal(search(self.engine, position, self.nodes // GLANCE, lines=2)) is None:
            return None
        report = search(self.engine, position, self.nodes, lines=2)
        goal = _goal(report)
        if goal is None:
            return None
        turns = list_turns(position)
        after = _after(self.engine, position, report)
        best = None if turns is None else find_turn(turns, after)
        if turns is None or best is None or len(turns) < 2:
            return None
        shown = self._is_proven(position, goal, best, turns)
        if shown is False or (shown is None and not self._withstands(position, goal, best)):
            return None
        length = report.lines[0].score.win_in if goal == "win" else None
        second = report.lines[1].score.win_in
        parry = second is not None and -LOST_AT_ONCE <= second < 0
        return Finding(goal, best, len(turns), "proof" if shown else "checked", length, parry=parry)

    def answer(self, position: Position) -> WholeTurn | None:
        report = search(self.engine, position, self.nodes)
        turns = list_turns(position)
        return None if turns is None else find_turn(turns, _after(self.engine, position, report))

    def _is_proven(self, position: Position, goal: Goal, best: WholeTurn, turns: list[WholeTurn]) -> bool | None:
        """True: each turn is what it should be. False: one is not. None: one is open, and checks will do."""
        side = position.turn
        open_turns = 0
        for claim in claims_of(goal, side, best, turns):
            found = self.prover.ask(claim.position, claim.attacker, 5 * self.nodes)
            if found is None and self.checked:
                open_turns += 1
            elif found is not claim.wins:
                return False
        return None if open_turns else True

    def _withstands(self, position: Position, goal: Goal, best: WholeTurn) -> bool:
        """Does a much longer look see the same?"""
        report = search(self.engine, position, DEEP * self.nodes, lines=2)
        same = _goal(report) == goal and _after(self.engine, position, report).key == best.after.key
        unit = self.engine.heuristic.unit
        return same and (goal == "draw" or win_chance(report.lines[1].score, unit) <= STILL_OPEN)


class Claim(NamedTuple):
    """A puzzle says that this side wins a position, or that it does not."""

    attacker: int
    position: Position
    wins: bool


def claims_of(goal: Goal, side: int, best: WholeTurn, turns: list[WholeTurn]) -> Iterator[Claim]:
    """All that a puzzle says of the turns of its position, the best one first."""
    attacker = side if goal == "win" else 1 - side
    yield Claim(attacker, best.after, goal == "win")
    for turn in turns:
        if turn.after is not best.after:
            yield Claim(attacker, turn.after, goal != "win")
    if goal == "draw":
        yield Claim(side, best.after, False)


class ChanceJudge:
    """Compares chances. A turn of several moves is looked at move by move: each must be better by the margin."""

    def __init__(self, game: Game, nodes: int, margin: float) -> None:
        self.engine = Engine(game, nets.find_heuristic(game), megabytes=MEGABYTES)
        self.nodes = nodes
        self.margin = margin

    def judge(self, position: Position) -> Finding | None:
        once = self._best_turn(position, self.nodes)
        if once is None:
            return None
        deep = self._best_turn(position, DEEP * self.nodes)
        if deep is None or deep[0].after.key != once[0].after.key:
            return None
        turn, margin = deep
        return Finding("best", turn, 0, "expected", margin=round(min(margin, once[1]), 3))

    def answer(self, position: Position) -> WholeTurn | None:
        return None  # what comes next is chance's

    def _best_turn(self, position: Position, nodes: int) -> tuple[WholeTurn, float] | None:
        """The best turn and by how much it is the best; None where that is less than the margin."""
        here, words, margin = position, [], 1.0
        unit = self.engine.heuristic.unit
        while not here.over and here.turn == position.turn:
            moves = here.game.moves_once(here.state)
            if len(moves) > 1:
                report = search(self.engine, here, nodes, lines=2)
                chances = [win_chance(line.score, unit) for line in report.lines]
                margin = min(margin, chances[0] - chances[1] if len(chances) > 1 else 0.0)
                if margin < self.margin:
                    return None
                moves = [report.lines[0].moves[0]]
            words.append(here.game.move_text(here.state, moves[0]))
            here = here.play(moves[0])
        return WholeTurn("+".join(words), here), margin


def find_judge(game: Game, nodes: int, checked: bool, margin: float) -> Judge:
    """How the puzzles of a game are judged: by its table, where there is one or it is small enough to be solved."""
    if game.rulebook.outcomes is not None:
        return ChanceJudge(game, nodes, margin)
    table = find_table(game)
    return SearchJudge(game, nodes, checked) if table is None else TableJudge(table)


def _is_parry(values: list[Value], side: int) -> bool:
    """Do all turns but one lose at once?"""
    at_once = [value for value in values if value.winner == 1 - side and value.turns < LOST_AT_ONCE]
    return len(at_once) == len(values) - 1


def _goal(report: Report) -> Goal | None:
    """What the only good turn may reach, by a report of the two best ones."""
    if len(report.lines) < 2:
        return None
    best, second = (line.score.win_in for line in report.lines[:2])
    if best is not None and best > 0:
        return None if second is not None and second > 0 else "win"
    return "draw" if best is None and second is not None and second < 0 else None


def _after(engine: Engine, position: Position, report: Report) -> Position:
    here = position
    for move in engine.whole_turn(position, report.lines[0].moves):
        here = here.play(move)
    return here

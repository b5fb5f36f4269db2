"""Who can say whether a side wins a position: proof-number search, the engine, a table of perfect play."""

from typing import Protocol

from kibitz import heuristics
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam.control import StopSignal
from kibitz.puzzles.tactics.turns import start_afresh
from kibitz.search import proof
from kibitz.search.engine import Engine
from kibitz.search.report import Report
from kibitz.tables import folder, lookup
from kibitz.tables.errors import CannotSolve, NoTable
from kibitz.tables.table import Table

MEGABYTES = 16  # of each search's table
SMALL = 1  # of one that looks briefly, and is emptied before each look


class Prover(Protocol):
    """Answers whether a side wins, by its own means."""

    name: str

    def ask(self, position: Position, attacker: int, nodes: int) -> bool | None:
        """Can this side force a win from here? None where that is not known."""
        ...


class ProofNumberProver:
    """Proof-number search."""

    name = "proof-number search"

    def __init__(self, game: Game) -> None:
        heuristic = heuristics.find(game.rulebook)
        self.searches = [proof.Search(game, side, MEGABYTES, heuristic) for side in (0, 1)]

    def ask(self, position: Position, attacker: int, nodes: int) -> bool | None:
        if position.over:
            return is_won(position, attacker)
        verdict, _ = self.searches[attacker].ask(start_afresh(position), Limit(nodes=nodes))
        return {"proven": True, "disproven": False}.get(verdict)


class EngineProver:
    """The engine, which proves wins and losses and never a draw."""

    name = "engine"

    def __init__(self, game: Game, heuristic: Heuristic) -> None:
        self.engine = Engine(game, heuristic, megabytes=MEGABYTES)

    def ask(self, position: Position, attacker: int, nodes: int) -> bool | None:
        if position.over:
            return is_won(position, attacker)
        score = search(self.engine, start_afresh(position), nodes).lines[0].score
        return None if score.win_in is None else (score.win_in > 0) == (position.turn == attacker)


class TableProver:
    """A table of perfect play."""

    name = "table"

    def __init__(self, table: Table) -> None:
        self.table = table

    def ask(self, position: Position, attacker: int, nodes: int) -> bool | None:
        value = self.table.probe(position.state)
        return None if value is None else value.winner == attacker


def is_won(position: Position, side: int) -> bool:
    """Has this side won?"""
    return position.result is not None and position.result.winner == side


def find_table(game: Game) -> Table | None:
    """The table of a game; None where there is none, and none can be made within seconds."""
    if game.blocks:
        return folder.find(game)
    try:
        return lookup.open_or_solve(game.new())
    except (NoTable, CannotSolve):
        return None


def search(engine: Engine, position: Position, nodes: int, lines: int = 1) -> Report:
    """A search from nothing, so that it finds the same wherever it is asked; Ctrl-C ends it and is raised."""
    engine.forget()
    stop = StopSignal()
    report = engine.search(position, Limit(nodes=nodes), lines=lines, stop=stop)
    if stop.interrupted:
        raise KeyboardInterrupt
    return report

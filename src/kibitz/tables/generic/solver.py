"""The generic way to solve a game: find all positions that can come about, then value them from the ends back."""

from kibitz.core.game import Game
from kibitz.tables.errors import CannotSolve
from kibitz.tables.generic.backward_pass import BackwardPass
from kibitz.tables.generic.forward_pass import PositionGraph
from kibitz.tables.generic.journal import Journal
from kibitz.tables.generic.solution import Solution
from kibitz.tables.progress import SILENT, Progress
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.worker_pool import WorkerPool

SALTS = 5


def solve(
    game: Game,
    memory: MemoryBudget,
    pool: WorkerPool,
    progress: Progress = SILENT,
    journal: Journal | None = None,
    expected: int = 0,
) -> Solution:
    """Find every position of a game, then go back from the ends. `expected` is how many there may be."""
    refuse_unfit(game)
    begun = None if journal is None else journal.read_salt()
    for salt in range(begun or 1, SALTS + 1):  # two positions may have the same code; another salt, another code
        graph = PositionGraph(game, memory, salt, pool, progress)
        if graph.explore(journal, salt == begun, expected):
            return BackwardPass(graph).run()
        pool.control[:] = 0
    raise CannotSolve(f"{game.text} has positions that cannot be told apart by {SALTS} hashes; please report it")


def refuse_unfit(game: Game) -> None:
    """There is no table of a game with chance, nor of one that counts in fractions."""
    book = game.rulebook
    if book.outcomes is not None:
        raise CannotSolve(f"{game.text} has chances, expected a game without them")
    for field in book.state_fields:
        if field.dtype.kind == "f":
            raise CannotSolve(f"{game.text}: field '{field.name}' of its state is a fraction, expected whole numbers")

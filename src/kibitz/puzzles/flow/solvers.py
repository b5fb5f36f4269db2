"""Solve a board with the solver that suits it; count solutions; prove that there is one only."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kibitz.core.errors import KibitzError, did_you_mean
from kibitz.core.limit import Limit
from kibitz.puzzles.flow.answers import NO_LIMIT, GaveUp, Search, Status
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.profile import count_free
from kibitz.puzzles.flow.propagation import Propagate, propagates
from kibitz.puzzles.flow.report_solvers import PUBLISHED
from kibitz.puzzles.flow.sat import Sat
from kibitz.puzzles.flow.sweep import Sweep, sweeps, tally

SOLVERS: Mapping[str, Callable[[Board, Limit], Search]] = {
    solver.name: solver for solver in (Propagate, Sweep, Sat, *PUBLISHED)
}
_LARGE = 625  # cells; measured: from here on the slowest boards take the sweep longer than the SAT solver


@dataclass(frozen=True)
class Answer:
    """What became of a board: solved, proven unsolvable, or given up, and what that took."""

    status: Status
    solution: Solution | None
    search: Search
    note: str = ""


@dataclass(frozen=True)
class Count:
    """How many solutions were found, and whether these are all."""

    number: int
    complete: bool
    reason: str = ""


def choose(board: Board) -> str:
    """The name of the solver that suits a board."""
    if propagates(board):
        return "propagate"
    small = sweeps(board) and board.fill and board.graph.size < _LARGE
    return "sweep" if small and board.touch != "free" else "sat"


def search(board: Board, solver: str | None = None, limit: Limit = NO_LIMIT) -> Search:
    """The solutions of a board one after another, by a named solver or the one that suits it."""
    name = solver or choose(board)
    if name not in SOLVERS:
        raise KibitzError(f"no solver is called '{name}'{did_you_mean(name, SOLVERS)}")
    return SOLVERS[name](board, limit)


def solve(board: Board, solver: str | None = None, limit: Limit = NO_LIMIT) -> Answer:
    """One solution, or why there is none. If only looser rules have one, the note says so."""
    attempt = search(board, solver, limit)
    solution = next(attempt, None)
    note = attempt.reason
    if attempt.status == "unsolvable":
        note = _looser(board, limit)
    return Answer(attempt.status, solution, attempt, note)


def count(board: Board, most: int, limit: Limit = NO_LIMIT, solver: str | None = None) -> Count:
    """The number of solutions, different sets of paths, up to `most`."""
    if solver is None and sweeps(board) and board.touch == "free":
        total = _counted_at_once(board, limit)
        if total is not None:
            return total
    if (solver or choose(board)) == "sweep":
        counted = tally(board, most, limit)
        return Count(counted.found, counted.finished, counted.reason)
    attempt = search(board, solver, limit)
    for _ in attempt:
        if attempt.found >= most:
            return Count(attempt.found, False, f"{most} solutions are enough")
    return Count(attempt.found, attempt.finished, attempt.reason)


def count_fillings(board: Board, most: int, limit: Limit = NO_LIMIT, solver: str | None = None) -> Count:
    """The number of different filled grids. Where paths may touch themselves, several sets of paths fill alike."""
    attempt = search(board, solver, limit)
    fillings: set[tuple[str, ...]] = set()
    for solution in attempt:
        fillings.add(solution.filling)
        if len(fillings) >= most:
            return Count(len(fillings), False, f"{most} fillings are enough")
    return Count(len(fillings), attempt.finished, attempt.reason)


def _counted_at_once(board: Board, limit: Limit) -> Count | None:
    try:
        total = count_free(board, limit)
    except GaveUp as why:
        return Count(0, False, str(why))
    return None if total is None else Count(total, True)


def unique(board: Board, limit: Limit = NO_LIMIT) -> bool | None:
    """Has the board exactly one solution? None if the limit did not suffice to tell."""
    return has_one_solution(search(board, None, limit))


def has_one_solution(attempt: Search) -> bool | None:
    """Does a search that has not begun find exactly one solution? None if it gives up."""
    if next(attempt, None) is None:
        return False if attempt.finished else None
    if next(attempt, None) is not None:
        return False
    return True if attempt.finished else None


def _looser(board: Board, limit: Limit) -> str:
    """What to say of a board without a solution: would it have one if a path might touch itself?"""
    if board.touch == "free":
        return ""
    if next(search(board.ruled(touch="free"), None, limit), None) is not None:
        return "solvable only if a path may touch itself"
    return ""

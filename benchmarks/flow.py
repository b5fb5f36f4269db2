"""Bench lines of Flow: solving, proving and generating, each beside the figure that was asked for."""

import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import TypeVar

from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import boards as course
from kibitz.puzzles.flow.sat import Sat

SEED = 2017
Value = TypeVar("Value")


def main() -> None:
    nine_boards()
    generating()
    solving_14x14()
    solving_15x18()
    for side, most in ((40, 3.0), (50, 4.0)):
        large(side, most)


def nine_boards() -> None:
    """First solutions and proofs of the course's boards, the best of five rounds."""
    first, proof = min(_nine_once() for _ in range(5))
    _line("nine boards, first solutions", f"{1000 * first:.2f} ms", "")
    _line("nine boards, with uniqueness proof", f"{1000 * proof:.2f} ms", "at most 5 ms; the report's 10x10b: 950 s")


def _nine_once() -> tuple[float, float]:
    first = proof = 0.0
    for board in course().values():
        search = flow.search(board)
        next(search)
        first += search.seconds
        assert next(search, None) is None
        assert search.finished
        proof += search.seconds
    return first, proof


def generating() -> None:
    """Boards a second, each proven unique."""
    order = flow.Order(flow.Plan(14, 14))
    flow.generate(order, SEED)
    made, seconds = _time(lambda: list(islice(flow.boards(order, SEED), 200)))
    border = [board.graph.border[source] for board in made for source in board.letter_at]
    _line("generate 14x14, all unique", f"{len(made) / seconds:.0f} boards/s", "at least 100 boards/s")
    _line("  of their sources on the border", f"{sum(border) / len(border):.0%}", "at most 30%")


def solving_14x14() -> None:
    made = list(islice(flow.boards(flow.Order(flow.Plan(14, 14)), SEED + 1), 500))
    times = [_proof(board) for board in made]
    _line("solve 14x14 with proof", f"{len(times) / sum(times):.0f} boards/s", "at least 500 boards/s")


def solving_15x18() -> None:
    made = list(islice(flow.boards(flow.Order(flow.Plan(18, 15)), SEED + 2), 1000))
    times = sorted(_proof(board) for board in made)
    within = sum(seconds <= 0.05 for seconds in times) / len(times)
    _line("solve 1,000 boards of 15x18 with proof", f"{within:.1%} within 50 ms", "at least 99%")
    _line("  the slowest", f"{1000 * times[-1]:.0f} ms", "at most 1000 ms")


def large(side: int, most: float) -> None:
    """The slowest of five boards proven by the SAT solver."""
    made = islice(flow.boards(flow.Order(flow.Plan(side, side)), SEED), 5)
    slowest = max(_time(partial(_prove, Sat(board)))[1] for board in made)
    _line(f"prove {side}x{side} by SAT, the slowest of 5", f"{slowest:.2f} s", f"at most {most:g} s")


def _proof(board: flow.Board) -> float:
    return _time(lambda: _prove(flow.search(board)))[1]


def _prove(search: flow.Search) -> None:
    """The board has one solution, and the search knows it."""
    assert len(list(islice(search, 2))) == 1
    assert search.finished


def _time(work: Callable[[], Value]) -> tuple[Value, float]:
    began = time.perf_counter()
    value = work()
    return value, time.perf_counter() - began


def _line(what: str, figure: str, asked: str) -> None:
    print(f"{what:42} {figure:>20}   {asked}", flush=True)


if __name__ == "__main__":
    main()

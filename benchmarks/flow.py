"""Bench lines of Flow: solving, proving and generating, each beside the figure that was asked for.

Times are those of the processor, so that other work on the machine counts less.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TypeVar

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import boards as course
from kibitz.puzzles.flow.dice import Dice
from kibitz.puzzles.flow.propagation import Propagate
from kibitz.puzzles.flow.sat import Sat

SEED = 2017
KINDS = ("plain", "walls", "holes", "hexagons", "warps", "bridges")
SIDES = (*((side, side) for side in range(5, 15)), (12, 10), (14, 12), (18, 15))
Value = TypeVar("Value")


def main() -> None:
    flow.warm()
    nine_boards()
    mixed_levels()
    generating()
    limits()
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


def mixed_levels(number: int = 3000) -> None:
    """Levels of every kind read from their texts, solved and proven unique."""
    texts = list(islice(levels(), number))
    _, seconds = _time(partial(_prove_texts, [text for _, text in texts]))
    _line(f"{number:,} levels of mixed kinds, with proof", f"{number / seconds:.0f} levels/s", "at least 2000 levels/s")
    for kind in KINDS:
        some = [text for name, text in texts if name == kind]
        _, seconds = _time(partial(_prove_texts, some))
        _line(f"  of them {kind}", f"{len(some) / seconds:.0f} levels/s", "")


def _prove_texts(texts: list[str]) -> None:
    for text in texts:
        _prove(flow.search(flow.read(text)))


def levels() -> Iterator[tuple[str, str]]:
    """Levels without end, from 5x5 to 15x18: kinds in turn, sizes by chance."""
    dice = Dice(SEED)
    while True:
        for kind in KINDS:
            rows, columns = SIDES[dice.below(len(SIDES))]
            plan = plan_of(kind, rows, columns, dice)
            yield kind, str(flow.generate(flow.Order(plan), dice.number(), Limit(seconds=60)))


def plan_of(kind: str, rows: int, columns: int, dice: Dice) -> flow.Plan:
    if kind == "warps":
        return warp(rows, columns, dice)
    return flow.topology(
        rows,
        columns,
        hexagonal=kind == "hexagons",
        walls=rows - 1 if kind == "walls" else 0,
        holes=max(1, rows // 3) if kind == "holes" else 0,
        bridges=max(1, rows // 5) if kind == "bridges" else 0,
        seed=dice.number(),
    )


def warp(rows: int, columns: int, dice: Dice) -> flow.Plan:
    """A board that wraps round through gaps in the walls of its rim; one small board in four has no such walls."""
    walls = set()
    if rows >= 10 or dice.below(4):
        walls |= {((row, 0), (row, columns - 1)) for row in range(rows) if dice.below(3)}
        walls |= {((0, column), (rows - 1, column)) for column in range(columns) if dice.below(3)}
    wraps: tuple[flow.Wrap, ...] = ("across", "down", "both", "both")
    return flow.Plan(rows, columns, wrap=wraps[dice.below(4)], walls=frozenset(walls))


def generating() -> None:
    """Boards a second, each proven unique."""
    order = flow.Order(flow.Plan(14, 14))
    made, seconds = _time(lambda: list(islice(flow.boards(order, SEED), 1000)))
    border = [board.graph.border[source] for board in made for source in board.letter_at]
    beside = [other in board.graph.neighbours[one] for board in made for one, other in board.sources.values()]
    _line("generate 14x14, all unique", f"{len(made) / seconds:.0f} boards/s", "at least 1000 boards/s")
    _line("  of their sources on the border", f"{sum(border) / len(border):.0%}", "30%")
    _line("  of their sources beside the other", f"{sum(beside) / len(beside):.0%}", "none")


def limits() -> None:
    """What a limit of a second is kept by, on orders that are hard to meet."""
    plans = {"hexagons": flow.topology(14, 14, hexagonal=True), "all sides wrap": flow.Plan(14, 14, wrap="both")}
    for name, plan in plans.items():
        began = time.perf_counter()
        _try_to_generate(flow.Order(plan, difficulty="hard"))
        seconds = time.perf_counter() - began
        _line(f"generate hard 14x14 {name}, limit 1 s", f"{seconds:.1f} s", "about 1 s")
    order = flow.Order(flow.topology(9, 9, hexagonal=True), difficulty="medium")
    made, seconds = _time(lambda: list(islice(flow.boards(order, SEED), 10)))
    _line("generate 10 medium 9x9 of hexagons", f"{seconds / len(made):.2f} s each", "")


def _try_to_generate(order: flow.Order) -> None:
    with suppress(KibitzError):
        flow.generate(order, SEED, Limit(seconds=1))


def solving_15x18() -> None:
    made = list(islice(flow.boards(flow.Order(flow.Plan(18, 15)), SEED + 2), 1000))
    times = sorted(_time(partial(_prove, flow.search(board)))[1] for board in made)
    within = sum(seconds <= 0.05 for seconds in times) / len(times)
    _line("solve 1,000 boards of 15x18 with proof", f"{within:.1%} within 50 ms", "at least 99%")
    _line("  the slowest", f"{1000 * times[-1]:.0f} ms", "at most 1000 ms")


def large(side: int, most: float) -> None:
    """The slowest of five boards proven by the compiled search, and by the SAT solver."""
    made = list(islice(flow.boards(flow.Order(flow.Plan(side, side)), SEED), 5))
    for solver in (Propagate, Sat):
        slowest = max(_time(partial(_prove, solver(board)))[1] for board in made)
        _line(f"prove {side}x{side} by {solver.name}, the slowest of 5", f"{slowest:.3f} s", f"at most {most:g} s")


def _prove(search: flow.Search) -> None:
    """The board has one solution, and the search knows it."""
    assert len(list(islice(search, 2))) == 1
    assert search.finished


def _time(work: Callable[[], Value]) -> tuple[Value, float]:
    began = time.process_time()
    value = work()
    return value, time.process_time() - began


def _line(what: str, figure: str, asked: str) -> None:
    print(f"{what:46} {figure:>20}   {asked}", flush=True)


if __name__ == "__main__":
    main()

"""Write the book of a strategy: follow a side that holds through all that can arise, noting where it breaks habits."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.limit import UNBOUNDED
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.proofs.alquerque.hold_search import HOLDS, LOST, POSITION, hold_node, list_own, list_replies
from kibitz.proofs.alquerque.preferences import HABITS
from kibitz.proofs.alquerque.strategy import Strategy
from kibitz.proofs.alquerque.strategy_checker import met
from kibitz.proofs.dfpn import DEEPEST, WIDEST, new_stacks
from kibitz.proofs.monitor import watched
from kibitz.proofs.question import Question
from kibitz.search.budget import MOST_NODES

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

# Entries of `control`: positions put in the hash set, those that wait, those that were followed up, those in the book.
MET, WAITING, FOUND, NOTED = range(6, 10)
ROOM = 1 << 20  # to begin with


def write_book(
    book: Integers,
    passed_over: Small,
    seen: Integers,
    waiting: Integers,
    kids: Integers,
    likings: Integers,
    table: Integers,
    worth: Integers,
    plan: Integers,
    control: Integers,
) -> int:
    """Follow up the positions that wait, and all that come of them, until none is left or there is no more room."""
    while control[WAITING] > 0 and control[STOP] == 0:
        if 8 * control[MET] > 7 * seen.size - WIDEST or control[NOTED] == book.size:
            break
        control[WAITING] -= 1
        code = waiting[control[WAITING]]
        end = list_own(code, int(np.int64(0)), kids, likings, worth, plan)
        if end == 0:
            continue
        control[FOUND] += 1
        chosen = first_that_holds(end, kids, likings, table, worth, plan, control)
        if chosen == LOST:
            return LOST
        if chosen > 0:
            book[control[NOTED]], passed_over[control[NOTED]] = code, chosen
            control[NOTED] += 1
        for index in range(end, list_replies(kids[chosen], end, kids)):
            if not met(kids[index], seen):
                waiting[control[WAITING]] = kids[index]
                control[WAITING] += 1
                control[MET] += 1
    return 0


def first_that_holds(
    end: int, kids: Integers, likings: Integers, table: Integers, worth: Integers, plan: Integers, control: Integers
) -> int:
    """The best liked move with which the side holds, by what is remembered or, where that is forgotten, by search."""
    for index in range(end):
        last = list_replies(kids[index], end, kids)
        good = last != LOST
        for reply in range(end, last):
            if hold_node(kids[reply], last, kids, likings, table, worth, plan, control) != HOLDS:
                good = False
                break
        if good:
            return int(index)
    return LOST


def put_back(seen: Integers, larger: Integers) -> int:
    """Put the positions of one hash set into a larger one."""
    for code in seen:
        if code != 0:
            met(code, larger)
    return 0


def strategy_of(
    question: Question, table: Integers, nodes: int, seconds: float, watch: Callable[[int, int], None]
) -> Strategy:
    """The strategy with which the side that holds does so, out of the table of the search that found it can. `watch` is
    told how many positions there are and how many of them have been followed up.
    """
    control = np.zeros(16, np.int64)
    control[MOST_NODES] = UNBOUNDED
    kids, likings, _ = new_stacks()
    waiting = np.zeros(DEEPEST * WIDEST, np.int64)
    starts = _starts(question, kids)
    seen, book, passed_over = np.zeros(2 * ROOM, np.int64), np.zeros(ROOM, np.int64), np.zeros(ROOM, np.uint8)
    for code in starts:
        met(code, seen)
    waiting[: len(starts)] = starts
    control[WAITING] = control[MET] = len(starts)
    run, refill = specialise(None, write_book), specialise(None, put_back)

    def look() -> None:
        watch(int(control[MET]), int(control[FOUND]))

    while control[WAITING] > 0:
        if 8 * control[MET] > 7 * seen.size - WIDEST:
            larger = np.zeros(2 * seen.size, np.int64)
            refill(seen, larger)
            seen = larger
        if control[NOTED] == book.size:
            book = np.concatenate([book, np.zeros(book.size, np.int64)])
            passed_over = np.concatenate([passed_over, np.zeros(book.size, np.uint8)])
        ground = question.ground
        arguments = book, passed_over, seen, waiting, kids, likings, table, ground.powers, ground.plan, control
        lost = watched(control, look, run, *arguments)
        assert lost == 0, f"{question.text}: the search and its table contradict each other"
    noted = int(control[NOTED])
    order = np.argsort(book[:noted])
    return Strategy(
        game=question.game.text,
        position=question.position.text,
        winner=question.holder,
        habits=HABITS[question.holder],
        book=book[:noted][order],
        passed_over=passed_over[:noted][order],
        positions=int(control[FOUND]),
        nodes=nodes,
        seconds=seconds,
    )


def _starts(question: Question, kids: Integers) -> list[int]:
    """The positions in which the side that holds is first to move."""
    if question.code <= POSITION:
        return [question.code]
    return sorted({int(code) for code in kids[: list_replies(question.code & POSITION, 0, kids)]})

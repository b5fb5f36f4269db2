"""Write the book of a strategy: follow a side that holds through all that can arise, noting where it plays another move
than the preferred one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise
from kibitz.proofs.alquerque.hold_search import HOLDS, POSITION, hold_node, list_own, list_replies
from kibitz.proofs.alquerque.preferences import PREFERENCES, Preferences
from kibitz.proofs.alquerque.strategy import Strategy
from kibitz.proofs.alquerque.strategy_checker import add_to_set
from kibitz.proofs.control import BOOKED, DONE, FOUND, STOP, WAITING, new_control
from kibitz.proofs.dfpn import DEEPEST, WIDEST, Stacks, new_stacks
from kibitz.proofs.monitor import run_monitored
from kibitz.proofs.question import Answer, Counts, Question
from kibitz.proofs.slots import LOST

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]

ROOM = 1 << 20  # to begin with


class Draft(NamedTuple):
    """A strategy while it is written: the book, a hash set of what has arisen, and a stack of what waits."""

    book: Integers
    skips: Small
    seen: Integers
    waiting: Integers


def write_book(draft: Draft, stacks: Stacks, table: Integers, board: Preferences, control: Integers) -> int:
    """Follow up the positions that wait, and all that come of them, until none is left or there is no more room."""
    while control[WAITING] > 0 and control[STOP] == 0:
        if is_crowded(draft, control):
            break
        control[WAITING] -= 1
        code = draft.waiting[control[WAITING]]
        end = list_own(code, int(np.int64(0)), stacks, board)
        if end == 0:
            continue
        control[DONE] += 1
        chosen = find_holding_move(end, stacks, table, board, control)
        if chosen == LOST:
            return LOST
        if chosen > 0:
            draft.book[control[BOOKED]], draft.skips[control[BOOKED]] = code, chosen
            control[BOOKED] += 1
        for index in range(end, list_replies(stacks.children[chosen], end, stacks.children)):
            if not add_to_set(stacks.children[index], draft.seen):
                draft.waiting[control[WAITING]] = stacks.children[index]
                control[WAITING] += 1
                control[FOUND] += 1
    return 0


def is_crowded(draft: Draft, control: Integers) -> bool:
    """Is there too little room to follow up one more position?"""
    return bool(8 * control[FOUND] > 7 * draft.seen.size - WIDEST or control[BOOKED] == draft.book.size)


def find_holding_move(end: int, stacks: Stacks, table: Integers, board: Preferences, control: Integers) -> int:
    """The first move with which the side holds, by what is remembered or, where that is forgotten, by search."""
    for index in range(end):
        last = list_replies(stacks.children[index], end, stacks.children)
        good = last != LOST
        for reply in range(end, last):
            if hold_node(stacks.children[reply], last, stacks, table, board, control) != HOLDS:
                good = False
                break
        if good:
            return int(index)
    return LOST


def copy_set(seen: Integers, larger: Integers) -> int:
    """Put the positions of one hash set into a larger one."""
    for code in seen:
        if code != 0:
            add_to_set(code, larger)
    return 0


def gather_strategy(answer: Answer, watch: Counts) -> Strategy:
    """The strategy with which the side that holds does so, out of the table of the search that found it can."""
    question, control, stacks = answer.question, new_control(), new_stacks()
    draft = _begin(question, control, stacks)
    run = specialise(None, write_book)
    while control[WAITING] > 0:
        if is_crowded(draft, control):
            draft = _make_room(draft, control)
        arguments = draft, stacks, answer.table, question.board, control
        lost = run_monitored(control, lambda: watch(int(control[FOUND]), int(control[DONE])), run, *arguments)
        assert lost == 0, f"{question.text}: the search and its table contradict each other"
    booked = int(control[BOOKED])
    order = np.argsort(draft.book[:booked])
    return Strategy(
        game=question.game.text,
        position=question.position.text,
        winner=question.holder,
        preferences=PREFERENCES[question.holder],
        book=draft.book[:booked][order],
        skips=draft.skips[:booked][order],
        positions=int(control[DONE]),
        nodes=answer.nodes,
        seconds=answer.seconds,
    )


def _begin(question: Question, control: Integers, stacks: Stacks) -> Draft:
    """The positions in which the side that holds is first to move, waiting to be followed up."""
    starts = _list_starts(question, stacks.children)
    draft = Draft(
        book=np.zeros(ROOM, np.int64),
        skips=np.zeros(ROOM, np.uint8),
        seen=np.zeros(2 * ROOM, np.int64),
        waiting=np.zeros(DEEPEST * WIDEST, np.int64),
    )
    for code in starts:
        add_to_set(code, draft.seen)
    draft.waiting[: len(starts)] = starts
    control[WAITING] = control[FOUND] = len(starts)
    return draft


def _make_room(draft: Draft, control: Integers) -> Draft:
    """The same with twice the room where it is short."""
    if control[BOOKED] == draft.book.size:
        book = np.concatenate([draft.book, np.zeros_like(draft.book)])
        draft = draft._replace(book=book, skips=np.concatenate([draft.skips, np.zeros_like(draft.skips)]))
    if 8 * control[FOUND] > 7 * draft.seen.size - WIDEST:
        larger = np.zeros(2 * draft.seen.size, np.int64)
        specialise(None, copy_set)(draft.seen, larger)
        draft = draft._replace(seen=larger)
    return draft


def _list_starts(question: Question, children: Integers) -> list[int]:
    if question.code <= POSITION:
        return [question.code]
    return sorted({int(code) for code in children[: list_replies(question.code & POSITION, 0, children)]})

"""The turns of the report's agent and the lists they lead to.

The groups' ways are combined, the last group's changing fastest. A new list begins with what came of battles, then
come results on listed cells, then arrivals on free cells, then the old list without emptied cells.

As shipped, the old entry of a cell that was attacked or joined lives on beside the new one; every group meets every
entry at its target for itself, and each time the first entry at its source loses the group's number, even below zero.
As meant, groups with one target are one army, and a cell has one entry.
"""

import numpy as np

from kibitz.agents.published.assael.work import (
    CELL,
    COUNT,
    KIND,
    LENGTHS,
    ROOM,
    SENT,
    SHIPPED,
    SIZES,
    SOURCE,
    TARGET,
    WAY,
    Work,
    draft_slot,
    entry,
    is_group,
    mover,
    target_of,
)
from kibitz.games.vampires.rules import HUMANS, winning_chance

FOUGHT, ON_LISTED, ON_FREE = 0, 1, 2  # the drafted parts of a new list
FEW = 0.666  # attackers who are no more than so many times their enemies just die


def gather(work: Work, level: int, side: int) -> int:
    """Note the groups of a side, in list order; their number."""
    moving = 0
    for at in range(work[SIZES + level]):
        if is_group(work, level, at, side):
            work[mover(level, moving) + SOURCE] = work[entry(level, at) + CELL]
            work[mover(level, moving) + SENT] = work[entry(level, at) + COUNT]
            moving += 1
    return moving


def begin(work: Work, level: int, moving: int) -> None:
    """Set every group on its first way."""
    for index in range(moving):
        set_way(work, level, index, 0)


def advance(work: Work, level: int, moving: int) -> bool:
    """Set the groups on the ways of the next turn, if there is one."""
    for index in range(moving - 1, -1, -1):
        if work[mover(level, index) + WAY] < 7:
            set_way(work, level, index, int(work[mover(level, index) + WAY]) + 1)
            return True
        set_way(work, level, index, 0)
    return False


def set_way(work: Work, level: int, index: int, way: int) -> None:
    work[mover(level, index) + WAY] = way
    work[mover(level, index) + TARGET] = target_of(work, int(work[mover(level, index) + SOURCE]), way)


def is_allowed(work: Work, level: int, moving: int) -> bool:
    """All ways exist, and no cell is both source and target: as shipped, that is not seen ahead."""
    may_clash = work[SHIPPED] and level > 0
    for index in range(moving):
        if work[mover(level, index) + TARGET] < 0:
            return False
        for other in range(moving):
            if work[mover(level, index) + TARGET] == work[mover(level, other) + SOURCE] and not may_clash:
                return False
    return True


def next_outcome(work: Work, outcome: int, battles: int) -> int:
    """Bit i of an outcome says that battle i is lost; 0 stands for no more. As shipped, there are two: all battles are
    won, or all but the last.
    """
    if battles == 0:
        return 0
    if work[SHIPPED]:
        return 1 << (battles - 1) if outcome == 0 else 0
    return (outcome + 1) % (1 << battles)


def draft(work: Work, level: int, moving: int, side: int, outcome: int) -> tuple[int, float]:
    """Write the list after the turn to the next level. How many battles are random, and how likely is the outcome?"""
    copy_list(work, level)
    for part in range(3):
        work[LENGTHS + part] = 0
    battles, chance = 0, 1.0
    for index in range(moving):
        sent = int(work[mover(level, index) + SENT])
        if not work[SHIPPED]:
            empty(work, level + 1, int(work[mover(level, index) + SOURCE]))
            sent = army(work, level, index, moving)
            if sent == 0:
                continue
        fought, odds = arrive(work, level, index, sent, side, outcome >> battles)
        battles += fought
        chance *= odds
    put_before(work, level + 1)
    return battles, chance


def copy_list(work: Work, level: int) -> None:
    work[SIZES + level + 1] = work[SIZES + level]
    for at in range(work[SIZES + level]):
        for part in range(3):
            work[entry(level + 1, at) + part] = work[entry(level, at) + part]


def army(work: Work, level: int, index: int, moving: int) -> int:
    """How many go where this group goes; 0 if an earlier group has counted them."""
    total = 0
    for other in range(moving):
        if work[mover(level, other) + TARGET] == work[mover(level, index) + TARGET]:
            if other < index:
                return 0
            total += int(work[mover(level, other) + SENT])
    return total


def arrive(work: Work, level: int, index: int, sent: int, side: int, outcome: int) -> tuple[int, float]:
    """Those who come meet every entry at their target. How many random battles, and how likely is the outcome?"""
    source, target = int(work[mover(level, index) + SOURCE]), int(work[mover(level, index) + TARGET])
    battles, chance = 0, 1.0
    free = True
    for at in range(work[SIZES + level]):
        if work[entry(level, at) + CELL] == target:
            free = False
            kind, count = int(work[entry(level, at) + KIND]), int(work[entry(level, at) + COUNT])
            if is_random(kind, count, sent, side):
                win = winning_chance(sent, count)
                lost = outcome >> battles & 1 == 1
                chance *= 1.0 - win if lost else win
                battles += 1
                survive(work, target, kind, count, sent, side, win, lost)
            else:
                settle(work, target, kind, count, sent, side)
            leave(work, level + 1, source, target, sent)
    if free:
        add(work, ON_FREE, target, side, sent)
        leave(work, level + 1, source, target, sent)
    return battles, chance


def is_random(kind: int, count: int, sent: int, side: int) -> bool:
    if kind == side or count == 0:
        return False
    if kind == HUMANS:
        return sent < count
    return FEW * count < sent < 1.5 * count


def survive(work: Work, target: int, kind: int, count: int, sent: int, side: int, win: float, lost: bool) -> None:
    """After a random battle as many stand there as live on average."""
    if lost:
        add(work, FOUGHT, target, kind, int(np.rint((1.0 - win) * count)))
    else:
        fighting = sent + count if kind == HUMANS else sent
        add(work, FOUGHT, target, side, int(np.rint(win * fighting)))


def settle(work: Work, target: int, kind: int, count: int, sent: int, side: int) -> None:
    """Those who come join, bite, take, die, or stand on an empty cell; of equal results one is kept."""
    owner, stands = side, sent
    if count != 0 and kind in (side, HUMANS):
        stands = sent + count
    elif count != 0 and sent <= FEW * count:
        owner, stands = kind, count
    for at in range(work[LENGTHS + ON_LISTED]):
        same = work[draft_slot(ON_LISTED, at) + CELL] == target and work[draft_slot(ON_LISTED, at) + KIND] == owner
        if same and work[draft_slot(ON_LISTED, at) + COUNT] == stands:
            return
    add(work, ON_LISTED, target, owner, stands)


def leave(work: Work, level: int, source: int, target: int, sent: int) -> None:
    """Strike from the old list those who went and, as meant, whom they met."""
    if not work[SHIPPED]:
        empty(work, level, target)
        return
    for at in range(work[SIZES + level]):
        if work[entry(level, at) + CELL] == source:
            work[entry(level, at) + COUNT] -= sent
            return


def empty(work: Work, level: int, cell: int) -> None:
    for at in range(work[SIZES + level]):
        if work[entry(level, at) + CELL] == cell:
            work[entry(level, at) + COUNT] = 0


def add(work: Work, part: int, cell: int, kind: int, count: int) -> None:
    """One entry more; the room is for more than any search of bearable length needs."""
    at = int(work[LENGTHS + part])
    if at < ROOM:
        work[draft_slot(part, at) + CELL] = cell
        work[draft_slot(part, at) + KIND] = kind
        work[draft_slot(part, at) + COUNT] = count
        work[LENGTHS + part] = at + 1


def put_before(work: Work, level: int) -> None:
    """Put the drafted parts before what is left of the old list, which waits at this level."""
    kept = 0
    for at in range(work[SIZES + level]):
        if work[entry(level, at) + COUNT] != 0:
            move_entry(work, level, at, kept)
            kept += 1
    before = 0
    for part in range(3):
        before += int(work[LENGTHS + part])
    before = min(before, ROOM)
    kept = min(kept, ROOM - before)
    for at in range(kept - 1, -1, -1):
        move_entry(work, level, at, before + at)
    work[SIZES + level] = before + kept
    at = 0
    for part in range(3):
        for index in range(work[LENGTHS + part]):
            if at < before:
                for piece in range(3):
                    work[entry(level, at) + piece] = work[draft_slot(part, index) + piece]
                at += 1


def move_entry(work: Work, level: int, at: int, to: int) -> None:
    for piece in range(3):
        work[entry(level, to) + piece] = work[entry(level, at) + piece]

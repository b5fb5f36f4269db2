"""Turns worth trying among vampires and werewolves, where all of them are far too many.

A side of few creatures may do anything. Of a larger one each group has plans: to go somewhere as a whole, or to split
in two, of whom as many go one way as are needed there, to bite or to kill for sure, and the rest another way or
nowhere. The best plans of the best groups are kept, so few that all their combinations can be tried. A group without a
plan stays.

A plan is one order or two in rising sequence, the second 0 if there is none, so each turn is built in one way only.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from kibitz.games.vampires.rules import (
    ACROSS,
    DOWN,
    EMPTY,
    END,
    HUMANS,
    VAMPIRES,
    Rules,
    State,
    capacity,
    moves_once,
    target_of,
)
from kibitz.heuristics.vampires_groups import (
    COLUMNS,
    ROWS,
    SIZE,
    Groups,
    X,
    Y,
    enemy_kind,
    expected_gain,
    gather_groups,
    group_at,
    number_of,
    own_kind,
    steps,
    total_of,
)

SMALL = 3  # so many creatures have a few hundred turns at most
MOVERS = 12  # groups that may have plans
MOST_PLANS = 40  # of one group
# The plans that the best, the second, ... group keeps, by the number of groups. Plans and staying, combined, make at
# most 40 turns.
KEPT = ((40, 0, 0, 0, 0), (5, 5, 0, 0, 0), (3, 2, 2, 0, 0), (2, 2, 1, 1, 0), (1, 1, 1, 1, 1))
TARGETS = 4  # prey for which a group may split
ONE, TWO, SCORE = 0, 1, 2  # of a plan
PLAN = 3
BLOCK = MOST_PLANS * PLAN
APART = 40  # what it costs each creature of the smaller part to be left alone
NEXT_DOOR = 1 << 30
MANY = 1 << 10  # groups have smaller indices
STAY = 8  # a way that leads nowhere, behind the 8 directions
AWFUL = -(1 << 40)

# What one creature of a prey is worth so many turns away, in hundredths of a creature.
HUMAN_APPEAL = np.array([800 // (way + 3) for way in range(256)], np.int64)
ENEMY_APPEAL = np.array([300 // (way + 3) for way in range(256)], np.int64)

Cells = NDArray[np.int16]
Plans = NDArray[np.int64]
NO_PLANS = np.zeros(BLOCK, np.int64)


def candidates(state: State, rules: Rules) -> Iterator[int]:
    groups = gather_groups(state, rules)
    if is_spent(state.orders, groups):
        yield END
        return
    small = total_of(groups, VAMPIRES + state.side) <= SMALL
    plans = NO_PLANS if small else best_plans(state.cells, groups)
    if small or not may_go_on(state, plans, rules):
        yield from moves_once(state, rules)
    else:
        yield from follow_plan(state, plans, rules)


def is_spent(orders: NDArray[np.int64], groups: Groups) -> bool:
    """Has the last of our groups been sent away to the last creature?"""
    last = group_at(own_kind(groups), number_of(groups, own_kind(groups)) - 1)
    cell, left = int(groups[last + Y] * groups[COLUMNS] + groups[last + X]), int(groups[last + SIZE])
    for index in range(orders.size):
        if orders[index] >> 11 == cell:
            left -= int(orders[index]) & 255
    return left == 0


def may_go_on(state: State, plans: Plans, rules: Rules) -> bool:
    """Can the turn be ended, or a plan begun?"""
    if state.orders.size > 0:
        return True
    for index in range(MOST_PLANS):
        if plans[index * PLAN + ONE] > 0 and is_legal(state, int(plans[index * PLAN + ONE]), rules):
            return True
    return False


def follow_plan(state: State, plans: Plans, rules: Rules) -> Iterator[int]:
    """The orders that go on with a plan or, where none is under way, begin one; then the end of the turn."""
    begun, before = last_order(state, 0), last_order(state, 1)
    if before >> 11 != begun >> 11:
        before = 0
    open_end = not is_under_way(plans, before, begun)
    tried = 0
    for index in range(MOST_PLANS):
        order = 0
        if begun > 0 and before == 0 and plans[index * PLAN + ONE] == begun:
            order = int(plans[index * PLAN + TWO])
        elif begun == 0 or (open_end and plans[index * PLAN + ONE] >> 11 > begun >> 11):
            order = first_order(plans, index)
        if order > 0 and is_legal(state, order, rules):
            tried += 1
            yield order
    if begun > 0 and (open_end or tried == 0):
        yield END


def last_order(state: State, back: int) -> int:
    """The last order of this turn, or one before it; 0 where there are not so many."""
    return int(state.orders[state.orders.size - 1 - back]) if state.orders.size > back else 0


def is_under_way(plans: Plans, before: int, begun: int) -> bool:
    """Has a plan begun that wants a second order? Not if this order is a whole plan as well, or none of ours."""
    wants_more = False
    for index in range(MOST_PLANS):
        plan = index * PLAN
        if before == 0 and plans[plan + ONE] == begun:
            if plans[plan + TWO] == 0:
                return False
            wants_more = True
    return wants_more


def first_order(plans: Plans, index: int) -> int:
    """How a plan begins; 0 if a better one begins the same way."""
    for better in range(index):
        if plans[better * PLAN + ONE] == plans[index * PLAN + ONE]:
            return 0
    return int(plans[index * PLAN + ONE])


def is_legal(state: State, order: int, rules: Rules) -> bool:
    """May it still be given? What comes and goes in this turn decides."""
    origin, target, count = order >> 11, target_of(order, rules), order & 255
    own = VAMPIRES + state.side
    leaving, room = 0, capacity(int(state.cells[target]), own)
    for index in range(state.orders.size):
        given = int(state.orders[index])
        if given >> 11 == target or target_of(given, rules) == origin:
            return False
        if given >> 11 == origin:
            leaving += given & 255
        if target_of(given, rules) == target:
            room -= given & 255
    return count <= room and count + leaving <= (int(state.cells[origin]) & 255)


# Which plans.


def best_plans(cells: Cells, groups: Groups) -> Plans:
    """The plans that are kept, the best first, and then nothing."""
    movers = min(number_of(groups, own_kind(groups)), MOVERS)
    plans = np.zeros((movers + 1) * BLOCK, np.int64)
    for index in range(movers):
        make_plans(cells, groups, index, plans, (index + 1) * BLOCK)
    if movers == 1:
        return plans[BLOCK:]
    for rank in range(min(movers, len(KEPT))):
        block = best_block(plans)
        for index in range(KEPT[min(movers, len(KEPT)) - 1][rank]):
            plan = block + index * PLAN
            insert(plans, 0, int(plans[plan + ONE]), int(plans[plan + TWO]), int(plans[plan + SCORE]))
        plans[block + ONE] = 0
    return plans[:BLOCK]


def best_block(plans: Plans) -> int:
    """Among the groups not yet chosen, the one whose best plan is best."""
    best = BLOCK
    for block in range(BLOCK, plans.size, BLOCK):
        if plans[block + ONE] != 0 and (plans[best + ONE] == 0 or plans[block + SCORE] > plans[best + SCORE]):
            best = block
    return best


def insert(plans: Plans, block: int, one: int, two: int, score: int) -> None:
    """Put a plan into a block, the best first, unless it is there or there are too many better ones."""
    if one == 0:
        return
    at = block
    while at < block + BLOCK and plans[at + ONE] != 0 and plans[at + SCORE] >= score:
        if plans[at + ONE] == one and plans[at + TWO] == two:
            return
        at += PLAN
    while at < block + BLOCK and one != 0:
        kept_one, kept_two, kept_score = int(plans[at + ONE]), int(plans[at + TWO]), int(plans[at + SCORE])
        plans[at + ONE], plans[at + TWO], plans[at + SCORE] = one, two, score
        one, two, score = kept_one, kept_two, kept_score
        at += PLAN


def make_plans(cells: Cells, groups: Groups, index: int, plans: Plans, block: int) -> None:
    """The plans of a group: it goes anywhere, or a part goes for one prey and the rest for another or nowhere."""
    at = group_at(own_kind(groups), index)
    x, y, size = int(groups[at + X]), int(groups[at + Y]), int(groups[at + SIZE])
    for way in range(8):
        add_plan(cells, groups, x, y, way, size, STAY, 0, plans, block)
    targets = chosen_prey(groups, x, y, size)
    for one in range(TARGETS):
        for two in range(TARGETS + 1):
            way, other = way_to(targets, one), way_to(targets, two)
            for halved in range(2 if one < two else 1):
                part = size // 2 if halved else int(targets[3 * one + 2])
                if 0 < part < size and way != other:
                    add_plan(cells, groups, x, y, way, part, other, size - part, plans, block)


def way_to(targets: NDArray[np.int64], index: int) -> int:
    """The first step to a prey; where there is none, nowhere."""
    if index == TARGETS or targets[3 * index + 2] == 0:
        return STAY
    step_x, step_y = np.sign(targets[3 * index + 0]), np.sign(targets[3 * index + 1])
    way = (step_y + 1) * 3 + step_x + 1
    return int(way - 1 if way > 4 else way)


def chosen_prey(groups: Groups, x: int, y: int, size: int) -> NDArray[np.int64]:
    """The best prey for a group: how far it is across and down, and how many must go there to be sure of it. Next
    door comes first; 0 must go where there is no more.
    """
    targets = np.zeros(3 * TARGETS, np.int64)
    most = 1 << 60
    for chosen in range(TARGETS):
        best = 0
        for kind in (HUMANS, enemy_kind(groups)):
            for index in range(number_of(groups, kind)):
                at = group_at(kind, index)
                way, need = steps(groups, at, x, y), need_for(kind, int(groups[at + SIZE]))
                value = appeal(kind, int(groups[at + SIZE]), way) + (NEXT_DOOR if way == 1 else 0)
                value = value * MANY + at
                if best < value < most and need <= size:
                    best = value
                    targets[3 * chosen] = groups[at + X] - x
                    targets[3 * chosen + 1] = groups[at + Y] - y
                    targets[3 * chosen + 2] = need
        most = best
    return targets


def need_for(kind: int, size: int) -> int:
    """How many bite or kill such a group for sure."""
    return size if kind == HUMANS else (3 * size + 1) // 2


def add_plan(
    cells: Cells,
    groups: Groups,
    x: int,
    y: int,
    way: int,
    part: int,
    other: int,
    rest: int,
    plans: Plans,
    block: int,
) -> None:
    """A part of a group goes one way and the rest another way, or stays. What the lesser part hopes for counts half."""
    best, worst = 0, 0
    for half in range(2 if rest > 0 else 1):
        value = worth(cells, groups, x, y, other if half else way, rest if half else part)
        best, worst = (max(best, value), min(best, value)) if half else (value, 0)
    score = best + (worst // 2 if worst > 0 else worst) - APART * min(part, rest)
    if score <= AWFUL:
        return
    origin = (y * int(groups[COLUMNS]) + x) * 8
    one, two = (origin + way) * 256 + part, (origin + other) * 256 + rest
    if other == STAY:
        two = 0
    elif one > two:
        one, two = two, one
    insert(plans, block, one, two, score)


# What a plan is worth, in hundredths of a creature.


def worth(cells: Cells, groups: Groups, x: int, y: int, way: int, count: int) -> int:
    """What it is worth that so many of a group go this way, or stay; AWFUL if they cannot."""
    if way != STAY:
        x, y = x + ACROSS[way], y + DOWN[way]
    if x < 0 or x >= groups[COLUMNS] or y < 0 or y >= groups[ROWS]:
        return AWFUL * 2
    own = own_kind(groups)
    content = int(cells[y * int(groups[COLUMNS]) + x])
    kind, there = content >> 8, content & 255
    gain = 0
    if way != STAY and kind == HUMANS:
        if count < there:
            return -300 * count
        gain, count = 250 * there, count + there
    elif way != STAY and kind == own:
        count += there
    elif way != STAY and kind != EMPTY:
        if 2 * count < 3 * there:
            army = neighbours(groups, own, x, y)
            together = 300 * there * count // army
            return together if 2 * army >= 3 * there else int(200.0 * expected_gain(count, there))
        gain = 300 * there
    return gain + prospects(groups, x, y, count)


def prospects(groups: Groups, x: int, y: int, count: int) -> int:
    """What so many have to hope and to fear at a cell: the best prey for them, and enemies who can strike there."""
    best, fear = 0, 0
    for kind in (HUMANS, enemy_kind(groups)):
        for index in range(number_of(groups, kind)):
            at = group_at(kind, index)
            size, way = int(groups[at + SIZE]), steps(groups, at, x, y)
            if way > 0 and count >= need_for(kind, size):
                best = max(best, appeal(kind, size, way))
            if way == 1 and kind != HUMANS and size > count:
                fear = max(fear, (300 if 2 * size >= 3 * count else 60) * count)
    return best - fear


def appeal(kind: int, size: int, way: int) -> int:
    """Prey loses its appeal with the distance; enemies run away."""
    return size * int(HUMAN_APPEAL[way] if kind == HUMANS else ENEMY_APPEAL[way])


def neighbours(groups: Groups, kind: int, x: int, y: int) -> int:
    """How many of a kind stand next to a cell."""
    total = 0
    for index in range(number_of(groups, kind)):
        if steps(groups, group_at(kind, index), x, y) == 1:
            total += int(groups[group_at(kind, index) + SIZE])
    return total

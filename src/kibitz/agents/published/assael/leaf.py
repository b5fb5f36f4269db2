"""What the report's agent thinks of a position, for the side that searches.

Its first group alone looks around: at the nearest humans and enemies, and at those whom it fights.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.agents.published.assael.work import (
    CELL,
    COLUMNS,
    COUNT,
    DEPTH,
    ME,
    ROWS,
    SHIPPED,
    SIZES,
    Work,
    draft_slot,
    enemy,
    entry,
    headcount,
    is_group,
    target_of,
)
from kibitz.games.vampires.rules import HUMANS, winning_chance

INF = 1e4
FAR = 1 << 30

# Of `weights`: how many groups pull and how steeply, and what counts how much.
TO_HUMANS, TO_ENEMIES, HUMAN_POWER, ENEMY_POWER = 0, 1, 2, 3
ENEMY_BATTLE, ENEMY_PULL, HUMAN_BATTLE, HUMAN_PULL, INSIST, LAST_BATTLE = 4, 5, 6, 7, 8, 9


def leaf_value(work: Work, weights: NDArray[np.float64], level: int) -> float:
    me, foe = int(work[ME]), enemy(work)
    if group_count(work, level, me) == 0:
        return -INF
    if group_count(work, level, foe) == 0:
        return INF
    home = first_cell(work, level, me)
    humans_left = group_count(work, level, HUMANS) > 0
    bold = True
    value = float(weights[ENEMY_BATTLE]) * enemy_battle(work, weights, level, home, humans_left)
    if humans_left:
        value += float(weights[HUMAN_BATTLE]) * human_battle(work, level, home)
        noted, bold = note_humans(work, level, home)
        nearest, power = int(weights[TO_HUMANS]), float(weights[HUMAN_POWER])
        value += float(weights[HUMAN_PULL]) * pull(work, level, home, HUMANS, noted, nearest, power)
    if weights[ENEMY_PULL] != 0.0:
        noted = note_enemies(work, level, home, bold)
        nearest, power = int(weights[TO_ENEMIES]), float(weights[ENEMY_POWER])
        value += float(weights[ENEMY_PULL]) * pull(work, level, home, foe, noted, nearest, power)
    return value


def growth(work: Work, level: int) -> float:
    """At depth 4 a leaf counts as much as our army grew, in our first turn five times as much."""
    if work[DEPTH] < 4:
        return 1.0
    me = int(work[ME])
    begun, between = headcount(work, 0, me), headcount(work, min(level, 2), me)
    if begun == 0 or between == 0:
        return 6.0
    return 5.0 * between / begun + headcount(work, level, me) / between


def ratio(part: float, whole: float) -> float:
    """As numpy divides: something by nothing is infinite."""
    if whole != 0.0:
        return part / whole
    if part == 0.0:
        return np.nan
    return np.inf if part > 0.0 else -np.inf


def group_count(work: Work, level: int, kind: int) -> int:
    total = 0
    for at in range(work[SIZES + level]):
        if is_group(work, level, at, kind):
            total += 1
    return total


def first_cell(work: Work, level: int, kind: int) -> int:
    at = 0
    while not is_group(work, level, at, kind):
        at += 1
    return int(work[entry(level, at) + CELL])


def largest(work: Work, level: int, kind: int) -> int:
    most, known = 0, False
    for at in range(work[SIZES + level]):
        count = int(work[entry(level, at) + COUNT])
        if is_group(work, level, at, kind) and (count > most or not known):
            most, known = count, True
    return most


# Battles of our first group.


def time_of_battle(work: Work, level: int) -> int:
    """Where to look for those whom it fights: shipped, their old entry still stands at its cell; as meant, they stood
    there before our last move.
    """
    return level if work[SHIPPED] else level - 2 + level % 2


def human_battle(work: Work, level: int, home: int) -> float:
    """Our part of ourselves and the largest human group, as it is expected to be after the battle."""
    me = int(work[ME])
    most = largest(work, level, HUMANS)
    n = headcount(work, level, me)
    value = ratio(n, n + most)
    then = time_of_battle(work, level)
    n = headcount(work, then, me)
    for at in range(work[SIZES + then]):
        if work[entry(then, at) + CELL] == home and is_group(work, then, at, HUMANS):
            count = int(work[entry(then, at) + COUNT])
            win = min(1.0, winning_chance(n, count))
            value = ratio(win * win * (n + count), n + most)
    return value


def enemy_battle(work: Work, weights: NDArray[np.float64], level: int, home: int, humans_left: bool) -> float:
    """How many times their number we are, as it is expected to be after the battle."""
    me, foe = int(work[ME]), enemy(work)
    value = ratio(headcount(work, level, me), headcount(work, level, foe))
    then = time_of_battle(work, level)
    n, foes = headcount(work, then, me), headcount(work, then, foe)
    for at in range(work[SIZES + then]):
        if work[entry(then, at) + CELL] != home or not is_group(work, then, at, foe):
            continue
        if humans_left:
            count = int(work[entry(then, at) + COUNT])
            win = min(1.0, winning_chance(n, count))
            value = ratio(float(weights[INSIST]) * n * win * win, foes + count * ((1.0 - win) ** 2 - 1.0))
        else:
            value = float(weights[LAST_BATTLE]) * (INF if ratio(n, foes) < 1.0 else -INF)
    return value


# What pulls our first group.


def distance(work: Work, one: int, other: int) -> int:
    columns = int(work[COLUMNS])
    return max(abs(one % columns - other % columns), abs(one // columns - other // columns))


def out_of_reach(work: Work) -> int:
    """The distance of what it cannot have."""
    return int(max(work[ROWS], work[COLUMNS])) - 1


def note(work: Work, index: int, at: int, steps: int) -> None:
    work[draft_slot(0, index)] = at
    work[draft_slot(0, index) + 1] = steps


def note_humans(work: Work, level: int, home: int) -> tuple[int, bool]:
    """Note human groups with their distances: out of reach if they are too many or an enemy is nearer. If that is so
    of all, those few enough are noted once more, as near as they are. How many are noted, and was it so?
    """
    n, far = headcount(work, level, int(work[ME])), out_of_reach(work)
    noted, hopeless = 0, True
    for at in range(work[SIZES + level]):
        if is_group(work, level, at, HUMANS):
            cell, steps = int(work[entry(level, at) + CELL]), far
            if work[entry(level, at) + COUNT] <= n and is_ours_first(work, level, home, cell):
                steps = distance(work, home, cell)
            note(work, noted, at, steps)
            noted += 1
            hopeless = hopeless and steps == far
    if not hopeless:
        return noted, False
    kept = 0
    for index in range(noted):
        at = int(work[draft_slot(0, index)])
        if work[entry(level, at) + COUNT] <= n:
            # As shipped, the distances move up and the groups do not.
            whose = int(work[draft_slot(0, kept)]) if work[SHIPPED] else at
            note(work, kept, whose, distance(work, home, int(work[entry(level, at) + CELL])))
            kept += 1
    return kept, True


def is_ours_first(work: Work, level: int, home: int, cell: int) -> bool:
    foe, steps = enemy(work), distance(work, home, cell)
    for at in range(work[SIZES + level]):
        if is_group(work, level, at, foe) and distance(work, int(work[entry(level, at) + CELL]), cell) < steps:
            return False
    return True


def note_enemies(work: Work, level: int, home: int, bold: bool) -> int:
    """Note enemy groups with their distances: out of reach if they are too many, unless we are bold. How many?"""
    n, foe = headcount(work, level, int(work[ME])), enemy(work)
    noted = 0
    for at in range(work[SIZES + level]):
        if is_group(work, level, at, foe):
            steps = out_of_reach(work)
            if bold or work[entry(level, at) + COUNT] <= 1.5 * n:
                steps = distance(work, home, int(work[entry(level, at) + CELL]))
            note(work, noted, at, steps)
            noted += 1
    return noted


def pull(work: Work, level: int, home: int, kind: int, noted: int, nearest: int, power: float) -> float:
    """How strongly the nearest of the noted groups draw it, by size and nearness; less where the edge is near."""
    nearest = min(nearest, group_count(work, level, kind))
    biggest = largest(work, level, kind)
    total = 0.0
    for _ in range(min(nearest, noted)):
        best = 0
        for index in range(noted):
            if work[draft_slot(0, index) + 1] < work[draft_slot(0, best) + 1]:
                best = index
        at, steps = int(work[draft_slot(0, best)]), int(work[draft_slot(0, best) + 1])
        work[draft_slot(0, best) + 1] = FAR
        if work[entry(level, at) + CELL] != home:
            size = ratio(int(work[entry(level, at) + COUNT]), biggest)
            total += size * (1.0 - ratio(steps, out_of_reach(work) * nearest)) ** power
    return total * ways_out(work, home) / 8


def ways_out(work: Work, cell: int) -> int:
    ways = 0
    for way in range(8):
        if target_of(work, cell, way) >= 0:
            ways += 1
    return ways

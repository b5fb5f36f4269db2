"""What is good among vampires and werewolves: to be many, to be nearer to the humans, and to strike first.

Every feature is the vampires' share less the werewolves', a number from -1 to 1. So no score lies outside the sum of
the weights, whatever the map; a lead that decides the game is worth a third of it, an ordinary one a tenth.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST
from kibitz.games.vampires.rules import HUMANS, VAMPIRES, WEREWOLVES, Rules, State
from kibitz.heuristics.vampires_groups import (
    SIZE,
    Groups,
    X,
    Y,
    expected_gain,
    gather_groups,
    group_at,
    number_of,
    steps,
    total_of,
)
from kibitz.heuristics.vampires_turns import candidates

FAR = 1 << 20
PATIENCE = 40.0  # turns after which humans to be bitten count half


def features(state: State, rules: Rules) -> tuple[float, float, float, float, float, float, float]:
    groups = gather_groups(state, rules)
    vampires, werewolves = total_of(groups, VAMPIRES), total_of(groups, WEREWOLVES)
    monsters = max(vampires + werewolves, 1)
    vampires_strike, werewolves_strike = strikes(groups, VAMPIRES), strikes(groups, WEREWOLVES)
    first_moves = state.side == FIRST
    return (
        (vampires - werewolves) / monsters,
        harvest(groups, state.side),
        (vampires_strike if first_moves else 0.0 - werewolves_strike) / monsters,
        (0.0 - werewolves_strike if first_moves else vampires_strike) / monsters,
        (hunt(groups, VAMPIRES) - hunt(groups, WEREWOLVES)) / monsters,
        unity(groups, VAMPIRES) - unity(groups, WEREWOLVES),
        np.sign(vampires - werewolves) * state.ply / rules.plies,
    )


def harvest(groups: Groups, side: int) -> float:
    """The balance when all is bitten, if every group goes on to whatever is next for it: late bites count less."""
    then, busy = groups.copy(), np.zeros(groups.size, np.int64)
    vampires, werewolves = float(total_of(groups, VAMPIRES)), float(total_of(groups, WEREWOLVES))
    for _ in range(number_of(groups, HUMANS)):
        kind, taker, home = next_bite(then, busy, VAMPIRES + side)
        if taker == 0:
            break
        turns = int(busy[taker]) + steps(then, taker, int(then[home + X]), int(then[home + Y]))
        gain = int(then[home + SIZE])
        vampires += (gain if kind == VAMPIRES else 0) * PATIENCE / (turns + PATIENCE)
        werewolves += (gain if kind == WEREWOLVES else 0) * PATIENCE / (turns + PATIENCE)
        busy[taker] = turns
        then[taker + X], then[taker + Y] = then[home + X], then[home + Y]
        then[taker + SIZE] += gain
        then[home + SIZE] = 0
    return (vampires - werewolves) / max(vampires + werewolves, 1.0)


def next_bite(then: Groups, busy: NDArray[np.int64], mover: int) -> tuple[int, int, int]:
    """Who bites next, and whom: the soonest, of those the side to move, of those in the best company; 0 if nobody."""
    soonest, biter, taker, home = FAR, 0, 0, 0
    for other in range(2):
        kind = mover if other == 0 else VAMPIRES + WEREWOLVES - mover
        for index in range(number_of(then, kind)):
            at = group_at(kind, index)
            for house in range(number_of(then, HUMANS)):
                there = group_at(HUMANS, house)
                if then[there + SIZE] == 0 or then[at + SIZE] < then[there + SIZE]:
                    continue
                turns = int(busy[at]) + steps(then, at, int(then[there + X]), int(then[there + Y]))
                tie = turns == soonest and kind == biter
                if turns < soonest or (tie and company(then, there) > company(then, home)):
                    soonest, biter, taker, home = turns, kind, at, there
    return biter, taker, home


def company(then: Groups, home: int) -> float:
    """The humans of a house and, the farther the less, those around."""
    total = 0.0
    for house in range(number_of(then, HUMANS)):
        there = group_at(HUMANS, house)
        total += int(then[there + SIZE]) / (1.0 + 2.0 * steps(then, there, int(then[home + X]), int(then[home + Y])))
    return total


def nearness(turns: int) -> float:
    return 4.0 / (turns + 3.0)


def strikes(groups: Groups, kind: int) -> float:
    """The enemies that this side can kill at once, less what that may cost; all neighbours strike together."""
    enemy = VAMPIRES + WEREWOLVES - kind
    gain = 0.0
    for index in range(number_of(groups, enemy)):
        target = group_at(enemy, index)
        army = 0
        for other in range(number_of(groups, kind)):
            at = group_at(kind, other)
            if steps(groups, at, int(groups[target + X]), int(groups[target + Y])) == 1:
                army += int(groups[at + SIZE])
        if army > 0:
            gain += max(0.0, expected_gain(army, int(groups[target + SIZE])))
    return gain


def hunt(groups: Groups, kind: int) -> float:
    """The enemies who are weak enough to be chased, the farther the less."""
    enemy = VAMPIRES + WEREWOLVES - kind
    prey = 0.0
    for index in range(number_of(groups, enemy)):
        target = group_at(enemy, index)
        least = FAR
        for other in range(number_of(groups, kind)):
            at = group_at(kind, other)
            if 2 * groups[at + SIZE] >= 3 * groups[target + SIZE]:
                least = min(least, steps(groups, at, int(groups[target + X]), int(groups[target + Y])))
        if least < FAR:
            prey += int(groups[target + SIZE]) * nearness(least)
    return prey


def unity(groups: Groups, kind: int) -> float:
    """1 for creatures who stay together, less the more they are scattered."""
    total = max(total_of(groups, kind), 1)
    squares = 0
    for index in range(number_of(groups, kind)):
        size = int(groups[group_at(kind, index) + SIZE])
        squares += size * size
    return squares / (total * total)


WEIGHTS = {
    "creatures": 200.0,
    "harvest": 600.0,
    "strikes": 200.0,
    "threats": 50.0,
    "hunt": 40.0,
    "unity": 20.0,
    "ahead": 150.0,  # the more numerous side wins at the limit
}
REACH = sum(WEIGHTS.values())

HEURISTICS = [
    Heuristic(
        name="hunter",
        game="vampires",
        bounds=(-REACH, REACH),
        features=features,
        weights=WEIGHTS,
        candidates=candidates,
        unit=50.0,
    ),
]

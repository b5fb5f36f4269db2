"""What is good among vampires and werewolves: to be many, to be nearer to the humans, and to strike first.

Every feature is the vampires' share less the werewolves', a number from -1 to 1. So no score lies outside the sum of
the weights, whatever the map; a lead that decides the game is worth a third of it, an ordinary one a tenth.
"""

from kibitz.core.result import FIRST
from kibitz.games.vampires.rules import HUMANS, VAMPIRES, WEREWOLVES, Rules, State
from kibitz.heuristics.heuristic import Heuristic
from kibitz.heuristics.vampires_groups import (
    SIZE,
    Groups,
    X,
    Y,
    expected_gain,
    gathered,
    group_at,
    number_of,
    steps,
    total_of,
)
from kibitz.heuristics.vampires_turns import candidates

FAR = 1 << 20


def features(state: State, rules: Rules) -> tuple[float, float, float, float, float, float]:
    groups = gathered(state.cells, rules)
    vampires, werewolves = total_of(groups, VAMPIRES), total_of(groups, WEREWOLVES)
    monsters = max(vampires + werewolves, 1)
    vampires_strike, werewolves_strike = strikes(groups, VAMPIRES), strikes(groups, WEREWOLVES)
    first_moves = state.side == FIRST
    return (
        (vampires - werewolves) / monsters,
        race(groups, state.side) / max(monsters + total_of(groups, HUMANS), 1),
        (vampires_strike if first_moves else -werewolves_strike) / monsters,
        (-werewolves_strike if first_moves else vampires_strike) / monsters,
        (hunt(groups, VAMPIRES) - hunt(groups, WEREWOLVES)) / monsters,
        unity(groups, VAMPIRES) - unity(groups, WEREWOLVES),
    )


def race(groups: Groups, side: int) -> float:
    """The humans that each side can bite before the other comes, the farther the less; who is to move wins a tie."""
    balance = 0.0
    for index in range(number_of(groups, HUMANS)):
        home = group_at(HUMANS, index)
        way = nearest(groups, VAMPIRES, home), nearest(groups, WEREWOLVES, home)
        if way[side] <= way[1 - side] and way[side] < FAR:
            balance += (1 if side == FIRST else -1) * int(groups[home + SIZE]) * nearness(way[side])
        elif way[1 - side] < FAR:
            balance -= (1 if side == FIRST else -1) * int(groups[home + SIZE]) * nearness(way[1 - side])
    return balance


def nearest(groups: Groups, kind: int, home: int) -> int:
    """Turns until the nearest group that is large enough can bite these humans."""
    least = FAR
    for index in range(number_of(groups, kind)):
        at = group_at(kind, index)
        if groups[at + SIZE] >= groups[home + SIZE]:
            least = min(least, steps(groups, at, int(groups[home + X]), int(groups[home + Y])))
    return least


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


WEIGHTS = {"creatures": 600.0, "race": 250.0, "strikes": 200.0, "threats": 50.0, "hunt": 40.0, "unity": 20.0}
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

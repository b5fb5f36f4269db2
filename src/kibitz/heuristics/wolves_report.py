"""Wolves and sheep as a course report judged them (CityU CS4386, 2023; its author's agent is `luo`).

The report compares a leaf with the root: sheep eaten, distance shortened, ways blocked and wolves trapped since then.
The root only adds a constant, so as a function of the position `luo` counts them from nothing. It speaks for `me`.
"""

from kibitz.core.bits import count, lowest
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST
from kibitz.games.wolves import BOARD, State, beside, shifted

KILLED = 20_000  # what a sheep is worth to the sheep; a listing in the report says 8,000


def luo(state: State, me: int) -> float:
    return 1.0 * (standing(state, me, KILLED, blocked_ways(state)) + menace(me) * threatened_sheep(state))


def standing(state: State, me: int, killed: int, blocked_now: tuple[int, int]) -> int:
    """The terms that the report takes relative to the root."""
    if me == FIRST:
        return -500 * count(state.sheep) - 20 * distances(state)
    ways, trapped = blocked_now
    return killed * count(state.sheep) + 100 * distances(state) + 800 * ways + 4000 * trapped


def menace(me: int) -> int:
    """What a sheep that could be eaten is worth."""
    return 300 if me == FIRST else -1


def distances(state: State) -> int:
    """The sum over wolves and sheep of rows and columns between them."""
    total = 0
    wolves = state.wolves
    while wolves:
        wolf = lowest(wolves)
        wolves &= wolves - 1
        sheep = state.sheep
        while sheep:
            cell = lowest(sheep)
            sheep &= sheep - 1
            total += abs(wolf // 5 - cell // 5) + abs(wolf % 5 - cell % 5)
    return total


def threatened_sheep(state: State) -> int:
    """The sheep that a wolf could eat next."""
    empty = BOARD & ~(state.wolves | state.sheep)
    prey = 0
    for direction in range(4):
        prey |= shifted(shifted(state.wolves, direction) & empty, direction) & state.sheep
    return count(prey)


def blocked_ways(state: State) -> tuple[int, int]:
    """The directions in which wolves cannot step, and the wolves that cannot step at all."""
    empty = BOARD & ~(state.wolves | state.sheep)
    ways, trapped = 0, 0
    wolves = state.wolves
    while wolves:
        closed = 4 - count(beside(wolves & -wolves) & empty)
        wolves &= wolves - 1
        ways += closed
        trapped += closed == 4
    return ways, trapped


REPORT = [Heuristic(name="luo", game="wolves", bounds=(-400_000.0, 400_000.0), unit=500.0, evaluate=luo)]

"""Breakthrough as a course report judged it (UIUC CS440, fall 2017): two offensive and two defensive heuristics.

They speak for `me`, the side that searches. The first two were given by the course, with a random number added at each
leaf; that is the search's business (`noise=1`). The report computed its own two for the worker just moved; as functions
of the position they look at the foremost worker that is still on its way, the leftmost of several. The report's listing
of the second defensive one has both its signs wrong, against its own text; here they are as the text has them.
"""

from kibitz.core.bits import NONE, ONE, Bits, count, lowest
from kibitz.core.result import FIRST
from kibitz.games.breakthrough import Rules, State
from kibitz.heuristics.heuristic import Heuristic


def offensive_1(state: State, me: int) -> float:
    return 2.0 * (30 - count(workers(state, 1 - me)))


def defensive_1(state: State, me: int) -> float:
    return 2.0 * count(workers(state, me))


def offensive_2(state: State, me: int, rules: Rules) -> float:
    on_the_way = workers(state, me) & ~goal(me, rules)
    if on_the_way == NONE:
        return 30.0 - count(workers(state, 1 - me))
    worker = foremost(on_the_way, me, rules)
    return offence(state, worker, rules.rows - 1 - distance(worker, me, rules), me, rules)


def defensive_2(state: State, me: int, rules: Rules) -> float:
    own = workers(state, me)
    on_the_way = own & ~goal(me, rules)
    if on_the_way == NONE:
        return 2.0 * count(own)
    worker = foremost(on_the_way, me, rules)
    progress = rules.rows - 1 - distance(worker, me, rules)
    return 0.1 * progress * progress - facing(state, worker, me, rules) + 2.0 * count(own)


def offence(state: State, worker: int, progress: int, me: int, rules: Rules) -> float:
    """The report's offensive formula for the worker on a cell."""
    return (
        3.0 * last_step(state, me, rules)
        + 0.3 * abreast(workers(state, me), worker, rules)
        + 3.0 * facing(state, worker, me, rules)
        + 0.07 * progress * progress
        + (30 - count(workers(state, 1 - me)))
    )


# The report's terms.


def workers(state: State, side: int) -> Bits:
    return state.white if side == FIRST else state.black


def goal(side: int, rules: Rules) -> Bits:
    return rules.top if side == FIRST else rules.bottom


def foremost(own: Bits, side: int, rules: Rules) -> int:
    """The cell of the most advanced of these workers, of which there is one at least; the leftmost of several."""
    if side != FIRST:
        return lowest(own)
    row = rules.top
    while own & row == NONE:
        row >>= rules.columns
    return lowest(own & row)


def distance(cell: int, side: int, rules: Rules) -> int:
    """Rows to the goal."""
    row = cell // rules.columns
    return rules.rows - 1 - row if side == FIRST else row


def last_step(state: State, side: int, rules: Rules) -> int:
    """Ten if a worker of this side is one step from its goal."""
    before = rules.top >> rules.columns if side == FIRST else rules.bottom << rules.columns
    return 10 if workers(state, side) & before else 0


def abreast(own: Bits, cell: int, rules: Rules) -> int:
    """How many workers stand side by side in the row, this cell's included."""
    column = cell % rules.columns
    found = 1
    for across in range(1, column + 1):
        if own & (ONE << (cell - across)) == NONE:
            break
        found += 1
    for across in range(1, rules.columns - column):
        if own & (ONE << (cell + across)) == NONE:
            break
        found += 1
    return found


def facing(state: State, cell: int, side: int, rules: Rules) -> int:
    """The enemies diagonally ahead of a cell: they can be captured from there, and can capture there."""
    enemy = workers(state, 1 - side)
    here = ONE << cell
    if side == FIRST:
        ahead = (here & ~rules.west) << (rules.columns - 1) | (here & ~rules.east) << (rules.columns + 1)
    else:
        ahead = (here & ~rules.east) >> (rules.columns - 1) | (here & ~rules.west) >> (rules.columns + 1)
    return count(ahead & rules.board & enemy)


REPORT = [
    Heuristic(name="offensive-1", game="breakthrough", bounds=(-60.0, 60.0), unit=2.0, evaluate=offensive_1),
    Heuristic(name="defensive-1", game="breakthrough", bounds=(-60.0, 60.0), unit=2.0, evaluate=defensive_1),
    Heuristic(name="offensive-2", game="breakthrough", bounds=(-200.0, 200.0), unit=2.0, evaluate=offensive_2),
    Heuristic(name="defensive-2", game="breakthrough", bounds=(-200.0, 200.0), unit=2.0, evaluate=defensive_2),
]

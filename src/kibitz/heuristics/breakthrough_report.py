"""Breakthrough as a course report judged it (UIUC CS440, fall 2017): two offensive and two defensive heuristics.

They speak for `me`, the side that searches. The first two were given by the course, with a random number added at each
leaf; that is the search's business (`noise=1`). The report computed its own two for the worker just moved; as functions
of the position they look at the foremost worker that is still on its way, the leftmost of several. The report's listing
of the second defensive one has both its signs wrong, against its own text; here they are as the text has them.
"""

from kibitz.core.bits import NONE, ONE, Bits, count, lowest
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST
from kibitz.games.breakthrough import Rules, State

FEATURES = (
    "gone",  # 30 less the enemy's workers, as the course has it
    "left",  # own workers
    "last_step",
    "abreast",
    "facing",
    "progress",  # rows that the foremost worker has come, squared
)


def features(state: State, me: int, rules: Rules) -> tuple[int, ...]:
    own, enemy = workers(state, me), workers(state, 1 - me)
    gone, left = 30 - count(enemy), count(own)
    on_the_way = own & ~goal(me, rules)
    if on_the_way == NONE:
        return gone, left, 0, 0, 0, 0
    worker = foremost(on_the_way, me, rules)
    progress = rules.rows - 1 - distance(worker, me, rules)
    return (
        gone,
        left,
        last_step(state, me, rules),
        abreast(own, worker, rules),
        facing(state, worker, me, rules),
        progress * progress,
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


def _heuristic(name: str, **weights: float) -> Heuristic:
    return Heuristic(
        name=name,
        game="breakthrough",
        bounds=(-200.0, 200.0),
        unit=2.0,
        features=features,
        weights={feature: weights.get(feature, 0.0) for feature in FEATURES},
    )


REPORT = [
    _heuristic("offensive-1", gone=2.0),
    _heuristic("defensive-1", left=2.0),
    _heuristic("offensive-2", last_step=3.0, abreast=0.3, facing=3.0, progress=0.07, gone=1.0),
    _heuristic("defensive-2", facing=-1.0, progress=0.1, left=2.0),
]

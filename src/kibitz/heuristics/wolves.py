"""What is good in Wolves eat sheep, for the wolves: food within reach and room to move.

The features know no direction, so a turned or mirrored board is worth the same.
"""

from kibitz.core.bits import count
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST
from kibitz.games.wolves import BOARD, DOWN, LEFT, RIGHT, UP, Rules, State, beside, shifted
from kibitz.heuristics.wolves_report import REPORT

CORNERS = 0b10001_00000_00000_00000_10001
EDGES = 0b11111_10001_10001_10001_11111 & ~CORNERS
CENTRE = 0b00000_01110_01110_01110_00000


def features(state: State) -> tuple[int, ...]:
    wolves, sheep = state.wolves, state.sheep
    empty = BOARD & ~(wolves | sheep)
    food = count(edible(wolves, sheep, empty))
    tempo = 1 if state.side == FIRST else -1
    return (
        count(sheep),
        *by_turn(food, tempo),
        count(exposed_sheep(sheep, empty)),
        *room(wolves, empty),
        *places(wolves, sheep),
        *flock(wolves, sheep),
        tempo,
    )


def by_turn(food: int, tempo: int) -> tuple[int, int, int]:
    """Sheep within a wolf's reach: with the wolves to move, with the sheep to move, and those beyond the one sheep that
    can then get away.
    """
    if tempo > 0:
        return food, 0, 0
    return 0, food, max(0, food - 1)


def edible(wolves: int, sheep: int, empty: int) -> int:
    """The sheep that a wolf could eat next."""
    found = 0
    for direction in range(4):
        found |= shifted(shifted(wolves, direction) & empty, direction) & sheep
    return found


def exposed_sheep(sheep: int, empty: int) -> int:
    """The sheep that a wolf could eat if it stood on some empty square."""
    found = 0
    for direction in range(4):
        found |= shifted(shifted(empty, direction) & empty, direction) & sheep
    return found


def room(wolves: int, empty: int) -> tuple[int, int, int, int, int]:
    """Open directions of all wolves; wolves with none and with just one; squares they can walk to,
    and those within two steps.
    """
    up, down = wolves & shifted(empty, DOWN), wolves & shifted(empty, UP)
    left, right = wolves & shifted(empty, RIGHT), wolves & shifted(empty, LEFT)
    free = up | down | left | right
    twice = (up & down) | (left & right) | ((up | down) & (left | right))
    near = beside(wolves) & empty
    within_two = (near | beside(near)) & empty
    walked, grown = within_two, (within_two | beside(within_two)) & empty
    while grown != walked:
        walked, grown = grown, (grown | beside(grown)) & empty
    return (
        count(up) + count(down) + count(left) + count(right),
        count(wolves & ~free),
        count(free & ~twice),
        count(walked),
        count(within_two),
    )


def places(wolves: int, sheep: int) -> tuple[int, int, int, int]:
    """Wolves in the corners, at the edges, in the inner nine squares; sheep in the inner nine."""
    return count(wolves & CORNERS), count(wolves & EDGES), count(wolves & CENTRE), count(sheep & CENTRE)


def flock(wolves: int, sheep: int) -> tuple[int, int, int]:
    """Sheep side by side, sheep that touch a wolf (where it cannot eat them), and wolves that touch each other."""
    pairs = count(sheep & shifted(sheep, RIGHT)) + count(sheep & shifted(sheep, DOWN))
    return pairs, count(beside(wolves) & sheep), count(beside(wolves) & wolves)


def is_tactical(state: State, move: int) -> bool:
    """Eating, and the sheep's step to the last square that a wolf could go to."""
    target = move & 31
    if state.side == FIRST:
        return bool(state.sheep >> target & 1)
    return beside(state.wolves) & ~(state.wolves | state.sheep) & BOARD == 1 << target


def known_result(state: State, rules: Rules) -> int:
    """The last sheep but two eaten now, or the last way out closed now.

    Nothing further off is sure: a side in trouble may escape by repeating a position, which a state does not show.
    """
    wolves, sheep = state.wolves, state.sheep
    empty = BOARD & ~(wolves | sheep)
    if state.side == FIRST:
        return 1 if count(sheep) == 3 and edible(wolves, sheep, empty) else 0
    outlets = beside(wolves) & empty
    if count(outlets) != 1:
        return 0
    return -1 if beside(outlets) & sheep & ~beside(wolves) else 0


# A sheep is worth about 100.
HAND = {
    "sheep": -100.0,
    "food": 60.0,
    "threat": 15.0,
    "second_threat": 50.0,
    "exposed": 3.0,
    "freedom": 12.0,
    "trapped": -90.0,
    "one_way": -25.0,
    "walk": 6.0,
    "near": 4.0,
    "corner": -15.0,
    "edge": -5.0,
    "centre": 5.0,
    "sheep_centre": -4.0,
    "pairs": -2.0,
    "touched": -4.0,
    "together": -4.0,
    "tempo": 5.0,
}

# On 25 squares no count exceeds 25, but pairs (40 lines join the squares) and freedom (four directions each).
MOST = 25.0
MORE = {"pairs": 40.0, "freedom": 100.0, "tempo": 1.0}


def make_heuristic(name: str, weights: dict[str, float]) -> Heuristic:
    """A heuristic with these weights; no score lies outside every feature at its largest."""
    most = sum(abs(weight) * MORE.get(feature, MOST) for feature, weight in weights.items())
    return Heuristic(
        name=name,
        game="wolves",
        bounds=(-most, most),
        unit_name="sheep",
        features=features,
        weights=weights,
        is_tactical=is_tactical,
        compulsory=False,
        known_result=known_result,
    )


HEURISTICS = [make_heuristic("hand", HAND)]
HEURISTICS += REPORT

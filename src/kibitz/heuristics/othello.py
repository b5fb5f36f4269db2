"""What is good in Othello: corners, moves to choose from, and discs. Every count is Black's less White's."""

from kibitz.core.bits import Bits, count
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST
from kibitz.games.gallery.othello import Rules, State, targets_of

RIGHT, UP, LEFT, DOWN = 0, 2, 4, 6  # of the eight ways in which the rules count them


def features(state: State, rules: Rules) -> tuple[int, int, int, int]:
    corner = corners(rules)
    return (
        count(state.black & corner) - count(state.white & corner),
        count(targets_of(state.black, state.white, rules)) - count(targets_of(state.white, state.black, rules)),
        count(state.black) - count(state.white),
        1 if state.side == FIRST else -1,
    )


def corners(rules: Rules) -> Bits:
    """The squares on two edges: no step to the right or to the left, and none up or down, ends on both."""
    sides = ~(rules.onto[RIGHT] & rules.onto[LEFT])
    ends = ~(rules.onto[UP] & rules.onto[DOWN])
    return Bits(rules.all & sides & ends)


HEURISTICS = [
    Heuristic(
        name="hand",
        game="othello",
        bounds=(-2_000.0, 2_000.0),
        features=features,
        weights={"corners": 80.0, "mobility": 10.0, "discs": 1.0, "tempo": 5.0},
    )
]

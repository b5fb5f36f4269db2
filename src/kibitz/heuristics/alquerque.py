"""What is good in Alquerque, under all its rulesets: White's count less Black's of what follows.

Where pieces only step forward, a step is spent for good and a piece on the far row waits to be jumped; where they may
step sideways or back, being far ahead means little. So advance counts in two features, of which one is always zero.
"""

from kibitz.core.bits import count
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST, SECOND
from kibitz.games.alquerque import BOARD, STOP, Rules, State, can_jump, jumped, jumpers, landings, shifted
from kibitz.heuristics.alquerque_report import REPORT

FORWARD_ONLY = 3  # rules.steps where pieces step in three directions
ROW = 0b11111
CORNERS = 0b10001_00000_00000_00000_10001
EDGES = 0b11111_10001_10001_10001_11111 & ~CORNERS
CROSSINGS = 0b00000_01010_00100_01010_00000  # the inner fields where eight lines meet


def features(state: State, rules: Rules) -> tuple[int, ...]:
    white, black = state.white, state.black
    empty = BOARD & ~(white | black)
    lead = count(white) - count(black)
    tempo = 1 if state.side == FIRST else -1
    return (
        lead,
        lead * (24 - count(white) - count(black)),
        *exposure(victims(black, white, empty), victims(white, black, empty), tempo),
        jumps(white, black, empty) - jumps(black, white, empty),
        count(loose(white, empty)) - count(loose(black, empty)),
        steps(white & ~rules.white_rests, empty, FIRST, rules)
        - steps(black & ~rules.black_rests, empty, SECOND, rules),
        *advance(white, black, rules),
        count(white & CORNERS) - count(black & CORNERS),
        count(white & EDGES) - count(black & EDGES),
        count(white & CROSSINGS) - count(black & CROSSINGS),
        tempo,
    )


def victims(own: int, enemy: int, empty: int) -> int:
    """The enemy's pieces that could be jumped next."""
    found = 0
    for direction in range(8):
        found |= shifted(landings(own, enemy, empty, direction), 7 - direction)
    return found


def exposure(white: int, black: int, tempo: int) -> tuple[int, int, int]:
    """Pieces that could be jumped: where the enemy is to move, the second and further ones of them, and where their own
    side is to move.
    """
    if tempo > 0:
        return -count(black), -max(0, count(black) - 1), count(white)
    return count(white), max(0, count(white) - 1), -count(black)


def jumps(own: int, enemy: int, empty: int) -> int:
    found = 0
    for direction in range(8):
        found += count(landings(own, enemy, empty, direction))
    return found


def loose(own: int, empty: int) -> int:
    """Pieces with an empty field before them and no comrade behind, on some line: an enemy might jump them there."""
    found = 0
    for direction in range(8):
        found |= own & shifted(empty, direction) & shifted(BOARD & ~own, 7 - direction)
    return found


def steps(own: int, empty: int, side: int, rules: Rules) -> int:
    """How many steps a side has, steps back after a sideways one included."""
    walkers = own & ~rules.white_rests if side == FIRST else own & ~rules.black_rests
    found = 0
    for nth in range(rules.steps):
        direction = nth if side == FIRST else 7 - nth
        found += count(shifted(walkers, direction) & empty)
    return found


def advance(white: int, black: int, rules: Rules) -> tuple[int, int, int]:
    """Rows gone in all, and pieces on the far row, where pieces only step forward; rows gone where they do not."""
    gone = 4 * count(white) - rows_above(white) - rows_above(black)
    far = count(white & ROW) - count(black & ROW << 20)
    return (gone, far, 0) if rules.steps == FORWARD_ONLY else (0, 0, gone)


def rows_above(cells: int) -> int:
    """The sum over these cells of the rows above them."""
    return count(cells >> 5) + count(cells >> 10) + count(cells >> 15) + count(cells >> 20)


def is_tactical(state: State, move: int) -> bool:
    """Jumps, and the choice to stop."""
    return move == STOP or jumped(move >> 5, move & 31) != 0


def known_result(state: State) -> int:
    """The last enemy piece jumped now."""
    enemy, winner = (state.black, 1) if state.side == FIRST else (state.white, -1)
    if count(enemy) != 1:
        return 0
    return winner if can_jump(jumpers(state), enemy, BOARD & ~(state.white | state.black)) else 0


# A piece is worth about 100.
HAND = {
    "pieces": 100.0,
    "lead": 3.0,
    "hanging": -60.0,
    "hanging_more": -20.0,
    "hanging_on_move": -15.0,
    "jumps": 3.0,
    "loose": -3.0,
    "steps": 3.0,
    "gone": -2.0,
    "far_row": -8.0,
    "gone_freely": 1.0,
    "corners": 4.0,
    "edges": 3.0,
    "crossings": 3.0,
    "tempo": 5.0,
}

# A side has at most 12 pieces, each with 8 lines and 4 rows to go; a lead of 12 is greatest against none: 12 times 12.
MOST = 12.0
MORE = {"lead": 144.0, "jumps": 96.0, "steps": 96.0, "gone": 48.0, "gone_freely": 48.0, "tempo": 1.0}


def make_heuristic(name: str, weights: dict[str, float]) -> Heuristic:
    """A heuristic with these weights; no score lies outside every feature at its largest."""
    most = sum(abs(weight) * MORE.get(feature, MOST) for feature, weight in weights.items())
    return Heuristic(
        name=name,
        game="alquerque",
        bounds=(-most, most),
        unit_name="pieces",
        features=features,
        weights=weights,
        is_tactical=is_tactical,
        known_result=known_result,
    )


HEURISTICS = [make_heuristic("hand", HAND)]
HEURISTICS += REPORT

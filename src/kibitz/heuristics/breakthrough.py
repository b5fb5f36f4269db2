"""What is good in Breakthrough.

Every feature is a difference, White's count less Black's, of sets made by shifts of whole boards. They are the same
for any board: rows are counted from the goal, files from the edge.
"""

from typing import NamedTuple

from kibitz.core.bits import ONE, Bits, count
from kibitz.core.heuristic import Heuristic
from kibitz.core.result import FIRST, SECOND
from kibitz.games.breakthrough import Rules, State
from kibitz.heuristics.breakthrough_races import known_result, nearest, race
from kibitz.heuristics.breakthrough_report import REPORT
from kibitz.heuristics.breakthrough_steps import ahead, eastward, westward


class Camp(NamedTuple):
    """One side's workers and the squares they bear on."""

    workers: Bits
    struck: Bits  # squares where it could capture
    struck_twice: Bits


class Ranks(NamedTuple):
    """The rows by the steps that one side's workers still have to go from there; the home row stands apart."""

    goal: Bits
    one: Bits
    two: Bits
    three: Bits
    four: Bits
    five: Bits
    six: Bits  # or more
    home: Bits


def features(state: State, rules: Rules) -> tuple[int, ...]:
    white, black = camp(state.white, FIRST, rules), camp(state.black, SECOND, rules)
    up, down = ranks(rules.top, rules.bottom, SECOND, rules), ranks(rules.bottom, rules.top, FIRST, rules)
    tempo = 1 if state.side == FIRST else -1
    return (
        *guards(state, rules),
        *advance(state, up, down, rules),
        *exposure(white, black, up, down, tempo),
        *structure(white, black, up, down, rules),
        *freedom(white, black, up, down, rules),
        *wings(state, up, down, rules),
        *runners(state, rules),
        tempo,
    )


def camp(workers: Bits, side: int, rules: Rules) -> Camp:
    west, east = westward(workers, side, rules), eastward(workers, side, rules)
    return Camp(workers, west | east, west & east)


def ranks(goal: Bits, home: Bits, back: int, rules: Rules) -> Ranks:
    """The rows of the side whose goal this is; `back` is the side that moves away from it."""
    away = rules.board & ~home
    one = ahead(goal, back, rules)
    two = ahead(one, back, rules)
    three = ahead(two, back, rules)
    four = ahead(three, back, rules)
    five = ahead(four, back, rules)
    six = away & ~(goal | one | two | three | four | five)
    return Ranks(goal, one & away, two & away, three & away, four & away, five & away, six, home)


def margin(white: Bits, black: Bits) -> int:
    return count(white) - count(black)


# The features, in groups.


def guards(state: State, rules: Rules) -> tuple[int, int, int, int]:
    """Workers that never left the home row, by their distance from the edge of the board."""
    white, black = state.white & rules.bottom, state.black & rules.top
    edge = rules.west | rules.east
    second = (rules.west << 1 | rules.east >> 1) & ~edge
    third = (rules.west << 2 | rules.east >> 2) & ~(edge | second)
    centre = ~(edge | second | third)
    return (
        margin(white & edge, black & edge),
        margin(white & second, black & second),
        margin(white & third, black & third),
        margin(white & centre, black & centre),
    )


def advance(state: State, up: Ranks, down: Ranks, rules: Rules) -> tuple[int, ...]:
    """Workers by the steps they have to go, those on the edge of the board apart."""
    edge = rules.west | rules.east
    white_edge, black_edge = state.white & edge, state.black & edge
    white, black = state.white & ~edge, state.black & ~edge
    return (
        margin(white_edge & up.six, black_edge & down.six),
        margin(white & up.six, black & down.six),
        margin(white_edge & up.five, black_edge & down.five),
        margin(white & up.five, black & down.five),
        margin(white_edge & up.four, black_edge & down.four),
        margin(white & up.four, black & down.four),
        margin(white_edge & up.three, black_edge & down.three),
        margin(white & up.three, black & down.three),
        margin(white_edge & up.two, black_edge & down.two),
        margin(white & up.two, black & down.two),
        margin(white_edge & up.one, black_edge & down.one),
        margin(white & up.one, black & down.one),
        margin(state.white & up.goal, state.black & down.goal),
    )


def exposure(white: Camp, black: Camp, up: Ranks, down: Ranks, tempo: int) -> tuple[int, ...]:
    """Workers that stand to be captured; where their own side is to move they may still get away."""
    white_bare, black_bare = bare(white, black), bare(black, white)
    white_few, black_few = outnumbered_workers(white, black), outnumbered_workers(black, white)
    white_front, black_front = up.one | up.two | up.three, down.one | down.two | down.three
    white_held = white.workers & black.struck & ~(white_bare | white_few)
    black_held = black.workers & white.struck & ~(black_bare | black_few)
    return (
        *by_turn(white_bare & white_front, black_bare & black_front, tempo),
        *by_turn(white_bare & ~white_front, black_bare & ~black_front, tempo),
        *by_turn(white_few, black_few, tempo),
        margin(white_held, black_held),
    )


def by_turn(white: Bits, black: Bits, tempo: int) -> tuple[int, int]:
    """A difference in two parts: where the enemy is to move, and where the workers' own side is."""
    if tempo > 0:
        return -count(black), count(white)
    return count(white), -count(black)


def bare(own: Camp, enemy: Camp) -> Bits:
    """Workers that can be captured and would not be avenged."""
    return own.workers & enemy.struck & ~own.struck


def outnumbered_workers(own: Camp, enemy: Camp) -> Bits:
    """Workers attacked twice and protected once: the second capture is free."""
    return own.workers & enemy.struck_twice & own.struck & ~own.struck_twice


def structure(white: Camp, black: Camp, up: Ranks, down: Ranks, rules: Rules) -> tuple[int, ...]:
    """Workers that support each other: diagonally, side by side, and in a column."""
    white_safe, black_safe = white.workers & white.struck, black.workers & black.struck
    white_pairs, black_pairs = pairs(white.workers, rules), pairs(black.workers, rules)
    white_file = white.workers & ahead(white.workers, FIRST, rules)
    black_file = black.workers & ahead(black.workers, SECOND, rules)
    return (
        margin(white_safe & (up.one | up.two), black_safe & (down.one | down.two)),
        margin(white_safe & up.three, black_safe & down.three),
        margin(white_safe & up.four, black_safe & down.four),
        margin(white_safe & (up.five | up.six), black_safe & (down.five | down.six)),
        margin(white_pairs & (up.one | up.two), black_pairs & (down.one | down.two)),
        margin(white_pairs & up.three, black_pairs & down.three),
        margin(white_pairs & up.four, black_pairs & down.four),
        margin(white_pairs & (up.five | up.six), black_pairs & (down.five | down.six)),
        margin(white_file, black_file),
    )


def pairs(workers: Bits, rules: Rules) -> Bits:
    """Workers with a comrade at their left hand."""
    return workers & ((workers & ~rules.east) << 1)


def freedom(white: Camp, black: Camp, up: Ranks, down: Ranks, rules: Rules) -> tuple[int, int, int, int]:
    """Holes in the two rows before home, steps to squares that the enemy does not strike, squares struck alone."""
    return (
        margin(down.one & ~white.struck, up.one & ~black.struck),
        margin(down.two & ~(white.struck | white.workers), up.two & ~(black.struck | black.workers)),
        safe_steps(white, black, FIRST, rules) - safe_steps(black, white, SECOND, rules),
        margin(white.struck & ~black.struck, black.struck & ~white.struck),
    )


def safe_steps(own: Camp, enemy: Camp, side: int, rules: Rules) -> int:
    free = rules.board & ~(own.workers | enemy.struck)
    straight = ahead(own.workers, side, rules) & free & ~enemy.workers
    west = westward(own.workers, side, rules) & free
    return count(straight) + count(west) + count(eastward(own.workers, side, rules) & free)


def wings(state: State, up: Ranks, down: Ranks, rules: Rules) -> tuple[int, int]:
    """Majorities on the left and on the right, where two heads more count four times as much as one; and by how many
    the workers past the middle outnumber the enemy's rear on their wing.
    """
    half = rules.columns // 2
    left = rules.west * Bits((1 << half) - 1)
    right = left << (rules.columns - half)
    white_front = state.white & (up.one | up.two | up.three | up.four)
    black_front = state.black & (down.one | down.two | down.three | down.four)
    white_rear = state.white & (up.home | up.six | up.five)
    black_rear = state.black & (down.home | down.six | down.five)
    west, east = margin(state.white & left, state.black & left), margin(state.white & right, state.black & right)
    pressure = max(0, margin(white_front & left, black_rear & left))
    pressure += max(0, margin(white_front & right, black_rear & right))
    pressure -= max(0, margin(black_front & left, white_rear & left))
    pressure -= max(0, margin(black_front & right, white_rear & right))
    return west * abs(west) + east * abs(east), pressure


def runners(state: State, rules: Rules) -> tuple[int, int]:
    """Which side has a worker that cannot be stopped: one that arrives before any enemy could; one that may be late."""
    white = race(state.white, state.black, FIRST, state.side == FIRST, rules)
    black = race(state.black, state.white, SECOND, state.side == SECOND, rules)
    wins = 0
    if white > 0 and white + state.side <= nearest(state.black, SECOND, rules):
        wins = 1
    elif black > 0 and black + 1 - state.side <= nearest(state.white, FIRST, rules):
        wins = -1
    return wins, (1 if white > 0 else 0) - (1 if black > 0 else 0) - wins


def is_tactical(state: State, move: int, rules: Rules) -> bool:
    """Captures, and steps to the far row."""
    enemy, goal = (state.black, rules.top) if state.side == FIRST else (state.white, rules.bottom)
    return bool((enemy | goal) >> (move & 63) & ONE)


# Weightings. A worker is worth about 100.

# Fitted to about 1,700 games of the engine against itself (benchmarks/fit.py, figures in docs/heuristics.md), but
# for two set by hand: `based` never occurs with one worker to base, and a `runner` always won.
FITTED = {
    "guard_edge": 35.0,
    "guard_second": 60.0,
    "guard_third": 70.6,
    "guard_centre": 55.5,
    "six_edge": 59.7,
    "six": 77.0,
    "five_edge": 77.1,
    "five": 78.8,
    "four_edge": 96.1,
    "four": 87.0,
    "three_edge": 130.5,
    "three": 111.1,
    "two_edge": 152.8,
    "two": 146.2,
    "one_edge": 234.1,
    "one": 220.9,
    "based": 500.0,
    "bare_front": -79.4,
    "bare_front_on_move": -5.2,
    "bare_rear": -26.6,
    "bare_rear_on_move": 30.3,
    "outnumbered": -35.6,
    "outnumbered_on_move": 32.0,
    "tension": 35.2,
    "guarded_two": 23.2,
    "guarded_three": -17.1,
    "guarded_four": -4.3,
    "guarded_rear": -7.7,
    "pair_two": 229.4,
    "pair_three": 28.6,
    "pair_four": 0.4,
    "pair_rear": 2.0,
    "column": 2.1,
    "holes": -17.4,
    "gaps": 6.8,
    "safe_steps": -2.1,
    "control": -0.5,
    "majority": -0.3,
    "pressure": 11.0,
    "runner": 600.0,
    "late_runner": 137.5,
    "tempo": 7.2,
}

HAND = {
    "guard_edge": 60.0,
    "guard_second": 85.0,
    "guard_third": 80.0,
    "guard_centre": 70.0,
    "six_edge": 60.0,
    "six": 60.0,
    "five_edge": 60.0,
    "five": 62.0,
    "four_edge": 68.0,
    "four": 72.0,
    "three_edge": 90.0,
    "three": 95.0,
    "two_edge": 140.0,
    "two": 150.0,
    "one_edge": 290.0,
    "one": 300.0,
    "based": 500.0,
    "bare_front": -110.0,
    "bare_front_on_move": -30.0,
    "bare_rear": -70.0,
    "bare_rear_on_move": -15.0,
    "outnumbered": -50.0,
    "outnumbered_on_move": -10.0,
    "tension": 0.0,
    "guarded_two": 40.0,
    "guarded_three": 20.0,
    "guarded_four": 10.0,
    "guarded_rear": 4.0,
    "pair_two": 70.0,
    "pair_three": 25.0,
    "pair_four": 10.0,
    "pair_rear": 3.0,
    "column": 2.0,
    "holes": -8.0,
    "gaps": -4.0,
    "safe_steps": 3.0,
    "control": 2.0,
    "majority": 2.0,
    "pressure": 8.0,
    "runner": 600.0,
    "late_runner": 80.0,
    "tempo": 15.0,
}

# No side has more than 24 workers (two rows of at most 12), which bounds every count but three: a worker has three
# steps and strikes two squares, and a majority of 24 counts 24 times 24.
MOST = 24.0
MORE = {
    "safe_steps": 3 * MOST,
    "control": 2 * MOST,
    "majority": MOST * MOST,
    "runner": 1.0,
    "late_runner": 2.0,
    "tempo": 1.0,
}


def bounds(weights: dict[str, float]) -> tuple[float, float]:
    """No score lies outside: every feature at its largest."""
    most = sum(abs(weight) * MORE.get(name, MOST) for name, weight in weights.items())
    return -most, most


def make_heuristic(name: str, weights: dict[str, float]) -> Heuristic:
    return Heuristic(
        name=name,
        game="breakthrough",
        bounds=bounds(weights),
        unit_name="pieces",
        features=features,
        weights=weights,
        is_tactical=is_tactical,
        compulsory=False,
        known_result=known_result,
    )


HEURISTICS = [make_heuristic("fitted", FITTED), make_heuristic("hand", HAND)]
HEURISTICS += REPORT

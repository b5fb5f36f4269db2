"""A game that is nothing but a graph drawn at random: rooms, doors, and whose turn it is in each. Walks may go in
circles and a side may move twice, so it asks much of a search and little of an oracle.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import Heuristic
from kibitz.core.layout import placement, square_board
from kibitz.core.position import Position
from kibitz.core.result import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.rulebook import Rulebook

DOORS = 3


class Options(NamedTuple):
    seed: int = 1
    rooms: int = 12
    ends: int = 3  # one room in so many ends the game
    plies: int = 0  # 0: they are not counted


class Rules(NamedTuple):
    doors: NDArray[np.int64]  # three to a room
    sides: NDArray[np.int64]
    results: NDArray[np.int64]
    plies: int


class State(NamedTuple):
    room: int
    ply: int


def turn(state: State, rules: Rules) -> int:
    return int(rules.sides[state.room])


def moves(state: State, rules: Rules) -> Iterator[int]:
    door = 0
    while door < DOORS:
        yield door
        door += 1


def play(state: State, move: int, rules: Rules) -> State:
    room = int(rules.doors[DOORS * state.room + move])
    passes = rules.plies > 0 and rules.sides[room] != rules.sides[state.room]
    return State(room, state.ply + 1 if passes else state.ply)


def result(state: State, rules: Rules) -> int:
    return int(rules.results[state.room])


def key(state: State) -> State:
    return State(state.room, 0)


def plies_left(state: State, rules: Rules) -> int:
    return rules.plies - state.ply


def at_limit(state: State, rules: Rules) -> int:
    """Who stands in an even room has won."""
    return FIRST_WINS if state.room % 2 == 0 else SECOND_WINS


def rules_of(options: Options) -> Rules:
    dice = Random(options.seed)
    rooms = range(options.rooms)
    ends = [dice.choice((FIRST_WINS, SECOND_WINS, DRAW)) if dice.randrange(options.ends) == 0 else 0 for _ in rooms]
    return Rules(
        doors=np.array([dice.randrange(options.rooms) for _ in rooms for _ in range(DOORS)], np.int64),
        sides=np.array([dice.randrange(2) for _ in rooms], np.int64),
        results=np.array([ONGOING, *ends[1:]], np.int64),
        plies=options.plies,
    )


maze = Rulebook(
    name="maze",
    title="Maze",
    sides=("first", "second"),
    options=Options,
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=lambda: State(0, 0),
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    key=key,
    max_moves=DOORS,
    layout=lambda: square_board(1, 4, {}),
    pieces=lambda state: [""] * 4,
    gesture=placement,
    move_text=lambda state, move: f"door{move}",
)
repeating = replace(maze, repetition=2)
limited = replace(maze, plies_left=plies_left, at_limit=at_limit)
limited_and_repeating = replace(limited, repetition=2)


def result_of_early_wins(state: State, rules: Rules) -> int:
    """From ply 1 on, nobody wins in the rooms any more."""
    return int(rules.results[state.room]) if state.ply < 1 or rules.results[state.room] == ONGOING else DRAW


def horizon(state: State) -> int:
    return 0 - state.ply


changing = replace(limited_and_repeating, result=result_of_early_wins, horizon=horizon)


def one_door_away(state: State, rules: Rules) -> int:
    """Whoever has a door to a room where it wins, wins in one turn; that repetition and limits count is forgotten."""
    side = rules.sides[state.room]
    for door in range(DOORS):
        if rules.results[rules.doors[DOORS * state.room + door]] == FIRST_WINS + side:
            return 1 if side == 0 else -1
    return 0


EXPERT = Heuristic(name="expert", game="maze", bounds=(0.0, 0.0), known_result=one_door_away)


def can_force_a_win(position: Position, side: int) -> bool:
    """By working back from won positions until nothing more is won; a circle is no win."""
    game = position.game
    known = [position.state]
    for state in known:
        known += {after for door in game.moves(state) if (after := game.play(state, door)) not in known}
    won = {state for state in known if game.result(state) == FIRST_WINS + side}
    while True:
        more = set()
        for state in set(known) - won:
            answers = [game.play(state, door) in won for door in game.moves(state)]
            if answers and (any(answers) if game.turn(state) == side else all(answers)):
                more.add(state)
        if not more:
            return position.state in won
        won |= more


def value(position: Position) -> int:
    """The result for the first player, 1, 0 or -1, by trying everything, repetition included."""
    if position.result is not None:
        return {FIRST_WINS: 1, SECOND_WINS: -1}.get(position.result, 0)
    best = max if position.turn == 0 else min
    return best(value(position.play(code)) for code in position.move_ids)


@lru_cache
def tictactoe_value(position: Position) -> int:
    """The same for a game without repetition, where positions come about in many ways."""
    if position.result is not None:
        return {FIRST_WINS: 1, SECOND_WINS: -1}.get(position.result, 0)
    best = max if position.turn == 0 else min
    return best(tictactoe_value(position.play(code)) for code in position.move_ids)

"""Coin race: a little game with chance, for tests. A side throws a coin and goes one or two steps; three steps win."""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz.core.layout import Gesture, Layout, Piece, square_board
from kibitz.core.result import CHANCE, FIRST_WINS, ONGOING, SECOND_WINS
from kibitz.core.rulebook import Rulebook, Symmetry

THROW, GOAL = 0, 3


class State(NamedTuple):
    first: int
    second: int
    side: int
    thrown: bool


def turn(state: State) -> int:
    return CHANCE if state.thrown else state.side


def moves(state: State) -> Iterator[int]:
    yield THROW


def outcomes(state: State) -> Iterator[tuple[float, int]]:
    yield 0.5, 1
    yield 0.5, 2


def play(state: State, move: int) -> State:
    if move == THROW:
        return State(state.first, state.second, state.side, True)
    if state.side == 0:
        return State(state.first + move, state.second, 1, False)
    return State(state.first, state.second + move, 0, False)


def result(state: State) -> int:
    if state.first >= GOAL:
        return FIRST_WINS
    return SECOND_WINS if state.second >= GOAL else ONGOING


def transform(state: State, symmetry: int) -> State:
    return State(state.second, state.first, 1 - state.side, state.thrown)


def transform_move(move: int, symmetry: int) -> int:
    return move


def start() -> State:
    return State(0, 0, 0, False)


def pieces(state: State) -> list[str]:
    return [f"x{state.first}" if state.first else "", f"o{state.second}" if state.second else ""]


def layout() -> Layout:
    return square_board(1, 2, {"x": Piece("cross", "x", 0), "o": Piece("nought", "o", 1)})


def gesture(move: int) -> Gesture:
    return Gesture(())


def move_text(state: State, move: int) -> str:
    return "throw" if move == THROW else f"~{move}"


coin_race = Rulebook(
    name="coin_race",
    title="Coin race",
    sides=("crosses", "noughts"),
    state=State,
    turn=turn,
    moves=moves,
    outcomes=outcomes,
    play=play,
    result=result,
    max_moves=2,
    alternating=True,
    symmetries=(Symmetry("swap", swaps=True),),
    transform=transform,
    transform_move=transform_move,
    start=start,
    pieces=pieces,
    layout=layout,
    gesture=gesture,
    move_text=move_text,
)

"""A long walk: a little game by index for tests, whose wins are as long as its road. Each turn is one step; who makes
the last one wins. Where only the second player wins, the first one's last step is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from kibitz.core.layout import Layout, Piece, placement, square_board
from kibitz.core.result import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Block, Rulebook


class Options(NamedTuple):
    steps: int = 400
    both: bool = False


class Rules(NamedTuple):
    steps: int
    both: bool


class State(NamedTuple):
    left: int
    side: int


def rules_of(options: Options) -> Rules:
    return Rules(options.steps, options.both)


def start(rules: Rules) -> State:
    return State(rules.steps, FIRST)


def turn(state: State) -> int:
    return state.side


def moves(state: State) -> Iterator[int]:
    yield 0


def play(state: State, move: int) -> State:
    return State(state.left - 1, 1 - state.side)


def result(state: State, rules: Rules) -> int:
    if state.left > 0:
        return ONGOING
    if state.side == FIRST:
        return SECOND_WINS
    return FIRST_WINS if rules.both else DRAW


def blocks(rules: Rules) -> list[Block]:
    return [Block(0, FIRST, rules.steps + 1, 1), Block(0, SECOND, rules.steps + 1, 1)]


def index(state: State, rules: Rules) -> int:
    return state.side * (rules.steps + 1) + state.left


def unindex(number: int, rules: Rules) -> State:
    return State(number % (rules.steps + 1), number // (rules.steps + 1))


def unmoves(state: State, rules: Rules) -> Iterator[int]:
    if state.left < rules.steps:
        yield 0


def unplay(state: State, move: int) -> State:
    return State(state.left + 1, 1 - state.side)


def pieces(state: State) -> list[str]:
    return [""]


def layout() -> Layout:
    return square_board(1, 1, {"x": Piece("walker", "x", 0)})


long_walk = Rulebook(
    name="long_walk",
    title="A long walk",
    sides=("first", "second"),
    options=Options,
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=start,
    turn=turn,
    moves=moves,
    play=play,
    result=result,
    max_moves=1,
    alternating=True,
    blocks=blocks,
    index=index,
    unindex=unindex,
    unmoves=unmoves,
    unplay=unplay,
    pieces=pieces,
    layout=layout,
    gesture=placement,
)

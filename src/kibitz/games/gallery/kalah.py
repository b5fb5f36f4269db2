"""Kalah: sow seeds, fill your store.

Each side has a row of six houses with four seeds in each, and a store at its right:

    diagram:
       4  4  4  4  4  4        north's houses, a2 to f2
    0                    0     stores
       4  4  4  4  4  4        south's houses, a1 to f1
       a  b  c  d  e  f

A turn takes all seeds of a house of one's own and sows them one by one counter-clockwise: along one's houses, into
one's store, along the enemy's houses, past the enemy's store. If the last seed falls into one's store, the same side
sows again. If it falls into an empty house of one's own and there are seeds in the house opposite, all of them go to
one's store. When a side has no seed in its houses, the game is over, and the other keeps those in its own. More seeds
win.

`houses` and `seeds` are options: `kalah,houses=4,seeds=3`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Board, Cell, Heuristic, Piece, Rulebook, in_range


class Options(NamedTuple):
    houses: int = 6
    seeds: int = 4


class Rules(NamedTuple):
    houses: int


class State(NamedTuple):
    seeds: NDArray[np.int16]  # the first's houses and store, then the second's, in the order of sowing
    side: int


def board(options: Options) -> Board:
    size, seeds = in_range("houses", options.houses, 1, 9), in_range("seeds", options.seeds, 1, 9)
    names = "abcdefghi"[:size]
    below = [Cell(f"{name}1", x, 2.0, "first") for x, name in enumerate(names, 1)]
    above = [Cell(f"{name}2", x, 0.0, "second") for x, name in enumerate(names, 1)]
    stores = [Cell("store1", size + 1.0, 1.0, "first"), Cell("store2", 0.0, 1.0, "second")]
    row = ",".join([f"s{seeds}"] * size)
    return Board(
        cells=(*below, stores[0], *reversed(above), stores[1]),
        kinds={"seeds": Piece("seeds", "s", None, colour="yellow")},
        links=frozenset(),
        columns=dict(enumerate(names, 1)),
        start=f"{row}/2/{row}",
    )


def moves(state: State, rules: Rules) -> Iterator[int]:
    """A move is the house that is emptied."""
    first = state.side * (rules.houses + 1)
    for house in range(first, first + rules.houses):
        if state.seeds[house]:
            yield house


def play(state: State, move: int, rules: Rules) -> State:
    size, ring = rules.houses, 2 * rules.houses + 2
    store, enemy_store = size + state.side * (size + 1), size + (1 - state.side) * (size + 1)
    seeds, house = state.seeds.copy(), move
    left, seeds[move] = seeds[move], 0
    while left:
        house = (house + 1) % ring
        if house != enemy_store:
            seeds[house] += 1
            left -= 1
    opposite = 2 * size - house
    if store - size <= house < store and seeds[house] == 1 and seeds[opposite]:
        seeds[store] += seeds[house] + seeds[opposite]
        seeds[house] = seeds[opposite] = 0
    return State(seeds, state.side if house == store else 1 - state.side)


def result(state: State, rules: Rules) -> int:
    size = rules.houses
    first, second = state.seeds[:size].sum(), state.seeds[size + 1 : 2 * size + 1].sum()
    if first and second:
        return ONGOING
    first, second = first + state.seeds[size], second + state.seeds[2 * size + 1]
    return DRAW if first == second else FIRST_WINS if first > second else SECOND_WINS


def lead(state: State, rules: Rules) -> float:
    return float(state.seeds[rules.houses] - state.seeds[2 * rules.houses + 1])


game = Rulebook.of(__name__, board=board, sides=("south", "north"), max_moves=9)
stored = Heuristic(name="stored", game="kalah", evaluate=lead, bounds=(-162.0, 162.0), unit=2.0)

"""The end of Chinese checkers is a race: once the armies have passed each other, each has a puzzle of its own to solve.

The armies have passed each other when every blue marble stands in a higher row than every red one. The rows above Red's
foremost are then Blue's zone, those below Blue's rearmost are Red's. A hop within a zone has all its cells there, the
marble hopped over too, so what an army can do within its zone does not depend on the enemy; and as long as nobody turns
back behind the own rear, the armies stay passed. A plan for one army that keeps to its zone is therefore legal
however the enemy goes on racing. (Whoever does turn back, or hops over the enemy's rear and back again, gives the game
another turn: a plan is made anew before each move.)

A plan is found turn by turn, breadth first: of all the armies that can be reached in so many turns only the most
promising are followed. Then the same with four times as many, now leaving out those that can no longer be sooner than
the plan at hand, and so on. A round in which none had to be given up has proved that nothing is shorter. Armies met
before are recognised by a 64-bit code.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.core.seam import specialise
from kibitz.core.seam.running import STOP
from kibitz.games.checkers import EMPTY, ORDINARY, SPECIAL, Rules, belongs, targets
from kibitz.heuristics.checkers import at_least, beside_its_place, class_of, rows_left
from kibitz.search.bounds import OWN, bounded, bounded_control, counted

NARROWEST, WIDEST = 32, 1 << 13  # armies followed from one turn to the next
MOST_TURNS = 100
CHILDREN = 64  # room for so many new armies from each one followed, on average
COSTS = 1 << 12  # estimates are below it
BOUND_COST = 12  # what a turn of the lower bound is worth in estimates
LENGTH, PROVEN = OWN, OWN + 1  # of the control array
NEAR, HOMELESS = 40, 48  # where a tally counts them, in bits; the classes of cells are below


class Plan(NamedTuple):
    """The moves of one side, one a turn, that bring its army home."""

    moves: tuple[int, ...]
    proven: bool  # nothing shorter exists within the army's zone


class Store(NamedTuple):
    """The armies of one round, each where the one it came from can be found."""

    places: NDArray[np.int16]  # [army * marbles + marble]: its cell
    tallies: NDArray[np.int64]
    costs: NDArray[np.int64]
    codes: NDArray[np.int64]
    parents: NDArray[np.int64]
    moves: NDArray[np.int64]
    ranks: NDArray[np.int64]

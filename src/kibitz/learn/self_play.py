"""Games of a network against itself, and what each position of them was worth in the end."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.network import POINTS, Network
from kibitz.core.random_numbers import PRIME
from kibitz.core.result import SECOND
from kibitz.core.seam import specialise
from kibitz.games import catalog
from kibitz.learn.inputs import LONGEST, Inputs, new_memory, unpack_inputs
from kibitz.learn.self_play_kernel import CUT, ENDED, ROLLED, follow, play_games
from kibitz.learn.training import Batch
from kibitz.nets.choice import with_network

QUIET_TURNS = 6  # so far go tactical moves beyond the depth
NODE_LIMIT = 4_000  # of the search of one move
WON = 10_000.0
WON_BY_CHANCE = 1_300.0  # where chance mixes wins with scores, little more than the largest score
NEAR_WON = 60  # a value so near to a win is one


@dataclass(frozen=True)
class Task:
    """One stretch of self-play."""

    positions: int
    depth: int
    opening: int  # random turns at the beginning of each game, at most
    explore: float  # the share of random moves
    trace: float  # TD's lambda
    seed: tuple[int, ...]


class Chunk(NamedTuple):
    """What a stretch of self-play brought."""

    data: Batch
    games: int
    nodes: int
    long_games: int


def play_chunk(inputs: Inputs, network: Network, task: Task) -> Chunk:
    """Play until there are as many positions as asked for."""
    game = inputs.game
    heuristic = with_network(inputs.base, network)
    memory = new_memory(
        game,
        network.weight_array(),
        positions=task.positions,
        inputs=inputs.size,
        codes=network.most_active + 4,
    )._replace(columns=inputs.columns)
    plan = memory.plan[0]
    chancy = game.rulebook.outcomes is not None
    plan.wanted, plan.depth, plan.quiet_turns, plan.node_limit = task.positions, task.depth, QUIET_TURNS, NODE_LIMIT
    plan.opening, plan.explore, plan.most_moves = task.opening, int(task.explore * PRIME), LONGEST
    plan.random = int(np.random.default_rng(list(task.seed)).integers(1, PRIME))
    plan.won = WON_BY_CHANCE if chancy else WON
    constants = {
        "TACTICAL": int(heuristic.is_tactical is not None),
        "COMPULSORY": int(heuristic.is_tactical is not None and heuristic.compulsory),
    }
    run = specialise(game.rulebook, play_games, heuristic, constants=constants)
    written = int(run(game.new().state, game.rules, memory))
    return _learnable(inputs, memory, written, task.trace)


def _learnable(inputs: Inputs, memory: Any, written: int, trace: float) -> Chunk:
    """The positions that say something, as the side to move sees them."""
    plan = memory.plan[0]
    values, flags, sides = memory.values[:written], memory.flags[:written], memory.sides[:written]
    exact = np.abs(values) >= plan.won - NEAR_WON
    exact |= (flags & ENDED) != 0
    chances = 1.0 / (1.0 + np.exp(-np.clip(values, -2000.0, 2000.0) / POINTS))
    chances = np.where(exact, np.where(values == 0.0, 0.5, (values > 0.0).astype(np.float64)), chances)
    follower = specialise(None, follow)
    targets = follower(chances, exact.astype(np.int64), flags, trace)
    targets = np.where(sides == SECOND, 1.0 - targets, targets)
    kept = ((flags & ENDED) == 0) & (flags != ROLLED | CUT)
    groups = np.array(inputs.groups, np.uint8)[sides[kept]]
    phases = inputs.phases[np.minimum(memory.counts[:written][kept], inputs.phases.size - 1)].astype(np.uint8)
    data = Batch(np.packbits(memory.on[:written][kept], axis=1), groups, phases, targets[kept].astype(np.float32))
    return Chunk(data, int(plan.games), int(plan.all_nodes), int(plan.long_games))


# In a process of its own.


class Setting(NamedTuple):
    """What a worker must know once: the game, and its inputs as bytes."""

    game: str
    inputs: bytes


@lru_cache(maxsize=4)
def _inputs_of(setting: Setting) -> Inputs:
    return unpack_inputs(catalog.load(setting.game), setting.inputs)


def play_elsewhere(setting: Setting, network: Network, task: Task) -> Chunk:
    """The same in a worker, which keeps the inputs and the compiled code from one task to the next."""
    return play_chunk(_inputs_of(setting), network, task)

"""Learned evaluations: what a network costs a search, and how fast self-play goes on one core."""

import random
import time

from kibitz import games, heuristics
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.random_play import random_opening
from kibitz.learn.inputs import find_inputs
from kibitz.learn.parameters import first_parameters
from kibitz.learn.quantisation import quantise
from kibitz.learn.self_play import Task, play_chunk
from kibitz.nets.choice import with_network
from kibitz.search.engine import Engine

SECONDS = 1.0
POSITIONS = 20_000


def main() -> None:
    nodes_a_second()
    positions_a_second()


def nodes_a_second() -> None:
    """Breakthrough from three openings, best of each, one thread."""
    game = games.load("breakthrough")
    known = {"made by hand": heuristics.find(game)}
    known |= {f"{units} units": untrained(units) for units in (64, 128, 256)}
    places = [random_opening(game, 6, random.Random(seed)) for seed in range(3)]
    for name, heuristic in known.items():
        engine = Engine(game, heuristic, megabytes=64)
        speeds = []
        for place in places:
            engine.forget()
            speeds.append(engine.search(place, Limit(seconds=SECONDS)).nodes_per_second)
        print(f"breakthrough, {name}: {sum(speeds) / len(speeds) / 1e6:.2f} M nodes/s", flush=True)


def untrained(units: int) -> Heuristic:
    """A network of this size with random weights: how fast it is does not depend on them."""
    inputs = find_inputs(games.load("breakthrough"), "bits", units)
    first = first_parameters(max(inputs.groups) + 1, inputs.size, units, inputs.phase_count, 1)
    return with_network(inputs.base, quantise(first, inputs))


def positions_a_second() -> None:
    """Self-play of untrained networks of 64 units, searches of one and of two turns."""
    for text in ("breakthrough", "othello", "connectfour", "alquerque", "wolves"):
        inputs = find_inputs(games.load(text), "bits", 64)
        first = first_parameters(max(inputs.groups) + 1, inputs.size, 64, inputs.phase_count, 1)
        network = quantise(first, inputs)
        play_chunk(inputs, network, Task(100, 1, inputs.opening, 0.08, 0.9, (1, 0)))
        for depth in (1, 2):
            began = time.perf_counter()
            chunk = play_chunk(inputs, network, Task(POSITIONS, depth, inputs.opening, 0.08, 0.9, (1, 1)))
            took = time.perf_counter() - began
            speed, nodes = chunk.data.size / took, chunk.nodes / took / 1e6
            print(f"{text}, depth {depth}: {speed:,.0f} positions/s, {nodes:.2f} M nodes/s", flush=True)


if __name__ == "__main__":
    main()

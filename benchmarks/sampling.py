"""Simulations a second of Monte Carlo search, beside OpenSpiel's where it is installed; nodes a second of proofs."""

import time
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kibitz import games
from kibitz.core.limit import Limit
from kibitz.search.mcts import Settings, Tree
from kibitz.search.proof import prove

SIMULATIONS = {"breakthrough": 100_000, "alquerque": 20_000, "wolves": 20_000, "vampires:testmap": 10_000}
PEERS_SIMULATIONS = 10_000
BOARDS = ("5x3", "8x2", "6x3")  # rows x columns
EXPLORATION = 0.7


def main() -> None:
    print(f"{'mcts, one random playout each':34} {'simulations':>12} {'a second':>14}")
    ours = {text: simulations_per_second(text, number) for text, number in SIMULATIONS.items()}
    for text, rate in ours.items():
        print(f"{text:34} {SIMULATIONS[text]:12,} {rate:12,.0f}/s", flush=True)
    if find_spec("pyspiel") is not None:
        theirs = peers_simulations_per_second("breakthrough", PEERS_SIMULATIONS)
        ratio = ours["breakthrough"] / theirs
        print(f"{'pyspiel.MCTSBot, breakthrough':34} {PEERS_SIMULATIONS:12,} {theirs:12,.0f}/s   ours {ratio:.1f}x")
    print(f"\n{'proof, breakthrough':34} {'nodes':>12} {'a second':>14}")
    for board in BOARDS:
        rows, columns = board.split("x")
        start = games.breakthrough(rows=rows, columns=columns).new()
        prove(start, start.turn, Limit(nodes=1))
        found = prove(start, start.turn, Limit())
        what = f"{board} {found}"
        print(f"{what:34} {found.nodes:12,} {found.nodes_per_second:12,.0f}/s", flush=True)


def simulations_per_second(text: str, number: int) -> float:
    """The best of three searches from the start, each with a new tree."""
    game = games.load(text)
    best = 0.0
    for seed in range(1, 4):
        tree = Tree(game, None, Settings(exploration=EXPLORATION, seed=seed))
        best = max(best, tree.search(game.new(), Limit(nodes=number)).nodes_per_second)
    return best


def peers_simulations_per_second(name: str, number: int) -> float:
    """OpenSpiel's own search with one random playout a simulation, the best of three."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(name)
    best = 0.0
    for seed in range(1, 4):
        bot = pyspiel.MCTSBot(
            game=game,
            evaluator=pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
            uct_c=EXPLORATION,
            max_simulations=number,
            max_memory_mb=256,
            solve=True,
            seed=seed,
            verbose=False,
        )
        began = time.perf_counter()
        bot.step(game.new_initial_state())
        best = max(best, number / (time.perf_counter() - began))
    return best


if __name__ == "__main__":
    main()

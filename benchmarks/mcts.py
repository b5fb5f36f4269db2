"""Simulations a second of Monte Carlo search, beside OpenSpiel's where it is installed; nodes a second of proofs."""

from kibitz import games
from kibitz.bench.peers import openspiel, simulations_per_second
from kibitz.core.limit import Limit
from kibitz.search.proof import prove

SIMULATIONS = {"breakthrough": 100_000, "alquerque": 20_000, "wolves": 20_000, "vampires:testmap": 10_000}
BOARDS = ("5x3", "8x2", "6x3")  # rows x columns


def main() -> None:
    print(f"{'mcts, one random playout each':34} {'simulations':>12} {'a second':>14}")
    for text, number in SIMULATIONS.items():
        rate = max(simulations_per_second(text, number, seed) for seed in (1, 2, 3))
        print(f"{text:34} {number:12,} {rate:12,.0f}/s", flush=True)
    for peer in openspiel():
        shown = f"{peer.name}, breakthrough"
        print(f"{shown:34} {'':12} {peer.theirs:12,.0f}/s   ours {peer.ratio:.1f} times as many", flush=True)
    print(f"\n{'proof, breakthrough':34} {'nodes':>12} {'a second':>14}")
    for board in BOARDS:
        rows, columns = board.split("x")
        start = games.breakthrough(rows=rows, columns=columns).new()
        prove(start, start.turn, Limit(nodes=1))
        found = prove(start, start.turn, Limit())
        what = f"{board} {found}"
        print(f"{what:34} {found.nodes:12,} {found.nodes_per_second:12,.0f}/s", flush=True)


if __name__ == "__main__":
    main()

"""Strength by games: `python -m benchmarks.strength breakthrough engine uci:fairy-stockfish --games 40 --seconds 0.1`.

Each opening of random plies is played twice with sides swapped; the interval is taken over these pairs.
"""

import argparse
import math
import random

from kibitz import agents, games
from kibitz.agents.match import play
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = games.load(asked.game)
    players = [agents.agent(text, game) for text in (asked.one, asked.two)]
    limit = Limit(seconds=asked.seconds)
    pairs: list[float] = []
    results = {1.0: 0, 0.5: 0, 0.0: 0}
    for number in range(asked.games // 2):
        opening = random_opening(game.new(), asked.plies, random.Random(asked.seed * 1000 + number))
        score = 0.0
        for first in (0, 1):
            seats = players if first == 0 else players[::-1]
            end = play(game, seats[0], seats[1], limit, asked.seed + number, opening)
            assert end.result is not None
            points = 0.5 if end.result.winner is None else float(end.result.winner == first)
            results[points] += 1
            score += points / 2
        pairs.append(score)
        print(f"\r{2 * len(pairs)} games {summary(pairs, results)}", end="", flush=True)
    print(f"\n{asked.game}: {asked.one} against {asked.two}, {asked.seconds} s a move: {summary(pairs, results)}")


def random_opening(here: Position, plies: int, dice: random.Random) -> str:
    """A line of random turns after which the game goes on."""
    begun = here
    for _ in range(plies):
        while True:
            after = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
            ended = after.turn != here.turn or after.over
            here = after
            if ended:
                break
    while here.turn == CHANCE and not here.over:
        here = here.roll(dice)
    return random_opening(begun, plies, dice) if here.over else here.line


def summary(pairs: list[float], results: dict[float, int]) -> str:
    """Wins, draws, losses, the score and Elo with its 95% interval over pairs."""
    count = len(pairs)
    mean = sum(pairs) / count
    spread = math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / count / count) * 1.96
    shown = [elo(value) for value in (mean - spread, mean, mean + spread)]
    return (
        f"+{results[1.0]} ={results[0.5]} -{results[0.0]}, {mean:.1%} "
        f"(95%: {max(0.0, mean - spread):.1%} to {min(1.0, mean + spread):.1%}), "
        f"Elo {shown[1]} ({shown[0]} to {shown[2]})"
    )


def elo(share: float) -> str:
    if share <= 0:
        return "-inf"
    return "inf" if share >= 1 else f"{-400 * math.log10(1 / share - 1):+.0f}"


main()

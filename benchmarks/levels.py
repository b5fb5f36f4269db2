"""Levels of the engine: find them for a game, or measure how neighbours score.

python -m benchmarks.levels find breakthrough
python -m benchmarks.levels measure breakthrough
"""

import argparse
import math
import random
import threading
from collections.abc import Iterator
from itertools import islice

from kibitz import games
from kibitz.agents.engine import EngineAgent, EngineOptions
from kibitz.agents.levels import LEVELS, MOST, OTHERS, Level
from kibitz.agents.match import play
from kibitz.arena.contest.openings import Opening, OpeningSettings, generate_openings, seed_for
from kibitz.core.game import Game
from kibitz.core.limit import UNBOUNDED, Limit

AIM, LOW, HIGH = 0.7, 0.62, 0.78  # what the upper of two neighbours scores
NODES = "45,70,115,180,290,470,750,1200,1900,3000"
TRIES = 6
FEWER_NODES = 0.55  # what is expected where the lower one overlooks no more than the upper
MOST_OVERLOOKED = 0.97
QUICK = 20  # games that tell whether a guess is worth all of them
FAR = 0.21  # from the aim, by which a quick match is believed


class Ladder:
    """Matches between levels of one game from the same balanced openings, each opening twice with sides swapped."""

    def __init__(self, text: str, count: int, seed: int, slope: float) -> None:
        self.slope = slope
        self.game: Game = games.load(text)
        found = generate_openings(self.game, OpeningSettings(seed=seed))
        self.openings: list[Opening] = list(islice(found, count // 2))
        self.agents = [EngineAgent(self.game, EngineOptions(level=1)) for _ in range(2)]

    def points(self, upper: Level, lower: Level) -> Iterator[float]:
        """What the upper level gets, game by game."""
        for opening in self.openings:
            for side in (0, 1):
                for agent, level in zip(self.agents, (upper, lower), strict=True):
                    agent.level = level
                    agent.dice = random.Random(seed_for(opening.seed, side, level))
                first, second = self.agents[side], self.agents[1 - side]
                end = play(self.game, first, second, Limit(nodes=UNBOUNDED), opening.seed, opening.line)
                assert end.result is not None
                yield 0.5 if end.result.winner is None else float(end.result.winner == side)

    def score(self, upper: Level, lower: Level) -> tuple[float, int]:
        """The share of the upper level and the number of games: all, unless fewer say that it is far from the aim."""
        seen: list[float] = []
        for point in self.points(upper, lower):
            seen.append(point)
            if len(seen) == QUICK and abs(mean(seen) - AIM) > FAR:
                break
        return mean(seen), len(seen)

    def below(self, upper: Level, nodes: int, step: float) -> tuple[Level, float]:
        """The level of so many nodes against which the upper one scores about what is aimed at, and the score. The
        first guess overlooks more than the upper level by this step.
        """
        known = [(upper.overlook, FEWER_NODES)]
        guess = min(upper.overlook + step, MOST_OVERLOOKED)
        best = (1.0, Level(nodes, guess), 0.0)
        for _ in range(TRIES):
            lower = Level(nodes, round(guess, 3))
            score, games = self.score(upper, lower)
            print(f"  {lower.nodes} nodes, overlooks {lower.overlook:.3f}: {score:.3f} of {games}", flush=True)
            known.append((lower.overlook, score))
            if games == 2 * len(self.openings):
                best = min(best, (abs(score - AIM), lower, score))
                if LOW <= score <= HIGH:
                    break
            guess = next_guess(known, self.slope)
        return best[1], best[2]


def mean(points: list[float]) -> float:
    return sum(points) / len(points)


def next_guess(known: list[tuple[float, float]], slope: float) -> float:
    """Where the aim lies by the nearest known points on both sides of it, or beyond the last."""
    weaker = [one for one in known if one[1] >= AIM]
    stronger = [one for one in known if one[1] < AIM]
    if weaker and stronger:
        (high, above), (low, under) = min(weaker), max(stronger)
        if high > low:
            share = (odds(AIM) - odds(under)) / (odds(above) - odds(under))
            return low + (high - low) * min(max(share, 0.15), 0.85)
    overlook, score = known[-1]
    return min(max(overlook + (odds(AIM) - odds(score)) / slope, 0.0), MOST_OVERLOOKED)


def odds(score: float) -> float:
    """The logarithm of the odds, cut where a match says no more."""
    score = min(max(score, 0.03), 0.97)
    return math.log(score / (1.0 - score))


def find(ladder: Ladder, nodes_of: list[int], step: float) -> None:
    """From the top down, each level by its score against the one above; the highest overlooks nothing."""
    levels = [Level(nodes_of[-1], 0.0)]
    for nodes in nodes_of[-2::-1]:
        level, score = ladder.below(levels[-1], nodes, step)
        step = max((level.overlook - levels[-1].overlook + step) / 2, 0.0)
        print(f"level {MOST - len(levels)}: {level}, the one above scores {score:.3f}", flush=True)
        levels.append(level)
    print(f'"{ladder.game.rulebook.name}": (')
    for level in reversed(levels):
        print(f"    Level({level.nodes}, {level.overlook}),")
    print("),")


def measure(ladder: Ladder) -> None:
    """What each level scores against the one below it."""
    levels = LEVELS.get(ladder.game.rulebook.name, OTHERS)
    for number in range(1, len(levels)):
        points = list(ladder.points(levels[number], levels[number - 1]))
        won, drawn = points.count(1.0), points.count(0.5)
        print(
            f"{number + 1} against {number}: +{won} ={drawn} -{len(points) - won - drawn}, {mean(points):.3f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description=__doc__)
    parser.add_argument("verb", choices=("find", "measure"))
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", default=NODES, help="what each level looks at, ten numbers joined by commas")
    parser.add_argument("--step", type=float, default=0.015, help="how much more level 9 overlooks, at a first guess")
    parser.add_argument("--slope", type=float, default=30.0, help="how the logarithm of the odds grows with it")
    options = parser.parse_args()

    def work() -> None:
        ladder = Ladder(options.game, options.games, options.seed, options.slope)
        if options.verb == "find":
            find(ladder, [int(word) for word in options.nodes.split(",")], options.step)
        else:
            measure(ladder)

    # Away from the main thread a search starts none of its own, which saves more time than so few nodes take.
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()

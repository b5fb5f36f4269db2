"""Fit a heuristic's weights: games of the engine against itself, a regression, a match of new weights against old.

python -m benchmarks.weights play breakthrough games-1.txt --games 500 --seed 1
python -m benchmarks.weights fit breakthrough games-1.txt games-2.txt --anchors five,six,four --out weights.json
python -m benchmarks.weights match breakthrough weights.json hand --games 100
"""

import argparse
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from kibitz import heuristics
from kibitz.core.game import Game
from kibitz.core.game_loop import Chooser
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.random_play import random_opening
from kibitz.core.result import DRAW
from kibitz.games.catalog import load
from kibitz.heuristics.regression import (
    Observation,
    best_scale,
    fit_weights,
    listing,
    loss,
    observe_games,
    play_out,
    tabulate,
)
from kibitz.search.engine import Engine
from kibitz.tables.probe_table import find_probe_table

HELD_OUT = 10  # one game in so many is kept from the fit


def find_heuristic(game: Game, text: str | None) -> Heuristic:
    """A heuristic by name, or the default one with the weights of a file."""
    if text is None or not text.endswith(".json"):
        return heuristics.find(game.rulebook, text)
    known = heuristics.find(game.rulebook)
    return replace(known, name=Path(text).stem, weights=known.weighing(**json.loads(Path(text).read_text())).weights)


def chooser(game: Game, heuristic: Heuristic, nodes: int) -> Chooser:
    engine = Engine(game, heuristic, perfect=find_probe_table(game), megabytes=16)
    limit = Limit(nodes=nodes)
    return lambda position: engine.search(position, limit).moves


def play(options: argparse.Namespace) -> None:
    game = load(options.game)
    heuristic = find_heuristic(game, options.heuristic)
    choose = chooser(game, heuristic, options.nodes)
    with options.file.open("w") as file:
        for seen in observe_games(game, heuristic, choose, options.games, options.plies, options.seed):
            file.write(f"{seen}\n")


def fit(options: argparse.Namespace) -> None:
    game = load(options.game)
    heuristic = find_heuristic(game, options.heuristic)
    known = [Observation.read(line) for path in options.files for line in path.read_text().splitlines()]
    used = [one for one in known if one.quiet or not options.quiet]
    seen = tabulate(game, heuristic, (one for one in used if one.game % HELD_OUT))
    held = tabulate(game, heuristic, (one for one in used if one.game % HELD_OUT == 0))
    weights = fit_weights(
        heuristic.weights, seen, options.anchors.split(","), options.keep.split(","), options.stiffness
    )
    for name, values in (("before", heuristic.weights), ("fitted", weights)):
        array = np.array([*values.values()])
        scale = best_scale(array, seen)
        losses = f"loss {loss(array, scale, seen):.4f} seen, {loss(array, scale, held):.4f} held out"
        print(f"{name}: {losses} ({seen.size} and {held.size} positions, scale {scale:.0f})")
    print(listing(weights))
    if options.out:
        rounded = {name: round(weight, 1) for name, weight in weights.items()}
        options.out.write_text(json.dumps(rounded, indent=1))


def match(options: argparse.Namespace) -> None:
    """Every opening is played twice with the sides changed."""
    game = load(options.game)
    choosers = [chooser(game, find_heuristic(game, text), options.nodes) for text in (options.new, options.old)]
    dice = random.Random(options.seed)
    points = []
    for _ in range(options.games // 2):
        opening = random_opening(game, options.plies, dice)
        for new in (0, 1):
            sides = (choosers[new], choosers[1 - new])
            *_, (end, _) = play_out(opening, sides)
            assert end.result is not None
            points.append(0.5 if end.result == DRAW else float(end.result.winner == new))
    error = np.std(points) / np.sqrt(len(points))
    print(
        f"{options.new} - {options.old}: {sum(points):g} of {len(points)} ({np.mean(points):.3f} ± {1.96 * error:.3f})"
    )


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.weights", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    played_, fitted_, matched = (verbs.add_parser(name) for name in ("play", "fit", "match"))
    for verb in (played_, fitted_, matched):
        verb.add_argument("game")
    played_.add_argument("file", type=Path)
    fitted_.add_argument("files", type=Path, nargs="+")
    matched.add_argument("new")
    matched.add_argument("old")
    for verb in (played_, fitted_):
        verb.add_argument("--heuristic")
    for verb in (played_, matched):
        verb.add_argument("--games", type=int, default=100)
        verb.add_argument("--nodes", type=int, default=20_000)
        verb.add_argument("--plies", type=int, default=8, help="random moves before the players begin")
        verb.add_argument("--seed", type=int, default=1)
    fitted_.add_argument("--anchors", required=True, help="features whose mean weight stays, joined by commas")
    fitted_.add_argument("--keep", default="", help="features whose weights stay, joined by commas")
    fitted_.add_argument("--stiffness", type=float, default=10.0)
    fitted_.add_argument("--quiet", action="store_true", help="only positions where the move played was quiet")
    fitted_.add_argument("--out", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    options = parse_arguments()
    {"play": play, "fit": fit, "match": match}[options.verb](options)

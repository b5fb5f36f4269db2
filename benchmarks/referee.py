"""What a referee costs: random games through Position, and milliseconds a move besides what the agents take."""

import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from kibitz import games
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.resources import Resources
from kibitz.arena.records.record import Record
from kibitz.core.game import Game
from kibitz.core.game_loop import play_game

GAMES = 300  # of each kind of random game
MATCHES = 20
ROUNDS = 5
STARTS = 5


def main() -> None:
    print(f"{'random breakthrough, one process':44} {'games':>8} {'a second':>14}")
    for name, game in (("Position", games.breakthrough()), ("Position, compiled()", games.breakthrough().compiled())):
        print(f"{name:44} {GAMES:8,} {games_per_second(game):12,.0f}/s", flush=True)
    print(f"\n{'referee, random against random':44} {'moves':>8} {'a move':>14} {'games':>14}")
    thinking = 0.0  # seconds that the agents themselves take, seen where nothing lies between
    for name, resources in (
        ("in the referee's process: trusted", Resources(apart=False)),
        ("each in a process of its own: limited", Resources(isolation="limited")),
        ("each in a sandbox: isolated", Resources()),
    ):
        records, seconds = match(resources)
        thinking = thinking or sum(ply.seconds for record in records for ply in record.plies)
        moves = sum(len(record.plies) for record in records)
        overhead = f"{(seconds - thinking) / moves * 1e3:11.3f} ms"
        print(f"{name:44} {moves:8,} {overhead} {len(records) / seconds:12.1f}/s", flush=True)
    print(f"\n{'a guest, who gets a process for each game':44} {'games':>8} {'a game':>14}")
    for name, resources in (("limited", Resources(isolation="limited")), ("isolated", Resources())):
        seconds = start_guests(resources)
        print(f"{name:44} {STARTS:8,} {seconds / STARTS * 1e3:11.0f} ms", flush=True)


def games_per_second(game: Game) -> float:
    """Whole random games, without text, record or clock, by the processor's time; the best of some rounds."""
    _random_games(game, 1, seed=0)
    best = 0.0
    for seed in range(ROUNDS):
        began = time.process_time()
        _random_games(game, GAMES, seed)
        best = max(best, GAMES / (time.process_time() - began))
    return best


def match(resources: Resources) -> tuple[list[Record], float]:
    """The same games each time, and how long they took, once the players had been started."""
    task = GameTask(
        game="breakthrough", first="random", second="random", control=TimeControl(nodes=1), resources=resources
    )
    with Referee() as referee:
        referee.play(task)
        began = time.perf_counter()
        records = [referee.play(replace(task, seed=seed)) for seed in range(MATCHES)]
        return records, time.perf_counter() - began


def start_guests(resources: Resources) -> float:
    """Seconds to start a guest, make it ready and end it, so many times."""
    with tempfile.TemporaryDirectory() as folder, Referee() as referee:
        file = Path(folder, "guest.py")
        file.write_text("def choose(position, limit):\n    return position.move_ids[0]\n")
        referee.try_out("breakthrough", f"python:{file}", resources)
        began = time.perf_counter()
        for _ in range(STARTS):
            referee.try_out("breakthrough", f"python:{file}", resources)
        return time.perf_counter() - began


def _random_games(game: Game, number: int, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(number):
        for _turn in play_game(game.new(), lambda here: (dice.choice(here.move_ids),), dice):
            pass


if __name__ == "__main__":
    main()

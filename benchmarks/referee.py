"""What a referee costs: random games through Position, and milliseconds a move besides what the agents take."""

import random
import time
from dataclasses import replace

from kibitz import games
from kibitz.arena.record import Record
from kibitz.arena.referee import Referee
from kibitz.arena.task import GameTask, House, TimeControl
from kibitz.core.game import Game

GAMES = 300  # of each kind of random game
MATCHES = 20
ROUNDS = 5


def main() -> None:
    print(f"{'random breakthrough, one process':44} {'games':>8} {'a second':>14}")
    for name, game in (("Position", games.breakthrough()), ("Position, compiled()", games.breakthrough().compiled())):
        print(f"{name:44} {GAMES:8,} {games_per_second(game):12,.0f}/s", flush=True)
    print(f"\n{'referee, random against random':44} {'moves':>8} {'a move':>14}")
    thinking = 0.0  # seconds that the agents themselves take, seen where nothing lies between
    for name, house in (("in the referee's process", House(apart=False)), ("each in a process of its own", House())):
        records, seconds = match(house)
        thinking = thinking or sum(ply.seconds for record in records for ply in record.plies)
        moves = sum(len(record.plies) for record in records)
        print(f"{name:44} {moves:8,} {(seconds - thinking) / moves * 1e3:11.3f} ms", flush=True)


def games_per_second(game: Game) -> float:
    """Whole random games, without text, record or clock, by the processor's time; the best of some rounds."""
    _random_games(game, 1, seed=0)
    best = 0.0
    for seed in range(ROUNDS):
        began = time.process_time()
        _random_games(game, GAMES, seed)
        best = max(best, GAMES / (time.process_time() - began))
    return best


def match(house: House) -> tuple[list[Record], float]:
    """The same games each time, and how long they took, once the players had been started."""
    task = GameTask(game="breakthrough", first="random", second="random", control=TimeControl(nodes=1), house=house)
    with Referee() as referee:
        referee.play(task)
        began = time.perf_counter()
        records = [referee.play(replace(task, seed=seed)) for seed in range(MATCHES)]
        return records, time.perf_counter() - began


def _random_games(game: Game, number: int, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(number):
        position = game.new()
        while not position.over:
            position = position.play(dice.choice(position.move_ids))


if __name__ == "__main__":
    main()

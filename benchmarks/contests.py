"""How fast games are played in number: one job beside two, and what the store and the statistics cost a game."""

import random
import time

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import OpeningSettings
from kibitz.arena.contest.runner import Progress, run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.resources import Resources
from kibitz.arena.stats.ratings import Meeting, rate
from kibitz.arena.teams.local import Workers

PLAYERS = ("engine", "engine:hash=32")  # each game a second or so of real search


def main() -> None:
    ratings(200)
    jobs("breakthrough", games=48, nodes=15_000)


def ratings(players: int) -> None:
    """Processor time of the ratings of a round-robin, and of telling who is the strongest of them."""
    dice = random.Random(1)
    seats = [(first, second) for first in range(players) for second in range(players) if first != second]
    meetings = [Meeting(*pair, *(dice.randrange(3) for _ in range(3))) for pair in seats]
    began = time.process_time()
    found = rate(players, meetings)
    rated = time.process_time() - began
    found.top_shares()
    print(
        f"{players} players, {len(meetings):,} meetings: rated in {rated:.2f} s, the strongest told in "
        f"{time.process_time() - began - rated:.2f} s"
    )


def jobs(game: str, games: int, nodes: int) -> None:
    """Games a second by one worker process and by two, counted from the first finished game on: starting is no play."""
    speeds: dict[int, float] = {}
    for number in (1, 2, 2, 1):
        speeds[number] = max(speeds.get(number, 0.0), _speed(game, games, nodes, number))
    print(
        f"{game}, engines of {nodes:,} nodes a move: {speeds[1]:.2f} games/s with one job, {speeds[2]:.2f} with two, "
        f"ratio {speeds[2] / speeds[1]:.2f}"
    )


def _speed(game: str, games: int, nodes: int, number: int) -> float:
    contest = Contest(
        game=game,
        format="match",
        entrants=tuple(Entrant(name=text, text=text) for text in PLAYERS),
        games=games,
        control=TimeControl(nodes=nodes),
        resources=Resources(apart=False),
        opening_settings=OpeningSettings(balance=0),
    )
    watch = _Stopwatch(skip=2 * number)
    with Store(None) as store:
        run_contest(contest, store, Workers(number), watch)
    return watch.speed


class _Stopwatch:
    """Counts games a second, but for the first ones, during which workers start and compile."""

    def __init__(self, skip: int) -> None:
        self.skip = skip
        self.began = self.ended = 0.0
        self.games = 0

    def playing(self, progress: Progress) -> None:
        if progress.done == self.skip:
            self.began = time.perf_counter()
        elif progress.done > self.skip:
            self.games, self.ended = progress.done - self.skip, time.perf_counter()

    @property
    def speed(self) -> float:
        return self.games / (self.ended - self.began)

"""How fast games are played in number: one job beside two, and what the store and the statistics cost a game."""

import time

from kibitz.arena.contest import Contest, Entrant
from kibitz.arena.holding import Progress, hold
from kibitz.arena.openings import Drawing
from kibitz.arena.store import Store
from kibitz.arena.task import House, TimeControl
from kibitz.arena.workers import Workers

PLAYERS = ("engine", "engine:hash=32")  # each game a second or so of real search


def main() -> None:
    jobs("breakthrough", games=48, nodes=15_000)


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
        house=House(apart=False),
        drawing=Drawing(balance=0),
    )
    watch = _Stopwatch(skip=2 * number)
    with Store(None) as store:
        hold(contest, store, Workers(number), watch)
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

"""Who looks through games: this process, or several at once. What they find comes in the sequence of the games."""

import multiprocessing
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from kibitz.arena.teams.local import end_with_the_parent
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.games import catalog
from kibitz.puzzles.tactics.candidates import GameTask
from kibitz.puzzles.tactics.puzzle import Puzzle
from kibitz.puzzles.tactics.scanner import Scanner
from kibitz.puzzles.tactics.settings import Settings

AHEAD = 3  # games that wait for each process

_scanner: list[Scanner] = []  # of a process of a team


def look_through_games(game: Game, settings: Settings, tasks: Iterator[GameTask], jobs: int) -> Iterator[list[Puzzle]]:
    """The puzzles of each game."""
    if jobs == 1:
        scanner = Scanner(game, settings)
        return (scanner.scan(task) for task in tasks)
    return _look_through_together(game, settings, tasks, jobs)


def _look_through_together(
    game: Game, settings: Settings, tasks: Iterator[GameTask], jobs: int
) -> Iterator[list[Puzzle]]:
    others = set(multiprocessing.active_children())
    spawning = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, mp_context=spawning, initializer=_begin, initargs=(game.text, settings))
    try:
        waiting = deque(executor.submit(_scan, task) for task in islice(tasks, AHEAD * jobs))
        while waiting:
            yield waiting.popleft().result()
            waiting += [executor.submit(_scan, task) for task in islice(tasks, 1)]
    except BrokenProcessPool:
        raise KibitzError("a process that looked through games has ended before its time") from None
    finally:
        for helper in set(multiprocessing.active_children()) - others:
            helper.kill()  # what it looks at is not wanted any more
        executor.shutdown(wait=True, cancel_futures=True)


def _begin(game: str, settings: Settings) -> None:
    """Make a process ready; Ctrl-C is for the one that waits for it."""
    end_with_the_parent()
    _scanner[:] = [Scanner(catalog.load(game), settings)]


def _scan(task: GameTask) -> list[Puzzle]:
    return _scanner[0].scan(task)

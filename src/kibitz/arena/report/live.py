"""Watching a contest: a live table in a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from kibitz.arena.contest.runner import Progress
from kibitz.arena.report import sentences, tables

EVERY = 10.0  # seconds between two lines where there is no terminal
SOON = 2.0  # seconds between two pictures of the table: all ratings are worked out for each


class Silent:
    """Watches and says nothing."""

    def __enter__(self) -> "Silent":
        return self

    def __exit__(self, *problem: object) -> None: ...

    def playing(self, progress: Progress) -> None: ...


class Lines:
    """Tells how far it is by a line every few seconds."""

    def __init__(self, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.out = out or sys.stderr
        self.clock = clock
        self.pace = Pace(clock)
        self.told = clock()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *problem: object) -> None: ...

    def playing(self, progress: Progress) -> None:
        self.pace.see(progress)
        self._tell(headline(progress, self.pace))

    def _tell(self, line: str) -> None:
        if self.clock() - self.told >= EVERY:
            self.told = self.clock()
            print(line, file=self.out, flush=True)


class Screen:
    """A table that is always up to date."""

    def __init__(self, console: Console) -> None:
        self.pace = Pace()
        self.shown = 0.0
        self.live = Live(console=console, refresh_per_second=4, transient=True)

    def __enter__(self) -> "Screen":
        self.live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.live.__exit__(kind, error, trace)

    def playing(self, progress: Progress) -> None:
        self.pace.see(progress)
        if time.monotonic() - self.shown < SOON:
            return
        self.shown = time.monotonic()
        self.live.update(picture(progress, self.pace))


def picture(progress: Progress, pace: "Pace") -> Group:
    """How far it is, a bar, and who is ahead, each on lines of its own."""
    bar = ProgressBar(total=max(1, progress.wanted), completed=progress.done, width=50)
    return Group(Text(headline(progress, pace)), Padding(bar, 0), *_body(progress))


Watching = Silent | Lines | Screen


def make_watcher(quiet: bool = False) -> Watching:
    """The right watcher for where we are."""
    console = Console(stderr=True)
    return Silent() if quiet else Screen(console) if console.is_terminal else Lines()


class Pace:
    """How fast games are finished, and when the last will be."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.began: float | None = None
        self.first = 0

    def see(self, progress: Progress) -> None:
        if self.began is None:
            self.began, self.first = self.clock(), progress.done

    def left(self, progress: Progress) -> float | None:
        """Seconds to go, if games go on as they did."""
        done = progress.done - self.first
        if self.began is None or done == 0:
            return None
        return (self.clock() - self.began) / done * (progress.wanted - progress.done)


def headline(progress: Progress, pace: Pace) -> str:
    """How far a contest is, in one line."""
    left = pace.left(progress)
    words = [f"{progress.done} of {progress.wanted} games"]
    if progress.contest.format == "swiss":
        words.append(f"round {progress.round + 1} of {progress.contest.rounds}")
    if left is not None and progress.done < progress.wanted:
        words.append(f"{'at most ' if progress.sprt else ''}{duration(left)} left")
    if progress.contest.format == "match":
        left_name, right_name = (entrant.name for entrant in progress.contest.entrants)
        tally = progress.scores.tally(left_name, right_name)
        words.append(f"{tally.wins} won, {tally.draws} drawn, {tally.losses} lost")
    if progress.sprt is not None:
        words.append(f"{len(progress.decided)} of {len(progress.tested)} tests decided")
    return ", ".join(words)


def duration(seconds: float) -> str:
    """A time that people can grasp."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02} min"


def _body(progress: Progress) -> list[Table | Text]:
    if progress.contest.format == "match":
        left, right = (entrant.name for entrant in progress.contest.entrants)
        return [Text(line) for line in sentences.numbers(progress.scores.tally(left, right), progress.sprt)]
    return [tables.leaderboard(tables.standings_of(progress.contest, progress.scores))]

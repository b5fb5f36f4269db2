"""How far a long command has come, on standard error: a bar or a changing line on a terminal, plain lines elsewhere."""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TextIO, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from kibitz.cli.streams import Console

SECONDS = 10.0  # between two plain lines of one stage
Item = TypeVar("Item")


class Lines:
    """A plain line when a stage begins, unless it is usually short, and one every few seconds while it lasts."""

    def __init__(self, stream: TextIO | None = None, every: float = SECONDS, announce: bool = True) -> None:
        self._stream = stream or sys.stderr
        self._every = every
        self._announce = announce
        self._stage, self._state, self._detail = "", "", ""
        self._done = 0
        self._total: int | None = None
        self._began = time.monotonic()
        self._over = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> "Lines":
        self._ticker.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._over.set()
        self._ticker.join()

    def log(self, line: str) -> None:
        print(line, file=self._stream, flush=True)

    def start(self, stage: str, total: int | None) -> None:
        self._done, self._total = 0, total
        self._enter(stage, "")

    def extend(self, total: int) -> None:
        self._total = total

    def advance(self, count: int) -> None:
        self._done += count

    def describe(self, detail: str) -> None:
        """What of the stage was done last."""
        self._detail = f": {detail}"

    def report(self, stage: str, state: str) -> None:
        """What a run says of itself in words."""
        if stage != self._stage:
            self._enter(stage, state)
        self._state = state

    def _enter(self, stage: str, state: str) -> None:
        self._stage, self._state, self._detail, self._began = stage, state, "", time.monotonic()
        if self._announce:
            self.log(f"{stage}: {state}" if state else f"{stage} ...")

    def _tick(self) -> None:
        while not self._over.wait(self._every):
            if self._stage:
                self.log(f"{self._stage}: {self._state or self._counts()}")

    def _counts(self) -> str:
        share = f" of {self._total:,} ({100 * self._done / self._total:.0f} %)" if self._total else ""
        return f"{self._done:,}{share}, {time.monotonic() - self._began:.0f} s{self._detail}"


class Bar:
    """A bar for each stage, with the time that is left."""

    def __init__(self, console: Console, transient: bool = False) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bars = RichProgress(*columns, console=console, transient=transient, speed_estimate_period=600)
        self._task: TaskID | None = None

    def __enter__(self) -> "Bar":
        self._bars.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._bars.stop()

    def log(self, line: str) -> None:
        self._bars.console.print(line, highlight=False, soft_wrap=True)

    def start(self, stage: str, total: int | None) -> None:
        if self._task is not None:
            self._bars.remove_task(self._task)
        self._task = self._bars.add_task(stage, total=total)

    def extend(self, total: int) -> None:
        assert self._task is not None
        self._bars.update(self._task, total=total)

    def advance(self, count: int) -> None:
        assert self._task is not None
        self._bars.advance(self._task, count)

    def describe(self, detail: str) -> None:
        """What of the stage was done last."""
        assert self._task is not None
        self._bars.update(self._task, description=detail)


class Status:
    """One line that changes."""

    def __init__(self, console: Console) -> None:
        self._status = console.status("")

    def __enter__(self) -> "Status":
        self._status.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._status.stop()

    def report(self, stage: str, state: str) -> None:
        """What a run says of itself in words."""
        self._status.update(f"{stage}: {state}" if state else stage)


def show_bar(transient: bool = False, announce: bool = True) -> Bar | Lines:
    """For runs that count what they do."""
    console = Console(stderr=True)
    return Bar(console, transient) if console.is_terminal else Lines(announce=announce)


def collect(made: Iterable[Item]) -> list[Item]:
    """All that is made, or what there is when Ctrl-C is pressed."""
    found: list[Item] = []
    with suppress(KeyboardInterrupt):
        found.extend(made)
    return found


def track(items: Iterable[Item], stage: str, total: int) -> Iterator[Item]:
    """The items one by one, while it is shown how many are done. It may be over soon: nothing stays on the screen."""
    with show_bar(transient=True, announce=False) as progress:
        progress.start(stage, total)
        for item in items:
            yield item
            progress.advance(1)


def show_status() -> Status | Lines:
    """For runs that describe themselves in words."""
    console = Console(stderr=True)
    return Status(console) if console.is_terminal else Lines()

"""How far a long run has come, for whoever shows it."""

from typing import Protocol


class Progress(Protocol):
    """Hears which stage a run is in, how much of it there is and how much is done."""

    def log(self, line: str) -> None:
        """A line that stays."""

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins; its total may be unknown."""

    def extend(self, total: int) -> None:
        """The stage turns out to have this total."""

    def advance(self, count: int) -> None:
        """So much more of the stage is done."""


class Silent:
    """Shows nothing."""

    def log(self, line: str) -> None: ...

    def start(self, stage: str, total: int | None) -> None: ...

    def extend(self, total: int) -> None: ...

    def advance(self, count: int) -> None: ...


SILENT = Silent()

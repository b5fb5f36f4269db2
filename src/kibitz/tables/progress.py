"""Who is told how a long run gets on."""

from typing import Protocol


class Told(Protocol):
    """Hears what is done, how much of it there is and how much is behind us."""

    def say(self, line: str) -> None:
        """A line that stays."""

    def stage(self, name: str, total: int | None) -> None:
        """What is done now, of how much."""

    def expect(self, total: int) -> None:
        """There is more of it than was thought."""

    def advance(self, count: int) -> None:
        """So much more of it is done."""


class Nobody:
    """Is told, and does not care."""

    def say(self, line: str) -> None: ...

    def stage(self, name: str, total: int | None) -> None: ...

    def expect(self, total: int) -> None: ...

    def advance(self, count: int) -> None: ...


NOBODY = Nobody()

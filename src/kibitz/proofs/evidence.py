"""What shows an answer to be right, whatever its kind."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from kibitz.core.game import Game

Watch = Callable[[int], None]  # called with how many positions have been checked


class Evidence(Protocol):
    """What shows an answer to be right: from this position of this game on, this side reaches its goal."""

    @property
    def kind(self) -> str: ...  # which format it has
    @property
    def game(self) -> str: ...
    @property
    def position(self) -> str: ...
    @property
    def winner(self) -> int: ...
    @property
    def draw_will_do(self) -> bool: ...
    @property
    def proves(self) -> str: ...
    @property
    def positions(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...


class EvidenceFormat(NamedTuple):
    """How one kind of evidence is written, read and checked."""

    write: Callable[[Path, Any], None]
    read: Callable[[Path], Evidence]
    check: Callable[[Game, Any, Watch], None]  # refuses evidence that does not convince

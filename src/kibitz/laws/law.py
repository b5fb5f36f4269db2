"""A law: a sentence about a position, a playout or a game, and a function that looks whether it holds."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from kibitz.core.position import Position

Scope = Literal["position", "playout", "game"]
Check = Callable[[Any], None]


class Broken(Exception):
    """A law does not hold: what was seen, what was expected, and where."""

    def __init__(self, reason: str, position: Position | None = None) -> None:
        super().__init__(reason, position)
        self.reason = reason
        self.position = position

    @property
    def where(self) -> str:
        """The position as text, and how to get there; empty where the whole game is to blame."""
        return "" if self.position is None else describe(self.position)

    def __str__(self) -> str:
        return f"{self.reason}, in {self.where}" if self.where else self.reason


class NotApplicable(Exception):
    """A law has nothing to say here, and why."""


@dataclass(frozen=True)
class Law:
    """A check whose name is the law. Its one parameter says what it is about: position, playout or game."""

    check: Check
    basic: bool = False  # also asked about positions whose moves are in doubt

    @property
    def name(self) -> str:
        """The law as a sentence."""
        return self.check.__name__.replace("_", " ")

    @cached_property
    def scope(self) -> Scope:
        """What the law is stated over."""
        (parameter,) = inspect.signature(self.check).parameters
        scope: Scope = parameter  # type: ignore[assignment]
        assert scope in get_args(Scope)
        return scope

    def __str__(self) -> str:
        return self.name


def describe(position: Position) -> str:
    """A position in a message: its text and the moves that led there, or the bare state if it cannot be written."""
    try:
        text, line = position.text, position.line
    except Exception:  # noqa: BLE001 - rules that are being checked may fail in any way
        return f"state {position.state!r}"
    if position.before is None:
        return f"position '{text}'"
    return f"position '{text}' after '{line}'" if len(line) <= 200 else f"position '{text}' after '...{line[-197:]}'"


def expect(held: bool, reason: str, position: Position | None = None) -> None:
    """Broken with this reason unless it held."""
    if not held:
        raise Broken(reason, position)

"""What a proof search is asked: does the side to move reach its goal?"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.proofs.evidence import Evidence

Integers = NDArray[np.int64]
Report = Callable[[str, str], None]  # is called with what is done now, and how far it has come
Counts = Callable[[int, int], None]  # is called with how many positions there are, and how many were followed up


class Query(NamedTuple):
    """How a user narrows down what is asked. A game takes some of it."""

    within: int = 0  # plies in which the game has to be won
    attacker: str | None = None  # the side that is asked about
    pieces: int | None = None  # endgame tables up to so many pieces may be used

    @property
    def given(self) -> list[str]:
        """The fields that are not as they are by default."""
        return [name for name, value in self._asdict().items() if value != self._field_defaults[name]]


class Answer(NamedTuple):
    """What a search has found, and the table from which its evidence is gathered."""

    question: "Question"
    holds: bool
    nodes: int
    seconds: float
    table: Integers
    prove_again: Callable[[int], None]  # searches a position anew that the table has forgotten


@dataclass(frozen=True, eq=False)
class Method:
    """How a question is searched, and how the evidence for its answer is gathered."""

    kernel: Callable[..., int]  # called with code, stacks, shared arrays, the game's record and control
    gather: Callable[[Answer, Counts], Evidence]
    constants: Mapping[str, Any] = field(default_factory=dict)  # what is put in the place of the kernel's slots
    label: str = ""  # for files of progress, where one question may be searched in two ways
    rephrase: "Callable[[Question, bool, Path, Report], Question | None]" = lambda question, holds, folder, report: None


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """A question in words, and as the search is given it."""

    text: str
    position: Position
    stem: str  # of the names of files, without the position
    method: Method
    board: Any  # the record that the kernel is given
    code: int
    attacker: int | None = None  # who has to win where a draw is possible or plies are counted; the other has to last
    within: int = 0
    draws: bool = False  # can the game be drawn?

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def holder(self) -> int:
        """The side that has to last."""
        return 1 - (self.attacker or 0)

    @property
    def name(self) -> str:
        """A name for files; positions other than the start are told apart by a few digits."""
        text = self.position.text
        return self.stem if text == self.game.new().text else f"{self.stem}-{_digits_of(text)}"

    @property
    def search_name(self) -> str:
        """A name for the progress of the search: one question may be asked in two ways."""
        return f"{self.name}-{self.method.label}" if self.method.label else self.name

    def winner(self, holds: bool) -> int:
        """The side that reaches its goal."""
        return self.position.turn if holds else 1 - self.position.turn

    def draw_will_do(self, holds: bool) -> bool:
        """Is it the goal of the winner not to lose?"""
        return self.draws and self.winner(holds) != self.attacker

    def answer(self, holds: bool) -> str:
        """The answer in words."""
        side = self.game.rulebook.sides[self.winner(holds)]
        if self.within:
            if self.winner(holds) == self.attacker:
                return f"{side} wins within {self.within} plies"
            return f"{side} is not beaten within {self.within} plies"
        return f"{side} at least draws" if self.draw_will_do(holds) else f"{side} wins"


def describe_start(position: Position) -> str:
    """The game, and the position where it is not the start."""
    game = position.game
    return game.text if position.text == game.new().text else f"{game.text} position '{position.text}'"


def _digits_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]

"""A position: a checked, immutable moment of a game that knows how it came about."""

import operator
import random
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from kibitz.core.errors import IllegalMove, quoted
from kibitz.core.result import CHANCE, DRAW, ONGOING, Result

if TYPE_CHECKING:
    from kibitz.core.game import Game


class Position:
    """A value: `play` returns the next position and leaves this one as it is.

    Two positions are equal when the game and the state are; how they came about does not count.
    """

    def __init__(self, game: "Game", state: Any, before: "Position | None" = None, move: int | None = None) -> None:
        self.game = game
        self.state = state
        self.before = before
        self.last_move = move

    # What is on the board.

    @property
    def text(self) -> str:
        """The position as text; `game.position(text)` reads it."""
        return self.game.write(self.state)

    @cached_property
    def turn(self) -> int:
        """FIRST, SECOND or CHANCE."""
        return self.game.turn(self.state)

    @property
    def to_move(self) -> str:
        """The name of the side to move, or `chance`."""
        return "chance" if self.turn == CHANCE else self.game.rulebook.sides[self.turn]

    @cached_property
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""
        found = self.game.result(self.state)
        if found == ONGOING and 0 < self.game.rulebook.repetition <= self.seen:
            found = DRAW
        return None if found == ONGOING else Result(found)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return self.result is not None

    @cached_property
    def move_ids(self) -> tuple[int, ...]:
        """The legal moves as the rules' integers, in the rules' order."""
        return () if self.over else tuple(self.game.moves(self.state))

    @cached_property
    def _moves(self) -> dict[str, int]:
        named = ((self.game.move_text(self.state, code), code) for code in self.move_ids)
        return dict(sorted(named))

    def moves(self) -> list[str]:
        """The legal moves as text, sorted."""
        return list(self._moves)

    def outcomes(self) -> list[tuple[float, str]]:
        """Where chance is to move: what may happen, each with its probability."""
        return [(odds, self.game.move_text(self.state, code)) for odds, code in self._rolls]

    @cached_property
    def _rolls(self) -> list[tuple[float, int]]:
        return [] if self.over else self.game.outcomes(self.state)

    # Going on.

    def play(self, line: str | SupportsIndex) -> "Position":
        """The position after a move: its text, or its integer. A text may hold several moves: those of one turn
        joined by `+`, turns and outcomes separated by spaces.
        """
        if not isinstance(line, str):
            return self.game.after(self, self._checked(line))
        position = self
        for token in line.split():
            for word in token.split("+"):
                position = position.game.after(position, position._code(word))
        return position

    def roll(self, dice: random.Random) -> "Position":
        """The position after a random outcome, where chance is to move."""
        if not self._rolls:
            raise IllegalMove(f"nothing to roll in {self._described()}")
        odds, codes = zip(*self._rolls, strict=True)
        return self.game.after(self, dice.choices(codes, odds)[0])

    def _checked(self, number: Any) -> int:
        """The integer of a move, given as any kind of integer; True is none."""
        try:
            code = operator.index(number)
        except TypeError:
            code = None
        if code is None or isinstance(number, bool):
            raise IllegalMove(f"illegal move {quoted(str(number))}, expected the text of a move or its integer")
        if code not in self.move_ids and code not in [code for _, code in self._rolls]:
            raise IllegalMove(f"illegal move {code} in {self._described()}")
        return code

    def _code(self, word: str) -> int:
        """The integer of a move's text, as people or as protocols write it."""
        known = self._moves or {self.game.move_text(self.state, code): code for _, code in self._rolls}
        if word in known:
            return known[word]
        for code in known.values():
            if self.game.protocol_text(self.state, code) == word:
                return code
        if self.over:
            raise IllegalMove(f"no move {quoted(word)}: the game is over in {self._described()}")
        some = ", ".join(list(known)[:6]) + (", ..." if len(known) > 6 else "")
        raise IllegalMove(f"illegal move {quoted(word)} in {self._described()} (legal: {some})")

    def _described(self) -> str:
        return f"{self.game.text} position '{self.text}'"

    # History.

    def trail(self) -> Iterator["Position"]:
        """This position, the one before it, and so on back to where the history begins."""
        position: Position | None = self
        while position is not None:
            yield position
            position = position.before

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What repetition compares."""
        return self.game.key(self.state)

    @cached_property
    def seen(self) -> int:
        """How often this position has been on the board, now included."""
        return sum(position.key == self.key for position in self.trail())

    @property
    def line(self) -> str:
        """The moves so far: those of one turn joined by `+`, outcomes on their own."""
        text = ""
        turn = None
        for position in reversed(list(self.trail())):
            if position.before is None or position.last_move is None:
                continue
            word = self.game.move_text(position.before.state, position.last_move)
            joined = turn == position.before.turn != CHANCE
            text += f"{'+' if joined else ' '}{word}"
            turn = position.before.turn
        return text.strip()

    def forget_moves(self) -> None:
        """Let go of the lists of moves, which are worked out again when asked for: a long history then needs little."""
        for name in ("move_ids", "_moves", "_rolls"):
            self.__dict__.pop(name, None)

    # As a value.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and _plain(self.state) == _plain(other.state)

    def __hash__(self) -> int:
        return hash((self.game, _plain(self.state)))

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        return self  # a value, and its history may be longer than recursion reaches

    def __repr__(self) -> str:
        *_, root = self.trail()
        line = f", {self.line!r}" if self.line else ""
        return f"games.position({self.game.text!r}, {root.text!r}{line})"

    # As a picture; drawing is imported where it is wanted, for it looks at positions itself.

    def __str__(self) -> str:
        from kibitz.core.picture import status, terminal

        return f"{terminal(self, colour=False)}\n{status(self)}"

    def _repr_svg_(self) -> str:
        from kibitz.core.picture import svg

        return svg(self)


def _plain(state: Any) -> tuple[Any, ...]:
    return tuple(part.tobytes() if isinstance(part, np.ndarray) else int(part) for part in state)

"""A game: a rulebook with its options chosen. It runs the rules on bare states; Position is the checked door."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np

from kibitz.core import notation
from kibitz.core.errors import BadPosition, RulesError, quoted
from kibitz.core.fields import cast_fields, where
from kibitz.core.layout import Gesture, Layout
from kibitz.core.limit import UNBOUNDED
from kibitz.core.options import written
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, DRAW, ONGOING
from kibitz.core.rule_errors import refuse_plain_tuple, report_rule_errors, whole_number
from kibitz.core.rulebook import Block, Rule, Rulebook, Symmetry, asks, gesture_text, whole_numbers

_RESULTS = "ONGOING, FIRST_WINS, SECOND_WINS or DRAW"
State = Any  # the NamedTuple of the game at hand


class Game:
    """One way to play: `games.breakthrough("5x10")`. Its text round-trips through `games.load`."""

    def __init__(self, rulebook: Rulebook, options: Any, label: str | None = None) -> None:
        self.rulebook = rulebook
        self.options = options
        self.label = label or rulebook.name
        made = rulebook.rules(options)
        self.rules = cast_fields(rulebook.parameters, rulebook.parameter_fields, made, rulebook.rules)

    @property
    def text(self) -> str:
        """The game's text, `name[:preset][,key=value...]`."""
        return written(self.label, self.options, self.rulebook.presets)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"games.load({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.rulebook is other.rulebook and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.rulebook.name, self.options))

    def new(self) -> Position:
        """The position at the start."""
        return Position(self, self._state(self._bound(self.rulebook.start)(), self.rulebook.start))

    def position(self, text: str, line: str = "") -> Position:
        """The position of this text, or the reason why there can be none; then the moves of `line`."""
        try:
            state = self._read(text)
            self._refuse_invalid(state, text)
        except BadPosition as error:
            raise BadPosition(f"{self.text}: {error}") from None
        return Position(self, state).play(line)

    def after(self, position: Position, move: int) -> Position:
        """The position after a move or a chance outcome that is known to be legal."""
        return Position(self, self.play(position.state, move), position, move)

    def compiled(self) -> "Game":
        """The same game with its positions played by machine code: worth it for thousands of games in one process."""
        from kibitz.core.seam.compiled_game import CompiledGame

        return CompiledGame(self.rulebook, self.options, self.label)

    # The rules, on bare states.

    def turn(self, state: State) -> int:
        """FIRST, SECOND or CHANCE."""
        rule = self.rulebook.turn
        found = self._turn(state)
        return found if type(found) is int else whole_number(rule, found, "FIRST, SECOND or CHANCE")

    @cached_property
    def _turn(self) -> Callable[[State], Any]:
        return self._bound(self.rulebook.turn)

    def moves(self, state: State) -> list[int]:
        """The legal moves in the order of the rules; none in a finished game or at a chance node."""
        if self.result(state) != ONGOING or self.turn(state) == CHANCE:
            return []
        found = whole_numbers(self._bound(self.rulebook.moves)(state), self.rulebook.moves, self.max_moves)
        if not found:
            shown = self.write(state)
            raise RulesError(
                f"{where(self.rulebook.moves)}: moves() yields nothing in an unfinished game, position '{shown}'"
            )
        return found

    def moves_once(self, state: State) -> list[int]:
        """The moves by which every turn is built in one sequence only; all of them in most games."""
        if self.rulebook.moves_once is None or self.result(state) != ONGOING or self.turn(state) == CHANCE:
            return self.moves(state)
        rule = self.rulebook.moves_once
        return whole_numbers(self._bound(rule)(state), rule, self.max_moves)

    def play(self, state: State, move: int) -> State:
        """The state after a move or a chance outcome that is known to be legal."""
        try:
            after = self._bound(self.rulebook.play)(state, move)
            refuse_plain_tuple(self.rulebook.play, after, self.rulebook.state)
            return self._state(after, self.rulebook.play)
        except RulesError as error:
            if "read-only" in str(error):
                raise RulesError(
                    f"{where(self.rulebook.play)}: play() changes an array of the state it was given, expected a copy"
                ) from error
            raise

    def result(self, state: State) -> int:
        """ONGOING, FIRST_WINS, SECOND_WINS or DRAW, the ply limit included and repetition left out."""
        book = self.rulebook
        found = whole_number(book.result, self._bound(book.result)(state), _RESULTS)
        if found == ONGOING and book.plies_left is not None and self._bound(book.plies_left)(state) <= 0:
            if book.at_limit is None:
                return DRAW
            return whole_number(book.at_limit, self._bound(book.at_limit)(state), _RESULTS)
        return found

    def turns_left(self, state: State) -> int:
        """Turns until the ply limit; UNBOUNDED in a game without one."""
        rule = self.rulebook.plies_left
        return UNBOUNDED if rule is None else whole_number(rule, self._bound(rule)(state), "a number of turns")

    def outcomes(self, state: State) -> list[tuple[float, int]]:
        """What chance may do here, each with its probability; empty where it is nobody's turn to roll."""
        if self.rulebook.outcomes is None or self.result(state) != ONGOING or self.turn(state) != CHANCE:
            return []
        pairs = list(self._bound(self.rulebook.outcomes)(state))
        codes = whole_numbers((code for _, code in pairs), self.rulebook.outcomes, self.max_moves)
        return [(float(odds), code) for (odds, _), code in zip(pairs, codes, strict=True)]

    def key(self, state: State) -> tuple[Any, ...]:
        """What repetition compares."""
        kept = state if self.rulebook.key is None else self._bound(self.rulebook.key)(state)
        return tuple(part.tobytes() if isinstance(part, np.ndarray) else int(part) for part in kept)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The ways to turn the board that keep the game what it is."""
        declared = self.rulebook.symmetries
        return declared if isinstance(declared, tuple) else tuple(self._bound(declared)())

    def transform(self, state: State, symmetry: int) -> State:
        """The state seen through one of the symmetries, by its number."""
        assert self.rulebook.transform is not None
        return self._state(self._bound(self.rulebook.transform)(state, symmetry), self.rulebook.transform)

    def transform_move(self, move: int, symmetry: int) -> int:
        """The move seen through one of the symmetries."""
        assert self.rulebook.transform_move is not None
        return int(self._bound(self.rulebook.transform_move)(move, symmetry))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The stretches of a perfect-play table that the rules number; none where they do not."""
        return () if self.rulebook.blocks is None else tuple(self._bound(self.rulebook.blocks)())

    @cached_property
    def max_moves(self) -> int:
        """The most moves, or chance outcomes, that any position has."""
        declared = self.rulebook.max_moves
        most = declared if isinstance(declared, int) else int(self._bound(declared)())
        if most < 1:
            name = self.rulebook.name
            raise RulesError(f"{where(self.rulebook.state)}: max_moves of {name} is {most}, expected 1 or more")
        return most

    @cached_property
    def alternating(self) -> bool:
        """Does the game declare that every move ends its turn? Without that a side may make several moves in one."""
        declared = self.rulebook.alternating
        return declared if isinstance(declared, bool) else bool(self._bound(declared)())

    # What people see.

    @cached_property
    def layout(self) -> Layout:
        """The board as data."""
        layout: Layout = self._bound(self.rulebook.layout)()
        return layout

    def pieces(self, state: State) -> list[str]:
        """What stands on each cell of the layout."""
        return list(self._bound(self.rulebook.pieces)(state))

    def gesture(self, state: State, move: int) -> Gesture:
        """The cells a hand touches for a move."""
        gesture = self.rulebook.gesture
        given = (state, move) if asks(gesture, "state") else (move,)
        found: Gesture = self._bound(gesture)(*given)
        return found

    def move_text(self, state: State, move: int) -> str:
        """The move as people read it."""
        if self.rulebook.move_text is None:
            return gesture_text(self.gesture(state, move), self.layout)
        return str(self._bound(self.rulebook.move_text)(state, move))

    def protocol_text(self, state: State, move: int) -> str:
        """The move as other programs want it."""
        if self.rulebook.protocol_text is None:
            return self.move_text(state, move)
        return str(self._bound(self.rulebook.protocol_text)(state, move))

    def write(self, state: State) -> str:
        """The state as text."""
        if self.rulebook.write is None:
            return notation.write_fields(state)
        return str(self._bound(self.rulebook.write)(state))

    def _read(self, text: str) -> State:
        if self.rulebook.read is None:
            return notation.read_fields(text, self.rulebook.state, self.rulebook.state_fields)
        if not text.isprintable():
            raise BadPosition(f"position {quoted(text)} holds characters that cannot be printed")
        return self._state(self._bound(self.rulebook.read)(text), self.rulebook.read)

    def _refuse_invalid(self, state: State, text: str) -> None:
        if self.rulebook.valid is not None and not self._bound(self.rulebook.valid)(state):
            raise BadPosition(f"{quoted(text)} cannot come about, says {where(self.rulebook.valid)}")

    # Binding.

    def _bound(self, rule: Rule) -> Callable[..., Any]:
        """The rule with its `rules` filled in."""
        found = self._bindings.get(rule)
        if found is None:
            call = partial(rule, rules=self.rules) if asks(rule, "rules") else rule
            found = self._bindings[rule] = report_rule_errors(rule, call)
        return found

    @cached_property
    def _bindings(self) -> dict[Rule, Callable[..., Any]]:
        return {}

    def _state(self, values: Any, source: Rule) -> State:
        state = cast_fields(self.rulebook.state, self.rulebook.state_fields, values, source)
        for part in state:
            if type(part) is np.ndarray:
                part.flags.writeable = False
        return state

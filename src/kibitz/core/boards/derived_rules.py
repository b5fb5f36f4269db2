"""The rules that follow from a board: how a position looks, is read and written, and seen through symmetries."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from kibitz.core.boards import images, texts
from kibitz.core.boards.beside import add_things, list_things
from kibitz.core.boards.board import Board
from kibitz.core.boards.storage import find_storage, read_letters, write_letters
from kibitz.core.errors import BadPosition, KibitzError, RulesError, quoted
from kibitz.core.fields import Field, cast_fields, fields_of, where
from kibitz.core.layout import Gesture, Layout
from kibitz.core.notation import read_extras
from kibitz.core.result import CHANCE, FIRST, ONGOING, SECOND
from kibitz.core.rulebook import NoRules, Rule, Symmetry, call_rule, gesture_text

SIDE = "side"  # the field that says who is to move

# Tables that `transform` reads, kept with the rules where options decide about the board.
_TABLES: dict[str, Any] = {
    "board_id": int,
    "board_size": int,
    "board_images": NDArray[np.int64],
    "board_swaps": NDArray[np.int64],
    "board_codes": NDArray[np.int64],
}


class BoardRules:
    """What follows from a board, or from a function that makes one of the options.

    `written` are the rules that the author wrote; the methods named like rules are what follows.
    """

    def __init__(self, board: Board | Callable[[Any], Board], state: type, options: type, owner: str) -> None:
        self.state = state
        self.owner = owner
        self.written: Mapping[str, Any] = {}
        self.fields = {field.name: field for field in fields_of(state)}
        self.make = None if isinstance(board, Board) else board
        self._boards: dict[int, Board] = {}
        self.board: Board = board if isinstance(board, Board) else board(options())  # the one without options given
        if not isinstance(self.board, Board):
            raise RulesError(
                f"{where(state)}: board is {self.board!r:.60}, expected grid(...) or a function that makes it"
            )
        self._refuse_unknown_places()
        try:
            self.storage = find_storage(self.board, self.fields.values())
            self.things = list_things(self.board.beside, self.fields, self.board.kinds, self.board.sides)
        except KibitzError as error:
            raise RulesError(f"{where(state)}: {error}") from None

    def _refuse_unknown_places(self) -> None:
        for name in self.board.places:
            if name not in self.fields:
                raise RulesError(f"{where(self.state)}: the board has the place '{name}', but State has no such field")

    def board_of(self, rules: Any) -> Board:
        """The board of a game with these rules."""
        return self.board if self.make is None else self._boards[int(rules.board_id)]

    @property
    def beside(self) -> dict[str, Field]:
        """The fields that hold neither the board nor the side to move."""
        return {name: field for name, field in self.fields.items() if name not in (*self.storage.fields, SIDE)}

    # The numbers that rules may ask for.

    def parameters(self, declared: type) -> type:
        """The author's class of rules; where options decide about the board, with the board's tables behind."""
        if self.make is None:
            return declared
        hints = {**({} if declared is NoRules else get_type_hints(declared)), **_TABLES}
        made: type = NamedTuple(declared.__name__, list(hints.items()))  # type: ignore[misc]
        made.__module__ = self.state.__module__
        return made

    def rules(self, declared: type, written: Rule | None) -> Callable[[Any], Any]:
        """The function of the options that fills that class: the author's, or by the names of options and board."""

        def rules(options: Any) -> tuple[Any, ...]:
            board = self.board if self.make is None else self.make(options)
            if written is not None:
                found = tuple(written(options))
            elif declared is NoRules:
                found = () if self.make else (0,)
            else:
                found = tuple(self._number(name, options, board) for name in get_type_hints(declared))
            return found if self.make is None else (*found, *self._tables(options, board))

        return rules

    def _number(self, name: str, options: Any, board: Board) -> Any:
        for source in (options, board):
            if hasattr(source, name):
                return getattr(source, name)
        raise RulesError(
            f"{where(self.state)}: field '{name}' of Rules is no option and no number of the board, expected a function"
            " rules(options) that returns Rules"
        )

    def _tables(self, options: Any, board: Board) -> tuple[Any, ...]:
        number = zlib.crc32(repr(tuple(options)).encode())
        self._boards[number] = board
        return (number, *images.tables(board, self.storage).values())

    # Compiled rules.

    def turn(self) -> Rule | None:
        """Who is to move: the field `side`."""
        if SIDE not in self.fields:
            return None
        return self._compiled("def turn(state):\n    return state.side\n", {})

    def transform(self) -> Rule | None:
        """The state seen through a symmetry."""
        if not self._symmetric:
            return None
        names = {"State": self.state, **self._constants()}
        return self._compiled(images.write_transform(self.board, self.storage, self.fields, self._where), names)

    def transform_move(self) -> Rule | None:
        """The move seen through a symmetry."""
        if not self._symmetric:
            return None
        return self._compiled(images.write_transform_move(self.board, self._where), self._constants())

    @property
    def _symmetric(self) -> bool:
        return bool(self.board.symmetries) or self.make is not None

    @property
    def _where(self) -> str:
        return "rules." if self.make else ""

    def _constants(self) -> dict[str, Any]:
        return {} if self.make else images.tables(self.board, self.storage)

    def _compiled(self, text: str, names: Mapping[str, Any]) -> Rule:
        return images.make_function(text, self.owner, names, self.state.__module__)

    # What people see.

    def symmetries(self) -> Rule:
        """The symmetries that the board declares."""

        def symmetries(rules: Any) -> tuple[Symmetry, ...]:
            names = self.board_of(rules).symmetries
            return tuple(Symmetry(name.removesuffix("+swap"), name.endswith("+swap")) for name in names)

        return symmetries

    def max_moves(self) -> Rule:
        """Every move that the board's coding has, and the pass."""
        return lambda rules: self.board_of(rules).pass_move + 1

    def layout(self) -> Rule:
        """The board as pictures draw it."""

        def layout(rules: Any) -> Layout:
            plain = self.board_of(rules).layout
            return add_things(plain, self.things) if self.things else plain

        return layout

    def pieces(self) -> Rule:
        """What stands on each cell."""

        def pieces(state: Any, rules: Any) -> list[str]:
            standing = read_letters(self.board_of(rules), self.storage, state)
            return standing + [thing.text(state) for thing in self.things]

        return pieces

    def start(self) -> Rule:
        """The board's first position; fields beside it have the class's defaults, or 0."""
        self._default_of_arrays()

        def start(rules: Any) -> Any:
            board = self.board_of(rules)
            cells = texts.read_board(board, board.start, self._counted) if board.start else [""] * board.size
            return self._state(board, cells, FIRST, {}, rules)

        return start

    def _default_of_arrays(self) -> None:
        for name, field in self.beside.items():
            if field.array and name not in self._defaults:
                raise RulesError(
                    f"{where(self.state)}: field '{name}' of State is an array whose length at the start is not known,"
                    f" expected a default, as '{name}: ... = np.zeros(2, np.int8)', or a function start()"
                )

    @property
    def _defaults(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.state._field_defaults  # type: ignore[attr-defined]
        return found

    def _default(self, name: str, rules: Any) -> Any:
        """What a field holds where nothing is said: the class's default, else 0, or an array as the game begins."""
        if name in self._defaults:
            return self._defaults[name]
        if self.fields[name].array:
            return getattr(call_rule(self.written["start"], rules), name)
        return -1 if name in self.board.places else 0

    @property
    def _counted(self) -> bool:
        return bool(self.storage.counts)

    def _state(self, board: Board, cells: Sequence[str], side: int, beside: Mapping[str, Any], rules: Any) -> Any:
        values = {name: beside[name] if name in beside else self._default(name, rules) for name in self.beside}
        values |= write_letters(board, self.storage, cells, self.fields)
        if SIDE in self.fields:
            values[SIDE] = side
        return cast_fields(
            self.state, self.fields.values(), (values[name] for name in self.fields), self.written["play"]
        )

    def gesture(self) -> Rule:
        """The cells of a move, and those where something was and is gone."""

        def gesture(state: Any, move: int, rules: Any) -> Gesture:
            board = self.board_of(rules)
            if move >= board.pass_move or move < 0 or call_rule(self.written["turn"], rules, state) == CHANCE:
                return Gesture(())
            if board.moves == "cell":
                return Gesture((move,))
            origin, target = divmod(move, board.size)
            touched = (origin,) if origin == target else (origin, target)
            return Gesture(touched, captured=self._captured(state, move, rules, touched))

        return gesture

    def _captured(self, state: Any, move: int, rules: Any, touched: tuple[int, ...]) -> tuple[int, ...]:
        """The cells where something was taken: those that became empty, and a target that was not empty."""
        if len(touched) < 2:
            return ()
        board = self.board_of(rules)
        before = read_letters(board, self.storage, state)
        after = read_letters(board, self.storage, call_rule(self.written["play"], rules, state, move))
        taken = [cell for cell, piece in enumerate(before) if piece and not after[cell] and cell != touched[0]]
        return tuple(taken) or ((touched[-1],) if before[touched[-1]] else ())

    def move_text(self) -> Rule:
        """The names of the cells that a move touches; `pass`, and an outcome of chance as its number."""

        def move_text(state: Any, move: int, rules: Any) -> str:
            if call_rule(self.written["turn"], rules, state) == CHANCE:
                return f"~{move}"
            gesture_rule = self.written["gesture"]
            names = gesture_rule.__code__.co_varnames[: gesture_rule.__code__.co_argcount]
            given = (state, move) if "state" in names else (move,)
            found = call_rule(gesture_rule, rules, *given)
            layout = call_rule(self.written["layout"], rules)
            return gesture_text(found, layout) if found.cells else "pass"

        return move_text

    # Texts of positions.

    @property
    def side_letters(self) -> str:
        """The letters of the two sides in texts: those of their first pieces, if they have any."""
        found = [
            next((piece.glyph for piece in self.board.kinds.values() if piece.side == side), "")
            for side in (FIRST, SECOND)
        ]
        return "".join(found) if all(found) else "12"

    def write(self) -> Rule:
        """The rows from the top, the side to move, and what else differs from the class's defaults."""

        def write(state: Any, rules: Any) -> str:
            board = self.board_of(rules)
            text = texts.write_board(board, read_letters(board, self.storage, state), self._counted)
            side = f" {self.side_letters[state.side]}" if SIDE in self.fields else ""
            return text + side + self._write_beside(state, board, rules)

        return write

    def _write_beside(self, state: Any, board: Board, rules: Any) -> str:
        found = {}
        for name in self.beside:
            value, default = getattr(state, name), self._default(name, rules)
            if name in board.places and value >= 0:
                found[name] = board.cells[value].name
            elif not np.array_equal(value, default):
                numbers = value.tolist() if isinstance(value, np.ndarray) else [value]
                found[name] = ",".join(str(number if isinstance(number, float) else int(number)) for number in numbers)
        return "".join(f" {name}={value}" for name, value in found.items())

    def read(self) -> Rule:
        """The state of a text, or the reason why there is none."""

        def read(text: str, rules: Any) -> Any:
            board = self.board_of(rules)
            words = text.split()
            if not words:
                raise BadPosition("position is empty, expected a board")
            side, rest = self._read_side(words[1:])
            found = read_extras(rest, self.beside)
            beside = {name: self._read_value(name, value, board, rules) for name, value in found.items()}
            try:
                cells = texts.read_board(board, words[0], self._counted)
                state = self._state(board, cells, side, beside, rules)
            except OverflowError:
                raise BadPosition(f"board {quoted(words[0])} has a count that is too large") from None
            self._refuse_dead_end(state, rules)
            return state

        return read

    def _read_side(self, words: list[str]) -> tuple[int, list[str]]:
        if SIDE not in self.fields:
            return FIRST, words
        letters = self.side_letters
        if not words or words[0] not in tuple(letters):
            shown = quoted(words[0]) if words else "missing"
            raise BadPosition(f"side to move is {shown}, expected {' or '.join(letters)} after the board")
        return letters.index(words[0]), words[1:]

    def _read_value(self, name: str, text: str, board: Board, rules: Any) -> Any:
        if name in board.places:
            return self._read_place(name, text, board)
        field, default = self.fields[name], self._default(name, rules)
        try:
            kind = float if field.dtype.kind == "f" else int
            numbers = [kind(word) for word in text.split(",")] if text.isascii() else []
            if field.array:
                if len(numbers) != len(default):
                    raise BadPosition(f"{name} is {quoted(text)}, expected {len(default)} numbers")
                return np.array(numbers, field.dtype)
            (number,) = numbers
            return field.cast(number)
        except (ValueError, TypeError, OverflowError):
            raise BadPosition(f"{name} is {quoted(text)}, expected {field}") from None

    @staticmethod
    def _read_place(name: str, text: str, board: Board) -> int:
        names = [cell.name for cell in board.cells]
        if text not in names:
            raise BadPosition(f"{name} is {quoted(text)}, expected the name of a cell")
        return names.index(text)

    def _refuse_dead_end(self, state: Any, rules: Any) -> None:
        """A position where the game neither is over nor can go on, or where its rules fail, does not come about."""
        try:
            going = self._can_go_on(state, rules)
        except KibitzError:
            raise
        except Exception as problem:  # noqa: BLE001 - rules may fail in any way where no game leads
            raise BadPosition(f"the rules fail there: {type(problem).__name__}: {problem}") from None
        if not going:
            raise BadPosition("the game is not over there, but nobody can move")

    def _can_go_on(self, state: Any, rules: Any) -> bool:
        def ask(name: str) -> Any:
            return call_rule(self.written[name], rules, state)

        if ask("result") != ONGOING or ("plies_left" in self.written and ask("plies_left") <= 0):
            return True
        return any(True for _ in ask("outcomes" if ask("turn") == CHANCE else "moves"))


DERIVED = (
    "turn", "transform", "transform_move", "symmetries", "max_moves", "layout", "pieces", "start", "gesture",
    "move_text", "read", "write",
)  # fmt: skip

"""A rulebook: everything one file says about a game, gathered in one declaration."""

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from inspect import currentframe, getsourcefile, signature
from itertools import islice
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.core import options as option_texts
from kibitz.core.errors import BadOption, RulesError
from kibitz.core.fields import Field, fields_of, where
from kibitz.core.layout import Gesture, Layout

if TYPE_CHECKING:
    from kibitz.core.boards.board import Board
    from kibitz.core.game import Game

Rule = Callable[..., Any]
RULES_FILES: set[str] = set()  # of every rulebook: where to look when something goes wrong


def _declared_at(state: type) -> str:
    """The line of the author's file that is making a rulebook; else where its State is."""
    file, frame = getsourcefile(state), currentframe()
    while frame is not None and frame.f_code.co_filename != file:
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}" if frame is not None else where(state)


class NoRules(NamedTuple):
    """The parameters of a game that has none."""

    nothing: int = 0


class Symmetry(NamedTuple):
    """A way to turn the board that keeps the game what it is; `swaps` says that the sides change places."""

    name: str
    swaps: bool = False


class Block(NamedTuple):
    """A stretch of a perfect-play table: positions of one layer with the same side to move, numbered in a row.

    A move never leads to a higher layer. Each number stands for `images` boards that symmetries make one.
    """

    layer: int
    side: int
    size: int
    images: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulebook:
    """The declaration of a game. Call it to choose options: `breakthrough("5x10")`, `breakthrough(rows=6)`.

    Every function may take a parameter called `rules`: the NamedTuple that `rules(options)` returned. The first
    group is compiled, so it keeps to numbers, arrays and loops; the rest is ordinary Python.
    """

    name: str
    title: str
    sides: tuple[str, str]

    state: type  # a NamedTuple of numbers and small arrays
    turn: Rule  # (state) -> FIRST, SECOND or CHANCE
    moves: Rule  # (state) yields integers, none twice
    play: Rule  # (state, move) -> the next state
    result: Rule  # (state) -> ONGOING, FIRST_WINS, SECOND_WINS or DRAW
    outcomes: Rule | None = None  # (state) yields (probability, outcome) where the turn is CHANCE's
    key: Rule | None = None  # (state) -> the state without what repetition ignores
    plies_left: Rule | None = None  # (state) -> turns until the limit
    horizon: Rule | None = None  # (state) -> turns until the ply changes the rules; by default the same
    at_limit: Rule | None = None  # (state) -> the result there; a draw by default
    moves_once: Rule | None = None  # (state) yields those moves that build each turn in one sequence only
    transform: Rule | None = None  # (state, symmetry) -> the state seen that way
    transform_move: Rule | None = None  # (move, symmetry) -> the move seen that way
    index: Rule | None = None  # (state) -> its number in a perfect-play table, symmetric ones alike; -1 for none
    unindex: Rule | None = None  # (number) -> a state of that number
    unmoves: Rule | None = None  # (state) yields the moves that may have led here, also from finished games
    unplay: Rule | None = None  # (state, move) -> the state before that move

    start: Rule  # () -> the first state
    max_moves: int | Rule  # the most that `moves` or `outcomes` ever yields
    layout: Rule  # () -> Layout
    pieces: Rule  # (state) -> for each cell '' or a piece's letter, with a count behind it if there is one
    gesture: Rule  # (move) or (state, move) -> Gesture
    read: Rule | None = None  # (text) -> state, BadPosition where that is impossible
    valid: Rule | None = None  # (state) -> bool: can it come about? Asked of positions that are read
    write: Rule | None = None  # (state) -> text
    move_text: Rule | None = None  # (state, move) -> what people read; by default the gesture's cells
    protocol_text: Rule | None = None  # (state, move) -> what other programs want; by default the same
    actions: Rule | None = None  # () -> ActionCoding; by default a move's integer is its action
    winner: int | None = None  # who wins the standard game with perfect play, where that is proven
    variant: Rule | None = None  # () -> Variant for UCI engines that can be taught it; None: not with these options
    options: type = option_texts.NoOptions
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules: Callable[[Any], Any] = lambda options: NoRules()
    parameters: type = NoRules  # the NamedTuple that `rules` returns
    symmetries: tuple[Symmetry, ...] | Rule = ()  # () -> tuple where options decide
    repetition: int = 0  # a position seen so many times is a draw; 0: never
    blocks: Rule | None = None  # () -> the Blocks that `index` numbers, layer by layer; none: not these options
    derived: tuple[str, ...] = ()  # the rules that follow from a board; Rulebook.of says so
    alternating: bool | Rule = False  # does every move end its turn? Then lines are counted quicker; () -> bool

    def __post_init__(self) -> None:
        self.state_fields  # noqa: B018 - a wrong field is reported where it is declared, not at first use
        self.parameter_fields  # noqa: B018
        RULES_FILES.add(self.play.__code__.co_filename)

        try:
            option_texts.refuse_presets(self.options, self.presets)
        except BadOption as error:
            raise RulesError(f"{_declared_at(self.state)}: {error}") from None
        for slot in SIGNATURES:
            rule = getattr(self, slot)
            if isinstance(rule, FunctionType) and slot != "rules":
                refuse_signature(slot, rule)

    @classmethod
    def of(cls, module: str, board: "Board | Callable[[Any], Board] | None" = None, **declared: Any) -> "Rulebook":
        """The rulebook of the file that calls this with its `__name__`: its functions called like rules, its classes
        State, Options and Rules, and from the board all that they leave out. What is declared here wins.

        The board is what `grid(...)` returns, or a function that makes it of the options.
        """
        from kibitz.core.short_form import find_rulebook

        return find_rulebook(module, board, declared)

    @cached_property
    def state_fields(self) -> tuple[Field, ...]:
        return fields_of(self.state)

    @cached_property
    def parameter_fields(self) -> tuple[Field, ...]:
        return fields_of(self.parameters, flat=False)

    @property
    def summary(self) -> str:
        """The first line of the rules file's docstring."""
        doc = self.play.__globals__.get("__doc__") or self.title
        return str(doc).strip().splitlines()[0]

    def __call__(self, preset: str | None = None, **given: Any) -> "Game":
        """The game with these options; text is read as on the command line."""
        from kibitz.core.game import Game

        try:
            return Game(self, option_texts.chosen(self.options, self.presets, preset, given))
        except BadOption as error:
            raise BadOption(f"{self.name}: {error}") from None


# The parameters of each rule; `rules` may follow them.
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("turn", "moves", "result", "outcomes", "key", "plies_left", "horizon", "at_limit"), ("state",)),
    **dict.fromkeys(("moves_once", "index", "unmoves", "pieces", "write", "valid"), ("state",)),
    **dict.fromkeys(("play", "unplay", "gesture", "move_text", "protocol_text"), ("state", "move")),
    **dict.fromkeys(("start", "max_moves", "layout", "actions", "variant", "symmetries", "blocks", "alternating"), ()),
    "transform": ("state", "symmetry"),
    "transform_move": ("move", "symmetry"),
    "unindex": ("number",),
    "read": ("text",),
    "rules": ("options",),
}


def refuse_signature(slot: str, rule: Rule) -> None:
    """Nothing, or an error that says which parameters the rule has."""
    code = rule.__code__
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    wanted = SIGNATURES[slot]
    if given in (wanted, (*wanted, "rules")) or (slot == "gesture" and given in (("move",), ("move", "rules"))):
        return
    shown = f"{slot}({', '.join(given)})"
    expected = f"{slot}({', '.join(wanted)})" + (
        "" if slot == "rules" else f" or {slot}({', '.join((*wanted, 'rules'))})"
    )
    order = sorted(given) in (sorted(wanted), sorted((*wanted, "rules")))
    reason = "has its parameters in another order" if order else "is the name of a rule, but takes other parameters"
    helper = "" if order else ", or another name if it is a helper"
    raise RulesError(f"{where(rule)}: {shown} {reason}, expected {expected}{helper}")


@lru_cache(maxsize=4096)
def asks(rule: Rule, parameter: str) -> bool:
    """Does this function take a parameter of this name?"""
    return parameter in signature(rule).parameters


def call_rule(rule: Rule, rules: Any, *given: Any) -> Any:
    """What an author's function returns, given the rules if it asks for them."""
    return rule(*given, rules=rules) if asks(rule, "rules") else rule(*given)


def whole_numbers(numbers: Iterable[Any], rule: Rule, most: int) -> list[int]:
    """What a rule yielded, as a list of integers no longer than declared."""
    found = list(islice(numbers, most + 1))
    if len(found) > most:
        raise RulesError(
            f"{where(rule)}: {rule.__name__}() yields more than the {most} that the game declares as max_moves"
        )
    if set(map(type, found)) <= {int}:
        return found
    try:
        return [operator.index(value) for value in found]
    except TypeError:
        strange = next(value for value in found if not hasattr(value, "__index__"))
        raise RulesError(f"{where(rule)}: {rule.__name__}() yields {strange!r}, expected an integer") from None


def gesture_text(gesture: Gesture, layout: Layout) -> str:
    """The default text of a move: the names of its first and last cell, and how many go."""
    cells = gesture.cells if len(gesture.cells) < 2 else (gesture.cells[0], gesture.cells[-1])
    names = ("x" if gesture.captured else "-").join(layout.cells[cell].name for cell in cells)
    return names if gesture.amount is None else f"{names}:{gesture.amount}"

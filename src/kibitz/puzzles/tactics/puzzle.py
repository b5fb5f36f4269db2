"""A puzzle: a position, what its solver is to reach, the line that does so, and how that is known."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from kibitz.core.errors import KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.tables.file.identity import name_of, rules_hash

Goal = Literal["win", "draw", "best"]  # `best`: the highest chances, in games of chance
Evidence = Literal["table", "proof", "checked", "expected"]
GOALS: tuple[Goal, ...] = get_args(Goal)
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
PROVEN: tuple[Evidence, ...] = ("table", "proof")
HARDEST = 10  # the level of what none of the weaker ones finds


class BadPuzzle(KibitzError):
    """A puzzle whose line is not one of its game, or that claims what is not so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Puzzle:
    """One position with one solution.

    `line` holds whole turns: the solver's, the answer, the solver's and so on; every one of the solver's is the only
    one that reaches the goal, and it ends with one of them.
    """

    position: str
    goal: Goal
    line: tuple[str, ...]
    turns: int | None = None  # of both sides until the win
    margin: float | None = None  # of a `best` move: how much higher its chances are than the next one's, 0 to 1
    choices: int  # turns among which the solver chooses the first one; 0 where they were not counted
    level: int  # the lowest level of the engine that finds it
    evidence: Evidence
    origin: str  # which game it comes from

    @property
    def proven(self) -> bool:
        """Was it shown by a table or a proof, rather than by a search that went deep?"""
        return self.evidence in PROVEN


@dataclass(frozen=True, kw_only=True)
class PuzzleSet:
    """Puzzles of one game, and how they were made."""

    game: str  # its text, without the place where its file lies
    rules: str  # the hash of its rules and options
    puzzles: tuple[Puzzle, ...] = ()
    made: dict[str, Any] = field(default_factory=dict)  # the settings
    looked_at: int = 0  # games so far: where the same command goes on

    @classmethod
    def empty(cls, game: Game, made: dict[str, Any]) -> "PuzzleSet":
        return cls(game=name_of(game), rules=rules_hash(game), made=made)

    def with_puzzle(self, puzzle: Puzzle) -> "PuzzleSet":
        return replace(self, puzzles=(*self.puzzles, puzzle))

    def check_game(self, game: Game, place: object) -> None:
        """Refuse puzzles of another game, of other options or of other rules."""
        if self.game != name_of(game):
            raise BadPuzzle(f"'{place}' has puzzles of {quoted(self.game)}, expected some of {name_of(game)}")
        if self.rules != rules_hash(game):
            raise BadPuzzle(
                f"'{place}' was made under other rules of {quoted(self.game)}; make it anew: kibitz puzzles {game.text}"
            )


def positions_of(puzzle: Puzzle, game: Game) -> list[Position]:
    """The position of a puzzle, then the one after each turn of its line; or what is wrong with it."""
    here = game.position(puzzle.position)
    found = [here]
    for number, turn in enumerate(puzzle.line):
        side = here.turn
        if here.over or side != (found[0].turn if number % 2 == 0 else 1 - found[0].turn):
            raise BadPuzzle(f"turn {number + 1} of the line, {quoted(turn)}, is nobody's")
        here = play_turn(here, turn)
        found.append(here)
    return found


def play_turn(position: Position, turn: str) -> Position:
    """The position after one whole turn of the side to move."""
    after = position.play(turn)
    steps = 0
    here: Position | None = after
    while here is not None and here is not position:
        steps += 1
        here = here.before
        if here is not None and here.turn != position.turn:
            raise BadPuzzle(f"{quoted(turn)} is more than a turn in {position.game.text} position '{position.text}'")
    if not steps or (not after.over and after.turn == position.turn):
        raise BadPuzzle(f"{quoted(turn)} is no whole turn in {position.game.text} position '{position.text}'")
    return after

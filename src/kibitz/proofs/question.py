"""What a proof search is asked: does the side to move reach its goal?"""

import hashlib
from dataclasses import dataclass

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.proofs.alquerque import adapter as alquerque
from kibitz.proofs.alquerque import hold_search
from kibitz.proofs.alquerque.endgames import Endings, no_endings
from kibitz.proofs.breakthrough import adapter as breakthrough
from kibitz.proofs.symmetry import MOST_CELLS, Ground

BREAKTHROUGH, ALQUERQUE, HOLDING = 0, 1, 2  # the first two are the GAME of proof-number search
MOST_PLIES = 63


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """A question in words, and as the search is given it."""

    text: str
    position: Position
    kernel: int
    ground: Ground
    code: int
    attacker: int | None = None  # who has to win where a draw is possible or plies are counted; the other has to last
    within: int = 0

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
        mark = "" if text == self.game.new().text else "-" + hashlib.sha256(text.encode()).hexdigest()[:8]
        return self._plain_name + mark

    @property
    def search_name(self) -> str:
        """A name for the progress of the search: one question may be asked in two ways."""
        return f"{self.name}-holding" if self.kernel == HOLDING else self.name

    @property
    def _plain_name(self) -> str:
        if self.kernel != BREAKTHROUGH:
            return f"alquerque-can-{self.game.rulebook.sides[self.attacker or 0]}-win"
        options = self.game.options
        size = f"breakthrough-{options.rows}x{options.columns}"
        return f"{size}-within-{self.within}" if self.within else size

    def winner(self, holds: bool) -> int:
        """The side that reaches its goal."""
        return self.position.turn if holds else 1 - self.position.turn

    def draw_will_do(self, holds: bool) -> bool:
        """Is it the goal of the winner not to lose?"""
        return self.kernel != BREAKTHROUGH and self.winner(holds) != self.attacker

    def answer(self, holds: bool) -> str:
        """The answer in words."""
        side = self.game.rulebook.sides[self.winner(holds)]
        if self.within:
            if self.winner(holds) == self.attacker:
                return f"{side} wins within {self.within} plies"
            return f"{side} is not beaten within {self.within} plies"
        return f"{side} at least draws" if self.draw_will_do(holds) else f"{side} wins"


def who_wins(position: Position) -> Question:
    """Breakthrough: who wins?"""
    given = breakthrough.ground(position.game)
    code = breakthrough.code_of(position, given)
    return Question(f"{_from(position)}: who wins", position, BREAKTHROUGH, given, code)


def wins_within(position: Position, plies: int) -> Question:
    """Breakthrough: does the side that would make the last of so many plies win within them?"""
    game = position.game
    cells = game.options.rows * game.options.columns
    if not 1 <= plies <= MOST_PLIES or 2 * cells + MOST_PLIES.bit_length() > 2 * MOST_CELLS:
        raise BadOption(f"{game.text}: plies can be counted up to {MOST_PLIES} and on at most 27 cells")
    given = breakthrough.ground(game)
    attacker = position.turn if plies % 2 else 1 - position.turn
    text = f"{_from(position)}: does {game.rulebook.sides[attacker]} win within {plies} plies"
    code = breakthrough.code_of(position, given, plies)
    return Question(text, position, BREAKTHROUGH, given, code, attacker, plies)


def can_hold(position: Position, holder: int) -> Question:
    """Alquerque: does this side at least draw, or can the other one win?"""
    alquerque.refuse_other_rules(position.game)
    text = f"{_from(position)}: can {position.game.rulebook.sides[holder]} hold"
    code = hold_search.code_of(position, holder)
    return Question(text, position, HOLDING, hold_search.ground(holder), code, 1 - holder)


def can_win(position: Position, attacker: int, endings: Endings | None = None) -> Question:
    """Alquerque: can this side win, or does the other one at least draw?"""
    given = alquerque.ground(position.game, endings or no_endings())
    code = alquerque.code_of(position, given, attacker)
    text = f"{_from(position)}: can {position.game.rulebook.sides[attacker]} win"
    return Question(text, position, ALQUERQUE, given, code, attacker)


def _from(position: Position) -> str:
    """The game, and the position where it is not the start."""
    game = position.game
    return game.text if position.text == game.new().text else f"{game.text} position '{position.text}'"

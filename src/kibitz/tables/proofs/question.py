"""What a proof search is asked: does the side to move reach its goal?"""

from dataclasses import dataclass

from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.result import FIRST
from kibitz.tables.proofs import alquerque, breakthrough
from kibitz.tables.proofs.endings import Endings, no_endings
from kibitz.tables.proofs.turning import MOST_CELLS, Ground

BREAKTHROUGH, ALQUERQUE = 0, 1  # the kernel's GAME
MOST_PLIES = 63


@dataclass(frozen=True, eq=False, slots=True)
class Question:
    """A question in words, and as the search is given it. The first player is to move."""

    text: str
    game: Game
    kernel: int
    ground: Ground
    code: int
    attacker: int | None = None  # who has to win where a draw is possible or plies are counted; the other has to last
    within: int = 0

    @property
    def name(self) -> str:
        """A name for files."""
        if self.kernel == ALQUERQUE:
            return f"alquerque-can-{self.game.rulebook.sides[self.attacker or 0]}-win"
        options = self.game.options
        size = f"breakthrough-{options.rows}x{options.columns}"
        return f"{size}-within-{self.within}" if self.within else size

    def winner(self, holds: bool) -> int:
        """The side that reaches its goal."""
        return FIRST if holds else 1 - FIRST

    def draw_will_do(self, holds: bool) -> bool:
        """Is it the goal of the winner not to lose?"""
        return self.kernel == ALQUERQUE and self.winner(holds) != self.attacker

    def answer(self, holds: bool) -> str:
        """The answer in words."""
        side = self.game.rulebook.sides[self.winner(holds)]
        if self.within:
            if self.winner(holds) == self.attacker:
                return f"{side} wins within {self.within} plies"
            return f"{side} is not beaten within {self.within} plies"
        return f"{side} at least draws" if self.draw_will_do(holds) else f"{side} wins"


def who_wins(game: Game) -> Question:
    """Breakthrough: who wins?"""
    given = breakthrough.ground(game)
    return Question(f"{game.text}: who wins", game, BREAKTHROUGH, given, breakthrough.code_of(game.new(), given))


def wins_within(game: Game, plies: int) -> Question:
    """Breakthrough: does the side that would make the last of so many plies win within them?"""
    cells = game.options.rows * game.options.columns
    if not 1 <= plies <= MOST_PLIES or 2 * cells + MOST_PLIES.bit_length() > 2 * MOST_CELLS:
        raise BadOption(f"{game.text}: plies can be counted up to {MOST_PLIES} and on at most 27 cells")
    given = breakthrough.ground(game)
    attacker = FIRST if plies % 2 else 1 - FIRST
    text = f"{game.text}: does {game.rulebook.sides[attacker]} win within {plies} plies"
    return Question(text, game, BREAKTHROUGH, given, breakthrough.code_of(game.new(), given, plies), attacker, plies)


def can_win(game: Game, attacker: int, endings: Endings | None = None) -> Question:
    """Alquerque: can this side win, or does the other one at least draw?"""
    given = alquerque.ground(game, endings or no_endings())
    code = alquerque.code_of(game.new(), given, attacker)
    text = f"{game.text}: can {game.rulebook.sides[attacker]} win"
    return Question(text, game, ALQUERQUE, given, code, attacker)

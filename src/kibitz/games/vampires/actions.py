"""Orders as actions: the integer of an order leaves 256 places for the creatures that go, an action only so many as
there are.
"""

from dataclasses import dataclass

from kibitz.core.interop import ActionCoding
from kibitz.games.vampires.rules import END, Rules


@dataclass(frozen=True)
class OrderCoding(ActionCoding):
    creatures: int

    def action(self, move: int) -> int:
        """The action of an order; that of ending the turn is 0."""
        if move == END:
            return 0
        way, count = divmod(move, 256)
        return 1 + way * self.creatures + count - 1

    def move(self, action: int) -> int:
        """The order of an action."""
        if action == 0:
            return END
        way, count = divmod(action - 1, self.creatures)
        return way * 256 + count + 1


def actions(rules: Rules) -> OrderCoding:
    creatures = min(255, rules.creatures)
    return OrderCoding(1 + 8 * rules.rows * rules.columns * creatures, creatures)

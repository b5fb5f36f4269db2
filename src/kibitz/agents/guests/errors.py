"""How guests fail, in one line each."""

from kibitz.core.errors import IllegalMove, KibitzError
from kibitz.core.position import Position


class GuestFailed(KibitzError):
    """A guest did not start, died, raised an error, or did not answer."""


def illegal_answer(guest: str, answer: str, position: Position) -> IllegalMove:
    """The error for a guest that answered with what is no move here."""
    some = ", ".join(position.moves()[:6]) + (", ..." if len(position.move_ids) > 6 else "")
    where = f"{position.game.text} position '{position.text}'"
    return IllegalMove(f"illegal move {answer} from {guest} in {where} (legal: {some})")

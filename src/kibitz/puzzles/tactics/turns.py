"""All turns of a position: the moves of the side to move until another one is to move."""

from typing import Any, NamedTuple

from kibitz.core.game import Game
from kibitz.core.position import Position

MOST_TURNS = 2000  # a position with more of them is no puzzle


class WholeTurn(NamedTuple):
    """A turn as one token, and where it leads."""

    text: str
    after: Position


def list_turns(position: Position, most: int = MOST_TURNS) -> list[WholeTurn] | None:
    """Every position that the side to move can leave behind, each by one turn; None where there are too many."""
    game = position.game
    found: dict[tuple[Any, ...], WholeTurn] = {}
    waiting = [WholeTurn("", position)]
    while waiting:
        text, here = waiting.pop()
        for code in reversed(game.moves_once(here.state)):
            word = game.move_text(here.state, code)
            after = game.after(here, code)
            turn = WholeTurn(f"{text}+{word}" if text else word, after)
            if after.turn == position.turn and not after.over:
                waiting.append(turn)
            else:
                found.setdefault((*after.key, after.turn), turn)
        if len(found) + len(waiting) > most:
            return None
    return sorted(found.values(), key=lambda turn: turn.text)


def find_turn(turns: list[WholeTurn], after: Position) -> WholeTurn | None:
    """The turn that leads to a position, however it was reached."""
    return next((turn for turn in turns if turn.after.key == after.key and turn.after.turn == after.turn), None)


def start_afresh(position: Position) -> Position:
    """The same position without its history: a puzzle begins with it."""
    return Position(position.game, position.state)


def canonical_key(position: Position) -> tuple[Any, ...]:
    """The same for a position and its images through the symmetries of the game, one after the other."""
    game = position.game
    found = {_view(game, position.state)}
    waiting = [position.state]
    while waiting and game.rulebook.transform is not None:
        state = waiting.pop()
        for number in range(len(game.symmetries)):
            image = game.transform(state, number)
            view = _view(game, image)
            if view not in found:
                found.add(view)
                waiting.append(image)
    return min(found)


def _view(game: Game, state: Any) -> tuple[Any, ...]:
    return (game.turn(state), *game.key(state))

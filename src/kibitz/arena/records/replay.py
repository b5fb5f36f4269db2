"""Playing a record again: the same moves, checked by the rules, to the same end."""

from collections.abc import Iterator

from kibitz.arena.records.record import TOKENS, BadRecord, Ply, Record
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.games import catalog

BY_THE_RULES = "rules"


class DoesNotReplay(BadRecord):
    """A record whose moves do not lead where it says, told with the move and the reason."""


def positions(record: Record) -> Iterator[Position]:
    """The position at the start, then the one after each ply."""
    position = catalog.load_known(record.game).position(record.start)
    yield position
    for number, ply in enumerate(record.plies, 1):
        position = _after(position, number, ply)
        yield position


def check_replay(record: Record) -> Position:
    """The position in which the game ended, or DoesNotReplay."""
    *_, end = positions(record)
    if end.over and end.result != record.result:
        raise DoesNotReplay(
            f"the record says {TOKENS[record.result]}, by the rules it is {TOKENS[end.result]}{_end(record)}"
        )
    if not end.over and record.result is not None and record.reason == BY_THE_RULES:
        raise DoesNotReplay(f"the record says {TOKENS[record.result]} by the rules, but the game goes on{_end(record)}")
    return end


def _after(position: Position, number: int, ply: Ply) -> Position:
    where = f"ply {number}, {quoted(ply.text)}, does not replay"
    if position.over:
        raise DoesNotReplay(f"{where}: the game is over before it")
    if ply.side != position.turn:
        raise DoesNotReplay(
            f"{where}: it is the turn of {position.to_move}, the record says {_name(position, ply.side)}"
        )
    try:
        return position.play(ply.text)
    except KibitzError as error:
        raise DoesNotReplay(f"{where}: {error}") from None


def _name(position: Position, side: int) -> str:
    return "chance" if side == CHANCE else position.game.rulebook.sides[side]


def _end(record: Record) -> str:
    return f" after ply {len(record.plies)}" if record.plies else " at the start"

"""What a message says about a new game, or about one that was lost with its connection."""

import asyncio
from typing import Any

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import Result
from kibitz.web.api import limits
from kibitz.web.api.facts import TOKENS, Facts
from kibitz.web.api.limits import number
from kibitz.web.api.refusals import Refused
from kibitz.web.session.clocks import Clocks
from kibitz.web.session.game_tree import LONGEST_COMMENT

LONGEST_POSITION = 20_000
LONGEST_LINE = 20_000  # characters of a variation
MOST_NOTES = 1000
RESULTS = {token: result for result, token in TOKENS.items()}
REASONS = ("resigned", "time")
AN_INSTANT = 200  # characters of a line that is replayed at once; longer ones in a thread


def read_clocks(message: Facts) -> Clocks | None:
    """Clocks, with what was left of them."""
    if message.get("clock") is None:
        return None
    clock = number(message["clock"], "clock", 1, limits.MOST_CLOCK)
    clocks = Clocks(clock, number(message.get("increment", 0), "increment", 0, 3600))
    if message.get("left") is not None:
        left = message["left"]
        if not isinstance(left, list) or len(left) != 2:
            raise Refused("bad-message", "left is a list of the seconds left to each side")
        clocks.left = [number(seconds, "left", 0, limits.MOST_CLOCK) for seconds in left]
    return clocks


def read_ending(message: Facts) -> tuple[Result, str] | None:
    """How a game that is put back had ended, where the rules did not end it."""
    ending = message.get("ending")
    if ending is None:
        return None
    if not isinstance(ending, dict) or ending.get("result") not in RESULTS or ending.get("reason") not in REASONS:
        raise Refused("bad-message", f"ending has a result ({', '.join(RESULTS)}) and a reason ({', '.join(REASONS)})")
    return RESULTS[ending["result"]], ending["reason"]


def read_notes(message: Facts) -> list[tuple[str, str, str]]:
    """Variations, marks and comments of a game that is put back."""
    notes = message.get("notes", [])
    if not isinstance(notes, list) or len(notes) > MOST_NOTES or not all(isinstance(note, dict) for note in notes):
        raise Refused("bad-message", f"notes is a list of at most {MOST_NOTES} lines with mark and comment")
    return [
        (
            check_text(note.get("line", ""), "line", LONGEST_LINE),
            check_text(note.get("mark", ""), "mark", 2),
            check_text(note.get("comment", ""), "comment", LONGEST_COMMENT),
        )
        for note in notes
    ]


async def read_position(game: Game, message: Facts) -> Position:
    """The position of a message: its text and the line from there."""
    text, line = message.get("position"), check_text(message.get("line") or "", "line", 1 << 20)
    if line.count(" ") + line.count("+") > limits.MOST_MOVES:
        raise Refused("too-large", f"the line is too long, expected at most {limits.MOST_MOVES} moves")
    start = game.new() if text is None else game.position(check_text(text, "position", LONGEST_POSITION))
    return start.play(line) if len(line) <= AN_INSTANT else await asyncio.to_thread(start.play, line)


def check_text(value: Any, name: str, most: int) -> str:
    """A text of bounded length."""
    if not isinstance(value, str) or len(value) > most:
        raise Refused("bad-message", f"{name} is missing or too long, expected a text of at most {most} characters")
    return value


def check_flag(message: Facts, name: str) -> bool:
    """A yes or no."""
    value = message.get(name)
    if not isinstance(value, bool):
        raise Refused("bad-message", f"{name} is missing, expected true or false")
    return value

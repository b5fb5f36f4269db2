"""What the other side of UCI and UGI says, understood: positions and limits."""

import re
from dataclasses import dataclass, field

from kibitz.core.errors import BadPosition, quoted
from kibitz.core.game import Game
from kibitz.core.limit import UNBOUNDED, Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST

NUMBERS = {"movetime", "depth", "nodes", "perft"}
CLOCKS = {f"{side}{what}" for side in ("w", "b", "p1", "p2") for what in ("time", "inc")}
WITH_NUMBER = NUMBERS | CLOCKS | {"movestogo", "mate"}
SHORTEST = 0.001  # seconds; a clock that has run out still wants a move
A_DAY = 86_400.0


def parse_position(game: Game, words: str) -> Position:
    """The position of `startpos|fen F [moves m1 m2 ...]`."""
    setup, _, line = f" {words.strip()} ".partition(" moves ")
    kind, _, text = setup.strip().partition(" ")
    if kind == "startpos" and not text:
        return game.new().play(line)
    if kind == "fen" and text:
        return game.position(" ".join(text.split()), line)
    raise BadPosition(f"position {quoted(words)} cannot be read, expected startpos or fen TEXT, then moves M1 M2 ...")


@dataclass
class GoCommand:
    """A `go`, understood."""

    limit: Limit
    infinite: bool = False
    perft: int | None = None
    ignored: list[str] = field(default_factory=list)  # words that say nothing to us


def parse_go(words: str, side: int) -> GoCommand:
    """What `go` asks for, for the side to move; words that cannot be read are listed and left out."""
    numbers: dict[str, int] = {}
    ignored: list[str] = []
    infinite = False
    rest = iter(words.split())
    for word in rest:
        if word in WITH_NUMBER:
            value = next(rest, "")
            if re.fullmatch(r"-?[0-9]{1,18}", value) and abs(int(value)) < UNBOUNDED:
                numbers[word] = int(value)
            else:
                ignored.append(f"{word} {value}".strip())
        elif word == "infinite":
            infinite = True
        else:
            ignored.append(word)
    return GoCommand(_limit(numbers, side, infinite), infinite, numbers.get("perft"), ignored)


def _limit(numbers: dict[str, int], side: int, infinite: bool) -> Limit:
    own = ("w", "p1") if side == FIRST else ("b", "p2")
    clock = next((numbers[f"{name}time"] for name in own if f"{name}time" in numbers), None)
    increment = next((numbers[f"{name}inc"] for name in own if f"{name}inc" in numbers), 0)
    return Limit(
        seconds=A_DAY if infinite else _seconds(numbers.get("movetime")),
        depth=_positive(numbers.get("depth")),
        nodes=_positive(numbers.get("nodes")),
        clock=_seconds(clock),
        increment=None if clock is None else max(0, increment) / 1000,
        moves_to_go=None if clock is None else _positive(numbers.get("movestogo")),
    )


def _seconds(thousandths: int | None) -> float | None:
    return None if thousandths is None else max(SHORTEST, thousandths / 1000)


def _positive(number: int | None) -> int | None:
    return None if number is None else max(1, number)

"""A game as a transcript that people can read and check: every move, every position, now and then a picture."""

import random
from collections.abc import Iterator
from pathlib import Path

from kibitz import games
from kibitz.core import picture
from kibitz.core.position import Position
from kibitz.core.result import CHANCE

FOLDER = Path(__file__).parent
GAMES = (
    "breakthrough",
    "breakthrough:5x10-three",
    "alquerque",
    "alquerque:alfonso",
    "alquerque:bell",
    "alquerque:qirkat",
    "wolves",
    "wolves:fifteen",
    "checkers",
    "vampires:thetrap",
    "vampires:testmap",
)
MOST_PLIES = 60
PICTURE_EVERY = 12


def path_of(game: str) -> Path:
    return FOLDER / f"{game.replace(':', '-')}.txt"


def transcript(game: str) -> str:
    return "\n".join(_lines(games.load(game).new(), random.Random(game))) + "\n"


def _lines(here: Position, dice: random.Random) -> Iterator[str]:
    yield f"{here.game.rulebook.title} ({here.game.text}), moves chosen at random"
    for ply in range(MOST_PLIES):
        if ply % PICTURE_EVERY == 0:
            yield from _picture(here)
        if here.over:
            break
        after = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
        assert after.last_move is not None
        move = here.game.move_text(here.state, after.last_move)
        choices = f"{len(here.outcomes()) or len(here.move_ids)} possible"
        yield f"{ply + 1:3} {here.to_move:10} {move:14} {choices:14} {after.text}"
        here = after
    yield from _picture(here)
    yield f"moves: {here.line}"


def _picture(here: Position) -> Iterator[str]:
    yield ""
    yield from (line.rstrip() for line in picture.terminal(here, colour=False).splitlines())
    yield ""

"""Each game of the gallery plays as a second, plain description of it does: on random games, move by move."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from tests.games.gallery import plain

from kibitz import CHANCE, Position, games
from kibitz.core.seam import interpreting

pytestmark = pytest.mark.skipif(interpreting(), reason="plain Python in both modes, so once is enough")


def rows(text: str) -> plain.Board:
    """The board of a text, rows from the top, `.` for an empty cell."""
    lines = text.split("/")[::-1]
    return {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line) if letter != "."}


def chequered(rows: int, columns: int) -> plain.Board:
    """A full board with x in the corner at the bottom left."""
    return {(x, y): "xo"[(x + y) % 2] for x in range(columns) for y in range(rows)}


AMAZONS_6 = "...b../....../w...../.....b/....../..w..."
TEN = ".........."
AMAZONS_10 = "/".join(["...b..b...", TEN, TEN, "b........b", TEN, TEN, "w........w", TEN, TEN, "...w..w..."])
DRAUGHTS = ".w.w.w.w/w.w.w.w./.w.w.w.w/......../......../b.b.b.b./.b.b.b.b/b.b.b.b."
EINSTEIN = "abd../ce.../f...F/...EC/..DBA"


class Twin(NamedTuple):
    """A game by its text, the same described plainly, and how many moves of random games are compared."""

    game: str
    plainly: Any
    moves: int = 250


TWINS = (
    Twin("hex,size=4", plain.Hex({}, columns=4, rows=4)),
    Twin("hex,size=11", plain.Hex({}, columns=11, rows=11), 60),
    Twin("gomoku", plain.Gomoku({}, columns=15, rows=15), 150),
    Twin("morris", plain.Morris()),
    Twin("konane", plain.Konane(chequered(8, 8)), 80),
    Twin("konane:6x6", plain.Konane(chequered(6, 6), columns=6, rows=6), 80),
    Twin("ataxx", plain.Ataxx(rows("x.....o/......./......./......./......./......./o.....x"), columns=7, rows=7), 120),
    Twin("kalah", plain.Kalah(((4,) * 6, (4,) * 6)), 200),
    Twin("kalah,houses=3,seeds=2", plain.Kalah(((2,) * 3, (2,) * 3)), 100),
    Twin("dotsandboxes", plain.Boxes({}, columns=7, rows=7), 100),
    Twin("dotsandboxes,rows=1,columns=3", plain.Boxes({}, columns=7, rows=3), 50),
    Twin("einstein", plain.Einstein(rows(EINSTEIN), columns=5, rows=5), 150),
    Twin("clobber", plain.Clobber(chequered(5, 6), columns=6, rows=5), 100),
    Twin("domineering", plain.Domineering({}), 80),
    Twin("domineering,rows=3,columns=5", plain.Domineering({}, columns=5, rows=3), 40),
    Twin("amazons:6x6", plain.Amazons(rows(AMAZONS_6), columns=6, rows=6), 80),
    Twin("amazons", plain.Amazons(rows(AMAZONS_10), columns=10, rows=10), 20),
)


def pieces_of(position: Position) -> dict[str, str]:
    cells, letters = position.game.layout.cells, position.game.pieces(position.state)
    standing = zip(cells, letters, strict=True)
    return {cell.name: letter for cell, letter in standing if letter and cell.tone != "beside"}


def winner_of(position: Position) -> int | None:
    return None if position.result is None else 2 if position.result.winner is None else position.result.winner


def refuse_difference(position: Position, twin: Any, moves: dict[str, Any]) -> None:
    assert pieces_of(position) == twin.pieces(), position.text
    assert (position.over, winner_of(position)) == (twin.winner() is not None, twin.winner()), position.text
    if not position.over:
        assert position.turn == twin.side, position.text
        assert sorted(moves) == sorted(twin.moves()), position.text


@pytest.mark.parametrize("pair", TWINS, ids=lambda pair: pair.game)
def test_random_games_go_the_same_way_as_in_a_plain_description(pair: Twin) -> None:
    dice, start = random.Random(pair.game), games.load(pair.game).new()
    here, twin = start, pair.plainly
    for _ in range(pair.moves):
        if here.turn == CHANCE and not here.over:
            here = here.roll(dice)
            twin = twin.after({}, twin.side, die=here.last_move)
        refuse_difference(here, twin, dict.fromkeys(here.moves()))
        if here.over:
            here, twin = start, pair.plainly
            continue
        text = dice.choice(here.moves())
        here, twin = here.play(text), twin.moves()[text]


def whole_turns(here: Position, text: str = "") -> Iterator[tuple[str, Position]]:
    """The turns of draughts: a jump goes on with the squares that it touches."""
    for move in here.moves():
        after, joined = here.play(move), f"{text}x{move.split('x')[-1]}" if text else move
        if after.turn == here.turn and not after.over:
            yield from whole_turns(after, joined)
        else:
            yield joined, after


def test_draughts_goes_the_same_way_turn_by_turn() -> None:
    dice, start = random.Random(5), (games.load("draughts").new(), plain.Draughts(rows(DRAUGHTS)))
    here, twin = start
    for _ in range(250):
        turns = dict(whole_turns(here)) if not here.over else {}
        repeated = here.over and twin.winner() is None  # the plain one knows nothing of the past
        if not repeated:
            refuse_difference(here, twin, turns)
        if here.over:
            here, twin = start
            continue
        text = dice.choice(list(turns))
        here, twin = turns[text], twin.moves()[text]


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("8/8/1w1w4/8/1w1w4/2B5/8/8 b", ["c3xa5xc7xe5xc3", "c3xe5xc7xa5xc3"]),
        ("8/2w1w3/1b6/8/8/8/8/8 b", ["b6xd8"]),
        ("8/8/8/8/3w4/2b1B3/8/8 b", ["c3xe5", "e3xc5"]),
    ],
    ids=["a king jumps in a circle", "a man that is crowned stops", "who can capture must"],
)
def test_jumps_of_draughts(text: str, turns: list[str]) -> None:
    assert sorted(dict(whole_turns(games.position("draughts", text)))) == turns

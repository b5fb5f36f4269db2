"""What people see of a game, given by tables instead of the author's functions: never another thing than theirs."""

import dataclasses
import json
import random
import shutil
import subprocess
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.errors import BadPosition
from kibitz.core.game import Game
from kibitz.core.layout import Gesture
from kibitz.core.result import CHANCE
from kibitz.core.seam.words import words_of
from kibitz.core.view import NoView, View, find_view
from kibitz.core.view.fit import make_state
from kibitz.core.view.sample import play_moves, play_positions
from kibitz.games import catalog
from kibitz.web.export.bundle import bundle

FEW = ("breakthrough", "checkers", "vampires", "kalah", "morris")
EVERY = tuple(entry.name for entry in catalog.entries() if entry.origin in ("built in", "gallery"))
PROGRAM = """
const { View } = globalThis.kibitzView;
const { view: data, cases } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const view = new View(data);
const wrong = [];
const same = (found, wanted, what) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push([what, found, wanted]);
};
const position = (words) => ({ words: BigInt64Array.from(words, BigInt) });
for (const one of cases) {
  const here = position(one.words);
  same(view.pieces(here), one.pieces, "pieces");
  same(view.write(here), one.text, "write");
  if (one.read) same(view.read(one.text), one.read, "read");
  for (const move of one.moves) {
    const after = () => position(move.after);
    same(view.moveText(here, move.id, one.turn, after), move.text, "text");
    if (one.turn < 2) same(view.gesture(here, move.id, one.turn, after), move.gesture, "gesture");
  }
}
console.log(JSON.stringify({ count: cases.length, wrong: wrong.slice(0, 5) }));
"""


def find_node() -> str | None:
    """A Node to run scripts with: the one in the path, or the one that Playwright brings."""
    found = find_spec("playwright")
    own = Path(found.origin).parent / "driver" / "node" if found is not None and found.origin else None
    return str(own) if own is not None and own.is_file() else shutil.which("node")


@lru_cache
def view_of(name: str) -> View:
    return find_view(catalog.load(name), checked=60)


@pytest.mark.parametrize("name", [*FEW, "domineering", "einstein"])
def test_a_view_gives_what_the_authors_functions_give(name: str) -> None:
    assert view_of(name).data["cells"]


@pytest.mark.proof
@pytest.mark.parametrize("name", EVERY)
def test_every_game_has_a_view_that_holds_in_thousands_of_positions(name: str) -> None:
    assert find_view(catalog.load(name), checked=4000).data["cells"]


def cases_of(game: Game, count: int) -> list[dict[str, Any]]:
    """Positions of random games with all that people see of them, as plain data."""
    found = []
    for position in play_positions(game, count, 5):
        moves = [
            {
                "id": played.move,
                "after": [str(word) for word in words_of(played.after.state).tolist()],
                "text": game.move_text(position.state, played.move),
                "gesture": _gesture(game, position.state, played.move),
            }
            for played in play_moves([position], 5, 5)
        ]
        words = [str(word) for word in words_of(position.state).tolist()]
        plain = not any(word.startswith("orders=") for word in position.text.split())
        read = {"words": words, "moves": []} if plain and _is_read_back(position) else None
        found.append(
            {"words": words, "pieces": game.pieces(position.state), "text": position.text, "turn": position.turn}
            | {"moves": moves, "read": read}
        )
    return found


def _gesture(game: Game, state: Any, move: int) -> dict[str, Any]:
    cells, amount, captured = game.gesture(state, move)
    return {"cells": [int(cell) for cell in cells], "amount": amount, "captured": [int(cell) for cell in captured]}


def _is_read_back(position: Any) -> bool:
    try:
        return bool(position.game.position(position.text) == position)
    except BadPosition:
        return False


@pytest.mark.parametrize("name", FEW)
def test_the_view_in_a_browser_gives_the_same(name: str) -> None:
    node = find_node()
    if node is None:
        pytest.skip("no node on this machine")
    game = catalog.load(name)
    given = {"view": view_of(name).data, "cases": cases_of(game, 100)}
    script = bundle("static/local/view.js", "kibitzView") + PROGRAM
    ended = subprocess.run([node, "-e", script], input=json.dumps(given), capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert json.loads(ended.stdout) == {"count": 100, "wrong": []}


def test_a_game_that_no_table_shows_is_refused_by_the_name_of_its_rule() -> None:
    def gesture(state: Any, move: int) -> Gesture:
        return Gesture(((move + int(state.crosses) + int(state.noughts)) % 9,))

    book = dataclasses.replace(catalog.load("tictactoe").rulebook, gesture=gesture, derived=())
    with pytest.raises(NoView, match=r"test_view.py:\d+: gesture\(\) of tictactoe cannot be shown without Python"):
        find_view(book(), checked=20)


def test_pieces_that_depend_on_more_than_their_cell_are_refused() -> None:
    def pieces(state: Any) -> list[str]:
        shown = int(state.crosses) if int(state.noughts) % 2 else 0
        return ["x" if shown >> cell & 1 else "" for cell in range(9)]

    book = dataclasses.replace(catalog.load("tictactoe").rulebook, pieces=pieces)
    with pytest.raises(NoView, match=r"pieces\(\) of tictactoe"):
        find_view(book(), checked=20)


def test_a_position_that_is_read_is_the_authors() -> None:
    game = catalog.load("vampires")
    view = view_of("vampires")
    for position in play_positions(game, 40, 9):
        if position.turn != CHANCE and "orders" not in position.text:
            made = make_state(game, view.read(position.text))
            assert [str(part) for part in made] == [str(part) for part in position.state]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position is empty"),
        ("8/8 w 0 1", "has 2 rows, expected 8"),
        ("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPx w 0 1", "'x' is no piece"),
        ("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP q 0 1", "side to move is 'q'"),
        ("pppppppp/pppppppp/8/8/8/P7/PPPPPPPP/PPPPPPPP w 0 1", "17 pieces are 'P'"),
        ("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1 extra", "unexpected 'extra'"),
    ],
)
def test_a_text_that_is_no_position_is_refused_in_a_line(text: str, message: str) -> None:
    view = view_of("breakthrough")
    with pytest.raises(BadPosition, match=message):
        view.read(text)


def test_garbled_texts_never_break_the_reader() -> None:
    game = catalog.load("vampires")
    view = view_of("vampires")
    dice = random.Random(4)
    texts = [position.text for position in play_positions(game, 30, 4)]
    for _ in range(300):
        text = list(dice.choice(texts))
        text[dice.randrange(len(text))] = dice.choice("0a=/,:+> v9")
        with suppress(BadPosition):
            view.read("".join(text))

"""How a game writes its positions: the rows of its board, the side to move, and what the words behind them say."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.core.errors import BadPosition
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.view.model import Data, View
from kibitz.core.view.texts import write_board

TRIES = 24  # boards with a piece more or less that are read


def find_text(game: Game, view: View, positions: list[Position]) -> Data:
    """How positions are written; what does not hold is found out when it is tried."""
    if game.rulebook.write is None:
        return {"kind": "fields"}
    cells = game.layout.cells
    placed = [at for at, cell in enumerate(cells) if cell.tone != "beside"]
    heights = sorted({round(cells[at].y, 3) for at in placed})
    rows = [sorted((at for at in placed if round(cells[at].y, 3) == y), key=lambda at: cells[at].x) for y in heights]
    counted = "," in positions[0].text.split()[0]
    letters = {text[:1] for source in view.data["sources"] for text in _letters(source)}
    first = game.new().state
    fields = [field.name for field in game.rulebook.state_fields]
    side, sides = _find_side(positions, fields)
    text: Data = {"kind": "board", "rows": rows, "counted": counted, "letters": "".join(sorted(letters))}
    text |= {"sides": sides, "side": side, "tail": _find_tail(view, positions, bool(sides))}
    read = {item["field"] for item in text["tail"] if item["kind"] != "word"}
    defaults = game.rulebook.state._field_defaults  # type: ignore[attr-defined]
    text["defaults"] = {name: _plain(defaults.get(name, getattr(first, name))) for name in fields}
    for name in read - set(defaults):
        text["defaults"][name] = _usual(text["tail"], name)
    text["counts"] = _find_counts(game, view, {**text, "size": len(placed)}, positions)
    return text


def _letters(source: Data) -> list[str]:
    return (
        list(source["texts"].values()) if source["kind"] == "code" else [source["letter"]] * (source["kind"] == "set")
    )


def _plain(value: Any) -> Any:
    return [int(number) for number in value] if isinstance(value, np.ndarray) else int(value)


def _usual(tail: list[Data], name: str) -> Any:
    """What a field holds where its word is left out."""
    item = next(item for item in tail if item.get("field") == name)
    return [] if item["kind"] in ("moves", "pairs") else -1 if item["kind"] == "place" else item.get("default", 0)


def _find_side(positions: list[Position], fields: list[str]) -> tuple[str, list[str]]:
    """The field that says who moves, and the word for each side."""
    for name in ("side", *fields):
        words: dict[int, set[str]] = {0: set(), 1: set()}
        for position in positions:
            told = position.text.split()
            value = getattr(position.state, name, None) if name in fields else None
            if value is None or isinstance(value, np.ndarray) or int(value) not in words or len(told) < 2:
                break
            words[int(value)].add(told[1])
        else:
            if all(len(found) == 1 for found in words.values()) and words[0] != words[1]:
                return name, [words[0].pop(), words[1].pop()]
    return "", []


def _find_tail(view: View, positions: list[Position], sided: bool) -> list[Data]:
    skip = 2 if sided else 1
    keys: dict[str, None] = {}
    for position in positions:
        for word in position.text.split()[skip:]:
            keys[word.partition("=")[0] if "=" in word else f" {word}"] = None
    tail: list[Data] = []
    for key in _in_order(list(keys), positions, skip):
        if key.startswith(" "):
            tail.append({"kind": "word", "text": key[1:]})
            continue
        found = next((item for item in _guess_items(view, key, positions) if _holds(view, item, positions)), None)
        if found is not None:
            tail.append(found)
    known = {item.get("key") for item in tail}
    return tail + _guess_unseen(view, positions, known)


def _in_order(keys: list[str], positions: list[Position], skip: int) -> list[str]:
    """The keys as they follow each other in the text that has the most of them."""

    def told(position: Position) -> list[str]:
        return [word.partition("=")[0] if "=" in word else f" {word}" for word in position.text.split()[skip:]]

    order = max((told(position) for position in positions), key=len, default=[])
    return order + [key for key in keys if key not in order]


def _guess_items(view: View, key: str, positions: list[Position]) -> Iterator[Data]:
    fields = view.data["fields"]
    scalars = [field["name"] for field in fields if not field["array"]]
    arrays = [field["name"] for field in fields if field["array"]]
    for name in sorted(scalars, key=lambda name: name != key):
        for default in dict.fromkeys((0, _usual_number(positions[0], name), -1, 1)):
            yield {"kind": "number", "key": key, "field": name, "default": default, "unless": ""}
        yield {"kind": "place", "key": key, "field": name}
        yield {"kind": "length", "key": key, "field": name}
        for other in scalars:
            yield {"kind": "number", "key": key, "field": name, "default": 0, "unless": other}
    for name in sorted(arrays, key=lambda name: name != key):
        start = [int(number) for number in getattr(positions[0].state, name)]
        yield {"kind": "array", "key": key, "field": name, "default": start}
        yield {"kind": "moves", "key": key, "field": name}
        yield {"kind": "pairs", "key": key, "field": name}


def _usual_number(position: Position, name: str) -> int:
    """What a field holds where nothing is said of it: the class's default, else its value at the start."""
    declared = position.game.rulebook.state._field_defaults  # type: ignore[attr-defined]
    return int(declared.get(name, getattr(position.state, name)))


def _guess_unseen(view: View, positions: list[Position], known: set[Any]) -> list[Data]:
    """Fields of a declared board that no random game has changed: their own names with their numbers."""
    derived = positions[0].game.rulebook.derived
    if "write" not in derived:
        return []
    told = {source["field"] for source in view.data["sources"] if source["kind"] != "number"}
    items = []
    for field in view.data["fields"]:
        name = field["name"]
        if field["array"] or name in told or name == "side" or name in known:
            continue
        items.append({"kind": "number", "key": name, "field": name, "default": _usual_number(positions[0], name)})
        items[-1]["unless"] = ""
    return [item for item in items if _holds(view, item, positions)]


def _holds(view: View, item: Data, positions: list[Position]) -> bool:
    """Does every text have this word, or lack it, as the item says?"""
    for position in positions:
        start = f"{item['key']}="
        wanted = next((word for word in position.text.split() if word.startswith(start)), None)
        try:
            found = view._write_item(item, position.state)
        except (LookupError, TypeError, ValueError):
            return False
        if found != wanted:
            return False
    return True


def _find_counts(game: Game, view: View, text: Data, positions: list[Position]) -> dict[str, list[int]]:
    """How many pieces of each kind there may be, where one more or one less is always refused."""
    if text["counted"]:
        return {}
    dice = random.Random(3)
    start = view.pieces(game.new().state)[: text["size"]]
    found = {}
    seen = [view.pieces(position.state)[: text["size"]] for position in positions]
    for letter in text["letters"]:
        homes = [cell for cell in range(text["size"]) if any(pieces[cell] == letter for pieces in seen)]
        there = start.count(letter)
        more = any(_reads(game, view, text, dice, positions, letter, homes, 1) for _ in range(TRIES))
        less = any(_reads(game, view, text, dice, positions, letter, homes, -1) for _ in range(TRIES))
        if there and (not more or not less):
            found[letter] = [0 if less else there, text["size"] if more else there]
    return found


def _reads(
    game: Game,
    view: View,
    text: Data,
    dice: random.Random,
    positions: list[Position],
    letter: str,
    homes: list[int],
    change: int,
) -> bool:
    """Is a position read that has one piece more than the start, or one less?"""
    position = dice.choice(positions[:40])
    if position.turn == CHANCE:
        return False
    pieces = view.pieces(position.state)[: text["size"]]
    wanted = view.pieces(game.new().state)[: text["size"]].count(letter) + change
    while pieces.count(letter) != wanted:
        grow = pieces.count(letter) < wanted
        places = [cell for cell in homes if (not pieces[cell] if grow else pieces[cell] == letter)]
        if not places:
            return False
        pieces[dice.choice(places)] = letter if grow else ""
    words = position.text.split()
    try:
        game.position(" ".join([write_board(pieces, text["rows"], False), *words[1:]]))
    except BadPosition:
        return False
    return True

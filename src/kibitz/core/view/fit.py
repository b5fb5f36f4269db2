"""Finding a view: which tables give exactly what the author's functions give, in every position that was tried."""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np

from kibitz.core.errors import BadPosition, KibitzError, RulesError
from kibitz.core.fields import where
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.rulebook import asks
from kibitz.core.view.model import Data, View
from kibitz.core.view.sample import Played, play_moves, play_positions
from kibitz.core.view.sources import find_sources
from kibitz.core.view.words import find_text

FITTED = 300  # positions that a view is made from
CHECKED = 2000  # further ones that it is tried on
MOVES = 12  # of each position
WIDEST = 1 << 16  # moves by number that a table may hold


class NoView(RulesError):
    """A game whose pieces, gestures or texts no table gives."""


def find_view(game: Game, checked: int = CHECKED) -> View:
    """The view of a game, checked on random positions, or NoView with the rule that stands in the way."""
    positions = play_positions(game, FITTED, 1)
    moves = play_moves(positions, MOVES, 1)
    layout = game.layout
    data: Data = {
        "cells": [cell.name for cell in layout.cells],
        "fields": [{"name": field.name, "array": field.array} for field in game.rulebook.state_fields],
        "sources": find_sources(game, positions),
    }
    view = View(data)
    _refuse(game, "pieces", _count_wrong_pieces(view, positions))
    data["text"] = {"size": sum(cell.tone != "beside" for cell in layout.cells)}
    _fit_moves(game, view, moves)
    _fit_texts(game, view, positions)
    _check(game, view, checked)
    return view


def _refuse(game: Game, rule: str, wrong: str) -> None:
    if not wrong:
        return
    author = getattr(game.rulebook, rule)
    place = where(author) if author is not None else game.rulebook.name
    raise NoView(
        f"{place}: {rule}() of {game.text} cannot be shown without Python: no table gives {wrong}; "
        f"expected a board that is declared as data (docs/boards.md), or a simpler {rule}()"
    )


def _count_wrong_pieces(view: View, positions: list[Position]) -> str:
    for position in positions:
        shown = position.game.pieces(position.state)
        if view.pieces(position.state) != shown:
            return f"the pieces of '{position.text}'"
    return ""


# Moves.


def _fit_moves(game: Game, view: View, moves: list[Played]) -> None:
    hands = [played for played in moves if played.before.turn != CHANCE]
    rolls = [played for played in moves if played.before.turn == CHANCE]
    wrong = ""
    for data in _guess_gestures(game, hands, view.data["sources"]):
        view.data["gestures"] = data
        wrong = _find_wrong_gesture(view, hands)
        if not wrong:
            break
    _refuse(game, "gesture", wrong)
    for words in _guess_words(game, rolls):
        view.data["words"] = words
        wrong = _find_wrong_text(view, moves)
        if not wrong:
            break
    _refuse(game, "move_text", wrong)


def _guess_gestures(game: Game, moves: list[Played], sources: list[Data]) -> Iterator[Data]:
    """Ways in which a move's number may tell its cells, the simplest first."""
    told = {(one.before.turn, one.move): game.gesture(one.before.state, one.move) for one in moves}
    buttons = {
        str(one.move): game.move_text(one.before.state, one.move)
        for one in moves
        if not told[one.before.turn, one.move].cells
    }
    amount = next((bits for bits in (8, 10, 16) if _has_amount(told, bits)), 0)
    plain = {"buttons": buttons, "amount": amount}
    cells = len(game.layout.cells)
    pairs = [(key[1] >> amount, gesture.cells) for key, gesture in told.items() if gesture.cells]
    if any(len(touched) > 2 for _, touched in pairs):
        yield from _guess_leaps(game, pairs, plain)
    bases = [
        base for base in dict.fromkeys((cells, _board_size(game), 32, 64, 128, 256, 1024)) if _is_pair(pairs, base)
    ]
    for captured in ("none", "target", "gone"):
        if all(cells == (key,) for key, cells in pairs):
            yield {**plain, **_find_pass(game, buttons, 1), "kind": "cell", "captured": captured}
        for base in bases:
            single = any(len(cells) == 1 for _, cells in pairs)
            passes = _find_pass(game, buttons, 2)
            yield {**plain, **passes, "kind": "pair", "base": base, "single": single, "captured": captured}
    for turn in (False, True):
        table = _tabulate(game, moves, turn, amount)
        for captured in ("table", "target", "gone"):
            yield {**plain, "kind": "table", "turn": turn, "table": table, "captured": captured}


def _find_pass(game: Game, buttons: Data, cells: int) -> Data:
    """The pass of a declared board: one beyond the moves that touch cells. Random games may never have come to it."""
    if "gesture" not in game.rulebook.derived or "move_text" not in game.rulebook.derived:
        return {}
    return {"buttons": {str(_board_size(game) ** cells): "pass", **buttons}}


def _board_size(game: Game) -> int:
    return sum(cell.tone != "beside" for cell in game.layout.cells)


def _has_amount(told: dict[tuple[int, int], Any], bits: int) -> bool:
    given = [(key[1], gesture) for key, gesture in told.items() if gesture.cells]
    return bool(given) and all(gesture.amount == move & ((1 << bits) - 1) for move, gesture in given)


def _is_pair(pairs: list[tuple[int, tuple[int, ...]]], base: int) -> bool:
    def fits(key: int, cells: tuple[int, ...]) -> bool:
        origin, target = divmod(key, base)
        return tuple(cells) in ((origin, target), (origin,) if origin == target else (origin, target))

    return all(fits(key, cells) for key, cells in pairs)


def _tabulate(game: Game, moves: list[Played], turn: bool, amount: int) -> Data:
    """The cells of every move that was met, and of every number that the rule answers for."""
    table: Data = {}
    states = {one.before.turn: one.before.state for one in moves}
    last = max((one.move for one in moves), default=0) >> amount
    most = min(WIDEST, max(last + 1, len(game.layout.cells) ** 2 if not amount else 8 * len(game.layout.cells)))
    cells = len(game.layout.cells)
    alone = not asks(game.rulebook.gesture, "state")
    for side, state in states.items() if turn else [(0, next(iter(states.values()), None))]:
        for key in range(most) if alone or turn else ():
            try:
                gesture = game.gesture(state, key << amount | (1 if amount else 0))
            except (KibitzError, ArithmeticError, LookupError, TypeError, ValueError):
                continue
            if gesture.cells and all(0 <= cell < cells for cell in (*gesture.cells, *gesture.captured)):
                table[f"{side}:{key}" if turn else str(key)] = _entry(gesture)
    for one in moves:
        key = one.move >> amount
        gesture = game.gesture(one.before.state, one.move)
        if gesture.cells:
            table[f"{one.before.turn}:{key}" if turn else str(key)] = _entry(gesture)
    return table


def _entry(gesture: Any) -> list[list[int]]:
    return [[int(cell) for cell in gesture.cells], [int(cell) for cell in gesture.captured]]


def _guess_leaps(game: Game, pairs: list[tuple[int, tuple[int, ...]]], plain: Data) -> Iterator[Data]:
    """Chains of leaps along straight lines, whose order of directions the samples tell."""
    size = len(game.layout.cells)
    if not all(tuple(divmod(key, size)) == (cells[0], cells[-1]) for key, cells in pairs):
        return
    directions = _find_directions(game)
    if not 2 <= len(directions) <= 6:
        return
    rays = {way: [_ray(game, cell, way) for cell in range(size)] for way in directions}
    natural = sorted(directions, key=lambda way: (way[1] != 0, way[1], way[0]))  # across, then up, then down
    for order in permutations(natural):
        listed = [[rays[way][cell] for way in order if rays[way][cell]] for cell in range(size)]
        yield {**plain, "kind": "leap", "base": size, "rays": listed, "captured": "none"}


def _find_directions(game: Game) -> list[tuple[float, float]]:
    """From a cell to its nearest neighbours."""
    cells = game.layout.cells
    found = {}
    for one in cells:
        for other in cells:
            way = (round(other.x - one.x, 3), round(other.y - one.y, 3))
            if 0 < way[0] ** 2 + way[1] ** 2 < 1.01:
                found[way] = True
    return list(found)


def _ray(game: Game, cell: int, way: tuple[float, float]) -> list[int]:
    cells = game.layout.cells
    found: list[int] = []
    x, y = cells[cell].x, cells[cell].y
    while True:
        x, y = x + way[0], y + way[1]
        after = next((at for at, one in enumerate(cells) if abs(one.x - x) < 0.1 and abs(one.y - y) < 0.1), None)
        if after is None:
            return found
        found.append(after)
        x, y = cells[after].x, cells[after].y


def _find_wrong_gesture(view: View, moves: list[Played]) -> str:
    for one in moves:
        game, state = one.before.game, one.before.state
        told = game.gesture(state, one.move)
        wanted = (tuple(told.cells), told.amount, tuple(told.captured))
        try:
            found = view.gesture(state, one.move, one.before.turn, one.after.state)
        except LookupError:
            return f"the cells of '{game.move_text(state, one.move)}' in '{one.before.text}'"
        if (found.cells, found.amount, found.captured) != wanted:
            return f"the cells of '{game.move_text(state, one.move)}' in '{one.before.text}'"
    return ""


def _guess_words(game: Game, rolls: list[Played]) -> Iterator[Data]:
    outcomes: list[Data] = [{"kind": "number"}]
    for base in (256, 1024, 4096):
        for start in (0, *(1 << bit for bit in range(16, 31))):
            first = (played.move - start for played in rolls)
            if rolls and all(0 <= number // base < len(game.layout.cells) for number in first):
                outcomes.append({"kind": "cell", "from": start, "base": base})
    for outcome in outcomes:
        for join in (["-", "x"], [">", ">"], ["-", "-"], ["", ""]):
            yield {"join": join, "outcome": outcome}


def _find_wrong_text(view: View, moves: list[Played]) -> str:
    for one in moves:
        game, state = one.before.game, one.before.state
        wanted = game.move_text(state, one.move)
        try:
            found = view.move_text(state, one.move, one.before.turn, one.after.state)
        except LookupError:
            found = ""
        if found != wanted:
            return f"'{wanted}' in '{one.before.text}'"
    return ""


# Positions as text.


def _fit_texts(game: Game, view: View, positions: list[Position]) -> None:
    view.data["text"] |= find_text(game, view, positions)
    _refuse(game, "write", _find_wrong_writing(view, positions))
    _refuse(game, "read", _find_wrong_reading(view, positions))


def _find_wrong_writing(view: View, positions: list[Position]) -> str:
    wrong = (position for position in positions if view.write(position.state) != position.text)
    found = next(wrong, None)
    return "" if found is None else f"the text '{found.text}'"


def _find_wrong_reading(view: View, positions: list[Position]) -> str:
    for position in positions:
        try:
            fields = view.read(position.text)
        except BadPosition:
            return f"what '{position.text}' says"
        if not _is_state(position, fields):
            return f"what '{position.text}' says"
    return ""


def _is_state(position: Position, fields: Data) -> bool:
    """Do these fields make the state that the author's `read` makes of the text?"""
    game = position.game
    try:
        wanted = game.position(position.text).state
    except BadPosition:
        return True  # a finished game, for instance, that nobody may set up
    made = make_state(game, fields)
    for word in fields.get("moves", ()):
        known = {game.move_text(made, move): move for move in game.moves(made)}
        if word not in known:
            return False
        made = game.play(made, known[word])
    return all(np.array_equal(one, other) for one, other in zip(made, wanted, strict=True))


def make_state(game: Game, fields: Data) -> Any:
    """The state of these fields, as `read` gives them."""
    values: list[Any] = []
    for field in game.rulebook.state_fields:
        value = fields[field.name]
        if field.array and isinstance(value, int):
            value = [value >> 64 * at & 0xFFFFFFFFFFFFFFFF for at in range(len(getattr(game.new().state, field.name)))]
        values.append(np.array(value, field.dtype) if field.array else field.cast(value))
    return game._state(values, game.rulebook.play)


# The last word.


def _check(game: Game, view: View, count: int) -> None:
    """Nothing, or NoView: the view beside the author's functions in positions that it was not made from."""
    positions = play_positions(game, count, 2)
    moves = play_moves(positions, 4, 2)
    hands = [played for played in moves if played.before.turn != CHANCE]
    checks: list[tuple[str, Callable[[], str]]] = [
        ("pieces", lambda: _count_wrong_pieces(view, positions)),
        ("gesture", lambda: _find_wrong_gesture(view, hands)),
        ("move_text", lambda: _find_wrong_text(view, moves)),
        ("write", lambda: _find_wrong_writing(view, positions)),
        ("read", lambda: _find_wrong_reading(view, positions[:: max(1, count // 500)])),
    ]
    for rule, check in checks:
        _refuse(game, rule, check())

"""Which numbers of a state tell what stands where: found by changing them one at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.view.model import Data

CODES = 1024  # values of an array's element that are tried


def find_sources(game: Game, positions: list[Position]) -> list[Data]:
    """The sources of the pieces, in the order in which they overrule each other."""
    finder = _Finder(game, positions)
    sources = [source for field in game.rulebook.state_fields for source in finder.find(field.name)]
    return sorted(sources, key=lambda source: ("set", "code", "number").index(source["kind"]))


class _Finder:
    def __init__(self, game: Game, positions: list[Position]) -> None:
        self.game, self.positions = game, positions
        start = game.new().state
        self.fields = {field.name: field for field in game.rulebook.state_fields}
        self.blank = start._replace(
            **{name: np.zeros_like(getattr(start, name)) if one.array else 0 for name, one in self.fields.items()}
        )
        self.cells = len(game.layout.cells)
        self.size = sum(cell.tone != "beside" for cell in game.layout.cells)
        self.empty = self._pieces(self.blank) or [""] * self.cells

    def find(self, name: str) -> list[Data]:
        value, field = getattr(self.blank, name), self.fields[name]
        if not field.array:
            bits = 64 - (field.dtype.kind == "i") if field.dtype.itemsize == 8 else field.dtype.itemsize * 8 - 1
            return self._set(name, lambda bit: 1 << bit, bits) or self._number(name, None, lambda number: number)
        if value.size in (self.size, self.cells):
            return self._codes(name, value)
        if value.dtype == np.uint64 and value.size * 64 >= self.size:
            return self._set(name, lambda bit: _one_bit(value, bit), value.size * 64)
        return [source for at in range(min(value.size, 4)) for source in self._number(name, at, _put_at(value, at))]

    def _pieces(self, state: Any) -> list[str] | None:
        try:
            plain = self.game._state(state, self.game.rulebook.pieces)
            return self.game.pieces(plain)
        except Exception:  # noqa: BLE001 - an author's function may fail in any way where no game leads
            return None

    def _changes(self, name: str, value: Any) -> dict[int, str]:
        shown = self._pieces(self.blank._replace(**{name: value}))
        if shown is None or len(shown) != self.cells:
            return {}
        return {cell: text for cell, text in enumerate(shown) if text != self.empty[cell]}

    def _set(self, name: str, make: Callable[[int], Any], bits: int) -> list[Data]:
        found: set[str] = set()
        for bit in range(min(self.size, bits)):
            changed = self._changes(name, make(bit))
            if list(changed) != [bit]:
                return []
            found.add(changed[bit])
        if len(found) != 1 or not next(iter(found)):
            return []
        return [{"kind": "set", "field": name, "letter": found.pop(), "size": self.size}]

    def _codes(self, name: str, value: Any) -> list[Data]:
        limit = np.iinfo(value.dtype).max if value.dtype.kind in "iu" else 0
        seen = {int(code) for position in self.positions for code in getattr(position.state, name)}
        texts: dict[str, str] = {}
        for code in sorted({*range(1, min(limit, CODES - 1) + 1), *seen} - {0}):
            changed = self._changes(name, _put_at(value, 0)(code))
            if changed.get(0):
                texts[str(code)] = changed[0]
        return [{"kind": "code", "field": name, "texts": texts, "size": value.size}] if texts else []

    def _number(self, name: str, place: int | None, make: Callable[[int], Any]) -> list[Data]:
        shown = [self._changes(name, make(number)) for number in (1, 2, 3)]
        if not all(len(changed) == 1 for changed in shown) or len({next(iter(changed)) for changed in shown}) != 1:
            return []
        (cell,) = shown[0]
        letter = shown[0][cell][:1]
        if [changed[cell] for changed in shown] != [f"{letter}1", f"{letter}2", f"{letter}3"]:
            return []
        zero = self.empty[cell] == f"{letter}0"
        return [{"kind": "number", "field": name, "place": place, "cell": cell, "letter": letter, "zero": zero}]


def _one_bit(words: Any, bit: int) -> Any:
    changed = np.zeros_like(words)
    changed[bit // 64] = np.uint64(1 << bit % 64)
    return changed


def _put_at(values: Any, at: int) -> Callable[[int], Any]:
    def put(number: int) -> Any:
        changed = np.zeros_like(values)
        changed[at] = number
        return changed

    return put

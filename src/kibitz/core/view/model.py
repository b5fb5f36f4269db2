"""A view: pieces, gestures and texts of a game from the numbers of its states, by tables instead of the author's code.

The data is plain JSON. `static/local/view.js` follows the same data in a browser; a test compares the two.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.errors import BadPosition, quoted
from kibitz.core.layout import Gesture
from kibitz.core.view import texts

Data = dict[str, Any]


class View:
    """A game seen through tables: `data` has the keys

    - `cells`: the names of the cells, `fields`: the fields of a state (name, array),
    - `sources`: which numbers tell what stands where, in this order (see `find_sources`),
    - `gestures`: which cells a move touches, `words`: what it is called,
    - `text`: how a position is written.
    """

    def __init__(self, data: Data) -> None:
        self.data = data

    # Pieces.

    def pieces(self, state: Any) -> list[str]:
        """What stands on each cell."""
        found = [""] * len(self.data["cells"])
        for source in self.data["sources"]:
            value = getattr(state, source["field"])
            if source["kind"] == "set":
                for cell in _members(value):
                    if cell < source["size"]:
                        found[cell] = source["letter"]
            elif source["kind"] == "code":
                for cell, code in enumerate(value):
                    found[cell] = source["texts"].get(str(int(code)), "") or found[cell]
            else:
                number = int(value if source["place"] is None else value[source["place"]])
                shown = number > 0 or (number == 0 and source["zero"])
                found[source["cell"]] = f"{source['letter']}{number}" if shown else ""
        return found

    def place(self, pieces: Sequence[str]) -> dict[str, Any]:
        """The fields that pieces on cells fill: the way back from `pieces`."""
        found: dict[str, Any] = {}
        for source in self.data["sources"]:
            if source["kind"] == "set":
                on = (cell for cell, text in enumerate(pieces[: source["size"]]) if text == source["letter"])
                found[source["field"]] = sum(1 << cell for cell in on)
            elif source["kind"] == "code":
                codes = {text: int(code) for code, text in source["texts"].items() if text}
                found[source["field"]] = [codes.get(text, 0) for text in pieces[: source["size"]]]
        return found

    # Moves.

    def gesture(self, before: Any, move: int, turn: int, after: Any) -> Gesture:
        """What a hand does for a move, given the states around it."""
        data = self.data["gestures"]
        cells, amount, captured = self._touched(before, move, turn)
        if data["captured"] == "target" and len(cells) > 1:
            captured = (cells[-1],) if self.pieces(before)[cells[-1]] else ()
        elif data["captured"] == "gone" and len(cells) > 1:
            captured = self._gone(before, after, cells)
        return Gesture(cells, amount, captured)

    def _touched(self, before: Any, move: int, turn: int) -> tuple[tuple[int, ...], int | None, tuple[int, ...]]:
        data = self.data["gestures"]
        if str(move) in data["buttons"]:
            return (), None, ()
        amount = move & ((1 << data["amount"]) - 1) if data["amount"] else None
        key = move >> data["amount"]
        if data["kind"] == "pair":
            origin, target = divmod(key, data["base"])
            return ((origin,) if origin == target and data["single"] else (origin, target)), amount, ()
        if data["kind"] == "cell":
            return (key,), amount, ()
        if data["kind"] == "leap":
            origin, target = divmod(key, data["base"])
            return self._leaps(before, origin, target), amount, ()
        cells, captured = data["table"][f"{turn}:{key}" if data["turn"] else str(key)]
        return tuple(cells), amount, tuple(captured)

    def _gone(self, before: Any, after: Any, cells: tuple[int, ...]) -> tuple[int, ...]:
        was, now = self.pieces(before), self.pieces(after)
        on_board = self.data["text"]["size"]
        taken = [cell for cell in range(on_board) if was[cell] and not now[cell] and cell != cells[0]]
        return tuple(taken) or ((cells[-1],) if was[cells[-1]] else ())

    def _leaps(self, before: Any, origin: int, target: int) -> tuple[int, ...]:
        """A step, or the fewest leaps over the first piece met to as far behind it, directions in their order."""
        rays = self.data["gestures"]["rays"]
        if any(ray[:1] == [target] for ray in rays[origin]):
            return origin, target
        pieces = self.pieces(before)
        pieces[origin] = ""
        paths: dict[int, tuple[int, ...]] = {origin: (origin,)}
        waiting = [origin]
        while waiting and target not in paths:
            cell = waiting.pop(0)
            for ray in rays[cell]:
                landed = _landing(pieces, ray)
                if landed is not None and landed not in paths:
                    paths[landed] = (*paths[cell], landed)
                    waiting.append(landed)
        return paths.get(target, (origin, target))

    def move_text(self, before: Any, move: int, turn: int, after: Any) -> str:
        """What a move or an outcome of chance is called."""
        words = self.data["words"]
        if turn == 2:
            return self._outcome_text(move, after)
        button = self.data["gestures"]["buttons"].get(str(move))
        if button is not None:
            return str(button)
        gesture = self.gesture(before, move, turn, after)
        ends = gesture.cells if len(gesture.cells) < 2 else (gesture.cells[0], gesture.cells[-1])
        names = words["join"][1 if gesture.captured else 0].join(self.data["cells"][cell] for cell in ends)
        return names if gesture.amount is None else f"{names}:{gesture.amount}"

    def _outcome_text(self, move: int, after: Any) -> str:
        outcome = self.data["words"]["outcome"]
        if outcome["kind"] == "number":
            return f"~{move}"
        cell = (move - outcome["from"]) // outcome["base"]
        return f"~{self.data['cells'][cell]}:{self.pieces(after)[cell] or '0'}"

    # Positions as text.

    def write(self, state: Any) -> str:
        """The position's text."""
        data = self.data["text"]
        if data["kind"] == "fields":
            return texts.write_fields(self.data["fields"], state)
        parts = [texts.write_board(self.pieces(state), data["rows"], data["counted"])]
        if data["sides"]:
            parts.append(data["sides"][int(getattr(state, data["side"]))])
        parts += [word for item in data["tail"] if (word := self._write_item(item, state)) is not None]
        return " ".join(parts)

    def _write_item(self, item: Mapping[str, Any], state: Any) -> str | None:
        if item["kind"] == "word":
            return str(item["text"])
        value = getattr(state, item["field"])
        if item["kind"] == "array":
            numbers = [int(number) for number in value]
            return None if numbers == item["default"] else f"{item['key']}={','.join(map(str, numbers))}"
        if item["kind"] in ("moves", "pairs"):
            words = [self._element(item, int(element)) for element in value]
            return f"{item['key']}={'+'.join(words)}" if words else None
        number = int(value)
        if item["kind"] == "place":
            return f"{item['key']}={self.data['cells'][number]}" if number >= 0 else None
        if item["kind"] == "length":
            return f"{item['key']}={number.bit_length()}" if number else None
        usual = int(getattr(state, item["unless"])) if item["unless"] else item["default"]
        return None if number == usual else f"{item['key']}={number}"

    def _element(self, item: Mapping[str, Any], element: int) -> str:
        """One element of an array: a move as it is called, or a cell with an amount."""
        if item["kind"] == "pairs":
            return f"{self.data['cells'][element >> 8]}:{element & 255}"
        cells, amount, _ = self._touched(None, element, 0)
        names = self.data["words"]["join"][0].join(self.data["cells"][cell] for cell in cells)
        return names if amount is None else f"{names}:{amount}"

    def read(self, text: str) -> dict[str, Any]:
        """The fields that a position's text fills; `moves` are those that are to be played there first."""
        data = self.data["text"]
        if data["kind"] == "fields":
            return texts.read_fields(self.data["fields"], text)
        words = text.split()
        if not words:
            raise BadPosition("position is empty, expected a board")
        pieces = texts.read_board(words[0], data)
        texts.refuse_counts(pieces, data["counts"])
        found: dict[str, Any] = {**data["defaults"], **self.place(pieces)}
        rest = words[1:]
        if data["sides"]:
            if not rest or rest[0] not in data["sides"]:
                shown = quoted(rest[0]) if rest else "missing"
                raise BadPosition(f"side to move is {shown}, expected {' or '.join(data['sides'])} after the board")
            found[data["side"]] = data["sides"].index(rest.pop(0))
        return found | texts.read_tail(rest, data["tail"], found, self.data["cells"])


def _members(value: Any) -> list[int]:
    """The bits of a number, or of an array of 64-bit words."""
    if hasattr(value, "shape") and value.shape:
        return [64 * at + bit for at, word in enumerate(value) for bit in _members(int(word))]
    number = int(value) & 0xFFFFFFFFFFFFFFFF
    return [bit for bit in range(64) if number >> bit & 1]


def _landing(pieces: Sequence[str], ray: Sequence[int]) -> int | None:
    """Where a leap along a ray ends: as far behind the first piece as it began before it, over nothing else."""
    over = next((at for at, cell in enumerate(ray) if pieces[cell]), None)
    if over is None or 2 * over + 1 >= len(ray):
        return None
    return ray[2 * over + 1] if not any(pieces[cell] for cell in ray[over + 1 : 2 * over + 2]) else None

"""Things that lie beside a board: a die, a hand, a counter. Each is a place of the picture with a number on it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from kibitz.core.errors import KibitzError
from kibitz.core.fields import Field
from kibitz.core.layout import Cell, Figure, Layout, Piece
from kibitz.core.result import FIRST, SECOND

_GLYPHS = "#*$%&@!?^~;:<>|"


class Beside(NamedTuple):
    """How a field of the state is shown beside the board: as a figure with the field's number.

    An array holds one number for each side. A `die` of 0 has not been rolled, and none of a `disc` is an empty place.
    """

    figure: Figure = "counter"
    side: int | None = None
    label: str = ""  # by default the field's name


class Thing(NamedTuple):
    """One number beside a board."""

    field: str
    place: int | None  # in an array
    piece: Piece
    label: str

    def text(self, state: Any) -> str:
        """What stands on its place."""
        value = getattr(state, self.field)
        number = int(value if self.place is None else value[self.place])
        hidden = number < 0 or (number == 0 and self.piece.figure != "counter")
        return "" if hidden else f"{self.piece.glyph}{number}"


def list_things(
    declared: Mapping[str, Beside], fields: Mapping[str, Field], kinds: Mapping[str, Piece], owners: tuple[str, str]
) -> list[Thing]:
    """The numbers that these fields hold, each with a letter that no piece of the board has."""
    found: list[Thing] = []
    free = [glyph for glyph in _GLYPHS if glyph not in [kind.glyph for kind in kinds.values()]]
    colours = {kind.side: kind.colour for kind in list(kinds.values())[::-1]} | {None: None}
    for name, beside in declared.items():
        if name not in fields:
            raise KibitzError(f"'{name}' is to be shown beside the board, but State has no such field")
        label = beside.label or name.replace("_", " ")
        sides = enumerate((FIRST, SECOND)) if fields[name].array else [(None, beside.side)]
        for place, side in sides:
            if len(found) == len(free):
                raise KibitzError(f"more than {len(free)} things lie beside the board")
            numbered = beside.figure in ("die", "counter")
            shown = label if place is None else f"{owners[place]} {label}"
            piece = Piece(shown, free[len(found)], side, beside.figure, colours.get(side), numbered=numbered)
            found.append(Thing(name, place, piece, shown))
    return found


def add_things(layout: Layout, things: list[Thing]) -> Layout:
    """The layout with a column of places at its right, one for each thing."""
    right, top = max(cell.x for cell in layout.cells) + 2, min(cell.y for cell in layout.cells)
    taken = {cell.name for cell in layout.cells}
    cells = [
        Cell(_free_name(thing, taken), right, top + number, "beside", thing.label)
        for number, thing in enumerate(things)
    ]
    pieces = {**layout.pieces, **{thing.piece.glyph: thing.piece for thing in things}}
    return replace(layout, cells=(*layout.cells, *cells), pieces=pieces)


def _free_name(thing: Thing, taken: set[str]) -> str:
    name = thing.field if thing.place is None else f"{thing.field}-{thing.place + 1}"
    return name if name not in taken else f"{name}-beside"

"""The colours of boards and pieces, the same in every picture, on light and on dark pages."""

from collections.abc import Mapping
from typing import NamedTuple

from kibitz.core.layout import Colour, Piece, Tone
from kibitz.core.result import FIRST, SECOND

FRAME, FRAME_EDGE, LABEL = "#3b332d", "#75675a", "#e9dfcf"
TONES: Mapping[Tone, str] = {
    "light": "#eee2cb",
    "dark": "#c6a883",
    "first": "#e9bda6",
    "second": "#a8aec9",
    "mark": "#a7c9a1",
    "beside": "#4a4038",
}
LINE = "#8d7253"
TOUCHED, ARROW, CAPTURED, MARKED = "#e0a800", "#a86f00", "#c8321f", "#1b7f93"
FONT = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"


class Paints(NamedTuple):
    """How the pieces of one colour are painted."""

    body: str
    edge: str
    detail: str


# White, blue and yellow are light; black, red and green are dark: sides differ even where colours cannot be seen.
PAINTS: Mapping[Colour, Paints] = {
    "white": Paints("#fffaf0", "#3a312a", "#6e5d4c"),
    "black": Paints("#3a3437", "#161214", "#e6d8c2"),
    "teal": Paints("#2f8f86", "#123f3a", "#eaf5f1"),
    "blue": Paints("#8cc4f2", "#1d4468", "#2f6697"),
    "yellow": Paints("#ffdd55", "#6b4e00", "#9a7400"),
    "red": Paints("#a3262a", "#4a0a0c", "#f3c9c0"),
    "green": Paints("#1f6b3f", "#08301a", "#cfe9d5"),
}
_SIDE_COLOURS: Mapping[int | None, Colour] = {FIRST: "white", SECOND: "black", None: "teal"}


def colour_of(piece: Piece) -> Colour:
    """The colour a piece asks for, or that of its side."""
    return piece.colour or _SIDE_COLOURS[piece.side]

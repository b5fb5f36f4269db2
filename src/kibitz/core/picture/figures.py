"""The figures of pieces as data: SVG paths in a box from -50 to 50, painted one part over the other."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from kibitz.core.layout import Figure
from kibitz.core.picture.board import circle

Manner = Literal["body", "line", "ink", "inset"]


class Part(NamedTuple):
    """A path and how it is painted: `body` filled and outlined, `line` drawn in the detail colour, `ink` filled with
    it, `inset` filled with the colour of the body.
    """

    manner: Manner
    path: str


FIGURES: Mapping[Figure, tuple[Part, ...]] = {
    "disc": (Part("body", circle(0, 0, 36)), Part("line", circle(0, 0, 25))),
    "ring": (Part("body", circle(0, 0, 37) + "M-17 0a17 17 0 1 1 34 0a17 17 0 1 1-34 0z"),),
    "cross": (Part("body", "M0-14 21-35 35-21 14 0 35 21 21 35 0 14-21 35-35 21-14 0-35-21-21-35z"),),
    "pawn": (
        Part("body", "M-10-10C-9 6-13 14-21 24H21C13 14 9 6 10-10z"),
        Part("body", "M-29 38V34Q-29 23-18 23H18Q29 23 29 34V38z"),
        Part("body", "M-15-12H15Q18-12 18-9T15-6H-15Q-18-6-18-9T-15-12z"),
        Part("body", circle(0, -25, 14)),
    ),
    "star": (Part("body", "M0-37 10.3-11.2 38-9.4 16.6 8.4 23.5 35.4 0 20.5-23.5 35.4-16.6 8.4-38-9.4-10.3-11.2z"),),
    "wolf": (
        Part("body", "M-30-41-13-25Q0-30 13-25L30-41 34-9 41 8 29 13 17 25 9 36Q0 41-9 36L-17 25-29 13-41 8-34-9z"),
        Part("ink", "M-23-4-8 3-11 8-20 4zM23-4 8 3 11 8 20 4zM-8 24H8L0 33z"),
        Part("line", "M-26-28-24-15M26-28 24-15"),
    ),
    "sheep": (
        Part(
            "body",
            "M9.6-30.5A12 12 0 0 1 25.1-19.2A12 12 0 0 1 31-1A12 12 0 0 1 25.1 17.2A12 12 0 0 1 9.6 28.5"
            "A12 12 0 0 1-9.6 28.5A12 12 0 0 1-25.1 17.2A12 12 0 0 1-31-1A12 12 0 0 1-25.1-19.2"
            "A12 12 0 0 1-9.6-30.5A12 12 0 0 1 9.6-30.5z",
        ),
        Part(
            "ink",
            "M0-13C11-13 15-7 15 2 15 14 9 27 0 27S-15 14-15 2C-15-7-11-13 0-13z"
            "M-14-5C-22-10-28-6-28 0-22 4-17 4-14 1zM14-5C22-10 28-6 28 0 22 4 17 4 14 1z",
        ),
        Part("inset", circle(-6, 4, 3) + circle(6, 4, 3)),
    ),
    "human": (
        Part("body", "M-30 38C-30 12-20 0 0 0S30 12 30 38z"),
        Part("body", circle(0, -20, 17)),
        Part("line", "M-10 2 0 14 10 2M-17 38V26M17 38V26"),
    ),
    "bat": (
        Part(
            "body",
            "M-4-12-11-26-15-9Q-18-6-21-10-26-23-42-26-35-11-40 10-30 4-25 15-17 9-13 20-5 20 0 35"
            " 5 20 13 20 17 9 25 15 30 4 40 10 35-11 42-26 26-23 21-10 18-6 15-9L11-26 4-12z",
        ),
        Part("ink", "M-12-4-3 1-5 5-10 3zM12-4 3 1 5 5 10 3zM-6 8H-1L-4 15zM6 8H1L4 15z"),
    ),
    "die": (Part("body", "M-24-36H24Q36-36 36-24V24Q36 36 24 36H-24Q-36 36-36 24V-24Q-36-36-24-36z"),),
    "counter": (Part("body", "M-26-24H26Q38-24 38-12V12Q38 24 26 24H-26Q-38 24-38 12V-12Q-38-24-26-24z"),),
    "bar": (Part("body", "M-50-13H50V13H-50z"),),
    "post": (Part("body", "M-13-50H13V50H-13z"),),
    "diamond": (Part("body", "M0-40 30 0 0 40-30 0z"), Part("line", "M-30 0H30M0-40-11 0 0 40 11 0z")),
}

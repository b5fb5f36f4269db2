"""The layers of an indexed game: where each begins, and which numbers are whose."""

from typing import NamedTuple

from kibitz.core.game import Game
from kibitz.core.result import FIRST, SECOND


class Span(NamedTuple):
    """A block with the number at which it begins."""

    layer: int
    side: int
    start: int
    stop: int
    images: int


class Layer(NamedTuple):
    """The numbers of one layer, and those of each side in it."""

    name: int
    start: int
    stop: int
    sides: tuple[tuple[int, int], tuple[int, int]]


def spans_of(game: Game) -> list[Span]:
    """The blocks that the game declares, none where it cannot be indexed."""
    book = game.rulebook
    needed = (book.index, book.unindex, book.unmoves, book.unplay, book.blocks)
    if any(rule is None for rule in needed) or not game.alternating:
        return []
    start, spans = 0, []
    for block in game.blocks:
        spans.append(Span(block.layer, block.side, start, start + block.size, block.images))
        start += block.size
    return spans


def layers_of(spans: list[Span]) -> list[Layer]:
    """The layers in the order in which they are solved; a side's blocks lie next to each other."""
    layers = []
    for name in dict.fromkeys(span.layer for span in spans):
        mine = [span for span in spans if span.layer == name]
        sides = [_range([span for span in mine if span.side == side]) for side in (FIRST, SECOND)]
        layers.append(Layer(name, *_range(mine), (sides[0], sides[1])))
    return layers


def _range(spans: list[Span]) -> tuple[int, int]:
    return (spans[0].start, spans[-1].stop) if spans else (0, 0)

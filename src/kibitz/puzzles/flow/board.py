"""A Flow puzzle and its solutions.

Each colour has two sources. Join them by paths that do not meet, so that the whole board is filled. A path must not
touch itself: a source has exactly one neighbour of its colour, any other cell exactly two.

Two flags loosen the rules. `fill` off leaves cells empty (Numberlink). `touch` is `strict` as above, `no2x2` (a path
may touch itself, but no face, on squares a block of 2x2, is all of one colour) or `free`.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from kibitz.core.errors import KibitzError
from kibitz.puzzles.flow.graph import Edge, Graph

Touch = Literal["strict", "no2x2", "free"]
TOUCHES: tuple[Touch, ...] = ("strict", "no2x2", "free")


class BadPuzzle(KibitzError):
    """A file or a text that is no Flow puzzle, or no filling of one."""


@dataclass(frozen=True)
class Board:
    """A graph, two sources for each letter, and the rule flags."""

    graph: Graph
    sources: Mapping[str, tuple[int, int]]
    fill: bool = True
    touch: Touch = "strict"

    def ruled(self, *, fill: bool | None = None, touch: Touch | None = None) -> "Board":
        """The same sources under other rules."""
        return replace(self, fill=self.fill if fill is None else fill, touch=touch or self.touch)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        return tuple(self.sources)

    @cached_property
    def letter_at(self) -> Mapping[int, str]:
        """The letter of each node that is a source."""
        return {node: letter for letter, pair in self.sources.items() for node in pair}

    @property
    def size(self) -> str:
        """What people call its size."""
        plan = self.graph.plan
        return f"{plan.columns}x{plan.rows}" if plan else f"{self.graph.size} nodes"

    def __str__(self) -> str:
        from kibitz.puzzles.flow.texts import written

        return written(self)

    def _repr_svg_(self) -> str:
        from kibitz.puzzles.flow.picture import svg

        return svg(self)


@dataclass(frozen=True)
class Solution:
    """For each letter the nodes of its path, from the first source to the second."""

    board: Board
    paths: Mapping[str, tuple[int, ...]]

    @cached_property
    def filling(self) -> tuple[str, ...]:
        """The letter on every node, '' where it stays empty."""
        cells = [""] * self.board.graph.size
        for letter, path in self.paths.items():
            for node in path:
                cells[node] = letter
        return tuple(cells)

    @cached_property
    def edges(self) -> frozenset[Edge]:
        """The steps of all paths."""
        return frozenset(
            (min(one, other), max(one, other))
            for path in self.paths.values()
            for one, other in itertools.pairwise(path)
        )

    def __str__(self) -> str:
        from kibitz.puzzles.flow.texts import written_filling

        return written_filling(self.board, self.filling)

    def _repr_svg_(self) -> str:
        from kibitz.puzzles.flow.picture import svg

        return svg(self.board, self)

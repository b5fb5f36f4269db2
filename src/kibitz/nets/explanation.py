"""What a network sees: the winning chances, and what each piece is worth where it stands.

The worth of a piece is what its side would lose if it were not there: the position is judged once more without it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import Heuristic
from kibitz.core.layout import Layout
from kibitz.core.network import POINTS
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST
from kibitz.core.seam.interpreter import InterpretedKernel
from kibitz.core.seam.slots import evaluate

WIDTH = 6  # of a cell, in characters


def judge(state: Any, rules: Any, weights: NDArray[np.int64]) -> float:
    """A kernel: the score for the first player."""
    return float(evaluate(state, rules, weights, FIRST))


@dataclass(frozen=True)
class Worth:
    """A piece, and by how many per cent it raises the chances of its side."""

    cell: int
    name: str  # of the piece
    side: int
    percent: float


@dataclass(frozen=True)
class NetExplanation:
    """What a network thinks of a position."""

    heuristic: str
    sides: tuple[str, str]
    view: int  # whose chances
    points: float  # the score for that side
    worths: tuple[Worth, ...]
    layout: Layout

    @property
    def percent(self) -> float:
        return chances(self.points)

    @property
    def notes(self) -> dict[int, str]:
        """A number for each cell with a piece on it."""
        return {worth.cell: f"{worth.percent:+.0f}" for worth in self.worths}

    def __str__(self) -> str:
        side = self.sides[self.view]
        lines = [f"{self.heuristic}: {side} wins {self.percent:.1f} % of such games ({self.points:+.0f} points)"]
        if self.worths:
            lines += ["what each piece is worth to its side, in per cent of winning chances:", *self._grid()]
        return "\n".join(lines)

    def _grid(self) -> Iterator[str]:
        worth = {one.cell: f"{one.percent:+.1f}" for one in self.worths}
        places = {(round(cell.x, 3), round(cell.y, 3)): index for index, cell in enumerate(self.layout.cells)}
        columns = sorted({x for x, _ in places})
        for row in sorted({y for _, y in places}):
            cells = [worth.get(places[x, row], ".") if (x, row) in places else "" for x in columns]
            yield "".join(f"{text:>{WIDTH}}" for text in cells)


def chances(points: float) -> float:
    """The per cent of games that a score stands for."""
    return 100.0 / (1.0 + math.exp(-points / POINTS))


def explain(heuristic: Heuristic, position: Position) -> NetExplanation:
    """The chances of the side to move, and the worth of each piece that can be taken off the board."""
    game = position.game
    run = InterpretedKernel(game.rulebook, judge, heuristic)  # type: ignore[arg-type] # sooner than compiling
    weights = heuristic.weight_array
    view = FIRST if position.turn == CHANCE else position.turn
    score = float(run(position.state, game.rules, weights))
    worths = []
    pieces = game.pieces(position.state)
    for cell, state in states_without(position, pieces):
        piece = game.layout.pieces[pieces[cell][0]]
        side = view if piece.side is None else piece.side
        sign = 1.0 if side == FIRST else -1.0
        less = chances(sign * float(run(state, game.rules, weights)))
        worths.append(Worth(cell, piece.name, side, chances(sign * score) - less))
    points = score if view == FIRST else -score
    worths.sort(key=lambda worth: worth.cell)
    return NetExplanation(heuristic.name, game.rulebook.sides, view, points, tuple(worths), game.layout)


def states_without(position: Position, pieces: list[str]) -> Iterator[tuple[int, Any]]:
    """Each cell with the state that lacks its piece and nothing else, where clearing a bit or a cell makes one."""
    state = position.state
    for field in position.game.rulebook.state_fields:
        value = getattr(state, field.name)
        for changed in _changes(value, field.array):
            without = state._replace(**{field.name: changed})
            cell = _removed(pieces, position, without)
            if cell is not None:
                yield cell, without


def _changes(value: Any, array: bool) -> Iterator[Any]:
    """The value with one bit cleared, or one cell emptied."""
    if array:
        for index in np.flatnonzero(value):
            changed = value.copy()
            changed[index] = 0
            yield changed
    elif not isinstance(value, (bool, float)):
        whole = int(value)
        for bit in range(whole.bit_length() if whole > 0 else 0):
            if whole >> bit & 1:
                yield type(value)(whole & ~(1 << bit))


def _removed(pieces: list[str], position: Position, without: Any) -> int | None:
    """The one cell whose piece is gone; None where something else has changed too, or nothing."""
    try:
        after = position.game.pieces(without)
    except Exception:  # noqa: BLE001 - rules may be given a state that they never make
        return None
    changed = [cell for cell, (old, new) in enumerate(zip(pieces, after, strict=True)) if old != new]
    return changed[0] if len(changed) == 1 and after[changed[0]] == "" else None

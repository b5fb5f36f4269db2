"""Where a layout's cells lie in an SVG, and the paths around them."""

from collections.abc import Iterable
from math import hypot, sqrt

from kibitz.core.layout import Cell, Layout
from kibitz.core.picture.scene import row_labels

UNIT = 100  # the distance of two neighbours

BELOW_WORD = 9
Spot = tuple[float, float]


class Board:
    """A layout in the coordinates of its picture."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._lying = layout.shape == "hexagon" and not _side_by_side(layout.cells)
        reach_x, reach_y = self._reach()
        xs, ys = [cell.x for cell in layout.cells], [cell.y for cell in layout.cells]
        self._west, self._north = min(xs) - reach_x, min(ys) - reach_y
        across, down = max(xs) + reach_x - self._west, max(ys) + reach_y - self._north
        self.text = min(max(0.034 * max(across, down), 0.2), 0.6) * UNIT  # readable on big boards too
        self.margin = 1.9 * self.text  # the frame around the cells, where the labels stand
        self.labels = row_labels(layout)
        longest = max(map(len, self.labels.values()), default=0)
        self.left = max(self.margin, (0.58 * longest + 0.7) * self.text)
        self.right, self.bottom = self.left + across * UNIT, self.margin + down * UNIT

    def x(self, x: float) -> float:
        return (x - self._west) * UNIT + self.left

    def y(self, y: float) -> float:
        return (y - self._north) * UNIT + self.margin

    def spot(self, cell: int) -> Spot:
        """The middle of a cell, a little lower where a word stands above it."""
        found = self.layout.cells[cell]
        return self.x(found.x), self.y(found.y) + (BELOW_WORD if found.label else 0)

    def outline(self, cell: int) -> str:
        """The path around a cell."""
        found = self.layout.cells[cell]
        x, y = self.x(found.x), self.y(found.y)
        if self.layout.shape == "point" and found.tone != "beside":
            return circle(x, y, 46)
        if self.layout.shape != "hexagon":
            return f"M{number(x - UNIT / 2)} {number(y - UNIT / 2)}h{UNIT}v{UNIT}h-{UNIT}z"
        return polyline((x + along, y + across) for along, across in self._corners()) + "z"

    def _corners(self) -> list[Spot]:
        """The corners of a hexagon around its middle."""
        standing = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
        scaled = [(UNIT / 2 * a, UNIT / sqrt(12) * b) for a, b in standing]
        return [(b, a) for a, b in scaled] if self._lying else scaled

    def _reach(self) -> Spot:
        """From the middle of a cell to its sides, in the layout's units."""
        if self.layout.shape != "hexagon":
            return (0.5, 0.5) if self.layout.shape == "square" else (0.6, 0.6)
        corners = self._corners()
        return max(x for x, _ in corners) / UNIT, max(y for _, y in corners) / UNIT


def _side_by_side(cells: Iterable[Cell]) -> bool:
    """Have hexagons neighbours at their left and right? Then they stand on a corner, else they lie on a side."""
    places = {(round(cell.x, 3), round(cell.y, 3)) for cell in cells}
    return any((round(x + 1, 3), y) in places for x, y in places)


def circle(x: float, y: float, radius: float) -> str:
    """The path of a circle."""
    half = f"a{number(radius)} {number(radius)} 0 1 0"
    return f"M{number(x - radius)} {number(y)}{half} {number(2 * radius)} 0{half} {number(-2 * radius)} 0z"


def arrow(spots: list[Spot]) -> tuple[str, str]:
    """The paths of an arrow's shaft and head; it begins and ends a little off the middles, beside the pieces."""
    start, end = _towards(spots[0], spots[1], 10), _towards(spots[-1], spots[-2], 38)
    neck = _towards(end, spots[-2], 22)
    along_x, along_y = (end[0] - neck[0]) * 0.7, (end[1] - neck[1]) * 0.7
    head = [end, (neck[0] - along_y, neck[1] + along_x), (neck[0] + along_y, neck[1] - along_x)]
    return polyline([start, *spots[1:-1], neck]), polyline(head) + "z"


def _towards(spot: Spot, other: Spot, distance: float) -> Spot:
    (x, y), (a, b) = spot, other
    share = distance / (hypot(a - x, b - y) or 1)
    return x + (a - x) * share, y + (b - y) * share


def polyline(spots: Iterable[Spot]) -> str:
    """The path along these spots."""
    return f"M{' '.join(f'{number(x)} {number(y)}' for x, y in spots)}"


def number(value: float) -> str:
    """A coordinate in as few characters as a tenth of a unit needs."""
    return f"{round(value, 1) + 0:g}"

"""A board in a terminal: one glyph a piece, labels beside it, and where colours are welcome those of every picture."""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from kibitz.core.layout import Figure, Layout, Tone
from kibitz.core.picture import palette
from kibitz.core.picture.scene import Stack, Trace, labels_of, last_turn, row_labels, stacks

if TYPE_CHECKING:
    from kibitz.core.position import Position

Place = tuple[int, int]  # line and column

_EMPTY: Mapping[Tone, str] = {"light": ".", "dark": ".", "first": ",", "second": "'", "mark": "+", "beside": " "}


class Strokes(NamedTuple):
    """The characters that lines are made of."""

    across: str
    down: str
    falling: str
    rising: str
    crossing: str


_PLAIN_STROKES, _BOX_STROKES = Strokes("-", "|", "\\", "/", "X"), Strokes("─", "│", "╲", "╱", "╳")


class Style(NamedTuple):
    """Ink and paper, as #eee2cb."""

    ink: str
    paper: str


# What a figure is among characters of one column: filled in the colour of the piece, or its outline where that colour
# is too near the paper's, as white on light wood. Figures that are not here keep the letter of their piece.
_FILLED: Mapping[Figure, str] = {"disc": "●", "ring": "◉", "cross": "✕", "pawn": "♟", "star": "★", "diamond": "◆"}
_OUTLINED: Mapping[Figure, str] = {"disc": "○", "ring": "◎", "cross": "✕", "pawn": "♙", "star": "☆", "diamond": "◇"}
_CLEAR = 3.0  # the contrast of WCAG 2 from which on a sign is well seen


def terminal(position: "Position", *, colour: bool, deep: bool = False) -> str:
    """The board as text: in plain characters, or with ANSI colours, the nearest of 256 or exact ones if `deep`.

    Without colours `[b]` is where the last move ended, `(.)` where it came from or came by, `{.}` what it captured.
    """
    layout = position.game.layout
    standing = {stack.cell: stack for stack in stacks(position)}
    grid = Grid(layout, max((len(_label(stack)) for stack in standing.values()), default=1))
    canvas = Canvas(deep)
    if layout.lines:
        _draw_lines(canvas, grid, colour)
    trace = last_turn(position)
    for cell in range(len(layout.cells)):
        draw = _coloured if colour else _plain
        draw(canvas, grid, cell, standing.get(cell), trace)
    _draw_labels(canvas, grid)
    return canvas.text()


class Grid:
    """Where the cells of a layout go among lines and columns of characters."""

    def __init__(self, layout: Layout, content: int) -> None:
        self.layout = layout
        self.width = content + 2
        self._x, self._y = Steps(cell.x for cell in layout.cells), Steps(cell.y for cell in layout.cells)
        self._nearest = self._steps_to_a_neighbour()
        self._pitch = -(-max(self.width + bool(layout.lines), self._label_width()) // self._nearest)
        self.labels = row_labels(layout)
        label = max((len(label) for label in self.labels.values()), default=-1) + 1
        self._margin = label + (self.width if layout.lines else self.tile) // 2
        self.places = [(self.line(cell.y), self.column(cell.x)) for cell in layout.cells]

    def line(self, y: float) -> int:
        """The line of the cells at this height."""
        return self._y.number(y) * (2 if self.layout.lines else 1)

    def column(self, x: float) -> int:
        """The column where the text of a cell has its middle."""
        return self._margin + self._x.number(x) * self._pitch

    @property
    def label_line(self) -> int:
        """The line of the labels below the board, whatever lies beside it."""
        cells = zip(self.places, self.layout.cells, strict=True)
        return max(line for (line, _), cell in cells if cell.tone != "beside") + 1

    @property
    def height(self) -> int:
        return max(line for line, _ in self.places) + 1

    @property
    def tile(self) -> int:
        """How many characters a cell may fill without touching its neighbours."""
        return self._pitch * self._nearest

    def _steps_to_a_neighbour(self) -> int:
        """How far apart two cells in one line can be at the nearest: half steps leave room for offset rows."""
        spots = sorted((self._y.number(cell.y), self._x.number(cell.x)) for cell in self.layout.cells)
        return min((right[1] - left[1] for left, right in pairwise(spots) if left[0] == right[0]), default=1)

    def _label_width(self) -> int:
        return max((len(label) + 1 for label in self.layout.columns.values()), default=0)


class Steps:
    """Coordinates counted in steps of their smallest distance."""

    def __init__(self, values: Iterable[float]) -> None:
        found = sorted({round(value, 3) for value in values})
        self._origin = found[0]
        self._size = min((right - left for left, right in pairwise(found)), default=1.0)

    def number(self, value: float) -> int:
        return round((value - self._origin) / self._size)


class Canvas:
    """Characters at lines and columns, each with its style or the terminal's own."""

    def __init__(self, deep: bool = False) -> None:
        self._deep = deep
        self._lines: dict[int, dict[int, tuple[str, Style | None]]] = {}

    def write(self, line: int, column: int, text: str, style: Style | None = None) -> None:
        """Put a text with its first character here."""
        row = self._lines.setdefault(line, {})
        row.update({column + offset: (character, style) for offset, character in enumerate(text)})

    def write_centred(self, line: int, column: int, text: str, style: Style | None = None) -> None:
        """Put a text with its middle here."""
        self.write(line, column - len(text) // 2, text, style)

    def at(self, line: int, column: int) -> str:
        """The character that stands here."""
        return self._lines.get(line, {}).get(column, (" ", None))[0]

    def text(self) -> str:
        """Everything written, without blanks at the ends of lines."""
        return "\n".join(self._line_text(self._lines.get(line, {})) for line in range(max(self._lines) + 1))

    def _line_text(self, row: Mapping[int, tuple[str, Style | None]]) -> str:
        text, current = "", None
        for column in range(max(row, default=-1) + 1):
            character, style = row.get(column, (" ", None))
            if style != current:
                text += "\x1b[0m" if style is None else self._code(style)
                current = style
            text += character
        return (text if current is None else text + "\x1b[0m").rstrip()

    def _code(self, style: Style) -> str:
        ink, paper = (_colour_code(colour, self._deep) for colour in style)
        return f"\x1b[1;38;{ink};48;{paper}m"


def _colour_code(colour: str, deep: bool) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"2;{red};{green};{blue}" if deep else f"5;{_nearest(red, green, blue)}"


@cache
def _nearest(*wanted: int) -> int:
    """The number of the nearest of the 256 colours that nearly every terminal knows: a cube, then greys."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = (
        (16 + 36 * r + 6 * g + b, levels[r], levels[g], levels[b]) for r in range(6) for g in range(6) for b in range(6)
    )
    greys = ((232 + step, *[8 + 10 * step] * 3) for step in range(24))
    return min(chain(cube, greys), key=lambda known: sum((a - b) ** 2 for a, b in zip(known[1:], wanted, strict=True)))[
        0
    ]


def _contrast(one: str, other: str) -> float:
    """How well one colour is seen on the other, as WCAG 2 measures it."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@cache
def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _label(stack: Stack) -> str:
    return stack.amount if stack.piece.numbered and stack.piece.side is None else stack.piece.glyph + stack.amount


def _plain(canvas: Canvas, grid: Grid, cell: int, stack: Stack | None, trace: Trace) -> None:
    text = _label(stack) if stack else _EMPTY[grid.layout.cells[cell].tone]
    brackets = "[]" if cell in trace.ends else "{}" if cell in trace.captured else "()" if cell in trace.path else ""
    canvas.write_centred(*grid.places[cell], brackets[:1] + text + brackets[1:])


def _coloured(canvas: Canvas, grid: Grid, cell: int, stack: Stack | None, trace: Trace) -> None:
    place = grid.places[cell]
    paper = palette.TONES["light" if grid.layout.lines else grid.layout.cells[cell].tone]
    if not grid.layout.lines:
        canvas.write_centred(*place, " " * grid.tile, Style(palette.LINE, paper))
    if cell in trace.ends | trace.path | trace.captured:
        paper = palette.TOUCHED if cell in trace.ends | trace.path else palette.CAPTURED
        canvas.write_centred(*place, " " * grid.width, Style(palette.LINE, paper))
    if stack:
        canvas.write_centred(*place, *_figure(stack, labels_of(grid.layout)[stack.letter], paper))
    else:
        canvas.write_centred(*place, "•" if grid.layout.lines else "·", Style(palette.LINE, paper))


def _figure(stack: Stack, label: str, paper: str) -> tuple[str, Style]:
    """What stands for a piece on this paper, and in which colours."""
    paints = palette.PAINTS[palette.colour_of(stack.piece)]
    filled = _contrast(paints.body, paper) >= _CLEAR
    ink = paints.body if filled else max(paints, key=lambda paint: _contrast(paint, paper))
    return _sign(stack, label, filled), Style(ink, paper)


def _sign(stack: Stack, label: str, filled: bool) -> str:
    signs = _FILLED if filled else _OUTLINED
    if label or stack.piece.numbered or stack.piece.figure not in signs:
        return _label(stack)
    return signs[stack.piece.figure] + stack.amount


def _draw_lines(canvas: Canvas, grid: Grid, colour: bool) -> None:
    """The lines between points; in colours, on a board of one tone."""
    strokes, style = _PLAIN_STROKES, None
    if colour:
        strokes, style = _BOX_STROKES, Style(palette.LINE, palette.TONES["light"])
        _fill(canvas, grid, style)
    for one, other in grid.layout.lines:
        start, end = sorted((grid.places[one], grid.places[other]))
        _draw_line(canvas, start, end, strokes, style)


def _fill(canvas: Canvas, grid: Grid, style: Style) -> None:
    columns = [column for _, column in grid.places]
    width = max(columns) - min(columns) + grid.width
    for line in range(grid.height):
        canvas.write(line, min(columns) - grid.width // 2, " " * width, style)


def _draw_line(canvas: Canvas, start: Place, end: Place, strokes: Strokes, style: Style | None) -> None:
    (top, left), (bottom, right) = start, end
    if top == bottom:
        canvas.write(top, left, strokes.across * (right - left), style)
        return
    stroke = strokes.down if left == right else strokes.falling if left < right else strokes.rising
    for line in range(top + 1, bottom):
        column = left + round((right - left) * (line - top) / (bottom - top))
        crossed = {stroke, canvas.at(line, column)} == {strokes.falling, strokes.rising}
        canvas.write(line, column, strokes.crossing if crossed else stroke, style)


def _draw_labels(canvas: Canvas, grid: Grid) -> None:
    widest = max(map(len, grid.labels.values()), default=0)
    for y, label in grid.labels.items():
        canvas.write(grid.line(y), 0, label.rjust(widest))
    for x, label in grid.layout.columns.items():
        canvas.write_centred(grid.label_line, grid.column(x), label)
    for place, cell in zip(grid.places, grid.layout.cells, strict=True):
        canvas.write(place[0], place[1] + grid.width // 2 + 1, cell.label)

"""A board as a self-contained SVG that looks the same on a light and on a dark page."""

from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from kibitz.core.layout import Figure, Gesture, Tone
from kibitz.core.picture.board import MARGIN, Board, arrow, circle, number, polyline
from kibitz.core.picture.figures import FIGURES, Paint
from kibitz.core.picture.scene import Stack, Trace, last_turn, stacks, status
from kibitz.core.result import FIRST, SECOND

if TYPE_CHECKING:
    from kibitz.core.position import Position

_CAPTION = 40  # the height of the line below the board

_FRAME, _FRAME_EDGE, _LABEL = "#3b332d", "#75675a", "#e9dfcf"
_TONES: Mapping[Tone, str] = {
    "light": "#eee2cb",
    "dark": "#c6a883",
    "first": "#f4d58d",
    "second": "#a8aec9",
    "mark": "#a7c9a1",
}
_LINE = "#8d7253"
_TOUCHED, _CAPTURED, _MARKED = "#e0a800", "#c8321f", "#1b7f93"
_FONT = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"


class Colours(NamedTuple):
    """How the pieces of a side are painted."""

    side: str
    body: str
    edge: str
    detail: str


_COLOURS: Mapping[int | None, Colours] = {
    FIRST: Colours("first", "#fffaf0", "#3a312a", "#6e5d4c"),
    SECOND: Colours("second", "#3a3437", "#161214", "#e6d8c2"),
    None: Colours("neutral", "#2f8f86", "#123f3a", "#eaf5f1"),
}


def svg(position: "Position", *, size: int = 480, marks: Collection[int] = (), caption: bool = True) -> str:
    """The board as an SVG whose longer side measures `size` pixels, with the last turn drawn into it.

    `marks` are cells to point out, such as the targets of a piece. `caption` says below the board who is to move.
    """
    board = Board(position.game.layout)
    standing = stacks(position)
    occupied = {stack.cell for stack in standing}
    width, height = board.right + MARGIN, board.bottom + MARGIN + (_CAPTION if caption else 0)
    scale = size / max(width, height)
    told = f"{position.game.rulebook.title}: {status(position)}"
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
            f' width="{number(width * scale)}" height="{number(height * scale)}" role="img">'
            f"<title>{escape(told)}</title><desc>{escape(position.text)}</desc>",
            _definitions(standing),
            _frame(width, height),
            _cells(board),
            _last_turn(board, last_turn(position), occupied),
            _pieces(board, standing),
            _marks(board, marks, occupied),
            _labels(board),
            _text(width / 2, height - 36, told, 28, _LABEL) if caption else "",
            "</svg>",
        ]
    )


def _definitions(standing: Iterable[Stack]) -> str:
    """Each figure in use, once for each side that uses it."""
    kinds = {_figure_name(stack): stack.piece for stack in standing}
    figures = (_figure(name, piece.figure, _COLOURS[piece.side]) for name, piece in sorted(kinds.items()))
    return f"<defs>{''.join(figures)}</defs>"


def _figure_name(stack: Stack) -> str:
    return f"kibitz-{stack.piece.figure}-{_COLOURS[stack.piece.side].side}"


def _figure(name: str, figure: Figure, colours: Colours) -> str:
    paints: Mapping[Paint, str] = {
        "body": f'stroke="{colours.edge}"',
        "line": f'fill="none" stroke="{colours.detail}"',
        "ink": f'fill="{colours.detail}"',
        "inset": "",
    }
    paths = "".join(f'<path {paints[part.paint]} d="{part.path}"/>' for part in FIGURES[figure])
    return (
        f'<g id="{name}" fill="{colours.body}" fill-rule="evenodd" stroke-width="4" stroke-linejoin="round"'
        f' stroke-linecap="round">{paths}</g>'
    )


def _frame(width: float, height: float) -> str:
    return (
        f'<rect x="2" y="2" width="{number(width - 4)}" height="{number(height - 4)}" rx="20" fill="{_FRAME}"'
        f' stroke="{_FRAME_EDGE}" stroke-width="4"/>'
    )


def _cells(board: Board) -> str:
    draw = _points if board.layout.shape == "point" else _tiles
    return f'<g class="cells" stroke="{_LINE}" stroke-width="2">{draw(board)}</g>'


def _tiles(board: Board) -> str:
    return "".join(
        f'<path class="cell" fill="{_TONES[cell.tone]}" d="{board.outline(index)}"><title>{escape(cell.name)}</title></path>'
        for index, cell in enumerate(board.layout.cells)
    )


def _points(board: Board) -> str:
    """Dots on a field of one tone, joined by lines; a tone of their own makes them bigger."""
    right, bottom = number(board.right), number(board.bottom)
    lines = "".join(polyline((board.spot(one), board.spot(other))) for one, other in board.layout.lines)
    dots = "".join(
        f'<path class="cell" fill="{_LINE if cell.tone == "light" else _TONES[cell.tone]}"'
        f' d="{circle(*board.spot(index), 8 if cell.tone == "light" else 24)}"><title>{escape(cell.name)}</title></path>'
        for index, cell in enumerate(board.layout.cells)
    )
    return (
        f'<path fill="{_TONES["light"]}" d="M{MARGIN} {MARGIN}H{right}V{bottom}H{MARGIN}z"/>'
        f'<path class="lines" fill="none" stroke-width="6" stroke-linecap="round" d="{lines}"/>{dots}'
    )


def _last_turn(board: Board, trace: Trace, occupied: Collection[int]) -> str:
    touched = "".join(
        f'<path class="touched" d="{board.outline(cell)}"/>' for cell in sorted(trace.ends | trace.path)
    )
    arrows = "".join(_arrow(board, gesture) for gesture in trace.gestures if len(gesture.cells) > 1)
    captured = "".join(_captured(board, cell, cell in occupied) for cell in sorted(trace.captured))
    return (
        f'<g class="last" pointer-events="none"><g fill="{_TOUCHED}" fill-opacity=".45">{touched}</g>'
        f'<g fill="none" stroke="{_CAPTURED}" stroke-width="7" stroke-linecap="round">{captured}</g>{arrows}</g>'
    )


def _arrow(board: Board, gesture: Gesture) -> str:
    shaft, head = arrow([board.spot(cell) for cell in gesture.cells])
    return (
        f'<g class="arrow" fill="none" stroke="#a86f00" stroke-linejoin="round" stroke-width="11" opacity=".85">'
        f'<path d="{shaft}"/><path fill="#a86f00" stroke-width="3" d="{head}"/></g>'
    )


def _captured(board: Board, cell: int, occupied: bool) -> str:
    """A ring around the cell; a cross where nothing stands any more."""
    x, y = board.spot(cell)
    cross = "" if occupied else f"M{number(x - 20)} {number(y - 20)}l40 40m0-40l-40 40"
    return f'<path class="captured" d="{circle(x, y, 44 if occupied else 40)}{cross}"/>'


def _pieces(board: Board, standing: Iterable[Stack]) -> str:
    drawn = "".join(_piece(board, stack) for stack in standing)
    return f'<g class="pieces" pointer-events="none">{drawn}</g>'


def _piece(board: Board, stack: Stack) -> str:
    x, y = board.spot(stack.cell)
    use = f'<use class="piece" href="#{_figure_name(stack)}" x="{number(x)}" y="{number(y)}"/>'
    return use + _badge(x + 28, y + 30, stack.count) if stack.count else use


def _badge(x: float, y: float, count: str) -> str:
    width = 16 + 15 * len(count)
    left = x + 20 - width
    return (
        f'<rect class="badge" x="{number(left)}" y="{number(y - 17)}" width="{width}" height="34" rx="12"'
        f' fill="#fff" stroke="#3a312a" stroke-width="3"/>{_text(left + width / 2, y, count, 26, "#1d1815")}'
    )


def _marks(board: Board, marks: Collection[int], occupied: Collection[int]) -> str:
    """A dot on an empty cell, a ring around a piece."""
    ring = 'fill="none" stroke-width="8"'
    drawn = "".join(
        f'<path class="mark" {ring if cell in occupied else ""}'
        f' d="{circle(*board.spot(cell), 44 if cell in occupied else 16)}"/>'
        for cell in marks
    )
    return f'<g class="marks" fill="{_MARKED}" stroke="{_MARKED}" pointer-events="none">{drawn}</g>' if drawn else ""


def _labels(board: Board) -> str:
    rows = (_text(MARGIN / 2, board.y(y), label, 28, _LABEL) for y, label in board.layout.rows.items())
    below = board.bottom + MARGIN / 2
    columns = (_text(board.x(x), below, label, 28, _LABEL) for x, label in board.layout.columns.items())
    return "".join([*rows, *columns])


def _text(x: float, y: float, text: str, height: int, colour: str) -> str:
    """A text around a spot. Its baseline is set by hand: not every viewer knows how to centre it."""
    return (
        f'<text x="{number(x)}" y="{number(y + height * 0.36)}" font-size="{height}" fill="{colour}" font-weight="600"'
        f' font-family="{_FONT}" text-anchor="middle">{escape(text)}</text>'
    )

"""A board as a self-contained SVG that looks the same on a light and on a dark page."""

from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

from kibitz.core.layout import Gesture, Piece
from kibitz.core.picture.board import Board, arrow, circle, number, polyline
from kibitz.core.picture.figures import FIGURES, Manner
from kibitz.core.picture.palette import (
    ARROW,
    CAPTURED,
    FONT,
    FRAME,
    FRAME_EDGE,
    LABEL,
    LINE,
    MARKED,
    PAINTS,
    TONES,
    TOUCHED,
    colour_of,
)
from kibitz.core.picture.scene import Stack, Trace, labels_of, last_turn, stacks, status

if TYPE_CHECKING:
    from kibitz.core.position import Position

NO_NOTES: Mapping[int, str] = {}


def svg(
    position: "Position",
    *,
    size: int = 480,
    marks: Collection[int] = (),
    caption: bool = True,
    notes: Mapping[int, str] = NO_NOTES,
) -> str:
    """The board as an SVG whose longer side measures `size` pixels, with the last turn drawn into it.

    `marks` are cells to point out, such as the targets of a piece. `caption` says below the board who is to move.
    `notes` are short texts to put onto cells.
    """
    board = Board(position.game.layout)
    standing = stacks(position)
    occupied = {stack.cell for stack in standing}
    below = 2 if caption and board.layout.columns else 1  # lines of text
    width, height = board.right + board.margin, board.bottom + board.margin * below
    scale = size / max(width, height)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
            f' width="{number(width * scale)}" height="{number(height * scale)}" font-family="{FONT}"'
            f' font-weight="600" text-anchor="middle" role="img">',
            f"<title>{escape(f'{position.game.rulebook.title}: {status(position)}')}</title>",
            f"<desc>{escape(position.text)}</desc>",
            _definitions(standing),
            _frame(board, width, height),
            _cells(board),
            _last_turn(board, last_turn(position)),
            _pieces(board, standing),
            _names(board),
            _marks(board, marks, occupied),
            _notes(board, notes),
            _labels(board),
            _caption(status(position), board, width, height) if caption else "",
            "</svg>",
        ]
    )


def _definitions(standing: Iterable[Stack]) -> str:
    """Each figure in use, once for each colour."""
    kinds = {_figure_name(stack.piece): stack.piece for stack in standing}
    return f"<defs>{''.join(_figure(name, piece) for name, piece in sorted(kinds.items()))}</defs>"


def _figure_name(piece: Piece) -> str:
    return f"kibitz-{colour_of(piece)}-{piece.figure}"


def _figure(name: str, piece: Piece) -> str:
    paints = PAINTS[colour_of(piece)]
    attributes: Mapping[Manner, str] = {
        "body": f'stroke="{paints.edge}"',
        "line": f'fill="none" stroke="{paints.detail}"',
        "ink": f'fill="{paints.detail}"',
        "inset": "",
    }
    paths = "".join(f'<path {attributes[part.manner]} d="{part.path}"/>' for part in FIGURES[piece.figure])
    return (
        f'<g id="{name}" fill="{paints.body}" fill-rule="evenodd" stroke-width="4" stroke-linejoin="round"'
        f' stroke-linecap="round">{paths}</g>'
    )


def _frame(board: Board, width: float, height: float) -> str:
    edge = board.margin / 14
    return (
        f'<rect x="{number(edge / 2)}" y="{number(edge / 2)}" width="{number(width - edge)}"'
        f' height="{number(height - edge)}" rx="{number(0.4 * board.margin)}" fill="{FRAME}" stroke="{FRAME_EDGE}"'
        f' stroke-width="{number(edge)}"/>'
    )


def _cells(board: Board) -> str:
    draw = _points if board.layout.shape == "point" else _tiles
    return f'<g class="cells" stroke="{LINE}" stroke-width="2">{draw(board)}</g>'


def _tiles(board: Board) -> str:
    cells = enumerate(board.layout.cells)
    return "".join(_cell(cell.name, TONES[cell.tone], board.outline(index)) for index, cell in cells)


def _cell(name: str, fill: str, path: str) -> str:
    return f'<path class="cell" fill="{fill}" d="{path}"><title>{escape(name)}</title></path>'


def _points(board: Board) -> str:
    """Dots on a field of one tone, joined by lines."""
    left, top = number(board.left), number(board.margin)
    right, bottom = number(board.right), number(board.bottom)
    lines = "".join(polyline((board.spot(one), board.spot(other))) for one, other in board.layout.lines)
    dots = "".join(_dot(board, index) for index in range(len(board.layout.cells)))
    return (
        f'<path fill="{TONES["light"]}" d="M{left} {top}H{right}V{bottom}H{left}z"/>'
        f'<path class="lines" fill="none" stroke-width="6" stroke-linecap="round" d="{lines}"/>{dots}'
    )


def _dot(board: Board, index: int) -> str:
    """A point of the board, bigger where it has a tone to show."""
    cell, spot = board.layout.cells[index], board.spot(index)
    if cell.tone == "light":
        return _cell(cell.name, LINE, circle(*spot, 8))
    if cell.tone == "beside":
        return _cell(cell.name, TONES[cell.tone], board.outline(index))
    return _cell(cell.name, TONES[cell.tone], circle(*spot, 24))


def _last_turn(board: Board, trace: Trace) -> str:
    touched = "".join(f'<path class="touched" d="{board.outline(cell)}"/>' for cell in sorted(trace.ends | trace.path))
    arrows = "".join(_arrow(board, gesture) for gesture in trace.gestures if len(gesture.cells) > 1)
    captured = "".join(
        f'<path class="captured" d="{circle(*board.spot(cell), 44)}"/>' for cell in sorted(trace.captured)
    )
    return (
        f'<g class="last" pointer-events="none"><g fill="{TOUCHED}" fill-opacity=".45">{touched}</g>'
        f'<g fill="{CAPTURED}" fill-opacity=".2" stroke="{CAPTURED}" stroke-width="6">{captured}</g>{arrows}</g>'
    )


def _arrow(board: Board, gesture: Gesture) -> str:
    shaft, head = arrow([board.spot(cell) for cell in gesture.cells])
    return (
        f'<g class="arrow" fill="none" stroke="{ARROW}" stroke-linejoin="round" stroke-width="11" opacity=".85">'
        f'<path d="{shaft}"/><path fill="{ARROW}" stroke-width="3" d="{head}"/></g>'
    )


def _pieces(board: Board, standing: Iterable[Stack]) -> str:
    labels = labels_of(board.layout)
    drawn = "".join(_piece(board, stack, labels[stack.letter]) for stack in standing)
    return f'<g class="pieces" pointer-events="none">{drawn}</g>'


def _piece(board: Board, stack: Stack, label: str) -> str:
    x, y = board.spot(stack.cell)
    written = stack.amount if stack.piece.numbered else label
    if written:
        ink = PAINTS[colour_of(stack.piece)].detail
        badge = _badge(x + 47, y + 46, stack.amount) if stack.amount and not stack.piece.numbered else ""
        return _figure_at(x, y, stack) + _text(x, y, written, 40 if len(written) < 3 else 30, ink) + badge
    if stack.amount:
        return _figure_at(x - 3, y - 8, stack) + _badge(x + 47, y + 46, stack.amount)
    return _figure_at(x, y, stack)


def _figure_at(x: float, y: float, stack: Stack) -> str:
    return f'<use class="piece" href="#{_figure_name(stack.piece)}" x="{number(x)}" y="{number(y)}"/>'


def _badge(right: float, bottom: float, amount: str) -> str:
    width = 16 + 15 * len(amount)
    left, top = right - width, bottom - 34
    return (
        f'<rect class="badge" x="{number(left)}" y="{number(top)}" width="{width}" height="34" rx="12" fill="#fff"'
        f' stroke="#3a312a" stroke-width="3"/>{_text(left + width / 2, top + 17, amount, 26, "#1d1815")}'
    )


def _names(board: Board) -> str:
    """The words at cells, above what stands there."""
    spots = ((board.spot(index), cell.label) for index, cell in enumerate(board.layout.cells) if cell.label)
    return "".join(_text(x, y - 50, label, min(16, 150 / len(label)), LABEL) for (x, y), label in spots)


def _marks(board: Board, marks: Collection[int], occupied: Collection[int]) -> str:
    """A dot on an empty cell, a ring around a piece."""
    ring = 'fill="none" stroke-width="8"'
    drawn = "".join(
        f'<path class="mark" {ring if cell in occupied else ""}'
        f' d="{circle(*board.spot(cell), 44 if cell in occupied else 16)}"/>'
        for cell in marks
    )
    return f'<g class="marks" fill="{MARKED}" stroke="{MARKED}" pointer-events="none">{drawn}</g>' if drawn else ""


def _notes(board: Board, notes: Mapping[int, str]) -> str:
    """A text in the lower right corner of each cell that has one."""
    spots = ((*board.spot(cell), text) for cell, text in notes.items())
    return "".join(_badge(x + 47, y + 46, text) for x, y, text in spots)


def _labels(board: Board) -> str:
    middle, below = board.left / 2, board.bottom + board.margin / 2
    rows = (_text(middle, board.y(y), label, board.text, LABEL) for y, label in board.labels.items())
    columns = (_text(board.x(x), below, label, board.text, LABEL) for x, label in board.layout.columns.items())
    return "".join([*rows, *columns])


def _caption(text: str, board: Board, width: float, height: float) -> str:
    """A line below the board, in smaller letters where it would not fit."""
    return _text(width / 2, height - 0.55 * board.margin, text, min(board.text, 1.6 * width / len(text)), LABEL)


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    """A text around a spot. Its baseline is set by hand: not every viewer knows how to centre it."""
    baseline = number(y + 0.36 * size)
    return f'<text x="{number(x)}" y="{baseline}" font-size="{number(size)}" fill="{colour}">{escape(text)}</text>'

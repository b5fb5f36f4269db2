"""Pictures of boards and solutions: for the terminal, as SVG, and as an SVG that shows the solving."""

import itertools
from collections.abc import Collection, Iterable, Sequence
from colorsys import hls_to_rgb
from html import escape

from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.graph import Edge, Node
from kibitz.puzzles.flow.sweep import frames, sweeps
from kibitz.puzzles.flow.texts import written, written_filling

_COLOURS = (
    "#e6302b", "#1f78d1", "#f2d51d", "#2aa23a", "#f58a1f", "#35d3e0", "#ff6fc4", "#8a5a2b", "#8e3cc4", "#f5f5f5",
    "#9aa0a6", "#a6e22e", "#174a8c", "#b39ddb", "#7a1220", "#0b7a75", "#f4b98f", "#4b5320",
)  # fmt: skip
_PAPER, _LINE, _WALL, _DARK = "#20242b", "#3d4552", "#e8e2d0", "#12151a"
_UNIT = 60  # pixels from cell to cell
_STEP_SECONDS, _SHORTEST, _LONGEST, _REST = 0.08, 2.0, 12.0, 0.2  # of an animation; the rest shows the solution


def terminal(board: Board, solution: Solution | None = None, *, colour: bool) -> str:
    """The board, filled if a solution is given: as plain text, or with ANSI colours."""
    plan = board.graph.plan
    if not colour or plan is None:
        return written_filling(board, solution.filling) if solution else written(board)
    letters = (
        solution.filling if solution else tuple(board.letter_at.get(at, "") for at in range(len(board.graph.nodes)))
    )
    return "\n".join(
        " " * (3 * row // 2 if plan.hexagonal else 0)
        + "".join(_tile(board, letters, (row, column)) for column in range(plan.columns))
        for row in range(plan.rows)
    )


def _tile(board: Board, letters: Sequence[str], place: tuple[int, int]) -> str:
    """Three characters for a place; the two layers of a bridge share them."""
    nodes = board.graph.places.get(place, ())
    if not nodes:
        return "   "
    if len(nodes) == 2:
        across, down = (colour_of(board, letters[node]) for node in nodes)
        return _painted(" ", across) + _painted("+", down) + _painted(" ", across)
    letter = letters[nodes[0]]
    return _painted(
        f" {letter if nodes[0] in board.letter_at else '·' if not letter else ' '} ", colour_of(board, letter)
    )


def _painted(text: str, paper: str) -> str:
    """The text on paper of the nearest of the 256 colours that nearly every terminal knows."""
    red, green, blue = (int(paper[at : at + 2], 16) for at in (1, 3, 5))
    ink = 16 if 0.3 * red + 0.59 * green + 0.11 * blue > 110 else 231
    nearest = 16 + 36 * round(red / 51) + 6 * round(green / 51) + round(blue / 51)
    return f"\x1b[1;38;5;{ink};48;5;{nearest}m{text}\x1b[0m"


def colour_of(board: Board, letter: str) -> str:
    """The colour of a letter; of no letter, the board's."""
    if not letter:
        return _PAPER
    index = board.letters.index(letter) if letter in board.sources else len(board.letters)
    if index < len(_COLOURS):
        return _COLOURS[index]
    lightness = (0.45, 0.65, 0.3)[index % 3]
    rgb = hls_to_rgb(index * 0.381966 % 1, lightness, 0.75)  # steps of the golden angle keep neighbours apart
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def svg(board: Board, solution: Solution | None = None, *, marks: Collection[int] = ()) -> str:
    """The board as a self-contained SVG; `marks` are nodes to point out."""
    sheet = _Sheet(board)
    lines = "".join(sheet.path(letter, path) for letter, path in solution.paths.items()) if solution else ""
    title = f"Flow {board.size}, {len(board.sources)} colours" + (", solved" if solution else "")
    return sheet.drawn(title, lines + sheet.dots() + sheet.rings(marks))


def animation(board: Board, solution: Solution) -> str:
    """An SVG that shows how the board is solved: the sweep as it tries and takes back, or else paths that grow."""
    shots = [*(frames(board) if sweeps(board) else _growth(solution)), solution.edges]
    seconds = min(max(_STEP_SECONDS * len(shots), _SHORTEST), _LONGEST)
    sheet = _Sheet(board)
    owner = {edge: solution.filling[edge[0]] for edge in solution.edges}
    drawn = {edge for shot in shots for edge in shot}
    lines = "".join(sheet.step(edge, owner.get(edge, ""), _moments(edge, shots), seconds) for edge in sorted(drawn))
    return sheet.drawn(f"Flow {board.size}, being solved", lines + sheet.dots())


def _growth(solution: Solution) -> list[frozenset[Edge]]:
    """All paths growing at once, a step each frame."""
    longest = max(len(path) for path in solution.paths.values())
    steps = [[tuple(sorted(pair)) for pair in itertools.pairwise(path)] for path in solution.paths.values()]
    return [frozenset((edge[0], edge[1]) for path in steps for edge in path[:length]) for length in range(longest)]


def _moments(edge: Edge, shots: Sequence[Collection[Edge]]) -> list[tuple[float, int]]:
    """When an edge appears and disappears, as shares of the whole; the last shot stays for a while."""
    found: list[tuple[float, int]] = []
    for at, shot in enumerate(shots):
        shown = int(edge in shot)
        if not found or found[-1][1] != shown:
            found.append((at / len(shots) * (1 - _REST), shown))
    return found


class _Sheet:
    """A board in the coordinates of its picture."""

    def __init__(self, board: Board) -> None:
        self.board = board
        nodes = board.graph.nodes
        self._left, self._top = min(node.x for node in nodes), min(node.y for node in nodes)
        self.width = (max(node.x for node in nodes) - self._left + 1) * _UNIT
        self.height = (max(node.y for node in nodes) - self._top + 1) * _UNIT

    def spot(self, node: Node) -> tuple[float, float]:
        """The middle of a node."""
        return (node.x - self._left + 0.5) * _UNIT, (node.y - self._top + 0.5) * _UNIT

    def drawn(self, title: str, content: str) -> str:
        """The whole picture."""
        margin = _UNIT / 4
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="{-margin:g} {-margin:g} '
            f'{self.width + 2 * margin:g} {self.height + 2 * margin:g}" width="{min(self.width + 2 * margin, 720):g}">'
            f"<title>{escape(title)}</title><desc>{escape(written(self.board))}</desc>"
            f'<rect x="{-margin:g}" y="{-margin:g}" width="{self.width + 2 * margin:g}" '
            f'height="{self.height + 2 * margin:g}" rx="10" fill="{_DARK}"/>'
            f"{self._cells()}{content}{self._walls()}</svg>"
        )

    def path(self, letter: str, path: Sequence[int]) -> str:
        """A path as a thick line; where it goes round the edge of the board it is broken."""
        colour = colour_of(self.board, letter)
        lines = "".join(self._line(one, other) for one, other in itertools.pairwise(path))
        return f'<path class="path" fill="none" stroke="{colour}" {_PEN} d="{lines}"/>'

    def step(self, edge: Edge, letter: str, moments: Sequence[tuple[float, int]], seconds: float) -> str:
        """One edge that comes and goes."""
        colour = colour_of(self.board, letter) if letter else "#77808f"
        values = ";".join(str(shown) for _, shown in moments)
        times = ";".join(f"{time:.4g}" for time, _ in moments)
        return (
            f'<path class="step" fill="none" stroke="{colour}" {_PEN} d="{self._line(*edge)}">'
            f'<animate attributeName="opacity" calcMode="discrete" values="{values}" keyTimes="{times}" '
            f'dur="{seconds:g}s" repeatCount="indefinite"/></path>'
        )

    def dots(self) -> str:
        """The sources, each with its letter."""
        return "".join(self._dot(node, letter) for node, letter in self.board.letter_at.items())

    def rings(self, nodes: Iterable[int]) -> str:
        """Circles around nodes to point out."""
        spots = [self.spot(self.board.graph.nodes[node]) for node in nodes]
        return "".join(
            f'<circle cx="{x:g}" cy="{y:g}" r="27" fill="none" stroke="#fff" stroke-width="4"/>' for x, y in spots
        )

    def _dot(self, node: int, letter: str) -> str:
        x, y = self.spot(self.board.graph.nodes[node])
        return (
            f'<circle cx="{x:g}" cy="{y:g}" r="20" fill="{colour_of(self.board, letter)}" stroke="{_DARK}"/>'
            f'<text x="{x:g}" y="{y + 7:g}" font-family="sans-serif" font-size="20" font-weight="700" '
            f'text-anchor="middle" fill="{_DARK}">{escape(letter)}</text>'
        )

    def _cells(self) -> str:
        hexagonal = self.board.graph.sides == 6
        shapes = []
        for node in self.board.graph.nodes:
            x, y = self.spot(node)
            corners = _HEXAGON if hexagonal else _SQUARE
            points = " ".join(f"{x + a * _UNIT:g},{y + b * _UNIT:g}" for a, b in corners)
            shapes.append(f'<polygon points="{points}"/>')
            if node.layer == "down":
                shapes.append(f'<path d="M{x - 22:g} {y - 14:g}h44m-44 28h44" stroke="{_WALL}"/>')
        return f'<g class="cells" fill="{_PAPER}" stroke="{_LINE}" stroke-width="2">{"".join(shapes)}</g>'

    def _walls(self) -> str:
        plan = self.board.graph.plan
        places = self.board.graph.places
        lines = []
        for one, other in sorted(plan.walls) if plan else ():
            if one in places and other in places:
                (a, b), (c, d) = (self.spot(self.board.graph.nodes[places[place][0]]) for place in (one, other))
                x, y, along, across = (a + c) / 2, (b + d) / 2, (c - a) / 2, (d - b) / 2
                lines.append(f"M{x - across:g} {y + along:g}L{x + across:g} {y - along:g}")
        return f'<path class="walls" d="{"".join(lines)}" stroke="{_WALL}" stroke-width="7" stroke-linecap="round"/>'

    def _line(self, one: int, other: int) -> str:
        (a, b), (c, d) = self.spot(self.board.graph.nodes[one]), self.spot(self.board.graph.nodes[other])
        if abs(a - c) + abs(b - d) > 2 * _UNIT and self.board.graph.plan is not None:
            return self._round_the_edge(a, b, c, d) + self._round_the_edge(c, d, a, b)
        return f"M{a:g} {b:g}L{c:g} {d:g}"

    def _round_the_edge(self, a: float, b: float, c: float, d: float) -> str:
        """From a cell to the edge of the board, away from its far neighbour."""
        x = a - _UNIT * 0.5 * ((c > a + _UNIT) - (c < a - _UNIT))
        y = b - _UNIT * 0.5 * ((d > b + _UNIT) - (d < b - _UNIT))
        return f"M{a:g} {b:g}L{x:g} {y:g}"


_PEN = 'stroke-width="22" stroke-linecap="round" stroke-linejoin="round"'
_SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_HEXAGON = ((0, -0.577), (0.5, -0.289), (0.5, 0.289), (0, 0.577), (-0.5, 0.289), (-0.5, -0.289))

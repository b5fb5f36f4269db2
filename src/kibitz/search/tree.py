"""A small alpha-beta tree, grown by plain Python and kept whole, for people to look at.

Values are for the side to move at the root. A branch that alpha-beta never looks at is in the tree, marked as cut.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape

from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.search.report import WIN

Evaluate = Callable[[Position], float]


@dataclass
class Node:
    """A position of the tree: the move that led to it, the window it was searched in, and what came out."""

    move: str
    maximising: bool
    alpha: float
    beta: float
    value: float | None = None  # None: cut, never looked at
    left_out: int = 0  # moves beyond the breadth
    children: list["Node"] = field(default_factory=list)
    best: bool = False


def grown(position: Position, depth: int, breadth: int, evaluate: Evaluate) -> Node:
    """The tree of `depth` moves, each node with its first `breadth` moves by text."""
    root = Node(position.text, True, -WIN, WIN)
    _grow(root, position, position.turn, depth, breadth, evaluate)
    _mark_best(root)
    return root


def _grow(node: Node, here: Position, me: int, depth: int, breadth: int, evaluate: Evaluate) -> float:
    node.value = _leaf_value(here, me, evaluate) if here.over or depth == 0 or here.turn == CHANCE else None
    if node.value is not None:
        return node.value
    alpha, beta = node.alpha, node.beta
    best = -WIN if node.maximising else WIN
    node.left_out = max(0, len(here.moves()) - breadth)
    for text in here.moves()[:breadth]:
        after = here.play(text)
        child = Node(text, after.turn == me, alpha, beta)
        node.children.append(child)
        if alpha >= beta:
            continue
        value = _grow(child, after, me, depth - 1, breadth, evaluate)
        best = max(best, value) if node.maximising else min(best, value)
        if node.maximising:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
    node.value = best
    return best


def _leaf_value(here: Position, me: int, evaluate: Evaluate) -> float:
    if here.result is None:
        return evaluate(here)
    if here.result.winner is None:
        return 0.0
    return WIN if here.result.winner == me else -WIN


def _mark_best(node: Node) -> None:
    node.best = True
    for child in node.children:
        if child.value is not None and child.value == node.value:
            _mark_best(child)
            return


def _shown(value: float) -> str:
    if abs(value) >= WIN:
        return "win" if value > 0 else "loss"
    return f"{value:+.4g}"


def _window(node: Node) -> str:
    low = "-inf" if node.alpha <= -WIN else _shown(node.alpha)
    high = "inf" if node.beta >= WIN else _shown(node.beta)
    return f"[{low}, {high}]"


def tree_text(root: Node) -> str:
    """The tree as indented lines: move, window, value; `*` on the best line, `cut` where nobody looked."""
    return "\n".join(_lines(root, ""))


def _lines(node: Node, indent: str) -> Iterator[str]:
    kind = "max" if node.maximising else "min"
    said = "cut" if node.value is None else f"{kind} {_window(node)} = {_shown(node.value)}"
    said += f"  ({node.left_out} more moves left out)" if node.left_out else ""
    yield f"{indent}{'*' if node.best else ' '} {node.move}  {said}"
    for child in node.children:
        yield from _lines(child, indent + "    ")


ROW, COLUMN, BOX = 92, 92, 76


def tree_svg(root: Node) -> str:
    """The tree as a picture: maximising nodes are round, minimising ones square, cut branches pale."""
    parts: list[str] = []
    width = _draw(root, 0, 0, parts) * COLUMN
    height = (_height(root) + 1) * ROW
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">'
    )
    title = f"<title>alpha-beta tree of {escape(root.move)}</title>"
    ground = f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>'
    return "\n".join([head, title, ground, *parts, "</svg>"]) + "\n"


def _height(node: Node) -> int:
    return 1 + max((_height(child) for child in node.children), default=-1)


def _draw(node: Node, left: int, depth: int, parts: list[str]) -> int:
    """Draw a subtree from this column on; how many columns it takes."""
    middles: list[tuple[float, Node]] = []
    columns = 0
    place = len(parts)
    for child in node.children:
        taken = _draw(child, left + columns, depth + 1, parts)
        middles.append(((left + columns + taken / 2) * COLUMN, child))
        columns += taken
    columns = max(columns, 1)
    x, y = (left + columns / 2) * COLUMN, depth * ROW + ROW * 0.45
    edges = [_edge(x, y, middle, child) for middle, child in middles]
    parts[place:place] = edges
    parts.append(_box(node, x, y, depth))
    return columns


def _edge(x: float, y: float, below: float, child: Node) -> str:
    colour, width = ("#c2410c", 3) if child.best else ("#9ca3af", 1.5)
    dash = ' stroke-dasharray="4 4"' if child.value is None else ""
    return f'<path d="M{x:g} {y:g}L{below:g} {y + ROW:g}" stroke="{colour}" stroke-width="{width}"{dash}/>'


def _box(node: Node, x: float, y: float, depth: int) -> str:
    cut = node.value is None
    fill = "#eeece6" if cut else "#fde9d9" if node.maximising else "#dbe7f5"
    edge = "#c2410c" if node.best else "#b8b4aa" if cut else "#57534e"
    name = "start" if depth == 0 else node.move
    value = "cut" if node.value is None else _shown(node.value)
    texts = [(name, -9, 12, "bold"), (value, 7, 13, "normal"), ("" if cut else _window(node), 21, 9, "normal")]
    lines = "".join(
        f'<text x="{x:g}" y="{y + down:g}" font-size="{size}" font-weight="{weight}" text-anchor="middle" '
        f'fill="{"#8a867c" if cut else "#1c1917"}">{escape(text)}</text>'
        for text, down, size, weight in texts
    )
    corner = 26 if node.maximising else 4
    return (
        f'<rect x="{x - BOX / 2:g}" y="{y - 27:g}" width="{BOX}" height="54" rx="{corner}" fill="{fill}" '
        f'stroke="{edge}" stroke-width="{2.5 if node.best else 1.2}"/>{lines}'
    )

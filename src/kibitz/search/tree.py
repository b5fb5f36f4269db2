"""A small alpha-beta tree, kept whole for people to look at.

Values are for the side to move at the root, `depth` moves ahead. All moves are searched, but only some are shown: the
first ones by text, always the best, and one that was cut if any was. A branch that alpha-beta never looks at is marked
as cut. The ply limit counts, repetition does not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, new_control, run_stoppable
from kibitz.core.seam.slots import evaluate, moves_once, outcomes, play, result, turn
from kibitz.search.report import WIN

WITHIN_A_TURN = 64  # buffers for so many chance nodes between the moves of a line


@dataclass
class Node:
    """A position of the tree: the move that led to it, the window it was searched in, and what came out."""

    move: str
    maximising: bool
    alpha: float
    beta: float
    value: float | None = None  # None: cut, never looked at
    left_out: int = 0  # moves that are not shown
    children: list["Node"] = field(default_factory=list)
    best: bool = False


def grow_tree(position: Position, depth: int, breadth: int, heuristic: Heuristic) -> Node:
    """The tree of `depth` moves that shows `breadth` moves of each node."""
    root = _Grower(position, depth, breadth, heuristic).grow(position.text, position.state, depth, -WIN, WIN)
    _mark_best(root)
    return root


class _Grower:
    """What the nodes of one tree share."""

    def __init__(self, position: Position, depth: int, breadth: int, heuristic: Heuristic) -> None:
        self.game: Game = position.game
        self.me = FIRST if position.turn == CHANCE else position.turn
        self.breadth = breadth
        size = self.game.max_moves * (depth + WITHIN_A_TURN)
        stacks = Stacks(heuristic.weight_array, np.zeros(size), np.zeros(size, np.int64), new_control())
        kernel = specialise(self.game.rulebook, search_value, heuristic)
        self._search = partial(run_stoppable, stacks.control, kernel, stacks, self.me, 0)

    def value(self, state: Any, depth: int, alpha: float, beta: float) -> float:
        """What a state is worth, without a tree."""
        return float(self._search(depth, alpha, beta, state, self.game.rules))

    def grow(self, text: str, state: Any, depth: int, alpha: float, beta: float) -> Node:
        """The node of a state with all that is shown below it."""
        side = self.game.turn(state)
        node = Node(text, side == self.me, alpha, beta)
        over = self.game.result(state) != ONGOING
        if side == CHANCE and not over:
            self._add_outcomes(node, state, depth)
        elif over or depth == 0:
            node.value = self.value(state, 0, alpha, beta)
        else:
            self._add_moves(node, state, depth)
        return node

    def _add_outcomes(self, node: Node, state: Any, depth: int) -> None:
        """Every outcome has a window of its own: the mean takes them all."""
        rolls = self.game.outcomes(state)
        values = []
        for number, (_, code) in enumerate(rolls):
            after = self.game.play(state, code)
            if number < self.breadth:
                node.children.append(self.grow(self.game.move_text(state, code), after, depth, -WIN, WIN))
                values.append(node.children[-1].value or 0.0)
            else:
                values.append(self.value(after, depth, -WIN, WIN))
        node.left_out = len(rolls) - len(node.children)
        mean = sum(odds * value for (odds, _), value in zip(rolls, values, strict=True))
        node.value = values[0] if len(set(values)) == 1 else mean

    def _add_moves(self, node: Node, state: Any, depth: int) -> None:
        """The first moves as nodes, then the others without; where one of those is better, it is shown instead, and
        where all that were cut come late, the first of them besides.
        """
        texts = sorted((self.game.move_text(state, code), code) for code in self.game.moves_once(state))
        alpha, beta, better, cut = node.alpha, node.beta, None, None
        best = -WIN if node.maximising else WIN
        for number, (text, code) in enumerate(texts):
            after = self.game.play(state, code)
            shown = number < self.breadth
            if alpha >= beta:
                cut = Node(text, self.game.turn(after) == self.me, alpha, beta)
                if not shown:
                    break
                node.children.append(cut)
                continue
            if shown:
                node.children.append(self.grow(text, after, depth - 1, alpha, beta))
                value = node.children[-1].value or 0.0
            else:
                value = self.value(after, depth - 1, alpha, beta)
            if (value > best) if node.maximising else (value < best):
                best = value
                better = None if shown else (text, after, depth - 1, alpha, beta)
            alpha, beta = (max(alpha, best), beta) if node.maximising else (alpha, min(beta, best))
        if better is not None:
            node.children[-1] = self.grow(*better)
            best = node.children[-1].value or 0.0
        if cut is not None and cut not in node.children and all(child.value is not None for child in node.children):
            node.children.append(cut)
        node.left_out = len(texts) - len(node.children)
        node.value = best


# The same search without a tree, compiled.


class Stacks(NamedTuple):
    """The weights of the heuristic, and stacks of probabilities and moves."""

    weights: NDArray[np.float64]
    odds: NDArray[np.float64]
    moves: NDArray[np.int64]
    control: NDArray[np.int64]


def search_value(
    stacks: Stacks, me: int, at: int, depth: int, alpha: float, beta: float, state: Any, rules: Any
) -> float:  # fmt: skip
    """What a state is worth to `me`, `depth` moves ahead: exact between alpha and beta, else a bound. The stacks are
    free from `at` on.
    """
    ended = result(state, rules)
    if ended != ONGOING:
        return 0.0 if ended == DRAW else WIN if ended == FIRST_WINS + me else -WIN
    side = turn(state, rules)
    if side == CHANCE:
        end = outcomes(state, rules, stacks.odds, stacks.moves, at)
        total, least, most = 0.0, WIN, -WIN
        for index in range(at, end):
            child = play(state, stacks.moves[index], rules)
            value = search_value(stacks, me, end, depth, -WIN, WIN, child, rules)
            total += stacks.odds[index] * value
            least, most = min(least, value), max(most, value)
        return least if least == most else total  # so that a win after every outcome is still one
    if depth == 0 or stacks.control[STOP] != 0:
        score = evaluate(state, rules, stacks.weights, me)
        return float(score if me == FIRST else -score)
    end = moves_once(state, rules, stacks.moves, at)
    best = -WIN if side == me else WIN
    for index in range(at, end):
        child = play(state, stacks.moves[index], rules)
        value = search_value(stacks, me, end, depth - 1, alpha, beta, child, rules)
        if side == me:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


# What people see.


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
    said += f"  ({node.left_out} more moves, not shown)" if node.left_out else ""
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

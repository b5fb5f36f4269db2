"""Draw the pictures of the documents: `make pictures`, then look at them."""

import re
from pathlib import Path

from kibitz import games, heuristics
from kibitz.core import picture
from kibitz.core.position import Position
from kibitz.search import tree

FOLDER = Path(__file__).parent
BOARDS = {
    "breakthrough": (
        "breakthrough",
        "d2-e3 c7-b6 c2-c3 b6-c5 e3-d4 a7-b6 a2-b3 d7-e6 b3-c4 b7-c6 a1-a2 e6-d5 a2-b3 e7-d6 c4xd5 c6xd5 d4xc5 b6xc5",
    ),
    "alquerque": ("alquerque", "18-13 8x18 23x13 11x23 13x11"),
    "wolves": ("wolves", "b1-b2 b4-b3 d1-c1 a4-b4 b2-b1 b3-a3 b1-a1 a3-a4"),
    "checkers": (
        "checkers",
        "17,3-15,5 3,3-5,5 19,1-15,3 1,1-5,3 16,4-14,6 4,3-6,3 17,2-15,2 3,2-7,4 18,1-14,5 4,4-10,4",
    ),
    "vampires": ("vampires:thetrap", "4,3>3,2:1+4,3>3,3:3+end 4,1>3,1:2+4,1>5,2:2+end"),
}


def main() -> None:
    shown = {}
    for name, (game, line) in BOARDS.items():
        shown[name] = games.load(game).new().play(line)
        (FOLDER / f"{name}.svg").write_text(picture.svg(shown[name]))
    (FOLDER / "games.svg").write_text(strip(list(shown.values())))
    start = games.position("tictactoe").play("b2 a1 c1")
    (FOLDER / "tictactoe.svg").write_text(picture.svg(start))
    (FOLDER / "tree.svg").write_text(tree.tree_svg(small_tree()))


def strip(positions: list[Position], size: int = 300, gap: int = 14) -> str:
    """All boards in one row."""
    parts = []
    for number, position in enumerate(positions):
        head, rest = picture.svg(position, size=size, caption=False).split(">", 1)
        view = re.search(r'viewBox="[^"]*"', head)
        assert view is not None
        parts.append(f'<svg x="{number * (size + gap)}" width="{size}" height="{size}" {view[0]}>{rest}')
    width = len(positions) * (size + gap) - gap
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {size}" width="{width}" height="{size}">'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def small_tree() -> tree.Node:
    here = games.position("breakthrough,rows=5,columns=3")
    chosen = heuristics.find(here.game.rulebook)
    return tree.grow_tree(here, 2, 4, chosen)


main()

"""`kibitz tree`: a small search tree to look at."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz import heuristics
from kibitz.cli.texts import GameText, PositionText
from kibitz.core.files import write_whole
from kibitz.core.options import in_range
from kibitz.games import catalog
from kibitz.search import tree as growing


def tree(
    game: GameText,
    position: PositionText = None,
    depth: Annotated[int, typer.Option(help="How many moves deep, 1 to 4.")] = 2,
    breadth: Annotated[int, typer.Option(help="At most so many moves a node.")] = 4,
    heuristic: Annotated[str | None, typer.Option(help="Which one; the default if left out.")] = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tree as SVG.")] = None,
) -> None:
    """Show an alpha-beta search tree with its windows, values and cut branches."""
    here = catalog.position(game, position, line)
    in_range("depth", depth, 1, 4)
    in_range("breadth", breadth, 1, 40)
    chosen = heuristics.find(here.game.rulebook, heuristic)
    root = growing.grown(here, depth, breadth, lambda seen: chosen.explain(seen, here.turn).total_for(here.turn))
    if svg is not None:
        write_whole(svg, growing.tree_svg(root))
    print(growing.tree_text(root))

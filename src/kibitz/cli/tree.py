"""`kibitz tree`: a small search tree to look at."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz import nets
from kibitz.cli.texts import GameText, PositionText
from kibitz.core.options import in_range
from kibitz.core.output_file import write_file
from kibitz.games import catalog
from kibitz.search.tree import grow_tree, tree_svg, tree_text


def tree(
    game: GameText,
    position: PositionText = None,
    depth: Annotated[int, typer.Option(help="How many moves deep, 1 to 4.")] = 2,
    breadth: Annotated[int, typer.Option(help="Show so many moves of a node.")] = 4,
    heuristic: Annotated[str | None, typer.Option(help="Which one; the default if left out.")] = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tree as SVG.")] = None,
) -> None:
    """Show an alpha-beta search tree with its windows, values and cut branches."""
    here = catalog.position(game, position, line)
    in_range("depth", depth, 1, 4)
    in_range("breadth", breadth, 1, 40)
    chosen = nets.find_heuristic(here.game, heuristic)
    root = grow_tree(here, depth, breadth, chosen)
    if svg is not None:
        write_file(svg, tree_svg(root))
    print(tree_text(root))

"""`kibitz explain`: what a heuristic sees in a position."""

from typing import Annotated

import typer

from kibitz import heuristics
from kibitz.cli.texts import GameText, Json, PositionText, print_json
from kibitz.core.errors import KibitzError
from kibitz.games import catalog


def explain(
    game: GameText,
    position: PositionText = None,
    heuristic: Annotated[str | None, typer.Option(help="Which one; the default if left out.")] = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
    as_json: Json = False,
) -> None:
    """Show a position's score term by term."""
    here = catalog.position(game, position, line)
    told = heuristics.find(here.game.rulebook, heuristic).explain(here)
    if not told.rows:
        raise KibitzError(f"{here.game.text} has no heuristic, so there is nothing to explain")
    if as_json:
        rows = [{"feature": name, "count": count, "weight": weight} for name, count, weight in told.rows]
        print_json({"heuristic": told.heuristic, "for": told.side, "features": rows, "total": told.total})
        return
    print(told)

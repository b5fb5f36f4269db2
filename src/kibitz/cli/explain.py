"""`kibitz explain`: what a heuristic, made by hand or learned, sees in a position."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz import nets
from kibitz.cli.texts import GameText, Json, PositionText, print_json
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.heuristic import Heuristic
from kibitz.core.output_file import write_file
from kibitz.core.picture import svg
from kibitz.core.position import Position
from kibitz.games import catalog
from kibitz.nets.explanation import explain as explain_net


def explain(
    game: GameText,
    position: PositionText = None,
    heuristic: Annotated[str | None, typer.Option(help="Which one; the default if left out.")] = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
    picture: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Of a learned one: the board with each piece's worth.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a position's score term by term, or what each piece is worth to a learned evaluation."""
    here = catalog.position(game, position, line)
    chosen = nets.find_heuristic(here.game, heuristic)
    if chosen.network is not None:
        _explain_network(chosen, here, picture, as_json)
        return
    if picture is not None:
        raise BadOption(f"{chosen.name} is not learned, expected --svg with a learned evaluation")
    told = chosen.explain(here)
    if not told.rows:
        raise KibitzError(f"{here.game.text} has no heuristic, so there is nothing to explain")
    if as_json:
        rows = [{"feature": name, "count": count, "weight": weight} for name, count, weight in told.rows]
        print_json({"heuristic": told.heuristic, "for": told.side, "features": rows, "total": told.total})
        return
    print(told)


def _explain_network(chosen: Heuristic, here: Position, picture: Path | None, as_json: bool) -> None:
    told = explain_net(chosen, here)
    if picture is not None:
        write_file(picture, svg(here, notes=told.notes))
    if as_json:
        cells, sides = here.game.layout.cells, here.game.rulebook.sides
        rows = [
            {"cell": cells[one.cell].name, "piece": one.name, "for": sides[one.side], "percent": round(one.percent, 2)}
            for one in told.worths
        ]
        facts = {"heuristic": told.heuristic, "for": sides[told.view], "percent": round(told.percent, 2)}
        print_json(facts | {"points": told.points, "pieces": rows})
        return
    print(told)

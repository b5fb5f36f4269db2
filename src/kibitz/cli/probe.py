"""`kibitz probe`: what perfect play comes to, from a table."""

from typing import Annotated

import typer

from kibitz.cli.texts import GameText, Json, PositionText, print_json
from kibitz.games import catalog


def probe(
    game: GameText,
    position: PositionText = None,
    line: Annotated[str, typer.Option(help="Moves to play first.")] = "",
    as_json: Json = False,
) -> None:
    """Print the value of a position and of each move, the best first. The table is built by `kibitz solve`."""
    from kibitz.tables import lookup

    here = catalog.position(game, position, line)
    found = lookup.look_up(here)
    sides = here.game.rulebook.sides
    if as_json:
        print_json(
            {
                "game": here.game.text,
                "position": here.text,
                "value": lookup.describe(found.value, sides),
                "moves": {text: lookup.describe(value, sides) for text, value in found.moves},
            }
        )
        return
    print(f"{here.text}   {here.to_move} to move" if not here.over else here.text)
    print(found.value.text(sides))
    widest = max((len(text) for text, _ in found.moves), default=0)
    for text, value in found.moves:
        print(f"  {text:{widest}}  {value.text(sides)}")

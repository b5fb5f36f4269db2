"""`kibitz show`: a position as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.streams import draw_board
from kibitz.cli.texts import GameText, Json, PositionText, print_json
from kibitz.core import picture
from kibitz.core.output_file import write_file
from kibitz.games import catalog


def show(
    game: GameText,
    position: PositionText = None,
    line: Annotated[str, typer.Option(help="Moves to play first, as 'a2-a3 a7-a6'.")] = "",
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture as SVG.")] = None,
    as_json: Json = False,
) -> None:
    """Show a position, its text and its legal moves."""
    here = catalog.position(game, position, line)
    if svg is not None:
        write_file(svg, picture.svg(here))
    if as_json:
        print_json(
            {
                "game": here.game.text,
                "position": here.text,
                "to_move": here.to_move,
                "result": here.result.name.lower() if here.result else None,
                "moves": here.moves(),
                "outcomes": [{"probability": odds, "outcome": text} for odds, text in here.outcomes()],
            }
        )
        return
    choices = _choices(here.moves(), here.outcomes())
    print(f"{draw_board(here)}\n{picture.status(here)}\n\n{here.text}\n{choices}")


def _choices(moves: list[str], outcomes: list[tuple[float, str]]) -> str:
    if outcomes:
        return "chance: " + ", ".join(f"{text} {odds:.1%}" for odds, text in outcomes)
    if not moves:
        return "the game is over"
    some = " ".join(moves[:40]) + (" ..." if len(moves) > 40 else "")
    return f"{len(moves)} moves: {some}"

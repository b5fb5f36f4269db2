"""Arguments that several commands share."""

import json
from typing import Annotated, Any

import typer

GameText = Annotated[str, typer.Argument(metavar="GAME", help="name[:preset][,key=value...], or a rules file's path.")]
PositionText = Annotated[str | None, typer.Argument(metavar="[POSITION]", help="Position text; the start if left out.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def print_json(value: Any) -> None:
    """Print a value for programs to read."""
    print(json.dumps(value, indent=2))

"""`kibitz new`: begin a game of one's own."""

from typing import Annotated

import typer

from kibitz.laws.scaffold import SHAPES, scaffold

_LIKE = "What to start from: " + "; ".join(f"{shape}, {what}" for shape, what in SHAPES.items()) + "."


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called: letters, digits and _.")],
    like: Annotated[str, typer.Option(metavar="|".join(SHAPES), help=_LIKE)] = "grid",
) -> None:
    """Write NAME.py, a short game to start from, and test_NAME.py."""
    game, test = scaffold(name, like=like)
    print(f"wrote {game}, for now {SHAPES[like]}, and {test}")
    print(f"next: kibitz play {game}, change the rules, kibitz check {game}")

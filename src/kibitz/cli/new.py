"""`kibitz new`: begin a game of one's own."""

from typing import Annotated

import typer

from kibitz.laws.scaffold import scaffold


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the game is called: letters, digits and _.")],
) -> None:
    """Write NAME.py, a commented game to start from, and test_NAME.py."""
    game, test = scaffold(name)
    print(f"wrote {game}, which is tic-tac-toe for now, and {test}")
    print(f"next: kibitz play {game}, change the rules, kibitz check {game}")

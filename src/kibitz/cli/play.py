"""`kibitz play`: a game in the terminal."""

import random
import sys
from typing import Annotated, Literal

import typer

from kibitz.cli.texts import GameText
from kibitz.core import picture
from kibitz.core.errors import IllegalMove
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.games import catalog

Player = Literal["human", "random"]
HELP = "a move, or: moves, undo, text, help, quit"


def play(
    game: GameText,
    first: Annotated[Player, typer.Option(help="Who plays the first side.")] = "human",
    second: Annotated[Player, typer.Option(help="Who plays the second side.")] = "random",
    position: Annotated[str | None, typer.Option(help="Start from this position text.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random player and of battles.")] = None,
) -> None:
    """Play in the terminal: you against a random mover, two people, or watch."""
    here = catalog.position(game, position)
    dice = random.Random(seed)
    print(f"{here.game.rulebook.title}: {HELP}")
    while not here.over:
        player = "random" if here.turn == CHANCE else (first, second)[here.turn]
        if player == "human":
            _draw(here)
            answer = _asked(here, (first, second))
            if answer is None:
                print(here.text)
                return
            here = answer
        else:
            here = _moved(here, dice)
    _draw(here)


def _draw(here: Position) -> None:
    print(f"\n{picture.terminal(here, colour=sys.stdout.isatty())}\n")


def _moved(here: Position, dice: random.Random) -> Position:
    after = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.codes))
    assert after.last_move is not None
    print(f"{here.to_move}: {here.game.move_text(here.state, after.last_move)}")
    return after


def _asked(here: Position, players: tuple[Player, Player]) -> Position | None:
    """The position after what the human typed; None to stop."""
    while True:
        try:
            word = input(f"{here.to_move}> ").strip()
        except EOFError:
            print()
            return None
        if word in ("quit", "exit", "q"):
            return None
        if word == "undo":
            return _undone(here, players)
        if word in ("", "help", "?"):
            print(HELP)
        elif word == "moves":
            print(" ".join(here.moves()))
        elif word == "text":
            print(here.text)
        else:
            try:
                return here.play(word)
            except IllegalMove as error:
                print(error)


def _undone(here: Position, players: tuple[Player, Player]) -> Position:
    """The last position in which a human was to move, or this one at the beginning."""
    for earlier in here.trail():
        if earlier is not here and earlier.turn != CHANCE and players[earlier.turn] == "human":
            return earlier
    print("nothing to undo")
    return here

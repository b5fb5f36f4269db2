"""`kibitz play`: a game in the terminal."""

import random
import sys
from typing import Annotated

import typer

from kibitz import agents
from kibitz.agents.agent import Agent
from kibitz.cli.best import turn_text
from kibitz.cli.texts import GameText
from kibitz.core import picture
from kibitz.core.errors import IllegalMove
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.options import in_range
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.games import catalog

HUMAN = "human"
HELP = "type a move, or: moves, hint, undo, text, help, quit"
PlayerText = Annotated[str, typer.Option(help="human, or an agent such as engine:level=3, mcts or random.")]


def play(
    game: GameText,
    first: PlayerText = HUMAN,
    second: PlayerText = "",
    level: Annotated[int, typer.Option(help="Strength of the engine, 1 to 10.")] = 4,
    seconds: Annotated[float, typer.Option(help="Seconds a machine may think.")] = 1.0,
    position: Annotated[str | None, typer.Option(help="Start from this position text.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of battles and other chances.")] = None,
) -> None:
    """Play in the terminal: you against a machine, two people, or two machines."""
    here = catalog.position(game, position)
    in_range("level", level, 1, 10)
    limit = Limit(seconds=seconds)
    machine = agents.default_agent(here.game)
    texts = (first, second or (f"engine:level={level}" if machine == "engine" else machine))
    players = [None if text == HUMAN else agents.agent(text, here.game) for text in texts]
    print(f"{here.game.rulebook.title}: {' against '.join(texts)}. {HELP}")
    end = _Table(players, limit, random.Random(seed), here.game).played(here)
    _draw(end)
    if not end.over:
        print(f"to go on: kibitz play {end.game.text} --position '{end.text}'")


class _Table:
    """Who sits where, and how each comes to a move."""

    def __init__(self, players: list[Agent | None], limit: Limit, dice: random.Random, game: Game) -> None:
        self.players = players
        self.limit = limit
        self.dice = dice
        self.helper: Agent | None = next((player for player in players if player is not None), None)
        self.game = game

    def played(self, here: Position) -> Position:
        """The position at the end, or where a human left."""
        while not here.over:
            if here.turn == CHANCE:
                after: Position | None = here.roll(self.dice)
                assert after is not None
                assert after.last_move is not None
                print(f"chance: {here.game.move_text(here.state, after.last_move)}")
            elif self.players[here.turn] is None:
                _draw(here)
                after = self._asked(here)
            else:
                after = self._thought(here)
            if after is None:
                return here
            here = after
        return here

    def _thought(self, here: Position) -> Position:
        player = self.players[here.turn]
        assert player is not None
        moves = player.choose(here, self.limit).moves
        print(f"{here.to_move}: {turn_text(here, moves)}", flush=True)
        for move in moves:
            here = here.play(move)
        return here

    def _asked(self, here: Position) -> Position | None:
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
                return self._undone(here)
            if word:
                try:
                    answer = self._answered(here, word)
                except IllegalMove as error:
                    print(error)
                    continue
                if answer is not None:
                    return answer

    def _answered(self, here: Position, word: str) -> Position | None:
        """The position after a move, or None after a word that only asks for something."""
        if word in ("help", "?"):
            print(HELP)
        elif word == "moves":
            print(" ".join(here.moves()))
        elif word == "text":
            print(here.text)
        elif word == "hint":
            self.helper = self.helper or agents.agent(agents.default_agent(self.game), self.game)
            print(f"try {turn_text(here, self.helper.choose(here, self.limit).moves)}")
        else:
            return here.play(word)
        return None

    def _undone(self, here: Position) -> Position:
        """The last position in which a human was to move, or this one at the beginning."""
        for earlier in here.trail():
            if earlier is not here and earlier.turn != CHANCE and self.players[earlier.turn] is None:
                return earlier
        print("nothing to undo")
        return here


def _draw(here: Position) -> None:
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    print(f"\n{picture.terminal(here, colour=sys.stdout.isatty() and not plain)}\n{picture.status(here)}\n")

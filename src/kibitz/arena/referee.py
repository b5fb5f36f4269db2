"""The referee: plays one game between two players and writes down what happened. It alone knows the rules."""

import random
from collections.abc import Mapping, Sequence
from types import TracebackType

from kibitz.arena.lobby import IDLE, Lobby, Seat
from kibitz.arena.outsider import CHILD
from kibitz.arena.player import Offence, Player
from kibitz.arena.record import Record
from kibitz.arena.sitting import Sitting, opening_plies
from kibitz.arena.stamp import stamped
from kibitz.arena.task import GameTask, House
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.games import catalog

DEFAULT = House()
NO_TAGS: Mapping[str, str] = {}


class NotReady(KibitzError):
    """A player that cannot take part in a match."""


def play(task: GameTask, tags: Mapping[str, str] = NO_TAGS) -> Record:
    """Play one game."""
    with Referee() as referee:
        return referee.play(task, tags)


class Referee:
    """Plays games one after the other, and keeps players ready between them. Close it, or use it with `with`."""

    def __init__(self, idle: int = IDLE, child: Sequence[str] = CHILD) -> None:
        self.lobby = Lobby(idle, child)
        self.games: dict[str, Game] = {}

    def play(self, task: GameTask, tags: Mapping[str, str] = NO_TAGS) -> Record:
        """Play a game to its end, whatever the players do. Only a task that makes no sense is an error."""
        game = self._game(task.game)
        start = game.new()
        opened = start.play(task.opening)
        opening = opening_plies(opened)
        seats = [Seat(task.game, agent, task.house) for agent in (task.first, task.second)]
        players: list[Player] = []
        try:
            players.append(self.lobby.called(game, seats[0]))
            players.append(self.lobby.called(game, seats[1]))
            sitting = Sitting(task, players, opened, random.Random(task.seed), opening.copy())
            verdict = sitting.played()
        except BaseException:
            for player in players:
                player.close()
            raise
        for side, (seat, player) in enumerate(zip(seats, players, strict=True)):
            if side in verdict.guilty:
                player.close()
            else:
                self.lobby.back(seat, player)
        return Record(
            game=game.text,
            first=task.first,
            second=task.second,
            start=start.text,
            plies=tuple(sitting.plies),
            opening=len(opening),
            result=verdict.result,
            reason=verdict.reason,
            seed=task.seed,
            tags=stamped(task.control, tags),
        )

    def try_out(self, game: str, agent: str, house: House = DEFAULT) -> None:
        """Make an agent ready once, or raise in one line what is wrong with it."""
        seat = Seat(game, agent, house)
        player = self.lobby.called(self._game(game), seat)
        try:
            player.begin(self._game(game).new(), 1)
            player.ready()
        except Offence as offence:
            player.close()
            raise NotReady(f"agent {agent}: {offence}") from None
        except BaseException:
            player.close()
            raise
        self.lobby.back(seat, player)

    def close(self) -> None:
        """End the players that wait."""
        self.lobby.close()

    def __enter__(self) -> "Referee":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _game(self, text: str) -> Game:
        if text not in self.games:
            self.games[text] = catalog.load(text)
        return self.games[text]

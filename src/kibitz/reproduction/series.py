"""Series of games between two agents, and the figures that reports print of them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.resources import Resources
from kibitz.arena.records import replay
from kibitz.arena.records.record import Ply, Record
from kibitz.core.position import Position
from kibitz.core.random_play import random_opening
from kibitz.core.result import CHANCE, FIRST, SECOND, Result
from kibitz.games import catalog
from kibitz.reproduction.claim import Watch

IN_PROCESS = Resources(apart=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchSettings:
    """Who meets whom. With `swapped` each opening is played twice, the hero on either side."""

    game: str
    hero: str  # moves first where sides are not swapped
    other: str
    games: int
    swapped: bool = False
    opening: int = 0  # random turns at the beginning
    nodes: int | None = None  # a move
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Game:
    """A played game, and the side that the hero had."""

    record: Record
    side: int
    end: Position

    @property
    def points(self) -> float:
        """Of the hero."""
        if self.record.result in (None, Result.DRAW):
            return 0.5
        return float((self.record.result == Result.FIRST_WINS) == (self.side == FIRST))


class Series:
    """The games of a match, all seen from the hero."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.games = games

    @property
    def wins(self) -> int:
        return sum(game.points == 1.0 for game in self.games)

    @property
    def losses(self) -> int:
        return sum(game.points == 0.0 for game in self.games)

    @property
    def draws(self) -> int:
        return len(self.games) - self.wins - self.losses

    @property
    def score(self) -> str:
        """As `31 won, 2 drawn, 7 lost`."""
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"

    def nodes(self, hero: bool) -> float:
        """Nodes a move."""
        return mean(ply.nodes for ply in self._plies(hero))

    def total_nodes(self, hero: bool) -> float:
        """Nodes a game."""
        return sum(ply.nodes for ply in self._plies(hero)) / len(self.games)

    def seconds(self, hero: bool) -> float:
        """Seconds a move."""
        return mean(ply.seconds for ply in self._plies(hero))

    def winners_moves(self) -> float:
        """How many moves the winner made, on average."""
        won = [game.record for game in self.games if game.record.result in (Result.FIRST_WINS, Result.SECOND_WINS)]
        sides = [FIRST if record.result == Result.FIRST_WINS else SECOND for record in won]
        counts = [sum(ply.side == side for ply in record.plies) for record, side in zip(won, sides, strict=True)]
        return mean(counts) if counts else 0.0

    def plies(self) -> float:
        """Turns a game has, on average."""
        return mean(sum(ply.side != CHANCE for ply in game.record.plies) for game in self.games)

    def _plies(self, hero: bool) -> list[Ply]:
        return [
            ply
            for game in self.games
            for ply in game.record.plies[game.record.opening :]
            if ply.side == (game.side if hero else 1 - game.side)
        ]


def play_match(match: MatchSettings, watch: Watch) -> Series:
    """Play the games of a match in this process; no clock decides any of them."""
    games: list[Game] = []
    with Referee() as referee:
        for number in range(match.games):
            side = number % 2 if match.swapped else FIRST
            record = referee.play(_task(match, number, side))
            if record.reason.split(":")[0] not in ("rules", "adjudicated"):
                raise RuntimeError(f"{match.game}, {match.hero} against {match.other}: {record.reason}")
            games.append(Game(record, side, replay.check_replay(record)))
            watch(f"{match.game}: {record.first} against {record.second}")
    return Series(games)


def _task(match: MatchSettings, number: int, side: int) -> GameTask:
    pair = number // 2 if match.swapped else number
    first, second = (match.hero, match.other) if side == FIRST else (match.other, match.hero)
    opening = random_line(match.game, match.opening, match.seed + pair)
    return GameTask(
        game=match.game,
        first=first,
        second=second,
        control=TimeControl(nodes=match.nodes),
        opening=opening,
        seed=1000 * match.seed + number,
        resources=IN_PROCESS,
    )


def random_line(text: str, turns: int, seed: int) -> str:
    """Some random turns from the start, with what chance made of them; the game is not over after them."""
    return random_opening(catalog.load(text), turns, random.Random(f"{text} {turns} {seed}")).line

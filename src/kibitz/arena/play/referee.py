"""The referee: plays one game between two players and writes down what happened. It alone knows the rules."""

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType

from kibitz import agents
from kibitz.arena.play.fingerprint import net_hash
from kibitz.arena.play.fixture import SILENCE, Printed
from kibitz.arena.play.machine import LatenessMeter
from kibitz.arena.play.tags import control_text, make_tags
from kibitz.arena.play.task import GameTask
from kibitz.arena.play.timed_game import Ending, TimedGame, opening_plies
from kibitz.arena.players.log import join_logs
from kibitz.arena.players.player import Offence, Player, printable
from kibitz.arena.players.player_pool import IDLE, PlayerPool, Seat
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.subprocess_player import CHILD
from kibitz.arena.players.supervised_process import SupervisorLost, remove_leftovers
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.result import Result
from kibitz.games import catalog

DEFAULT = Resources()
SIDES = ("First", "Second")
CRASHES = ("died", "failed", "not ready", "neither is ready")  # reasons by which a program broke down
TRIES = 3  # of a game in which a supervisor was killed
NOTICED = 0.01  # seconds that a machine may be late at any time, however small the margin
LONGEST_REASON = 1000  # letters
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
        self.pool = PlayerPool(idle, child)
        self.games: dict[str, Game] = {}
        self.printed: Printed = SILENCE  # by the players of the latest game, as far as they have ended
        self.meter: LatenessMeter | None = None
        remove_leftovers()

    def play(self, task: GameTask, tags: Mapping[str, str] = NO_TAGS) -> Record:
        """Play a game to its end, whatever the players do. Only a task that makes no sense is an error. One in which a
        player crashed is played again as often as the task allows; its record says so.
        """
        crashes: dict[str, list[str]] = {}
        printed = SILENCE
        for attempt in range(task.resources.replays + 1):
            said = {tag: "; ".join(reasons) for tag, reasons in crashes.items()}
            record = self._play_supervised(task, {**tags, **said})
            printed = join_logs(printed[0], self.printed[0]), join_logs(printed[1], self.printed[1])
            if not is_crash(record.reason) or attempt == task.resources.replays:
                break
            for side in losers(record):
                crashes.setdefault(f"{SIDES[side]}Crashes", []).append(record.reason)
        self.printed = printed
        return record

    def _play_supervised(self, task: GameTask, tags: Mapping[str, str]) -> Record:
        """A game in which a supervisor was killed is played again: that is no deed of its player, unless it goes on."""
        for _ in range(TRIES - 1):
            with suppress(SupervisorLost):
                return self._play(task, tags)
        return self._play(task, tags, forgiving=False)

    def _play(self, task: GameTask, tags: Mapping[str, str], forgiving: bool = True) -> Record:
        game = self._game(task.game)
        opened = game.new().play(task.opening)
        entries = zip((task.first, task.second), task.folders, strict=True)
        seats = [Seat(task.game, agent, task.resources, folder) for agent, folder in entries]
        players: list[Player] = []
        try:
            for seat, other in zip(seats, reversed(seats), strict=True):
                hidden = [other.folder, *task.other_folders]
                players.append(self.pool.take(game, seat, (other.agent, *task.others), tuple(filter(None, hidden))))
            dice = random.Random(task.seed)
            timed = TimedGame(task, players, opened, dice, opening_plies(opened), forgiving=forgiving)
            if timed.is_timed:
                self._measure_lateness(task)
            ending = timed.play()
        except BaseException:
            for player in players:
                player.close()
            raise
        for side, (seat, player) in enumerate(zip(seats, players, strict=True)):
            if side in ending.guilty:
                player.close()
            else:
                self.pool.give_back(seat, player)
        first, second = (player.printed for player in players)
        self.printed = first, second
        return _write_record(task, timed, ending, {**_control_tag(task), **self._clock_tags(timed), **tags})

    def _clock_tags(self, played: TimedGame) -> dict[str, str]:
        """The margin that was granted, and how late this machine was if that is too much for it."""
        if not played.is_timed:
            return {}
        margin, lateness = min(played.clocks.margins), 0.0 if self.meter is None else self.meter.take()
        late = {"Lateness": f"{lateness:.3f}"} if lateness > max(margin / 2, NOTICED) else {}
        return {"Margin": f"{margin:g}", **late}

    def _measure_lateness(self, task: GameTask) -> None:
        """Begin to measure where clocks run. In the referee's own process a player would only measure itself."""
        if task.resources.apart and self.meter is None:
            self.meter = LatenessMeter()
        if self.meter is not None:
            self.meter.take()

    def try_out(
        self,
        game: str,
        agent: str,
        resources: Resources = DEFAULT,
        folder: str = "",
        others: Sequence[str] = (),
        hidden: Sequence[str] = (),
    ) -> None:
        """Make an agent ready once, or raise in one line what is wrong with it. It sees nothing of others' files."""
        seat = Seat(game, agent, resources, folder)
        player = self.pool.take(self._game(game), seat, others, hidden)
        try:
            player.begin(self._game(game).new(), 1)
            player.ready()
        except (Offence, SupervisorLost) as problem:
            player.close()
            raise NotReady(printable(f"agent {agent}: {problem}", LONGEST_REASON)) from None
        except BaseException:
            player.close()
            raise
        self.pool.give_back(seat, player)

    def close(self) -> None:
        """End the players that wait."""
        self.pool.close()
        if self.meter is not None:
            self.meter.close()
            self.meter = None

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


def is_crash(reason: str) -> bool:
    """Did a game end because a player's program broke down?"""
    return reason.partition(":")[0] in CRASHES


def losers(record: Record) -> tuple[int, ...]:
    """The sides that did not win."""
    winner = None if record.result is None else Result(record.result).winner
    return (0, 1) if winner is None else (1 - winner,)


def forfeit_lost_game(task: GameTask, tags: Mapping[str, str], reason: str) -> Record | None:
    """The record of a game that cannot be played because whoever plays it dies: the guest in it has lost, two guests
    draw, and between two agents of ours nobody is to blame.
    """
    guests = [side for side, text in enumerate((task.first, task.second)) if not agents.read(text).kind.is_ours]
    if not guests:
        return None
    start = catalog.load(task.game).new()
    first, second = task.names or (task.first, task.second)
    return Record(
        game=start.game.text,
        first=first,
        second=second,
        start=start.text,
        plies=(),
        result=Result.DRAW if len(guests) == 2 else (Result.SECOND_WINS, Result.FIRST_WINS)[guests[0]],
        reason=reason,
        seed=task.seed,
        tags=make_tags(task.control, {**_agent_tags(task), **tags}),
    )


def _agent_tags(task: GameTask) -> dict[str, str]:
    """Whose texts are not their names have them as tags."""
    names = task.names or (task.first, task.second)
    texts = {"FirstAgent": (task.first, names[0]), "SecondAgent": (task.second, names[1])}
    return {tag: text for tag, (text, name) in texts.items() if text != name}


def _net_tags(task: GameTask, game: Game) -> dict[str, str]:
    """The hashes of the nets by which players judge positions."""
    hashes = {f"{name}Net": net_hash(text, game) for name, text in zip(SIDES, (task.first, task.second), strict=True)}
    return {tag: found for tag, found in hashes.items() if found}


def _control_tag(task: GameTask) -> dict[str, str]:
    return {} if task.second_control is None else {"SecondControl": control_text(task.second_control)}


def _write_record(task: GameTask, played: TimedGame, ending: Ending, tags: Mapping[str, str]) -> Record:
    *_, start = played.position.trail()
    first, second = task.names or (task.first, task.second)
    isolation = {f"{name}Isolation": player.isolation for name, player in zip(SIDES, played.players, strict=True)}
    return Record(
        game=start.game.text,
        first=first,
        second=second,
        start=start.text,
        plies=tuple(played.plies),
        opening=len(opening_plies(start.play(task.opening))),
        result=ending.result,
        reason=ending.reason,
        seed=task.seed,
        tags=make_tags(task.control, {**_agent_tags(task), **_net_tags(task, start.game), **isolation, **tags}),
    )

"""One game between two connections: who is asked, what is played, how it ends. Only the position knows the rules."""

import random
import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from kibitz.agents.guests.vampires_messages import changed_cells, contents, turn_of
from kibitz.agents.guests.vampires_wire import MOST, BadMessage, Message, message
from kibitz.arena.play.tags import make_tags
from kibitz.arena.play.task import TimeControl
from kibitz.arena.records.record import Ply, Record
from kibitz.core.errors import IllegalMove
from kibitz.core.game_loop import SkipTurn, Turn, moves_between, play_game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, FIRST_WINS, SECOND, SECOND_WINS, Result
from kibitz.games.vampires.rules import at_limit
from kibitz.protocols.vampires.connection import ConnectionClosed, PlayerConnection

DIGITS = 4  # of seconds in a record
FAREWELL = (message("END"), message("BYE"))

Log = Callable[[str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class NetworkSettings:
    """How a game is played: the time of a turn, that of the game (0: no limit), and the seed of its battles."""

    move_seconds: float = 2.0
    game_seconds: float = 0.0
    seed: int = 0


class Lost(Exception):
    """A player has lost by what it did, in the words of the record."""

    def __init__(self, side: int, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {' '.join(detail.split())}")
        self.side = side


@contextmanager
def _blame(side: int) -> Iterator[None]:
    """What goes wrong on a connection is the loss of who is at its other end."""
    try:
        yield
    except ConnectionClosed:
        raise Lost(side, "left", "it closed the connection") from None
    except BadMessage as problem:
        raise Lost(side, "garbage", str(problem)) from None


@dataclass
class NetworkGame:
    """A game from its start on. A turn that is skipped is no move: it closes a part of the record, and the next part
    begins with the other side to move.
    """

    start: Position
    connections: Sequence[PlayerConnection]
    names: Sequence[str]
    settings: NetworkSettings
    log: Log = lambda _: None
    parts: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.position = self.part_start = self.start
        self.plies: list[Ply] = []
        self.dice = random.Random(self.settings.seed)
        self.news: tuple[set[int], set[int]] = (set(), set())  # cells that each side has not been sent
        self.began = time.monotonic()
        self.seconds = 0.0  # that the latest turn took

    def play(self) -> list[Record]:
        """Play to the end, whatever the players do. The last of the records has the result."""
        try:
            for turn in play_game(self.position, self._choose, self.dice):
                self._take(turn)
                if self._time_is_up():
                    break
            result, reason = self._result()
        except KeyboardInterrupt:
            self._close_part(None, "stopped")
            raise
        except Lost as loss:
            result, reason = Result(FIRST_WINS if loss.side == SECOND else SECOND_WINS), str(loss)
        self._close_part(result, reason)
        return self.parts

    def hang_up(self) -> None:
        """Tell both that it is over, and hang up."""
        for connection in self.connections:
            with suppress(ConnectionClosed):
                connection.say(*FAREWELL)
            connection.close()

    def _choose(self, position: Position) -> Sequence[int]:
        """The moves that the side to move orders; who is late has its turn skipped."""
        side = position.turn
        orders, self.seconds = self._answer(side)
        if orders is None:
            state = position.state
            raise SkipTurn(Position(position.game, state._replace(side=1 - state.side, ply=state.ply + 1)))
        try:
            return moves_between(position, position.play(turn_of(orders)))
        except IllegalMove as problem:
            raise Lost(side, "illegal", str(problem)) from None

    def _answer(self, side: int) -> tuple[Message | None, float]:
        """The orders of a side and how long it took; None if they do not come in time. While it thinks, what the
        other says is heard, too: it may hang up.
        """
        asked: float | None = None
        until = time.monotonic() + self.settings.move_seconds
        while (now := time.monotonic()) < until:
            if asked is None and self.connections[side].may_ask:
                self._ask(side)
                asked = time.monotonic()
                until = asked + self.settings.move_seconds
                continue
            ready = select.select(self.connections, [], [], until - now)[0]
            answers = [
                self._hear(other) if connection in ready else [] for other, connection in enumerate(self.connections)
            ][side]
            if answers and asked is not None:
                return answers[-1], time.monotonic() - asked
        return None, 0.0

    def _ask(self, side: int) -> None:
        """Your turn: these cells have changed. What does not fit is sent the next time."""
        news = sorted(self.news[side])[:MOST]
        with _blame(side):
            self.connections[side].ask(message("UPD", contents(self.position, news)))
        self.news[side].difference_update(news)

    def _hear(self, side: int) -> list[Message]:
        with _blame(side):
            return list(self.connections[side].answers())

    def _take(self, turn: Turn) -> None:
        """A turn has been played or skipped."""
        self.position = turn.after
        if turn.skipped:
            self._skip(turn)
            return
        seconds = 0.0 if turn.side == CHANCE else round(self.seconds, DIGITS)
        ply = Ply(text=turn.text, side=turn.side, seconds=seconds)
        self.plies.append(ply)
        for news in self.news:
            news.update(changed_cells(turn.before, turn.after))
        who = "" if ply.side == CHANCE else f"{turn.before.to_move}: "
        self.log(f"{turn.before.state.ply + 1:4}  {who}{ply.text}")

    def _skip(self, turn: Turn) -> None:
        """The other side's turn, with nothing done: a new part of the record begins."""
        who, owed = turn.before.to_move, self.connections[turn.side].owed
        reason = f"late: no answer within {self.settings.move_seconds:g} s{f' ({owed} owed)' if owed > 1 else ''}"
        self.log(f"{turn.before.state.ply + 1:4}  {who}: {reason}, the turn is skipped")
        self._close_part(None, f"{who} {reason}")
        self.part_start, self.plies = self.position, []

    def _time_is_up(self) -> bool:
        """Has the game lasted too long? Tested when both have played equally often."""
        limit, state = self.settings.game_seconds, self.position.state
        fair = self.position.turn == FIRST and state.orders.size == 0
        return limit > 0 and fair and time.monotonic() - self.began >= limit

    def _result(self) -> tuple[Result, str]:
        if self.position.result is not None:
            return self.position.result, "rules"
        return Result(at_limit(self.position.state)), f"time: {self.settings.game_seconds:g} s for the game are over"

    def _close_part(self, result: Result | None, reason: str) -> None:
        control = TimeControl(seconds=self.settings.move_seconds)
        self.parts.append(
            Record(
                game=self.start.game.text,
                first=self.names[FIRST],
                second=self.names[SECOND],
                start=self.part_start.text,
                plies=tuple(self.plies),
                result=result,
                reason=reason,
                seed=self.settings.seed,
                tags=make_tags(control, {"Event": "network", "Part": str(len(self.parts) + 1)}),
            )
        )

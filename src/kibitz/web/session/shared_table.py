"""A table with a link: two seats that only their tokens move, spectators, offers; the game outlives the server."""

import hmac
import random
import secrets
from typing import TYPE_CHECKING, Any

from kibitz.core.result import Result
from kibitz.web.api.facts import TOKENS, Facts
from kibitz.web.api.refusals import Refused
from kibitz.web.api.safe_agents import HUMAN
from kibitz.web.session.clocks import Clocks
from kibitz.web.session.runner import GameRunner
from kibitz.web.session.table import Table

if TYPE_CHECKING:
    from kibitz.web.server.state import ServerState
    from kibitz.web.session.session import Session

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are mistaken for each other
LENGTH = 8
OFFERS = ("draw", "undo", "rematch")
RESULTS = {token: result for result, token in TOKENS.items()}


class SharedTable(GameRunner):
    """A game of two visitors, each by the token of a seat."""

    def __init__(self, server: "ServerState", table: Table, code: str, tokens: list[str], taken: list[bool]) -> None:
        super().__init__(server, table)
        self.code, self.tokens, self.taken = code, tokens, taken
        self.offers: dict[str, int] = {}  # what is offered, and by which side
        self.next = ""  # the code of the rematch
        self.sessions: list[Session] = []

    # Seats.

    def side_of(self, token: Any) -> int | None:
        """The seat that a token holds; a wrong one is refused, none is that of a spectator."""
        if token is None:
            return None
        for side in (0, 1):
            if isinstance(token, str) and hmac.compare_digest(token.encode(), self.tokens[side].encode()):
                return side
        raise Refused("forbidden", "this token holds no seat at the table")

    def take_seat(self, wanted: int | None) -> int:
        """A free seat, this one if it is named."""
        free = [side for side in (0, 1) if not self.taken[side]]
        if not free or (wanted is not None and wanted not in free):
            raise Refused("taken", "this seat is taken" if free else "both seats are taken")
        side = free[0] if wanted is None else wanted
        self.taken[side] = True
        return side

    def online(self) -> list[bool]:
        """Which seats have somebody at the table now."""
        return [any(session.seat == side for session in self.sessions) for side in (0, 1)]

    # Offers.

    def offer(self, what: str, side: int) -> None:
        """Offer something; where the other side has offered it too, it is agreed."""
        if self.offers.get(what) == 1 - side:
            del self.offers[what]
            self.agree(what, 1 - side)
            return
        self._refuse_offer(what, side)
        self.offers[what] = side
        self.tell("offer")

    def _refuse_offer(self, what: str, side: int) -> None:
        if (what == "rematch") != self.table.over:
            raise Refused("game-over" if self.table.over else "not-allowed", f"{what} cannot be offered now")
        if what == "undo" and not any(step.side == side for step in self.table.steps):
            raise Refused("nothing-to-undo", "this side has not moved yet")

    def decline(self, what: str, side: int) -> None:
        """Decline the other's offer, or take back one's own."""
        if what not in self.offers:
            raise Refused("not-allowed", f"no {what} is offered")
        del self.offers[what]
        self.tell("declined")

    def agree(self, what: str, side: int) -> None:
        """Both want it; `side` had offered it."""
        self.stop_work()
        if what == "draw":
            self.table.ending = Result.DRAW, "agreed"
        elif what == "undo":
            self.table.undo_turn(side)
        else:
            self.next = open_table(self.server, self._rematch(), self.tokens[::-1], [True, True]).code
        self.go_on(what)

    def _rematch(self) -> Table:
        """The same game with the sides changed."""
        table, clocks = self.table, self.table.clocks
        again = None if clocks is None else Clocks(clocks.clock, clocks.increment)
        start = table.game.position(table.start)
        return Table(table.game, start, [HUMAN, HUMAN], table.seconds, random.randrange(1, 2**31), clocks=again)

    def _run_clocks(self) -> None:
        """Clocks wait until both seats are taken."""
        if all(self.taken):
            super()._run_clocks()

    # Telling and keeping.

    def tell(self, why: str) -> None:
        """Save first, then tell: what anybody has seen is kept."""
        if why in ("play", "time", "resign", "undo", "draw"):
            self.offers = {}
        self.save()
        super().tell(why)
        if not self.sessions and self.table.over:
            self.server.shared.pop(self.code, None)

    def save(self) -> None:
        """Put it down as it is now, with what the clocks show."""
        self.server.kept.save(self.code, self._kept())

    def _kept(self) -> Facts:
        table, clocks = self.table, self.table.clocks
        timed: Facts = {}
        if clocks is not None:
            left = [clocks.remaining(side, self.now) for side in (0, 1)]
            timed = {"clock": clocks.clock, "increment": clocks.increment, "left": left}
        return timed | {
            "game": table.game.text,
            "start": table.start,
            "line": table.line,
            "seconds": table.seconds,
            "seed": table.seed,
            "ending": None if table.ending is None else [TOKENS[table.ending[0]], table.ending[1]],
            "tokens": self.tokens,
            "taken": self.taken,
            "next": self.next,
        }

    def table_facts(self, seat: int | None) -> Facts:
        """The table for a page."""
        return {
            "code": self.code,
            "seat": seat,
            "taken": self.taken,
            "online": self.online(),
            "watching": sum(session.seat is None for session in self.sessions),
            "offers": self.offers,
            "next": self.next,
            "address": self.server.address,
        }

    # Who is there.

    def enter(self, session: "Session") -> None:
        """Somebody comes to the table."""
        self.watchers.append(session)
        self.sessions.append(session)

    def leave(self, session: "Session") -> None:
        """Somebody goes; the last one puts the game away, unless a clock runs."""
        self.watchers.remove(session)
        self.sessions.remove(session)
        if not self.sessions and (self.table.clocks is None or self.table.over):
            self.stop_work()
            self.server.shared.pop(self.code, None)
        else:
            self.tell("presence")


def new_code(server: "ServerState") -> str:
    """A code that nobody has and nobody guesses."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if code not in server.shared and server.kept.load(code) is None:
            return code


def open_table(server: "ServerState", table: Table, tokens: list[str], taken: list[bool]) -> SharedTable:
    """Put a game on a table with a link."""
    if len(server.shared) >= server.limits.tables:
        raise Refused("too-many", f"all {server.limits.tables} tables are taken, try again later")
    made = SharedTable(server, table, new_code(server), tokens, taken)
    server.shared[made.code] = made
    made.save()
    server.kept.forget_oldest()
    return made


async def find_table(server: "ServerState", code: Any) -> SharedTable:
    """The table of a code, as it was left."""
    known = server.shared.get(code) if isinstance(code, str) else None
    if known is not None:
        return known
    kept = server.kept.load(code) if isinstance(code, str) and len(code) == LENGTH else None
    if kept is None:
        raise Refused("not-found", f"there is no table {code!r:.20}")
    game = await server.game(kept["game"])
    here = game.position(kept["start"]).play(kept["line"])
    clocks = None
    if "clock" in kept:
        clocks = Clocks(kept["clock"], kept["increment"])
        clocks.left = kept["left"]
    ending = None if kept["ending"] is None else (RESULTS[kept["ending"][0]], kept["ending"][1])
    table = Table(game, here, [HUMAN, HUMAN], kept["seconds"], kept["seed"], clocks=clocks, ending=ending)
    if code in server.shared:  # somebody else was quicker
        return server.shared[code]
    found = SharedTable(server, table, code, kept["tokens"], kept["taken"])
    found.next = kept["next"]
    server.shared[code] = found
    return found

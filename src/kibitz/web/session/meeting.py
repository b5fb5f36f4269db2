"""What a visitor may ask at a table with a link, one function a message type."""

import random
import secrets
from typing import Any

from kibitz.web.api import limits
from kibitz.web.api.facts import Facts
from kibitz.web.api.limits import number, whole
from kibitz.web.api.refusals import Refused
from kibitz.web.api.safe_agents import HUMAN
from kibitz.web.session.new_game import check_text, read_clocks, read_position
from kibitz.web.session.session import Session
from kibitz.web.session.shared_table import OFFERS, find_table, open_table
from kibitz.web.session.table import Table


async def open_(session: Session, message: Facts, request: Any) -> None:
    """A table with a link: whoever opens it has the first choice of a seat."""
    game = await session.server.game(message.get("game"))
    here, clocks = await read_position(game, message), read_clocks(message)
    seconds = number(message.get("seconds", 1.0), "seconds", 0.01, limits.MOST_SECONDS)
    seed = whole(message.get("seed", random.randrange(1, 2**31)), "seed", 0, 2**53)
    side = _side(message)
    side = random.randrange(2) if side is None else side
    tokens = [secrets.token_urlsafe(16) for _ in range(2)]
    table = Table(game, here, [HUMAN, HUMAN], seconds, seed, clocks=clocks)
    shared = open_table(session.server, table, tokens, [side == 0, side == 1])
    await session.join(shared, side)
    _welcome(session, request, tokens[side])


async def join(session: Session, message: Facts, request: Any) -> None:
    """Come to a table: with a token to one's seat, without one to watch."""
    shared = await find_table(session.server, message.get("code"))
    seat = shared.side_of(message.get("token"))
    await session.join(shared, seat)
    _welcome(session, request, None if seat is None else shared.tokens[seat])


def sit(session: Session, message: Facts, request: Any) -> None:
    """Take a free seat; the token that holds it comes with the answer."""
    shared = session.require_shared()
    if session.seat is not None:
        raise Refused("not-allowed", "you have a seat already")
    session.seat = shared.take_seat(_side(message))
    session.stop_analysing()
    _welcome(session, request, shared.tokens[session.seat])


def _side(message: Facts) -> int | None:
    side = message.get("side")
    return None if side is None else whole(side, "side", 0, 1)


def _welcome(session: Session, request: Any, token: str | None) -> None:
    """The answer that seats a visitor, and the news for the others. The clocks begin when both seats are taken."""
    shared = session.require_shared()
    session.send({"type": "seated", "code": shared.code, "seat": session.seat, "token": token})
    session.request = request
    shared.go_on("presence")


def offer(session: Session, message: Facts, request: Any) -> None:
    """Offer a draw, ask for a move back or for a rematch; the same from both sides is an agreement."""
    session.request = request
    session.require_shared().offer(_what(message), session.require_seat())


def decline(session: Session, message: Facts, request: Any) -> None:
    """Decline what is offered, or take one's own offer back."""
    side = session.require_seat()
    session.request = request
    session.require_shared().decline(_what(message), side)


def _what(message: Facts) -> str:
    what = check_text(message.get("what"), "what", 20)
    if what not in OFFERS:
        raise Refused("bad-message", f"what is {what!r}, expected one of {', '.join(OFFERS)}")
    return what


open_.__name__ = "open"  # the name of the message, which is a function of Python's own
HANDLERS = (open_, join, sit, offer, decline)

"""What a visitor may ask at a table, one function a message type."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.web import limits, records, safe_agents
from kibitz.web.clocks import Clocks
from kibitz.web.composing import composed
from kibitz.web.facts import Facts, moves_facts
from kibitz.web.limits import number, whole
from kibitz.web.odds import odds_facts
from kibitz.web.pool import Job
from kibitz.web.refusals import Refused
from kibitz.web.safe_agents import HUMAN
from kibitz.web.session import Session
from kibitz.web.table import Note, Table, checked_text

LONGEST_POSITION = 20_000
LONGEST_TURN = 4_000
AN_INSTANT = 200  # characters of a line that is replayed at once; longer ones in a thread

Answer = Awaitable[None] | None
Handler = Callable[[Session, Facts, Any], Answer]


async def new(session: Session, message: Facts, request: Any) -> None:
    """Another game."""
    game = await session.house.game(message.get("game"))
    players = [safe_agents.checked(message.get("first", HUMAN), game)]
    players.append(safe_agents.checked(message.get("second", safe_agents.default_for(game)), game))
    seconds = number(message.get("seconds", 1.0), "seconds", 0.01, limits.MOST_SECONDS)
    pace = number(message.get("pace", 0.0), "pace", 0, 60)
    seed = whole(message.get("seed", random.randrange(1, 2**31)), "seed", 0, 2**53)
    clocks = _clocks(message)
    here = await _position(game, message)
    session.pause_work()
    session.sit(Table(game, here, players, seconds, seed, pace, clocks))
    session.go_on("new", request)


def _clocks(message: Facts) -> Clocks | None:
    if message.get("clock") is None:
        return None
    clock = number(message["clock"], "clock", 1, limits.MOST_CLOCK)
    return Clocks(clock, number(message.get("increment", 0), "increment", 0, 3600))


async def _position(game: Game, message: Facts) -> Position:
    """The position of a message: its text and the line from there."""
    text, line = message.get("position"), checked_text(message.get("line") or "", "line", 1 << 20)
    if line.count(" ") + line.count("+") > limits.MOST_MOVES:
        raise Refused("too-large", f"the line is too long, expected at most {limits.MOST_MOVES} moves")
    start = game.new() if text is None else game.position(checked_text(text, "position", LONGEST_POSITION))
    return start.play(line) if len(line) <= AN_INSTANT else await asyncio.to_thread(start.play, line)


def state(session: Session, message: Facts, request: Any) -> None:
    """How it stands."""
    session.tell_state("state", request)


def moves(session: Session, message: Facts, request: Any) -> None:
    """What may be played."""
    table = session.seated()
    session.send({"type": "moves", "id": request, "moves": [] if table.over else moves_facts(table.here)})


def play(session: Session, message: Facts, request: Any) -> None:
    """A human's move, or a whole turn."""
    table = session.seated()
    words = checked_text(message.get("move"), "move", LONGEST_TURN).strip()
    if message.get("ply") is not None and message["ply"] != table.ply:
        raise Refused("stale", f"the move is for ply {message['ply']!r:.20}, the game is at ply {table.ply}")
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    if not table.yours:
        raise Refused("not-your-turn", f"it is the turn of {table.here.to_move}, and no human plays it")
    if not words or any(character.isspace() for character in words):
        raise Refused("illegal-move", "a move is a text without spaces, those of one turn joined by '+'")
    side, clocks = table.turn, table.clocks
    spent = session.now - clocks.since if clocks is not None else 0.0
    table.play(words, Note(seconds=spent))
    session.pause_work()
    if clocks is not None and (table.over or table.turn != side):
        clocks.reward(side)
    session.go_on("play", request)


def undo(session: Session, message: Facts, request: Any) -> None:
    """Take back."""
    session.seated().undo()
    session.pause_work()
    session.go_on("undo", request)


def back(session: Session, message: Facts, request: Any) -> None:
    """To an earlier ply."""
    session.seated().back(whole(message.get("ply"), "ply", 0, 10**6))
    session.pause_work()
    session.go_on("back", request)


def swap(session: Session, message: Facts, request: Any) -> None:
    """The players change sides."""
    table = session.seated()
    session.pause_work()
    table.players.reverse()
    session.go_on("swap", request)


def players(session: Session, message: Facts, request: Any) -> None:
    """Other players, or another time for their moves."""
    table = session.seated()
    chosen = [
        safe_agents.checked(message.get(name, old), table.game)
        for name, old in zip(("first", "second"), table.players, strict=True)
    ]
    seconds = number(message.get("seconds", table.seconds), "seconds", 0.01, limits.MOST_SECONDS)
    pace = number(message.get("pace", table.pace), "pace", 0, 60)
    session.pause_work()
    table.players, table.seconds, table.pace = chosen, seconds, pace
    session.go_on("players", request)


async def setup(session: Session, message: Facts, request: Any) -> None:
    """Another position of the same game."""
    table = session.seated()
    checked_text(message.get("position"), "position", LONGEST_POSITION)
    here = await _position(table.game, message)
    session.pause_work()
    table.settle(here)
    session.go_on("setup", request)


def compose(session: Session, message: Facts, request: Any) -> None:
    """The text of a position put together piece by piece."""
    game = session.seated().game
    given = message.get("pieces")
    listed = isinstance(given, list) and all(isinstance(cell, str) and len(cell) <= 8 for cell in given)
    if not listed:
        raise Refused("bad-message", "pieces is missing, expected a list with a piece or '' for each cell")
    turn = whole(message.get("turn"), "turn", 0, 1)
    assert isinstance(given, list)
    session.send({"type": "composed", "id": request, "position": composed(game, given, turn).text})


def resign(session: Session, message: Facts, request: Any) -> None:
    """Give up for the side to move, or for one's own while an agent thinks."""
    table = session.seated()
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    own = table.turn if table.turn in table.humans or not table.humans else min(table.humans)
    side = whole(message.get("side", own), "side", 0, 1)
    session.pause_work()
    table.end(side, "resigned")
    session.go_on("resign", request)


def pause(session: Session, message: Facts, request: Any) -> None:
    """Agents wait, or go on."""
    table = session.seated()
    session.pause_work()
    table.paused = _flag(message, "on")
    session.go_on("pause", request)


def go(session: Session, message: Facts, request: Any) -> None:
    """An agent plays this turn, whoever sits there."""
    table = session.seated()
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    session.pause_work()
    if table.agent is not None:
        table.paused = False
        session.go_on("go", request)
        return
    session.think(safe_agents.default_for(table.game))
    session.tell_state("go", request)


def hint(session: Session, message: Facts, request: Any) -> None:
    """What to play."""
    table = session.seated()
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    seconds = number(message.get("seconds", 1.0), "seconds", 0.05, 10)
    session.ask("hint", request, session.hint(seconds))


async def odds(session: Session, message: Facts, request: Any) -> None:
    """What chance may make of some moves."""
    here = session.seated().here
    words = checked_text(message.get("moves", ""), "moves", LONGEST_TURN)
    found = await asyncio.to_thread(odds_facts, here, words)
    session.send({"type": "odds", "id": request, **found})


def analyse(session: Session, message: Facts, request: Any) -> None:
    """The analysis on or off."""
    session.seated()
    on = _flag(message, "on")
    lines = whole(message.get("lines", 1), "lines", 1, limits.MOST_LINES)
    patience = number(message.get("seconds", limits.MOST_SECONDS), "seconds", 0.1, limits.MOST_SECONDS)
    session.stop_analysing()
    session.send({"type": "analysing", "id": request, "on": on})
    if on:
        session.lines, session.patience = lines, patience
        session.analyse()


def explain(session: Session, message: Facts, request: Any) -> None:
    """The heuristic term by term."""
    session.seated()
    given = {"heuristic": _heuristic(message)}
    session.ask("explain", request, session.study("explain", given, 10, urgent=True))


def tree(session: Session, message: Facts, request: Any) -> None:
    """A small search tree."""
    table = session.seated()
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    path = message.get("path")
    if path is not None and not (isinstance(path, list) and len(path) <= 8 and all(isinstance(w, str) for w in path)):
        raise Refused("bad-message", "path is a list of at most 8 moves")
    given = {
        "depth": whole(message.get("depth", 2), "depth", 1, 4),
        "breadth": whole(message.get("breadth", 4), "breadth", 1, 8),
        "heuristic": _heuristic(message),
        "path": path,
    }
    session.ask("tree", request, session.study("tree", given, 30))


def _heuristic(message: Facts) -> str | None:
    name = message.get("heuristic")
    return None if name is None else checked_text(name, "heuristic", 60)


def record(session: Session, message: Facts, request: Any) -> None:
    """The game as a file."""
    facts = records.record_facts(session.seated(), message.get("format", "text"))
    session.send({"type": "record", "id": request, **facts})


async def replay(session: Session, message: Facts, request: Any) -> None:
    """A record as frames."""
    found = await asyncio.to_thread(records.read_record, message.get("record"), message.get("number", 1))
    game = await session.house.game(found.game)
    given, told = records.replay_job(found, game, session.house.shelf)
    session.ask("replay", request, _replayed(session, given, told))


async def _replayed(session: Session, given: Facts, told: Facts) -> Facts:

    return told | await session.house.pool.run(Job("replay", given, 30, study=True))


def ping(session: Session, message: Facts, request: Any) -> None:
    """Is anybody there?"""
    session.send({"type": "pong", "id": request})


def _flag(message: Facts, name: str) -> bool:
    value = message.get(name)
    if not isinstance(value, bool):
        raise Refused("bad-message", f"{name} is missing, expected true or false")
    return value


HANDLERS: dict[str, Handler] = {
    handler.__name__: handler
    for handler in (
        new, state, moves, play, undo, back, swap, players, setup, compose, resign, pause, go, hint, odds, analyse,
        explain, tree, record, replay, ping,
    )
}  # fmt: skip


async def answer(session: Session, message: Facts) -> None:
    """Do what a message asks, or say why not."""
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in HANDLERS:
        raise Refused("unknown-type", f"no message has the type {str(kind)[:40]!r}, expected {', '.join(HANDLERS)}")
    request = message.get("id")
    if request is not None and (not isinstance(request, (int, float, str)) or len(str(request)) > 100):
        raise Refused("bad-message", "id is a number or a short text")
    done = HANDLERS[kind](session, message, request)
    if done is not None:
        await done

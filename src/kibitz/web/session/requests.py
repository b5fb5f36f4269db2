"""What a visitor may ask at a table, one function a message type."""

import random
from collections.abc import Awaitable, Callable
from typing import Any

from kibitz.arena.records import json_lines
from kibitz.web.api import limits, safe_agents
from kibitz.web.api.facts import Facts, moves_facts
from kibitz.web.api.limits import number, whole
from kibitz.web.api.refusals import Refused
from kibitz.web.api.safe_agents import HUMAN
from kibitz.web.session import meeting, questions, records
from kibitz.web.session.new_game import (
    LONGEST_POSITION,
    check_flag,
    check_text,
    read_clocks,
    read_ending,
    read_notes,
    read_position,
)
from kibitz.web.session.questions import LONGEST_TURN
from kibitz.web.session.runner import GameRunner
from kibitz.web.session.session import Session
from kibitz.web.session.setup import compose_position
from kibitz.web.session.shared_table import SharedTable
from kibitz.web.session.steps import Note
from kibitz.web.session.table import Table
from kibitz.web.workers.pool import Job

Answer = Awaitable[None] | None
READING_SECONDS = 5.0  # for a worker to read a record
Handler = Callable[[Session, Facts, Any], Answer]


async def new(session: Session, message: Facts, request: Any) -> None:
    """Another game, or one that was lost with its connection."""
    game = await session.server.game(message.get("game"))
    players = [safe_agents.check(message.get("first", HUMAN), game)]
    players.append(safe_agents.check(message.get("second", safe_agents.default_for(game)), game))
    seconds = number(message.get("seconds", 1.0), "seconds", 0.01, limits.MOST_SECONDS)
    pace = number(message.get("pace", 0.0), "pace", 0, 60)
    seed = whole(message.get("seed", random.randrange(1, 2**31)), "seed", 0, 2**53)
    clocks, ending, notes = read_clocks(message), read_ending(message), read_notes(message)
    here = await read_position(game, message)
    table = Table(game, here, players, seconds, seed, pace, clocks, ending=ending)
    await session.sit(GameRunner(session.server, table))
    session.require_tree().restore(notes)
    go_on(session, "new", request)


def go_on(session: Session, why: str, request: Any) -> None:
    """Let the game go on after a request of this visitor's."""
    session.request = request
    session.require_runner().go_on(why)


def state(session: Session, message: Facts, request: Any) -> None:
    """How it stands."""
    session.request = request
    session.send_state("state")


def moves(session: Session, message: Facts, request: Any) -> None:
    """What may be played."""
    table = session.require_table()
    session.send({"type": "moves", "id": request, "moves": [] if table.over else moves_facts(table.here)})


def play(session: Session, message: Facts, request: Any) -> None:
    """A human's move, or a whole turn; at another node than the game's it is a variation."""
    table, tree = session.require_table(), session.require_tree()
    words = check_text(message.get("move"), "move", LONGEST_TURN).strip()
    node = tree.live if message.get("node") is None else tree.node(message["node"])
    if message.get("ply") is not None and message["ply"] != node.ply:
        raise Refused("stale", f"the move is for ply {message['ply']!r:.20}, the game is at ply {node.ply}")
    if not words or any(character.isspace() for character in words):
        raise Refused("illegal-move", "a move is a text without spaces, those of one turn joined by '+'")
    if node is not tree.live or _try_out(message):
        session.look(tree.play(node, words, session.dice))
        session.send({**session.view(), "id": request})
        return
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    if not table.yours:
        raise Refused("not-your-turn", f"it is the turn of {table.here.to_move}, and no human plays it")
    if isinstance(session.runner, SharedTable):
        session.require_seat(table.turn)
    _play_move(session, words)
    go_on(session, "play", request)


def _try_out(message: Facts) -> bool:
    return message.get("variation") is True


def _play_move(session: Session, words: str) -> None:
    runner, table = session.require_runner(), session.require_table()
    side, clocks = table.turn, table.clocks
    spent = session.now - clocks.since if clocks is not None else 0.0
    table.play(words, Note(seconds=spent))
    runner.stop_work()
    if clocks is not None and (table.over or table.turn != side):
        clocks.reward(side)


def undo(session: Session, message: Facts, request: Any) -> None:
    """Take back."""
    session.require_own_game()
    session.require_table().undo()
    session.require_runner().stop_work()
    go_on(session, "undo", request)


def redo(session: Session, message: Facts, request: Any) -> None:
    """Play again what was taken back, until a human has to choose."""
    session.require_own_game()
    table, steps = session.require_table(), session.require_tree().next_steps()
    if not steps:
        raise Refused("nothing-to-redo", "nothing was taken back here")
    wanted = table.humans or {0, 1}
    end = next((at for at, step in enumerate(steps) if at and step.side in wanted), len(steps))
    session.require_runner().stop_work()
    table.replay([step.code for step in steps[:end]])
    go_on(session, "redo", request)


def back(session: Session, message: Facts, request: Any) -> None:
    """The game goes on from an earlier ply, or from any node of the tree."""
    session.require_own_game()
    table, tree = session.require_table(), session.require_tree()
    if message.get("node") is None:
        table.back(whole(message.get("ply"), "ply", 0, 10**6))
    else:
        codes = [step.code for step in tree.node(message["node"]).steps]
        table.back(0)
        table.replay(codes)
    session.require_runner().stop_work()
    go_on(session, "back", request)


def swap(session: Session, message: Facts, request: Any) -> None:
    """The players change sides."""
    session.require_own_game()
    table = session.require_table()
    session.require_runner().stop_work()
    table.players.reverse()
    go_on(session, "swap", request)


def players(session: Session, message: Facts, request: Any) -> None:
    """Other players, or another time for their moves."""
    session.require_own_game()
    table = session.require_table()
    chosen = [
        safe_agents.check(message.get(name, old), table.game)
        for name, old in zip(("first", "second"), table.players, strict=True)
    ]
    seconds = number(message.get("seconds", table.seconds), "seconds", 0.01, limits.MOST_SECONDS)
    pace = number(message.get("pace", table.pace), "pace", 0, 60)
    session.require_runner().stop_work()
    table.players, table.seconds, table.pace = chosen, seconds, pace
    go_on(session, "players", request)


async def setup(session: Session, message: Facts, request: Any) -> None:
    """Another position of the same game."""
    session.require_own_game()
    table = session.require_table()
    check_text(message.get("position"), "position", LONGEST_POSITION)
    here = await read_position(table.game, message)
    session.require_runner().stop_work()
    table.settle(here)
    session.reset_tree()
    go_on(session, "setup", request)


def compose(session: Session, message: Facts, request: Any) -> None:
    """The text of a position put together piece by piece."""
    game = session.require_table().game
    given = message.get("pieces")
    listed = isinstance(given, list) and all(isinstance(cell, str) and len(cell) <= 8 for cell in given)
    if not listed:
        raise Refused("bad-message", "pieces is missing, expected a list with a piece or '' for each cell")
    turn = whole(message.get("turn"), "turn", 0, 1)
    assert isinstance(given, list)
    session.send({"type": "composed", "id": request, "position": compose_position(game, given, turn).text})


def resign(session: Session, message: Facts, request: Any) -> None:
    """Give up for the side to move, or for one's own while an agent thinks."""
    table = session.require_table()
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    own = table.turn if table.turn in table.humans or not table.humans else min(table.humans)
    side = whole(message.get("side", own), "side", 0, 1)
    if isinstance(session.runner, SharedTable):
        side = session.require_seat()
    session.require_runner().stop_work()
    table.end(side, "resigned")
    go_on(session, "resign", request)


def pause(session: Session, message: Facts, request: Any) -> None:
    """Agents wait, or go on."""
    session.require_own_game()
    table = session.require_table()
    session.require_runner().stop_work()
    table.paused = check_flag(message, "on")
    go_on(session, "pause", request)


def go(session: Session, message: Facts, request: Any) -> None:
    """An agent plays this turn, whoever sits there."""
    session.require_own_game()
    table = session.require_table()
    if table.over:
        raise Refused("game-over", f"the game is over ({table.reason})")
    session.require_runner().stop_work()
    if table.agent is not None:
        table.paused = False
        go_on(session, "go", request)
        return
    session.require_runner().think(safe_agents.default_for(table.game))
    session.request = request
    session.send_state("go")


def record(session: Session, message: Facts, request: Any) -> None:
    """The game as a file."""
    facts = records.record_facts(session.require_table(), message.get("format", "text"))
    session.send({"type": "record", "id": request, **facts})


async def replay(session: Session, message: Facts, request: Any) -> None:
    """A record as frames."""
    given = records.check_request(message.get("record"), message.get("number", 1))
    session.ask("replay", request, _replayed(session, given))


async def _replayed(session: Session, given: Facts) -> Facts:
    """A worker reads the record, the server finds its game among those on offer, a worker plays it again."""
    server = session.server
    line = (await server.run_unseated(Job("read-record", given, READING_SECONDS, study=True)))["record"]
    found = json_lines.read(line, "record")
    game = await server.game(found.game)
    given, told = records.replay_job(found, game, server.games)
    return told | await server.pool.run(Job("replay", given, 30, study=True))


def ping(session: Session, message: Facts, request: Any) -> None:
    """Is anybody there?"""
    session.send({"type": "pong", "id": request})


HANDLERS: dict[str, Handler] = {
    handler.__name__: handler
    for handler in (
        new, state, moves, play, undo, redo, back, swap, players, setup, compose, resign, pause, go, record, replay,
        ping, *meeting.HANDLERS, *questions.HANDLERS,
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
    try:
        done = HANDLERS[kind](session, message, request)
        if done is not None:
            await done
    finally:
        session.request = None

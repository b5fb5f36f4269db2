"""What a visitor may ask about what he looks at: one function a message type."""

import asyncio
import itertools
from typing import Any

from kibitz.web.api import limits
from kibitz.web.api.facts import Facts, pieces_of
from kibitz.web.api.limits import number, whole
from kibitz.web.api.refusals import Refused
from kibitz.web.session.game_tree import LONGEST_COMMENT
from kibitz.web.session.new_game import LONGEST_LINE, check_flag, check_text
from kibitz.web.session.session import Session
from kibitz.web.session.steps import make_step

LONGEST_TURN = 4_000


def look(session: Session, message: Facts, request: Any) -> None:
    """Look at a moment of the tree; the game itself goes on."""
    session.look(session.require_tree().node(message.get("node")))
    session.send({**session.view(), "id": request})


def annotate(session: Session, message: Facts, request: Any) -> None:
    """Write a mark or a comment beside a move."""
    tree = session.require_tree()
    node = tree.node(message.get("node"))
    mark = check_text(message.get("mark", node.mark), "mark", 2)
    tree.annotate(node, mark, check_text(message.get("comment", node.comment), "comment", LONGEST_COMMENT))
    session.send({"type": "annotated", "id": request, **node.facts()})


def remove(session: Session, message: Facts, request: Any) -> None:
    """Take a variation out of the tree."""
    tree = session.require_tree()
    number = message.get("node")
    parent = tree.remove(tree.node(number))
    if session.require_cursor().number not in tree.nodes:
        session.look(parent)
    session.send({**session.view(), "type": "removed", "gone": number, "id": request})


async def preview(session: Session, message: Facts, request: Any) -> None:
    """The boards along a line that begins at the cursor."""
    here = session.require_cursor().position
    line = check_text(message.get("line"), "line", LONGEST_LINE)
    after = await asyncio.to_thread(here.play, line)
    passed = list(itertools.takewhile(lambda position: position is not here, after.trail()))[::-1]
    frames = [{"gesture": make_step(position).gesture, "pieces": pieces_of(position)} for position in passed]
    session.send({"type": "preview", "id": request, "frames": frames})


def hint(session: Session, message: Facts, request: Any) -> None:
    """What to play."""
    _refuse_end(session)
    seconds = number(message.get("seconds", 1.0), "seconds", 0.05, 10)
    session.ask("hint", request, session.hint(seconds))


def _refuse_end(session: Session) -> None:
    session.refuse_help()
    if session.require_cursor().position.over:
        raise Refused("game-over", "nothing can be played here: the game is over")


def odds(session: Session, message: Facts, request: Any) -> None:
    """What chance may make of some moves."""
    session.require_cursor()
    words = check_text(message.get("moves", ""), "moves", LONGEST_TURN)
    session.ask("odds", request, session.study("odds", {"moves": words}, 20, urgent=True))


def analyse(session: Session, message: Facts, request: Any) -> None:
    """The analysis on or off."""
    session.require_table()
    on = check_flag(message, "on")
    if on:
        session.refuse_help()
    lines = whole(message.get("lines", 1), "lines", 1, limits.MOST_LINES)
    patience = number(message.get("seconds", limits.MOST_ANALYSIS), "seconds", 0.1, limits.MOST_ANALYSIS)
    session.stop_analysing()
    session.send({"type": "analysing", "id": request, "on": on})
    if on:
        session.lines, session.patience = lines, patience
        session.analyse()


def explain(session: Session, message: Facts, request: Any) -> None:
    """The heuristic term by term."""
    session.require_table()
    session.refuse_help()
    given = {"heuristic": _heuristic(message)}
    session.ask("explain", request, session.study("explain", given, 10, urgent=True))


def tree(session: Session, message: Facts, request: Any) -> None:
    """A small search tree."""
    _refuse_end(session)
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
    return None if name is None else check_text(name, "heuristic", 60)


def review(session: Session, message: Facts, request: Any) -> None:
    """The game gone through move by move."""
    session.refuse_help()
    if not session.require_tree().live.path():
        raise Refused("bad-message", "nothing has been played yet, so there is nothing to review")
    seconds = number(message.get("seconds", 0.3), "seconds", 0.05, 10)
    session.ask("reviewed", request, session.review({"seconds": seconds}))


def explore(session: Session, message: Facts, request: Any) -> None:
    """What was played here in the games of the server's stores."""
    session.require_cursor()
    session.refuse_help()
    session.ask("explored", request, session.explore())


HANDLERS = (look, explore, annotate, remove, preview, review, hint, odds, analyse, explain, tree)

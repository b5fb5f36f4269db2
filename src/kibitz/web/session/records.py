"""The game on a table as a record, and a visitor's record as frames to step through."""

import re
from dataclasses import asdict
from typing import Any

from kibitz.arena.play.tags import make_tags
from kibitz.arena.play.task import TimeControl
from kibitz.arena.records import game_text, json_lines
from kibitz.arena.records.record import TOKENS, BadRecord, Ply, Record
from kibitz.core.game import Game
from kibitz.core.picture import drawing
from kibitz.core.result import CHANCE
from kibitz.web.api.facts import Facts, layout_facts
from kibitz.web.api.games import GameList
from kibitz.web.api.limits import MOST_MOVES, whole
from kibitz.web.api.refusals import Refused
from kibitz.web.session.steps import Step
from kibitz.web.session.table import Table

LONGEST_RECORD = 1 << 20


def record_of(table: Table) -> Record:
    """What was played on a table; an unfinished game has no result."""
    control = TimeControl(seconds=table.seconds)
    if table.clocks is not None:
        control = TimeControl(clock=table.clocks.clock, increment=table.clocks.increment)
    return Record(
        game=table.game.text,
        first=table.players[0],
        second=table.players[1],
        start=table.start,
        plies=tuple(_plies(table.steps)),
        result=table.result,
        reason=table.reason or "unfinished",
        seed=table.seed,
        tags=make_tags(control, {"Event": "kibitz serve"}),
    )


def _plies(steps: list[Step]) -> list[Ply]:
    """Moves of one turn joined, outcomes on their own."""
    found: list[Ply] = []
    last = CHANCE
    for step in steps:
        if step.side == last != CHANCE:
            joined = asdict(found[-1])
            joined["text"] += f"+{step.text}"
            found[-1] = Ply(**joined)
        else:
            note = step.note
            found.append(
                Ply(
                    text=step.text,
                    side=step.side,
                    seconds=round(note.seconds, 3),
                    score=note.score,
                    depth=note.depth,
                    nodes=note.nodes,
                )
            )
        last = step.side
    return found


def record_facts(table: Table, form: Any) -> Facts:
    """The record as a file to download."""
    if form not in ("text", "json"):
        raise Refused("bad-message", f"format is {str(form)[:40]!r}, expected 'text' or 'json'")
    format_record = game_text.format_record if form == "text" else json_lines.format_record
    text = format_record(record_of(table))
    name = re.sub(r"[^A-Za-z0-9]+", "-", table.game.text).strip("-")
    return {"format": form, "name": f"{name}.{'txt' if form == 'text' else 'jsonl'}", "text": text}


def check_request(text: Any, number: Any) -> Facts:
    """What a worker needs to read a record out of a visitor's text, by its number where there are several."""
    if not isinstance(text, str) or len(text) > LONGEST_RECORD:
        raise Refused("bad-record", f"record is missing or too long, expected at most {LONGEST_RECORD} characters")
    return {"text": text, "number": whole(number, "number", 1, 10_000)}


def read_record(given: Facts) -> Facts:
    """The record as one line of JSON."""
    text, wanted = given["text"], given["number"]
    try:
        found = _nth(text, wanted)
    except BadRecord as error:
        raise Refused("bad-record", str(error)) from None
    if found is None:
        raise Refused("bad-record", f"there is no record number {wanted} in this text")
    if len(found.plies) > MOST_MOVES:
        raise Refused("too-large", f"the record has {len(found.plies)} plies, expected at most {MOST_MOVES}")
    return {"record": json_lines.format_record(found)}


def _nth(text: str, wanted: int) -> Record | None:
    if not text.lstrip().startswith("{"):
        return next((record for count, record in enumerate(game_text.read(text, "record"), 1) if count == wanted), None)
    lines = [line for line in text.split("\n") if line.strip()]
    return json_lines.read(lines[wanted - 1], f"record:{wanted}") if wanted <= len(lines) else None


def replay_job(record: Record, game: Game, games: GameList) -> tuple[Facts, Facts]:
    """What a worker needs to step through a record, and what the visitor is told besides its frames."""
    given = {
        "game": games.worker_text(game),
        "start": record.start,
        "plies": [asdict(ply) for ply in record.plies],
    }
    told = {
        "game": game.text,
        "first": record.first,
        "second": record.second,
        "result": TOKENS[record.result],
        "reason": record.reason,
        "sides": list(game.rulebook.sides),
        "layout": layout_facts(game.layout),
        "drawing": drawing(game.layout),
        "tags": record.tags,
    }
    return given, told

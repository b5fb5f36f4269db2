"""A contest and its entrants as JSON holds them, and back."""

from dataclasses import asdict
from typing import Any

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import OpeningSettings
from kibitz.arena.play.adjudication import Adjudication, Threshold
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.resources import Resources


def contest_facts(contest: Contest) -> dict[str, Any]:
    """All of a contest but its entrants."""
    facts = asdict(contest)
    del facts["entrants"]
    return facts


def read_entrant(facts: dict[str, Any]) -> Entrant:
    """An entrant of its facts; ValueError, KeyError or TypeError where they are none."""
    return Entrant(**facts | {"authors": tuple(facts["authors"])})


def _read_adjudication(facts: dict[str, Any]) -> Adjudication:
    resign, draw = (Threshold(**facts[rule]) if facts[rule] else None for rule in ("resign", "draw"))
    return Adjudication(resign=resign, draw=draw, table=facts["table"])


def read_contest(facts: dict[str, Any], entrants: tuple[Entrant, ...]) -> Contest:
    """A contest of its facts; ValueError, KeyError or TypeError where they are none."""
    begin = facts["opening_settings"]
    own = {
        "control": TimeControl(**facts["control"]),
        "resources": Resources(**facts["resources"]),
        "opening_settings": OpeningSettings(**begin | {"lines": tuple(begin["lines"])}),
        "boards": tuple(facts["boards"]),
        "adjudication": _read_adjudication(facts["adjudication"]),
        "limits": tuple((name, TimeControl(**control)) for name, control in facts["limits"]),
    }
    return Contest(entrants=entrants, **facts | own)

"""A rehearsal: every entry is made ready and plays some turns on either side, in the sandbox of the real games.

What is wrong with each is known before the night of the run. Nothing is stored.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import seed_for
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError
from kibitz.core.result import CHANCE, Result

TURNS = 12  # of a game that is rehearsed, both sides' together
OPPONENT = "random"


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How an entry did: what is wrong with it, how long it took to get ready, and its longest turn."""

    name: str
    problem: str = ""
    ready: float = 0.0  # seconds
    longest: float = 0.0  # seconds
    turns: int = 0


def rehearse(contest: Contest) -> Iterator[Rehearsal]:
    """Try every entry, on every board."""
    with Referee() as referee:
        for entrant in contest.entrants:
            yield _rehearse_one(contest, entrant, referee)


def _rehearse_one(contest: Contest, entrant: Entrant, referee: Referee) -> Rehearsal:
    if entrant.failure:
        return Rehearsal(entrant.name, entrant.failure)
    began = time.perf_counter()
    try:
        others = contest.files_of_others(entrant)
        referee.try_out(contest.game, entrant.text, contest.resources, entrant.folder, *others)
        ready = time.perf_counter() - began
        games = [
            (side, referee.play(_task(contest, board, entrant, side)))
            for board in contest.boards or (contest.game,)
            for side in (0, 1)
        ]
    except KibitzError as error:
        return Rehearsal(entrant.name, str(error))
    spent = [ply.seconds for side, record in games for ply in record.plies if ply.side == side != CHANCE]
    problems = [record.reason for side, record in games if _is_to_blame(record, side)]
    return Rehearsal(entrant.name, problems[0] if problems else "", ready, max(spent, default=0.0), len(spent))


def _task(contest: Contest, board: str, entrant: Entrant, side: int) -> GameTask:
    texts = (entrant.text, OPPONENT) if side == 0 else (OPPONENT, entrant.text)
    folders = (entrant.folder, "") if side == 0 else ("", entrant.folder)
    seed = seed_for(contest.opening_settings.seed, entrant.name, side)
    others, other_folders = contest.files_of_others(entrant)
    return GameTask(
        game=board,
        first=texts[0],
        second=texts[1],
        folders=folders,
        control=contest.control_of(entrant),
        seed=seed,
        resources=contest.resources,
        turns=TURNS,
        others=others,
        other_folders=other_folders,
    )


def _is_to_blame(record: Record, side: int) -> bool:
    """Did this side lose by an offence?"""
    lost = record.result in (Result.FIRST_WINS, Result.SECOND_WINS) and Result(record.result).winner != side
    return lost and record.reason != "rules"

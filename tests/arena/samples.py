"""Contests and games made up for tests."""

from collections.abc import Generator, Iterable

from kibitz.arena.contest.contest import Contest, Format
from kibitz.arena.contest.openings import OpeningSettings
from kibitz.arena.play.fixture import Fixture, Key, PlayedGame
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.resources import Resources
from kibitz.arena.records.record import Ply, Record
from kibitz.core.result import Result

WON, LOST, DRAWN = Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW


def contest(*texts: str, form: Format = "round-robin", games: int = 4, rounds: int = 1, seed: int = 1) -> Contest:
    """A contest of quick agents on a small board, in this process."""
    entrants = tuple(Entrant(name=text, text=text, fingerprint=text) for text in texts)
    return Contest(
        game="breakthrough,columns=4,rows=5",
        format=form,
        entrants=entrants,
        games=games,
        rounds=rounds,
        control=TimeControl(nodes=10),
        resources=Resources(apart=False),
        opening_settings=OpeningSettings(seed=seed, least=1, most=3, balance=0),
    )


def record(first: str, second: str, result: Result | None, reason: str = "rules", line: str = "a2-a3") -> Record:
    """A record of made-up moves."""
    plies = tuple(Ply(text=word, side=number % 2, seconds=0.01) for number, word in enumerate(line.split()))
    return Record(
        game="breakthrough", first=first, second=second, start="", plies=plies, result=result, reason=reason, seed=7
    )


def played(
    first: str, second: str, opening: int, result: Result | None, reason: str = "rules", number: int = 0, line: str = ""
) -> PlayedGame:
    """A game of two players; its moves are its own unless a line is given."""
    moves = line or f"{first}-{second}-{opening}".replace(" ", "")
    return PlayedGame(Key(first, second, opening), number, "print", record(first, second, result, reason, moves))


class Scripted:
    """A team that plays nothing: the player whose name comes first in the alphabet wins."""

    def __init__(self) -> None:
        self.asked: list[Fixture] = []

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame, None, None]:
        for fixture in fixtures:
            self.asked.append(fixture)
            first, second, opening = fixture.key
            result = WON if first < second else LOST
            yield PlayedGame(
                fixture.key, fixture.round, fixture.fingerprint, record(first, second, result, line=f"m{opening}")
            )

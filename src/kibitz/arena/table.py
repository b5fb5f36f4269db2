"""Standings and cross tables for the terminal."""

import math
from dataclasses import dataclass

from rich.table import Table

from kibitz.arena.contest import Contest
from kibitz.arena.ratings import Ratings, rate
from kibitz.arena.scores import Scores
from kibitz.arena.statistics import Interval, Tally

KNOWN = 400  # Elo: an advantage of the first side that is less certain is not worth telling
NAME = 34  # letters of a name in a table


@dataclass(frozen=True, slots=True)
class Row:
    """One player in the standings."""

    place: int
    name: str
    rating: Interval
    tally: Tally
    failures: int
    failure: str = ""  # why it played nothing at all

    @property
    def beyond(self) -> bool:
        """Won or lost everything: only the prior keeps its rating finite."""
        return self.tally.games > 0 and self.tally.points in (0, self.tally.games)


@dataclass(frozen=True, slots=True)
class Standings:
    """All players, the best first, and what else the ratings say."""

    rows: tuple[Row, ...]
    ratings: Ratings
    order: tuple[str, ...]  # names as the ratings number them

    def superiority(self, left: str, right: str) -> float:
        """The likelihood that one is stronger than the other."""
        return self.ratings.superiority(self.order.index(left), self.order.index(right))


def standings(contest: Contest, scores: Scores) -> Standings:
    """The ratings of all who played, the best first, then those who could not."""
    names = tuple(entrant.name for entrant in contest.able)
    ratings = rate(len(names), scores.meetings(names)) if names else rate(1, [])
    guilty = scores.faults()
    ranked = sorted(zip(names, ratings.players, strict=False), key=lambda pair: -pair[1].value)
    rows = [
        Row(place, name, rating, scores.total(name, names), guilty[name])
        for place, (name, rating) in enumerate(ranked, start=1)
    ]
    unable = [entrant for entrant in contest.entrants if entrant.failure]
    nothing = Interval(0.0, 0.0, 0.0)
    rows += [Row(len(rows) + 1, entrant.name, nothing, Tally(), 0, entrant.failure) for entrant in unable]
    return Standings(tuple(rows), ratings, names)


def leaderboard(found: Standings) -> Table:
    """The standings as a table."""
    table = Table(box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("player", max_width=NAME, overflow="fold")
    for head in ("Elo", "95%", "points", "games", "won", "drawn", "lost", "failed"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in found.rows:
        table.add_row(*_cells(row))
    return table


def _cells(row: Row) -> list[str]:
    tally = row.tally
    if row.failure:
        return ["-", row.name, "", "", "cannot play"]
    return [
        str(row.place),
        row.name,
        rating_text(row),
        f"+-{row.rating.half:.0f}",
        f"{tally.points:g}",
        *map(str, (tally.games, tally.wins, tally.draws, tally.losses)),
        str(row.failures) if row.failures else "",
    ]


def rating_text(row: Row) -> str:
    """A rating; one that no loss or no win holds is marked."""
    mark = "" if not row.beyond else ">" if row.tally.points else "<"
    return f"{mark}{row.rating.value:+.0f}"


def cross_table(found: Standings, scores: Scores) -> Table:
    """Who scored what against whom: points of the player in the row."""
    names = [row.name for row in found.rows if not row.failure]
    table = Table(box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("player", max_width=NAME, overflow="fold")
    for number, _ in enumerate(names, start=1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, name in enumerate(names, start=1):
        table.add_row(str(number), name, *(cell(scores, name, other) for other in names))
    return table


def cell(scores: Scores, name: str, other: str) -> str:
    """The points of one player against another, as `7.5/10`."""
    if name == other:
        return "x"
    tally = scores.tally(name, other)
    return f"{tally.points:g}/{tally.games}" if tally.games else "-"


def notes(found: Standings) -> list[str]:
    """What the table itself does not say."""
    return [*marks(found), *order(found)]


def marks(found: Standings) -> list[str]:
    """What its marks mean, and what the first side is worth."""
    told = []
    played = [row for row in found.rows if row.tally.games]
    if any(row.beyond for row in played):
        told.append("> and <: won or lost every game; how far beyond, games cannot tell")
    advantage = found.ratings.advantage
    if played and advantage.half < KNOWN:
        told.append(f"the first side is worth {advantage.value:+.0f} +- {advantage.half:.0f} Elo")
    return told


def order(found: Standings) -> list[str]:
    """Who is the strongest, and how sure that is."""
    played = [row.name for row in found.rows if row.tally.games]
    if len(played) < 2:
        return []
    best, second = played[:2]
    sure = found.superiority(best, second)
    if sure >= 0.95:
        return [f"{best} is the strongest, we are {min(99.9, math.floor(1000 * sure) / 10):g}% sure"]
    if sure < 0.505:
        return [f"{best} and {second} are level: more games are needed"]
    return [f"{best} is ahead of {second}, but only {100 * sure:.0f}% sure: more games are needed"]

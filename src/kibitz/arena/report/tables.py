"""Standings and cross tables for the terminal, and what they do not say."""

from rich.table import Table

from kibitz.arena.contest.contest import Contest
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.standings import Row, Standings, rank

KNOWN = 400  # Elo: an advantage of the first side that is less certain is not worth telling
NAME = 34  # letters of a name in a table


def leaderboard(found: Standings) -> Table:
    """The standings as a table."""
    table = Table(box=None, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("player", max_width=NAME, overflow="fold")
    breaks = tie_break_heads(found)
    for head in ("Elo", "95%", "points", *breaks, "games", "won", "drawn", "lost", "failed"):
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
        rating_interval(row),
        *point_cells(row),
        *map(str, (tally.games, tally.wins, tally.draws, tally.losses)),
        str(row.failures) if row.failures else "",
    ]


def tie_break_heads(found: Standings) -> list[str]:
    """The columns of tie-breaks, where they decide."""
    return ["Buchholz", "S-B"] if any(row.points for row in found.rows) else []


def point_cells(row: Row) -> list[str]:
    """The points, and the tie-breaks where they decide."""
    if row.points is None:
        return [f"{row.tally.points:g}"]
    return [f"{row.points.points:g}", f"{row.points.buchholz:g}", f"{row.points.sonneborn_berger:.4g}"]


def standings_of(contest: Contest, scores: Scores) -> Standings:
    """The standings in the order that the contest's format has."""
    return rank(contest.entrants, scores, by_points=contest.format == "swiss")


def rating_text(row: Row) -> str:
    """A rating; one that no loss or no win holds is marked."""
    mark = "" if not row.beyond else ">" if row.tally.points else "<"
    return f"{mark}{row.rating.value:+.0f}"


def rating_interval(row: Row) -> str:
    """The bounds of a rating, in whole points."""
    return f"[{row.rating.low:+.0f}, {row.rating.high:+.0f}]"


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


def marks(found: Standings) -> list[str]:
    """What its marks mean, and what the first side is worth."""
    told = []
    played = [row for row in found.rows if row.tally.games]
    if any(row.beyond for row in played):
        told.append("> and <: won or lost every game; how far beyond, games cannot tell")
    advantage = found.ratings.advantage
    if played and advantage.width < 2 * KNOWN:
        told.append(f"the first side is worth {advantage} Elo (95%)")
    return told

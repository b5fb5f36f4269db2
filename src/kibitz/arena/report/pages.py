"""A report of a contest: one page, or a folder with a leaderboard and a page for each entry."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import kibitz
from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.openings import Opening
from kibitz.arena.play.fixture import SILENCE, PlayedGame, Printed
from kibitz.arena.play.tags import control_text
from kibitz.arena.report import game_list, logs, plots, sentences, tables
from kibitz.arena.report.circumstances import describe_isolation, describe_lateness
from kibitz.arena.report.html import lines, page, section
from kibitz.arena.report.html import table as html_table
from kibitz.arena.stats.decision import decide_order
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.standings import Row, Standings
from kibitz.arena.stats.tally import Tally
from kibitz.core.errors import KibitzError
from kibitz.core.output_file import check_writable, write_file
from kibitz.core.result import CHANCE

PAGE = (".html", ".htm")
Links = dict[str, str]  # from a player's name to its page


def check(place: Path) -> None:
    """Refuse a place where no report can be, before any work is done for it."""
    if place.suffix in PAGE:
        check_writable(place)
    elif place.exists() and not place.is_dir():
        raise KibitzError(f"cannot write '{place}': it is a file, expected a folder or the name of an .html page")
    elif not place.parent.is_dir():
        raise KibitzError(f"cannot write '{place}': No such file or directory")


def write(
    place: Path,
    contest: Contest,
    games: Sequence[PlayedGame],
    openings: Sequence[Opening],
    printed: Callable[[PlayedGame], Printed] = lambda game: SILENCE,
) -> Path:
    """Write a report; the path of its first page."""
    check(place)
    if place.suffix in PAGE:
        write_file(place, contest_page(contest, games, openings))
        return place
    place.mkdir(exist_ok=True)
    links = _links(contest)
    scores = Scores(games)
    found = tables.standings_of(contest, scores)
    for name, file in links.items():
        log = logs.write(place / f"{Path(file).stem}.log", name, games, printed)
        write_file(place / file, entry_page(contest, name, games, scores, found, log))
    write_file(place / "index.html", contest_page(contest, games, openings, links))
    return place / "index.html"


def _links(contest: Contest) -> Links:
    """A file for each entrant, named so that any file system takes it."""
    found: Links = {}
    for number, entrant in enumerate(contest.entrants, start=1):
        plain = re.sub(r"[^A-Za-z0-9]+", "-", entrant.name).strip("-")[:40]
        found[entrant.name] = f"entry-{number:03}-{plain}.html" if plain else f"entry-{number:03}.html"
    return found


def contest_page(
    contest: Contest, games: Sequence[PlayedGame], openings: Sequence[Opening], links: Links | None = None
) -> str:
    """The page of a contest. With links to pages of the entries the games are there, not here."""
    scores = Scores(games)
    found = tables.standings_of(contest, scores)
    rated = [(row.name, row.rating) for row in found.rows if row.tally.games]
    said = [*_said(contest, scores, found), *sentences.remarks(contest, scores)]
    body = [
        f"<header><h1>{escape(_title(contest))}</h1>{lines(_facts(contest, games), 'quiet')}</header>",
        section("What follows", lines(said[:1], "said"), lines(said[1:])),
        section("Standings", _standings(found, links or {}), plots.ratings(rated), lines(tables.marks(found), "quiet")),
        section("Who beat whom", _cross(found, scores)),
        section("Score by opening", _by_opening(contest, games, openings)),
        section("Time", _times(games)),
        section("Length of games, in plies", plots.histogram([len(game.record.plies) for game in games], "lengths")),
        section("Failures", game_list.list_failures(games, linked=links is None)),
        "" if links else section("Games", game_list.list_games(games)),
    ]
    return page(_title(contest), "\n".join(filter(None, body)), replays=bool(games) and not links)


def entry_page(
    contest: Contest,
    name: str,
    games: Sequence[PlayedGame],
    scores: Scores,
    found: Standings,
    log: logs.Written | None = None,
) -> str:
    """The page of one entry: how it did against each other, every failure and its reason, all its games."""
    row = next(row for row in found.rows if row.name == name)
    own = [game for game in games if name in game.key[:2]]
    rivals = [other.name for other in found.rows if other.name != name and scores.tally(name, other.name).games]
    cells = [[escape(rival), *_tally_cells(scores.tally(name, rival))] for rival in rivals]
    text = next(entrant.text for entrant in contest.entrants if entrant.name == name)
    body = [
        f"<header><h1>{escape(name)}</h1>{lines([f'{text}, in {_title(contest)}'], 'quiet')}"
        '<p><a href="index.html">the whole tournament</a></p></header>',
        section("Result", lines([_result(row)], "bad" if row.failure else "said"), lines(_numbers(row))),
        lines(list(describe_isolation(own, name)), "quiet"),
        f'<p><a href="{log.file}">what it printed</a> {escape(log.sentence)}</p>' if log else "",
        section("Against each", html_table(["opponent", *TALLY], cells)),
        section("Failures", game_list.list_failures(own, linked=True)),
        section("Time", _times(own, name)),
        section("Games", game_list.list_games(own)),
    ]
    return page(name, "\n".join(filter(None, body)), replays=bool(own))


TALLY = ["points", "games", "won", "drawn", "lost"]


def _tally_cells(tally: Tally) -> list[str]:
    return [f"{tally.points:g}", *map(str, (tally.games, tally.wins, tally.draws, tally.losses))]


def _title(contest: Contest) -> str:
    who = " against ".join(entrant.name for entrant in contest.entrants)
    what = who if contest.format == "match" else f"{contest.format} of {len(contest.entrants)}"
    return f"{contest.label or contest.short_game}: {f'{contest.short_game}, ' if contest.label else ''}{what}"


def _facts(contest: Contest, games: Sequence[PlayedGame]) -> list[str]:
    dates = sorted(game.record.tags["Date"] for game in games if "Date" in game.record.tags)
    when = f", played from {dates[0]} to {dates[-1]}" if dates else ""
    begin = contest.opening_settings
    begins = (
        f"{len(begin.lines)} openings of the user's"
        if begin.lines
        else f"openings of {begin.least} to {begin.most} random turns"
    )
    return [
        f"{len(games)} games{when}",
        f"{control_text(contest.control)}; {begins}, seed {begin.seed}; Kibitz {kibitz.__version__}",
        *describe_isolation(games),
        *describe_lateness(games),
    ]


def _said(contest: Contest, scores: Scores, found: Standings) -> list[str]:
    if contest.format == "match":
        left, right = (entrant.name for entrant in contest.entrants)
        tally = scores.tally(left, right)
        return [str(decide_order(left, right, tally, sentences.dependent_players(contest))), *sentences.numbers(tally)]
    return sentences.strongest(contest, found) or ["no game was played yet"]


def _standings(found: Standings, links: Links) -> str:
    rows = []
    for row in found.rows:
        name = escape(row.name)
        name = f'<a href="{links[row.name]}">{name}</a>' if row.name in links else name
        if row.failure:
            told = f'{name}: <span class="bad">{escape(row.failure)}</span>'
            rows.append(["-", f'<td class="name" colspan="11">{told}</td>'])
            continue
        failed = f'<span class="bad">{row.failures}</span>' if row.failures else ""
        rating = [tables.rating_text(row), tables.rating_interval(row)]
        rows.append([str(row.place), name, *rating, *tables.point_cells(row), *_tally_cells(row.tally)[1:], failed])
    heads = ["#", "player", "Elo", "95%", TALLY[0], *tables.tie_break_heads(found), *TALLY[1:], "failed"]
    return html_table(heads, rows, names=2)


def _cross(found: Standings, scores: Scores) -> str:
    names = [row.name for row in found.rows if not row.failure]
    rows = []
    for number, name in enumerate(names, start=1):
        cells = [_cross_cell(scores, name, other) for other in names]
        rows.append([str(number), escape(name), *cells])
    return html_table(["#", "player", *(str(number + 1) for number in range(len(names)))], rows, names=2)


def _cross_cell(scores: Scores, name: str, other: str) -> str:
    text = tables.cell(scores, name, other)
    share = scores.tally(name, other).score if name != other else None
    if share is None:
        return f'<td class="self">{text}</td>'
    return f'<td class="shade" style="--share:{share:.2f}" title="{escape(f"{name} against {other}")}">{text}</td>'


def _by_opening(contest: Contest, games: Sequence[PlayedGame], openings: Sequence[Opening]) -> str:
    """How each opening went: for the first of two players in a match, for the first side in a tournament."""
    points: dict[int, list[float]] = defaultdict(list)
    whose = contest.entrants[0].name if contest.format == "match" else "the first side"
    for game in games:
        points[game.key.opening].append(game.points(whose if contest.format == "match" else game.key.first))
    by_number = {opening.number: opening for opening in openings}
    values = []
    for number in sorted(points):
        share = sum(points[number]) / len(points[number])
        opening = by_number.get(number)
        line = "" if opening is None else f": {opening.line or 'the start'}{f' ({opening.note})' * bool(opening.note)}"
        values.append((share, f"opening {number + 1}, {100 * share:.0f}% for {whose}{line}"))
    noted = [opening for opening in openings if opening.note]
    notes = [f"points of {whose}; the line is an even score"]
    if noted:
        notes.append(f"{len(noted)} of {len(openings)} openings are not as asked for: {noted[0].note}")
    return plots.columns(values, "score by opening") + lines(notes, "quiet") if values else ""


def _times(games: Sequence[PlayedGame], only: str | None = None) -> str:
    """Seconds a turn of each player: the mean as a bar, the longest as a line."""
    spent: dict[str, list[float]] = defaultdict(list)
    for game in games:
        for ply in game.record.plies[game.record.opening :]:
            if ply.side != CHANCE:
                spent[game.key.first if ply.side == 0 else game.key.second].append(ply.seconds)
    rows = [
        plots.Bar(name, sum(used) / len(used), max(used), f"{_time(sum(used) / len(used))}, longest {_time(max(used))}")
        for name, used in sorted(spent.items())
        if only in (None, name)
    ]
    told = lines(["mean of a turn; the thin line is the longest"], "quiet")
    return plots.bars(rows, "seconds a turn") + told if rows else ""


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"


def _result(row: Row) -> str:
    if row.failure:
        return f"it did not take part: {row.failure}"
    return f"place {row.place}: {row.tally.points:g} of {row.tally.games} points, {tables.rating_text(row)} Elo"


def _numbers(row: Row) -> list[str]:
    if row.failure or not row.tally.games:
        return []
    tally, rating = row.tally, row.rating
    return [
        f"{tally.wins} won, {tally.draws} drawn, {tally.losses} lost, {row.failures} of them by its own fault",
        f"Elo {rating} (95%), the mean of all players being 0",
    ]

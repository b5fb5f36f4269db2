"""Tournaments out of stores, as plain data for a page. A worker reads them, for a store may be large and still grow."""

from collections.abc import Iterator
from pathlib import Path

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.store import Store
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.records.record import TOKENS
from kibitz.arena.stats.scores import Scores
from kibitz.core.errors import KibitzError
from kibitz.web.api.facts import Facts
from kibitz.web.api.refusals import Refused

RECENT = 20
MOST_FAILURES = 100
LONGEST_LINE = 200  # characters of a game's moves that are shown
LONGEST_GAME = 20_000  # characters of a game that can be opened on the board
Found = tuple[str, Path, int, Contest]  # name, store, number in it


def list_tournaments(given: Facts) -> Facts:
    """Every tournament there is; a store that cannot be read is left out."""
    found = []
    for name, store, number, contest in _contests(given["stores"]):
        with Store(store, create=False) as kept:
            played = len(kept.known(number))
        found.append(_head(name, contest, played))
    return {"tournaments": found}


def describe_tournament(given: Facts) -> Facts:
    """One of them, with its table."""
    name, store, number, contest = _find(given)
    with Store(store, create=False) as kept:
        games = kept.games(number)
    return _head(name, contest, len(games)) | _table(contest, games)


def tell_news(given: Facts) -> Facts:
    """What is new in one of them, after what the page has seen."""
    from kibitz.arena.report.feed import read_news

    _, store, number, _ = _find(given)
    with Store(store, create=False) as kept:
        return read_news(kept, number, given["since"])


def open_game(given: Facts) -> Facts:
    """One game of them, whole."""
    from kibitz.arena.report.feed import read_game, record_facts

    name, store, number, _ = _find(given)
    with Store(store, create=False) as kept:
        found = read_game(kept, number, given["number"])
    if found is None:
        raise Refused("not-found", f"{name} has no game {given['number']}")
    return record_facts(found)


def _find(given: Facts) -> Found:
    for found in _contests(given["stores"]):
        if found[0] == given["name"]:
            return found
    raise Refused("not-found", f"no tournament is called {given['name'][:60]!r}")


def _contests(stores: list[str]) -> Iterator[Found]:
    """Name, store, number and contest; the name of the store stands in front where there are several."""
    for text in stores:
        store = Path(text)
        try:
            with Store(store, create=False) as kept:
                known = kept.contests()
        except KibitzError:
            continue
        for number, contest in known.items():
            yield (contest.name if len(stores) == 1 else f"{store.stem}: {contest.name}"), store, number, contest


def _head(name: str, contest: Contest, played: int) -> Facts:
    return {
        "name": name,
        "game": contest.game,
        "format": contest.format,
        "games": played,
        "planned": planned(contest),
        "players": len(contest.entrants),
    }


def planned(contest: Contest) -> int:
    """How many games a contest will have."""
    able = len(contest.able)
    pairings = {"gauntlet": able - 1, "swiss": contest.rounds * (able // 2)}.get(contest.format, able * (able - 1) // 2)
    return max(0, pairings) * contest.games


def _table(contest: Contest, games: list[PlayedGame]) -> Facts:
    from kibitz.arena.report import sentences, tables

    scores = Scores(games)
    ranked = tables.standings_of(contest, scores)
    rows = ranked.rows
    names = [row.name for row in rows]
    standings = [
        {
            "player": row.name,
            "games": row.tally.games,
            "wins": row.tally.wins,
            "draws": row.tally.draws,
            "losses": row.tally.losses,
            "score": row.tally.points,
            "rating": round(row.rating.value) if row.tally.games else None,
            "interval": [round(row.rating.low), round(row.rating.high)] if row.tally.games else None,
            "failures": row.failures,
            "failure": row.failure,
        }
        for row in rows
    ]
    cross = [[None if name == other else tables.cell(scores, name, other) for other in names] for name in names]
    failures = [f"{game.key.first} against {game.key.second}: {game.record.reason}" for game in scores.failures]
    failures += [f"{row.name}: {row.failure}" for row in rows if row.failure]
    return {
        "standings": standings,
        "cross": cross,
        "failures": failures[-MOST_FAILURES:],
        "recent": [_game(game) for game in games[-RECENT:]][::-1],
        "notes": [*tables.marks(ranked), *sentences.strongest(contest, ranked)],
    }


def _game(game: PlayedGame) -> Facts:
    record = game.record
    line = record.moves
    return {
        "first": game.key.first,
        "second": game.key.second,
        "result": TOKENS[record.result],
        "reason": record.reason,
        "game": record.game,
        "start": record.start,
        "line": line if len(line) <= LONGEST_GAME else "",
        "moves": line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "...",
    }

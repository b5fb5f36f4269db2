"""A contest as it grows, for a page that shows it live: what is new since the last look, and any game by number."""

import json
from typing import Any

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.schedule import games_in_all
from kibitz.arena.contest.store import Store
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.records import json_lines
from kibitz.arena.records.record import TOKENS, Record
from kibitz.arena.report import sentences, tables
from kibitz.arena.stats.scores import Scores, is_failure
from kibitz.arena.stats.standings import Row

Facts = dict[str, Any]
SHOWN = ("game", "first", "second", "start", "opening", "result", "reason", "plies", "tags")  # of a record


def read_news(store: Store, number: int, since: int = 0) -> Facts:
    """What has happened after `since`, which is the `last` of the answer before: nothing but that number where no game
    was finished, else the new games, the standings and what they say. Ratings are worked out once for all of it. Where
    `last` is smaller than `since`, the store is another one: ask from 0.
    """
    last = store.last_entry(number)
    if last <= since:
        return {"last": last, "games": []}
    contest = store.contests()[number]
    games = store.numbered_games(number)
    return {
        "last": last,
        "planned": games_in_all(contest),
        "games": [_game_facts(place, game) for place, game in games if place > since],
        **_standing_facts(contest, [game for _, game in games]),
    }


def read_game(store: Store, number: int, place: int) -> Record | None:
    """The record of a game by its number; None where the contest has no such game."""
    return next((game.record for known, game in store.numbered_games(number) if known == place), None)


def record_facts(record: Record) -> Facts:
    """A record as the page takes it: what `new` needs to open it, and what players said of each turn."""
    plain = json.loads(json_lines.format_record(record))
    return {name: plain[name] for name in SHOWN} | {"line": record.moves}


def _standing_facts(contest: Contest, games: list[PlayedGame]) -> Facts:
    scores = Scores(games)
    found = tables.standings_of(contest, scores)
    said = [*tables.marks(found), *sentences.strongest(contest, found), *sentences.remarks(contest, scores)]
    return {"standings": [_row_facts(row) for row in found.rows], "notes": said}


def _row_facts(row: Row) -> Facts:
    tally = row.tally
    return {
        "place": row.place,
        "player": row.name,
        "rating": row.rating.values if tally.games else None,
        "points": tally.points if row.points is None else row.points.points,
        "tie_breaks": None if row.points is None else [row.points.buchholz, row.points.sonneborn_berger],
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "failures": row.failures,
        "failure": row.failure,
    }


def _game_facts(place: int, game: PlayedGame) -> Facts:
    return {
        "number": place,
        "round": game.round + 1,
        "opening": game.key.opening + 1,
        "first": game.key.first,
        "second": game.key.second,
        "result": TOKENS[game.record.result],
        "reason": game.record.reason,
        "failed": is_failure(game),
        "plies": len(game.record.plies),
    }

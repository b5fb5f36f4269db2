"""Games and standings as files for other programs: CSV, JSON, or records as text."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from kibitz.arena.contest.contest import Contest
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.records import files
from kibitz.arena.records.record import TOKENS
from kibitz.arena.report.tables import standings_of
from kibitz.arena.stats.scores import Scores, culprit
from kibitz.core.output_file import write_file

GAME_HEADS = ("round", "opening", "first", "second", "result", "reason", "culprit", "plies", "seed", "date", "board")
MARK_HEADS = (
    "place", "name", "authors", "language", "mark", "points", "games", "won", "drawn", "lost",
    "elo", "elo_low", "elo_high", "failures", "problem",
)  # fmt: skip


def save_games(path: Path, contest: Contest, games: Sequence[PlayedGame]) -> None:
    """Write games: `.csv` a row each, `.json` with the contest, anything else as records (`.jsonl`, or text)."""
    if path.suffix == ".csv":
        write_file(path, _csv(GAME_HEADS, [_game_row(game) for game in games]))
    elif path.suffix == ".json":
        facts = {"name": contest.name, **asdict(contest), "games_played": [_game_facts(game) for game in games]}
        write_file(path, json.dumps(facts, indent=1) + "\n")
    else:
        files.save(path, [game.record for game in games])


def save_marks(path: Path, contest: Contest, games: Sequence[PlayedGame]) -> None:
    """Write a row for each entrant, as `.csv`. The mark is the share of the points, out of 100."""
    scores = Scores(games)
    by_name = {entrant.name: entrant for entrant in contest.entrants}
    rows = []
    for row in standings_of(contest, scores).rows:
        tally, entrant = row.tally, by_name[row.name]
        mark = "" if tally.score is None else f"{100 * tally.score:.1f}"
        bounds = (row.rating.value, row.rating.low, row.rating.high)
        rating = [round(value) if tally.games else "" for value in bounds]
        points = tally.points if row.points is None else row.points.points
        known = (row.name, "; ".join(entrant.authors), entrant.language, mark, f"{points:g}")
        counts = (tally.games, tally.wins, tally.draws, tally.losses)
        rows.append(("" if row.failure else row.place, *known, *counts, *rating, row.failures, row.failure))
    write_file(path, _csv(MARK_HEADS, rows))


def _game_row(game: PlayedGame) -> tuple[object, ...]:
    record = game.record
    who = (game.round + 1, game.key.opening + 1, game.key.first, game.key.second)
    how = (TOKENS[record.result], record.reason, culprit(game) or "", len(record.plies), record.seed)
    return (*who, *how, record.tags.get("Date", ""), record.game)


def _game_facts(game: PlayedGame) -> dict[str, object]:
    return dict(zip(GAME_HEADS, _game_row(game), strict=True)) | {"moves": game.record.moves}


def _csv(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([[_plain(cell) for cell in row] for row in rows])
    return text.getvalue()


def _plain(cell: object) -> object:
    """A text that a spreadsheet would take for a formula gets a quote before it: names are students' own."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t")) else cell

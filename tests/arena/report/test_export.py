"""Games and marks for other programs."""

import csv
import json
from dataclasses import replace
from pathlib import Path

from kibitz.arena.records import files
from kibitz.arena.report.export import save_games, save_marks
from tests.arena.samples import DRAWN, LOST, WON, contest, played

ASKED = contest("=cmd", "b", "c")
GAMES = [
    played("=cmd", "b", 0, WON), played("b", "=cmd", 0, LOST, "late: 2 s of 1 s"), played("b", "c", 0, DRAWN),
    played("c", "b", 0, WON), played("c", "=cmd", 0, LOST), played("=cmd", "c", 0, WON),
]  # fmt: skip


def test_games_are_exported_in_each_form(tmp_path: Path) -> None:
    for name in ("games.csv", "games.json", "games.jsonl", "games.txt"):
        save_games(tmp_path / name, ASKED, GAMES)
    with (tmp_path / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["result"] for row in rows] == ["1-0", "0-1", "1/2-1/2", "1-0", "0-1", "1-0"]
    assert rows[1]["reason"] == "late: 2 s of 1 s"
    assert rows[1]["culprit"] == "b"
    assert len(json.loads((tmp_path / "games.json").read_text())["games_played"]) == 6
    assert files.load(tmp_path / "games.jsonl") == [game.record for game in GAMES]
    assert files.load(tmp_path / "games.txt") == [game.record for game in GAMES]


def test_marks_are_a_row_for_each_entrant_and_no_formula(tmp_path: Path) -> None:
    first, *others = ASKED.entrants
    asked = replace(ASKED, entrants=(replace(first, authors=("Ann", "Bob")), *others))
    save_marks(tmp_path / "marks.csv", asked, GAMES)
    with (tmp_path / "marks.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["name"], row["mark"]) for row in rows] == [("'=cmd", "100.0"), ("c", "37.5"), ("b", "12.5")]
    assert rows[0]["authors"] == "Ann; Bob"
    assert float(rows[2]["elo"]) < 0 < float(rows[0]["elo"])

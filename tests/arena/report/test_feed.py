"""What a live page is told."""

from pathlib import Path

from kibitz.arena.contest.runner import run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.report.feed import read_game, read_news
from kibitz.arena.report.live import Silent
from tests.arena.samples import Scripted, contest


def test_a_page_is_told_only_what_is_new_and_can_open_every_game(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        run_contest(contest("a", "b", "c", games=2), store, Scripted(), Silent())
        first = read_news(store, 1)
        assert [row["player"] for row in first["standings"]] == ["a", "b", "c"]
        assert len(first["games"]) == first["last"] == 6
        assert read_news(store, 1, first["last"]) == {"last": 6, "games": []}
        run_contest(contest("a", "b", "c", games=4), store, Scripted(), Silent())
        later = read_news(store, 1, first["last"])
        assert [game["number"] for game in later["games"]] == [7, 8, 9, 10, 11, 12]
        records = [read_game(store, 1, game["number"]) for game in first["games"] + later["games"]]
        assert all(record is not None and record.moves.startswith("m") for record in records)
        assert read_game(store, 1, 99) is None

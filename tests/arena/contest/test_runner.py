"""Contests held for real: by one process, by several, killed and resumed."""

import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.runner import Progress, run_contest
from kibitz.arena.contest.store import Store
from kibitz.arena.report import sentences
from kibitz.arena.report.live import Lines, Silent
from kibitz.arena.stats.scores import Scores
from kibitz.arena.stats.sprt import Sprt
from kibitz.arena.teams.local import Alone, GameFails, Workers
from tests.arena.samples import LOST, WON, Scripted, contest, played

SIX = ("a", "b", "c", "d", "e", "f")
EIGHT = ("a", "b", "c", "d", "e", "f", "g", "h")
ROOT = Path(__file__).parent.parent.parent.parent


def rows(place: Path) -> list[tuple[str, str, int, str, str]]:
    """The games in a store, as another process sees them; none while there is no store yet."""
    connection = sqlite3.connect(f"file:{place}?mode=ro", uri=True)
    try:
        return connection.execute(
            "SELECT first, second, opening, fingerprint, record FROM game JOIN fixture ON fixture.game = game.id"
        ).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def long_contest() -> Contest:
    return contest("random:seed=1", "random:seed=2", "random:seed=3", games=120)


def hold_here(place: str) -> None:
    """What the process that is killed does."""
    with Store(Path(place)) as store:
        run_contest(long_contest(), store, Alone(), Silent())


def test_a_tournament_killed_five_times_loses_no_finished_game_and_plays_none_twice(tmp_path: Path) -> None:
    place, dice = tmp_path / "games.db", random.Random(4)
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["tests.arena.contest.test_runner"])
    kept: set[tuple[str, str, int, str, str]] = set()
    for _ in range(5):
        process = forking.Process(target=hold_here, args=(str(place),))
        process.start()
        while place.exists() is False or len(rows(place)) < len(kept) + 3:
            assert process.is_alive(), "it was over too soon"
            time.sleep(0.001)
        time.sleep(dice.uniform(0.0, 0.02))
        process.kill()
        process.join()
        found = set(rows(place))
        assert kept < found
        kept = found
    hold_here(str(place))
    found = set(rows(place))
    assert kept < found
    assert len(rows(place)) == len(found) == 360
    assert len({row[:3] for row in found}) == 360


def test_killing_the_parent_ends_its_workers_and_the_rest_is_played_later(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    words = "tournament breakthrough random:seed=1 random:seed=2 --games 2000 --trusted --balance 0 --jobs 2 --store"
    command = [sys.executable, "-m", "kibitz.cli", *words.split(), str(place)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as parent:
        while not place.exists() or not rows(place):
            assert parent.poll() is None
            time.sleep(0.01)
        workers = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
    assert len(workers) >= 2
    assert psutil.wait_procs(workers, timeout=20)[1] == []
    assert 0 < len(rows(place)) < 2000


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(tmp_path: Path) -> None:
    place = tmp_path / "games.db"
    words = "match breakthrough random:seed=1 random:seed=2 --games 20000 --trusted --balance 0 --jobs 2 --store"
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # as at a terminal
    command = [sys.executable, "-c", f"{hears}; from kibitz.cli.main import main; main()", *words.split(), str(place)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as match:
        while not place.exists() or len(rows(place)) < 4:
            assert match.poll() is None
            time.sleep(0.01)
        os.killpg(match.pid, signal.SIGINT)
        out, err = match.communicate(timeout=60)
    assert match.returncode == 130
    assert "score" in out
    assert "the same command goes on from there" in err
    assert "Traceback" not in err


def test_workers_play_the_games_that_one_process_would_play() -> None:
    asked = contest("random", "random:seed=3", games=6)
    games = []
    for team in (Alone(), Workers(2)):
        with Store(None) as store:
            run_contest(asked, store, team, Silent())
            games.append({game.key: (game.record.moves, game.record.seed) for game in store.games(1)})
    assert games[0] == games[1]
    assert len(games[0]) == 6


class Killing:
    """Watches, and kills a worker after some games."""

    killed = 0

    def playing(self, progress: Progress) -> None:
        if progress.done == 5:
            multiprocessing.active_children()[0].kill()
            self.killed += 1


def test_a_worker_that_dies_is_replaced_and_its_games_are_played() -> None:
    asked, watcher = contest("random", "random:seed=3", games=200), Killing()
    with Store(None) as store:
        progress = run_contest(asked, store, Workers(2), watcher)
        assert watcher.killed == 1
        assert progress.done == len(store.games(1)) == len(store.known(1)) == 200


def test_a_contest_that_makes_no_sense_to_a_worker_stops_with_its_reason() -> None:
    asked = contest("random", "nobody", games=2)
    with Store(None) as store, pytest.raises(Exception, match="no agent is called 'nobody'"):
        run_contest(asked, store, Workers(2), Silent())


def test_a_swiss_tournament_pairs_each_round_by_the_results_before_it() -> None:
    team = Scripted()
    asked = contest(*EIGHT, form="swiss", games=2, rounds=3)
    with Store(None) as store:
        progress = run_contest(asked, store, team, Silent())
    assert progress.done == progress.wanted == 3 * 4 * 2
    assert Counter(fixture.round for fixture in team.asked) == {0: 8, 1: 8, 2: 8}
    last = [{*fixture.key[:2]} for fixture in team.asked if fixture.round == 2]
    assert {"a", "b"} in last or {"a", "c"} in last
    assert len({fixture.key.opening for fixture in team.asked}) == 3


def test_a_swiss_tournament_stopped_between_rounds_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    asked = contest(*SIX, form="swiss", games=2, rounds=3)
    whole, parts = Scripted(), Scripted()
    with Store(None) as store:
        run_contest(asked, store, whole, Silent())
    with Store(tmp_path / "games.db") as store:
        run_contest(contest(*SIX, form="swiss", games=2, rounds=1), store, parts, Silent())
        run_contest(asked, store, parts, Silent())
    assert {fixture.key for fixture in parts.asked} == {fixture.key for fixture in whole.asked}


def test_a_test_stops_the_match_as_soon_as_it_is_decided() -> None:
    asked, team = contest("a", "b", form="match", games=2000), Scripted()
    with Store(None) as store:
        progress = run_contest(asked, store, team, Silent(), Sprt(0, 100))
        again = run_contest(asked, store, team, Silent(), Sprt(0, 100))
    assert progress.accepted("a", "b") == again.accepted("a", "b") == "H1"
    assert progress.done == again.done == len(team.asked) < 200
    (sentence, *_) = sentences.describe_match(progress)
    assert sentence.startswith(
        "H1 accepted: a is better than b by more than +0 normalised Elo; were it not, at most 5%"
    )
    assert sentence.endswith("That it is +100 or more does not follow")


def words_of(*games: str, sprt: Sprt | None = None) -> str:
    """The verdict on a match, its pairs given as `WL` and the like."""
    asked = contest("a", "b", form="match")
    points = {"W": (WON, LOST), "L": (LOST, WON)}
    scores = Scores()
    for number, pair in enumerate(games):
        scores.add(played("a", "b", number, points[pair[0]][0]))
        scores.add(played("b", "a", number, points[pair[1]][1]))
    return "\n".join(sentences.describe_match(Progress(asked, 2 * len(games), scores, sprt)))


def test_the_verdict_is_told_in_plain_words() -> None:
    assert words_of(*["WW"] * 9, "WL").startswith("a is stronger than b, we are 99")
    assert words_of(*["LL"] * 9, "WL").startswith("b is stronger than a, we are 99")
    assert words_of("WL", "LW", "WW").startswith("not decided: a is ahead")
    assert "nobody is ahead" in words_of("WL", "LW")
    assert "a is ahead" in words_of("WW", "WW", "WW")
    assert "nothing can be said" in words_of()
    assert words_of("WW", sprt=Sprt(0, 5)).startswith("not decided: ")


def test_failures_and_replays_are_named() -> None:
    asked = contest("a", "b", form="match")
    scores = Scores(
        [
            played("a", "b", 0, WON, "late: 1.53 s of 1 s"),
            played("a", "b", 1, WON, "late: 1.99 s of 1 s"),
            played("b", "a", 0, WON, line="x"),
            played("b", "a", 1, WON, line="x"),
        ]
    )
    told = "\n".join(sentences.remarks(asked, scores))
    assert "b lost 2 games by its own fault: late: 1.53 s of 1 s (the first of them)" in told
    assert "1 of 4 games repeat another one move by move" in told


def test_progress_without_a_terminal_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    lines = Lines(clock=lambda: now[0])
    asked = contest("a", "b", form="match", games=100)
    progress = Progress(asked, 100, Scores())
    for number in range(25):
        lines.playing(progress)
        progress.take(played("a", "b", number, WON))
        now[0] += 1.0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert told[0] == "10 of 100 games, 1 min 30 s left, 10 won, 0 drawn, 0 lost"


def test_a_game_that_keeps_killing_its_worker_ends_the_contest_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.arena.teams.local._work", sys.exit)  # with what it is given, which no status is
    with Store(None) as store, pytest.raises(GameFails, match=r"ended its worker 3 times \(exit status 1\)"):
        run_contest(contest("random", "random:seed=3", games=2), store, Workers(2), Silent())

"""A class's night: sixty entries of all kinds, a Swiss tournament of seven rounds on two processes, and its report."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from kibitz.arena.contest.store import Store
from kibitz.arena.stats.scores import Scores, is_failure

FINE = "import random\ndef choose(position, limit):\n    return random.choice(position.moves())\n"
STUDENT = "import random\ndef AIAlgorithm(name, wolves):\n    return None\n"
BROKEN = "def choose(position limit):\n"
CRASHING = "import os\ndef choose(position, limit):\n    os.abort()\n"
CHEATING = "def choose(position, limit):\n    return 'a1-z9'\n"


def write_entries(folder: Path) -> None:
    """Forty that play, and some of every kind that does not."""
    for number in range(40):
        place = folder / f"group{number:02}"
        place.mkdir(parents=True)
        (place / "player.py").write_text(FINE)
        (place / "kibitz.toml").write_text(f'name = "Team {number}"\nauthors = ["Ann {number}"]\n')
    for kind, source in (("student", STUDENT), ("broken", BROKEN), ("crash", CRASHING), ("cheat", CHEATING)):
        for number in range(5):
            (folder / f"{kind}{number}.py").write_text(source)


@pytest.mark.proof
def test_sixty_entries_play_seven_rounds_with_memory_steady(tmp_path: Path) -> None:
    write_entries(tmp_path / "entries")
    words = ("tournament", "wolves,plies=40", "entries", "--format", "swiss", "--rounds", "7", "--jobs", "2")
    options = ("--depth", "1", "--balance", "0", "--failures", "4", "--store", "games.db", "--html", "report")
    command = [sys.executable, "-m", "kibitz.cli", *words, *options]
    peaks: list[int] = []
    with (
        (tmp_path / "said").open("w") as said,
        subprocess.Popen(command, cwd=tmp_path, stdout=said, stderr=said) as running,
    ):
        referee = psutil.Process(running.pid)
        while running.poll() is None:
            peaks.append(referee.memory_info().rss if referee.is_running() else 0)
            try:
                running.wait(1.0)
            except subprocess.TimeoutExpired:
                continue
    assert running.returncode == 0, (tmp_path / "said").read_text()[-3000:]
    with Store(tmp_path / "games.db", create=False) as store:
        number, contest = store.choose()
        games = store.games(number)
    assert len(contest.entrants) == 60
    assert {entrant.name[:6] for entrant in contest.entrants if entrant.failure} == {"broken"}
    assert {game.round for game in games} == set(range(7))
    teams = [game for game in games if game.key.first.startswith("Team") and game.key.second.startswith("Team")]
    assert not any(is_failure(game) for game in teams)
    assert max(Scores(games).faults().values()) <= 8  # games of one round are under way together
    assert len(list((tmp_path / "report").glob("entry-*.html"))) == 60
    third = len(peaks) // 3
    assert max(peaks[2 * third :]) < max(peaks[third : 2 * third]) + (64 << 20)

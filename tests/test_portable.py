"""What must hold on every Python and every release of the libraries: rules, laws, a search of each game, a match, the
page. `make test-all` runs this file, and nothing else, against an installed Kibitz.
"""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kibitz import Engine, Limit, games, heuristics, perft

ROOT = Path(__file__).parent.parent
GAMES = ["alquerque", "breakthrough", "checkers", "vampires:testmap", "wolves"]
MOST = 600_000  # lines of play to count


def counts() -> Iterator[tuple[str, list[int]]]:
    """The counts on file from the start of each game."""
    for game in GAMES:
        lines = (ROOT / "tests" / "perft" / f"{game.partition(':')[0]}.txt").read_text().splitlines()
        (numbers,) = (line.split("|")[2] for line in lines if line.startswith(f"{game} | - |"))
        yield game, [int(number) for number in numbers.split() if int(number) <= MOST]


@pytest.mark.parametrize(("game", "numbers"), [*counts()])
def test_the_compiled_rules_count_the_lines_on_file(game: str, numbers: list[int]) -> None:
    start = games.load(game).new()
    assert [perft(start, depth) for depth in range(1, len(numbers) + 1)] == numbers


@pytest.mark.kibitz(*GAMES, games=1, positions=6)
def test_every_game_obeys_the_laws(kibitz_law: Callable[[], None]) -> None:
    kibitz_law()


@pytest.mark.parametrize("text", GAMES)
def test_a_search_finds_a_legal_turn_and_can_be_repeated(text: str) -> None:
    game = games.load(text)
    engine = Engine(game, heuristics.find(game.rulebook))
    start = game.new()
    found = []
    for _ in range(2):
        engine.forget()
        report = engine.search(start, Limit(depth=3, nodes=20_000))
        here = start
        for move in report.moves:
            here = here.play(move)
        found.append((report.moves, report.nodes, str(report.score)))
    assert found[0] == found[1]
    assert found[0][1] > 10


def test_two_agents_play_a_match(tmp_path: Path) -> None:
    words = "match breakthrough,rows=5,columns=5 engine random --games 2 --nodes 500 --plies 2-2 --balance 0 --json"
    answer = kibitz(*words.split(), "--store", str(tmp_path / "games.db"))
    assert answer.returncode == 0, answer.stderr
    facts = json.loads(answer.stdout)
    assert sum(facts[outcome] for outcome in ("wins", "losses", "draws")) == 2


def test_the_page_and_the_games_behind_it_are_served() -> None:
    with served() as address:
        with urllib.request.urlopen(address) as page:
            assert b"<!doctype html>" in page.read().lower()
        with urllib.request.urlopen(f"{address}/api/games") as answer:
            listed = {game["name"] for game in json.load(answer)["games"]}
    assert listed >= {text.partition(":")[0] for text in GAMES}


def kibitz(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kibitz.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = server.stdout.readline()
            place = re.search(r"http://\S+", told)
            assert place is not None, told
            yield place[0]
        finally:
            server.terminate()

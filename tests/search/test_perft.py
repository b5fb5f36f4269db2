"""Rules are proved by counting: every number in tests/perft, as deep as the mode allows."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz import games
from kibitz.core.errors import RulesError
from kibitz.core.seam import interpreting
from kibitz.games import catalog
from kibitz.search.perft import divide, perft
from tests.laws.two_at_a_time import two_at_a_time

FOLDER = Path(__file__).parent.parent / "perft"
MOST_LINES = {"vampires": 600_000, "alquerque": 90_000_000}
COMPILED, INTERPRETED = 500_000_000, 4_000


def counts() -> Iterator[tuple[str, str, int, int]]:
    for file in sorted(FOLDER.glob("*.txt")):
        for line in file.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                game, position, numbers = (part.strip() for part in line.split("|"))
                for depth, number in enumerate(numbers.split(), 1):
                    if number != "?":
                        yield game, position, depth, int(number)


def within_reach(game: str, lines: int) -> bool:
    name = game.replace(",", ":").split(":")[0]
    return lines <= (INTERPRETED if interpreting() else MOST_LINES.get(name, COMPILED))


REACHABLE = [row for row in counts() if within_reach(row[0], row[3])]


@pytest.mark.parametrize(("game", "position", "depth", "lines"), REACHABLE)
def test_the_lines_of_play_number_what_others_have_counted(game: str, position: str, depth: int, lines: int) -> None:
    start = games.position(game, None if position == "-" else position)
    assert perft(start, depth) == lines


def test_every_game_has_counts_on_file() -> None:
    counted = {catalog.load(game).rulebook.name for game in {game for game, _, _, _ in counts()}}
    assert counted >= {entry.name for entry in catalog.entries()}


@pytest.mark.parametrize("game", ["breakthrough", "wolves", "checkers"])
def test_counting_in_bulk_and_playing_every_move_agree(game: str) -> None:
    start = games.load(game).new()
    depth = 2 if interpreting() else 4
    assert perft(start, depth) == perft(start, depth, bulk=False)


@pytest.mark.parametrize("game", ["breakthrough", "alquerque", "vampires:testmap"])
def test_dividing_by_first_turns_gives_the_same_total(game: str) -> None:
    start = games.load(game).new()
    parts = divide(start, 2)
    assert len(parts) == perft(start, 1)
    assert sum(parts.values()) == perft(start, 2)


def test_a_game_that_declares_nothing_is_counted_by_whole_turns() -> None:
    start = two_at_a_time().new()
    every_order = replace(two_at_a_time, moves_once=None)().new()
    assert [perft(start, depth) for depth in (1, 2, 3)] == [15, 90, 90]
    assert [perft(every_order, depth) for depth in (1, 2, 3)] == [6 * 5, 6 * 5 * 4 * 3, 720]
    assert sum(divide(every_order, 2).values()) == 360


def test_a_finished_game_has_no_lines_and_no_depth_is_one_line() -> None:
    over = games.position("breakthrough", "P7/8/8/8/8/8/7p/8 b 0 1")
    assert perft(over, 3) == 0
    assert perft(games.breakthrough().new(), 0) == 1


def test_more_moves_than_declared_are_reported_from_compiled_code() -> None:
    short = replace(games.breakthrough, max_moves=3)().new()
    with pytest.raises(RulesError, match="max_moves"):
        perft(short, 2)

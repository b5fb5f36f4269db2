"""The table of wolves eat sheep: its counts to the last digit, its file, and what is refused."""

import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import specialise
from kibitz.core.seam.slots import UNKNOWN, probe
from kibitz.games import wolves
from kibitz.games.wolves_index import BEGIN
from kibitz.search import textbook
from kibitz.tables import probe as probing
from kibitz.tables import table as table_room
from kibitz.tables.errors import BadTable, CannotSolve
from kibitz.tables.file import container
from kibitz.tables.generic import solver as generic
from kibitz.tables.progress import Silent as Quiet
from kibitz.tables.resources import MemoryBudget
from kibitz.tables.solver import SolveTask, solve
from kibitz.tables.table import Table, Value
from kibitz.tables.worker_pool import WorkerPool

FIVE = "wolves,start=sssss/5/5/5/1w1w1"
THREE = "wolves,start=sss2/5/5/5/1w1w1"
# Sheep: wolves to move, won by wolves, by sheep, drawn; the same for sheep to move; trapped; the longest sheep win and
# the longest wolf win with wolves to move. From ../shared/spec: solved exhaustively by another program.
COUNTS = {
    3: ((284570, 28, 246702), (50410, 160, 480730), 8, 4, 13),
    4: ((119762, 722, 2536016), (310, 4342, 2651848), 190, 8, 13),
    5: ((264, 34490, 10059946), (0, 175986, 9918714), 2154, 48, 7),
}


class Listener(Quiet):
    """Remembers what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def log(self, line: str) -> None:
        self.said.append(line)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a table of up to five sheep."""
    path = tmp_path_factory.mktemp("tables") / "five.table"
    solve(SolveTask(games.load(FIVE), path, verify="full"))
    return path


@pytest.fixture(scope="module")
def five(kept: Path) -> Table:
    """That table, read from its file and unpacked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_room, "_unpacked_path", lambda checksum: kept.with_name(f"{checksum}.bin"))
        return Table.open(kept, games.load(FIVE))


@pytest.fixture
def copied(kept: Path, tmp_path: Path) -> Path:
    """A copy of the file, to be damaged."""
    return Path(shutil.copy(kept, tmp_path / "five.table"))


def some_state(game: Game, dice: random.Random) -> tuple[int, int, int, int]:
    cells = dice.sample(range(25), 7)
    wolves, sheep = sum(1 << cell for cell in cells[:2]), sum(1 << cell for cell in cells[2 : dice.choice((5, 6, 7))])
    state: tuple[int, int, int, int] = game.rulebook.state(wolves, sheep, dice.randrange(2), 0)
    return state


def test_the_counts_and_the_longest_wins_are_those_of_an_independent_solver(five: Table) -> None:
    rows = {(row["layer"], row["side"]): row for row in five.about["rows"]}
    for sheep, (first, second, trapped, longest_sheep, longest_wolf) in COUNTS.items():
        for side, expected in ((FIRST, first), (SECOND, second)):
            row = rows[sheep, side]
            assert (row["first_wins"], row["second_wins"], row["draws"]) == expected
        row = rows[sheep, FIRST]
        assert (row["ended"], row["longest_second"], row["longest_first"]) == (trapped, longest_sheep, longest_wolf)


def test_symmetries_leave_106621977_boards_of_852584700() -> None:
    game = wolves()
    boards = sum(block.size * block.images for block in game.blocks if block.side == FIRST)
    assert boards == 852_584_700
    assert sum(block.size for block in game.blocks) == BEGIN[2, 11]
    assert sum(block.size for block in wolves("fifteen").blocks) == BEGIN[3, 16] == 2_605_588_172


def test_numbers_in_use_are_those_that_burnside_counts(five: Table) -> None:
    used = {(row["layer"], row["side"]): row["entries"] for row in five.about["rows"]}
    assert [used[sheep, FIRST] for sheep in (3, 4, 5)] == [66859, 333175, 1264000]
    assert [used[sheep, SECOND] for sheep in (3, 4, 5)] == [66859, 333175, 1264000]


def test_one_move_on_everything_fits_together(five: Table) -> None:
    game = five.game
    dice = random.Random(5)
    for _ in range(300):
        state = some_state(game, dice)
        value = five.probe(state)
        assert value is not None
        side = game.turn(state)
        after = [five.probe(game.play(state, code)) for code in game.moves(state)]
        best = max((each for each in after if each is not None), key=lambda each: each.rank(side), default=None)
        if best is None:
            assert value.turns == 0
        else:
            assert value == Value(best.winner, best.turns + (best.winner is not None)), game.write(state)


def test_the_two_ways_to_solve_a_game_agree(tmp_path: Path) -> None:
    game = games.load(THREE)
    indexed = solve(SolveTask(game, tmp_path / "three.table"))
    with WorkerPool(2, game.max_moves) as pool:
        solved = generic.solve(game, MemoryBudget(2_000_000_000), pool)
    other = Table(game, solved.header, solved.data, {})
    dice = np.random.default_rng(2)
    states = [game.rulebook.unindex(int(number), game.rules) for number in dice.integers(0, BEGIN[2, 4], 20_000)]  # type: ignore[misc]
    columns = [np.array(column) for column in zip(*states, strict=True)]
    one, two = indexed.probe_many(columns), other.probe_many(columns)
    known = two != UNKNOWN
    assert 0.4 < known.mean() < 0.6  # a step changes the colour of one square: half of the boards never come about
    assert (one[known] == two[known]).all()


def test_search_finds_what_the_table_says(five: Table) -> None:
    dice = random.Random(11)
    met = 0
    while met < 12:
        position = Position(five.game, some_state(five.game, dice))
        value = five.probe(position.state)
        assert value is not None
        if value.winner is None or not 1 < value.turns <= 6 or position.over:
            continue
        met += 1
        found = textbook.alphabeta(position, value.turns)
        assert found.score is not None
        expected = value.turns if value.winner == position.turn else -value.turns
        assert found.score.win_in == expected, position.text


def test_a_kernel_probes_by_its_slot_and_knows_nothing_without_a_table(five: Table) -> None:
    state = some_state(five.game, random.Random(1))
    asked = specialise(five.game.rulebook, asks_the_slot, probe=probing.probe)
    found = asked(state, five.game.rules, five.header, five.data)
    assert found == five.probe_many([np.array([part]) for part in state])[0] != UNKNOWN
    assert asked(state, five.game.rules, probing.NO_HEADER, probing.NO_DATA) == UNKNOWN
    plain = specialise(five.game.rulebook, asks_the_slot)
    assert plain(state, five.game.rules, five.header, five.data) == UNKNOWN


def asks_the_slot(state: Any, rules: Any, header: Any, data: Any) -> int:
    return probe(state, rules, header, data)


# Files.


def test_a_killed_run_goes_on_and_gives_the_identical_file(kept: Path, five: Table, tmp_path: Path) -> None:
    path = tmp_path / "again.table"
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from kibitz.games import load\nfrom kibitz.tables.solver import SolveTask, solve\n"
        "from tests.tables.test_wolves import Quiet\n"
        f"path = Path({str(path)!r})\n"
        "class Killer(Quiet):\n"
        "    def advance(self, count):\n"
        "        if path.with_name(path.name + '.part.json').exists():\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        f"solve(SolveTask(load({FIVE!r}), path), Killer())\n"
    )
    root = Path(__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert not path.exists()
    listener = Listener()
    solve(SolveTask(five.game, path), listener)
    assert "going on after layer 3" in listener.said[1]
    assert path.read_bytes() == kept.read_bytes()
    assert [left.name for left in tmp_path.iterdir() if ".part" in left.name or "draft" in left.name] == []


def flipped(at: int) -> Callable[[bytes], bytes]:
    def damage(content: bytes) -> bytes:
        place = at % len(content)
        return content[:place] + bytes([content[place] ^ 16]) + content[place + 1 :]

    return damage


@pytest.mark.parametrize("at", [3, 40, 400, 5000, -5000, -40, -1])
def test_a_damaged_byte_is_noticed(at: int, five: Table, copied: Path) -> None:
    copied.write_bytes(flipped(at)(copied.read_bytes()))
    with pytest.raises(BadTable, match=r"is damaged|is no table|of a newer|is of "):
        Table.open(copied, five.game)


@pytest.mark.parametrize("length", [0, 10, 100, 3000, -1])
def test_a_truncated_table_is_refused(length: int, five: Table, copied: Path) -> None:
    copied.write_bytes(copied.read_bytes()[:length])
    with pytest.raises(BadTable, match=r"is damaged|is no table"):
        Table.open(copied, five.game)


def test_a_table_of_other_options_or_other_rules_is_refused(five: Table, copied: Path) -> None:
    with pytest.raises(BadTable, match=r"is of 'wolves,start=sssss/5/5/5/1w1w1', expected wolves"):
        Table.open(copied, wolves())
    other = Game(replace(wolves, turn=sheep_always), five.game.options)
    with pytest.raises(BadTable, match="is of other rules"):
        Table.open(copied, other)
    header = container.read_header(copied)
    assert header["kibitz"]
    assert header["options"]["start"] == "sssss/5/5/5/1w1w1"


def sheep_always(state: tuple[int, ...]) -> int:
    return SECOND


def test_a_table_of_a_newer_format_is_refused_in_one_line(five: Table, copied: Path) -> None:
    copied.write_bytes(copied.read_bytes().replace(b'"format": 1', b'"format": 9', 1))
    with pytest.raises(BadTable, match="has format 9, expected 1: it is of a newer kibitz"):
        Table.open(copied, five.game)


def test_too_little_memory_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(
        CannotSolve, match=r"wolves needs 0.58 GB of memory; into 0.3 GB of memory the layers up to 7 would fit$"
    ):
        solve(SolveTask(wolves(), tmp_path / "w.table", memory=0.3))
    assert list(tmp_path.iterdir()) == []


def test_two_runs_do_not_work_on_one_table(five: Table, tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / "five.table.part").open("a+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(CannotSolve, match="another kibitz is at work"):
            solve(SolveTask(five.game, tmp_path / "five.table"))


@pytest.mark.skipif(os.geteuid() == 0, reason="everything can be written by root")
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(KibitzError, match="cannot be written to"):
        solve(SolveTask(wolves(), tmp_path / "w.table"))

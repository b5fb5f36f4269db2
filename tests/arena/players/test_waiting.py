"""A player that waits does nothing, holds no more than it may, and nothing that was killed leaves anything behind."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from kibitz import games
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players import control_group, owner
from kibitz.arena.players.control_group import Parents, find_parents, read_hierarchies
from kibitz.arena.players.player import Offence, Player
from kibitz.arena.players.player_pool import PlayerPool, Seat
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.subprocess_player import SubprocessPlayer
from kibitz.arena.players.supervised_process import remove_leftovers
from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.result import Result

PONDERER = """
import threading, time

LONGEST = [0.0]

def think():
    last = time.monotonic()
    while True:
        time.sleep(0.005)
        now = time.monotonic()
        LONGEST[0], last = max(LONGEST[0], now - last), now

def choose(position, limit):
    if threading.active_count() < 3 and not LONGEST[0]:
        LONGEST[0] = 1e-9
        threading.Thread(target=think, daemon=True).start()
        return position.move_ids[0]
    time.sleep(0.1)  # so that the other thread has had its turn
    if LONGEST[0] < 0.4:
        raise SystemError("it could think while it waited")
    return position.move_ids[0]
"""
HOARDER = """
import threading, time

def hoard():
    held = []
    while True:
        held.append(bytearray(b"x" * (10 << 20)))
        time.sleep(0.01)

def prepare(game):
    threading.Thread(target=hoard, daemon=True).start()
    time.sleep(60)

def choose(position, limit):
    return position.move_ids[0]
"""
MISTAKEN = """
from kibitz.core.errors import BadOption

def prepare(game):
    raise BadOption("as if the user had erred")

def choose(position, limit):
    return position.move_ids[0]
"""


@pytest.mark.parametrize("by", ["control group", "signals"])
def test_a_player_does_not_think_while_it_waits(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if by == "signals":
        monkeypatch.setattr(control_group, "find_parents", Parents)
    elif find_parents().unified is None:
        pytest.skip("this user may make no control groups")
    file = tmp_path / "guest.py"
    file.write_text(PONDERER)
    player = SubprocessPlayer("breakthrough", f"python:{file}", Resources())
    assert player.process.group.can_suspend == (by == "control group")
    start = games.breakthrough().new()
    try:
        player.begin(start, 1)
        player.ready()
        answer = player.choose(start, Limit(seconds=60), 60.0)
        time.sleep(0.6)  # while the other one thinks
        player.choose(start.play(answer.moves[0]).play("a7-a6"), Limit(seconds=60), 60.0)
    finally:
        player.close()


def test_memory_is_watched_while_the_referee_waits_for_the_other(tmp_path: Path) -> None:
    file = tmp_path / "guest.py"
    file.write_text(HOARDER)
    player = SubprocessPlayer("breakthrough", f"python:{file}", Resources(memory=300))
    try:
        player.begin(games.breakthrough().new(), 1)
        assert player.process.supervisor.stdout is not None
        assert player.process.wait(60.0) is not None  # nobody has asked it anything
        with pytest.raises(Offence, match=r"^memory: "):
            player.ready()
    finally:
        player.close()


@pytest.mark.parametrize("apart", [True, False])
def test_a_guest_that_raises_an_error_of_ours_only_loses(apart: bool, tmp_path: Path) -> None:
    file = tmp_path / "guest.py"
    file.write_text(MISTAKEN)
    task = GameTask(
        game="breakthrough",
        first="random",
        second=f"python:{file}",
        control=TimeControl(nodes=1),
        resources=Resources(apart=apart),
    )
    with Referee() as referee:
        record = referee.play(task)
    assert record.result == Result.FIRST_WINS
    assert record.reason == "not ready: as if the user had erred"
    assert record.tags["SecondIsolation"] == ("trusted" if not apart else record.tags["FirstIsolation"])


class UnluckyPool(PlayerPool):
    """A pool in which the first player of so many games loses its supervisor."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = 2 * times

    def take(self, game: Game, seat: Seat, others: Sequence[str] = (), hidden: Sequence[str] = ()) -> Player:
        player = super().take(game, seat, others, hidden)
        if self.left > 0 and self.left % 2 == 0:
            assert isinstance(player, SubprocessPlayer)
            player.process.supervisor.kill()
            player.process.supervisor.wait()
        self.left -= 1
        return player


def test_a_game_whose_supervisor_is_killed_is_played_again_and_at_last_lost() -> None:
    task = GameTask(game="breakthrough", first="random", second="random", control=TimeControl(nodes=1), seed=3)
    found = []
    for times in (0, 1, 3):
        with Referee() as referee:
            referee.pool = UnluckyPool(times)
            found.append(referee.play(task))
    assert found[0].moves == found[1].moves
    assert (found[2].result, found[2].reason) == (Result.SECOND_WINS, "died: with its supervisor, again and again")


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pid = psutil.Popen(["true"])
    pid.wait()
    ours, name = owner.new_name(), owner.new_name().split("-")
    dead = "-".join([*name[:3], str(pid.pid), *name[4:]])
    foreign = "-".join([*name[:2], "1", str(pid.pid), *name[4:]])
    parents = [tmp_path, *find_parents().folders()]
    for parent in parents:
        (parent / dead).mkdir()
        (parent / ours).mkdir()
        (parent / foreign).mkdir()
    try:
        remove_leftovers()
        assert not [parent for parent in parents if (parent / dead).exists()]
        assert all((parent / kept).exists() for parent in parents for kept in (ours, foreign))
    finally:
        for parent in parents:
            (parent / ours).rmdir()
            (parent / foreign).rmdir()


def test_the_kernels_lists_say_where_control_groups_are() -> None:
    mounts = (
        "30 24 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
        "31 24 0:28 /outer /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
        "32 24 0:29 / /proc rw - proc proc rw\n"
    )
    own = "3:pids:/outer/inner\n2:memory:/\n0::/user.slice\n"
    assert read_hierarchies(mounts, own) == {
        "": Path("/sys/fs/cgroup/unified/user.slice"),
        "pids": Path("/sys/fs/cgroup/pids/inner"),
    }


def test_this_process_is_no_orphan() -> None:
    assert not owner.is_orphan(owner.new_name())
    assert not owner.is_orphan("kibitz-player-of-somebody")
    assert os.getpid() == int(owner.new_name().split("-")[3])

"""Where root has no control groups to bound a guest by, the guest is another user, whom the kernel bounds."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz import games
from kibitz.arena.players import control_group, guest_user
from kibitz.arena.players.control_group import Parents
from kibitz.arena.players.player import Offence
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.subprocess_player import SubprocessPlayer
from kibitz.core.limit import Limit

SOURCE = """
import os

def choose(position, limit):
    open("own.txt", "w").close()
    if {forks}:
        children = []
        try:
            while len(children) < 2000:
                child = os.fork()
                if not child:
                    os.read(os.pipe()[0], 1)
                children.append(child)
        except OSError:
            raise SystemError(f"the kernel said no as user {os.getuid()}")
    raise SystemError(f"user {os.getuid()}, groups {os.getgroups()}")
"""
MANY = 10_000  # more than the kernel lets it start: the counting is not what ends it

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="only root on Linux has other users"
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """One that everybody can read, on a machine without control groups."""
    monkeypatch.setattr(control_group, "find_parents", Parents)
    guest_user.is_readable.cache_clear()
    found = Path(tempfile.mkdtemp(dir="/tmp"))
    found.chmod(0o755)
    yield found
    shutil.rmtree(found)


def play(folder: Path, resources: Resources, *, forks: bool = False) -> tuple[SubprocessPlayer, str]:
    file = folder / "guest.py"
    file.write_text(SOURCE.replace("{forks}", str(forks)))
    player = SubprocessPlayer("breakthrough", f"python:{file}", resources)
    start = games.breakthrough().new()
    try:
        player.begin(start, 1)
        player.ready()
        with pytest.raises(Offence) as found:
            player.choose(start, Limit(seconds=60), 60.0)
    finally:
        player.close()
    return player, str(found.value)


@pytest.mark.parametrize("isolation", ["best", "limited"])
def test_a_guest_is_a_user_of_its_own_without_groups(isolation: str, folder: Path) -> None:
    isolated = isolation == "best" and shutil.which("bwrap") is not None
    if not guest_user.can_switch(isolated):
        pytest.skip("another user cannot read this Python")
    player, said = play(folder, Resources(isolation="best" if isolation == "best" else "limited"))
    assert player.process.user in guest_user.NUMBERS
    assert f"user {player.process.user}, groups []" in said
    assert not player.process.folder.exists()


def test_the_kernel_bounds_the_processes_of_a_guest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not guest_user.can_switch(shutil.which("bwrap") is not None):
        pytest.skip("another user cannot read this Python")
    monkeypatch.setattr(Resources, "tasks", 90)
    player, said = play(folder, Resources(processes=MANY), forks=True)
    assert said.endswith(f"the kernel said no as user {player.process.user}")


def test_a_guest_whose_files_only_root_can_read_stays_root_and_is_counted(folder: Path) -> None:
    folder.chmod(0o700)
    player, said = play(folder, Resources())
    assert player.process.user is None
    assert "user 0, " in said


def test_our_own_agents_need_no_other_user(folder: Path) -> None:
    player = SubprocessPlayer("breakthrough", "random", Resources())
    player.close()
    assert player.process.user is None

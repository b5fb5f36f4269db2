"""Every attack is contained, and named in the record; nothing of it is left."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from kibitz import games
from kibitz.arena.players.player import Offence
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.sandbox import find_ability
from kibitz.arena.players.subprocess_player import SubprocessPlayer
from kibitz.core.limit import Limit
from kibitz.core.seam import cache
from tests.arena.attacks.guests import ATTACKS, SOURCE

NAP = "631.25"  # seconds, by which a process that got away is known
RESOURCES = Resources(isolation="required", memory=400, disk=50, processor=2, processes=20)
LIMIT = Limit(seconds=1)

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


@pytest.fixture
def machine(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """What there is to attack: files of others, an open port, this process."""
    opponent, secret = tmp_path / "opponent.py", tmp_path_factory.mktemp("home") / "secret"
    opponent.write_text("ESCAPED = True\n")
    secret.write_text("ESCAPED")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "helper.py").write_text("ESCAPED = True\n")
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield {
            "opponent": str(opponent),
            "opponent_folder": str(theirs),
            "secret": str(secret),
            "port": door.getsockname()[1],
            "cache": str(cache.folder().absolute()),
            "referee": os.getpid(),
            "nap": NAP,
        }


@needs_sandbox
def test_a_sandbox_that_is_installed_works() -> None:
    assert find_ability().usable, find_ability().detail


@needs_sandbox
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_contained_and_named(name: str, tmp_path: Path, machine: dict[str, object]) -> None:
    attack = ATTACKS[name]
    source = SOURCE.replace("{body}", attack.body)
    for thing, value in machine.items():
        source = source.replace(f"{{{thing}}}", repr(value))
    file = tmp_path / "guest.py"
    file.write_text(source)
    outcome = play_one_move(file, machine, attack.patience)
    assert outcome.startswith(attack.outcome)
    assert "ESCAPED" not in outcome
    assert outcome.isprintable()
    assert not find_asleep()


def play_one_move(file: Path, machine: dict[str, object], patience: float) -> str:
    others = [f"python:{machine['opponent']}", f"python:{machine['opponent_folder']}/helper.py"]
    (file.parent / "link").symlink_to("/root")  # one that somebody handed in; its target is hidden where it lies
    hidden = [str(machine["opponent_folder"]), str(file.parent / "link")]
    player = SubprocessPlayer("breakthrough", f"python:{file}", RESOURCES, others=others, hidden=hidden)
    assert player.isolation == "isolated"
    start = games.breakthrough().new()
    try:
        player.begin(start, 1)
        player.ready()
        answer = player.choose(start, LIMIT, patience)
    except Offence as offence:
        return str(offence)
    else:
        return f"played {answer.moves}"
    finally:
        player.close()
        assert not list_groups(player)


def list_groups(player: SubprocessPlayer) -> list[Path]:
    return [folder for folder in player.process.group.folders if folder.exists()]


def find_asleep() -> list[psutil.Process]:
    """Processes that got away."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if NAP in process.cmdline():
                found.append(process)
    return found

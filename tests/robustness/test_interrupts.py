"""Ctrl-C ends every long command: one line, no traceback, what it has done is kept. `make prove` tries them all."""

from pathlib import Path

import pytest

from tests.robustness.interrupts import COMMANDS, LongCommand, interrupt, own_places

QUICK = ("warm", "best", "engine", "flow generate")


def is_quick(command: LongCommand) -> bool:
    return command.words.startswith(QUICK)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, id=command.words, marks=() if is_quick(command) else (pytest.mark.proof,))
        for command in COMMANDS
    ],
)
def test_ctrl_c_ends_a_long_command_and_its_work_is_kept(tmp_path: Path, command: LongCommand) -> None:
    found = interrupt(command, tmp_path, tmp_path / "output", own_places(tmp_path))
    assert "Traceback" not in found.output
    assert found.status == command.status, found.output
    assert found.output.splitlines()[-1].startswith(command.said), found.output
    assert any(tmp_path.glob(command.kept)), command.kept

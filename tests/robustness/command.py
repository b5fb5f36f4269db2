"""Running `kibitz` as a user does, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "kibitz.cli")
PATIENCE = 300  # seconds: a guard against hanging, not a measure


def kibitz(*words: str, cwd: Path, **more: Any) -> "subprocess.CompletedProcess[str]":
    """What a command prints, and its status."""
    given: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": PATIENCE, "text": True}
    given["env"] = os.environ | more.pop("env", {})
    return subprocess.run([*COMMAND, *words], cwd=cwd, check=False, **given | more)


def assert_refused(found: "subprocess.CompletedProcess[str]", reason: str) -> None:
    """One line on standard error, status 2."""
    assert found.returncode == 2, found.stderr
    assert reason in found.stderr
    assert found.stderr.count("\n") == 1, found.stderr

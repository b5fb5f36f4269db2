"""The Pythons of a machine are found, and only what our metadata claims can fail."""

import sys
from pathlib import Path

import pytest

from tests import pythons


def fake_python(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def test_the_newest_release_of_each_version_is_taken_from_path_and_pyenv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyenv, folder = tmp_path / "pyenv", tmp_path / "bin"
    old = fake_python(pyenv / "versions" / "3.12.1" / "bin" / "python", "echo 3 12 1")
    new = fake_python(folder / "python3.12", "echo 3 12 9")
    only = fake_python(pyenv / "versions" / "3.13.0" / "bin" / "python", "echo 3 13 0")
    fake_python(folder / "python3", "echo 3 9 2")
    fake_python(folder / "python3.11", "exit 1")
    fake_python(folder / "python3.12-config", "echo 3 14 0")
    fake_python(pyenv / "shims" / "python3.14", "echo 3 14 0")
    monkeypatch.setenv("PYENV_ROOT", str(pyenv))
    monkeypatch.setenv("PATH", f"{pyenv / 'shims'}:{folder}:/nowhere")
    assert pythons.version_of(old) == (3, 12, 1)
    assert pythons.find_pythons() == {(3, 12, 9): new, (3, 13, 0): only}


def test_this_python_is_claimed_and_can_make_environments() -> None:
    assert pythons.version_of(Path(sys.executable)) == sys.version_info[:3]
    assert pythons.claimed_versions() == {(3, 11), (3, 12), (3, 13)}


def test_a_failure_counts_only_where_the_version_is_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    failed = pythons.Outcome((3, 14, 0), "-", 3.0, "pip says no")
    assert not pythons.report(failed, claimed=False)
    assert pythons.report(failed, claimed=True)
    assert not pythons.report(failed._replace(failure=""), claimed=True)
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "Python 3.14.0 (not claimed): failed in 3 s, -",
        "Python 3.14.0: failed in 3 s, -",
        "Python 3.14.0: passed in 3 s, -",
    ]
    assert told.err == "pip says no\n" * 2

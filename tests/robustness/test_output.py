"""Output goes where the user said."""

import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest

from kibitz.core.errors import KibitzError
from kibitz.core.output_file import check_writable, write_file
from tests.robustness.command import COMMAND, assert_refused, kibitz


def test_a_full_device_stays_a_device_and_the_error_is_told(tmp_path: Path) -> None:
    device = tmp_path / "full"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.stat("/dev/full").st_rdev)
        device.write_bytes(b"")
    except OSError:
        device = Path("/dev/full")
    assert_refused(kibitz("show", "tictactoe", "--svg", str(device), cwd=tmp_path), "No space left on device")
    assert stat.S_ISCHR(device.stat().st_mode)


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    link.symlink_to(target)
    for text in ("one", "two"):  # a link to nothing, then to a file
        write_file(link, text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, "told")
    reader.join(60)
    assert heard == [b"told"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_read_only_file_is_refused_before_any_work_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(KibitzError, match="the file is read-only"):
        write_file(path, "new")
    with pytest.raises(KibitzError, match="the file is read-only"):
        check_writable(path)
    assert path.read_text() == "old"


def test_the_mode_of_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(0o640)
    write_file(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)


def test_standard_output_is_a_place_to_write_to_also_where_it_is_a_file(tmp_path: Path) -> None:
    with (tmp_path / "all").open("wb") as out:
        subprocess.run([*COMMAND, "show", "tictactoe", "--svg", "/dev/stdout"], stdout=out, check=True, cwd=tmp_path)
    text = (tmp_path / "all").read_text()
    assert "<svg" in text
    assert "to move" in text or text.rstrip().endswith("</svg>")


def test_what_fails_in_the_middle_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    monkeypatch.setattr(os, "replace", _fail)
    with pytest.raises(KibitzError, match="No space left"):
        write_file(path, "new")
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]
    assert path.read_text() == "old"


def _fail(*given: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_store_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = kibitz("match", "tictactoe", "random", "random", "--games", "2", "--store", "pipe", cwd=tmp_path)
    assert (found.returncode, "it is no regular file" in found.stderr) == (2, True), found.stderr

"""What people install is whole: the wheel, and games added by other packages."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.core.stones import STONES

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("kibitz/")}
    source = ROOT / "src"
    tracked = {
        str(path.relative_to(source))
        for path in (source / "kibitz").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == tracked
    assert "kibitz/py.typed" in inside


def test_the_installed_wheel_works_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(target)}
    code = (
        "import kibitz, sys; from kibitz.cli.main import main; print(kibitz.__file__); "
        "sys.argv[1:] = ['new', 'mine']; main()"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
    )
    assert answer.returncode == 0, answer.stderr
    assert str(target) in answer.stdout
    assert (tmp_path / "mine.py").exists()
    assert (tmp_path / "test_mine.py").exists()


def package(folder: Path, name: str, code: str) -> None:
    """An installed package that adds a game, as files on the path."""
    (folder / f"{name}.py").write_text(code)
    facts = folder / f"{name}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[kibitz.games]\n{name} = {name}:stones\n")


def kibitz(*words: str, path: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(path)}
    return subprocess.run(
        [sys.executable, "-m", "kibitz.cli", *words], capture_output=True, text=True, check=False, env=environment
    )


def test_packages_add_games_and_a_broken_one_is_reported_and_never_fatal(tmp_path: Path) -> None:
    package(tmp_path, "pebbles", "print('imported')\n" + STONES)
    package(tmp_path, "wreck", "raise RuntimeError('out of order')\n")
    listed = kibitz("games", "--json", path=tmp_path)
    assert listed.returncode == 0
    assert '"pebbles"' in listed.stdout
    assert '"wreck"' in listed.stdout
    assert "imported" not in listed.stdout
    assert kibitz("show", "pebbles", path=tmp_path).returncode == 0
    broken = kibitz("show", "wreck", path=tmp_path)
    assert broken.returncode == 2
    assert broken.stderr == "kibitz: game 'wreck' of wreck:stones cannot be loaded: RuntimeError: out of order\n"

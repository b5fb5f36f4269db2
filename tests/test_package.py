"""What people install is whole: the wheel, and games added by other packages."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from kibitz import __version__
from tests.core.stones import STONES

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a fresh environment with the wheel. Its dependencies are those of this one, to save time."""
    home = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    (inside,) = home.glob("lib/python*/site-packages")
    (inside / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", f"--python={home / 'bin' / 'python'}", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--no-index", str(wheel)], check=True, capture_output=True)
    return home / "bin"


def run_installed(program: Path, *words: str, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    answer = subprocess.run([program, *words], capture_output=True, text=True, check=False, env=environment, cwd=folder)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_the_installed_wheel_lists_plays_and_searches(installed: Path, tmp_path: Path) -> None:
    kibitz = installed / "kibitz"
    listed = json.loads(run_installed(kibitz, "games", "--json", folder=tmp_path))
    assert {game["name"] for game in listed} >= {"alquerque", "breakthrough", "checkers", "vampires", "wolves"}
    run_installed(kibitz, "new", "mine", folder=tmp_path)
    assert "to move" in run_installed(kibitz, "show", "mine.py", folder=tmp_path)
    assert run_installed(kibitz, "best", "breakthrough", "--agent", "engine:nodes=1000", folder=tmp_path).strip()


def test_the_installed_wheel_is_this_version_with_its_data(installed: Path, tmp_path: Path) -> None:
    code = (
        "import json, kibitz; from importlib.resources import files; from importlib.metadata import metadata\n"
        "place = files('kibitz')\n"
        "data = ['proofs/known', 'core/picture/script', 'web/static', 'laws/templates']\n"
        "kinds = {one: sorted({file.name.rpartition('.')[2] for file in (place / one).iterdir()}) for one in data}\n"
        "known = metadata('kibitz')\n"
        "versions = kibitz.__version__, known['Version']\n"
        "print(json.dumps([kibitz.__file__, versions, kinds, known.get_all('Provides-Extra')]))"
    )
    place, versions, kinds, extras = json.loads(run_installed(installed / "python", "-c", code, folder=tmp_path))
    assert Path(place).is_relative_to(installed.parent)
    assert versions == [__version__] * 2
    assert kinds["proofs/known"] == ["proof"]
    assert "js" in kinds["core/picture/script"]
    assert {"js", "html", "css"} <= set(kinds["web/static"])
    assert kinds["laws/templates"] == ["txt"]
    assert set(extras) == set(PROJECT["optional-dependencies"])


def test_versions_of_python_are_claimed_and_later_ones_not_refused() -> None:
    claimed = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if line.startswith("Programming Language")]
    assert claimed == ["3.11", "3.12", "3.13"]
    assert PROJECT["requires-python"] == ">=3.11"
    (numba,) = (line for line in PROJECT["dependencies"] if line.startswith("numba"))
    assert re.fullmatch(r"numba>=0\.\d+,<0\.\d+", numba)


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

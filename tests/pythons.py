"""Kibitz on every Python of this machine: `python -m tests.pythons`, or `make test-all`.

Each Python, of PATH or of pyenv, gets a fresh environment with `kibitz[all]` as pip resolves it today, and runs the
portable tests there. Versions that our metadata does not claim are tried too; their failures are shown and not counted.
`--quick` runs a small part of the tests. `--newest` takes one Python, the newest Numba and NumPy whatever our bounds
say, and runs the tests of the compiler's seam as well.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
HOME = ROOT / ".cache" / "pythons"  # where the environments are
OLDEST = (3, 11)
QUICK = "breakthrough or match or page"
SEAM = [f"tests/core/test_{name}.py" for name in ("seam", "compiled_game", "records")]
QUESTION = "import sys, ensurepip; print(*sys.version_info[:3])"
LIBRARIES = (
    "import json, kibitz, numba, numpy; print(json.dumps([kibitz.__file__, numba.__version__, numpy.__version__]))"
)

Version = tuple[int, int, int]


class Outcome(NamedTuple):
    """What became of one Python. `failure` is empty where all went well."""

    version: Version
    libraries: str
    seconds: float
    failure: str


def find_pythons() -> dict[Version, Path]:
    """The newest release of each minor version that can make environments."""
    found: dict[tuple[int, int], tuple[Version, Path]] = {}
    for path in candidates():
        version = version_of(path)
        if version is not None and version[:2] >= OLDEST and version > found.get(version[:2], ((0, 0, 0), path))[0]:
            found[version[:2]] = (version, path)
    return dict(sorted(found.values()))


def candidates() -> Iterator[Path]:
    """Whatever looks like a Python, on PATH and in pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from sorted(pyenv.glob("versions/*/bin/python"))
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and Path(folder) != pyenv / "shims":
            yield from sorted(
                path for path in Path(folder).glob("python3*") if re.fullmatch(r"python3(\.\d+)?", path.name)
            )


def version_of(python: Path) -> Version | None:
    """Its version, or None if it does not start or lacks what makes environments."""
    try:
        asked = subprocess.run([python, "-c", QUESTION], capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    major, minor, micro = map(int, asked.stdout.split())
    return major, minor, micro


def claimed_versions() -> set[tuple[int, int]]:
    """The versions that the metadata names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [re.search(r":: (\d+)\.(\d+)$", line) for line in project["classifiers"]]
    return {(int(match[1]), int(match[2])) for match in named if match}


def try_python(version: Version, python: Path, arguments: argparse.Namespace) -> Outcome:
    """Install and test in a fresh environment."""
    begun = time.monotonic()
    home = HOME / f"{'newest-' if arguments.newest else ''}{version[0]}.{version[1]}"
    shutil.rmtree(home, ignore_errors=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"KIBITZ_CACHE": str(home / "kibitz"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    inner = str(home / "bin" / "python")
    libraries = "-"
    for command in commands(python, home, inner, arguments):
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
        if done.returncode != 0:
            return Outcome(
                version, libraries, time.monotonic() - begun, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
            )
        if LIBRARIES in command:
            place, numba, numpy = json.loads(done.stdout)
            libraries = f"numba {numba}, numpy {numpy}"
            if not Path(place).is_relative_to(home):
                return Outcome(version, libraries, time.monotonic() - begun, f"tested {place} instead of {home}")
    return Outcome(version, libraries, time.monotonic() - begun, "")


def commands(python: Path, home: Path, inner: str, arguments: argparse.Namespace) -> Iterator[list[str]]:
    """What is run, one after another."""
    yield [str(python), "-m", "venv", str(home)]
    yield [inner, "-m", "pip", "install", "--quiet", "--no-compile", f"{ROOT}[all]", "pytest"]
    tests = ["tests/test_portable.py"]
    if arguments.newest:
        yield [inner, "-m", "pip", "install", "--quiet", "--upgrade", "numba", "numpy"]
        tests += SEAM
    yield [inner, "-c", LIBRARIES]
    chosen = ["-k", QUICK] if arguments.quick else []
    yield [inner, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, *tests]


def main() -> int:
    """Try them, two at a time, and say how each did."""
    parser = argparse.ArgumentParser(prog="python -m tests.pythons", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only a small part of the tests")
    parser.add_argument("--newest", action="store_true", help="the newest Numba and NumPy, on one Python")
    arguments = parser.parse_args()
    claimed, found = claimed_versions(), find_pythons()
    if arguments.newest:
        found = dict([max((version, path) for version, path in found.items() if version[:2] in claimed)])
    failures = 0
    with ThreadPoolExecutor(2) as pool:
        for outcome in pool.map(lambda version: try_python(version, found[version], arguments), found):
            failures += report(outcome, outcome.version[:2] in claimed)
    absent = claimed - {version[:2] for version in found}
    for major, minor in () if arguments.newest else sorted(absent):
        print(f"Python {major}.{minor}: claimed, not on this machine")
    return 1 if failures or not found else 0


def report(outcome: Outcome, claimed: bool) -> bool:
    """Print a line, and what went wrong; returns whether that is a failure of ours."""
    name = ".".join(map(str, outcome.version)) + ("" if claimed else " (not claimed)")
    said = "failed" if outcome.failure else "passed"
    print(f"Python {name}: {said} in {outcome.seconds:.0f} s, {outcome.libraries}", flush=True)
    if outcome.failure:
        print(outcome.failure, file=sys.stderr, flush=True)
    return bool(outcome.failure) and claimed


if __name__ == "__main__":
    sys.exit(main())

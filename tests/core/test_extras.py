"""What Kibitz can do without is an extra; what needs a missing one says in one line how to get it."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kibitz.core.extras import EXTRAS, MissingExtra, install_command, missing_modules, require

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DECLARED = PROJECT["optional-dependencies"]


@pytest.mark.parametrize("name", EXTRAS)
def test_a_missing_library_is_refused_with_what_installs_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = EXTRAS[name].modules[-1]
    monkeypatch.setitem(sys.modules, hidden, None)
    assert missing_modules(name) == [hidden]
    with pytest.raises(MissingExtra) as caught:
        require(name)
    assert str(caught.value) == f"{EXTRAS[name].purpose} needs {hidden}, not installed here: {install_command(name)}"


def test_every_extra_is_declared_and_all_holds_them() -> None:
    assert set(DECLARED) == {*EXTRAS, "fit", "all", "test", "dev", "docs"}
    apart = {"all", "test", "dev", "docs", "learn"}  # PyTorch takes gigabytes and is wanted with a graphics card alone
    assert DECLARED["all"] == [f"kibitz[{','.join(name for name in DECLARED if name not in apart)}]"]


def test_every_extra_that_is_mentioned_exists() -> None:
    files = [ROOT / "README.md", *(path for folder in ("docs", "src") for path in (ROOT / folder).rglob("*.*"))]
    texts = [path.read_text() for path in files if path.suffix in (".md", ".py", ".txt")]
    mentioned = {
        name for text in texts for names in re.findall(r"kibitz\[([a-z,]+)\]", text) for name in names.split(",")
    }
    assert mentioned >= {"web", "cluster", "fit"}
    assert mentioned <= set(DECLARED)


COMMANDS = [
    ("starlette", "serve", "web"),
    ("uvicorn", "serve breakthrough --port 0", "web"),
    ("websockets", "play breakthrough --web --first human --second random", "web"),
    ("distributed", "match breakthrough random random --cluster local:1 --trusted", "cluster"),
    ("pysat", "flow solve --solver sat FILE", "sat"),
]


@pytest.mark.parametrize(("library", "words", "extra"), COMMANDS)
def test_a_command_without_its_library_is_one_line_and_status_2(
    library: str, words: str, extra: str, tmp_path: Path
) -> None:
    board = tmp_path / "board.txt"
    board.write_text("A__B\n__C_\nA_B_\nC___\n")
    typed = [str(board) if word == "FILE" else word for word in words.split()]
    answer = run_without([library], typed, tmp_path)
    assert answer.returncode == 2, answer
    assert answer.stderr.endswith(f" needs {library}, not installed here: {install_command(extra)}\n")
    assert answer.stderr.count("\n") == 1


def test_games_show_and_flow_do_without_any_extra(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("A__B\n__C_\nA_B_\nC___\n")
    hidden = [module for extra in EXTRAS.values() for module in extra.modules]
    for words in (["games"], ["show", "checkers"], ["flow", "solve", str(board)], ["match", "--help"]):
        answer = run_without(hidden, words, tmp_path)
        assert answer.returncode == 0, answer.stderr


def test_the_doctor_names_missing_extras(tmp_path: Path) -> None:
    answer = run_without(["uvicorn", "pysat"], ["doctor"], tmp_path)
    assert answer.returncode == 0, answer.stdout
    assert "absent  extra web: uvicorn for the board in the browser: pip install 'kibitz[web]'\n" in answer.stdout
    assert "absent  extra sat: pysat for the SAT solver of Flow: pip install 'kibitz[sat]'\n" in answer.stdout


def run_without(libraries: list[str], words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command in a process that cannot import these."""
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({libraries!r})); sys.argv[1:] = {words!r}\n"
        "from kibitz.cli.main import main; main()"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder)

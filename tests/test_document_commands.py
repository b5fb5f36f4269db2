"""Every command that README and documents show is one that the command line knows; those that are quick are run."""

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from docs import notebook

from kibitz.cli.app import app, run
from kibitz.core.seam import interpreting

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]

# What is run here; other commands of the same verbs are read only.
RUN = (
    "kibitz",
    "kibitz games",
    "kibitz agents wolves",
    "kibitz examples",
    "kibitz show checkers --svg a.svg",
    "kibitz explain breakthrough",
    "kibitz tree breakthrough",
    "kibitz report kibitz-wolves.db",
    "kibitz report kibitz-wolves.db --html report.html",
    "kibitz store kibitz-wolves.db",
    "kibitz store kibitz-wolves.db --marks marks.csv",
    "kibitz replay game.txt --html a.html",
    "kibitz replay game.pgn",
    "kibitz replay games.jsonl",
    "kibitz perft breakthrough 6",
    "kibitz new mygame",
    "kibitz cache",
    "kibitz doctor",
    "kibitz tables",
    "kibitz flow solve board.txt",
    "kibitz flow solve boards/*.txt --unique",
    "kibitz flow solve board.txt --svg b.svg --animate a.svg",
    "kibitz flow hint board.txt --all",
    "kibitz flow rate board.txt",
    "kibitz flow check board.txt filled.txt",
)

# What is not, by its first words, and why.
LONG = {
    "kibitz serve": "waits for visitors; tests/web",
    "kibitz play": "waits for a person; tests/cli/test_terminal_game.py",
    "kibitz engine": "waits for a program; tests/protocols/test_engine.py",
    "kibitz vampires": "waits for the other side; tests/protocols/test_vampires_server.py",
    "kibitz export": "compiles a module; tests/web/browser/test_exported_page.py",
    "kibitz match": "plays games; tests/arena/test_commands.py",
    "kibitz tournament": "plays games; tests/arena/test_commands.py",
    "kibitz store": "reads what a tournament wrote; tests/arena",
    "kibitz learn": "plays and learns for minutes; tests/learn",
    "kibitz nets": "lists what was learned; tests/learn",
    "kibitz report": "reads what a tournament wrote; tests/arena/test_commands.py",
    "kibitz analyse": "searches until it is stopped; tests/cli/test_commands.py",
    "kibitz best": "searches, and may need other programs; tests/cli/test_commands.py",
    "kibitz solve": "minutes; tests/tables",
    "kibitz probe": "needs a table; tests/tables",
    "kibitz prove": "minutes; tests/proofs",
    "kibitz reproduce": "an hour; tests/reproduction",
    "kibitz bench": "a minute; tests/bench",
    "kibitz warm": "minutes; tests/cli/test_commands.py",
    "kibitz --interpret": "sets the mode of its process; tests/laws/test_mistakes.py",
    "kibitz check": "compiles; tests/laws/test_new.py",
    "kibitz puzzles": "looks through games for minutes; tests/puzzles/tactics",
    "kibitz flow pack": "makes many puzzles; tests/puzzles",
    "kibitz flow daily": "waits for a browser or a person; tests/puzzles",
    "kibitz flow explain": "goes step by step; tests/puzzles",
    "kibitz flow generate": "a minute; tests/puzzles/test_flow_commands.py",
    "kibitz flow table": "a minute; tests/puzzles/test_flow_commands.py",
}


def documented() -> dict[str, str]:
    """Each command and the page that shows it; what stands two spaces behind it says what it does."""
    found: dict[str, str] = {}
    for page in PAGES:
        for line in re.findall(r"^ {4}(kibitz(?: .*)?)$", page.read_text(), re.MULTILINE):
            for command in _split(re.split(r" {2,}", line)[0]):
                found.setdefault(command, page.name)
    return found


def _split(command: str) -> list[str]:
    """`kibitz warm, cache, doctor` is three."""
    first, *others = command.split(", ")
    return [first, *(f"kibitz {other}" for other in others)] if others else [command]


COMMANDS = documented()


def parse(words: list[str]) -> None:
    """Let the command line read its words, without doing what they say."""
    command: Any = typer.main.get_command(app)
    context = command.make_context("kibitz", list(words))
    while hasattr(command, "resolve_command") and (rest := [*context._protected_args, *context.args]):
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_knows_what_documents_show(command: str) -> None:
    words = shlex.split(command)[1:]
    if words:
        parse(words)


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    for words in (["paly", "wolves"], ["play", "wolves", "--levle", "3"], ["flow", "slove", "x"], ["perft"]):
        with pytest.raises(typer.TyperException):
            parse(words)


def test_every_command_is_run_or_marked_as_long() -> None:
    verbs = {tuple(command.split()[1:2]) for command in RUN}
    neither = [
        command
        for command in COMMANDS
        if not command.startswith(tuple(LONG)) and tuple(command.split()[1:2]) not in verbs
    ]
    assert neither == []
    assert set(RUN) <= set(COMMANDS)


@pytest.mark.skipif(interpreting(), reason="counts with compiled code")
def test_quick_commands_do_what_documents_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert _status(monkeypatch, "kibitz examples") == 0
    (tmp_path / "boards").mkdir()
    shutil.copy("board.txt", "boards/one.txt")
    shutil.copy("game.txt", "game.pgn")
    shutil.copy(ROOT / "tests/proofs/evidence/breakthrough-5x5.proof", ".")
    _status(monkeypatch, "kibitz replay game.txt --json")
    Path("games.jsonl").write_text(capsys.readouterr().out.splitlines()[-1])
    for command in RUN:
        if command != "kibitz examples":
            found = _status(monkeypatch, command)
            assert found == (1 if "flow check" in command else 0), (command, capsys.readouterr().err)


def _status(monkeypatch: pytest.MonkeyPatch, command: str) -> int:
    words = [word for text in shlex.split(command) for word in (map(str, Path().glob(text)) if "*" in text else [text])]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr("warnings.showwarning", None)
    return run()


@pytest.mark.skipif(interpreting(), reason="the notebook counts and searches with compiled code")
def test_the_notebook_shows_what_its_cells_give() -> None:
    book = notebook.read()
    assert notebook.run_cells(book) == notebook.stored_outputs(book)

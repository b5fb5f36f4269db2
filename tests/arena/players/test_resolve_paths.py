"""Where a player finds the files that its text names."""

from pathlib import Path

import pytest

from kibitz import agents
from kibitz.arena.players.resolve_paths import PathResolver


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("bot.py", "my bots/a bot.py", "my bots/map.xml", "python3", "sort"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("python:bot.py", "{home}/bot.py"),
        ("python:my bots/a bot.py", "{home}/my bots/a bot.py"),
        ("python:'my bots/a bot.py'", "{home}/my bots/a bot.py"),
        ("course-checkers:bot.py::Player", "{home}/bot.py::Player"),
        ("course-checkers:'my bots/a bot.py'::Player", "{home}/my bots/a bot.py::Player"),
        ("python:~/a bot.py", "{home}/my bots/a bot.py"),
        ("uci:python3 ~/map.xml", "python3 '{home}/my bots/map.xml'"),
        ("course-alquerque:my bots", "{home}/my bots"),
        ("python:/elsewhere/bot.py", "/elsewhere/bot.py"),
        ("uci:fairy-stockfish", "fairy-stockfish"),
        ("uci:python3 bot.py --fast", "python3 {home}/bot.py --fast"),
        ("uci:sort", "sort"),
        ("ugi:python3 'my bots/a bot.py' --map=x", "python3 '{home}/my bots/a bot.py' --map=x"),
        ('ugi:python3 "my bots/a bot.py"', "python3 '{home}/my bots/a bot.py'"),
        (r"ugi:python3 my\ bots/a\ bot.py", "python3 '{home}/my bots/a bot.py'"),
        ("ugi:./bot.py 'my bots/map.xml'", "{home}/bot.py '{home}/my bots/map.xml'"),
        ("ugi:'my bots/a bot.py'", "'{home}/my bots/a bot.py'"),
        ("ugi:python3 -c 'print(1)'", "python3 -c 'print(1)'"),
        ("ugi:python3 'unbalanced", "python3 'unbalanced"),
        ("vampires-client:python3 bot.py {ip} {port}", "python3 {home}/bot.py '{ip}' '{port}'"),
        ("random", None),
    ],
)
def test_files_are_named_in_full_and_everything_else_is_left_alone(home: Path, text: str, value: str | None) -> None:
    found = PathResolver(home, home / "my bots").resolve(agents.read(text))
    main = found.kind.main
    told = getattr(found.options, main) if main else None
    assert told == (None if value is None else value.replace("{home}", str(home)))

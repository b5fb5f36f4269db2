"""`kibitz examples`: files to try the commands on."""

from collections.abc import Iterator
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from kibitz.core.errors import KibitzError, did_you_mean, quoted
from kibitz.core.output_file import write_file


class Sample(NamedTuple):
    """A file or folder that is copied, and a command to try on it."""

    name: str
    what: str
    command: str


STORE = "kibitz-wolves.db"
SAMPLES = (
    Sample("board.txt", "a Flow Free puzzle", "kibitz flow solve board.txt"),
    Sample("filled.txt", "the same puzzle, filled wrongly", "kibitz flow check board.txt filled.txt"),
    Sample("game.txt", "a recorded game of Breakthrough", "kibitz replay game.txt --html a.html"),
    Sample("map.xml", "a map for vampires against werewolves", "kibitz show vampires,map=map.xml"),
    Sample("player.py", "an agent of one's own, for any game", "kibitz best breakthrough --agent python:player.py"),
    Sample(STORE, "the games of a small tournament", f"kibitz report {STORE}"),
    Sample("submissions", "a folder of agents", "kibitz tournament wolves submissions/ --seconds 0.1 --games 4"),
)


def examples(
    name: Annotated[
        str,
        typer.Argument(metavar="[NAME]", help="One of the samples, or a game of the gallery; all samples if left out."),
    ] = "",
) -> None:
    """Copy sample files into the current folder: a puzzle, a record, a map, agents, or a game's rules."""
    chosen = [sample for sample in SAMPLES if name in ("", sample.name)] or [_rules_file(name)]
    for sample in chosen:
        target = Path(sample.name)
        for path in _play_tournament(target) if sample.name == STORE else _copy(_source_of(sample), target):
            print(f"wrote {path}")
    for sample in chosen:
        print(f"{sample.what}: {sample.command}")


def _rules_file(name: str) -> Sample:
    gallery = _gallery()
    if name not in gallery:
        known = [sample.name for sample in SAMPLES] + list(gallery)
        raise KibitzError(f"no example is called {quoted(name)}{did_you_mean(name, known)}")
    return Sample(f"{name}.py", "the rules, to read and to change", f"kibitz check {name}.py")


def _gallery() -> dict[str, Traversable]:
    """The rules files of the gallery by the name of their game."""
    folder = files("kibitz.games") / "gallery"
    found = folder.iterdir() if folder.is_dir() else ()
    return {file.name[:-3]: file for file in found if file.name.endswith(".py") and not file.name.startswith("_")}


def _source_of(sample: Sample) -> Traversable:
    gallery = _gallery()
    stem = sample.name.removesuffix(".py")
    return gallery[stem] if stem in gallery else files("kibitz.cli") / "samples" / sample.name


def _copy(source: Traversable, target: Path) -> Iterator[Path]:
    """Write a file, or a folder with all its files; nothing that is there already is touched."""
    if source.is_dir():
        for inner in sorted(source.iterdir(), key=lambda each: each.name):
            if not inner.name.startswith(("_", ".")):
                yield from _copy(inner, target / inner.name)
        return
    _refuse_present(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_file(target, source.read_text(encoding="utf-8"))
    yield target


def _play_tournament(target: Path) -> Iterator[Path]:
    """A store of games that are played now, in a second: the format of stores belongs to the arena alone."""
    from kibitz.arena.contest.runner import run_contest
    from kibitz.arena.contest.settings import Settings, make_tournament
    from kibitz.arena.contest.store import Store
    from kibitz.arena.report import live
    from kibitz.arena.teams.local import team_of

    _refuse_present(target)
    with as_file(files("kibitz.cli") / "samples" / "submissions") as folder:
        entries = ["random", f"hasty=python:{folder}/hasty.py", f"hungry=python:{folder}/hungry.py"]
        contest = make_tournament(["wolves"], entries, "round-robin", 4, Settings(trusted=True, depth=1, balance=0))
        with Store(target) as store, live.make_watcher(quiet=True) as watcher:
            run_contest(contest, store, team_of(1), watcher)
    yield target


def _refuse_present(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise KibitzError(f"'{target}' is there already, expected a folder without it")

"""Finding a game by its text: built in, added by an installed package, or in a file of the user's."""

import hashlib
import importlib
import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

from kibitz import games
from kibitz.core.errors import KibitzError, RulesError, UnknownGame, UntrustedGame, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.options import Spec, split
from kibitz.core.position import Position
from kibitz.core.renames import renaming_of
from kibitz.core.rulebook import Rulebook
from kibitz.games import gallery

BUILT_IN = "built in"
GALLERY = "gallery"  # where the games of games/gallery come from
GROUP = "kibitz.games"  # the entry points by which packages add games


class Entry(NamedTuple):
    """A game that can be named, and where it comes from."""

    name: str
    origin: str
    rulebook: Rulebook | None  # known without importing anything only for built-in games


def entries() -> Iterator[Entry]:
    """Every game there is a name for. Packages' games are listed without importing them."""
    for name, book in sorted(_built_in().items()):
        yield Entry(name, BUILT_IN, book)
    for name in _gallery_names():
        yield Entry(name, GALLERY, None)
    for name, point in sorted(_entry_points().items()):
        yield Entry(name, f"package {point.dist.name if point.dist else '?'}", None)


def load(text: str) -> Game:
    """The game of this text: `name[:preset][,key=value...]`, where the name may be the path of a rules file, or that of
    one in the current folder without its ending.
    """
    path = re.match(r"(.+\.py)(?=$|[:,])", text.strip())
    beside = re.match(r"[A-Za-z_]\w*(?=$|[:,])", text.strip())
    if not path and beside and beside[0] not in _known_names() and _is_file(f"{beside[0]}.py"):
        return load(text.strip().replace(beside[0], f"{beside[0]}.py", 1))
    if path:
        label = path[1]
        spec = split("file" + text.strip()[len(label) :])
        book, label, spec = _choose(_load_file(Path(label)), label, spec)
    else:
        spec = split(text)
        book, label = rulebook(spec.name), spec.name
        _named.add(label)
    return _with_label(book, label, spec)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # no file can have such a name
        return False


def load_known(text: str) -> Game:
    """The game that a file of somebody's names: one of the catalogue, or of rules that the user named in this run.

    Nothing is imported because a record, a proof, a table or a store asks for it.
    """
    if _trusts_files:
        return load(text)
    path = re.match(r"(.+\.py)(?=$|[:,])", text.strip())
    named = _named_rules(path[1]) if path else None
    if path and named:
        return load(text.strip().replace(path[1], named, 1))
    if not path and ((name := split(text).name) in _built_in() or name in _named or name in _known_names()):
        return _with_label(rulebook(name), name, split(text))
    raise UntrustedGame(
        f"the file names the game {quoted(text)}, which is not in the catalogue, and its rules would be run; "
        "if you trust them, name them with --rules FILE.py or say --trust-game"
    )


def trust_files() -> None:
    """From now on games that files name may be rules files and modules, which are run."""
    global _trusts_files
    _trusts_files = True


def _named_rules(name: str) -> str | None:
    """The rules file of this name that was loaded because the user named it, wherever it lies."""
    if Path(name).resolve() in _files:
        return name
    return next((str(place) for place in _files if place.name == Path(name).name), None)


def position(text: str, position_text: str | None = None, line: str = "") -> Position:
    """A position of the game of this text: the start, or the one given, then the moves of `line`."""
    game = load(text)
    return game.new().play(line) if position_text is None else game.position(position_text, line)


def rulebook(name: str) -> Rulebook:
    """The rules of the game of this name: built in, added, or of an importable module."""
    if name in _built_in():
        return _built_in()[name]
    if name in _gallery_names():
        return _from_gallery(name)
    if name in _entry_points():
        return _from_package(_entry_points()[name])
    if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", name):
        return _from_module(name)
    known = _known_names()
    raise UnknownGame(f"no game is called {quoted(name)}{did_you_mean(name, known)}")


def _built_in() -> dict[str, Rulebook]:
    return {book.name: book for book in vars(games).values() if isinstance(book, Rulebook)}


def _known_names() -> set[str]:
    return {*_built_in(), *_gallery_names(), *_entry_points()}


def _gallery_names() -> list[str]:
    return [name for name in gallery.names() if name not in _built_in()]


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _with_label(book: Rulebook, label: str, spec: Spec) -> Game:
    game = book(spec.preset, **dict(spec.pairs))
    return Game(game.rulebook, game.options, label)


def _from_package(point: EntryPoint) -> Rulebook:
    try:
        found = point.load()
    except KibitzError:
        raise
    except Exception as problem:  # noqa: BLE001 - a stranger's package may fail in any way
        raise UnknownGame(f"game '{point.name}' of {point.value} cannot be loaded: {_describe(problem)}") from None
    if not isinstance(found, Rulebook):
        raise UnknownGame(f"game '{point.name}' of {point.value} is a {type(found).__name__}, expected a Rulebook")
    return found


def _from_gallery(name: str) -> Rulebook:
    try:
        module = importlib.import_module(f"{gallery.__name__}.{name}")
    except KibitzError:
        raise
    except Exception as problem:  # noqa: BLE001 - one file that fails never hides the others
        raise _failure(problem, gallery.FOLDER / f"{name}.py") from None
    return _choose(module, name, Spec(name, None, ()))[0]


def _failure(problem: Exception, file: Path) -> RulesError:
    """Where in a file that is being loaded something went wrong, and what."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == str(file)]
    if isinstance(problem, SyntaxError):
        return RulesError(f"{file.name}:{problem.lineno or 1}: {problem.msg}")
    return RulesError(f"{file.name}:{lines[-1] if lines else 1}: {_describe(problem)}")


def _from_module(name: str) -> Rulebook:
    try:
        module = importlib.import_module(name)
    except KibitzError:
        raise
    except Exception as problem:  # noqa: BLE001
        raise UnknownGame(f"no game is called '{name}' (as a module: {_describe(problem)})") from None
    book, _, _ = _choose(module, name, Spec(name, None, ()))
    return book


def _describe(problem: Exception) -> str:
    return renaming_of(problem) or f"{type(problem).__name__}: {problem}".splitlines()[0]


def _choose(module: ModuleType, label: str, spec: Spec) -> tuple[Rulebook, str, Spec]:
    """The rulebook that is meant where a file may hold several: `FILE:NAME`; one alone needs no name."""
    books = {name: book for name, book in vars(module).items() if isinstance(book, Rulebook)}
    books |= {book.name: book for book in books.values()}
    if spec.preset in books:
        return books[spec.preset], f"{label}:{spec.preset}", spec._replace(preset=None)
    distinct = set(books.values())
    if len(distinct) == 1:
        return distinct.pop(), label, spec
    if not distinct:
        raise UnknownGame(f"{label} holds no game, expected a Rulebook at its top level")
    raise UnknownGame(f"{label} holds several games, expected {label}:NAME with one of {', '.join(sorted(books))}")


_trusts_files = False
_named: set[str] = set()  # names without a file that were loaded in this run
_files: dict[Path, tuple[tuple[int, int], ModuleType]] = {}


def _load_file(path: Path) -> ModuleType:
    """The module of a rules file, loaded anew when the file has changed.

    It lives under a name made from its path, so that compiled code finds its classes again in the next process.
    """
    try:
        place = path.resolve()
        facts = place.stat()
        stamp = (facts.st_mtime_ns, facts.st_size)
    except (OSError, ValueError) as problem:
        raise UnknownGame(f"cannot read the rules file '{path}': {_reason(problem)}") from None
    if place in _files and _files[place][0] == stamp:
        return _files[place][1]
    linecache.checkcache(str(place))
    module = ModuleType(_stable_name(place))
    module.__file__ = str(place)
    sys.modules[module.__name__] = module
    try:
        exec(_code(path, place), module.__dict__)
    except KibitzError:
        raise
    except SystemExit:
        raise RulesError(f"{path.name}:1: the file ends the program when it is loaded") from None
    except Exception as problem:  # noqa: BLE001 - whatever the author's file does at its top level
        raise _failure(problem, place) from None
    _files[place] = (stamp, module)
    return module


def _reason(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or str(problem)


def _stable_name(place: Path) -> str:
    code = hashlib.sha256(str(place).encode()).hexdigest()[:8]
    return re.sub(r"\W", "_", f"kibitz_file_{place.stem}_{code}")


def _code(path: Path, place: Path) -> CodeType:
    try:
        return compile(place.read_bytes(), str(place), "exec")
    except OSError as problem:
        raise UnknownGame(f"cannot read the rules file '{path}': {problem.strerror}") from None
    except SyntaxError as problem:
        raise RulesError(f"{path.name}:{problem.lineno or 1}: {problem.msg}") from None
    except ValueError as problem:
        raise RulesError(f"{path.name}:1: {problem}") from None

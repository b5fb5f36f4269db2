"""The files that an agent consists of: those its text names, and those that they need.

A folder counts with all that is in it. A Python file counts with the modules beside it that it imports, directly or
through others, and with the files beside it whose names stand in it. Sources are read, never run. Links that lead out
of the folder are no part of it: who hands one in must not be shown what lies there.
"""

import ast
import os
import shlex
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from kibitz.agents.agent import AgentText
from kibitz.agents.guests.loader import strip_quotes

MOST_FILES = 10_000  # of a folder that are looked at
LARGEST = 256 << 20  # bytes of all files of an entry
DYNAMIC = {"importlib", "runpy", "__import__", "exec", "eval"}  # who uses these may import anything beside it


def named_places(agent: AgentText) -> list[Path]:
    """The files and folders that an agent's text names, alone or in a command, and that are there."""
    value = str(getattr(agent.options, agent.kind.main)) if agent.kind.main else ""
    whole = strip_quotes(value.partition("::")[0])
    words = [whole] if os.path.exists(whole) else _words(value)
    return [Path(word) for word in words if word and os.path.exists(word)]


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def needed_files(place: Path) -> list[Path]:
    """All files that belong to a named file or folder, itself included, in a fixed order."""
    if place.is_dir():
        return list(islice(_files_below(place), MOST_FILES))
    return sorted(_with_imports(place)) if place.suffix == ".py" else [place]


def find_excess(place: Path) -> str:
    """What is too much about a named file or folder, if anything: too many files, or too large ones."""
    files = list(islice(_files_below(place), MOST_FILES + 1)) if place.is_dir() else needed_files(place)
    if len(files) > MOST_FILES:
        return f"it holds more than {MOST_FILES:,} files"
    size = sum(file.stat().st_size for file in files)
    return f"it holds more than {LARGEST >> 20} MB" if size > LARGEST else ""


def leads_out(place: Path, folder: Path) -> bool:
    """Is a place in a folder in truth elsewhere?"""
    return not place.resolve().is_relative_to(folder.resolve())


def _files_below(place: Path) -> Iterator[Path]:
    """The files of a folder that count, in a fixed order."""
    for head, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            file = Path(head, name)
            if not name.startswith(".") and file.is_file() and not (file.is_symlink() and leads_out(file, place)):
                yield file


def _with_imports(file: Path) -> set[Path]:
    found, waiting = {file}, [file]
    while waiting and len(found) < MOST_FILES:
        source = waiting.pop()
        fresh = {path for path in _neighbours(source) if not leads_out(path, file.parent)} - found
        found |= fresh
        waiting += [path for path in fresh if path.suffix == ".py"]
    return found


def _neighbours(file: Path) -> Iterable[Path]:
    """The files beside this one that it names."""
    folder = file.parent
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (SyntaxError, ValueError, OSError):
        return folder.glob("*.py")
    names = {part for node in nodes for part in _names(node)}
    if names & DYNAMIC:
        return [*folder.glob("*.py"), *_literal_files(nodes, folder)]
    modules = [folder / f"{name}.py" for name in names]
    packages = [path for name in names if (folder / name).is_dir() for path in (folder / name).rglob("*.py")]
    return [*(path for path in modules if path.is_file()), *packages, *_literal_files(nodes, folder)]


def _names(node: ast.AST) -> list[str]:
    """What a piece of source may mean by a module beside it."""
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        head = (node.module or "").partition(".")[0]
        return [head] if head else [alias.name for alias in node.names]
    if isinstance(node, ast.Name):
        return [node.id] if node.id in DYNAMIC else []
    return []


def _literal_files(nodes: Iterable[ast.AST], folder: Path) -> list[Path]:
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    short = [text for text in texts if 0 < len(text) < 200 and "\0" not in text and "\n" not in text]
    return [folder / text for text in short if not os.path.isabs(text) and os.path.isfile(folder / text)]

"""Python files of others, run in this process without leaving traces in it.

A guest's modules are imported from its own folder, under names that may be anybody's (`board`, `move`, `agent`). They
are in the interpreter's list of modules only while the guest runs. What it prints goes to standard error, it reads
nothing from standard input, and it works in a folder of its own.
"""

import contextlib
import importlib.util
import io
import os
import shutil
import sys
import tempfile
import traceback
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import kibitz
from kibitz.agents.guests.errors import GuestFailed
from kibitz.core.errors import BadOption, KibitzError, quoted
from kibitz.core.renames import renaming_of

NOT_THEIRS = (Path(sys.prefix), Path(kibitz.__file__).parent)


def path_of(text: str, what: str) -> Path:
    """The path that an option names; quotes around it are not part of it."""
    bare = strip_quotes(text)
    if not bare:
        raise BadOption(f"no {what} is given, expected its path")
    return Path(bare).expanduser()


def strip_quotes(text: str) -> str:
    """The text without quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


class GuestFile:
    """A guest's file, its folder and its modules. `lent` are modules of ours that it may import where it has none."""

    def __init__(self, file: Path, lent: Mapping[str, ModuleType] | None = None) -> None:
        self.file = file
        self.place = file.resolve()
        if not os.path.isfile(self.place):
            raise GuestFailed(f"there is no file '{file}'")
        folder = self.place.parent
        self.modules = {name: module for name, module in (lent or {}).items() if not (folder / f"{name}.py").is_file()}
        self.folder = Path(tempfile.mkdtemp(prefix="kibitz-guest-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.module = self._import(f"kibitz_guest_{self.place.stem}", self.place)

    def sibling(self, name: str) -> ModuleType:
        """A module of the guest's folder, or the one we lend it."""
        if name not in self.modules:
            with self.surroundings():
                self.modules[name] = importlib.import_module(name)
        return self.modules[name]

    def function(self, name: str) -> Any:
        """Something that the guest must have at its top level."""
        found = getattr(self.module, name, None)
        if not callable(found):
            raise GuestFailed(f"{self.file.name} has no '{name}', expected a function or class of that name")
        return found

    def call(self, function: Any, *given: Any, **named: Any) -> Any:
        """What the guest's function returns; whatever goes wrong in it becomes one line."""
        with self.surroundings():
            return function(*given, **named)

    @contextlib.contextmanager
    def surroundings(self) -> Iterator[None]:
        """The guest's surroundings, for as long as its code runs."""
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(sys.stderr),
            _replace_attribute(sys, "stdin", io.StringIO()),
            _replace_attribute(sys, "dont_write_bytecode", True),
            _replace_attribute(sys, "path", [str(self.place.parent), *sys.path]),
            self._own_modules(),
        ):
            try:
                yield
            except KibitzError:
                raise
            except (Exception, SystemExit) as problem:
                raise self.failure(problem) from problem

    def failure(self, problem: BaseException) -> GuestFailed:
        """One line: where in the guest's own files it failed, and how."""
        if isinstance(problem, SyntaxError) and problem.filename:
            at = f"{Path(problem.filename).name}:{problem.lineno or 1}"
            return GuestFailed(f"{at}: {problem.msg}")
        frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if self._owns(frame.filename)]
        at = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else f"{self.file.name}:1"
        said = renaming_of(problem) or " ".join(f"{type(problem).__name__}: {problem}".split()).removesuffix(":")
        return GuestFailed(f"{at}: {said[:300]}")

    def _import(self, name: str, place: Path) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, place)
        if spec is None or spec.loader is None:
            raise GuestFailed(f"{quoted(place.name)} is no Python file")
        module = importlib.util.module_from_spec(spec)
        self.modules[name] = module
        with self.surroundings():
            spec.loader.exec_module(module)
        return module

    def _owns(self, filename: str) -> bool:
        """Is this file the guest's? Libraries may be installed below its folder, too."""
        path = Path(filename)
        return path.is_relative_to(self.place.parent) and not any(path.is_relative_to(ours) for ours in NOT_THEIRS)

    def _came_along(self, name: str) -> bool:
        """Does this module come from the guest's folder?"""
        top = self.place.parent / name.partition(".")[0]
        file = getattr(sys.modules[name], "__file__", None) or ""
        return (top.is_dir() or top.with_suffix(".py").is_file()) and self._owns(file)

    @contextlib.contextmanager
    def _own_modules(self) -> Iterator[None]:
        """Put the guest's modules into the interpreter's list, and take them out with what they imported."""
        displaced = {name: sys.modules.get(name) for name in self.modules}
        before = set(sys.modules)
        sys.modules.update(self.modules)
        try:
            yield
        finally:
            for name in set(sys.modules) - before:
                if self._came_along(name):
                    self.modules[name] = sys.modules[name]
            for name in self.modules:
                sys.modules.pop(name, None)
            sys.modules.update({name: module for name, module in displaced.items() if module is not None})


@contextlib.contextmanager
def _replace_attribute(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def to_int(value: Any) -> int:
    """A guest's number as an int: numpy's are welcome, truth values and fractions are not."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{value!r} is no whole number")
    return int(value.__index__())

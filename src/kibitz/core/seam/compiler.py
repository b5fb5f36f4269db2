"""Join a kernel with a game's rules, compile the whole, and keep it on disk under the hash of every source involved."""

import gc
import hashlib
import os
import pickle
import platform
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kibitz.core.errors import TooManyMoves
from kibitz.core.fields import where
from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.rulebook import Rulebook
from kibitz.core.seam import cache
from kibitz.core.seam.adapters import add_adapters, with_units
from kibitz.core.seam.call_graph import CallGraph, Function, Item
from kibitz.core.seam.compiler_errors import explain_error
from kibitz.core.seam.control import run_abandonable
from kibitz.core.seam.progress import progress_line
from kibitz.core.seam.slots import Slot

if TYPE_CHECKING:
    from kibitz.core.seam.native import Method

_DAMAGED = (OSError, EOFError, pickle.UnpicklingError, ImportError, AttributeError, KeyError, IndexError)
_compiling = threading.Lock()


class CompiledKernel:
    """A kernel compiled for a game, or for none. Call it with the kernel's arguments: a state, rules, and so on."""

    def __init__(
        self,
        book: Rulebook | None,
        kernel: Function,
        heuristic: Heuristic = NO_HEURISTIC,
        probe: Slot | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        self.book = book
        self.heuristic = heuristic
        self.probe = probe
        self.constants = constants
        self.kernel = kernel
        self._are_records = [name in ("state", "rules") for name in parameters_of(kernel)]
        self._entry: Any = None

    @property
    def is_ready(self) -> bool:
        """Is it compiled, or loaded, in this process?"""
        return self._entry is not None

    def __call__(self, *arguments: Any) -> Any:
        pairs = zip(self._are_records, arguments, strict=True)
        given = tuple([as_plain_tuple(value) if is_record else value for is_record, value in pairs])
        if self._entry is None:
            with _compiling:
                if self._entry is None:
                    self._entry = self._make_entry(given)
        try:
            return self._entry(*given)
        except TooManyMoves:
            assert self.book is not None
            raise TooManyMoves(
                f"{where(self.book.moves)}: moves() or outcomes() yields more than the game declares as max_moves"
            ) from None

    def _make_entry(self, given: Sequence[Any]) -> Any:
        import numba

        from kibitz.core.seam import native

        graph = CallGraph(with_units(self.constants, self.heuristic))
        classes = {}
        if self.book is not None:
            add_adapters(graph, self.book, self.heuristic, self.probe, native.fit)
            classes = {"State": self.book.state, "Rules": self.book.parameters}
        run = graph.add(self.kernel)
        bounds = os.environ.get("KIBITZ_BOUNDS") == "1"
        build = Build(
            title=f"{self.book.title}, {self._room}" if self.book else self._room,
            name=self._name(f"{_compiler_digest()} {numba.__version__} {bounds} {graph.digest()}"),
            text=self._entry_text(),
            items=tuple(graph.items),
            run=run,
            classes=classes,
            types=tuple(numba.typeof(value) for value in given),
            bounds=bounds,
        )
        try:
            return build.load_or_compile()
        except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
            raise explain_error(error, *self._authors(graph)) from None

    def _authors(self, graph: CallGraph) -> tuple[Callable[..., Any], set[str]]:
        """Whom to blame where the compiler names no line, and the files of rules and heuristic."""
        judging = self.heuristic.features or self.heuristic.evaluate
        blamed = self.kernel if self.book is None else judging or self.book.play
        ours = str(Path(__file__).parents[2])
        files = {item.filename for item in graph.items if not item.filename.startswith(("<", ours))}
        return blamed, files | {blamed.__code__.co_filename}

    @property
    def _room(self) -> str:
        return self.kernel.__module__.rpartition(".")[2]

    def _name(self, digest: str) -> str:
        """The name of the generated file: readable, and another one whenever the meaning may have changed."""
        sources = f"{digest} {self._entry_text()} {np.__version__} {platform.python_version()}"
        code = hashlib.sha256(sources.encode()).hexdigest()[:16]
        owner = self.book.name if self.book else "kibitz"
        return re.sub(r"\W", "_", f"{owner}_{self._room}_{self.kernel.__name__}_{code}")

    def _entry_text(self) -> str:
        """The one function whose machine code is kept on disk. It takes plain tuples, so that no class of the
        author's is pickled with it.
        """
        names = parameters_of(self.kernel)
        records = {"state": "State(*state)", "rules": "Rules(*rules)"} if self.book else {}
        passed = ", ".join(records.get(name, name) for name in names)
        owner = f"{self.book.name} with " if self.book else ""
        return (
            f'"""{owner}{self.kernel.__module__}.{self.kernel.__name__}, written by kibitz; safe to delete."""\n\n\n'
            f"def entry({', '.join(names)}):\n    return run({passed})\n"
        )


class Build(NamedTuple):
    """What is to be compiled, and under which name it is kept."""

    title: str  # for people
    name: str  # of the file
    text: str  # of the entry
    items: tuple[Item, ...]
    run: Item  # the kernel's
    classes: dict[str, type]  # that the entry uses
    types: tuple[Any, ...]  # of the entry's arguments
    bounds: bool  # are indices checked?

    def load_or_compile(self) -> Any:
        """The entry, loaded if it is on disk, else compiled by one process at a time."""
        path = cache.write_source(self.name, self.text)
        if path is None:
            return self._compile(None)
        if cache.verify(self.name) is cache.State.WHOLE:
            return self._load(path)
        with cache.compile_lock(path):
            if cache.is_compiled(path):
                return self._load(path)
            return self._compile(path if cache.remove_compiled(self.name) else None)

    def _load(self, path: Path) -> Any:
        from kibitz.core.seam import native

        try:
            entry = self._entry(path, native.current_method())
        except _DAMAGED:
            return self._compile(path if cache.remove_compiled(self.name) else None)
        if entry.stats.cache_misses:  # it was compiled for other types of arguments, and the new code was kept
            cache.note_compiled(path)
        return entry

    def _compile(self, path: Path | None) -> Any:
        return run_abandonable(self._compile_to_the_end, path)

    def _compile_to_the_end(self, path: Path | None) -> Any:
        with progress_line(self.title, kept=path is not None), _no_garbage_collection():
            if path is not None:
                try:
                    entry = self._try_methods(path)
                    cache.note_compiled(path)
                    return entry
                except OSError as problem:
                    cache.warn_unwritable(problem)
                except RuntimeError as problem:  # how Numba says that no cache folder can be written
                    if "cache" not in str(problem):
                        raise
                    cache.warn_unwritable(problem)
            return self._try_methods(None)

    def _try_methods(self, path: Path | None) -> Any:
        """Compile our way, and the plain way where this Numba does not allow ours."""
        from numba.core.errors import NumbaError

        from kibitz.core.seam import native

        try:
            return self._entry(path, native.current_method())
        except (NumbaError, OSError, MemoryError):
            raise
        except Exception as problem:  # noqa: BLE001 - who knows what a changed Numba raises
            entry = self._entry(path, native.PLAIN)  # raises too where the mistake is not in our way to compile
            native.use_plain_method(problem)
            return entry

    def _entry(self, path: Path | None, method: "Method") -> Any:
        from kibitz.core.seam import native

        run = native.link(self.items, method, self.bounds, self.name)[self.run]
        names = {"run": run, **self.classes}
        return native.compile_entry(self.text, path, names, self.types, method, self.bounds)


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Let garbage wait: collecting it takes a tenth of the time to compile (9.4 s to 8.4 s for Breakthrough)."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@lru_cache
def _compiler_digest() -> str:
    """A hash of our part of the compiler: code that an older one made is not loaded."""
    sources = (Path(__file__).with_name(name).read_bytes() for name in ("native.py", "pipeline.py"))
    return hashlib.sha256(b"".join(sources)).hexdigest()


def parameters_of(kernel: Function) -> tuple[str, ...]:
    """The names of a kernel's parameters."""
    return kernel.__code__.co_varnames[: kernel.__code__.co_argcount]


def as_plain_tuple(values: Any) -> tuple[Any, ...]:
    """A state or rules as the plain tuple that compiled code takes, its arrays free to be written to."""
    if np.ndarray not in map(type, values):
        return tuple(values)
    return tuple([value.copy() if isinstance(value, np.ndarray) else value for value in values])

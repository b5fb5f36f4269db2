"""Several kernels of one game, gathered to become one module."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.heuristic import Heuristic
from kibitz.core.rulebook import Rulebook
from kibitz.core.seam.adapters import add_adapters, with_units
from kibitz.core.seam.call_graph import CallGraph, Item
from kibitz.core.seam.compiler import parameters_of
from kibitz.core.seam.slots import Slot

ENVIRONMENT = {"NUMBA_OPT": "0"}  # of the process that compiles: code that was optimised for this machine is no use
LARGEST_CONSTANT = 1_000_000  # bytes; Numba leaves a larger array where it is and compiles its address


class CannotExport(KibitzError):
    """A game that cannot be made into a module; the line says why, and which rule to change."""


class Entry(NamedTuple):
    """One kernel and arguments of the types that it is compiled for; `rules` among them are the game's."""

    kernel: Callable[..., Any]
    examples: tuple[Any, ...]


class KernelSet:
    """Kernels of a game with a heuristic, and the constants that they are compiled with."""

    def __init__(
        self,
        book: Rulebook,
        entries: Mapping[str, Entry],
        heuristic: Heuristic,
        probe: Slot | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        self.book = book
        self.entries = entries
        self.heuristic = heuristic
        self.probe = probe
        self.constants = constants

    @cached_property
    def graph(self) -> CallGraph:
        """Everything that the kernels call."""
        from kibitz.core.seam import native

        graph = CallGraph(with_units(self.constants, self.heuristic))
        add_adapters(graph, self.book, self.heuristic, self.probe, native.fit)
        for entry in self.entries.values():
            graph.add(entry.kernel)  # type: ignore[arg-type]
        return graph

    def item(self, name: str) -> Item:
        """A kernel among the functions of the graph."""
        return self.graph.add(self.entries[name].kernel)  # type: ignore[arg-type]

    def entry_text(self, name: str) -> str:
        """The function that a module exports: it takes the game's rules as a plain tuple."""
        names = parameters_of(self.entries[name].kernel)  # type: ignore[arg-type]
        passed = ", ".join("Rules(*rules)" if each == "rules" else each for each in names)
        return f"def entry({', '.join(names)}):\n    return run({passed})\n"

    def digest(self) -> str:
        """A hash of all that the module is made of: sources, constants, types, and our part of the compiler."""
        import llvmlite
        import numba

        types = [f"{name}{tuple(map(_describe, entry.examples))}" for name, entry in sorted(self.entries.items())]
        versions = f"{numba.__version__} {llvmlite.__version__} {np.__version__}"
        sources = " ".join([_compiler_digest(), self.graph.digest(), versions, *types])
        return hashlib.sha256(sources.encode()).hexdigest()

    def refuse_large_constants(self) -> None:
        """An array that is too large to be written into the module lies in this process alone."""
        for item in self.graph.items:
            for name, value in item.names.items():
                if isinstance(value, np.ndarray) and value.nbytes > LARGEST_CONSTANT:
                    place = f"{Path(item.filename).name}:{item.tree.lineno}"
                    raise CannotExport(
                        f"{place}: {item.name}() reads '{name}', an array of {value.nbytes:,} bytes; a module holds "
                        f"constants of up to {LARGEST_CONSTANT:,} bytes, expected a smaller one or one that "
                        "rules(options) returns"
                    )

    def compile(self) -> bytes:
        """The module. Only for a process that was started with ENVIRONMENT."""
        self.refuse_large_constants()
        from kibitz.core.seam.wasm.lowering import lower
        from kibitz.core.seam.wasm.target import emit

        wide = self.heuristic.network is not None  # rows of small numbers are added several at once
        return emit(lower(self), tuple(self.entries), wide)


def _describe(value: Any) -> str:
    """The type of an argument, in words."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.ndim}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_describe, value))})"
    return type(value).__name__


@lru_cache
def _compiler_digest() -> str:
    """A hash of our part of the compiler: modules that an older one made are not used."""
    here = Path(__file__).parent
    own = [here / name for name in ("lowering.py", "target.py", "object_file.py", "runtime.ll")]
    files = [*own, here.parent / "native.py", here.parent / "pipeline.py"]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

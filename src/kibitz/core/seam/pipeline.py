"""How functions are compiled: sooner than Numba's own way.

Numba makes machine code of every function, in case Python calls it, and again of those that call it, where it is
inlined. Of ours Python calls the entry alone: the others are left for it to link. Optimised one by one, from below,
they come out as with Numba; in a large kernel they are left as they are and optimised once, all together.
"""

from typing import Any

from numba import _dynfunc
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering
from numba.core.typeinfer import TypeInferer


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A function with all it calls, optimised, without machine code."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class RawLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A function alone, as it was written."""

    def finalize(self) -> None:
        self._finalized = True


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """An entry with all that it calls: raw functions bring along what they call in turn."""

    def add_linking_library(self, library: Any) -> None:
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            for further in library._linking_libraries if isinstance(library, RawLibrary) else ():
                self.add_linking_library(further)


def lowering(library: type[JITCodeLibrary]) -> type[NativeLowering]:
    """Numba's lowering into a library which other functions can link and nobody can call."""

    class Lowering(NativeLowering):  # type: ignore[misc]
        _name = f"kibitz_lowering_to_{library.__name__}"

        def run_pass(self, state: Any) -> bool:
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]
            described = lowered.fndesc
            no_address = 0
            handle = _dynfunc.make_function(
                described.lookup_module(), described.qualname, "", no_address, lowered.env, (state.library,)
            )
            state.targetctx.insert_user_function(handle, described, [state.library])
            state.reload_init.extend(state.library._reload_init)
            state["cr"] = lowered._replace(cfunc=handle)
            return True

    return Lowering


class EntryLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering into the library of an entry."""

    _name = "kibitz_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


def pipeline(chosen: type[NativeLowering]) -> type[CompilerBase]:
    """Numba's passes with this lowering."""
    chosen = register_pass(mutates_CFG=True, analysis_only=False)(chosen)

    class Pipeline(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[PassManager]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            names = [found for found, _ in manager.passes]
            manager.passes[names.index(NativeLowering)] = (chosen, chosen._name)
            manager.finalize()
            return [manager]

    return Pipeline


Inner, Raw, Entry = pipeline(lowering(InnerLibrary)), pipeline(lowering(RawLibrary)), pipeline(EntryLowering)


def set_environments(compiled: Any) -> None:
    """Hand the environments of its inner functions to an entry, as Numba does where it loads one."""
    for environment in compiled._find_referenced_environments():
        compiled.library.codegen.set_env(environment.env_name, environment)


_return_types_from_partial = TypeInferer.return_types_from_partial


def _deduced_once(self: Any) -> Any:
    """What a recursive call returns. Numba infers the whole function anew for each such call. A float64 stays one."""
    known = getattr(self, "_returns_float", None)
    if known is None:
        known = _return_types_from_partial(self)
        if known == types.float64:
            self._returns_float = known
    return known


TypeInferer.return_types_from_partial = _deduced_once

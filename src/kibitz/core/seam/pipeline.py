"""How inner functions are compiled: a third sooner than Numba's own way, to the same code.

Numba makes machine code of every function, in case Python calls it, and again of those that call it, where it is
inlined. Of ours Python calls the entry alone: the others are optimised and left for it to link.
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


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering into an inner library, which other functions can link and nobody can call."""

    _name = "kibitz_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
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


class Inner(CompilerBase):  # type: ignore[misc]
    """Numba's passes with our lowering."""

    def define_pipelines(self) -> list[PassManager]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        names = [found for found, _ in manager.passes]
        manager.passes[names.index(NativeLowering)] = (InnerLowering, "inner lowering")
        manager.finalize()
        return [manager]


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

"""How functions are compiled: sooner than Numba's own way, and into faster code.

Numba makes machine code of every function, in case Python calls it, and again of those that call it, where it is
inlined. Of ours Python calls the entry alone: the others are left for it to link, and the optimiser may treat them as
private to it. Optimised one by one, from below, they come out as with Numba; in a large kernel they are left as they
are and optimised once, all together.

All that Kibitz knows of Numba's inside is in this module. Where Numba has changed, importing it fails, or compiling
raises an error that is none of Numba's own; code is then compiled the plain way.
"""

import re
from types import FunctionType, SimpleNamespace
from typing import Any

from llvmlite import binding
from numba import _dynfunc
from numba.core import types
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import AnnotateTypes, NativeLowering, NopythonTypeInference, type_inference_stage
from numba.core.typeinfer import TypeInferer
from numba.core.types.misc import unliteral

_register = register_pass(mutates_CFG=True, analysis_only=False)

# What the classes below rely on, beyond the names imported above.
_NEEDED = (
    (JITCodeLibrary, "_finalize_final_module"),
    (JITCodeLibrary, "_optimize_final_module"),
    (JITCodeLibrary, "add_linking_library"),
    (JITCodeLibrary, "add_ir_module"),
    (JITCodeLibrary, "finalize"),
    (JITCodeLibrary, "enable_object_caching"),
    (RuntimeLinker, "PREFIX"),
    (CompileResult, "_find_referenced_environments"),
    (TypeInferer, "resolve_call"),
    (TypeInferer, "return_types_from_partial"),
    (_dynfunc, "make_function"),
)
_CALLS = ((NopythonTypeInference.run_pass, "type_inference_stage"), (type_inference_stage, "typeinfer"))


def _check_names() -> None:
    lost = [f"{owner.__name__}.{name}" for owner, name in _NEEDED if not hasattr(owner, name)]
    lost += [f"{name} in {caller.__name__}" for caller, name in _CALLS if name not in caller.__code__.co_names]
    if lost:
        raise ImportError(f"no {', '.join(lost)}")


_check_names()


# What a module calls of Numba's runtime if it works with its arguments alone: its wrapper borrows them from Python.
_BORROWING = {"NRT_incref", "NRT_decref", "NRT_adapt_ndarray_from_python", "NRT_MemInfo_call_dtor", "NRT_Free"}
_FUNCTION = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)
_WRAPPER = re.compile(r"define [^(]*@_ZN7cpython")
_COUNT = re.compile(r"^ *(?:tail )?call void @NRT_(?:incref|decref)\(.*\n", re.MULTILINE)


def _without_counts(function: re.Match[str]) -> str:
    """The text of a function without calls that count; the wrapper's stay, for it owns what it borrows."""
    return function[0] if _WRAPPER.match(function[0]) else _COUNT.sub("", function[0])


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

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own_functions: set[str] = set()

    def add_linking_library(self, library: Any) -> None:
        if library not in self._linking_libraries:
            super().add_linking_library(library)
            for further in library._linking_libraries if isinstance(library, RawLibrary) else ():
                self.add_linking_library(further)

    def add_ir_module(self, ir_module: Any) -> None:
        self._own_functions |= {function.name for function in ir_module.functions}
        super().add_ir_module(ir_module)

    def _optimize_final_module(self) -> None:
        self._drop_reference_counts()
        self._make_inner_functions_internal()
        super()._optimize_final_module()

    def _drop_reference_counts(self) -> None:
        """Where nothing is allocated, all arrays are the caller's, who keeps them alive: nobody need count who uses
        them. Counts are atomic and take a tenth to a third of a search's time.
        """
        text = str(self._final_module)
        if set(re.findall(r"@(NRT_\w+)", text)) <= _BORROWING:
            module: Any = binding.parse_assembly(_FUNCTION.sub(_without_counts, text))
            module.name = self._final_module.name
            self._final_module: Any = module

    def _make_inner_functions_internal(self) -> None:
        """Let the optimiser change or drop what only this module calls.

        The entry and its wrappers are called from outside. The pass that prunes reference counts knows the functions
        of Numba's runtime by name and signature. What a call through a pointer looks for is found by its name.
        """
        prefix = RuntimeLinker.PREFIX
        pointers = [found.name for found in self._final_module.global_variables if found.name.startswith(prefix)]
        kept = self._own_functions | {name.removeprefix(prefix) for name in pointers}
        for function in self._final_module.functions:
            if not (function.is_declaration or function.name in kept or function.name.lower().startswith("nrt_")):
                function.linkage = "internal"


class Inferer(TypeInferer):  # type: ignore[misc]
    """Numba's type inference, where what a recursive call returns is inferred once if that is a float64, which stays
    one. Numba infers the whole function anew for each such call. And a function is compiled once for all numbers of a
    type, not again for each number that is written at a call.
    """

    _recursive_type: Any = None

    def resolve_call(self, function: Any, arguments: Any, keywords: Any) -> Any:
        if isinstance(function, (types.Dispatcher, types.RecursiveCall)):
            arguments = tuple(map(unliteral, arguments))
            keywords = {name: unliteral(given) for name, given in keywords.items()}
        return super().resolve_call(function, arguments, keywords)

    def return_types_from_partial(self) -> Any:
        if self._recursive_type is not None:
            return self._recursive_type
        found = super().return_types_from_partial()
        if found == types.float64:
            self._recursive_type = found
        return found


def _with_globals(function: FunctionType, **names: Any) -> Any:
    """A copy of the function that sees other values under these names."""
    return FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__)


@_register
class Inference(NopythonTypeInference):  # type: ignore[misc]
    """Numba's own pass with our inferer in it, and so in our compilations alone."""

    _name = "kibitz_type_inference"
    run_pass = _with_globals(
        NopythonTypeInference.run_pass,
        type_inference_stage=_with_globals(type_inference_stage, typeinfer=SimpleNamespace(TypeInferer=Inferer)),
    )


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
    """Numba's passes with our inference and this lowering, and without notes of types for people to read."""
    replacing = {NativeLowering: _register(chosen), NopythonTypeInference: Inference}

    class Pipeline(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[PassManager]:
            manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
            lost = replacing.keys() - {found for found, _ in manager.passes}
            if lost:
                raise LookupError(f"no pass {', '.join(each.__name__ for each in lost)}")
            manager.passes = [
                (replacing.get(found, found), text) for found, text in manager.passes if found is not AnnotateTypes
            ]
            manager.finalize()
            return [manager]

    return Pipeline


Inner, Raw, Entry = pipeline(lowering(InnerLibrary)), pipeline(lowering(RawLibrary)), pipeline(EntryLowering)


def set_environments(compiled: CompileResult) -> None:
    """Hand the environments of its inner functions to an entry, as Numba does where it loads one."""
    for environment in compiled._find_referenced_environments():
        compiled.library.codegen.set_env(environment.env_name, environment)

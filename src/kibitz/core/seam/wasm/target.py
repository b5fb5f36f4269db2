"""From the text of LLVM modules to the bytes of a WebAssembly module: joined, optimised, and made for wasm32."""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from llvmlite import binding

from kibitz.core.seam.wasm.kernels import CannotExport
from kibitz.core.seam.wasm.object_file import Object, link_module

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
# What every browser since 2021 has; the last is for networks, whose sums are rows of 16-bit numbers.
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
WIDE = ",+simd128"
RUNTIME = Path(__file__).with_name("runtime.ll")
OWN = ("reserve",)  # of the runtime, for who calls the module

_TRIPLE = re.compile(r"^target triple = .*$", re.MULTILINE)
_LAYOUT = re.compile(r"^target datalayout = .*$", re.MULTILINE)
_ENVIRONMENT = re.compile(r'^(@"?_ZN08NumbaEnv[^=]*) = .*$', re.MULTILINE)
_COUNT = re.compile(r"^ *(?:tail )?call void @NRT_(?:incref|decref)\(.*\n", re.MULTILINE)
_COUNTS = {"NRT_incref", "NRT_decref"}
# Numba's own functions, which come along with its parts of NumPy: those of runtime.ll stand in their place.
_RUNTIME = re.compile(
    r"^define [^@\n]*?(void|ptr|i32|i64) @(NRT_\w+)(\([^)\n]*\))[^{\n]*{.*?^}", re.MULTILINE | re.DOTALL
)
_ABOUT_THE_HOST = re.compile(r" allocalign| allockind\([^)]*\)| allocptr")


def emit(texts: Iterable[str], exports: Collection[str], wide: bool) -> bytes:
    """The module that exports these functions, `reserve` and its memory."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    features = FEATURES + (WIDE if wide else "")
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=features, opt=3, reloc="static", codemodel="default"
    )
    module = _join(_RUNTIME.sub(r"declare \1 @\2\3", text) for text in texts)
    foreign = [each.name for each in module.functions if each.name.startswith("NRT_") and not each.is_declaration]
    assert not foreign, f"Numba's own {', '.join(foreign)} came along"
    _internalise(module, exports)
    _optimise(module, machine, wide)  # while counts are calls, so that those that cancel out are found
    module.link_in(_parse(RUNTIME.read_text()))
    _internalise(module, {*exports, *OWN})
    _optimise(module, machine, wide)
    _refuse_missing(module)
    return link_module(Object(machine.emit_object(module)), (*exports, *OWN))


def _parse(text: str) -> Any:
    """A module for wasm32. Environments, which hold what Numba needs to raise errors, are not needed."""
    text = _LAYOUT.sub("", _TRIPLE.sub("", text))
    text = _ENVIRONMENT.sub(r"\1 = internal global ptr null", _ABOUT_THE_HOST.sub("", text))
    return binding.parse_assembly(f'target triple = "{TRIPLE}"\ntarget datalayout = "{LAYOUT}"\n{text}')


def _join(texts: Iterable[str]) -> Any:
    """All of it as one module. Where nothing is allocated, arrays are the caller's and nobody need count."""
    first, *others = texts
    module = _parse(first)
    for text in others:
        module.link_in(_parse(text))
    whole = str(module)
    if set(re.findall(r"@(NRT_\w+)", whole)) <= _COUNTS:
        module = binding.parse_assembly(_COUNT.sub("", whole))
    module.verify()
    return module


def _internalise(module: Any, exports: Collection[str]) -> None:
    """Let the optimiser change or drop what nobody calls from outside."""
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in exports else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


def _optimise(module: Any, machine: Any, wide: bool) -> None:
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = wide
    builder = binding.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(module, builder)


def _refuse_missing(module: Any) -> None:
    """A module imports nothing: what is neither in it nor part of WebAssembly cannot go."""
    missing = [
        found.name
        for found in [*module.functions, *module.global_variables]
        if found.is_declaration and not found.name.startswith("llvm.")
    ]
    if missing:
        raise CannotExport(
            f"the rules or the heuristic call {', '.join(sorted(missing))}, which a module does not have; expected "
            "whole numbers and arithmetic"
        )

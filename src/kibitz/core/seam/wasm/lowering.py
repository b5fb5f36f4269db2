"""From functions to the text of one LLVM module: Numba's own lowering, with nothing optimised on the way.

Code that was optimised for this machine knows the size of its pointers, so what Numba compiles besides, such as its
parts of NumPy, must be left as it is too: the process runs with NUMBA_OPT=0. Each entry is exported as a function of
one pointer to a row of 64-bit words, its arguments: a number is one word, an array its address and then its shape.
"""

import ast
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import ir
from numba import njit, types
from numba.core import config
from numba.core.callconv import CPUCallConv
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys

from kibitz.core.seam import native, pipeline
from kibitz.core.seam.compiler import as_plain_tuple, parameters_of

if TYPE_CHECKING:
    from kibitz.core.seam.wasm.kernels import KernelSet

_WORD = 8  # bytes
_NEEDED = (
    (JITCodeLibrary, "_get_module_for_linking"),
    (JITCodeLibrary, "add_llvm_module"),
    (CPUCallConv, "get_function_type"),
    (CPUCallConv, "get_arguments"),
)
_LOST = [f"{owner.__name__}.{name}" for owner, name in _NEEDED if not hasattr(owner, name)]
if _LOST:
    raise ImportError(f"Numba {numba.__version__} has no {', '.join(_LOST)}")


class PlainLibrary(pipeline.RawLibrary):
    """A function alone, not even tidied up for this machine."""

    def add_llvm_module(self, module: Any) -> None:
        self._final_module.link_in(module)


class ModuleLibrary(pipeline.EntryLibrary):
    """An entry with all that it calls except Numba's runtime; nothing is optimised or made into machine code."""

    def add_llvm_module(self, module: Any) -> None:
        self._final_module.link_in(module)

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            if library is not rtsys.library:
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


_INNER = {**native.PLAIN.inner, "pipeline_class": pipeline.pipeline(pipeline.lowering(PlainLibrary))}
_ENTRY = {**native.PLAIN.inner, "pipeline_class": pipeline.pipeline(pipeline.lowering(ModuleLibrary))}
_METHOD = native.Method(_INNER, _INNER, _ENTRY)


def lower(kernels: "KernelSet") -> list[str]:
    """The texts of LLVM modules that make up the kernels: each entry with all that it calls, and what exports it."""
    assert config.OPT == 0, "compile modules in a process with NUMBA_OPT=0"
    linked = native.link(kernels.graph.items, _METHOD, bounds=False, owner=kernels.book.name)
    texts = []
    for name, entry in kernels.entries.items():
        given = zip(parameters_of(entry.kernel), entry.examples, strict=True)  # type: ignore[arg-type]
        typed = tuple(numba.typeof(as_plain_tuple(value) if each == "rules" else value) for each, value in given)
        space = {"run": linked[kernels.item(name)], "Rules": kernels.book.parameters, "__name__": native.__name__}
        tree = ast.parse(kernels.entry_text(name))
        exec(compile(tree, "<kibitz>", "exec"), space)
        space["entry"].__qualname__ = f"entry_{name}"
        dispatcher = njit(**_METHOD.entry)(space["entry"])
        dispatcher.compile(typed)
        compiled = dispatcher.overloads[typed]
        compiled.library.finalize()
        texts += [str(compiled.library._final_module), _write_export(name, compiled)]
    return texts


def _write_export(name: str, compiled: CompileResult) -> str:
    """A function of this name that loads the entry's arguments from words and leaves its value in the first of them.

    It returns Numba's status: 0 where all went well.
    """
    convention, signature = compiled.target_context.call_conv, compiled.signature
    module = ir.Module()
    kind = convention.get_function_type(signature.return_type, signature.args)
    entry = ir.Function(module, kind, compiled.fndesc.llvm_func_name)
    export = ir.Function(module, ir.FunctionType(ir.IntType(32), [ir.IntType(_WORD).as_pointer()]), name)
    builder = ir.IRBuilder(export.append_basic_block())
    words = _Words(builder, export.args[0])
    arguments = [leaf for each in signature.args for leaf in words.load(each)]
    value = builder.alloca(kind.args[0].pointee)
    problem = builder.alloca(kind.args[1].pointee)
    builder.store(ir.Constant(kind.args[0].pointee, None), value)
    builder.store(ir.Constant(kind.args[1].pointee, None), problem)
    passed = [value, problem, *arguments]
    fitted = [
        builder.bitcast(each, wanted) if isinstance(wanted, ir.PointerType) else each
        for each, wanted in zip(passed, kind.args, strict=True)
    ]
    status = builder.call(entry, fitted)
    builder.store(builder.load(value), builder.bitcast(export.args[0], value.type))
    builder.ret(status)
    return str(module)


class _Words:
    """Loads arguments one after the other from a row of words."""

    def __init__(self, builder: ir.IRBuilder, start: Any) -> None:
        self._builder, self._start, self._at = builder, start, 0

    def load(self, kind: Any) -> list[Any]:
        """The parts of an argument of this type, as Numba passes them on."""
        if isinstance(kind, types.BaseTuple):
            return [leaf for part in kind.types for leaf in self.load(part)]
        if isinstance(kind, types.Array):
            return self._load_array(kind)
        if isinstance(kind, types.Float):
            return [self._next(ir.DoubleType())]
        width = 8 if isinstance(kind, types.Boolean) else kind.bitwidth
        return [self._next(ir.IntType(width))]

    def _load_array(self, kind: types.Array) -> list[Any]:
        """An array that the caller owns: no memory of Numba's, no parent, C order."""
        whole, nowhere = ir.IntType(64), ir.Constant(ir.IntType(8).as_pointer(), None)
        item_size = ir.Constant(whole, _size_of(kind.dtype))
        data = self._builder.inttoptr(self._next(whole), ir.IntType(8).as_pointer())
        shape = [self._next(whole) for _ in range(kind.ndim)]
        strides = [item_size]
        for length in reversed(shape[1:]):
            strides.insert(0, self._builder.mul(strides[0], length))
        count = shape[0]
        for length in shape[1:]:
            count = self._builder.mul(count, length)
        return [nowhere, nowhere, count, item_size, data, *shape, *strides]

    def _next(self, kind: Any) -> Any:
        place = self._builder.gep(self._start, [ir.Constant(ir.IntType(32), _WORD * self._at)])
        self._at += 1
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))


def _size_of(kind: Any) -> int:
    """The bytes of an element: a number of a fixed width, or a record of such."""
    return int(kind.size if isinstance(kind, types.Record) else numba.np.numpy_support.as_dtype(kind).itemsize)

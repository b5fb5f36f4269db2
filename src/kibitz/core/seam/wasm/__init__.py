"""Kernels as WebAssembly: the third way to run them, beside compiled and interpreted.

A module holds several kernels of one game, and a small runtime of our own that allocates. It imports nothing: whoever
has its bytes can call it. `KernelSet.compile` is for a process of its own, in which Numba optimises nothing for the
machine at hand (`ENVIRONMENT`); the rest is for any.
"""

from kibitz.core.seam.wasm.kernels import ENVIRONMENT as ENVIRONMENT
from kibitz.core.seam.wasm.kernels import CannotExport as CannotExport
from kibitz.core.seam.wasm.kernels import Entry as Entry
from kibitz.core.seam.wasm.kernels import KernelSet as KernelSet

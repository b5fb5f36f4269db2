"""Kernels that are given records, and functions in the place of others: compiled and interpreted alike."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.core.seam.compiler import CompiledKernel
from kibitz.core.seam.interpreter import InterpretedKernel

Kind = Callable[..., Callable[..., Any]]
EITHER_WAY = pytest.mark.parametrize("kind", [CompiledKernel, InterpretedKernel])


class Tally(NamedTuple):
    """A record of numbers and arrays."""

    counts: NDArray[np.int64]
    step: int


class Swapped(NamedTuple):
    """The same fields in another order."""

    step: int
    counts: NDArray[np.int64]


def count_up(times: int, tally: Any) -> int:
    for _ in range(times):
        tally.counts[0] += change(tally.step)
    return int(tally.counts[0])


def change(step: int) -> int:
    return step


def double(step: int) -> int:
    return 2 * step


@EITHER_WAY
def test_a_kernel_writes_to_the_arrays_of_a_record(kind: Kind) -> None:
    tally = Tally(np.zeros(1, np.int64), 5)
    assert kind(None, count_up)(3, tally) == 15
    assert tally.counts[0] == 15


@EITHER_WAY
def test_records_with_other_fields_are_other_code(kind: Kind) -> None:
    assert kind(None, count_up)(3, Tally(np.zeros(1, np.int64), 5)) == 15
    assert kind(None, count_up)(3, Swapped(5, np.zeros(1, np.int64))) == 15


@EITHER_WAY
def test_a_function_may_stand_in_for_another(kind: Kind) -> None:
    assert kind(None, count_up, constants={"change": double})(3, Tally(np.zeros(1, np.int64), 5)) == 30

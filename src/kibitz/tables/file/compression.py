"""What of a table is kept in its file, and how the rest is found again.

Of an indexed table one side's codes are kept: the other side's follow from them, one move on. Of a table without an
index the sorted codes are kept as differences, byte planes apart, and the values behind them.
"""

import os

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.result import SECOND
from kibitz.tables.file.container import Header
from kibitz.tables.file.values import EVEN_SPLIT, split_for
from kibitz.tables.generic.solution import Solution
from kibitz.tables.indexed import retrograde_kernels
from kibitz.tables.indexed.layers import Layer, layers_of, spans_of
from kibitz.tables.indexed.solver import Rows, Values, derive_side, longest_wins
from kibitz.tables.probe import HEADER, INDEXED, KIND, SIZE, SPLIT, split_of
from kibitz.tables.worker_pool import WorkerPool

KEPT_SIDE = SECOND  # the side whose codes are kept


def make_header(size: int, rows: Rows = ()) -> NDArray[np.int64]:
    """The header of an indexed table whose layers hold this."""
    header = np.zeros(HEADER, np.int64)
    header[KIND], header[SIZE] = INDEXED, size
    split = split_for(*longest_wins(rows))
    assert split is not None
    header[SPLIT] = 0 if split == EVEN_SPLIT else split
    return header


def pack_codes(values: Values, layers: list[Layer]) -> list[Values]:
    """The codes of one side, layer by layer."""
    return [values[slice(*layer.sides[KEPT_SIDE])] for layer in layers]


def pack_positions(solution: Solution) -> list[Values]:
    """Differences of the sorted codes and the values, byte planes apart."""
    return [_planes(np.diff(solution.codes, prepend=0)), _planes(solution.values)]


def _planes(numbers: NDArray[np.int64] | NDArray[np.int32]) -> Values:
    return np.ascontiguousarray(numbers.view(np.uint8).reshape(len(numbers), -1).T).reshape(-1)


def _from_planes(planes: Values, kind: type) -> Values:
    width = np.dtype(kind).itemsize
    return np.ascontiguousarray(planes.reshape(width, -1).T).reshape(-1).view(kind)


def unpack(game: Game, about: Header, data: Values) -> Values:
    """The bytes that are looked up."""
    return _unpack_codes(game, about, data) if about["header"][KIND] == INDEXED else _unpack_positions(about, data)


def _unpack_positions(about: Header, data: Values) -> Values:
    size = about["header"][SIZE]
    codes = np.cumsum(_from_planes(data[: 8 * size], np.int64))
    values = _from_planes(data[8 * size :], np.int32)
    return np.concatenate([codes.view(np.uint8), values.view(np.uint8)])


def _unpack_codes(game: Game, about: Header, data: Values) -> Values:
    layers = layers_of(spans_of(game))
    values = np.zeros(pad_size(layers[-1].stop), np.uint8)
    at = 0
    for layer in layers:
        low, high = layer.sides[KEPT_SIDE]
        values[low:high] = data[at : at + high - low]
        at += high - low
    with WorkerPool(os.cpu_count() or 1, 4 * game.max_moves) as pool:
        pool.control[retrograde_kernels.SPLIT] = split_of(np.array(about["header"], np.int64))
        derive_side(game, values, pool, layers, 1 - KEPT_SIDE, lambda count: None)
    return values


def pad_size(size: int) -> int:
    """The size up to the next multiple of eight."""
    return -(-size // 8) * 8

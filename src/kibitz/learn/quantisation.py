"""From the weights of training to whole numbers that cannot overflow."""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.network import LARGEST_SUM, LARGEST_TOTAL, SQUARE_BITS, Network, reach_of
from kibitz.learn.inputs import Inputs
from kibitz.learn.parameters import Parameters

UNIT_BITS = 10  # as precise as sums ever are
ROUNDING = 0.5


def quantise(parameters: Parameters, inputs: Inputs) -> Network:
    """The network of these weights, with the finest scales at which no set of inputs exceeds the width of a sum."""
    size = inputs.size
    maps = np.zeros_like(inputs.columns, np.int16)
    for view, group in enumerate(inputs.groups):
        known = inputs.columns[view] >= 0
        maps[view, known] = 1 + group * size + inputs.columns[view, known]
    groups = list(inputs.groups)
    rows = np.concatenate([np.zeros((1, inputs.shape.units)), *parameters.rows])
    reach = max(
        float((reach_of(rows[maps[view]], inputs.shape, inputs.levels) + np.abs(parameters.biases[group])).max())
        for view, group in enumerate(groups)
    )
    unit_bits = UNIT_BITS
    while reach * 2**unit_bits + ROUNDING * (maps.shape[1] + 1) > LARGEST_SUM:
        unit_bits -= 1
    largest, most = float(np.abs(parameters.outputs).max()), float(np.abs(parameters.outputs).sum(axis=2).max())
    output_bits = 14
    while (
        largest * 2**output_bits + ROUNDING > LARGEST_SUM
        or (most * 2**output_bits + ROUNDING * inputs.shape.units) * 2**SQUARE_BITS > LARGEST_TOTAL
    ):
        output_bits -= 1
    return Network(
        inputs.shape,
        inputs.levels,
        maps=maps,
        rows=_rounded(rows * 2**unit_bits),
        biases=_rounded(parameters.biases[groups] * 2**unit_bits),
        outputs=_rounded(parameters.outputs[groups] * 2**output_bits),
        offsets=np.round(parameters.offsets[groups] * 2 ** (output_bits + SQUARE_BITS)).astype(np.int64),
        phases=inputs.phases.astype(np.int16),
        unit_bits=unit_bits,
        output_bits=output_bits,
    )


def _rounded(numbers: NDArray[np.float64]) -> NDArray[np.int16]:
    return np.round(numbers).astype(np.int16)

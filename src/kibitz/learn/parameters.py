"""What is learned: the weights of a network as real numbers, one set for each group of views."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
NAMES = ("rows", "biases", "outputs", "offsets")
LARGEST_WEIGHT = 1.98  # of a row
LARGEST_OUTPUT = 8.0


@dataclass(eq=False)
class Parameters:
    """The weights of all groups."""

    rows: Floats  # groups x inputs x units
    biases: Floats  # groups x units
    outputs: Floats  # groups x phases x units
    offsets: Floats  # groups x phases

    def arrays(self) -> dict[str, Floats]:
        """All of them by name."""
        return {name: getattr(self, name) for name in NAMES}

    def copy(self) -> "Parameters":
        return Parameters(**{name: array.copy() for name, array in self.arrays().items()})

    def clip(self) -> None:
        """Keep the weights within what whole numbers can hold."""
        np.clip(self.rows, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=self.rows)
        np.clip(self.outputs, -LARGEST_OUTPUT, LARGEST_OUTPUT, out=self.outputs)


def first_parameters(groups: int, inputs: int, units: int, phases: int, seed: int) -> Parameters:
    """Small random weights to begin with."""
    dice = np.random.default_rng([seed, 0])
    return Parameters(
        rows=dice.uniform(-0.15, 0.15, (groups, inputs, units)).astype(np.float32),
        biases=np.full((groups, units), 0.3, np.float32),
        outputs=dice.uniform(-0.1, 0.1, (groups, 1, units)).astype(np.float32).repeat(phases, axis=1),
        offsets=np.zeros((groups, phases), np.float32),
    )

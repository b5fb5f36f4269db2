"""Networks with random weights."""

import numpy as np

from kibitz.core.game import Game
from kibitz.learn.inputs import Inputs, Kind, find_inputs
from kibitz.learn.parameters import Parameters, first_parameters
from kibitz.learn.quantisation import quantise
from kibitz.nets.file import Net
from kibitz.tables.file.identity import name_of, rules_hash


def random_parameters(inputs: Inputs, seed: int = 1) -> Parameters:
    """Weights as large as training makes them."""
    first = first_parameters(max(inputs.groups) + 1, inputs.size, inputs.shape.units, inputs.phase_count, seed)
    dice = np.random.default_rng(seed)
    for name, array in first.arrays().items():
        np.add(array, dice.normal(0.0, 0.1 if name == "rows" else 0.4, array.shape).astype(np.float32), out=array)
    return first


def random_net(game: Game, kind: Kind = "bits", units: int = 16, seed: int = 1) -> tuple[Net, Inputs, Parameters]:
    """A net that was never trained, and what it was made of."""
    inputs = find_inputs(game, kind, units)
    parameters = random_parameters(inputs, seed)
    uses = inputs.base.name if inputs.shape.features else ""
    net = Net(network=quantise(parameters, inputs), game=name_of(game), rules=rules_hash(game), heuristic=uses)
    return net, inputs, parameters

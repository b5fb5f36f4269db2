"""Training with NumPy alone: Adam on the cross entropy between what the network expects and what came of it."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from kibitz.learn.parameters import Floats, Parameters

DECAY, DECAY_OF_SQUARES, TINY = 0.9, 0.999, 1e-8


class Batch(NamedTuple):
    """Positions as the side to move sees them, and the share of such games that it is expected to win."""

    on: NDArray[np.uint8]  # positions x inputs, packed eight to a byte
    groups: NDArray[np.uint8]
    phases: NDArray[np.uint8]
    targets: Floats

    def take(self, chosen: NDArray[np.int64]) -> "Batch":
        return Batch(self.on[chosen], self.groups[chosen], self.phases[chosen], self.targets[chosen])

    @property
    def size(self) -> int:
        return len(self.targets)


class Source(Protocol):
    """Positions to draw from."""

    @property
    def size(self) -> int: ...

    def take(self, chosen: NDArray[np.int64]) -> Batch: ...


class Lesson(NamedTuple):
    """How long and how fast to train."""

    steps: int
    size: int  # of a batch
    rate: float
    seed: list[int]


class Trainer(Protocol):
    """Something that moves weights towards what games say."""

    steps: int
    lesson: int  # new positions after which it pays to train
    playing: float  # the share of the time that is spent on playing; then there is only training
    batch: int

    def train(self, data: Source, lesson: Lesson) -> float:
        """So many steps with random batches; the mean loss."""
        ...

    def loss(self, data: Batch) -> float:
        """The loss on these positions."""
        ...

    def parameters(self) -> Parameters:
        """The weights at hand."""
        ...

    def state(self) -> dict[str, NDArray[np.float32]]:
        """All that is needed to go on later."""
        ...

    def restore(self, state: dict[str, NDArray[np.float32]], steps: int) -> None:
        """Go on from what `state` returned after so many steps."""
        ...


def sigmoid(values: Floats) -> Floats:
    shares: Floats = np.float32(1.0) / (np.float32(1.0) + np.exp(-values))
    return shares


def cross_entropy(values: Floats, targets: Floats) -> float:
    return float(np.mean(np.logaddexp(0.0, values) - targets * values))


class NumpyTrainer:
    """The weights and Adam's means of their gradients."""

    lesson = 1 << 14
    playing = 0.85
    batch = 1024

    def __init__(self, parameters: Parameters, images: tuple[NDArray[np.int64], ...] = ()) -> None:
        self._now = parameters
        self._images = images
        self._inputs = parameters.rows.shape[1]
        self._means = {name: np.zeros_like(array) for name, array in parameters.arrays().items()}
        self._squares = {name: np.zeros_like(array) for name, array in parameters.arrays().items()}
        self.steps = 0

    def parameters(self) -> Parameters:
        return self._now

    def state(self) -> dict[str, NDArray[np.float32]]:
        named = {"now": self._now.arrays(), "mean": self._means, "square": self._squares}
        return {f"{kind}_{name}": array for kind, arrays in named.items() for name, array in arrays.items()}

    def restore(self, state: dict[str, NDArray[np.float32]], steps: int) -> None:
        for name, array in self.state().items():
            array[...] = state[name]
        self.steps = steps

    def train(self, data: Source, lesson: Lesson) -> float:
        dice = np.random.default_rng(lesson.seed)
        total = 0.0
        with threadpool_limits(1):  # these products are too small to be shared
            for _ in range(lesson.steps):
                batch = data.take(dice.integers(0, data.size, min(lesson.size, data.size)))
                image = dice.integers(0, len(self._images) + 1)
                total += self._step(batch, None if image == 0 else self._images[image - 1], lesson.rate)
        return total / max(1, lesson.steps)

    def loss(self, data: Batch) -> float:
        parts = np.array_split(np.arange(data.size), max(1, data.size // 4096))
        with threadpool_limits(1):
            losses = [cross_entropy(self._expect(data.take(part)), data.targets[part]) * len(part) for part in parts]
        return sum(losses) / max(1, data.size)

    def _unpack(self, on: NDArray[np.uint8]) -> Floats:
        return np.unpackbits(on, axis=1, count=self._inputs).astype(np.float32)

    def _expect(self, batch: Batch) -> Floats:
        values = np.zeros(batch.size, np.float32)
        now = self._now
        for group in range(len(now.rows)):
            mine = np.flatnonzero(batch.groups == group)
            if len(mine):
                sums = self._unpack(batch.on[mine]) @ now.rows[group] + now.biases[group]
                squares = np.clip(sums, 0.0, 1.0) ** 2
                phase = batch.phases[mine]
                values[mine] = (squares * now.outputs[group][phase]).sum(axis=1) + now.offsets[group][phase]
        return values

    def _step(self, batch: Batch, image: NDArray[np.int64] | None, rate: float) -> float:
        now, loss = self._now, 0.0
        slopes = {name: np.zeros_like(array) for name, array in now.arrays().items()}
        for group in range(len(now.rows)):
            mine = np.flatnonzero(batch.groups == group) if len(now.rows) > 1 else np.arange(batch.size)
            if len(mine):
                part = batch.take(mine) if len(mine) < batch.size else batch
                loss += self._add_slopes(part, image, group, batch.size, slopes) * len(mine) / batch.size
        self._move(slopes, rate)
        return loss

    def _add_slopes(
        self, part: Batch, image: NDArray[np.int64] | None, group: int, whole: int, slopes: dict[str, Floats]
    ) -> float:
        """Add the gradients of one group's positions; their mean loss."""
        now = self._now
        on = self._unpack(part.on)
        if image is not None:
            on = on[:, image]
        sums = on @ now.rows[group]
        sums += now.biases[group]
        cut = np.clip(sums, 0.0, 1.0)
        squares = cut * cut
        weights = now.outputs[group][part.phases]
        values = np.einsum("ij,ij->i", squares, weights) + now.offsets[group][part.phases]
        error = ((sigmoid(values) - part.targets) / whole).astype(np.float32)
        squares *= error[:, None]
        for phase in range(now.outputs.shape[1]):
            mine = part.phases == phase
            slopes["outputs"][group, phase] = squares[mine].sum(axis=0)
            slopes["offsets"][group, phase] = error[mine].sum()
        cut *= 2.0 * error[:, None]
        cut *= weights
        cut *= sums < 1.0
        slopes["rows"][group] = on.T @ cut
        slopes["biases"][group] = cut.sum(axis=0)
        return cross_entropy(values, part.targets)

    def _move(self, slopes: dict[str, Floats], rate: float) -> None:
        self.steps += 1
        first, second = 1.0 - DECAY**self.steps, 1.0 - DECAY_OF_SQUARES**self.steps
        for name, array in self._now.arrays().items():
            mean, square, slope = self._means[name], self._squares[name], slopes[name]
            mean *= DECAY
            mean += (1.0 - DECAY) * slope
            square *= DECAY_OF_SQUARES
            square += (1.0 - DECAY_OF_SQUARES) * slope * slope
            np.subtract(array, rate * (mean / first) / (np.sqrt(square / second) + TINY), out=array)
        self._now.clip()

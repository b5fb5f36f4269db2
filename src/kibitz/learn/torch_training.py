"""Training with PyTorch on a graphics card: the same network, and the same steps.

Positions lie on the card. A step is captured as a CUDA graph: launching its parts one by one takes several
times as long.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadOption
from kibitz.core.extras import require
from kibitz.learn.parameters import LARGEST_OUTPUT, LARGEST_WEIGHT, NAMES, Parameters
from kibitz.learn.training import Batch, Lesson, Source

AT_ONCE = 1 << 21  # positions that are drawn from together
WARM_UP, LONG = 4, 64  # steps before a graph is captured, and steps for which that pays


def find_device(name: str) -> str:
    """The device of this name, refused in one line where there is none."""
    require("learn")
    import torch

    if name == "cuda" and not torch.cuda.is_available():
        raise BadOption("device is cuda, but no graphics card answers here, expected cpu")
    return name


class TorchTrainer:
    """The weights on a device, and Adam."""

    lesson = 1 << 18
    playing = 0.9
    batch = 4096

    def __init__(self, parameters: Parameters, images: tuple[NDArray[np.int64], ...], device: str) -> None:
        import torch

        self._torch: Any = torch
        self._device = device
        self._inputs = parameters.rows.shape[1]
        self._weights = {
            name: torch.nn.Parameter(torch.from_numpy(array.copy()).to(device))
            for name, array in parameters.arrays().items()
        }
        identity = np.arange(self._inputs)
        self._images = torch.from_numpy(np.stack([identity, *images])).to(device)
        self._rate = torch.tensor(1e-3, device=device)
        self._adam = torch.optim.Adam(list(self._weights.values()), lr=self._rate, fused=True, capturable=True)
        torch.backends.cuda.matmul.allow_tf32 = True
        self._shifts = torch.arange(7, -1, -1, device=device, dtype=torch.uint8)
        self.steps = 0

    def parameters(self) -> Parameters:
        return Parameters(**{name: array.detach().cpu().numpy() for name, array in self._weights.items()})

    def state(self) -> dict[str, NDArray[np.float32]]:
        found = {f"now_{name}": array.detach().cpu().numpy() for name, array in self._weights.items()}
        for name, array in self._weights.items():
            kept = self._adam.state.get(array, {})
            for kind, key in (("mean", "exp_avg"), ("square", "exp_avg_sq")):
                value = kept[key].cpu().numpy() if key in kept else np.zeros(tuple(array.shape), np.float32)
                found[f"{kind}_{name}"] = value
        return found

    def restore(self, state: dict[str, NDArray[np.float32]], steps: int) -> None:
        torch = self._torch
        self.steps = steps
        for name in NAMES:
            array = self._weights[name]
            array.data.copy_(torch.from_numpy(state[f"now_{name}"]))
            self._adam.state[array] = {
                "step": torch.tensor(float(steps), device=self._device),
                "exp_avg": torch.from_numpy(state[f"mean_{name}"]).to(self._device),
                "exp_avg_sq": torch.from_numpy(state[f"square_{name}"]).to(self._device),
            }

    def train(self, data: Source, lesson: Lesson) -> float:
        torch = self._torch
        dice = np.random.default_rng(lesson.seed)
        torch.manual_seed(int(dice.integers(1 << 31)))
        drawn = (
            dice.permutation(data.size)[:AT_ONCE] if data.size <= 2 * AT_ONCE else dice.integers(0, data.size, AT_ONCE)
        )
        here = self._on_device(data.take(drawn))
        size = min(lesson.size, len(drawn))
        self._rate.fill_(lesson.rate)
        total = torch.zeros((), device=self._device)
        step = self._captured(here, size, total) if lesson.steps >= LONG else None
        for _ in range(lesson.steps - (WARM_UP if step else 0)):
            if step is not None:
                step.replay()
            else:
                self._step(here, size, total)
        self.steps += lesson.steps
        return float(total) / max(1, lesson.steps)

    def _captured(self, here: tuple[Any, ...], size: int, total: Any) -> Any:
        torch = self._torch
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARM_UP):
                self._step(here, size, total)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        self._adam.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            self._step(here, size, total)
        return graph

    def _step(self, here: tuple[Any, ...], size: int, total: Any) -> None:
        torch = self._torch
        chosen = torch.randint(0, len(here[3]), (size,), device=self._device)
        on, groups, phases, targets = (part[chosen] for part in here)
        drawn = torch.randint(0, len(self._images), (1,), device=self._device)
        image = self._images.index_select(0, drawn)[0]  # a plain index would wait for the card
        loss = self._loss(on, groups, phases, targets, image)
        self._adam.zero_grad(set_to_none=True)
        loss.backward()
        self._adam.step()
        with torch.no_grad():
            self._weights["rows"].clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            self._weights["outputs"].clamp_(-LARGEST_OUTPUT, LARGEST_OUTPUT)
            total += loss.detach()

    def _loss(self, on: Any, groups: Any, phases: Any, targets: Any, image: Any) -> Any:
        torch, weights = self._torch, self._weights
        bits = ((on[:, :, None] >> self._shifts) & 1).reshape(len(on), -1)[:, : self._inputs].float()
        if image is not None:
            bits = bits.index_select(1, image)
        values = None
        for group in range(len(weights["rows"])):
            sums = bits @ weights["rows"][group] + weights["biases"][group]
            squares = sums.clamp(0.0, 1.0).square()
            each = squares @ weights["outputs"][group].t() + weights["offsets"][group]
            found = each.gather(1, phases[:, None])[:, 0]
            values = found if values is None else torch.where(groups == group, found, values)
        return torch.nn.functional.binary_cross_entropy_with_logits(values, targets)

    def _on_device(self, batch: Batch) -> tuple[Any, ...]:
        torch = self._torch
        on, groups, phases, targets = (torch.from_numpy(np.ascontiguousarray(part)).to(self._device) for part in batch)
        return on, groups, phases.long(), targets

    def loss(self, data: Batch) -> float:
        total = 0.0
        with self._torch.no_grad():
            for part in np.array_split(np.arange(data.size), max(1, data.size // 65536)):
                on, groups, phases, targets = self._on_device(data.take(part))
                total += float(self._loss(on, groups, phases, targets, None)) * len(part)
        return total / max(1, data.size)

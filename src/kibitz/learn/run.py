"""Learning from nothing: play against itself, train on what came of it, again and again; then train to the end.

A run lives in a folder. After every lesson its state is written in one step, so that a run that was stopped at any
instant goes on from there. What a lesson does follows from the state, the seed and the lesson's number alone: with one
job and a number of positions, a run that was stopped ends with the same net as one that was not.
"""

import hashlib
import io
import json
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

import kibitz
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.game import Game
from kibitz.core.input_file import read_bytes
from kibitz.core.network import Network
from kibitz.core.output_file import write_file
from kibitz.games import catalog
from kibitz.learn.inputs import CannotLearn, Inputs, Kind, find_inputs, pack_inputs, unpack_inputs
from kibitz.learn.parameters import first_parameters
from kibitz.learn.quantisation import quantise
from kibitz.learn.self_play import Chunk, Setting, Task
from kibitz.learn.store import Positions, read_chunk, write_chunk
from kibitz.learn.team import Players, gather_players
from kibitz.learn.training import Batch, Lesson, NumpyTrainer, Trainer
from kibitz.nets.file import DAMAGE, LARGEST, Net
from kibitz.tables.file.identity import name_of, rules_hash

CHUNK = 4096  # positions of one stretch of self-play
HELD_OUT, FIRST_HELD_OUT = 20, 2  # one stretch of so many is never trained on, and which is the first
REUSE = 8  # how often a new position is trained on, about
EPOCHS = 5  # how often the latest positions are trained on in the end
LEAST_STEPS = 3_000  # of that
RATE = 2e-3
SHALLOW = 0.1  # so long searches look one turn ahead
EXPLORE = 0.08
GLANCE = 0.5  # seconds between two looks for Ctrl-C, which does not always end a wait
LEAST_SECONDS = 20.0

Device = Literal["cpu", "cuda"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a user asks for."""

    game: str
    minutes: float | None = None
    positions: int | None = None
    jobs: int = 1
    units: int = 64
    inputs: Kind = "bits"
    heuristic: str = ""  # whose features are inputs
    depth: int = 2
    seed: int = 1
    device: Device = "cpu"
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.minutes is not None and not math.isfinite(self.minutes):
            raise BadOption(f"minutes is {self.minutes}, expected a number")
        if self.minutes is not None and self.minutes * 60 < LEAST_SECONDS:
            raise BadOption(f"{self.minutes * 60:g} seconds are too few to learn anything, expected {LEAST_SECONDS:g}")
        if self.positions is not None and self.positions < 4 * CHUNK:
            raise BadOption(f"{self.positions} positions are too few to learn anything, expected {4 * CHUNK} or more")
        if not 8 <= self.units <= 1024 or self.units % 8:
            raise BadOption(f"units is {self.units}, expected a multiple of 8 from 8 to 1024")
        if not 1 <= self.depth <= 6:
            raise BadOption(f"depth is {self.depth}, expected 1 to 6")

    def key(self, game: Game) -> str:
        """The same for commands that go on with one run: how long it lasts and on how many cores does not count."""
        parts = (rules_hash(game), self.units, self.inputs, self.heuristic, self.depth, self.seed)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


@dataclass
class State:
    """How far a run has come."""

    chunks: int = 0
    submitted: int = 0
    positions: int = 0
    games: int = 0
    nodes: int = 0
    long_games: int = 0
    lessons: int = 0
    fitted: int = 0  # lessons of the last part
    fitting: bool = False
    steps: int = 0
    seconds: float = 0.0
    loss: float = math.nan
    held_out: float = math.nan


@dataclass(frozen=True)
class Progress:
    """What a watcher is shown."""

    state: State
    share: float  # of the whole run
    depth: int
    seconds_left: float | None


Watcher = Callable[[Progress, "Learning"], None]


@dataclass
class Learning:
    """One run."""

    settings: Settings
    game: Game
    folder: Path
    inputs: Inputs
    trainer: Trainer
    state: State = field(default_factory=State)

    def __post_init__(self) -> None:
        self.positions = Positions(-(-self.inputs.size // 8))
        self.held_out: deque[Batch] = deque(maxlen=16)
        self.network = self._quantised()
        self._began = time.monotonic() - self.state.seconds
        self._untrained = 0

    @property
    def share(self) -> float:
        """How much of the run is done."""
        if self.settings.positions is not None:
            return min(1.0, self.state.positions / self.settings.positions)
        assert self.settings.minutes is not None
        return min(1.0, self.seconds / (60.0 * self.settings.minutes))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def depth(self) -> int:
        return 1 if self.share < SHALLOW else self.settings.depth

    def _quantised(self) -> Network:
        return quantise(self.trainer.parameters(), self.inputs)

    # Playing.

    def play(self, players: Players, watch: Watcher) -> None:
        """Play and train until it is time for the last part."""
        ahead = players.seats if players.seats == 1 else 2 * players.seats
        running: set[Future[Chunk]] = set()
        while not self._played_enough():
            while len(running) < ahead:
                running.add(players.submit(self.network, self._next_task()))
            done, running = wait(running, GLANCE, FIRST_COMPLETED)
            for future in done:
                self._take(future.result())
            if self._untrained >= self.trainer.lesson:
                self._learn()
                watch(self.progress(), self)
        for future in running:
            future.cancel()
        self.state.fitting = True
        self.save()

    def _played_enough(self) -> bool:
        done = self.share >= (1.0 if self.settings.positions is not None else self.trainer.playing)
        return self.state.fitting or (done and self.positions.total > 0)

    def _next_task(self) -> Task:
        number = self.state.submitted
        self.state.submitted += 1
        trace = 0.95 - 0.25 * self.share
        return Task(CHUNK, self.depth, self.inputs.opening, EXPLORE, trace, (self.settings.seed, 1, number))

    def _take(self, chunk: Chunk) -> None:
        state = self.state
        if chunk.data.size == 0 or chunk.long_games > 0.9 * chunk.games + 2:
            raise CannotLearn(f"{self.game.text}: games do not end, so nothing can be learned")
        write_chunk(self._chunk_path(state.chunks), chunk.data)
        self._keep(state.chunks, chunk.data)
        state.chunks += 1
        state.positions += chunk.data.size
        state.games += chunk.games
        state.nodes += chunk.nodes
        state.long_games += chunk.long_games
        self._untrained += chunk.data.size

    def _keep(self, number: int, data: Batch) -> None:
        if number % HELD_OUT == FIRST_HELD_OUT:
            self.held_out.append(data)
        else:
            self.positions.add(data)

    def _learn(self) -> None:
        """One lesson, after which the games are played by the network that learned."""
        state, trainer = self.state, self.trainer
        state.lessons += 1
        new = min(self._untrained, 2 * trainer.lesson)  # where training cannot keep up, it does not hold up the players
        steps = max(1, REUSE * new // trainer.batch)
        lesson = Lesson(steps, trainer.batch, RATE, [self.settings.seed, 2, state.lessons])
        state.loss = trainer.train(self.positions.latest(), lesson)
        self._untrained = 0
        self._judge()
        self.network = self._quantised()
        self.save()

    def _judge(self) -> None:
        if self.held_out:
            joined = Batch(*(np.concatenate(parts) for parts in zip(*self.held_out, strict=True)))
            self.state.held_out = self.trainer.loss(joined)

    # The last part.

    def fit(self, watch: Watcher) -> None:
        """Train on the latest positions, ever more slowly, until the time is over or all were seen often enough."""
        state, trainer = self.state, self.trainer
        window = self.positions.latest(0.75)
        whole = max(LEAST_STEPS, EPOCHS * window.size // trainer.batch)
        steps = max(8, min(4 * trainer.lesson * REUSE // trainer.batch, whole // 32))
        wanted = -(-whole // steps)
        began = trainer.playing
        while True:
            if self.settings.positions is not None:
                done = state.fitted / wanted
            else:
                done = (self.share - began) / (1.0 - began)
            if done >= 1.0:
                break
            rate = RATE * (0.5 + 0.5 * math.cos(math.pi * done)) + 1e-6
            state.fitted += 1
            state.loss = trainer.train(
                window, Lesson(steps, trainer.batch, rate, [self.settings.seed, 3, state.fitted])
            )
            if state.fitted % 4 == 0:
                self._judge()
                self.save()
                watch(self.progress(), self)
        self._judge()
        self.network = self._quantised()
        self.save()

    def progress(self) -> Progress:
        left = None
        if self.settings.minutes is not None:
            left = max(0.0, 60.0 * self.settings.minutes - self.seconds)
        elif self.share > 0:
            left = self.seconds * (1.0 - self.share) / self.share
        return Progress(self.state, self.share, self.depth, left)

    # On disk.

    def _chunk_path(self, number: int) -> Path:
        return self.folder / f"{number:07}.chunk"

    def save(self) -> None:
        """Write the state down; positions that are too old to be learned from are forgotten."""
        self.state.seconds = self.seconds
        self.state.steps = self.trainer.steps
        facts = {"kibitz": kibitz.__version__, **vars(self.state)}
        buffer = io.BytesIO()
        text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        np.savez(buffer, facts=text, **self.trainer.state())  # type: ignore[arg-type]
        write_file(self.folder / "state", buffer.getvalue())
        oldest = self.state.chunks - int(self.positions.latest(0.75).size / CHUNK * 1.5) - HELD_OUT * 16
        forgotten = self.folder / f"{oldest - 1:07}.chunk"
        while oldest > 0 and forgotten.exists():
            forgotten.unlink()
            oldest -= 1
            forgotten = self.folder / f"{oldest - 1:07}.chunk"

    def load(self) -> None:
        """Go on from what is on disk."""
        try:
            self._read_state()
        except DAMAGE:
            raise KibitzError(f"what was learned so far in '{self.folder}' is damaged; move it away") from None
        self.network = self._quantised()
        self._began = time.monotonic() - self.state.seconds

    def _read_state(self) -> None:
        with np.load(self.folder / "state", allow_pickle=False) as parts:
            facts = json.loads(parts["facts"].tobytes())
            self.state = State(**{name: facts[name] for name in vars(State())})
            self.trainer.restore({name: parts[name] for name in parts.files if name != "facts"}, self.state.steps)
        for number in range(self.state.chunks):
            path = self._chunk_path(number)
            if path.exists():
                self._keep(number, read_chunk(path))

    def net(self) -> Net:
        """What was learned."""
        settings, state = self.settings, self.state
        facts: dict[str, Any] = {
            "kibitz": kibitz.__version__,
            "command": command_of(settings, self.game),
            "seed": settings.seed,
            "positions": state.positions,
            "games": state.games,
            "steps": state.steps,
            "depth": settings.depth,
            "inputs": settings.inputs,
            "held_out_loss": None if math.isnan(state.held_out) else round(state.held_out, 4),
        }
        if settings.minutes is not None:
            facts |= {"minutes": round(self.seconds / 60, 1), "jobs": settings.jobs, "device": settings.device}
        uses = self.inputs.base.name if self.inputs.shape.features else ""
        return Net(
            network=self.network, game=name_of(self.game), rules=rules_hash(self.game), heuristic=uses, provenance=facts
        )


def command_of(settings: Settings, game: Game) -> str:
    """The command that asks for this run."""
    words = [f"kibitz learn {name_of(game)}"]
    words += [
        f"--positions {settings.positions}" if settings.positions is not None else f"--minutes {settings.minutes:g}"
    ]
    for name, usual in (
        ("units", 64),
        ("inputs", "bits"),
        ("heuristic", ""),
        ("depth", 2),
        ("seed", 1),
        ("device", "cpu"),
    ):
        if getattr(settings, name) != usual:
            words.append(f"--{name} {getattr(settings, name)}")
    if settings.positions is None or settings.jobs != 1:
        words.append(f"--jobs {settings.jobs}")
    return " ".join(words)


def learn(settings: Settings, folder: Path, watch: Watcher) -> tuple[Net, Learning]:
    """Run to the end, or go on with a run that was stopped; the folder is the run's own."""
    game = catalog.load(settings.game)
    learning = _begin(settings, game, folder)
    if (folder / "state").exists():
        _resume(learning)
    if not learning.state.fitting:
        setting = Setting(settings.game, pack_inputs(learning.inputs))
        with gather_players(setting, settings.jobs, settings.cluster) as players:
            learning.play(players, watch)
    if learning.positions.total < 2 * learning.trainer.batch:
        raise CannotLearn(
            f"{game.text}: {learning.positions.total} positions are too few to say anything, expected more time"
        )
    learning.fit(watch)
    return learning.net(), learning


def _begin(settings: Settings, game: Game, folder: Path) -> Learning:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{folder}': {problem.strerror}") from None
    kept = folder / "inputs"
    if kept.exists():
        try:
            inputs = unpack_inputs(game, read_bytes(kept, LARGEST))
        except DAMAGE:
            raise KibitzError(f"'{kept}' is damaged; move its folder away to begin anew") from None
    else:
        inputs = find_inputs(game, settings.inputs, settings.units, settings.heuristic, settings.seed)
        write_file(kept, pack_inputs(inputs))
    first = first_parameters(max(inputs.groups) + 1, inputs.size, settings.units, inputs.phase_count, settings.seed)
    return Learning(settings, game, folder, inputs, _trainer(settings, first, inputs))


def _trainer(settings: Settings, first: Any, inputs: Inputs) -> Trainer:
    if settings.device == "cuda":
        from kibitz.learn.torch_training import TorchTrainer

        return TorchTrainer(first, inputs.images, settings.device)
    return NumpyTrainer(first, inputs.images)


def _resume(learning: Learning) -> None:
    try:
        learning.load()
    except (OSError, ValueError, KeyError, EOFError) as problem:
        raise KibitzError(
            f"the run in '{learning.folder}' cannot be gone on with ({type(problem).__name__}); remove it to begin anew"
        ) from None

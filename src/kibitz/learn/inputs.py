"""Which inputs a network has: derived from a game's state, from a heuristic's features, or from both.

Every bit of an integer field is an input, every value of an array's cell, and every range of a feature's values. Random
games show which of them ever change; the others are dropped. A symmetry of the game that merely exchanges inputs is
found by comparing positions with their images: one that swaps the sides lets both be seen as the side to move sees
them, the others multiply what is learned from.
"""

import io
import json
import random
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz import heuristics
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.network import Network, Shape, count_numbers
from kibitz.core.result import CHANCE, FIRST, SECOND
from kibitz.core.rulebook import asks, call_rule
from kibitz.core.seam import specialise
from kibitz.core.seam.words import state_of, words_of
from kibitz.learn.self_play_kernel import MOST_LEVEL, PLAN, Memory, encode, play_randomly
from kibitz.nets.choice import with_network

Kind = Literal["bits", "features", "both"]
SAMPLES = 40_000  # random positions that show which inputs there are
FEW = 3_000  # of them of which every value is looked at in Python
MOST_VALUES = 16  # of a cell or a feature that become inputs of their own; more are put together
PHASES = 4
LONGEST = 1_000  # moves of a random game
MOST_OPENING = 12  # random turns with which games begin
SHORT = 2  # an opening is not longer than this part of a random game

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]


class CannotLearn(KibitzError):
    """A game from which nothing can be learned this way."""


class Sample(NamedTuple):
    """Positions of random games."""

    words: Integers
    sides: Integers
    grows: bool  # does the size of a state change?
    opening: int


@dataclass(frozen=True, eq=False)
class Inputs:
    """The inputs of a game's network. `columns[view, number]` is the place of an input as the side to move sees it, -1
    where it was dropped. Views of one group share all weights.
    """

    game: Game
    base: Heuristic  # whose features are inputs, and whose tactical moves are followed
    shape: Shape  # with as many units as will be learned
    levels: tuple[tuple[int, ...], ...]
    columns: Integers  # views x numbers
    groups: tuple[int, ...]  # of each view
    images: tuple[Integers, ...]  # other orders of the columns that are worth the same
    phases: Integers  # by how many inputs are on
    opening: int  # random turns with which games begin, at most

    @property
    def size(self) -> int:
        """How many inputs there are."""
        return int(self.columns.max()) + 1

    @property
    def phase_count(self) -> int:
        return int(self.phases.max()) + 1


def find_inputs(game: Game, kind: Kind, units: int, heuristic: str = "", seed: int = 1) -> Inputs:
    """Look at random games and see what there is to look at."""
    base = heuristics.find(game.rulebook, heuristic or None)
    if kind != "bits" and base.features is None:
        raise BadOption(f"{game.text} has no heuristic with features, expected --inputs bits")
    sample = random_sample(game, seed)
    if sample.grows and kind != "features":
        raise CannotLearn(f"{game.text}: the arrays of its state have no fixed size, expected --inputs features")
    views = 3 if game.rulebook.outcomes is not None else 2
    if sample.grows:
        return _derive_from_features(game, base, units, views, _python_sample(game, seed), MOST_OPENING // 2)
    states = [state_of(game.rulebook, words, 0) for words in sample.words[:: max(1, len(sample.words) // FEW)]]
    return _derive(game, base, *_shape(game, base, kind, units, states), views, sample)


def random_sample(game: Game, seed: int) -> Sample:
    """Positions of random games; a game that does not end within its limit is refused."""
    start = game.new().state
    memory = new_memory(game, np.zeros(1), positions=SAMPLES, width=len(words_of(start)))
    plan = memory.plan[0]
    plan.wanted, plan.most_moves, plan.random = SAMPLES, LONGEST, seed * 7919 % 2147483646 + 1
    written = int(specialise(game.rulebook, play_randomly)(start, game.rules, memory))
    if 0 < plan.games <= plan.long_games:
        raise CannotLearn(f"{game.text}: random games do not end within {LONGEST} moves, so nothing can be learned")
    opening = written // max(1, int(plan.games)) // SHORT
    return Sample(memory.words[:written], memory.sides[:written], bool(plan.grows), min(opening, MOST_OPENING))


def _python_sample(game: Game, seed: int) -> list[Any]:
    """States of random games whose size changes."""
    dice = random.Random(seed)
    states: list[Any] = []
    here = game.new()
    while len(states) < FEW:
        if here.over:
            here = game.new()
        states.append(here.state)
        here = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
    return states


def new_memory(
    game: Game, weights: NDArray[Any], *, positions: int, width: int = 0, inputs: int = 0, codes: int = 0
) -> Memory:
    """Room for so many positions."""
    room = (MOST_LEVEL + 3) * game.max_moves
    plan: Any = np.zeros(1, PLAN).view(np.recarray)
    plan.repetition = game.rulebook.repetition
    return Memory(
        plan=plan,
        moves=np.zeros(room, np.int64),
        ranks=np.zeros(room, np.float64),
        odds=np.zeros(room, np.float64),
        weights=weights,
        keys=np.zeros(LONGEST + 2, np.uint64),
        words=np.zeros((positions + 1 if width else 0, width), np.int64),
        on=np.zeros((positions + 1 if inputs else 0, inputs), np.uint8),
        columns=np.zeros((3, 1), np.int64),
        codes=np.zeros(codes, np.int64),
        counts=np.zeros(positions + 1, np.int64),
        values=np.zeros(positions + 1, np.float64),
        flags=np.zeros(positions + 1, np.int64),
        sides=np.zeros(positions + 1, np.int64),
    )


def _shape(
    game: Game, base: Heuristic, kind: Kind, units: int, states: list[Any]
) -> tuple[Shape, tuple[tuple[int, ...], ...]]:
    numbers: list[str] = []
    arrays: list[tuple[str, int]] = []
    levels: list[tuple[int, ...]] = []
    for field in game.rulebook.state_fields if kind != "features" else ():
        if field.array:
            arrays.append((field.name, getattr(states[0], field.name).size))
            levels.append(_levels(np.concatenate([getattr(state, field.name) for state in states])))
        elif field.dtype.kind in "iub":
            numbers.append(field.name)
    counted = 0
    if kind != "bits":
        rows = np.array([_features(base, game, state) for state in states], np.float64)
        counted = rows.shape[1]
        levels += [_levels(rows[:, index]) for index in range(counted)]
    return Shape(units, tuple(numbers), tuple(arrays), counted), tuple(levels)


def _features(base: Heuristic, game: Game, state: Any) -> tuple[float, ...]:
    assert base.features is not None
    given = (state, FIRST) if asks(base.features, "me") else (state,)
    found: tuple[float, ...] = call_rule(base.features, game.rules, *given)
    return found


def _derive_from_features(
    game: Game, base: Heuristic, units: int, views: int, states: list[Any], opening: int
) -> Inputs:
    """The inputs where states change their size: every range of every feature, each side with weights of its own."""
    shape, levels = _shape(game, base, "features", units, states)
    count = count_numbers(shape, levels) + 1
    columns = np.repeat(np.arange(count)[None], views, axis=0)
    columns[:, -1] = -1
    return Inputs(game, base, shape, levels, columns, tuple(range(views)), (), np.zeros(1, np.int64), opening)


def _levels(values: NDArray[Any]) -> tuple[int, ...]:
    """Where ranges begin: at each value but the lowest, or where there are many, so that all are about as common."""
    distinct = np.unique(np.floor(values))
    if len(distinct) > MOST_VALUES:
        shares = np.quantile(np.floor(values), np.linspace(0.0, 1.0, MOST_VALUES + 1)[1:-1])
        distinct = np.unique(np.concatenate([distinct[:1], np.ceil(shares), [0.0, 1.0]]))
    return tuple(int(value) for value in distinct[1:])


def _blank(shape: Shape, levels: tuple[tuple[int, ...], ...], views: int) -> Network:
    """A network whose every input counts for nothing."""
    maps = np.ones((views, count_numbers(shape, levels) + 1), np.int16)
    maps[:, -1] = 0
    return Network(
        shape,
        levels,
        maps=maps,
        rows=np.zeros((2, shape.units), np.int16),
        biases=np.zeros((views, shape.units), np.int16),
        outputs=np.zeros((views, 1, shape.units), np.int16),
        offsets=np.zeros((views, 1), np.int64),
        phases=np.zeros(1, np.int16),
        unit_bits=8,
        output_bits=8,
    )


def _encode(
    game: Game, blank: Heuristic, words: Integers, symmetry: int, weights: Integers, columns: Integers, on: Bytes
) -> None:
    assert blank.network is not None
    codes = np.zeros(blank.network.most_active + 4, np.int64)
    run = specialise(game.rulebook, encode, blank)
    run(game.new().state, game.rules, words, symmetry, weights, codes, columns, on)


def _derive(
    game: Game, base: Heuristic, shape: Shape, levels: tuple[tuple[int, ...], ...], views: int, sample: Sample
) -> Inputs:
    network = _blank(shape._replace(units=8), levels, views)  # however many will be learned, this is compiled once
    blank, weights = with_network(base, network), network.weight_array()
    count = count_numbers(shape, levels) + 1
    plain = np.repeat(np.arange(count)[None], views, axis=0)

    def seen(symmetry: int) -> Bytes:
        on = np.zeros((len(sample.words), count), np.uint8)
        _encode(game, blank, sample.words, symmetry, weights, plain, on)
        return on

    own = seen(-1)
    images = [(symmetry, seen(number)) for number, symmetry in enumerate(game.symmetries)] if _has_images(game) else []
    stack = [own, *(on for _, on in images)]
    ever, always = np.any([on.any(axis=0) for on in stack], axis=0), np.all([on.all(axis=0) for on in stack], axis=0)
    kept = np.flatnonzero(ever & ~always & _depends_on_more_than_the_side(own, sample.sides))
    orders = [(symmetry, match_columns(own, on, kept)) for symmetry, on in images]
    swap = next((order for symmetry, order in orders if symmetry.swaps and order is not None), None)
    columns = np.full((views, count), -1, np.int64)
    columns[:, kept] = np.arange(len(kept))
    groups = list(range(views))
    if swap is not None:
        columns[SECOND, kept] = swap
        groups = [0, 0, 1][:views]
    active = own[:, kept].sum(axis=1)
    return Inputs(
        game=game,
        base=base,
        shape=shape,
        levels=levels,
        columns=columns,
        groups=tuple(groups),
        images=tuple(order for symmetry, order in orders if not symmetry.swaps and order is not None),
        phases=_phases(active, network.most_active),
        opening=sample.opening,
    )


def _has_images(game: Game) -> bool:
    return game.rulebook.transform is not None and bool(game.symmetries)


def _depends_on_more_than_the_side(on: Bytes, sides: Integers) -> NDArray[np.bool_]:
    """Inputs that merely say whose turn it is are left out: each view has its own weights."""
    first, second = on[sides == FIRST], on[sides == SECOND]
    if not len(first) or not len(second):
        return np.ones(on.shape[1], np.bool_)
    changing: NDArray[np.bool_] = (first.any(axis=0) & ~first.all(axis=0)) | (second.any(axis=0) & ~second.all(axis=0))
    return changing


def match_columns(own: Bytes, image: Bytes, kept: Integers) -> Integers | None:
    """For each kept input the place of the one that takes its part in the image; None where there is none."""
    places: dict[bytes, list[int]] = {}
    for place, column in enumerate(kept):
        places.setdefault(np.packbits(image[:, column]).tobytes(), []).append(place)
    order = np.zeros(len(kept), np.int64)
    for place, column in enumerate(kept):
        found = places.get(np.packbits(own[:, column]).tobytes())
        if not found:
            return None
        order[place] = found.pop(0)
    return order


def _phases(active: Integers, most: int) -> Integers:
    """Which outputs serve by how many inputs are on, in equal steps over what random games show."""
    low, high = int(active.min()) // 2, int(active.max())  # play that is not random goes on for longer
    if high - low < 2 * PHASES:
        return np.zeros(1, np.int64)
    counts = np.arange(min(high, most) + 1)
    return np.clip((counts - low) * PHASES // (high - low + 1), 0, PHASES - 1)


# As bytes, for workers and for runs that go on later.


def pack_inputs(inputs: Inputs) -> bytes:
    """All that was derived, without the game."""
    facts = {
        "heuristic": inputs.base.name,
        "shape": inputs.shape,
        "levels": inputs.levels,
        "groups": inputs.groups,
        "images": len(inputs.images),
        "opening": inputs.opening,
    }
    buffer = io.BytesIO()
    images = {f"image{number}": order for number, order in enumerate(inputs.images)}
    text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    np.savez(buffer, facts=text, columns=inputs.columns, phases=inputs.phases, **images)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack_inputs(game: Game, content: bytes) -> Inputs:
    """What `pack_inputs` wrote."""
    with np.load(io.BytesIO(content), allow_pickle=False) as parts:
        facts = json.loads(parts["facts"].tobytes())
        units, numbers, arrays, features = facts["shape"]
        return Inputs(
            game=game,
            base=heuristics.find(game.rulebook, facts["heuristic"]),
            shape=Shape(units, tuple(numbers), tuple((name, size) for name, size in arrays), features),
            levels=tuple(map(tuple, facts["levels"])),
            columns=parts["columns"],
            groups=tuple(facts["groups"]),
            images=tuple(parts[f"image{number}"] for number in range(facts["images"])),
            phases=parts["phases"],
            opening=facts["opening"],
        )

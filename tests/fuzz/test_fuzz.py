"""Bad inputs are refused in one line: a few of every kind by a fixed seed, and every one that was a fault once."""

import random
from pathlib import Path

import pytest

from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

INPUTS = 60  # of each kind; `make fuzz` tries many more
NAMES = [target.name for target in TARGETS]


@pytest.mark.parametrize("target", TARGETS, ids=NAMES)
def test_a_bad_input_is_refused_in_one_line(target: Target) -> None:
    dice = random.Random(f"{target.name} 1")
    for _ in range(INPUTS):
        target.try_input(target.draw(dice))


@pytest.mark.parametrize("target", TARGETS, ids=NAMES)
def test_the_grammar_starts_from_inputs_that_are_good(target: Target) -> None:
    for seed in target.seeds:
        target.read(seed)


@pytest.mark.parametrize(
    ("target", "path"),
    [pytest.param(target, path, id=f"{target.name}-{path.name}") for target in TARGETS for path in target.regressions],
)
def test_what_was_a_fault_is_none_any_more(target: Target, path: Path) -> None:
    target.try_input(path.read_bytes())

"""Modules in a second engine, wasmtime: they import nothing, and give the same answers."""

import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("wasmtime")

import wasmtime

from kibitz.core.result import ONGOING
from kibitz.core.seam.wasm import ENVIRONMENT
from kibitz.core.seam.wasm.target import emit
from kibitz.core.seam.words import words_of
from kibitz.export.kernels import RESULT, TURN
from kibitz.games import catalog
from tests.export.parity import random_game
from tests.export.wasmtime_module import WasmtimeModule

ROOT = Path(__file__).parents[2]
GAME = catalog.load("checkers:5x5")
CHURN = """
declare ptr @NRT_MemInfo_alloc_safe_aligned(i64, i32)
declare void @NRT_decref(ptr)
define i32 @churn(ptr %arguments) {
entry:
  %count = load i64, ptr %arguments
  br label %loop
loop:
  %done = phi i64 [ 0, %entry ], [ %more, %loop ]
  %size = and i64 %done, 1023
  %info = call ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 32)
  store volatile i64 1, ptr %info
  call void @NRT_decref(ptr %info)
  %more = add i64 %done, 1
  %over = icmp uge i64 %more, %count
  br i1 %over, label %out, label %loop
out:
  ret i32 0
}
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> WasmtimeModule:
    """The rules of a game that allocates several arrays for its moves, and frees them."""
    out = tmp_path_factory.mktemp("rules") / "rules.wasm"
    command = [sys.executable, "-m", "tests.export.rules_module", str(out), GAME.text]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **ENVIRONMENT})
    return WasmtimeModule(out.read_bytes(), GAME)


def test_a_module_plays_random_games_as_python_does(rules: WasmtimeModule) -> None:
    dice, sizes = random.Random(9), set()
    for position in [each for _ in range(3) for each in random_game(GAME, dice, 120)]:
        facts = rules.facts(position.state)
        assert facts[TURN] == position.turn
        assert facts[RESULT] == (ONGOING if position.result is None else position.result)
        if not position.over:
            assert rules.moves(position.state) == list(position.move_ids)
            move = dice.choice(position.move_ids)
            assert rules.play(position.state, move) == words_of(GAME.play(position.state, move)).tolist()
        sizes.add(rules.size)
    assert len(sizes) == 1


def test_freed_memory_is_used_again() -> None:
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, emit([CHURN], ["churn"], wide=False))
    assert not module.imports
    exports = wasmtime.Instance(store, module, []).exports(store)
    memory, place = exports["memory"], exports["reserve"](store, 8)
    sizes = []
    for count in (2000, 2_000_000):
        memory.write(store, count.to_bytes(8, "little"), place)
        assert exports["churn"](store, place) == 0
        sizes.append(memory.data_len(store))
    assert sizes[0] == sizes[1]


def test_memory_that_a_caller_reserves_is_empty_and_its_own() -> None:
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, emit([CHURN], ["churn"], wide=False))
    exports = wasmtime.Instance(store, module, []).exports(store)
    places = [exports["reserve"](store, size) for size in (1, 100_000, 64, 0, 8)]
    assert all(place % 64 == 0 for place in places)
    assert [later - place for place, later in pairwise(places)][:3] == [64, 100_032, 64]
    assert not any(exports["memory"].read(store, places[0], places[-1]))

"""Modules in a second engine, wasmtime: they import nothing, and give the same answers."""

import random
from itertools import pairwise

import pytest

pytest.importorskip("wasmtime")

import wasmtime

from kibitz import heuristics
from kibitz.core.result import CHANCE, ONGOING
from kibitz.core.seam.wasm.target import emit
from kibitz.core.seam.words import words_of
from kibitz.export.kernels import RESULT, TURN
from kibitz.export.module import build_module
from kibitz.games import catalog
from tests.export.parity import random_game
from tests.export.wasmtime_module import WasmtimeModule

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


def test_a_module_plays_random_games_as_python_does() -> None:
    game = catalog.load("einstein")
    module = WasmtimeModule(build_module(game, heuristics.find(game)), game)
    dice = random.Random(9)
    before = module.size
    for position in [each for _ in range(20) for each in random_game(game, dice, 100)]:
        facts = module.facts(position.state)
        assert facts[TURN] == position.turn
        assert facts[RESULT] == (ONGOING if position.result is None else position.result)
        if position.turn != CHANCE and not position.over:
            assert module.moves(position.state) == list(position.move_ids)
            move = dice.choice(position.move_ids)
            assert module.play(position.state, move) == words_of(game.play(position.state, move)).tolist()
    assert module.size == before


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

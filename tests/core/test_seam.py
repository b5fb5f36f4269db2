"""The seam keeps what it promises: compiled equals interpreted, nothing stale, nothing broken, nothing leaked."""

import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz import games
from kibitz.core.errors import RulesError, TooManyMoves
from kibitz.core.seam import compiler, interpreting, specialise
from kibitz.core.seam.compiled_game import step
from kibitz.core.seam.control import STOP, new_control, run_stoppable
from kibitz.search.perft import count_lines, perft
from tests.core.stones import STONES, edited

pytestmark = pytest.mark.skipif(interpreting(), reason="these tests are about compiled code")

COUNT = "from kibitz import games; from kibitz.search.perft import perft; print(perft(games.load({!r}).new(), {}))"


def count_in_new_process(
    rules: Path, cache: Path, depth: int = 4, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", COUNT.format(str(rules), depth)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "KIBITZ_CACHE": str(cache), **environment},
    )


def modules_in(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.glob("*.py"))


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    path = tmp_path / "elsewhere" / "stones.py"
    path.write_text(STONES)
    return path


def test_the_second_process_loads_what_the_first_compiled(rules: Path, tmp_path: Path) -> None:
    first = count_in_new_process(rules, tmp_path / "cache")
    second = count_in_new_process(rules, tmp_path / "cache")
    assert (first.stdout, second.stdout) == ("66\n", "66\n"), first.stderr + second.stderr
    assert "compiling Stones" in first.stderr
    assert second.stderr == ""


def test_an_edited_game_runs_with_its_new_rules_in_every_later_process(rules: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert count_in_new_process(rules, cache).stdout == "66\n"
    rules.write_text(edited(("MOST = 3", "MOST = 2")))
    for _ in range(3):
        later = count_in_new_process(rules, cache)
        assert (later.stdout, later.returncode) == ("16\n", 0), later.stderr
    assert len(modules_in(cache)) == 2


def test_an_edit_is_noticed_within_one_process(rules: Path) -> None:
    assert perft(games.load(str(rules)).new(), 1) == 3
    rules.write_text(edited(("MOST = 3", "MOST = 12")))
    with pytest.raises(RulesError, match="more than"):
        perft(games.load(str(rules)).new(), 1, bulk=False)


def test_a_comment_or_a_docstring_does_not_void_the_cache(rules: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    count_in_new_process(rules, cache)
    before = modules_in(cache)
    rules.write_text(
        edited(("def moves", "# a remark\n\n\ndef moves"), ("    for stones", '    """Take some."""\n    for stones'))
    )
    again = count_in_new_process(rules, cache)
    assert (again.stdout, again.stderr) == ("66\n", "")
    assert modules_in(cache) == before


def test_a_helper_in_another_file_is_part_of_the_hash(rules: Path, tmp_path: Path) -> None:
    helper = rules.parent / "helping_hand.py"
    helper.write_text("def most(heap):\n    return min(3, heap)\n")
    rules.write_text(
        edited(
            ("min(MOST, state.heap)", "helping_hand.most(state.heap)"),
            ("import numpy", "import helping_hand\nimport numpy"),
        )
    )
    path = str(rules.parent)
    assert count_in_new_process(rules, tmp_path / "cache", PYTHONPATH=path).stdout == "66\n"
    helper.write_text("def most(heap):\n    return min(2, heap)\n")
    changed = count_in_new_process(rules, tmp_path / "cache", PYTHONPATH=path)
    assert changed.stdout == "16\n", changed.stderr


def test_processes_that_compile_at_once_do_not_break_each_other(rules: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    command = [sys.executable, "-c", COUNT.format(str(rules), 4)]
    environment = {**os.environ, "KIBITZ_CACHE": str(cache)}
    pipe = subprocess.PIPE
    crowd = [subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) for _ in range(3)]
    answers = [process.communicate() for process in crowd]
    assert [out for out, _ in answers] == ["66\n"] * 3, answers
    assert sum("compiling" in err for _, err in answers) == 1


def test_a_damaged_cache_file_is_replaced(rules: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    count_in_new_process(rules, cache)
    for kept in (cache / "__pycache__").glob("*.nb?"):
        kept.write_bytes(kept.read_bytes()[:50])
    assert count_in_new_process(rules, cache).stdout == "66\n"
    assert count_in_new_process(rules, cache).stderr == ""


def test_a_cache_folder_that_cannot_be_made_is_a_warning(rules: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    answer = count_in_new_process(rules, tmp_path / "file" / "cache")
    assert answer.stdout == "66\n"
    assert "cannot be written (Not a directory)" in answer.stderr
    assert "KIBITZ_CACHE" in answer.stderr


@pytest.mark.parametrize("room", [100, 4000])
def test_a_full_disk_is_a_warning(rules: Path, tmp_path: Path, room: int) -> None:
    """A limit on the size of files stands in for the full disk: of the source alone, then of the compiled code."""
    answer = subprocess.run(
        [sys.executable, "-c", COUNT.format(str(rules), 4)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "KIBITZ_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert answer.stdout == "66\n", answer.stderr
    assert "cannot be written (File too large)" in answer.stderr
    assert not list((tmp_path / "cache").glob(".*"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    heap: int", "    heap: list[int]", r"stones\.py:\d+: field 'heap' of State is list\[int\], expected int"),
        ("class State(NamedTuple):", "class State:", r"stones\.py:\d+: State is not a NamedTuple"),
        ("        yield stones", "        yield open(stones)", r"stones\.py:\d+: cannot be compiled: .*open"),
        ("        yield stones", "        yield {1: stones}[2, 3]", r"stones\.py:\d+: cannot be compiled: "),
        (
            "        yield stones",
            "        yield nothing",
            r"stones\.py:27: moves\(\) uses 'nothing', which is not defined",
        ),
        ("MOST = 3", "MOST = {1: 3}", r"stones\.py:26: moves\(\) uses 'MOST', a dict; compiled rules use numbers"),
        ("        yield stones", "        pass", r"stones\.py:25: moves\(\) yields nothing, expected a generator"),
        (
            "heap - move,",
            "heap - move / 2,",
            r"stones\.py:\d+: field 'heap' of State is int64, but it is given float64",
        ),
        ("max_moves=3", "max_moves=1", r"stones\.py:25: moves\(\) or outcomes\(\) yields more than"),
        ("MOST = 3", "MOST = three", r"stones\.py:13: NameError: name 'three' is not defined"),
        ("MOST = 3", "MOST = = 3", r"stones\.py:13: invalid syntax"),
    ],
)
def test_a_mistake_in_the_rules_is_told_with_file_and_line(rules: Path, old: str, new: str, said: str) -> None:
    rules.write_text(edited((old, new)))
    with pytest.raises(RulesError, match=said) as caught:
        perft(games.load(str(rules)).new(), 2, bulk=False)
    assert "\n" not in str(caught.value)


def test_no_moves_in_an_unfinished_game_is_told_with_the_position(rules: Path) -> None:
    rules.write_text(edited(("if state.heap > 0:", "if state.heap > -1:")))
    end = games.load(str(rules)).position("heap=0 side=1")
    with pytest.raises(
        RulesError, match=r"stones.py:25: moves\(\) yields nothing in an unfinished game, position 'heap=0"
    ):
        end.moves()


def test_a_play_that_writes_into_the_old_state_is_told(rules: Path) -> None:
    rules.write_text(
        edited(
            ("    heap: int", "    heap: NDArray[np.int64]"),
            ("State(9, 0)", "State(np.array([9]), 0)"),
            (
                "    return State(state.heap - move, 1 - state.side)",
                "    state.heap[0] -= move\n    return State(state.heap, 1 - state.side)",
            ),
            ("min(MOST, state.heap)", "min(MOST, state.heap[0])"),
            ("state.heap > 0", "state.heap[0] > 0"),
        )
    )
    with pytest.raises(RulesError, match=r"stones.py:\d+: play\(\) changes an array of the state it was given"):
        games.load(str(rules)).new().play(1)


def test_yields_may_come_from_a_helper_generator(rules: Path) -> None:
    loop = "    for stones in range(1, min(MOST, state.heap) + 1):\n        yield stones"
    helper = "def some(most: int) -> Iterator[int]:\n    for stones in range(1, most):\n        yield stones\n\n\n"
    rules.write_text(
        edited((loop, "    yield from some(min(MOST, state.heap) + 1)"), ("def moves(", f"{helper}def moves("))
    )
    start = games.load(str(rules)).new()
    assert perft(start, 4) == perft(start, 4, bulk=False) == 66


def test_counting_leaves_no_allocation_behind() -> None:
    """Vampires' states hold arrays that every move copies."""
    code = (
        "from kibitz import games; from kibitz.search.perft import perft\n"
        "from numba.core.runtime import rtsys\n"
        "start = games.load('vampires:testmap').new()\n"
        "perft(start, 2)\n"
        "before = rtsys.get_allocation_stats()\n"
        "perft(start, 2)\n"
        "after = rtsys.get_allocation_stats()\n"
        "made = after.alloc - before.alloc\n"
        "print(made > 1000, made - (after.free - before.free))\n"
    )
    environment = {**os.environ, "NUMBA_NRT_STATS": "1"}
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert answer.stdout == "True 0\n", answer.stderr


def test_threads_count_side_by_side_and_agree() -> None:
    starts = [games.breakthrough().new(), games.breakthrough("5x10").new()] * 2
    found: dict[int, int] = {}

    def work(index: int) -> None:
        found[index] = perft(starts[index], 5)

    crowd = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert [found[index] for index in range(4)] == [6182818, 14703118] * 2


def test_a_stop_flag_ends_a_count_that_would_take_years() -> None:
    start = games.breakthrough().new()
    perft(start, 1)
    control = new_control()
    count = specialise(start.game.rulebook, count_lines)
    buffers = np.zeros(4096, np.int64), np.zeros(4096, np.float64)
    answers: list[int] = []
    worker = threading.Thread(
        target=lambda: answers.append(count(start.state, start.game.rules, 30, 1, 0, *buffers, control)), daemon=True
    )
    worker.start()
    time.sleep(0.1)
    assert worker.is_alive()
    control[STOP] = 1
    worker.join(timeout=30)
    assert not worker.is_alive()
    assert answers[0] > 0


def test_an_error_in_the_worker_reaches_the_caller() -> None:
    def fails() -> None:
        raise TooManyMoves("too many")

    with pytest.raises(TooManyMoves):
        run_stoppable(new_control(), fails)


def halved(number: int) -> float:
    """Where numbers are even, a whole number comes back from below, and a half from the last one."""
    if number <= 0:
        return 0
    if number % 2 == 0:
        return halved(number - 2) + 1
    return halved(number - 1) + 0.5


def factorial(number: int) -> int:
    return 1 if number <= 1 else number * factorial(number - 1)


def refusing(number: int) -> int:
    if number > 3:
        raise ValueError
    return number


def recurring(number: int) -> tuple[float, int, int]:
    return halved(number), factorial(number), refusing(number)


@pytest.mark.parametrize("number", range(4))
def test_functions_that_call_themselves_return_what_they_return_in_python(number: int) -> None:
    assert specialise(None, recurring)(number) == recurring(number)


def test_an_error_raised_far_inside_reaches_the_caller_of_code_just_compiled_or_loaded() -> None:
    asked = (
        "from tests.core.test_seam import *; found = specialise(None, refusing_deep)\n"
        "try: found(4)\nexcept Exception as e: print(type(e).__name__)"
    )
    run = [subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False) for _ in range(2)]
    assert [each.stdout for each in run] == ["ValueError\n"] * 2, run[0].stderr


def refusing_deep(number: int) -> int:
    return recurring(number)[2] + 1


def test_an_error_in_each_of_several_threads_reaches_its_caller() -> None:
    kernel = specialise(None, refusing_deep)
    caught: list[type[BaseException]] = []

    def work() -> None:
        for _ in range(200):
            try:
                run_stoppable(new_control(), kernel, 4)
            except ValueError as error:
                caught.append(type(error))

    crowd = [threading.Thread(target=work) for _ in range(4)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert caught == [ValueError] * 800
    assert kernel(3) == 4


def reach_outside(numbers: NDArray[np.int64], index: int) -> int:
    return read_inside(numbers, index)


def read_inside(numbers: NDArray[np.int64], index: int) -> int:
    return int(numbers[index])


def test_bounds_are_checked_where_the_environment_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_BOUNDS", "1")
    with pytest.raises(IndexError):
        specialise(None, reach_outside)(np.zeros(3, np.int64), 3)


def test_code_of_an_older_compiler_of_ours_is_not_loaded(
    rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    for digest in ("older", "newer", "newer"):
        monkeypatch.setattr(compiler, "_compiler_digest", lambda digest=digest: digest)
        book = games.load(str(rules)).rulebook
        start = games.load(str(rules)).new()
        kernel = compiler.CompiledKernel(book, step)  # type: ignore[arg-type]
        kernel(start.state, start.game.rules, 1, np.zeros(3, np.int64))
    assert len(modules_in(tmp_path / "cache")) == 2


def run_code(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


STRANGER = """
import numba
import kibitz.core.seam.native as native
native.current_method()

@numba.njit
def stranger(number):
    if number <= 0:
        return 1.0
    if number == 1:
        return stranger(number - 1) * 1j
    return stranger(number - 1)
"""


def test_type_inference_of_other_code_is_left_alone() -> None:
    answer = run_code(STRANGER + "print(stranger(3))")
    assert answer.stdout == "1j\n", answer.stderr


def test_type_inference_of_other_code_is_left_alone_while_ours_compiles(tmp_path: Path) -> None:
    """The thread compiles the stranger while the compiler is busy with a recursive kernel of ours."""
    code = STRANGER + (
        "import threading\n"
        "from numba.core import event\n"
        "from tests.core.test_seam import recurring, specialise\n"
        "answers, began = [], threading.Event()\n"
        "class Listener(event.Listener):\n"
        "    def on_start(self, event): began.set()\n"
        "    def on_end(self, event): pass\n"
        "event.register('numba:run_pass', Listener())\n"
        "other = threading.Thread(target=lambda: (began.wait(), answers.append(stranger(3))))\n"
        "other.start()\n"
        "ours = specialise(None, recurring)(3)\n"
        "other.join()\n"
        "print(ours, answers)\n"
    )
    answer = run_code(code, KIBITZ_CACHE=str(tmp_path))
    assert answer.stdout == "(1.5, 6, 3) [1j]\n", answer.stderr


def climb(steps: int) -> int:
    return 1 if steps <= 1 else climb(steps - 1) + climb(steps - 2)


def climb_ten(more: int) -> int:
    return climb(10) + climb(more)


def test_a_recursive_function_called_with_a_number_is_compiled_once_and_runs_from_the_cache(tmp_path: Path) -> None:
    code = "from tests.core.test_seam import climb_ten, specialise; print(specialise(None, climb_ten)(3))"
    for _ in range(2):
        answer = run_code(code, KIBITZ_CACHE=str(tmp_path))
        assert answer.stdout == "92\n", answer.stderr


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        ("del numba.core.typed_passes.AnnotateTypes", "ImportError: cannot import name 'AnnotateTypes'"),
        ("numba.core.codegen.JITCodeLibrary = str", "ImportError: no str._finalize_final_module"),
        (
            "from numba.core import typed_passes; stage = typed_passes.type_inference_stage\n"
            "typed_passes.type_inference_stage = lambda *given, **named: stage(*given, **named)",
            "ImportError: no typeinfer in <lambda>",
        ),
        ("numba.core.compiler._LowerResult._replace = None", "TypeError: 'NoneType' object is not callable"),
        (
            "from numba.core import typed_passes as passes\n"
            "class Other(passes.NativeLowering): _name = 'other'\n"
            "numba.core.compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)(Other)\n"
            "numba.core.compiler.NativeLowering = Other",
            "LookupError: no pass NativeLowering",
        ),
    ],
)
def test_a_numba_that_lacks_a_name_compiles_the_plain_way_with_one_warning(
    tmp_path: Path, hidden: str, said: str
) -> None:
    """Two kernels, one warning. What was kept is then loaded by a Numba that lacks nothing."""
    ask = "from tests.core.test_seam import *; print(specialise(None, recurring)(3), specialise(None, refusing)(3))"
    lacking = f"import warnings; warnings.simplefilter('always'); import numba.core.compiler\n{hidden}\n{ask}"
    first, second = (run_code(code, KIBITZ_CACHE=str(tmp_path)) for code in (lacking, ask))
    assert first.stdout == second.stdout == "(1.5, 6, 3) 3\n", first.stderr
    assert first.stderr.count("is not as Kibitz expects") == 1
    assert said in first.stderr
    assert second.stderr == ""


class Arrays(NamedTuple):
    numbers: NDArray[np.int64]
    halves: NDArray[np.float64]


def sum_of(arrays: Arrays) -> float:
    total = 0.0
    for at in range(arrays.numbers.size):
        total += arrays.numbers[at] + arrays.halves[at]
    return total


def sum_of_copies(arrays: Arrays, times: int) -> float:
    total = 0.0
    for _ in range(times):
        copied = arrays.numbers.copy()
        copied[0] += 1
        total += sum_of(Arrays(copied, arrays.halves))
    return total


def test_arrays_are_counted_where_a_kernel_makes_some_and_left_alone_where_it_makes_none() -> None:
    arrays = Arrays(np.arange(9), np.arange(9) / 2)
    counts = [sys.getrefcount(array) for array in arrays]
    for _ in range(50):
        assert specialise(None, sum_of)(arrays) == 54.0
        assert specialise(None, sum_of_copies)(arrays, 3) == 165.0
    assert [sys.getrefcount(array) for array in arrays] == counts

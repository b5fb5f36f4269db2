"""The mistakes that authors of rules make: each gets one message with their own file and line, and the cure."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.cli.watchdog import look_around, start_watchdog
from kibitz.core.errors import KibitzError
from kibitz.core.seam import interpreting
from kibitz.games import gallery
from kibitz.heuristics import find
from kibitz.laws import Broken
from kibitz.laws.parity import interpreted_and_compiled_rules_agree
from kibitz.laws.rules import both_sides_come_to_move
from kibitz.search.perft import perft

Changes = list[tuple[str, str]]

WHOLE = (gallery.FOLDER / "tictactoe.py").read_text()
HEAD = "from collections"
RULES = f"import numpy as np\nfrom kibitz import Bits, Heuristic\n{WHOLE[WHOLE.index(HEAD) :]}"
PLAY = RULES[RULES.index("def play") : RULES.index("def result")]
RESULT = RULES[RULES.index("def result") : RULES.index("def valid")]
FREE = "    yield from cells(ALL & ~(state.crosses | state.noughts))\n"
LAST = "    return DRAW if state.crosses | state.noughts == ALL else ONGOING\n"


def in_result(test: str, helper: str = "") -> Changes:
    """Ask something in result(), by a helper before it."""
    loop = "    for line in LINES:\n"
    return [(loop, f"    if {test}\n        return DRAW\n{loop}"), *before_result(helper)]


def in_play(lines: str, helper: str = "") -> Changes:
    """Begin play() with these lines."""
    test = "    if state.side == FIRST:\n"
    return [(test, f"{lines}\n{test}"), *before_result(helper)]


def before_result(helper: str) -> Changes:
    """Put a helper before result()."""
    return [("def result", f"{helper}\n\n\ndef result")] if helper else []


MARKS = """class Marks:
    def __init__(self, cells):
        self.cells = cells"""
CLOSURE = """def make(line):
    def has(marks):  # here
        return marks == line
    return has
row = make(7)"""
PAIR = """def even(n):
    return n == 0 or odd(n - 1)  # here
def odd(n):
    return n != 0 and even(n - 1)"""
RUNAWAY = """def size(n):
    return 1 + size(n - 1)  # here"""
INDEX = """def index(row, column):  # here
    return row * 3 + column"""
BITS = [
    ("    crosses: int\n    noughts: int", "    crosses: Bits\n    noughts: Bits"),
    ("grid(3, 3,", "grid(3, 3, wide=True,"),
    ("state.crosses | 1 << move", "state.crosses | bits.one(move)"),
    ("state.noughts | 1 << move", "state.noughts | bits.one(move)"),
]
LESS_ONE = """    free = ALL & ~(state.crosses | state.noughts)
    while free:
        yield bits.lowest(free)
        free &= free - 1  # here
"""
PLAIN = "def play(state, move):\n    return (state.crosses | 1 << move, state.noughts, 1 - state.side)  # here\n\n\n"
ANY = "any(state.crosses == line for line in LINES):  # here"

# What is changed (a line that ends with `# here` is the one to blame), and what the message says.
MISTAKES: dict[str, tuple[Changes, str]] = {
    "result without return": (
        [(LAST, "    DRAW if state.crosses | state.noughts == ALL else ONGOING  # here\n")],
        "result() ends without a return, expected ONGOING, FIRST_WINS, SECOND_WINS or DRAW",
    ),
    "result returning text": (
        [(RESULT, 'def result(state):\n    return "ongoing"  # here\n\n\n')],
        "result() returns the text 'ongoing', expected ONGOING, FIRST_WINS, SECOND_WINS or DRAW",
    ),
    "play returning a plain tuple": ([(PLAY, PLAIN)], "play() returns a plain tuple, expected State("),
    "a numpy function that is not compiled": (
        in_result("np.unpackbits(np.array([1], np.uint8))[0]:  # here"),
        "np.unpackbits is not known there, expected a loop",
    ),
    "numpy with arguments that are not compiled": (
        in_result("np.sort(np.array([[2, 1]]), axis=0)[0, 0] < 0:  # here"),
        "sort() does not take these arguments there, expected a loop over numbers",
    ),
    "a class": (
        in_result("Marks(state.crosses).cells == ALL:  # here", MARKS),
        "result() uses the class 'Marks', expected a NamedTuple of numbers, and plain functions",
    ),
    "a closure": (
        in_result("row(state.crosses):", CLOSURE),
        "has() uses 'line' of the function around it, expected a function at the top level of the file",
    ),
    "a function inside a function": (
        in_play("    full = lambda marks: marks == ALL  # here\n    full(move)"),
        "play() makes a lambda inside itself, expected a function at the top level of the file",
    ),
    "a constant beyond 64 bits": (
        in_result("state.crosses > 1 << 70:  # here"),
        "1180591620717411303424 is beyond 64 bits, expected numbers that fit, or several of them",
    ),
    "a board in the rules": (
        in_result("state.crosses == BOARD.all:  # here"),
        "result() uses 'BOARD', a Board; expected a number of it taken out before, as ALL = BOARD.all",
    ),
    "a breakpoint in compiled rules": (
        in_play("    breakpoint()  # here"),
        "play() calls breakpoint(), which compiled rules cannot, expected `kibitz --interpret` before the command",
    ),
    "functions that call each other": (
        in_result("not even(state.crosses * 2):", PAIR),
        "even() and odd() call each other, expected one function that calls itself, or a loop",
    ),
    "recursion without an end": (
        in_play("    if move > 99 and size(move):\n        return state", RUNAWAY),
        "a function calls itself before any return that does not, expected the return that ends it first",
    ),
    "global": (
        in_play("    global played  # here\n    played += 1", "played = 0"),
        "play() says `global played`, but rules change nothing, expected a field of State",
    ),
    "a module's array written to": (
        in_play("    COUNTS[move] += 1  # here", "COUNTS = np.zeros(9)"),
        "play() writes to 'COUNTS', an array of the file, expected a copy made in here, or one in State",
    ),
    "any with a generator": (in_result(ANY), "result() uses any(... for ...), which cannot be compiled, expected a"),
    "sum with a generator": (
        in_result("sum(1 for line in LINES if line) > 99:  # here"),
        "result() uses sum(... for ...), which cannot be compiled, expected a",
    ),
    "a 64-bit set less a plain 1": (
        [*BITS, (FREE, LESS_ONE)],
        "a 64-bit set and a plain number make one, expected bits.ONE or Bits(1) for 1",
    ),
    "parameters in another order": (
        [("def play(state: State, move: int) -> State:", "def play(move: int, state: State) -> State:  # here")],
        "play(move, state) has its parameters in another order, expected play(state, move) or play(state, move, rules)",
    ),
    "a helper called like a rule": (
        before_result(INDEX),
        "index(row, column) is the name of a rule, but takes other parameters, expected index(state) or "
        "index(state, rules), or another name if it is a helper",
    ),
    "an imported function called like a rule": (
        [("from typing", "from kibitz.core.options import written as write  # here\nfrom typing")],
        "'write' is the name of a rule, but is imported from kibitz.core.options, expected",
    ),
    "a number called like a rule": (
        before_result("horizon = 5  # here"),
        "'horizon' is the name of a rule, but here it is an int, expected a function, or another name",
    ),
    "a loop's variable called like a rule": (
        before_result("for index in range(3):  # here\n    pass"),
        "'index' is the name of a rule, but here it is an int, expected a function, or another name",
    ),
    "no result": ([("def result(", "def results(")], "the file has no function result(state); did you mean 'results'?"),
    "presets of the wrong form": (
        [("board=BOARD, alternating=True)", 'board=BOARD, presets={"small": 3})  # here')],
        "preset 'small' is 3, expected a mapping of names to options, as {'small': {'size': 6}}",
    ),
    "a preset of another option": (
        [("board=BOARD, alternating=True)", 'board=BOARD, presets={"small": {"size": 3}})  # here')],
        "preset 'small' says 'size', but no option is called so",
    ),
    "a board without its field": (
        [("    noughts: int\n", "    naughts: int\n")],
        "the board has 'noughts', but State has no such field, expected 'noughts: int' for a set of cells",
    ),
    "a board too large for its field": (
        [("grid(3, 3,", "grid(8, 8,")],
        "field 'crosses' of State is int64, which is too small for 64 cells, expected 'crosses: Bits'",
    ),
}


def write(folder: Path, changes: Changes, more: str = "") -> tuple[Path, int]:
    """The changed rules in a file, and the number of the line to blame."""
    text = RULES
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    file = folder / "mygame.py"
    file.write_text(text + more)
    blamed = [number for number, line in enumerate((text + more).splitlines(), 1) if line.endswith("# here")]
    return file, blamed[0] if blamed else 0


@pytest.mark.skipif(interpreting(), reason="most are noticed when rules are compiled")
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_with_its_place_and_cure(name: str, tmp_path: Path) -> None:
    changes, reason = MISTAKES[name]
    file, line = write(tmp_path, changes)
    with pytest.raises(KibitzError) as caught:
        perft(games.load(str(file)).new(), 2)
    message = str(caught.value)
    assert reason in message
    assert "\n" not in message
    assert len(message) < 300
    assert message.startswith(f"mygame.py:{line or ''}")


HEURISTIC = """

def worth(state):
    {body}


mine = Heuristic(name="mine", game="mygame", {how}=worth, weights={weights}, bounds=(-9.0, 9.0))
"""
TWO = {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize(
    ("body", "how", "weights", "reason"),
    [
        ("return 1, 2, 3  # here", "features", TWO, "worth() returns 3 features, but there are 2 weights (a, b)"),
        ("bits.count(state.crosses)  # here", "evaluate", {}, "worth() may end without a return, expected a number"),
    ],
)
def test_a_mistake_in_a_heuristic_blames_the_heuristic(
    body: str, how: str, weights: dict[str, float], reason: str, tmp_path: Path
) -> None:
    file, line = write(tmp_path, [], HEURISTIC.format(body=body, how=how, weights=weights))
    game = games.load(str(file))
    if not interpreting():
        with pytest.raises(KibitzError) as caught:
            agents.agent("engine", game)
        assert str(caught.value).startswith(f"mygame.py:{line}: {reason}")
    with pytest.raises(KibitzError, match=r"worth\(\) (returns 3 features|ends without a return), expected"):
        find(game.rulebook).explain(game.new())


@pytest.mark.skipif(interpreting(), reason="plain Python is not compared with itself")
def test_an_intermediate_beyond_64_bits_is_named_with_its_line(tmp_path: Path) -> None:
    file, line = write(tmp_path, in_result("state.crosses << 62 > 1 << 62:  # here"))
    position = games.load(str(file)).new().play("a3")
    reason = rf"mygame.py:{line}: state.crosses << 62 is \d+, beyond 64 bits, where compiled numbers wrap around"
    with pytest.raises(Broken, match=reason):
        interpreted_and_compiled_rules_agree(position)


def test_sides_that_are_not_switched_are_noticed(tmp_path: Path) -> None:
    file, _ = write(tmp_path, [("state.noughts, SECOND)", "state.noughts, FIRST)")])
    with pytest.raises(Broken, match=r"only crosses ever moves in 3 random games: play\(\) at mygame.py:.* to noughts"):
        both_sides_come_to_move(games.load(str(file)))


HELPED = """def free(state):
    for cell in range(9):
        if not (state.crosses | state.noughts) >> cell & 1:
            yield cell"""
LOOP = """    for move in moves(state):
        if move >= 0:
            return ONGOING
    return DRAW
"""


@pytest.mark.skipif(interpreting(), reason="this is about compiling")
def test_result_may_loop_over_moves_that_yield_from_a_helper(tmp_path: Path) -> None:
    file, _ = write(tmp_path, [(FREE, "    yield from free(state)\n"), *before_result(HELPED), (LAST, LOOP)])
    assert perft(games.load(str(file)).new(), 6) == 54720


SPIN = """def spin(marks):
    while not STOP.is_set():
        STOP.wait(0.01)  # here
    return ONGOING"""


def test_a_rule_that_does_not_return_is_named_with_its_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    stop = ("import numpy as np\n", "import numpy as np\nimport threading\nSTOP = threading.Event()\n")
    file, line = write(tmp_path, [stop, *in_result("spin(1) != ONGOING:", SPIN)])
    game = games.load(str(file))
    stuck = threading.Thread(target=game.result, args=(game.rulebook.state(0, 0, 0),))
    start_watchdog(patience=0.4)
    stuck.start()
    stuck.join(2)
    game.rulebook.play.__globals__["STOP"].set()
    stuck.join()
    told = capfd.readouterr().err
    assert "kibitz: result() does not return, after 0.4 seconds it is in spin() at mygame.py:" in told
    assert "Ctrl-C ends it, `kibitz --interpret ...` runs it in plain Python" in told
    assert f"mygame.py:{line};" in told or f"mygame.py:{line - 1};" in told


def test_rules_are_tried_in_every_position_the_nearest_first() -> None:
    game = games.load("tictactoe")
    seen = list(look_around(game.rulebook, game.new().state, game.rules))
    marks = [(state.crosses | state.noughts).bit_count() for state in seen]
    assert marks == sorted(marks)
    assert len(seen) == 5477  # of 5,478 with the empty board


def test_with_interpret_rules_print_and_show_where_they_fail(tmp_path: Path) -> None:
    failing = 'print("seen"):\n        pass\n    assert not state.crosses  # here\n    if 0:'
    file, line = write(tmp_path, in_result(failing))
    command = [sys.executable, "-m", "kibitz.cli", "--interpret", "perft", str(file), "3"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert told.stdout.startswith("seen\n")
    assert f'mygame.py", line {line}, in result\n    assert not state.crosses  # here\n' in told.stderr
    assert told.stderr.endswith(f"kibitz: mygame.py:{line}: result() fails with AssertionError:\n")


def test_with_interpret_a_breakpoint_stops_in_the_rules_and_quits_quietly(tmp_path: Path) -> None:
    file, line = write(tmp_path, in_result("state.crosses:\n        breakpoint()\n        pass  # here\n    if 0:"))
    command = [sys.executable, "-m", "kibitz.cli", "--interpret", "perft", str(file), "2"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, input="p state.crosses\nq\n")
    assert f"mygame.py({line})result()" in told.stdout
    assert "(Pdb) 1\n" in told.stdout
    assert (told.returncode, told.stderr) == (130, "stopped\n")

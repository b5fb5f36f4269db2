"""Laws of heuristics: a sound one obeys them, and each way to be wrong breaks one."""

from pathlib import Path

import pytest

from kibitz import Position, games
from kibitz.core.errors import KibitzError
from kibitz.core.seam import interpreting
from kibitz.games import gallery
from kibitz.laws import HEURISTIC_LAWS, Broken, Sample
from kibitz.laws import evaluation as laws
from kibitz.laws.isolated import check
from kibitz.laws.law import Check
from kibitz.laws.runner import check_law

RULES = (gallery.FOLDER / "tictactoe.py").read_text().replace("Rulebook, bits", "Heuristic, Rulebook, bits")
HEURISTIC = """

def middle(state: State, me: int) -> tuple[int, int]:
    mine = (state.crosses >> 4 & 1) - (state.noughts >> 4 & 1)
    return (mine if me == FIRST else -mine), 0


def sure(state: State) -> int:
    own = state.crosses if state.side == FIRST else state.noughts
    for cell in cells(ALL & ~(state.crosses | state.noughts)):
        for line in LINES:
            if (own | 1 << cell) & line == line:
                return 1 if state.side == FIRST else -1
    return 0


def best_first(state: State) -> Iterator[int]:
    free = ALL & ~(state.crosses | state.noughts)
    if free & 16:
        yield 4
    yield from cells(free & ~16)


mine = Heuristic(
    name="mine",
    game="mygame",
    features=middle,
    weights={"middle": 3.0, "more": 1.0},
    bounds=(-3.0, 3.0),
    known_result=sure,
    candidates=best_first,
)
"""


def position(folder: Path, line: str, old: str = "", new: str = "") -> Position:
    """A position of the game whose heuristic has one thing changed."""
    assert old in HEURISTIC
    file = folder / "mygame.py"
    file.write_text(RULES + HEURISTIC.replace(old, new, 1))
    return games.load(str(file)).new().play(line)


WRONG = [
    (laws.scores_stay_within_the_bounds, "(-3.0, 3.0)", "(-1.0, 1.0)", "'mine' says 3, expected -1 to 1"),
    (laws.each_weight_has_its_feature, "-mine), 0", "-mine), 0, 1", "middle.. returns 3 features, expected a tuple"),
    (laws.candidates_are_moves, "yield 4\n", "yield 5\n", "names a candidate twice"),
    (laws.candidates_are_moves, "yield from cells(free & ~16)", "yield 4", "names the candidates .4., which are no"),
    (laws.known_results_are_true, "return 1 if", "return -1 if", "knows that noughts wins in 1 turns, which is not so"),
    (laws.heuristics_name_their_game, '"mygame"', '"other"', "heuristic 'mine' is for 'other', expected 'mygame'"),
]


@pytest.mark.parametrize(("law", "old", "new", "reason"), WRONG)
def test_a_wrong_heuristic_breaks_the_law(law: Check, old: str, new: str, reason: str, tmp_path: Path) -> None:
    line = "b2 a1 a3 b1" if "16" not in old else "b2"
    here = position(tmp_path, "" if new.startswith("yield 5") else line, old, new)
    with pytest.raises((Broken, KibitzError), match=reason):
        law(here.game if law is laws.heuristics_name_their_game else here)


@pytest.mark.skipif(interpreting(), reason="this compares with compiled code")
def test_a_heuristic_that_compiles_to_another_is_noticed(tmp_path: Path) -> None:
    wraps = ("return (mine if me == FIRST else -mine), 0", "return ((state.crosses << 62) >> 62), 0")
    with pytest.raises(Broken, match=r"'mine' compiled says .*, interpreted"):
        laws.compiled_heuristics_say_what_interpreted_ones_say(position(tmp_path, "a1 b2 b1", *wraps))


def test_a_sound_heuristic_obeys_every_law(tmp_path: Path) -> None:
    sample = Sample(position(tmp_path, "").game, games=2, positions=12)
    found = {law.name: check_law(law, sample).outcome for law in HEURISTIC_LAWS}
    skipped = {"compiled heuristics say what interpreted ones say"} if interpreting() else set()
    assert {name for name, outcome in found.items() if outcome != "pass"} == skipped


def test_the_command_checks_the_heuristics_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_INTERPRET", "1")
    position(tmp_path, "", "(-3.0, 3.0)", "(0.0, 0.0)")
    note, *found = check(str(tmp_path / "mygame.py"), games=2)
    results = {result.law: result for result in found}
    assert note.law.startswith("rules of the file: moves, result, valid, play; from its board: turn, transform,")
    assert results["scores stay within the bounds"].outcome == "FAIL"
    assert results["candidates are moves"].outcome == "pass"

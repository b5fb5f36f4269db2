"""The public door: what `from kibitz import ...` offers, and what files of an older form are told."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kibitz
from kibitz import KibitzError, Position, agents, games
from kibitz.core.renames import OLD_TO_NEW
from tests.core.stones import STONES, edited

NAMES = """
    CHANCE DRAW FIRST FIRST_WINS ONGOING SECOND SECOND_WINS ActionCoding BadOption BadPosition Beside Bits Board
    Cell Engine Game Gesture Heuristic IllegalMove KibitzError Layout Limit Piece Position Result Rulebook Symmetry
    agents best_move bits cells from_to games grid heuristics hexagon hexagons in_range notation perft placement points
    square_board
"""


def test_the_door_is_exactly_this_list() -> None:
    assert kibitz.__all__ == NAMES.split()
    assert set(NAMES.split()) <= set(dir(kibitz))


@pytest.mark.parametrize("name", NAMES.split())
def test_a_name_of_the_door_is_there(name: str) -> None:
    assert getattr(kibitz, name) is not None


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'kibitz' has no attribute 'Rulebok'"):
        kibitz.Rulebok  # type: ignore[attr-defined]  # noqa: B018


def test_the_door_alone_loads_nothing_and_all_of_it_no_compiler() -> None:
    code = (
        "import sys, kibitz; print('numpy' in sys.modules, 'kibitz.core' in sys.modules)\n"
        "from kibitz import *; print(perft.__name__, 'numba' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "False False\nperft False\n"


HEURISTIC = 'from kibitz import Heuristic\nbad = Heuristic(name="bad", game="stones", bounds=(0.0, 0.0), {}=turn)\n'
OLD_RULES = [
    (
        "from kibitz.heuristics.heuristic import Heuristic\n",
        "from kibitz.heuristics.heuristic import",
        "from kibitz import",
    ),
    (HEURISTIC.format("loud"), "Heuristic(loud=...)", "Heuristic(is_tactical=...)"),
    ("stones = Rulebook(long_turns=True)\n", "Rulebook(long_turns=...)", OLD_TO_NEW["Rulebook(long_turns=...)"]),
    (HEURISTIC.format("sure"), "Heuristic(sure=...)", "Heuristic(known_result=...)"),
]


@pytest.mark.parametrize(("lines", "old", "new"), OLD_RULES)
def test_a_rules_file_of_the_old_form_is_told_what_to_change(lines: str, old: str, new: str, tmp_path: Path) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(STONES + lines)
    line = (STONES + lines).count("\n")
    command = [sys.executable, "-m", "kibitz.cli", "show", str(rules)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert answer.stderr == f"kibitz: stones.py:{line}: '{old}' is from before Kibitz 0.2, expected {new}\n"


OLD_AGENTS = [
    (
        "def choose(position, limit):\n    return position.codes[0]\n",
        2,
        "'Position.codes' is from before Kibitz 0.2, expected Position.move_ids",
    ),
    (
        "from kibitz.agents.searching import Engine\n",
        1,
        "'from kibitz.agents.searching import' is from before",
    ),
]


@pytest.mark.parametrize(("text", "line", "told"), OLD_AGENTS)
def test_an_agent_of_the_old_form_is_told_what_to_change(text: str, line: int, told: str, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(text)
    start = games.breakthrough().new()
    with pytest.raises(KibitzError) as caught:
        agents.agent(f"python:{file}", start.game).choose(start, kibitz.Limit(nodes=1))
    assert str(caught.value).startswith(f"player.py:{line}: {told}")


def test_an_unknown_name_that_was_never_ours_keeps_its_own_message(tmp_path: Path) -> None:
    rules = tmp_path / "stones.py"
    rules.write_text(edited(("MOST = 3", "MOST = np.codes")))
    with pytest.raises(KibitzError, match=r"stones.py:13: AttributeError: module 'numpy' has no attribute 'codes'"):
        games.load(str(rules))


@pytest.mark.parametrize(("old", "new"), OLD_TO_NEW.items())
def test_old_names_are_gone_and_new_ones_are_there(old: str, new: str) -> None:
    if old.startswith("from "):
        module, name = old.split()[1], old.partition(" import")[2].strip()
        with pytest.raises(ImportError):
            importlib.import_module(f"{module}.{name}" if name else module)
        importlib.import_module(new.split()[1].removesuffix(";"))
    elif "(" in old:
        kind, field, _ = re.split(r"[(=]", old, maxsplit=2)
        fields = getattr(kibitz, kind).__dataclass_fields__
        assert field not in fields
        assert re.split(r"[(=]", new)[1] in fields
    else:
        assert not hasattr(Position, old.removeprefix("Position."))
        assert hasattr(Position, new.removeprefix("Position."))

"""The pytest plug-in: one test for each game and law, with the counterexample as its failure."""

import subprocess
import sys

import pytest

from kibitz.laws.pytest_plugin import EVERY_LAW
from kibitz.laws.scaffold import text_of_game, text_of_test

pytest_plugins = ("pytester",)


@pytest.fixture(autouse=True)
def in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plug-in does the same either way, and this way sooner."""
    monkeypatch.setenv("KIBITZ_INTERPRET", "1")


def test_a_new_game_is_run_once_for_each_law(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mine=text_of_game("mine"), test_mine=text_of_test("mine"))
    outcome = pytester.runpytest("-v", "--strict-markers")
    counts = outcome.parseoutcomes()
    assert counts["passed"] + counts["skipped"] == len(EVERY_LAW)
    outcome.stdout.fnmatch_lines(["*test_the_rules_obey_the_law[[]mine.py-random games end[]] PASSED*"])


def test_a_broken_law_fails_with_its_counterexample(pytester: pytest.Pytester) -> None:
    broken = text_of_game("mine").replace("alternating=True", "alternating=True, max_moves=8")
    pytester.makepyfile(mine=broken, test_mine=text_of_test("mine"))
    outcome = pytester.runpytest("-k", "declared")
    outcome.assert_outcomes(failed=1, deselected=len(EVERY_LAW) - 1)
    outcome.stdout.fnmatch_lines(
        [
            "mine.py: not true that there are never more moves than declared:",
            "  more moves or outcomes than the 8 that max_moves declares",
            "  in position '3/3/3 x'",
        ]
    )


def test_rules_that_cannot_be_loaded_fail_in_one_line(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mine="1 // 0", test_mine=text_of_test("mine"))
    outcome = pytester.runpytest("-k", "random")
    outcome.assert_outcomes(failed=1, deselected=len(EVERY_LAW) - 1)
    outcome.stdout.fnmatch_lines(["mine.py: mine.py:1: ZeroDivisionError: *"])


def test_a_mark_takes_several_games_and_how_hard_to_look(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.kibitz("breakthrough:5x10", "alquerque:bell", games=1, positions=3, seed=7)
        def test_games(kibitz_law):
            kibitz_law()
        """
    )
    outcome = pytester.runpytest("-v", "-k", "listed")
    outcome.assert_outcomes(passed=2, deselected=2 * len(EVERY_LAW) - 2)
    outcome.stdout.fnmatch_lines(["*breakthrough:5x10-no move is listed twice*", "*alquerque:bell-no move*"])


def test_a_rules_file_is_looked_for_beside_the_test(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("rules")
    (folder / "mine.py").write_text(text_of_game("mine"))
    (folder / "test_mine.py").write_text(text_of_test("mine"))
    pytester.runpytest("-k", "board", "rules").assert_outcomes(passed=2, deselected=len(EVERY_LAW) - 2)


def test_a_test_without_the_mark_is_told_so(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_games(kibitz_law): kibitz_law()")
    outcome = pytester.runpytest()
    assert outcome.ret != 0
    outcome.stdout.fnmatch_lines(["*asks for kibitz_law, expected @pytest.mark.kibitz(game, ...)*"])


def test_importing_the_plug_in_does_not_import_the_compiler() -> None:
    code = "import sys, kibitz.laws.pytest_plugin; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""Proofs that take minutes: `make prove` runs them, `make test` does not."""

import pytest

from tests.cli.test_commands import kibitz
from tests.proofs.test_proofs import EVIDENCE

pytestmark = pytest.mark.proof


def test_white_at_least_draws_alquerque_from_the_start() -> None:
    answer = kibitz("prove", "alquerque", "--attacker", "black")
    assert answer.returncode == 0, answer.stderr
    assert "alquerque: can white hold?" in answer.stdout
    assert "white at least draws" in answer.stdout
    assert "alquerque-can-black-win.proof (checked)" in answer.stdout


def test_black_at_least_draws_alquerque_from_the_start() -> None:
    answer = kibitz("prove", "alquerque", "--attacker", "white")
    assert answer.returncode == 0, answer.stderr
    assert "black at least draws" in answer.stdout
    assert "alquerque-can-white-win.proof (checked)" in answer.stdout


def test_the_second_player_wins_breakthrough_on_five_by_six() -> None:
    answer = kibitz("prove", "--check", str(EVIDENCE / "breakthrough-5x6.proof"))
    assert answer.returncode == 0, answer.stderr
    assert "black wins" in answer.stdout

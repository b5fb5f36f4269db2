"""Proofs of Alquerque: endgame tables against brute force, and small proofs that the checker believes."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz import games
from kibitz.core.bits import bits_of
from kibitz.core.errors import KibitzError
from kibitz.core.position import Position
from kibitz.core.result import DRAW, FIRST, FIRST_WINS, ONGOING, SECOND
from kibitz.proofs import certificate
from kibitz.proofs.alquerque import adapter as alquerque
from kibitz.proofs.alquerque import endgames
from kibitz.proofs.alquerque.adapter import can_hold, can_win
from kibitz.proofs.alquerque.endgames import DRAWN, LOSS, POSITION, WIN, EndgameTables, look_up
from kibitz.proofs.certificate import BadCertificate
from kibitz.proofs.checker import CertificateChecker
from kibitz.proofs.prover import ProofSettings, check, prove

GAME = games.alquerque()
Known = dict[Any, int]


def silent(stage: str, state: str) -> None:
    """Shows nothing."""


@pytest.fixture(scope="module")
def tables() -> EndgameTables:
    return endgames.solve_tables(4)


def value(state: Any, known: Known) -> int:
    """Brute force: what the position is worth to the side to move."""
    outcome = GAME.result(state)
    if outcome != ONGOING:
        return DRAWN if outcome == DRAW else WIN if outcome == FIRST_WINS + state.side else LOSS
    if state not in known:
        known[state] = min(4 - value(GAME.play(state, move), known) for move in GAME.moves(state))
    return known[state]


def with_pieces(white: int, black: int, side: int) -> Position:
    """A random position with so many pieces of each colour."""
    fields = random.sample(range(25), white + black)
    own, enemy = int(bits_of(fields[:white])), int(bits_of(fields[white:]))
    return Position(GAME, GAME.new().state._replace(white=own, black=enemy, side=side))


def test_endgame_tables_hold_what_brute_force_finds(tables: EndgameTables) -> None:
    random.seed(5)
    board, known = alquerque.make_board(GAME, tables), Known()
    seen = set()
    for _ in range(300):
        white = random.randint(1, 3)
        position = with_pieces(white, random.randint(1, 4 - white), random.choice([FIRST, SECOND]))
        code = alquerque.code_of(position, board, FIRST) & POSITION
        wanted = value(position.state, known)
        assert look_up(code, board.places, board.values) == wanted, position.text
        seen.add(wanted)
    assert seen == {WIN, DRAWN, LOSS}


def test_two_pieces_are_counted_through() -> None:
    counted = {}
    endgames.solve_tables(2, lambda mine, theirs, counts: counted.update({(mine, theirs): counts}))
    assert counted == {(1, 1): (63, 226, 21)}
    assert sum(counted[1, 1]) == (25 * 24 + 5 * 4) // 2  # of mirror images one; 5 x 4 positions are their own


def test_tables_are_the_same_where_those_of_fewer_pieces_were_there_before(tables: EndgameTables) -> None:
    counted: list[tuple[int, int]] = []
    fewer = endgames.solve_tables(3)
    again = endgames.solve_tables(4, lambda mine, theirs, counts: counted.append((mine, theirs)), fewer)
    assert (again.values == tables.values).all()
    assert counted == [(1, 3), (2, 2), (3, 1)]


def test_tables_are_kept_on_the_way_to_more_pieces(tables: EndgameTables, tmp_path: Path) -> None:
    endgames.open_or_solve(tmp_path, 3, silent)
    said: list[str] = []
    assert (endgames.open_or_solve(tmp_path, 4, lambda stage, state: said.append(state)).values == tables.values).all()
    assert len(said) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alquerque-3.endings", "alquerque-4.endings"]


def test_tables_are_kept_in_a_file_that_notices_damage(tables: EndgameTables, tmp_path: Path) -> None:
    path = tmp_path / "alquerque-4.endings"
    endgames.write(path, tables)
    again = endgames.read(path)
    assert again.pieces == 4
    assert (again.values == tables.values).all()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(KibitzError, match="is damaged: its checksum does not fit"):
        endgames.read(path)


@pytest.mark.parametrize("way", ["by-numbers", "by-numbers-with-tables", "by-preferences"])
def test_small_positions_are_judged_as_by_brute_force_and_the_checker_agrees(
    way: str, tables: EndgameTables, tmp_path: Path
) -> None:
    random.seed(11)
    known = Known()
    answers = set()
    for _ in range(12):
        position = with_pieces(random.randint(2, 4), random.randint(1, 2), random.choice([FIRST, SECOND]))
        if position.over:
            continue
        for attacker in (FIRST, SECOND):
            asked = can_win(position, attacker, tables if way == "by-numbers-with-tables" else None)
            question = can_hold(position, 1 - attacker, 4) if way == "by-preferences" else asked
            found = prove(question, ProofSettings(tmp_path, 0.01, 1), silent).standing
            assert found.holds is not None
            attacker_wins = question.winner(found.holds) == attacker
            wanted = WIN if position.turn == attacker else LOSS
            assert attacker_wins == (value(position.state, known) == wanted), (position.text, attacker)
            check(tmp_path / f"{question.name}.proof", position, silent)
            answers.add(attacker_wins)
    assert answers == {True, False}


def test_a_draw_does_not_pass_for_a_win(tmp_path: Path) -> None:
    position = games.position("alquerque", "bb3/5/5/5/3ww w")
    question = can_win(position, FIRST)
    found = prove(question, ProofSettings(tmp_path, 0.01, 1), silent).standing
    assert found.answer == "black at least draws"
    proof = certificate.read(tmp_path / f"{question.name}.proof")
    with pytest.raises(BadCertificate, match=r"no move keeps up the claim|is no success"):
        CertificateChecker(GAME, replace(proof, draw_will_do=False)).check()

"""Proofs: small boards are solved as known, their evidence convinces, and what is wrong with it is noticed."""

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz import games, proofs
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import FIRST, ONGOING, SECOND
from kibitz.games.breakthrough import State
from kibitz.proofs import certificate, sealed_file
from kibitz.proofs.adapter import list_adapters
from kibitz.proofs.breakthrough import adapter as breakthrough
from kibitz.proofs.breakthrough.adapter import who_wins, wins_within
from kibitz.proofs.breakthrough.kernels import value_at_once
from kibitz.proofs.certificate import BadCertificate, Certificate
from kibitz.proofs.checker import CertificateChecker
from kibitz.proofs.hash_table import new_table, recall, remember
from kibitz.proofs.prover import ProofSettings, check, prove
from kibitz.proofs.question import Question
from kibitz.proofs.search import Search
from kibitz.proofs.symmetry import flip
from tests.cli.test_commands import kibitz, refused

SOLVED = {"5x2": SECOND, "6x2": FIRST, "7x2": SECOND, "8x2": FIRST, "5x3": SECOND, "6x3": FIRST, "5x4": SECOND}

EVIDENCE = Path(__file__).parent / "evidence"  # written by `kibitz prove`; that of 5x6 takes longer to check


def board(size: str) -> Game:
    rows, columns = size.split("x")
    return games.breakthrough(rows=rows, columns=columns)


def silent(stage: str, state: str) -> None:
    """Says nothing."""


def settings(folder: Path, seconds: float | None = None) -> ProofSettings:
    return ProofSettings(folder, gigabytes=0.03, jobs=1, seconds=seconds)


def solved(size: str, folder: Path) -> tuple[Game, Certificate]:
    game = board(size)
    prove(who_wins(game.new()), settings(folder), silent)
    return game, certificate.read(folder / f"breakthrough-{size}.proof")


@pytest.mark.parametrize(("size", "winner"), SOLVED.items())
def test_small_boards_are_won_by_the_side_that_is_known_to_win_and_the_checker_agrees(
    size: str, winner: int, tmp_path: Path
) -> None:
    proven = prove(who_wins(board(size).new()), settings(tmp_path), silent)
    assert proven.standing.holds == (winner == FIRST)
    found = check(tmp_path / f"breakthrough-{size}.proof", board(size).new(), silent)
    assert (found.winner, found.draw_will_do, found.nodes) == (winner, False, proven.standing.nodes)
    assert list(tmp_path.glob("*.progress")) == []


def test_a_run_that_was_stopped_and_resumed_comes_to_the_same_answer(tmp_path: Path) -> None:
    game = board("6x3")
    search = Search(who_wins(game.new()), 16, 1)
    search.stop_after(20_000)
    first = search.run(tmp_path / "breakthrough-6x3.progress", 1e9, None, lambda standing: None)
    assert first.holds is None
    assert first.nodes >= 20_000
    proven = prove(who_wins(game.new()), settings(tmp_path), silent)
    assert proven.standing.holds
    assert proven.standing.nodes > first.nodes
    check(tmp_path / "breakthrough-6x3.proof", game.new(), silent)


def test_a_command_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    words = ["prove", "breakthrough,rows=5,columns=5", "--folder", str(tmp_path), "--memory", "0.1", "--jobs", "1"]
    progress = tmp_path / "breakthrough-5x5.progress"
    with subprocess.Popen([sys.executable, "-m", "kibitz.cli", *words], stderr=subprocess.DEVNULL) as running:
        while not progress.exists():
            assert running.poll() is None
            time.sleep(0.05)
        running.kill()
    assert running.returncode == -signal.SIGKILL
    assert not list(tmp_path.glob("*.proof"))
    spent = sealed_file.read(progress, "progress")[0]["nodes"]
    answer = kibitz(*words, "--json")
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)[0]["nodes"] > spent > 0
    assert not progress.exists()
    assert check(tmp_path / "breakthrough-5x5.proof", board("5x5").new(), silent).winner == SECOND


def test_two_threads_come_to_the_same_answer(tmp_path: Path) -> None:
    for size in ("5x3", "8x2"):
        standing = Search(who_wins(board(size).new()), 16, 2).run(
            tmp_path / "two.progress", 1e9, None, lambda now: None
        )
        assert standing.holds == (SOLVED[size] == FIRST)


def test_the_progress_of_another_question_is_refused(tmp_path: Path) -> None:
    Search(who_wins(board("5x2").new()), 1, 1).run(tmp_path / "it.progress", 1e9, None, lambda now: None)
    with pytest.raises(KibitzError, match="is about 'breakthrough,rows=5,columns=2: who wins', expected"):
        Search(who_wins(board("6x2").new()), 1, 1).resume(tmp_path / "it.progress")


def test_a_claim_left_out_is_noticed(tmp_path: Path) -> None:
    game, found = solved("5x3", tmp_path)
    random.seed(7)
    noticed = 0
    for at in random.sample(range(found.claims.size), 20):
        broken = replace(found, claims=np.delete(found.claims, at))
        try:
            CertificateChecker(game, broken).check()
        except BadCertificate:
            noticed += 1
    assert noticed > 10  # now and then another move saves the proof


def test_a_proof_for_the_other_side_convinces_nobody(tmp_path: Path) -> None:
    game, found = solved("5x3", tmp_path)
    with pytest.raises(BadCertificate, match="to which the start leads"):
        CertificateChecker(game, replace(found, winner=FIRST)).check()


def test_a_lost_position_among_the_claims_is_named(tmp_path: Path) -> None:
    game, found = solved("5x3", tmp_path)
    start = breakthrough.code_of(game.new(), who_wins(game.new()).board)
    claims = np.unique(np.append(found.claims, start))
    with pytest.raises(BadCertificate, match="no move keeps up the claim about 'ppp/ppp/3/PPP/PPP w 0 1'"):
        CertificateChecker(game, replace(found, claims=claims)).check()


def test_the_evidence_for_five_by_five_convinces() -> None:
    found = check(EVIDENCE / "breakthrough-5x5.proof", board("5x5").new(), silent)
    assert (found.winner, found.draw_will_do) == (SECOND, False)


@pytest.mark.parametrize(
    ("name", "proven"),
    [("breakthrough-5x3", (SECOND, "wins")), ("alquerque-can-white-win-1230228a", (SECOND, "at least draws"))],
)
def test_evidence_that_kibitz_0_1_wrote_still_convinces(name: str, proven: tuple[int, str]) -> None:
    found = check(EVIDENCE.parent / "kibitz_0_1" / f"{name}.proof", None, silent)
    assert (found.winner, found.proves) == proven


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["breakthrough,rows=5,columns=2"], ["black wins"]),
        (["alquerque", "5/5/2b2/5/3w1 w", "--pieces", "2"], ["black at least draws", "black wins"]),
    ],
)
def test_plain_python_finds_and_checks_proofs_too(words: list[str], answers: list[str], tmp_path: Path) -> None:
    given = ("--folder", str(tmp_path), "--memory", "0.01", "--jobs", "1", "--json")
    answer = kibitz("prove", *words, *given, KIBITZ_INTERPRET="1")
    assert answer.returncode == 0, answer.stderr
    assert [row["answer"] for row in json.loads(answer.stdout)] == answers


def test_a_game_joins_with_a_folder_that_has_an_adapter() -> None:
    folders = {path.parent.name for path in Path(proofs.__path__[0]).glob("*/adapter.py")}
    assert {adapter.rulebook.name for adapter in list_adapters()} == folders


def test_a_damaged_file_and_a_file_of_another_kind_are_refused(tmp_path: Path) -> None:
    solved("5x2", tmp_path)
    path = tmp_path / "breakthrough-5x2.proof"
    whole = path.read_bytes()
    path.write_bytes(whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:])
    with pytest.raises(KibitzError, match="is damaged: its checksum does not fit"):
        check(path, None, silent)
    path.write_bytes(whole.replace(b'"format": 1', b'"format": 9'))
    with pytest.raises(KibitzError, match="was written by a newer Kibitz"):
        check(path, None, silent)
    path.write_text("something else")
    with pytest.raises(KibitzError, match="is no proof file of Kibitz"):
        check(path, None, silent)
    path.write_bytes(whole)
    with pytest.raises(
        KibitzError, match=r"is about breakthrough,rows=5,columns=2 position .* expected breakthrough,rows=6"
    ):
        check(path, board("6x2").new(), silent)


def known_at_once(question: Question, position: Position) -> int:
    """What is known of a position before any search: 1 won for the side to move, -1 lost."""
    board = question.board
    child = breakthrough.code_of(position, board)
    own, enemy = int(position.state.white), int(position.state.black)
    if position.turn == FIRST:
        own, enemy = (flip(side, board.images) for side in (enemy, own))
    return value_at_once(child, own, enemy, 0, board)


def wins(position: Position, known: dict[tuple[int, ...], bool]) -> bool:
    """Brute force: does the side to move win?"""
    key = position.game.key(position.state)
    if key not in known:
        known[key] = any(
            (after.over and after.result == 1 + position.turn) or (not after.over and not wins(after, known))
            for after in map(position.play, position.game.moves(position.state))
        )
    return known[key]


def test_what_is_known_without_a_search_is_what_brute_force_finds() -> None:
    game = board("5x3")
    question = who_wins(game.new())
    random.seed(3)
    known: dict[tuple[int, ...], bool] = {}
    counts = {1: 0, -1: 0, 0: 0}
    for _ in range(60):
        position = game.new()
        for _ in range(random.randint(5, 12)):
            position = position.play(random.choice(game.moves(position.state)))
            if game.result(position.state) != ONGOING:
                break
        else:
            value = known_at_once(question, position)
            counts[value] += 1
            assert value == 0 or (value == 1) == wins(position, known), position.text
    assert counts[1] > 3
    assert counts[-1] > 3


def distance(state: State, game: Game, known: dict[State, int]) -> int:
    """Brute force: the plies to the end of the game, the winner in a hurry and the loser not; odd where the side to
    move wins.
    """
    if game.result(state) != ONGOING:
        return 0
    if state not in known:
        after = [distance(game.play(state, move), game, known) for move in game.moves(state)]
        winning = [plies for plies in after if plies % 2 == 0]
        known[state] = 1 + (min(winning) if winning else max(after))
    return known[state]


@pytest.mark.parametrize("size", ["5x2", "6x2"])
def test_a_game_is_won_within_exactly_as_many_plies_as_brute_force_says(size: str, tmp_path: Path) -> None:
    game = board(size)
    plies = distance(game.new().state, game, {})
    answers = [
        Search(wins_within(game.new(), most), 16, 1)
        .run(tmp_path / f"{most}.progress", 1e9, None, lambda now: None)
        .answer
        for most in (plies - 2, plies)
    ]
    winner, loser = ("white", "black") if plies % 2 else ("black", "white")
    assert answers == [f"{loser} is not beaten within {plies - 2} plies", f"{winner} wins within {plies} plies"]


def test_a_table_forgets_what_took_the_least_work() -> None:
    table = new_table(1)
    buckets = table.size // 8
    codes = [5 + buckets * nth for nth in range(5)]
    for nth, code in enumerate(codes):
        remember(code, 2 + nth, 3, 8**nth, table)
    assert recall(codes[0], table) == 0
    assert [recall(code, table) for code in codes[1:]] == [(2 + nth) | 3 << 31 for nth in range(1, 5)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["breakthrough"], "breakthrough: proofs are for one worker to base and at most 30 cells"),
        (["wolves"], "there are proofs of alquerque and breakthrough, not of wolves; try: kibitz solve wolves"),
        (["alquerque:bell"], "alquerque:bell: proofs are for the ruleset dm574"),
        (["breakthrough,rows=5,columns=6", "--within", "9"], "plies can be counted up to 63 and on at most 27 cells"),
        (["alquerque", "--within", "9"], "alquerque takes no --within; it is for breakthrough"),
        (["alquerque", "--attacker", "red"], "no side of alquerque is called 'red' (known: white, black)"),
        (["alquerque", "--pieces", "1"], "option pieces is 1, expected 2 to 11"),
        ([], "expected a game to prove, or --check with a file of evidence"),
        (["--check", "nowhere.proof"], "cannot read 'nowhere.proof': No such file or directory"),
        (["breakthrough,rows=5,columns=2", "--memory", "0"], "option memory is 0, expected gigabytes above 0"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    line = refused("prove", *arguments, *(["--folder", str(tmp_path)] if "--check" not in arguments else []))
    assert message in line
    assert list(tmp_path.iterdir()) == []

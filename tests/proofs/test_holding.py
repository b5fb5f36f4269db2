"""Holding at Alquerque: a search that trusts its preferences, the strategy it writes, and the checker of strategies."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz import games
from kibitz.core.errors import KibitzError
from kibitz.core.position import Position
from kibitz.core.result import FIRST, SECOND
from kibitz.games.alquerque import FIELDS, MIRROR
from kibitz.proofs.alquerque import hold_search, strategy
from kibitz.proofs.alquerque.adapter import can_hold
from kibitz.proofs.alquerque.preferences import PREFERENCES, canonical, score
from kibitz.proofs.alquerque.strategy import Strategy
from kibitz.proofs.alquerque.strategy_checker import StrategyChecker
from kibitz.proofs.certificate import BadCertificate
from kibitz.proofs.dfpn import new_stacks
from kibitz.proofs.prover import KNOWN, ProofSettings, check, prove
from kibitz.proofs.search import Search
from kibitz.proofs.slots import LOST

GAME = games.alquerque()
MIDDLE = games.position("alquerque", "bbwb1/1bbb1/2bww/b1w1w/wbb1w w")  # drawn; what can arise is counted in 100,000s


def silent(stage: str, state: str) -> None:
    """Says nothing."""


def arising(seed: int) -> Iterator[Position]:
    """The positions of random games."""
    random.seed(seed)
    for _ in range(20):
        position = GAME.new()
        while not position.over:
            yield position
            position = position.play(random.choice(GAME.moves(position.state)))


def code(state: Any) -> int:
    return int(state.white) | int(state.black) << FIELDS


@pytest.fixture(scope="module")
def found_strategy(tmp_path_factory: pytest.TempPathFactory) -> Strategy:
    """White's strategy from the middle of a game."""
    folder = tmp_path_factory.mktemp("found_strategy")
    proven = prove(can_hold(MIDDLE, FIRST), ProofSettings(folder, 0.1, 1), silent)
    assert proven.evidence is not None
    assert [path.suffix for path in folder.iterdir()] == [".proof"]
    return strategy.read(proven.evidence)


def test_of_two_mirror_images_one_is_taken() -> None:
    for position in arising(1):
        here, there = code(position.state), code(GAME.transform(position.state, MIRROR))
        assert canonical(here) == canonical(there) == min(here, there)


def test_mirror_images_have_equal_scores_and_others_do_not() -> None:
    weights, few = PREFERENCES[FIRST]
    scored: dict[int, int] = {}
    for position in arising(2):
        here, there = position.state, GAME.transform(position.state, MIRROR)
        mine = score(here.white, here.black, 0, weights, few)
        assert mine == score(there.white, there.black, 0, weights, few)
        assert scored.setdefault(mine, canonical(code(here))) == canonical(code(here))


def test_the_search_knows_the_moves_of_the_game() -> None:
    stacks = new_stacks()
    children, scores = stacks.children, stacks.phis
    for position in arising(3):
        after = [GAME.play(position.state, move) for move in GAME.moves(position.state)]
        if position.turn == FIRST:
            end = hold_search.list_own(code(position.state), 0, stacks, PREFERENCES[FIRST])
            assert sorted(children[:end]) == sorted(map(code, after))
            assert list(scores[:end]) == sorted(scores[:end], reverse=True)
        elif all(reply.white for reply in after):
            end = hold_search.list_replies(code(position.state), 0, children)
            assert sorted(children[:end]) == sorted(canonical(code(reply)) for reply in after)
        else:
            assert hold_search.list_replies(code(position.state), 0, children) == LOST


def test_a_search_that_was_stopped_and_resumed_comes_to_the_same_answer(tmp_path: Path) -> None:
    question = can_hold(MIDDLE, FIRST)
    search = Search(question, 64, 1)
    search.stop_after(50_000)
    first = search.run(tmp_path / f"{question.search_name}.progress", 1e9, None, lambda standing: None)
    assert first.holds is None
    proven = prove(question, ProofSettings(tmp_path, 0.1, 1), silent)
    assert proven.standing.answer == "white at least draws"
    assert proven.standing.nodes > first.nodes
    assert check(tmp_path / f"{question.name}.proof", MIDDLE, silent).winner == FIRST


def test_two_threads_and_a_table_that_is_too_small_come_to_the_same_answer(
    found_strategy: Strategy, tmp_path: Path
) -> None:
    search = Search(can_hold(MIDDLE, FIRST), 1, 2)
    assert search.run(tmp_path / "it.progress", 1e9, None, lambda standing: None).holds
    found = search.gather_evidence()
    assert isinstance(found, Strategy)
    assert (found.book == found_strategy.book).all()
    assert found.positions == found_strategy.positions


def test_a_strategy_without_its_book_fails_and_the_position_is_named(found_strategy: Strategy) -> None:
    StrategyChecker(GAME, found_strategy).check()
    bare = replace(found_strategy, book=found_strategy.book[:0], skips=found_strategy.skips[:0])
    with pytest.raises(BadCertificate, match=r"the strategy fails in '.* w'"):
        StrategyChecker(GAME, bare).check()


def test_a_strategy_of_the_other_side_convinces_nobody(found_strategy: Strategy) -> None:
    with pytest.raises(BadCertificate, match=r"the strategy fails in|positions can arise"):
        StrategyChecker(GAME, replace(found_strategy, winner=SECOND)).check()


def test_a_strategy_may_not_speak_of_other_positions_than_arise(found_strategy: Strategy) -> None:
    right = f"{found_strategy.positions:,}"
    with pytest.raises(BadCertificate, match=f"^{right} positions can arise, but it names"):
        StrategyChecker(GAME, replace(found_strategy, positions=found_strategy.positions + 1)).check()
    with pytest.raises(BadCertificate, match=r"^more than .* positions can arise, but it names 9"):
        StrategyChecker(GAME, replace(found_strategy, positions=9)).check()


def test_a_start_that_is_lost_at_once_is_noticed(found_strategy: Strategy) -> None:
    lost = replace(found_strategy, position="5/2b2/2w2/5/4b b")
    with pytest.raises(BadCertificate, match="to which the start leads, is lost"):
        StrategyChecker(GAME, lost).check()


def test_a_book_out_of_order_is_refused(found_strategy: Strategy) -> None:
    with pytest.raises(BadCertificate, match="the book is no sorted list of positions"):
        StrategyChecker(GAME, replace(found_strategy, book=found_strategy.book[::-1].copy())).check()


def test_a_strategy_comes_back_from_its_file_as_it_was(found_strategy: Strategy, tmp_path: Path) -> None:
    strategy.write(tmp_path / "it.proof", found_strategy)
    again = strategy.read(tmp_path / "it.proof")
    assert (again.book == found_strategy.book).all()
    assert (again.skips == found_strategy.skips).all()
    assert (again.preferences.weights == found_strategy.preferences.weights).all()
    assert (again.game, again.position, again.winner, again.positions) == (
        found_strategy.game,
        found_strategy.position,
        found_strategy.winner,
        found_strategy.positions,
    )
    whole = (tmp_path / "it.proof").read_bytes()
    (tmp_path / "it.proof").write_bytes(whole.replace(b'"edges"', b'"hedge"'))
    with pytest.raises(BadCertificate, match="is damaged: it does not hold what it says"):
        strategy.read(tmp_path / "it.proof")


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("alquerque:bell", "alquerque:bell: proofs are for the ruleset dm574"),
        ("breakthrough", "there are no such proofs of breakthrough"),
    ],
)
def test_a_strategy_for_another_game_is_refused(
    found_strategy: Strategy, game: str, message: str, tmp_path: Path
) -> None:
    strategy.write(tmp_path / "it.proof", replace(found_strategy, game=game))
    with pytest.raises(KibitzError, match=message):
        check(tmp_path / "it.proof", None, silent)


def test_what_comes_with_kibitz_is_whole_and_about_both_sides() -> None:
    found = [strategy.read(path) for path in sorted(KNOWN.glob("*.proof"))]
    assert [(one.game, one.position, one.winner) for one in found] == [
        ("alquerque", GAME.new().text, FIRST),
        ("alquerque", GAME.new().text, SECOND),
    ]
    assert all(np.all(np.diff(one.book) > 0) for one in found)

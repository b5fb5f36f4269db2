"""The engine finds what the plainest search finds, and keeps its limits."""

import math
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kibitz import games, heuristics
from kibitz.core.bits import count
from kibitz.core.errors import BadOption, IllegalMove
from kibitz.core.heuristic import NO_HEURISTIC, Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING
from kibitz.core.rulebook import Rule
from kibitz.core.seam import interpreting
from kibitz.core.seam.control import StopSignal
from kibitz.games.breakthrough import State as Workers
from kibitz.games.checkers import horizon
from kibitz.games.vampires.rules import State as Creatures
from kibitz.search.engine import STEPS, Engine
from kibitz.search.engine.deepening import Deepening, Found
from kibitz.search.engine.kernel import expected_value
from kibitz.search.engine.memory import Memory
from kibitz.search.engine.ordering import SHARED_DEPTH, pick_move, set_busy, set_free
from kibitz.search.engine.transpositions import facts_of, is_busy, new_table, read_entry, write_entry
from kibitz.search.report import CHANCE_SCALE, Score, score_of_chance, win_chance

PRUNING = ("repetition", "known_result", "table", "quiescence", "static_pruning", "reduced_without_move", "extension",
           "futility", "late_pruning", "reductions")  # fmt: skip
BOUNDS = (-300.0, 300.0)


def workers(state: Workers) -> float:
    """More workers, further up."""
    return 10.0 * (count(state.white) - count(state.black)) + float(int(state.white) % 7) - float(int(state.black) % 5)


def creatures(state: Creatures) -> float:
    total = 0.0
    for content in state.cells:
        kind = int(content) >> 8
        if kind == 2:
            total += int(content) & 255
        if kind == 3:
            total -= int(content) & 255
    return total + float(state.cells[0]) * 0.001


def field_sum(state: Workers) -> float:
    """Something for a game without a heuristic of its own to tell positions apart."""
    return float(int(state[0]) % 11 - int(state[1]) % 13)


def beyond(state: Workers) -> float:
    """More than any heuristic may say."""
    return 5_000_000.0


def judging(game: str, evaluate: Rule) -> Heuristic:
    return Heuristic(name="made-up", game=game, bounds=BOUNDS, evaluate=evaluate)


HEURISTICS = {
    "breakthrough,rows=5,columns=4": judging("breakthrough", workers),
    "alquerque:bell": judging("alquerque", field_sum),
    "wolves": judging("wolves", field_sum),
    "vampires:testmap": judging("vampires", creatures),
}


@cache
def engine(text: str, without: tuple[str, ...] = PRUNING) -> Engine:
    return Engine(games.load(text), HEURISTICS.get(text, NO_HEURISTIC), megabytes=1, without=without)


def oracle(engine: Engine, here: Position, depth: int, ply: int, fresh: bool, pov: int) -> float:
    """Plain minimax with exact chance: the value for `pov`."""
    game = here.game
    found = game.result(here.state)
    if found != ONGOING:
        value = engine.win - engine.turn_cost * (ply + (0 if fresh else 1))
        return 0.0 if found == DRAW else value if (found == FIRST_WINS) == (pov == FIRST) else -value
    if here.turn == CHANCE:
        return sum(
            odds * _after(engine, here, code, depth, ply, pov, ends=False) for odds, code in game.outcomes(here.state)
        )
    if depth == 0 and fresh:
        evaluate = HEURISTICS[game.text].evaluate
        assert evaluate is not None
        score = float(evaluate(here.state))
        score = expected_value(score, engine.reach) if engine.chancy else score
        return score if pov == FIRST else -score
    values = [_after(engine, here, code, depth, ply, pov, ends=True) for code in game.moves_once(here.state)]
    return max(values) if here.turn == pov else min(values)


def _after(engine: Engine, here: Position, code: int, depth: int, ply: int, pov: int, ends: bool) -> float:
    after = Position(here.game, here.game.play(here.state, code))
    over = int(ends and after.turn != here.turn)
    fresh = after.turn not in (here.turn, CHANCE)
    return oracle(engine, after, depth - over, ply + over, fresh, pov)


def random_positions(text: str, number: int, seed: int = 1) -> Iterator[Position]:
    dice = random.Random(seed)
    while number > 0:
        here = games.load(text).new()
        for _ in range(dice.randrange(24)):
            if here.over:
                break
            here = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
        here = Position(here.game, here.state)
        begun = len(getattr(here.state, "orders", ())) > 0 or getattr(here.state, "jumper", 0) != 0
        if not here.over and here.turn != CHANCE and not begun:
            number -= 1
            yield here


CASES = [("breakthrough,rows=5,columns=4", 4), ("alquerque:bell", 4), ("wolves", 3), ("vampires:testmap", 1)]


@pytest.mark.parametrize(("text", "depth"), CASES)
def test_without_pruning_steps_the_engine_is_plain_minimax(text: str, depth: int) -> None:
    searcher = engine(text)
    for here in random_positions(text, 4 if interpreting() else 40):
        for level in range(1, (min(depth, 2) if interpreting() else depth) + 1):
            report = searcher.search(here, Limit(depth=level))
            assert report.score is not None
            expected = oracle(searcher, here, level, 0, True, here.turn)
            if abs(expected) <= searcher.reach and searcher.chancy:
                expected = score_of_chance(
                    (1.0 + expected / searcher.win) / 2.0, CHANCE_SCALE * searcher.heuristic.unit
                )
                assert report.score.value == pytest.approx(expected, abs=1e-5), repr(here)
            elif not searcher.chancy:
                assert report.score.value == pytest.approx(expected, abs=1e-5), repr(here)


@pytest.mark.skipif(interpreting(), reason="too slow as plain Python")
def test_star_pruning_changes_no_value_and_saves_nodes() -> None:
    full, plain = engine("vampires:testmap"), engine("vampires:testmap", (*PRUNING, "star1", "star2"))
    pruned = unpruned = 0
    for here in random_positions("vampires:testmap", 12, seed=5):
        one, other = full.search(here, Limit(depth=2)), plain.search(here, Limit(depth=2))
        assert one.score is not None
        assert other.score is not None
        assert one.score.value == pytest.approx(other.score.value, abs=1e-5), repr(here)
        pruned, unpruned = pruned + one.nodes, unpruned + other.nodes
    assert pruned < unpruned


@pytest.mark.skipif(interpreting(), reason="too slow as plain Python")
def test_steps_that_promise_to_change_no_value_change_none() -> None:
    text = "breakthrough,rows=5,columns=4"
    reference, other = engine(text), engine(text, (*PRUNING, "killers", "history", "principal_variation"))
    fewer = more = 0
    for here in random_positions(text, 20, seed=3):
        one, two = reference.search(here, Limit(depth=5)), other.search(here, Limit(depth=5))
        assert one.score == two.score, repr(here)
        fewer, more = fewer + one.nodes, more + two.nodes
    assert fewer < more


@pytest.mark.skipif(interpreting(), reason="too slow as plain Python")
def test_the_table_changes_no_value_where_nothing_else_prunes() -> None:
    text = "breakthrough,rows=5,columns=4"
    with_table = engine(text, tuple(step for step in PRUNING if step != "table"))
    fewer = more = 0
    for here in random_positions(text, 20, seed=4):
        with_table.forget()
        one, two = with_table.search(here, Limit(depth=6)), engine(text).search(here, Limit(depth=6))
        assert one.score is not None
        assert two.score is not None
        assert one.score.value == pytest.approx(two.score.value, abs=1e-5), repr(here)
        fewer, more = fewer + one.nodes, more + two.nodes
    assert fewer < more


@pytest.mark.skipif(interpreting(), reason="too slow as plain Python")
@pytest.mark.parametrize(
    ("size", "winner"), [("5,columns=2", 1), ("5,columns=3", 1), ("6,columns=2", 0), ("6,columns=3", 0)]
)
def test_solved_boards_are_found_with_their_winner(size: str, winner: int) -> None:
    """Small boards of Breakthrough whose winner is known."""
    game = games.load(f"breakthrough,rows={size}")
    report = Engine(game, megabytes=16).search(game.new(), Limit(depth=40, seconds=30))
    assert report.score is not None
    assert report.score.win_in is not None, report
    assert (report.score.win_in > 0) == (winner == 0)


def test_a_win_is_found_with_its_exact_distance() -> None:
    near = games.position("breakthrough,rows=5,columns=4", "4/2P1/4/p3/4 w 0 1")
    searcher = engine("breakthrough,rows=5,columns=4", ())
    assert searcher.search(near, Limit(depth=3)).score.win_in == 1  # type: ignore[union-attr]
    three = games.position("breakthrough,rows=5,columns=4", "3p/4/1P2/4/4 w 0 1")
    assert searcher.search(three, Limit(depth=5)).score.win_in == 3  # type: ignore[union-attr]


def test_the_answer_is_always_a_whole_legal_turn() -> None:
    for text in ("vampires:testmap", "alquerque:bell", "wolves"):
        searcher = engine(text)
        for here in random_positions(text, 5, seed=8):
            report = searcher.search(here, Limit(nodes=2))
            after = here
            for move in report.moves:
                assert after.turn == here.turn
                after = after.play(move)
            assert after.over or after.turn != here.turn


def test_one_thread_and_a_number_of_nodes_are_deterministic() -> None:
    text = "breakthrough,rows=5,columns=4"
    reports = []
    for _ in range(2):
        searcher = engine(text, ())
        searcher.forget()
        reports.append(searcher.search(games.load(text).new(), Limit(nodes=300 if interpreting() else 20000)))
    one, two = reports
    assert (one.moves, one.nodes, one.lines, one.cutoffs) == (two.moves, two.nodes, two.lines, two.cutoffs)


def test_several_lines_are_different_and_in_order() -> None:
    text = "breakthrough,rows=5,columns=4"
    report = engine(text, ()).search(games.load(text).new(), Limit(depth=3), lines=4)
    assert len({line.moves[0] for line in report.lines}) == 4
    assert all(one.score.value >= two.score.value for one, two in pairwise(report.lines))


@pytest.mark.skipif(interpreting(), reason="threads of plain Python wait for each other")
def test_threads_share_a_table_and_agree_on_the_winner() -> None:
    game = games.load("breakthrough,rows=6,columns=3")
    report = Engine(game, megabytes=16, threads=2).search(game.new(), Limit(depth=40, seconds=30))
    assert report.score is not None
    assert report.score.win_in is not None
    assert report.score.win_in > 0


def test_a_repeated_position_counts_as_a_draw() -> None:
    """Wolves may walk to and fro; a line that repeats is worth nothing to either side."""
    searcher = engine("wolves", tuple(step for step in PRUNING if step != "repetition"))
    start = games.load("wolves").position("s4/5/5/3s1/s2ww w")
    walked = start.play("d1-c1 d2-d3 c1-d1 d3-d2 d1-c1 d2-d3 c1-d1")
    assert not walked.over
    back = [line for line in searcher.search(walked, Limit(depth=1), lines=64).lines if line.text.startswith("d3-d2")]
    assert [line.score.value for line in back] == [0.0]
    fresh = searcher.search(Position(walked.game, walked.state), Limit(depth=1), lines=64).lines
    assert [line.score.value for line in fresh if line.text.startswith("d3-d2")] != [0.0]


@pytest.mark.skipif(interpreting(), reason="too slow as plain Python")
def test_the_table_goes_on_helping_near_the_ply_limit() -> None:
    game = games.load("checkers")
    start = game.new().state
    turns = horizon(start, game.rules)
    searcher = Engine(game, heuristics.find(game.rulebook), megabytes=4)
    report = searcher.search(Position(game, start._replace(ply=turns - 30)), Limit(depth=5))
    assert report.table_hits > 100


def test_a_search_stopped_below_its_window_keeps_the_line_and_the_score_of_the_depth_before() -> None:
    searcher = engine("breakthrough,rows=5,columns=4", ())
    start = searcher.game.new()
    searcher.search(start, Limit(depth=2))
    run = Deepening(searcher, start, Limit(depth=9), 1, None, StopSignal(), time.perf_counter())
    before = Found(12.0, start.move_ids[:1], proven=False)
    record = run.memories[0].record[0]
    run.found, record.line_length[0] = [before], 0
    run._take_unfinished()
    assert run.found == [before]
    record.line_length[0], record.line[0, 0], record.root_value, record.root_proven = 1, start.move_ids[1], 7.0, 0
    run._take_unfinished()
    assert run.found == [Found(7.0, (start.move_ids[1],), proven=False)]


def test_each_word_of_a_table_entry_is_loaded_once() -> None:
    """What was checked is what is used, whatever other threads write meanwhile."""

    class Counting:
        def __init__(self) -> None:
            self.words = new_table(1)
            self.loads: Counter[int] = Counter()

        @property
        def size(self) -> int:
            return self.words.size

        def __getitem__(self, index: int) -> np.int64:
            self.loads[index] += 1
            return np.int64(self.words[index])

    table = Counting()
    write_entry(table.words, 77, 5, facts_of(3, 1, 2), -1.5)
    found: Any = table
    assert read_entry(found, 77) == (facts_of(3, 1, 2), 5, -1.5)
    assert set(table.loads.values()) == {1}


def test_among_threads_a_move_that_another_searches_comes_last_and_keeps_its_rank() -> None:
    searcher = engine("breakthrough,rows=5,columns=4", ())
    memory = searcher.memories[0]
    ranked = {11: 400, 12: 300, 13: 200, 14: 100}
    memory.moves[:4], memory.ranks[:4] = list(ranked), list(ranked.values())
    memory.record.threads = 2
    for move in (12, 13):
        set_busy(True, 77, move, memory)
    picked = []
    for index in range(4):
        assert pick_move(77, SHARED_DEPTH, 1, index, 4, memory)
        picked.append(int(memory.moves[index]))
    assert picked == [11, 14, 12, 13]
    assert [int(rank) for rank in memory.ranks[:4]] == [ranked[move] for move in picked]
    set_free(True, 77, 12, memory)
    assert not is_busy(memory.table, 77, 12)
    assert is_busy(memory.table, 77, 13)


def test_one_thread_alone_picks_by_rank_and_marks_nothing() -> None:
    searcher = engine("breakthrough,rows=5,columns=4", ())
    memory = searcher.memories[0]
    memory.moves[:2], memory.ranks[:2], memory.record.threads = (11, 12), (1, 2), 1
    assert not pick_move(77, SHARED_DEPTH, 1, 0, 2, memory)
    set_busy(False, 77, 12, memory)
    assert memory.moves[0] == 12
    assert not is_busy(memory.table, 77, 12)


@pytest.mark.skipif(interpreting(), reason="threads of plain Python wait for each other")
def test_threads_that_avoid_each_others_moves_find_the_value_of_one() -> None:
    """Without pruning and without the table, a depth has one value, whoever searched which move."""
    alone = engine("breakthrough")
    together = Engine(alone.game, alone.heuristic, megabytes=1, threads=2, without=PRUNING)
    position = alone.game.new()
    for _ in range(3):
        scores = [searcher.search(position, Limit(depth=SHARED_DEPTH)).score for searcher in (alone, together)]
        assert scores[0] == scores[1], position.text
        position = position.play(position.moves()[-1])


def test_a_signal_given_before_the_search_ends_it_at_once() -> None:
    searcher = engine("breakthrough,rows=5,columns=4", ())
    signal = StopSignal()
    signal.stop()
    report = searcher.search(searcher.game.new(), Limit(depth=60), stop=signal)
    assert report.nodes <= 1
    assert report.moves[0] in searcher.game.new().move_ids


@pytest.mark.skipif(interpreting(), reason="threads of plain Python wait for each other")
def test_what_goes_wrong_in_a_helping_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Engine(games.load("breakthrough,rows=5,columns=4"), megabytes=1, threads=2)
    visit_root = searcher.visit_root

    def failing(memory: Memory, *given: Any) -> float:
        if memory.record is searcher.memories[1].record:
            raise ArithmeticError("in the helper")
        return visit_root(memory, *given)

    monkeypatch.setattr(searcher, "visit_root", failing)
    with pytest.raises(ArithmeticError, match="in the helper"):
        searcher.search(searcher.game.new(), Limit(seconds=20))


@pytest.mark.skipif(interpreting(), reason="too slow as plain Python")
def test_more_lines_than_candidates_are_as_many_as_there_are() -> None:
    game = games.load("vampires")
    searcher = Engine(game, heuristics.find(game.rulebook), megabytes=1)
    report = searcher.search(game.new(), Limit(depth=1), lines=64)
    assert 1 <= len(report.lines) < len(game.new().move_ids)
    assert all(line.moves for line in report.lines)


def test_threads_share_a_limit_of_nodes() -> None:
    searcher = Engine(games.load("breakthrough,rows=5,columns=4"), megabytes=1, threads=2)
    nodes = 400 if interpreting() else 20_000
    assert searcher.search(searcher.game.new(), Limit(nodes=nodes)).nodes <= nodes + 2


def test_a_heuristic_beyond_its_bounds_is_never_taken_for_a_win() -> None:
    loud = Heuristic(name="loud", game="breakthrough", bounds=(-300.0, 300.0), evaluate=beyond)
    game = games.load("breakthrough,rows=5,columns=4")
    score = Engine(game, loud, megabytes=1).search(game.new(), Limit(depth=1)).score
    assert score is not None
    assert not score.proven
    assert abs(score.value) <= 300.0


def test_a_search_can_be_watched_and_stopped_from_outside() -> None:
    text = "breakthrough,rows=5,columns=4"
    searcher = engine(text, ())
    seen: list[int] = []
    signal = StopSignal()
    timer = threading.Timer(0.3, signal.stop)
    timer.start()
    began = time.monotonic()
    report = searcher.search(
        games.load("breakthrough,rows=5,columns=4").new(),
        Limit(seconds=60),
        watch=lambda r: seen.append(r.depth),
        stop=signal,
    )
    timer.cancel()
    assert time.monotonic() - began < 30
    assert seen == sorted(seen)
    assert report.moves


def test_a_game_without_a_heuristic_says_so() -> None:
    game = games.load("breakthrough,rows=5,columns=2")
    report = Engine(game, megabytes=1).search(game.new(), Limit(depth=1))
    assert "no heuristic" in report.remarks[0]


def test_finished_games_and_unknown_steps_are_refused() -> None:
    over = games.position("breakthrough,rows=5,columns=4", "P3/4/4/3p/4 b 0 1")
    with pytest.raises(IllegalMove, match="the game is over"):
        engine("breakthrough,rows=5,columns=4").search(over, Limit(depth=1))
    with pytest.raises(BadOption, match="did you mean 'table'"):
        Engine(games.load("breakthrough"), without=["tabel"])
    assert set(PRUNING) < set(STEPS)


def test_expected_values_rise_with_the_score_and_stay_between_loss_and_win() -> None:
    values = [expected_value(score, 100.0) for score in range(-500, 501, 5)]
    assert values == sorted(values)
    assert (values[0], values[100], values[-1]) == (-100.0, 0.0, 100.0)
    assert values[::-1] == [-value for value in values]
    for score in range(-200, 201, 10):
        assert expected_value(score, 100.0) == pytest.approx(100.0 * math.tanh(score / 100.0), abs=2.5)


def test_the_score_of_a_chance_is_the_chance_of_the_score() -> None:
    for chance in (0.002, 0.2, 0.5, 0.9, 0.998):
        score = Score.estimate(score_of_chance(chance, CHANCE_SCALE * 50.0), "white")
        assert win_chance(score, 50.0) == pytest.approx(chance)

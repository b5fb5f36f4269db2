"""Puzzles that are made: one solution each, by minimax; no two alike; going on after a stop; from records, too."""

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz import games
from kibitz.arena.records import files
from kibitz.arena.records.record import Ply, Record
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import Result
from kibitz.games import catalog
from kibitz.puzzles.tactics import maker
from kibitz.puzzles.tactics.judge import SearchJudge, TableJudge, find_judge
from kibitz.puzzles.tactics.maker import make
from kibitz.puzzles.tactics.puzzle import HARDEST, PuzzleSet
from kibitz.puzzles.tactics.settings import Settings
from kibitz.puzzles.tactics.turns import canonical_key, list_turns, start_afresh
from kibitz.puzzles.tactics.verification import verify
from tests.puzzles.tactics.oracle import Oracle, faults_of
from tests.search.walks import walk


def make_set(game: Game, settings: Settings, known: PuzzleSet | None = None) -> PuzzleSet:
    return make(game, settings, known or PuzzleSet.empty(game, settings.facts), lambda found: None)


@pytest.fixture(scope="module")
def tictactoe() -> PuzzleSet:
    return make_set(catalog.load("tictactoe"), Settings(count=12))


def test_puzzles_have_one_solution_by_plain_minimax(tictactoe: PuzzleSet) -> None:
    oracle = Oracle(catalog.load("tictactoe"))
    assert len(tictactoe.puzzles) == 12
    assert {puzzle.goal for puzzle in tictactoe.puzzles} == {"win", "draw"}
    for puzzle in tictactoe.puzzles:
        assert puzzle.evidence == "table"
        assert faults_of(puzzle, oracle) == []


def test_wins_are_short_and_not_there_to_be_taken(tictactoe: PuzzleSet) -> None:
    for puzzle in tictactoe.puzzles:
        assert (puzzle.goal == "win") == (puzzle.turns is not None)
        assert puzzle.turns is None or 3 <= puzzle.turns <= 9
        assert puzzle.choices >= 3
        assert 1 <= puzzle.level <= HARDEST


def test_no_puzzle_is_another_one_seen_through_a_symmetry(tictactoe: PuzzleSet) -> None:
    game = catalog.load("tictactoe")
    keys = [canonical_key(game.position(puzzle.position)) for puzzle in tictactoe.puzzles]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "alquerque", "wolves"])
def test_a_position_and_its_images_have_one_key(name: str) -> None:
    game = catalog.load(name)
    here = game.new()
    for position in [here, *walk(here, 12, seed=3).trail()]:
        images = [Position(game, game.transform(position.state, number)) for number in range(len(game.symmetries))]
        assert images
        assert {canonical_key(image) for image in images} == {canonical_key(position)}


def test_a_run_that_goes_on_keeps_what_it_had_and_finds_more() -> None:
    game = catalog.load("tictactoe")
    first = make_set(game, Settings(count=4))
    second = make_set(game, Settings(count=8), first)
    assert second.puzzles[:4] == first.puzzles
    assert len(second.puzzles) == 8
    assert second.looked_at > first.looked_at


def test_the_same_seed_gives_the_same_puzzles(tictactoe: PuzzleSet) -> None:
    assert make_set(catalog.load("tictactoe"), Settings(count=12)) == tictactoe


def test_it_ends_where_there_are_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "FRUITLESS", 3)
    found = make_set(catalog.load("tictactoe"), Settings(count=20_000, goal="win", longest=3))
    assert len(found.puzzles) < found.looked_at < 300


def test_what_proof_number_search_finds_is_so_by_minimax() -> None:
    game = games.breakthrough(rows=5, columns=2)
    judge, oracle = SearchJudge(game, 1000), Oracle(game)
    found = 0
    for seed in range(8):
        for position in walk(game.new(), 30, seed).trail():
            finding = judge.judge(start_afresh(position))
            if finding is None:
                continue
            found += 1
            mine = 1 if position.turn == 0 else -1
            for turn in list_turns(position) or []:
                wins = mine * oracle.value(turn.after) > 0
                assert wins == (turn.after.key == finding.turn.after.key), position.text
    assert found


def test_a_game_with_a_table_is_judged_by_it_and_a_large_one_by_search() -> None:
    assert isinstance(find_judge(catalog.load("tictactoe"), 1000, False, 0.1), TableJudge)


def test_the_games_of_a_record_are_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    line = ["a1", "b2", "c3", "a3", "c1", "b1", "c2"]
    plies = tuple(Ply(text=text, side=number % 2) for number, text in enumerate(line))
    start = catalog.load("tictactoe").new().text
    record = Record(
        game="tictactoe", first="me", second="you", start=start, plies=plies, result=Result.FIRST_WINS, reason="rules"
    )
    files.save(path, [record])
    found = make_set(catalog.load("tictactoe"), Settings(count=3, sources=(path,)))
    assert found.looked_at == 1
    assert [puzzle.origin for puzzle in found.puzzles] == ["games.jsonl, game 1, turn 2"]


def test_a_puzzle_that_is_not_so_is_found_out(tictactoe: PuzzleSet) -> None:
    game = catalog.load("tictactoe")
    good = tictactoe.puzzles[0]
    others = [turn for turn in list_turns(game.position(good.position)) or [] if turn.text != good.line[0]]
    bad = replace(good, line=(others[0].text,))
    twin = replace(good)
    verdicts = list(verify(replace(tictactoe, puzzles=(bad, good, twin)), game, nodes=20_000))
    assert [bool(verdict.fault) for verdict in verdicts] == [True, True, True]
    assert "seen another way" in verdicts[1].fault
    alone = list(verify(replace(tictactoe, puzzles=(good,)), game, nodes=20_000))
    assert alone[0].fault == ""
    assert "table" not in alone[0].shown_by

"""Openings: balanced, none like another, the same for the same seed."""

import json
import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from kibitz import games
from kibitz.arena.contest.opening_books import read_book
from kibitz.arena.contest.openings import (
    BadOpening,
    Opening,
    OpeningSettings,
    form,
    generate_openings,
    judge_of,
)
from kibitz.arena.records import files
from kibitz.arena.records.record import Ply, Record
from kibitz.core.game import Game
from kibitz.core.random_play import play_turns
from kibitz.core.result import CHANCE
from kibitz.core.seam import interpreting

ANY = OpeningSettings(balance=0)


def drawn(game: Game, settings: OpeningSettings, wanted: int) -> list[Opening]:
    return list(islice(generate_openings(game, settings), wanted))


@pytest.mark.parametrize("text", ["breakthrough", "alquerque:bell", "wolves", "checkers", "vampires:testmap"])
def test_openings_end_where_a_player_is_to_move_and_differ(text: str) -> None:
    game = games.load(text)
    found = drawn(game, ANY, 12)
    ends = [game.new().play(opening.line) for opening in found]
    assert not any(end.over or end.turn == CHANCE for end in ends)
    assert len({form(end) for end in ends}) == 12
    assert [opening.number for opening in found] == list(range(12))


def test_an_opening_has_as_many_turns_as_asked() -> None:
    game = games.breakthrough()
    assert {len(opening.line.split()) for opening in drawn(game, ANY, 40)} == {4, 5, 6, 7, 8}


def test_turns_of_several_moves_and_battles_count_as_they_should() -> None:
    game = games.load("vampires:testmap")
    here = play_turns(game.new(), 6, random.Random(3))
    assert here is not None
    turns = [word for word in here.line.split() if not word.startswith("~")]
    assert len(turns) == 6


def test_the_same_seed_gives_the_same_openings_and_another_one_others() -> None:
    game = games.breakthrough()
    assert drawn(game, ANY, 6) == drawn(game, ANY, 6)
    assert drawn(game, ANY, 6) != drawn(game, OpeningSettings(balance=0, seed=2), 6)


def test_more_openings_can_be_drawn_later() -> None:
    game = games.breakthrough(rows=5, columns=4)
    all_at_once = drawn(game, ANY, 9)
    assert list(islice(generate_openings(game, ANY, all_at_once[:4]), 5)) == all_at_once[4:]


def test_lines_that_lead_to_one_position_or_its_mirror_image_are_one_opening() -> None:
    game = games.breakthrough()
    left, right = game.new().play("a2-a3 a7-a6 b2-b3"), game.new().play("b2-b3 a7-a6 a2-a3")
    mirrored = game.new().play("h2-h3 h7-h6 g2-g3")
    assert form(left) == form(right) == form(mirrored)
    assert form(left) != form(game.new().play("a2-a3 a7-a6 c2-c3"))


def test_where_there_are_not_enough_openings_they_repeat_and_say_so() -> None:
    game = games.breakthrough(rows=5, columns=2)
    found = drawn(game, OpeningSettings(balance=0, least=1, most=1), 5)
    assert [opening.note for opening in found] == ["", "", "repeated", "repeated", "repeated"]
    assert len({opening.seed for opening in found}) == 5


def test_no_random_turns_mean_the_start() -> None:
    found = drawn(games.wolves(), OpeningSettings(least=0, most=0), 3)
    assert [opening.line for opening in found] == ["", "", ""]


@pytest.mark.skipif(interpreting(), reason="asks the compiled engine")
def test_openings_are_balanced_by_the_engine() -> None:
    game = games.alquerque("bell")
    strict = OpeningSettings(balance=0.3, nodes=2_000)
    judge = judge_of(game, strict)
    assert judge is not None
    for opening in drawn(game, strict, 6):
        uneven = judge(game.new().play(opening.line))
        assert (uneven <= 1.0) == (opening.note == "")
    assert judge(game.position("bbbbb/bbbbb/bb1ww/5/5 w")) > 1.0


@pytest.mark.skipif(interpreting(), reason="asks the compiled search")
def test_a_game_without_a_heuristic_is_judged_by_sampling() -> None:
    game = games.load(str(Path(__file__).parent.parent.parent / "laws" / "coin_race.py"))
    judge = judge_of(game, OpeningSettings())
    assert judge is not None
    start = game.new()
    assert judge(start) == judge(start)


def test_games_that_end_too_soon_have_no_openings() -> None:
    game = games.breakthrough(rows=5, columns=2)
    with pytest.raises(BadOpening, match="expected shorter openings"):
        drawn(game, OpeningSettings(balance=0, least=150, most=160), 1)


def test_given_lines_are_played_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("# two of them\na2-a3 a7-a6\n\nb2-b3   # with a remark\n")
    game = games.breakthrough()
    lines = read_book(file, game)
    assert lines == ("a2-a3 a7-a6", "b2-b3")
    found = drawn(game, OpeningSettings(lines=lines), 3)
    assert [(opening.line, opening.note) for opening in found] == [
        ("a2-a3 a7-a6", ""),
        ("b2-b3", ""),
        ("a2-a3 a7-a6", "repeated"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a2-a3\na2-a4\n", r"lines.txt:2: illegal move 'a2-a4'"),
        ("# nothing\n", "no opening in"),
    ],
)
def test_lines_that_cannot_be_played_are_refused(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(text)
    with pytest.raises(BadOpening, match=words):
        read_book(file, games.breakthrough())


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOpening, match="No such file"):
        read_book(tmp_path / "nothing.txt", games.breakthrough())


@pytest.mark.parametrize(("least", "most", "balance"), [(5, 3, 1.0), (4, 900, 1.0), (4, 8, -1.0)])
def test_a_way_to_draw_that_makes_no_sense_is_refused(least: int, most: int, balance: float) -> None:
    with pytest.raises(BadOpening, match="expected"):
        OpeningSettings(least=least, most=most, balance=balance)


def test_a_book_is_read_in_every_form(tmp_path: Path) -> None:
    lines = ("a2-a3 b7-b6", "d2-e3 c7-b6 a2-a3 b6-b5")
    plies = [tuple(Ply(text=word, side=side % 2) for side, word in enumerate(line.split())) for line in lines]
    records = [
        Record(game="breakthrough", first="a", second="b", start="", plies=(*one, *more), opening=len(one), result=None)
        for one, more in zip(plies, [plies[0], ()], strict=True)
    ]
    files.save(tmp_path / "records.txt", [replace(record, start="x") for record in records])
    files.save(tmp_path / "records.jsonl", records)
    (tmp_path / "lines.txt").write_text(f"# mine\n{lines[0]}\n\n{lines[1]} # sharp\n")
    (tmp_path / "list.json").write_text(json.dumps(lines))
    (tmp_path / "table.csv").write_text(f"name,moves\none,{lines[0]}\ntwo,{lines[1]}\n")
    for name in ("records.txt", "records.jsonl", "lines.txt", "list.json", "table.csv"):
        assert read_book(tmp_path / name, games.breakthrough()) == lines, name


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "name\nx\n", "no column is called moves or line or opening"),
        ("a.json", '["a2-a3", 3]', "holds no list of texts"),
        ("a.json", '["a2-a9"]', "opening 1: illegal move 'a2-a9'"),
    ],
)
def test_a_book_that_cannot_be_read_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(BadOpening, match=said):
        read_book(tmp_path / name, games.breakthrough())

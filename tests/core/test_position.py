"""Positions are checked, immutable values that speak text."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz import games
from kibitz.core.errors import BadPosition, IllegalMove, UnknownGame
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, SECOND, Result

GAMES = ["breakthrough", "breakthrough:5x10-three", "alquerque:qirkat", "wolves", "checkers", "vampires:testmap"]


def walked(text: str, plies: int, seed: int = 0) -> Position:
    dice = random.Random(seed)
    here = games.load(text).new()
    for _ in range(plies):
        if here.over:
            break
        here = here.roll(dice) if here.turn == CHANCE else here.play(dice.choice(here.move_ids))
    return here


@pytest.mark.parametrize("text", GAMES)
def test_repr_makes_the_same_position_with_the_same_history(text: str) -> None:
    here = walked(text, 15)
    again = eval(repr(here), {"games": games})
    assert again == here
    assert hash(again) == hash(here)
    assert again.line == here.line
    assert len(list(again.trail())) == len(list(here.trail()))


@pytest.mark.parametrize("text", GAMES)
def test_a_games_repr_makes_the_same_game(text: str) -> None:
    game = games.load(text)
    assert eval(repr(game), {"games": games}) == game
    assert str(game) == text


def test_positions_are_equal_when_game_and_state_are_whatever_led_there() -> None:
    start = games.breakthrough().new()
    one, other = start.play("a2-a3 a7-a6 b2-b3 b7-b6"), start.play("b2-b3 b7-b6 a2-a3 a7-a6")
    assert one == other
    assert one.line != other.line
    assert len({one, other, start}) == 2
    assert one != games.breakthrough("three").new().play("a2-a3 a7-a6 b2-b3 b7-b6")
    assert one != "a position"


def test_a_move_is_understood_as_people_and_as_protocols_write_it_and_as_a_number() -> None:
    start = games.breakthrough().new()
    code = start.move_ids[0]
    text = start.game.move_text(start.state, code)
    assert start.play(text) == start.play(start.game.protocol_text(start.state, code)) == start.play(code)


def test_any_integer_is_a_move_and_nothing_else_that_is_no_text() -> None:
    start = games.breakthrough().new()
    move = start.move_ids[0]
    assert start.play(np.int64(move)) == start.play(np.uint16(move)) == start.play(move)
    assert type(start.play(np.int64(move)).last_move) is int
    wrong: Any
    for wrong in (1.0, None, True, np.float64(1), [move], np.array([move, move])):
        with pytest.raises(IllegalMove, match="expected the text of a move or its integer"):
            start.play(wrong)


def test_an_illegal_move_names_the_culprit_the_position_and_what_is_legal() -> None:
    start = games.breakthrough().new()
    with pytest.raises(IllegalMove) as caught:
        start.play("d2xd3")
    said = str(caught.value)
    assert said.startswith("illegal move 'd2xd3' in breakthrough position 'pppppppp/")
    assert "(legal: a2-a3, a2-b3, " in said
    with pytest.raises(IllegalMove, match="illegal move 99999"):
        start.play(99999)


def test_a_finished_game_takes_no_move_and_has_none() -> None:
    over = games.position("breakthrough", "8/6P1/8/8/p7/8/8/8 w 0 1").play("g7-g8")
    assert over.result is Result.FIRST_WINS
    assert over.result.winner == FIRST
    assert over.moves() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        over.play("a4-a3")


def test_moves_are_sorted_by_text_and_codes_are_in_the_rules_order() -> None:
    start = games.wolves().new()
    assert start.moves() == sorted(start.moves())
    assert sorted(start.move_ids) == sorted(start.game.moves(start.state))


def test_the_moves_of_one_turn_are_one_word_and_outcomes_their_own() -> None:
    here = walked("vampires:testmap", 60, seed=5)
    words = here.line.split()
    assert any("+" in word for word in words)
    assert any(word.startswith("~") for word in words)
    assert games.load("vampires:testmap").new().play(here.line) == here


def test_a_third_repetition_is_a_draw() -> None:
    here = games.wolves().new()
    there_and_back = "b1-b2 a4-a3 b2-b1 a3-a4 "
    assert here.play(there_and_back).result is None
    drawn = here.play(there_and_back * 2)
    assert drawn.seen == 3
    assert drawn.result is Result.DRAW
    assert drawn.result.winner is None
    assert drawn.move_ids == ()


def test_history_ends_where_the_text_begins() -> None:
    here = games.wolves().new().play("b1-b2 a4-a3")
    again = here.game.position(here.text)
    assert again == here
    assert again.line == ""
    assert again.seen == 1


def test_chance_is_rolled_by_its_odds_and_only_where_it_is_to_move() -> None:
    battle = games.position("vampires:testmap", "6/6/2,h1,3/2,w3,3/4,h1,1 v battles=2,3:2".replace("4,h1,1", "4,v1,v1"))
    assert battle.turn == CHANCE
    assert battle.to_move == "chance"
    assert sum(odds for odds, _ in battle.outcomes()) == pytest.approx(1.0)
    dice = random.Random(1)
    rolled = {battle.roll(dice).text for _ in range(200)}
    assert 3 <= len(rolled) <= len(battle.outcomes())
    with pytest.raises(IllegalMove, match="nothing to roll"):
        games.wolves().new().roll(dice)


def test_print_shows_the_board_and_who_is_to_move() -> None:
    shown = str(games.wolves().new())
    assert "5  s  s  s  s  s" in shown
    assert shown.endswith("wolves to move")
    assert games.wolves().new()._repr_svg_().startswith("<svg")


def test_unknown_games_and_bad_positions_say_what_was_expected() -> None:
    with pytest.raises(UnknownGame, match="did you mean 'wolves'"):
        games.load("wolfs")
    with pytest.raises(BadPosition, match="wolves: side to move is 'x', expected w or s"):
        games.position("wolves", "sssss/sssss/5/5/1w1w1 x")


def test_sides_and_names() -> None:
    start = games.alquerque().new()
    assert (start.turn, start.to_move) == (FIRST, "white")
    assert (start.play("17-13").turn, start.play("17-13").to_move) == (SECOND, "black")
    assert isinstance(start.game, Game)


@pytest.mark.parametrize("text", GAMES)
def test_forgotten_moves_are_worked_out_again(text: str) -> None:
    here = walked(text, 8)
    moves, codes, outcomes = here.moves(), here.move_ids, here.outcomes()
    here.forget_moves()
    assert not {"codes", "_moves", "_rolls"} & set(here.__dict__)
    assert (here.moves(), here.move_ids, here.outcomes()) == (moves, codes, outcomes)

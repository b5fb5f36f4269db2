"""The one loop of everything that plays games."""

import random

import pytest

from kibitz import games
from kibitz.core.errors import IllegalMove
from kibitz.core.game_loop import SkipTurn, play_checked, play_game, turns_of
from kibitz.core.position import Position
from kibitz.core.result import CHANCE

GAME = games.load("vampires:testmap")


def test_the_turns_of_a_game_are_those_of_its_end() -> None:
    dice = random.Random(3)
    turns = list(play_game(GAME.new(), lambda here: (dice.choice(here.move_ids),), dice))
    assert turns[-1].after.over
    assert " ".join(turn.text for turn in turns) == turns[-1].after.line
    assert [(turn.side, turn.moves) for turn in turns_of(turns[-1].after)] == [(one.side, one.moves) for one in turns]
    assert any(len(turn.moves) > 1 for turn in turns)
    assert all(len(turn.moves) == 1 for turn in turns if turn.side == CHANCE)


def test_a_skipped_turn_goes_on_from_the_position_given() -> None:
    def pass_once(here: Position) -> tuple[int, ...]:
        if here.state.ply == 0:
            raise SkipTurn(Position(GAME, here.state._replace(side=1, ply=1)))
        return here.move_ids[:1]

    skipped, following, *_ = play_game(GAME.new(), pass_once, random.Random(1))
    assert (skipped.skipped, skipped.moves, skipped.text) == (True, [], "")
    assert following.side == 1


@pytest.mark.parametrize(
    ("moves", "said"), [((), "no move from "), ((99999,), "move '99999' in "), ((0, 0), "more than the turn has")]
)
def test_what_is_no_turn_is_refused(moves: tuple[int, ...], said: str) -> None:
    start = games.breakthrough().new()
    with pytest.raises(IllegalMove, match=said):
        play_checked(start, tuple(start.move_ids[0] if move == 0 else move for move in moves))

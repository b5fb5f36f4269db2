"""Laws for games that can be solved by index: the way back, and the numbers of positions."""

from typing import Any

from kibitz.core.position import Position
from kibitz.core.result import ONGOING
from kibitz.laws.law import NotApplicable, expect
from kibitz.laws.sample import run


def unmoves_are_the_moves_backwards(position: Position) -> None:
    game, state, book = position.game, position.state, position.game.rulebook
    unmoves, unplay = book.unmoves, book.unplay
    if unmoves is None or unplay is None:
        raise NotApplicable("the game declares no way back")
    for code in game.moves(state):
        after = game.play(state, code)
        text = game.move_text(state, code)
        expect(code in list(run(game, unmoves, after)), f"unmoves() does not know how '{text}' came about", position)
        found = game.write(run(game, unplay, after, code))
        expect(found == game.write(state), f"unplay() takes '{text}' back to '{found}'", position)
    for code in run(game, unmoves, state):
        before = run(game, unplay, state, code)
        if game.result(before) == ONGOING:
            shown = f"unmoves() yields {code} from '{game.write(before)}'"
            expect(code in game.moves(before), f"{shown}, where it is no move", position)
            same = game.key(game.play(before, code)) == game.key(state)
            expect(same, f"{shown}, from where it leads elsewhere", position)


def numbers_are_those_of_positions_that_symmetries_make_one(position: Position) -> None:
    game, state, book = position.game, position.state, position.game.rulebook
    index, unindex = book.index, book.unindex
    if index is None or unindex is None or not game.blocks:
        raise NotApplicable("the game declares no numbers")
    number = run(game, index, state)
    if number < 0:
        expect(position.over, "index() knows no number in an unfinished game", position)
        return
    places = sum(block.size for block in game.blocks)
    expect(number < places, f"index() yields {number}, expected less than {places}", position)
    back: Any = run(game, unindex, number)
    found = run(game, index, back)
    expect(found == number, f"unindex({number}) is '{game.write(back)}', whose number is {found}", position)
    expect(game.turn(back) == position.turn, f"unindex({number}) has another side to move", position)
    for each, symmetry in enumerate(game.symmetries):
        image = run(game, index, game.transform(state, each))
        expect(symmetry.swaps or image == number, f"the {symmetry.name} image has the number {image}", position)

"""Alquerque (`dm574`) as the proof search sees it: can the attacker win, or does the defender at least draw?

The side to move always goes up. A position is its pieces in the lowest bits, the enemy's above them, and above those a
bit that says whether the attacker is to move. A position and its mirror image are one.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import count
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.games.alquerque import BOARD, FIELDS
from kibitz.proofs.alquerque.endgames import DRAWN, LOSS, PIECES, POSITION, UNKNOWN, Endings, value_known
from kibitz.proofs.alquerque.moves import LOST, list_moves
from kibitz.proofs.symmetry import Ground, images_of, passed_on, upside_down

Integers = NDArray[np.int64]
Small = NDArray[np.uint8]


def list_children(
    code: int, at: int, kids: Integers, images: Integers, powers: Integers, known: Small, plan: Integers
) -> int:
    """Write the positions that a move leads to, but those that are lost by it; where one wins, write that alone,
    and the answer is LOST. The defender has won where the game is drawn.
    """
    own, enemy, attacking = code & BOARD, code >> FIELDS & BOARD, code >> 2 * FIELDS
    end = list_moves(own, enemy, 1 - attacking, at, kids, images, plan)
    if end == at and not attacking:
        return LOST
    if end < 0 or count(own) + count(enemy) > plan[PIECES] + 1:
        return end
    kept = at
    for index in range(at, end):
        kid = kids[index]
        value = UNKNOWN
        if count(kid & POSITION) <= plan[PIECES]:
            value = value_known(kid & POSITION, powers, known)
        if value == UNKNOWN:
            kids[kept] = kid
            kept += 1
        elif value == LOSS or (value == DRAWN and not attacking):
            kids[at] = kid
            return LOST
    return kept


def list_all(code: int, kids: Integers, images: Integers, plan: Integers) -> int:
    """Write every position that a move leads to; the loser never takes the last piece."""
    own, enemy, attacking = code & BOARD, code >> FIELDS & BOARD, code >> 2 * FIELDS
    return list_moves(own, enemy, 1 - attacking, 0, kids, images, plan)


def ground(game: Game, endings: Endings) -> Ground:
    """What the search needs to know of the board."""
    refuse_other_rules(game)
    return Ground(images_of(5, 5), endings.places, endings.values, np.array([FIELDS, endings.pieces], np.int64))


def refuse_other_rules(game: Game) -> None:
    """The other rulesets know repetition and chains."""
    if game.options != type(game.options)():
        raise BadOption(f"{game.text}: proofs are for the ruleset dm574")


def code_of(position: Position, given: Ground, attacker: int) -> int:
    """A position as the search sees it, when this side wants to win."""
    white, black = int(position.state.white), int(position.state.black)
    if position.state.side != FIRST:
        white, black = upside_down(black, given.images), upside_down(white, given.images)
    # `passed_on` expects the position as the other side sees it
    white, black = upside_down(black, given.images), upside_down(white, given.images)
    return passed_on(white, black, int(position.state.side == attacker), given.images, given.plan)

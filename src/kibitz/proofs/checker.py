"""The checker: it goes through the evidence of a proof with the game's rules and nothing else.

The evidence is a set of positions, each with the winner to move and seen from the winner's side, which is the first
player here. It convinces if from every one of them there is a move after which, whatever the reply, the winner stands
in a position of the set again or reaches the goal within a few moves of plain search; and if the start leads into the
set. Every game here ends, so who always stays within the set must some day reach the goal.

Nothing of the search that found the proof is used: no table, no race, no numbers.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.result import DRAW, FIRST, FIRST_WINS, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, new_control, stoppable
from kibitz.core.seam.slots import moves, play, result, transform
from kibitz.games.alquerque import State as AlquerqueState
from kibitz.games.breakthrough import State as BreakthroughState
from kibitz.proofs.certificate import BadCertificate, Certificate

Integers = NDArray[np.int64]

MIRROR, SWAP = 0, 1  # symmetries of both games: left and right; top and bottom with the sides
PLAIN_TURNS = 2  # so many moves of its own the winner may need to reach the goal from a position outside the set
PORTION = 20_000  # positions between two reports of progress
FIELDS = 25
BREAKTHROUGH, ALQUERQUE = 0, 1
GAME = BREAKTHROUGH


def state_of(code: int, cells: int) -> Any:
    """The position of a code, the winner to move as the first player."""
    own, enemy = code & ((1 << cells) - 1), code >> cells
    if GAME == BREAKTHROUGH:
        return BreakthroughState(np.uint64(own), np.uint64(enemy), FIRST)
    return AlquerqueState(own, enemy, FIRST, 0, 0, 0, 0)


def code_of(state: Any, rules: Any, cells: int) -> int:
    """The code of a position with the first player to move: of two mirror images the smaller one."""
    mirrored = transform(state, MIRROR, rules)
    here = np.int64(state.white) | np.int64(state.black) << cells
    there = np.int64(mirrored.white) | np.int64(mirrored.black) << cells
    return int(min(here, there))


def reached(outcome: int, draw_will_do: int) -> bool:
    """Is this result the goal?"""
    return outcome == FIRST_WINS or (draw_will_do != 0 and outcome == DRAW)


def plainly_reached(state: Any, rules: Any, draw_will_do: int, turns: int, at: int, out: Integers) -> int:
    """1 where the first player, who is to move, reaches the goal within so many moves of its own; found by trying all
    moves. `out` is a stack of moves, free from `at` on.
    """
    end = moves(state, rules, out, at)
    for index in range(at, end):
        after = play(state, out[index], rules)
        outcome = result(after, rules)
        if outcome != ONGOING:
            if reached(outcome, draw_will_do):
                return 1
            continue
        if turns == 1:
            continue
        last = moves(after, rules, out, end)
        holding = 1
        for answer in range(end, last):
            reply = play(after, out[answer], rules)
            outcome = result(reply, rules)
            if outcome != ONGOING:
                holding = 1 if reached(outcome, draw_will_do) else 0
            else:
                holding = plainly_reached(reply, rules, draw_will_do, turns - 1, last, out)
            if holding == 0:
                break
        if holding == 1:
            return 1
    return 0


def among(code: int, claims: Integers) -> bool:
    """Is this position in the set? It is sorted."""
    low, high = 0, claims.size
    while low < high:
        middle = (low + high) // 2
        if claims[middle] < code:
            low = middle + 1
        else:
            high = middle
    return bool(low < claims.size and claims[low] == code)


def answered(
    after: Any, rules: Any, claims: Integers, cells: int, draw_will_do: int, turns: int, at: int, out: Integers
) -> bool:
    """After the winner's move: does every reply end well, or lead into the set or close to the goal?"""
    end = moves(after, rules, out, at)
    for index in range(at, end):
        reply = play(after, out[index], rules)
        outcome = result(reply, rules)
        if outcome != ONGOING:
            if not reached(outcome, draw_will_do):
                return False
            continue
        known = among(code_of(reply, rules, cells), claims)
        if not known and plainly_reached(reply, rules, draw_will_do, turns, end, out) == 0:
            return False
    return True


def first_unfounded(
    rules: Any,
    claims: Integers,
    begin: int,
    end: int,
    cells: int,
    draw_will_do: int,
    turns: int,
    out: Integers,
    control: Integers,
) -> int:
    """The index of the first position in this part of the set that no move keeps up; -1 where all are well founded."""
    for index in range(begin, end):
        state = state_of(claims[index], cells)
        founded = result(state, rules) != ONGOING  # no reply is looked up here that ended the game
        count = moves(state, rules, out, 0)
        for at in range(count):
            after = play(state, out[at], rules)
            outcome = result(after, rules)
            if outcome != ONGOING:
                founded = reached(outcome, draw_will_do)
            else:
                founded = answered(after, rules, claims, cells, draw_will_do, turns, count, out)
            if founded:
                break
        if not founded:
            return index
        if control[STOP] != 0:
            return -1
    return -1


class Checker:
    """Goes through one certificate."""

    def __init__(self, game: Game, certificate: Certificate) -> None:
        self.game, self.certificate = game, certificate
        self._cells = len(game.layout.cells)
        self._room = np.zeros((2 * PLAIN_TURNS + 4) * game.max_moves, np.int64)
        self._check = specialise(game.rulebook, first_unfounded, constants={"GAME": kernel_of(game)})

    def check(self, watch: Callable[[int], None] = lambda done: None) -> None:
        """Refuse the certificate, naming the position, unless it proves what it says."""
        self._check_shape()
        for position in self._after_the_start():
            self._check_start(position)
        claims = self.certificate.claims
        for begin in range(0, claims.size, PORTION):
            bad = self._run(claims, begin, min(begin + PORTION, claims.size))
            if bad >= 0:
                raise BadCertificate(f"no move keeps up the claim about '{self._text(int(claims[bad]))}'")
            watch(min(begin + PORTION, claims.size))

    def _run(self, claims: Integers, begin: int, end: int) -> int:
        control = new_control()
        goal = int(self.certificate.draw_will_do)
        given = self.game.rules, claims, begin, end, self._cells, goal, PLAIN_TURNS, self._room, control
        return int(stoppable(control, self._check, *given))

    def _check_shape(self) -> None:
        """The set is sorted, and each code is a position."""
        claims, cells = self.certificate.claims, self._cells
        own, enemy = claims & ((1 << cells) - 1), claims >> cells
        whole = bool(np.all(claims > 0)) and bool(np.all(claims[1:] > claims[:-1]))
        if (
            not whole
            or bool(np.any(own & enemy))
            or bool(np.any(enemy >> cells))
            or not bool(np.all((own > 0) & (enemy > 0)))
        ):
            raise BadCertificate("the claims are no sorted list of positions")

    def _after_the_start(self) -> Iterator[Any]:
        """The states in which the winner is first to move, seen with the winner as first player."""
        position, winner = self.game.position(self.certificate.position), self.certificate.winner
        states = [position.state]
        if position.turn != winner:
            states = [self.game.play(position.state, move) for move in self.game.moves(position.state)]
        for state in states:
            yield state if winner == FIRST else self.game.transform(state, SWAP)

    def _check_start(self, state: Any) -> None:
        outcome = self.game.result(state)
        if outcome != ONGOING:
            if not reached(outcome, int(self.certificate.draw_will_do)):
                raise BadCertificate(f"'{self.game.write(state)}', to which the start leads, is no success")
            return
        mirrored = self.game.transform(state, MIRROR)
        code = min(int(here.white) | int(here.black) << self._cells for here in (state, mirrored))
        index = int(np.searchsorted(self.certificate.claims, code))
        if index == self.certificate.claims.size or self.certificate.claims[index] != code:
            raise BadCertificate(f"the claims do not hold '{self.game.write(state)}', to which the start leads")

    def _text(self, code: int) -> str:
        own, enemy = code & ((1 << self._cells) - 1), code >> self._cells
        like = self.game.new().state
        state = like._replace(white=type(like.white)(own), black=type(like.black)(enemy))
        return self.game.write(state)


def kernel_of(game: Game) -> int:
    """Which of the two games this is, to the compiled part."""
    return BREAKTHROUGH if game.rulebook.name == "breakthrough" else ALQUERQUE

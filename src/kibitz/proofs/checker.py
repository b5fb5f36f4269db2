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
from kibitz.core.seam.control import STOP, new_control, run_stoppable
from kibitz.core.seam.slots import moves, play, result, transform
from kibitz.proofs.adapter import ProofAdapter, find_adapter
from kibitz.proofs.certificate import BadCertificate, Certificate
from kibitz.proofs.slots import pack_state, unpack_state

Integers = NDArray[np.int64]

MIRROR = 0  # the symmetry that exchanges left and right; the game's adapter says which it is
PLAIN_TURNS = 2  # so many moves of its own the winner may need to reach the goal from a position outside the set
PORTION = 20_000  # positions between two reports of progress


def code_of(state: Any, rules: Any, cells: int) -> int:
    """The code of a position with the first player to move: of two mirror images the smaller one."""
    return int(min(pack_state(state, cells), pack_state(transform(state, MIRROR, rules), cells)))


def is_goal(outcome: int, draw_will_do: int) -> bool:
    """Is this result the goal?"""
    return outcome == FIRST_WINS or (draw_will_do != 0 and outcome == DRAW)


def wins_plainly(state: Any, rules: Any, draw_will_do: int, turns: int, at: int, out: Integers) -> int:
    """1 where the first player, who is to move, reaches the goal within so many moves of its own; found by trying all
    moves. `out` is a stack of moves, free from `at` on.
    """
    end = moves(state, rules, out, at)
    for index in range(at, end):
        after = play(state, out[index], rules)
        outcome = result(after, rules)
        if outcome != ONGOING:
            if is_goal(outcome, draw_will_do):
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
                holding = 1 if is_goal(outcome, draw_will_do) else 0
            else:
                holding = wins_plainly(reply, rules, draw_will_do, turns - 1, last, out)
            if holding == 0:
                break
        if holding == 1:
            return 1
    return 0


def contains(code: int, claims: Integers) -> bool:
    """Is this position in the set? It is sorted."""
    low, high = 0, claims.size
    while low < high:
        middle = (low + high) // 2
        if claims[middle] < code:
            low = middle + 1
        else:
            high = middle
    return bool(low < claims.size and claims[low] == code)


def meets_replies(
    after: Any, rules: Any, claims: Integers, cells: int, draw_will_do: int, turns: int, at: int, out: Integers
) -> bool:
    """After the winner's move: does every reply end well, or lead into the set or close to the goal?"""
    end = moves(after, rules, out, at)
    for index in range(at, end):
        reply = play(after, out[index], rules)
        outcome = result(reply, rules)
        if outcome != ONGOING:
            if not is_goal(outcome, draw_will_do):
                return False
            continue
        known = contains(code_of(reply, rules, cells), claims)
        if not known and wins_plainly(reply, rules, draw_will_do, turns, end, out) == 0:
            return False
    return True


def find_unfounded(
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
        state = unpack_state(claims[index], cells)
        founded = result(state, rules) != ONGOING  # no reply is looked up here that ended the game
        count = moves(state, rules, out, 0)
        for at in range(count):
            after = play(state, out[at], rules)
            outcome = result(after, rules)
            if outcome != ONGOING:
                founded = is_goal(outcome, draw_will_do)
            else:
                founded = meets_replies(after, rules, claims, cells, draw_will_do, turns, count, out)
            if founded:
                break
        if not founded:
            return index
        if control[STOP] != 0:
            return -1
    return -1


class CertificateChecker:
    """Goes through one certificate."""

    def __init__(self, game: Game, certificate: Certificate) -> None:
        self.game, self.certificate = game, certificate
        self._cells = len(game.layout.cells)
        self._room = np.zeros((2 * PLAIN_TURNS + 4) * game.max_moves, np.int64)
        self._adapter = find_adapter(game)
        self._find_unfounded = specialise(game.rulebook, find_unfounded, constants=checker_constants(self._adapter))

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
        return int(run_stoppable(control, self._find_unfounded, *given))

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
            yield state if winner == FIRST else self.game.transform(state, self._adapter.swap)

    def _check_start(self, state: Any) -> None:
        outcome = self.game.result(state)
        if outcome != ONGOING:
            if not is_goal(outcome, int(self.certificate.draw_will_do)):
                raise BadCertificate(f"'{self.game.write(state)}', to which the start leads, is no success")
            return
        mirrored = self.game.transform(state, self._adapter.mirror)
        code = min(int(self._adapter.pack_state(here, self._cells)) for here in (state, mirrored))
        index = int(np.searchsorted(self.certificate.claims, code))
        if index == self.certificate.claims.size or self.certificate.claims[index] != code:
            raise BadCertificate(f"the claims do not hold '{self.game.write(state)}', to which the start leads")

    def _text(self, code: int) -> str:
        return self.game.write(self._adapter.unpack_state(code, self._cells))


def check(game: Game, certificate: Certificate, watch: Callable[[int], None]) -> None:
    """Refuse a certificate unless it proves what it says."""
    CertificateChecker(game, certificate).check(watch)


def checker_constants(adapter: ProofAdapter) -> dict[str, Any]:
    """What the checker's kernels are given of a game."""
    return {"unpack_state": adapter.unpack_state, "pack_state": adapter.pack_state, "MIRROR": adapter.mirror}

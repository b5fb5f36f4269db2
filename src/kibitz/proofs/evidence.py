"""Run the gathering of evidence, with as much room as it turns out to need."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise
from kibitz.proofs.alquerque import adapter as alquerque
from kibitz.proofs.breakthrough import adapter as breakthrough
from kibitz.proofs.checker import PLAIN_TURNS
from kibitz.proofs.dfpn import WIDEST, new_stacks
from kibitz.proofs.evidence_kernels import DONE, FOUND, WAITING, gather_claims, hash_claims
from kibitz.proofs.monitor import watched
from kibitz.proofs.question import BREAKTHROUGH, Question

Integers = NDArray[np.int64]
Watch = Callable[[int, int], None]  # is told how many positions there are and how many of them have been followed up
ROOM = 1 << 20  # positions to begin with
BATCH = 4096  # forgotten positions that are proven anew at a time


class Gathering:
    """The evidence for one answer, out of the table of the search that found it."""

    def __init__(self, question: Question, holds: bool, table: Integers, again: Callable[[int], None]) -> None:
        self.question, self.holds, self.table = question, holds, table
        self._again = again  # proves a position anew where the table has forgotten it
        self._gather = specialise(question.game.rulebook, gather_claims, constants={"GAME": question.kernel})
        self._control = np.zeros(16, np.int64)

    def run(self, watch: Watch) -> Integers:
        """The positions of the evidence, sorted, as the checker wants them."""
        claims, control = self._starts(), self._control
        control[FOUND] = self._begun = claims.size
        seen, waiting = np.zeros(0, np.int64), np.zeros(BATCH, np.int64)
        while control[DONE] < control[FOUND] or control[WAITING] > 0:
            for claim in waiting[: control[WAITING]]:
                self._again(int(claim))
            if claims.size < control[FOUND] + (BATCH + 1) * WIDEST:
                claims = np.concatenate([claims, np.zeros(ROOM + 3 * claims.size, np.int64)])
                seen = self._hashed(claims)
            self._follow_up(claims, seen, waiting, watch)
        cells = len(self.question.game.layout.cells)
        return np.unique(claims[: control[FOUND]] & ((1 << 2 * cells) - 1))

    def _follow_up(self, claims: Integers, seen: Integers, waiting: Integers, watch: Watch) -> None:
        game, control = self.question.game, self._control
        out, kids = np.zeros((2 * PLAIN_TURNS + 4) * game.max_moves, np.int64), new_stacks()[0]
        goal = int(self.question.draw_will_do(self.holds))
        arguments = (
            game.rules, self._begun, goal, PLAIN_TURNS, claims, seen, waiting, out, kids, self.table,
            *self.question.ground, control,
        )  # fmt: skip
        watched(control, partial(self._tell, watch), self._gather, *arguments)

    def _tell(self, watch: Watch) -> None:
        watch(int(self._control[FOUND]), int(self._control[DONE]))

    def _starts(self) -> Integers:
        """The positions in which the winner is first to move."""
        if self.holds:
            return np.array([self.question.code], np.int64)
        kids, ground = new_stacks()[0], self.question.ground
        listing = breakthrough.list_all if self.question.kernel == BREAKTHROUGH else alquerque.list_all
        return np.unique(kids[: listing(self.question.code, kids, ground.images, ground.plan)])

    def _hashed(self, claims: Integers) -> Integers:
        """A hash set, twice as large as the claims, of those there are."""
        seen = np.zeros(2 * claims.size + 1, np.int64)
        specialise(None, hash_claims)(claims, int(self._control[FOUND]), seen)
        return seen

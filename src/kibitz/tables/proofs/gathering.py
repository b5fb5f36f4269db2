"""Run the gathering of evidence, with as much room as it turns out to need."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import KibitzError
from kibitz.core.seam import specialise
from kibitz.search.bounds import MOST_NODES, NO_BOUND
from kibitz.tables.proofs.checker import PLAIN_TURNS
from kibitz.tables.proofs.evidence import DONE, FOUND, UNPROVEN, gather_claims, replies
from kibitz.tables.proofs.numbers import SHOWN, new_stacks
from kibitz.tables.proofs.question import Question
from kibitz.tables.proofs.watching import watched

Integers = NDArray[np.int64]
ROOM = 1 << 20  # positions at first


class Gathering:
    """The evidence for one answer, out of the table of the search that found it."""

    def __init__(self, question: Question, holds: bool, table: Integers) -> None:
        self.question, self.holds, self.table = question, holds, table
        self._gather = specialise(question.game.rulebook, gather_claims, constants={"GAME": question.kernel})
        self._replies = specialise(None, replies, constants={"GAME": question.kernel})

    def run(self, watch: Callable[[int, int], None]) -> Integers:
        """The positions of the evidence, sorted, as the checker wants them."""
        room = ROOM
        while True:
            claims = np.zeros(room, np.int64)
            found = self._attempt(claims, watch)
            if found >= 0:
                cells = len(self.question.game.layout.cells)
                return np.unique(claims[:found] & ((1 << 2 * cells) - 1))
            if found == UNPROVEN:
                raise KibitzError(f"{self.question.text}: the table holds no proof")
            room *= 4

    def _attempt(self, claims: Integers, watch: Callable[[int, int], None]) -> int:
        game, ground = self.question.game, self.question.ground
        control = np.zeros(16, np.int64)
        control[MOST_NODES] = NO_BOUND
        out = np.zeros((2 * PLAIN_TURNS + 4) * game.max_moves, np.int64)
        goal = int(self.question.draw_will_do(self.holds))
        arguments = (
            game.rules, self._starts(), goal, PLAIN_TURNS, claims, np.zeros(2 * claims.size + 1, np.int64), out,
            *new_stacks(), np.full((1, SHOWN), -1, np.int64), self.table, *ground, control,
        )  # fmt: skip
        return int(watched(control, lambda: watch(int(control[FOUND]), int(control[DONE])), self._gather, *arguments))

    def _starts(self) -> Integers:
        """The positions in which the winner is first to move."""
        if self.holds:
            return np.array([self.question.code], np.int64)
        kids = new_stacks()[0]
        return kids[: self._replies(self.question.code, kids, *self.question.ground)].copy()

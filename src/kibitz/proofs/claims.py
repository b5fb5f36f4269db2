"""Proof-number search as a method: run it, and gather its certificate with as much room as that turns out to need."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.seam import specialise
from kibitz.proofs.adapter import find_adapter
from kibitz.proofs.certificate import Certificate
from kibitz.proofs.checker import PLAIN_TURNS, checker_constants
from kibitz.proofs.claim_kernels import Claims, Scratch, fill_set, gather_claims
from kibitz.proofs.control import DONE, FOUND, WAITING, new_control
from kibitz.proofs.dfpn import WIDEST, new_stacks, prove_root
from kibitz.proofs.monitor import run_monitored
from kibitz.proofs.question import Answer, Counts, Method

Integers = NDArray[np.int64]
ROOM = 1 << 20  # positions to begin with
BATCH = 4096  # forgotten positions that are proven anew at a time


class DfpnKernels(NamedTuple):
    """A game's functions for the slots of these names."""

    list_children: Callable[[int, int, Integers, Any], int]
    list_all_children: Callable[[int, Integers, Any], int]
    first_guess: Callable[[int, Any], tuple[int, int]]


def dfpn_method(kernels: DfpnKernels) -> Method:
    """Proof-number search with these kernels; its evidence is a certificate."""
    return Method(prove_root, partial(gather_certificate, kernels), kernels._asdict())


def gather_certificate(kernels: DfpnKernels, answer: Answer, watch: Counts) -> Certificate:
    """The evidence for an answer, out of the table of the search that found it."""
    question, holds = answer.question, answer.holds
    return Certificate(
        question.game.text,
        question.position.text,
        question.winner(holds),
        question.draw_will_do(holds),
        ClaimGatherer(answer, kernels).run(watch),
        answer.nodes,
        answer.seconds,
    )


class ClaimGatherer:
    """Walks through a proof that a search has found."""

    def __init__(self, answer: Answer, kernels: DfpnKernels) -> None:
        self._answer, self._kernels = answer, kernels
        game = answer.question.game
        constants: Mapping[str, Any] = kernels._asdict() | checker_constants(find_adapter(game))
        self._gather = specialise(game.rulebook, gather_claims, constants=constants)
        self._control = new_control()
        self._scratch = Scratch(np.zeros((2 * PLAIN_TURNS + 4) * game.max_moves, np.int64), new_stacks().children)

    def run(self, watch: Counts) -> Integers:
        """The positions of the evidence, sorted, as the checker wants them."""
        starts, control = self._list_starts(), self._control
        control[FOUND] = starts.size
        claims = Claims(starts, np.zeros(0, np.int64), np.zeros(BATCH, np.int64))
        while control[DONE] < control[FOUND] or control[WAITING] > 0:
            for claim in claims.waiting[: control[WAITING]]:
                self._answer.prove_again(int(claim))
            if claims.codes.size < control[FOUND] + (BATCH + 1) * WIDEST:
                claims = self._make_room(claims)
            self._follow_up(claims, starts.size, watch)
        cells = len(self._answer.question.game.layout.cells)
        return np.unique(claims.codes[: control[FOUND]] & ((1 << 2 * cells) - 1))

    def _follow_up(self, claims: Claims, starts: int, watch: Counts) -> None:
        question, control = self._answer.question, self._control
        goal = int(question.draw_will_do(self._answer.holds))
        room = claims, self._scratch, self._answer.table, question.board
        given = question.game.rules, starts, goal, PLAIN_TURNS, *room, control
        run_monitored(control, lambda: watch(int(control[FOUND]), int(control[DONE])), self._gather, *given)

    def _list_starts(self) -> Integers:
        """The positions in which the winner is first to move."""
        question, children = self._answer.question, self._scratch.children
        if self._answer.holds:
            return np.array([question.code], np.int64)
        return np.unique(children[: self._kernels.list_all_children(question.code, children, question.board)])

    def _make_room(self, claims: Claims) -> Claims:
        """The same claims with room for more, and a hash set twice as large as that."""
        codes = np.concatenate([claims.codes, np.zeros(ROOM + 3 * claims.codes.size, np.int64)])
        larger = Claims(codes, np.zeros(2 * codes.size + 1, np.int64), claims.waiting)
        specialise(None, fill_set)(larger, int(self._control[FOUND]))
        return larger

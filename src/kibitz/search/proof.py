"""Proof-number search, depth first with a table (df-pn: Nagai 2002): can this side force a win?

A node's proof number is how many leaves must at least still be won to prove the win, its disproof number how many must
fail to disprove it. The search always works where the least is missing.

Repetition. A line that comes back to a position of its own path is no win. That makes a proof independent of the path:
it rests on wins that were proved before it, so play by it comes nearer to the end and never round in a circle. A
disproof may rest on a position further up the path, and along another path it might not hold (the graph history
interaction problem). So each disproof carries the highest place of the path that it depends on, and it enters the table
only when that lies not above itself. Positions that were on the board before are drawn where the rules say so.

Positions are told apart by 64-bit keys; with a ply limit the turns left are part of them. Where a repetition rule meets
a limit at which the attacker might win, coming back may be of use, so there a disproof by repetition proves nothing,
and what was on the board before is part of the table's keys.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import UNBOUNDED, Limit
from kibitz.core.position import Position
from kibitz.core.random_play import first_decision
from kibitz.core.result import FIRST_WINS, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, run_stoppable
from kibitz.core.seam.slots import (
    count_moves,
    horizon,
    key,
    known_result,
    moves_once,
    play,
    plies_left,
    result,
    turn,
)
from kibitz.search.budget import MOST_NODES, NODES, control_for, refuse_finished
from kibitz.search.clock import Allowance
from kibitz.search.report import first_turn

Records = Any  # an array of records, whose fields are read as attributes

CHILD = np.dtype(  # a child of a node on the path
    [
        ("pn", np.int64),
        ("dn", np.int64),
        ("path_dependence", np.int64),  # the highest place of the path that its disproof depends on
        ("work", np.int64),  # nodes below it so far
    ]
)
ENTRY = np.dtype([("key", np.uint64), ("pn", np.int32), ("dn", np.int32), ("work", np.int32)])  # of the table
QUESTION = np.dtype(
    [
        ("attacker", np.int64),
        ("past", np.int64),  # positions before the root
        ("repetition", np.int64),  # the rules' number
        ("limited", np.int64),  # is there a ply limit?
        ("harmless", np.int64),  # is coming back to a position never good for the attacker?
        ("widest", np.int64),  # the most moves that a position has
        # The numbers of the node that was left last; those of the root are the answer.
        ("pn", np.int64),
        ("dn", np.int64),
        ("path_dependence", np.int64),
        ("move", np.int64),  # on which the root's answer rests
    ]
)

# The number of leaves where nothing helps any more. A disproof number of so many or more is of a proven win and holds
# the length of the proof in moves, so that following proofs comes nearer to their end.
NEVER = 1_000_000_000
INDEPENDENT = 1 << 30  # a disproof that depends on no position of the path
THIS_PATH_ONLY = -1
BUCKET = 4
DEEPEST = 1000  # moves along a line; what lies deeper is given up
LARGEST_STACK = 1 << 19  # moves of all positions on the path


class ProofMemory(NamedTuple):
    """All that a search works with. `moves`, `codes` and `children` are stacks."""

    question: Records  # one QUESTION
    moves: NDArray[np.int64]
    children: Records  # of CHILD, beside the moves
    trail: NDArray[np.uint64]  # keys of the positions before the root, then of those on the path
    past_codes: NDArray[np.uint64]  # for each place of the path a code of all positions before it
    table: Records  # of ENTRY
    control: NDArray[np.int64]


def prove_root(state: Any, rules: Any, played: NDArray[np.int64], memory: ProofMemory) -> int:
    """Search until the question is answered or the search is stopped. The moves `played` lead from the state to the
    root; the answer is left in the question.
    """
    memory.past_codes[0] = 0
    for index in range(played.size):
        code = key(state, rules)
        memory.trail[index] = code
        if memory.question[0].harmless == 0:
            memory.past_codes[0] ^= rotate(code, count_in_past(code, index + 1, memory))
        state = play(state, played[index], rules)
    bound, zero = int(np.int64(NEVER)), int(np.int64(0))  # no literals: the recursion knows one type of argument
    return prove_node(state, rules, bound, bound, zero, zero, memory)


def prove_node(state: Any, rules: Any, most_pn: int, most_dn: int, depth: int, at: int, memory: ProofMemory) -> int:
    """Work below a node until its proof or disproof number reaches its bound. The numbers are left in the question,
    and what a disproof depends on. The stacks are free from `at` on.
    """
    question, children, control = memory.question[0], memory.children, memory.control
    control[NODES] += 1
    before = control[NODES]
    # Step 1. A position of the path, or one too deep, is no win.
    code = key(state, rules) if question.repetition > 0 else limited_key(state, rules, memory)
    place = place_on_path(code, depth, memory)
    memory.trail[question.past + depth] = code
    if place != INDEPENDENT or depth + 1 >= DEEPEST or at + question.widest > memory.moves.size:
        question.pn, question.dn = NEVER, 0
        harmless = place != INDEPENDENT and question.harmless != 0
        question.path_dependence = place if harmless else THIS_PATH_ONLY
        return 0
    memory.past_codes[depth + 1] = memory.past_codes[depth]
    if question.harmless == 0:
        memory.past_codes[depth + 1] ^= rotate(code, 1 + count_in_past(code, question.past, memory))
    # Step 2. Look at the children.
    attacking = turn(state, rules) == question.attacker
    end = list_children(state, rules, depth, at, memory)
    while True:
        # Step 3. The numbers of this node, and the child to work at.
        pn, dn, best, second = combine_numbers(at, end, attacking, memory)
        if pn >= most_pn or dn >= most_dn or control[STOP] != 0 or control[NODES] >= control[MOST_NODES]:
            break
        # Step 4. Work there until another child is clearly better (1 + epsilon: Pawlewicz and Lew 2007).
        margin = second + 1 + second // 4
        if attacking:
            child_pn, child_dn = min(most_pn, margin), most_dn - dn + children[best].dn
        else:
            child_pn, child_dn = most_pn - pn + children[best].pn, min(most_dn, margin)
        began = control[NODES]
        prove_node(play(state, memory.moves[best], rules), rules, child_pn, child_dn, depth + 1, end, memory)
        child = children[best]
        child.pn, child.dn, child.path_dependence = question.pn, question.dn, question.path_dependence
        child.work += control[NODES] - began
    # Step 5. What does a disproof depend on? Of one's own repetition nobody else need know.
    path_dependence = INDEPENDENT
    if dn == 0:
        path_dependence = disproof_dependence(at, end, attacking, memory)
        if path_dependence >= depth:
            path_dependence = INDEPENDENT
    shown = child_to_show(at, end, attacking, pn == 0, memory)
    if pn == 0:
        dn = children[shown].dn + 1
    if depth == 0:
        question.move = memory.moves[shown]
    question.pn, question.dn, question.path_dependence = pn, dn, path_dependence
    # Step 6. Remember it, unless it is true on this path only.
    if dn != 0 or path_dependence == INDEPENDENT:
        store(table_key(state, rules, depth, memory), pn, dn, control[NODES] - before + 1, memory.table)
    return 0


def place_on_path(code: np.uint64, depth: int, memory: ProofMemory) -> int:
    """Where on the path this position stands already; INDEPENDENT if nowhere."""
    past = memory.question[0].past
    for place in range(depth):
        if memory.trail[past + place] == code:
            return place
    return INDEPENDENT


def count_in_past(code: np.uint64, past: int, memory: ProofMemory) -> int:
    """How often a position is among the first so many of the trail."""
    times = 0
    for place in range(past):
        if memory.trail[place] == code:
            times += 1
    return times


def list_children(state: Any, rules: Any, depth: int, at: int, memory: ProofMemory) -> int:
    """Write the moves and, for each, the numbers of the child: final, remembered, or a first guess."""
    question = memory.question[0]
    side = turn(state, rules)
    end = moves_once(state, rules, memory.moves, at)
    for index in range(at, end):
        after = play(state, memory.moves[index], rules)
        child = memory.children[index]
        child.path_dependence = INDEPENDENT
        child.work = 0
        ended = known_outcome(after, rules, side, memory)
        if ended != ONGOING:
            won = ended == FIRST_WINS + question.attacker
            child.pn = 0 if won else NEVER
            child.dn = NEVER if won else 0
            continue
        entry = find_entry(table_key(after, rules, depth + 1, memory), memory.table)
        if entry >= 0:
            known = memory.table[entry]
            child.pn, child.dn, child.work = known.pn, known.dn, known.work
        else:
            choices = max(1, count_moves(after, rules))
            attacking = turn(after, rules) == question.attacker
            child.pn = 1 if attacking else choices
            child.dn = choices if attacking else 1
    return int(end)


def known_outcome(state: Any, rules: Any, mover: int, memory: ProofMemory) -> int:
    """The result of a finished game, or one that is known at the beginning of a turn; ONGOING elsewhere. Repetition of
    what was on the board before the search began counts; any value but a win does for it.
    """
    question = memory.question[0]
    ended = result(state, rules)
    if ended != ONGOING:
        return int(ended)
    if question.repetition > 0 and question.past > 0:
        times = 1 + count_in_past(key(state, rules), question.past, memory)
        if times >= question.repetition:
            return FIRST_WINS + 1 - int(question.attacker)
    if turn(state, rules) != mover:
        turns = known_result(state, rules)
        if turns != 0 and abs(turns) <= horizon(state, rules):
            return FIRST_WINS if turns > 0 else FIRST_WINS + 1
    return ONGOING


def combine_numbers(at: int, end: int, attacking: bool, memory: ProofMemory) -> tuple[int, int, int, int]:
    """The proof and disproof number of a node, the child to work at, and the second least number: of the children's
    numbers of one kind the least counts, of the other the sum. Children that are equal go by the other number.
    """
    best = at
    lowest, second, total = NEVER, NEVER, 0
    lowest_other = NEVER
    for index in range(at, end):
        child = memory.children[index]
        number, other = (child.pn, child.dn) if attacking else (child.dn, child.pn)
        total += other
        if number < lowest or (number == lowest and (index == at or other < lowest_other)):
            second = lowest
            lowest, lowest_other = number, other
            best = index
        elif number < second:
            second = number
    total = NEVER if lowest == 0 else min(total, NEVER - 1)
    return (lowest, total, best, second) if attacking else (total, lowest, best, second)


def disproof_dependence(at: int, end: int, attacking: bool, memory: ProofMemory) -> int:
    """What the disproof of a node depends on: all its children's, or where the defender chooses, the firmest one's."""
    place = INDEPENDENT if attacking else THIS_PATH_ONLY
    for index in range(at, end):
        child = memory.children[index]
        if attacking:
            place = min(place, child.path_dependence)
        elif child.dn == 0:
            place = max(place, child.path_dependence)
    return int(place)


def child_to_show(at: int, end: int, attacking: bool, proven: bool, memory: ProofMemory) -> int:
    """Of wins the shortest that was found, against the longest defence; else a child that disproves, or where all do
    so, the one that took most work.
    """
    best = at
    for index in range(at, end):
        child, so_far = memory.children[index], memory.children[best]
        if proven and attacking:
            better = child.pn == 0 and (so_far.pn != 0 or child.dn < so_far.dn)
        elif proven:
            better = child.dn > so_far.dn
        elif attacking:
            better = child.work > so_far.work
        else:
            better = child.dn < so_far.dn
        if better:
            best = index
    return best


def rotate(code: np.uint64, by: int) -> np.uint64:
    """The code turned by so many bits, 1 to 32."""
    bits = np.uint64(1 + (by - 1) % 32)
    return (code << bits) | (code >> (np.uint64(64) - bits))


def limited_key(state: Any, rules: Any, memory: ProofMemory) -> np.uint64:
    """The position, and where there is a limit, the turns left."""
    code: np.uint64 = key(state, rules)
    if memory.question[0].limited != 0:
        left = np.uint64(plies_left(state, rules) + 1)
        code ^= (left << np.uint64(40)) ^ (left << np.uint64(17)) ^ (left << np.uint64(3))
    return code


def table_key(state: Any, rules: Any, depth: int, memory: ProofMemory) -> np.uint64:
    """The key of a position in the table; never 0, which marks an empty entry. Where coming back may help the attacker,
    a proof holds only with the same positions before it, so they are part of the key.
    """
    code: np.uint64 = (limited_key(state, rules, memory) ^ memory.past_codes[depth]) | np.uint64(1)
    return code


def find_entry(code: np.uint64, table: Records) -> int:
    """The index of a position's entry, -1 where there is none."""
    first = first_of_bucket(code, table)
    for entry in range(first, first + BUCKET):
        if table[entry].key == code:
            return entry
    return -1


def first_of_bucket(code: np.uint64, table: Records) -> int:
    buckets = np.uint64(table.size // BUCKET)
    return np.int64((code >> np.uint64(1)) % buckets) * BUCKET  # type: ignore[return-value]


def store(code: np.uint64, pn: int, dn: int, work: int, table: Records) -> None:
    """Write an entry over the old one of the position, or over the one of its bucket that took the least work."""
    index = find_entry(code, table)
    if index < 0:
        first = first_of_bucket(code, table)
        index = first
        for other in range(first, first + BUCKET):
            if table[other].work < table[index].work:
                index = other
    else:
        work += table[index].work
    entry = table[index]
    entry.key = code
    entry.pn = pn
    entry.dn = dn
    entry.work = min(work, NEVER)


# Asking.


Answer = Literal["proven", "disproven", "unknown"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The answer: can this side force a win?"""

    verdict: Answer
    side: str  # who was to win
    moves: tuple[int, ...] = ()  # of the turn at hand, that wins or, where the other side is to move, spoils the win
    line: str = ""  # a line of play that shows it
    nodes: int = 0
    seconds: float = 0.0
    remarks: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        what = {"proven": "forces a win", "disproven": "cannot force a win", "unknown": "may or may not force a win"}
        return f"{self.side} {what[self.verdict]}"

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def prove(
    position: Position, side: int, limit: Limit, megabytes: int = 64, heuristic: Heuristic | None = None
) -> Proof:
    """Can this side force a win from here? Without a limit of seconds or nodes the search ends with the answer."""
    began = time.perf_counter()
    game = position.game
    if game.rulebook.outcomes is not None:
        raise KibitzError(f"{game.text} is a game of chance, and proofs are for games without")
    refuse_finished(position)
    search = Search(game, side, megabytes, heuristic)
    verdict, move = search.ask(position, limit)
    remarks = tuple(search.remarks)
    nodes = search.nodes
    shows = verdict == "proven" or (verdict == "disproven" and position.turn != side)
    line = tuple(search.line(position, verdict, move)) if shows else ()
    return Proof(
        verdict,
        game.rulebook.sides[side],
        first_turn(position, line),
        _text(position, line),
        nodes,
        time.perf_counter() - began,
        remarks,
    )


class Search:
    """A table and buffers for questions about one game and one side."""

    def __init__(self, game: Game, side: int, megabytes: int, heuristic: Heuristic | None) -> None:
        if not 1 <= megabytes <= 1 << 20:
            raise BadOption(f"a table of {megabytes} megabytes, expected 1 to {1 << 20}")
        book = game.rulebook
        self.game, self.side, self.nodes = game, side, 0
        self.remarks: list[str] = []
        self._run = specialise(book, prove_root, heuristic)
        size = (megabytes << 20) // ENTRY.itemsize // BUCKET * BUCKET
        widest = game.max_moves
        stack = max(min(widest * DEEPEST, LARGEST_STACK), 4 * widest)
        try:
            self._table: Records = np.zeros(size, ENTRY).view(np.recarray)
        except MemoryError:
            raise BadOption(f"a table of {megabytes} megabytes is larger than memory") from None
        self._moves = np.zeros(stack, np.int64)
        self._children: Records = np.zeros(stack, CHILD).view(np.recarray)
        self._question: Records = np.zeros(1, QUESTION).view(np.recarray)
        question = self._question[0]
        question.attacker = side
        question.repetition = book.repetition
        question.limited = book.plies_left is not None
        question.harmless = not (book.plies_left is not None and book.repetition and book.at_limit)
        question.widest = widest
        start = first_decision(game)
        if start is not None:  # compiled before any clock starts
            self.ask(start, Limit(nodes=1))
        self._table[:] = np.zeros(1, ENTRY)  # what it found there knows nothing of a game's past
        self.nodes, self.remarks = 0, []

    def ask(self, position: Position, limit: Limit) -> tuple[Answer, int]:
        """The verdict on a position, and the move that it rests on."""
        *_, origin = position.trail() if self.game.rulebook.repetition else [position]
        past = [place.last_move or 0 for place in position.trail() if place.before] if origin is not position else []
        control, question = control_for(limit), self._question[0]
        question.past = len(past)
        memory = ProofMemory(
            question=self._question,
            moves=self._moves,
            children=self._children,
            trail=np.zeros(len(past) + DEEPEST + 1, np.uint64),
            past_codes=np.zeros(DEEPEST + 2, np.uint64),
            table=self._table,
            control=control,
        )
        given = origin.state, self.game.rules, np.array(past[::-1], np.int64), memory
        alarm = Allowance.of(limit, time.perf_counter()).timer(lambda: control.__setitem__(STOP, 1))
        try:
            run_stoppable(control, self._run, *given)
        finally:
            if alarm is not None:
                alarm.cancel()
            self.nodes += int(control[NODES])
        if question.dn == 0 and question.path_dependence == THIS_PATH_ONLY:
            self.remarks.append("no win was found, but some lines repeat positions or are too long to be judged")
            return "unknown", int(question.move)
        verdict: Answer = "proven" if question.pn == 0 else "disproven" if question.dn == 0 else "unknown"
        return verdict, int(question.move)

    def line(self, position: Position, verdict: Answer, move: int) -> Iterator[int]:
        """A line of play that shows the verdict: the moves that prove it, against the answers that took most work. It
        ends early where the table has forgotten too much.
        """
        spare = self.nodes + 10_000
        here, own_turn = position, True
        for _ in range(DEEPEST):
            yield move
            here = here.play(move)
            if here.over or here.seen > 1 or spare <= 0:
                return
            own_turn = own_turn and here.turn == position.turn
            before = self.nodes
            again, move = self.ask(here, Limit(nodes=UNBOUNDED if own_turn else spare))
            spare -= self.nodes - before
            if again != verdict:
                return


def _text(position: Position, line: tuple[int, ...]) -> str:
    here = Position(position.game, position.state)
    for move in line:
        here = here.play(move)
    return here.line

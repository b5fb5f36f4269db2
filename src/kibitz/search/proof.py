"""Proof-number search, depth first with a table (df-pn: Nagai 2002): can this side force a win?

A node's proof number is how many leaves must at least still be won to prove the win, its disproof number how many must
fail to disprove it. The search always works where the least is missing.

Repetition. A line that comes back to a position of its own path is no win. That makes a proof independent of the path:
it rests on wins that were proved before it, so play by it comes nearer to the end and never round in a circle. A
disproof may rest on a position further up the path, and along another path it might not hold (the graph history
interaction problem). So each disproof carries the highest place of the path that it rests on, and it enters the table
only when that lies not above itself. Positions that were on the board before are drawn where the rules say so.

Positions are told apart by 64-bit keys; with a ply limit the turns left are part of them. Where a repetition rule meets
a limit at which the attacker might win, coming back may be of use, so there a disproof by repetition proves nothing.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import UNBOUNDED, Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST_WINS, ONGOING
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP, run_stoppable
from kibitz.core.seam.slots import (
    count_moves,
    key,
    known_result,
    moves_once,
    play,
    plies_left,
    result,
    turn,
)
from kibitz.search.budget import MOST_NODES, NODES, OWN, bounded_control, refuse_finished
from kibitz.search.clock import Allowance
from kibitz.search.report import first_turn

Integers = NDArray[np.int64]
Small = NDArray[np.int32]
Words = NDArray[np.uint64]

MOVE = OWN  # the entry of `control` that holds the move on which the root's answer rests
PN, DN, RESTS_ON, CHILD_WORK = range(4)  # columns of `numbers`, one row for a child of a node on the path
WORK = 2  # the column of `table` behind PN and DN: nodes below, at the last visit
# Entries of `plan`: who attacks; how many positions came before the root; the rules' number of repetitions; is there a
# ply limit; is coming back to a position never good for the attacker; the most moves a position has.
ATTACKER, PAST, REPETITION, LIMITED, HARMLESS, WIDEST = range(6)

# The number of leaves where nothing helps any more. A disproof number of so many or more is of a proven win and tells
# the length of the proof in moves, so that following proofs comes nearer to their end.
NEVER = 1_000_000_000
ITSELF = 1 << 30  # a disproof that rests on no position of the path
OUTSIDE = -1  # one that holds on this path only
BUCKET = 4
ENTRY_BYTES = 3 * 4 + 8
DEEPEST = 1000  # moves along a line; what lies deeper is given up
LARGEST_STACK = 1 << 19  # moves of all positions on the path


def prove_root(
    state: Any,
    rules: Any,
    played: Integers,
    found: Integers,
    moves: Integers,
    codes: Words,
    numbers: Integers,
    trail: Words,
    table_keys: Words,
    table: Small,
    plan: Integers,
    control: Integers,
) -> int:
    """Search until the question is answered or the search is stopped. The moves `played` lead from the state to the
    root; the answer is left in `found`.
    """
    for index in range(played.size):
        trail[index] = key(state, rules)
        state = play(state, played[index], rules)
    bound, zero = int(np.int64(NEVER)), int(np.int64(0))  # no literals: the recursion knows one type of argument
    return prove_node(
        state, rules, bound, bound, zero, zero, found, moves, codes, numbers, trail, table_keys, table, plan, control
    )


def prove_node(
    state: Any,
    rules: Any,
    most_pn: int,
    most_dn: int,
    depth: int,
    at: int,
    found: Integers,
    moves: Integers,
    codes: Words,
    numbers: Integers,
    trail: Words,
    table_keys: Words,
    table: Small,
    plan: Integers,
    control: Integers,
) -> int:
    """Work below a node until its proof or disproof number reaches its bound. The numbers are left in `found`, and what
    a disproof rests on. `moves`, `codes` and `numbers` are stacks, free from `at` on.
    """
    control[NODES] += 1
    before = control[NODES]
    found[RESTS_ON] = ITSELF
    # Step 1. A position of the path, or one too deep, is no win.
    code = key(state, rules) if plan[REPETITION] > 0 else table_key(state, rules, plan)
    place = place_on_trail(code, trail, plan[PAST], depth)
    trail[plan[PAST] + depth] = code
    if place != ITSELF or depth + 1 >= DEEPEST or at + plan[WIDEST] > moves.size:
        found[PN], found[DN] = NEVER, 0
        found[RESTS_ON] = place if place != ITSELF and plan[HARMLESS] != 0 else OUTSIDE
        return 0
    # Step 2. Look at the children.
    attacking = turn(state, rules) == plan[ATTACKER]
    end = list_children(state, rules, at, moves, codes, numbers, trail, table_keys, table, plan)
    while True:
        # Step 3. The numbers of this node, and the child to work at.
        if attacking:
            pn, dn, best, second = combined(numbers, at, end, PN, DN)
        else:
            dn, pn, best, second = combined(numbers, at, end, DN, PN)
        if pn >= most_pn or dn >= most_dn or control[STOP] != 0 or control[NODES] >= control[MOST_NODES]:
            break
        # Step 4. Work there until another child is clearly better (1 + epsilon: Pawlewicz and Lew 2007).
        margin = second + 1 + second // 4
        if attacking:
            child_pn, child_dn = min(most_pn, margin), most_dn - dn + numbers[best, DN]
        else:
            child_pn, child_dn = most_pn - pn + numbers[best, PN], min(most_dn, margin)
        began = control[NODES]
        prove_node(
            play(state, moves[best], rules), rules, child_pn, child_dn, depth + 1, end, found, moves, codes, numbers,
            trail, table_keys, table, plan, control,
        )  # fmt: skip
        numbers[best, PN], numbers[best, DN], numbers[best, RESTS_ON] = found[PN], found[DN], found[RESTS_ON]
        numbers[best, CHILD_WORK] += control[NODES] - began
    # Step 5. What does a disproof rest on? Of one's own repetition nobody else need know.
    rests_on = ITSELF
    if dn == 0:
        rests_on = foundation(numbers, at, end, attacking)
        if rests_on >= depth:
            rests_on = ITSELF
    telling = telling_child(numbers, at, end, attacking, pn == 0)
    if pn == 0:
        dn = numbers[telling, DN] + 1
    if depth == 0:
        control[MOVE] = moves[telling]
    found[PN], found[DN], found[RESTS_ON] = pn, dn, rests_on
    # Step 6. Remember it, unless it is true on this path only.
    if dn != 0 or rests_on == ITSELF:
        remember(table_key(state, rules, plan), pn, dn, control[NODES] - before + 1, table_keys, table)
    return 0


def place_on_trail(code: np.uint64, trail: Words, past: int, depth: int) -> int:
    """Where on the path this position stands already; ITSELF if nowhere."""
    for place in range(depth):
        if trail[past + place] == code:
            return place
    return ITSELF


def list_children(
    state: Any,
    rules: Any,
    at: int,
    moves: Integers,
    codes: Words,
    numbers: Integers,
    trail: Words,
    table_keys: Words,
    table: Small,
    plan: Integers,
) -> int:
    """Write the moves and, for each, the numbers of the child: final, remembered, or a first guess."""
    end = moves_once(state, rules, moves, at)
    for index in range(at, end):
        child = play(state, moves[index], rules)
        numbers[index, RESTS_ON] = ITSELF
        numbers[index, CHILD_WORK] = 0
        outcome = settled(child, rules, trail, plan)
        if outcome != ONGOING:
            won = outcome == FIRST_WINS + plan[ATTACKER]
            numbers[index, PN] = 0 if won else NEVER
            numbers[index, DN] = NEVER if won else 0
            continue
        codes[index] = table_key(child, rules, plan)
        entry = entry_of(codes[index], table_keys)
        if entry >= 0:
            numbers[index, PN] = table[entry, PN]
            numbers[index, DN] = table[entry, DN]
            numbers[index, CHILD_WORK] = table[entry, WORK]
        else:
            choices = max(1, count_moves(child, rules))
            attacking = turn(child, rules) == plan[ATTACKER]
            numbers[index, PN] = 1 if attacking else choices
            numbers[index, DN] = choices if attacking else 1
    return int(end)


def settled(state: Any, rules: Any, trail: Words, plan: Integers) -> int:
    """The result of a finished game or one that is surely won; ONGOING elsewhere. Repetition of what was on the board
    before the search began counts; any value but a win does for it.
    """
    outcome = result(state, rules)
    if outcome != ONGOING:
        return int(outcome)
    turns = known_result(state, rules)
    if turns != 0 and abs(turns) <= plies_left(state, rules):
        return FIRST_WINS if turns > 0 else FIRST_WINS + 1
    if plan[REPETITION] > 0 and plan[PAST] > 0:
        code = key(state, rules)
        times = 1
        for place in range(plan[PAST]):
            if trail[place] == code:
                times += 1
        if times >= plan[REPETITION]:
            return FIRST_WINS + 1 - int(plan[ATTACKER])
    return ONGOING


def combined(numbers: Integers, at: int, end: int, least: int, added: int) -> tuple[int, int, int, int]:
    """Of the children's numbers the least of one kind and the sum of the other; the child to work at, and the second
    least. Children that are equal go by the other number.
    """
    best = at
    lowest, second, total = NEVER, NEVER, 0
    for index in range(at, end):
        number, other = numbers[index, least], numbers[index, added]
        total += other
        if number < lowest or (number == lowest and other < numbers[best, added]):
            second = lowest
            lowest = number
            best = index
        elif number < second:
            second = number
    if lowest == 0:
        return 0, NEVER, best, second
    return lowest, min(total, NEVER - 1) if total > 0 else 0, best, second


def foundation(numbers: Integers, at: int, end: int, attacking: bool) -> int:
    """What the disproof of a node rests on: all its children's, or where the defender chooses, the firmest one's."""
    place = ITSELF if attacking else OUTSIDE
    for index in range(at, end):
        if attacking:
            place = min(place, numbers[index, RESTS_ON])
        elif numbers[index, DN] == 0:
            place = max(place, numbers[index, RESTS_ON])
    return int(place)


def telling_child(numbers: Integers, at: int, end: int, attacking: bool, proven: bool) -> int:
    """The child to show. Of wins the shortest that was found, against the longest defence; else one that disproves, or
    where all do so, the one that took most work.
    """
    best = at
    for index in range(at, end):
        if proven and attacking:
            better = numbers[index, PN] == 0 and (numbers[best, PN] != 0 or numbers[index, DN] < numbers[best, DN])
        elif proven:
            better = numbers[index, DN] > numbers[best, DN]
        elif attacking:
            better = numbers[index, CHILD_WORK] > numbers[best, CHILD_WORK]
        else:
            better = numbers[index, DN] < numbers[best, DN]
        if better:
            best = index
    return best


def table_key(state: Any, rules: Any, plan: Integers) -> np.uint64:
    """The position, and where there is a limit, the turns left; never 0, which marks an empty entry."""
    code: np.uint64 = key(state, rules)
    if plan[LIMITED] != 0:
        left = np.uint64(plies_left(state, rules) + 1)
        code ^= (left << np.uint64(40)) ^ (left << np.uint64(17)) ^ (left << np.uint64(3))
    return code | np.uint64(1)


def entry_of(code: np.uint64, table_keys: Words) -> int:
    """The index of a position's entry, -1 where there is none."""
    first = bucket_of(code, table_keys)
    for entry in range(first, first + BUCKET):
        if table_keys[entry] == code:
            return entry
    return -1


def bucket_of(code: np.uint64, table_keys: Words) -> int:
    buckets = np.uint64(table_keys.size // BUCKET)
    return np.int64((code >> np.uint64(1)) % buckets) * BUCKET  # type: ignore[return-value]


def remember(code: np.uint64, pn: int, dn: int, work: int, table_keys: Words, table: Small) -> None:
    """Write an entry over the old one of the position, or over the one of its bucket that took the least work."""
    entry = entry_of(code, table_keys)
    if entry < 0:
        first = bucket_of(code, table_keys)
        entry = first
        for other in range(first, first + BUCKET):
            if table[other, WORK] < table[entry, WORK]:
                entry = other
    else:
        work += table[entry, WORK]
    table_keys[entry] = code
    table[entry, PN] = pn
    table[entry, DN] = dn
    table[entry, WORK] = min(work, NEVER)


# Asking.


Verdict = Literal["proven", "disproven", "unknown"]


@dataclass(frozen=True, slots=True)
class Proof:
    """The answer: can this side force a win?"""

    verdict: Verdict
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
    codes = tuple(search.line(position, verdict, move)) if shows else ()
    return Proof(
        verdict,
        game.rulebook.sides[side],
        first_turn(position, codes),
        _text(position, codes),
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
        size = (megabytes << 20) // ENTRY_BYTES // BUCKET * BUCKET
        widest = game.max_moves
        stack = max(min(widest * DEEPEST, LARGEST_STACK), 4 * widest)
        try:
            self._table = np.zeros(size, np.uint64), np.zeros((size, 3), np.int32)
        except MemoryError:
            raise BadOption(f"a table of {megabytes} megabytes is larger than memory") from None
        self._stacks = np.zeros(stack, np.int64), np.zeros(stack, np.uint64), np.zeros((stack, 4), np.int64)
        limited = book.plies_left is not None
        harmless = not (limited and book.repetition and book.at_limit)
        self._plan = np.array([side, 0, book.repetition, limited, harmless, widest], np.int64)
        self.ask(game.new(), Limit(nodes=1))  # compiled before any clock starts
        self.nodes, self.remarks = 0, []

    def ask(self, position: Position, limit: Limit) -> tuple[Verdict, int]:
        """The verdict on a position, and the move that it rests on."""
        *_, origin = position.trail() if self.game.rulebook.repetition else [position]
        past = [place.last_move or 0 for place in position.trail() if place.before] if origin is not position else []
        self._plan[PAST] = len(past)
        trail = np.zeros(len(past) + DEEPEST + 1, np.uint64)
        control, found = bounded_control(limit), np.zeros(3, np.int64)
        arguments: tuple[Any, ...] = (
            origin.state, self.game.rules, np.array(past[::-1], np.int64), found, *self._stacks, trail, *self._table,
            self._plan, control,
        )  # fmt: skip
        alarm = Allowance.of(limit, time.perf_counter()).timer(lambda: control.__setitem__(STOP, 1))
        try:
            run_stoppable(control, self._run, *arguments)
        finally:
            if alarm is not None:
                alarm.cancel()
            self.nodes += int(control[NODES])
        if found[DN] == 0 and found[RESTS_ON] == OUTSIDE:
            self.remarks.append("no win was found, but some lines repeat positions or are too long to be judged")
            return "unknown", int(control[MOVE])
        verdict: Verdict = "proven" if found[PN] == 0 else "disproven" if found[DN] == 0 else "unknown"
        return verdict, int(control[MOVE])

    def line(self, position: Position, verdict: Verdict, move: int) -> Iterator[int]:
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


def _text(position: Position, codes: tuple[int, ...]) -> str:
    here = Position(position.game, position.state)
    for code in codes:
        here = here.play(code)
    return here.line

"""The end of Chinese checkers is a race: once the armies have passed each other, each has a puzzle of its own to solve.

The armies have passed each other when every blue marble stands in a higher row than every red one. The rows above Red's
foremost are then Blue's zone, those below Blue's rearmost are Red's. A hop within a zone has all its cells there, the
marble hopped over too, so what an army can do within its zone does not depend on the enemy; and as long as nobody turns
back behind the own rear, the armies stay passed. A plan for one army that keeps to its zone is therefore legal
however the enemy goes on racing. (Whoever does turn back, or hops over the enemy's rear and back again, gives the game
another turn: a plan is made anew before each move.)

A plan is found turn by turn, breadth first: of all the armies that can be reached in so many turns only the most
promising are followed. Then the same with four times as many, now leaving out those that can no longer be sooner than
the plan at hand, and so on. A round in which none had to be given up has proved that nothing is shorter. Armies met
before are recognised by a 64-bit code.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.game import Game
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import FIRST
from kibitz.core.seam import specialise
from kibitz.core.seam.control import STOP
from kibitz.games.checkers import EMPTY, ORDINARY, SPECIAL, belongs, targets
from kibitz.heuristics.checkers_distance import beside_its_place, class_changes, class_of, rows_left
from kibitz.search.budget import OWN, control_for, count_node, run_within

NARROWEST, WIDEST = 32, 2048  # armies followed from one turn to the next
MOST_TURNS = 100
CHILDREN = 64  # room for so many new armies from each one followed
CODES = 2048  # and for so many that are met in a round
COSTS = 1 << 14  # estimates are below it
TURN_COST = 8  # what a turn of the lower bound adds to an estimate
NEAR, HOMELESS = 40, 48  # where a tally counts them, in bits; the classes of cells are below
LENGTH, PROVEN, GAVE_UP, KNOWN = range(OWN, OWN + 4)  # of the control array; KNOWN: codes met in a round


class Plan(NamedTuple):
    """The moves of one side, one a turn, that bring its army home; none where it is there, or nothing was found."""

    moves: tuple[int, ...]
    proven: bool  # nothing shorter exists within the army's zone


# The search. A marble has a number; the ordinary ones come first. `tally` and `cost` are sums over an army of what a
# marble of some kind adds on some cell, `code` is a sum without carry.


class Zone(NamedTuple):
    """What the search knows of one side's way home."""

    needed: int
    tally: NDArray[np.int64]
    cost: NDArray[np.int64]
    code: NDArray[np.int64]
    steps: NDArray[np.int16]
    reach: NDArray[np.int8]


class Armies(NamedTuple):
    """The armies met in a round, those of one turn after those of the turn before, and room to work in."""

    marbles: int
    ordinary: int  # the marbles before this one
    places: NDArray[np.int16]  # where an army's marbles are
    sums: NDArray[np.int64]  # FIELDS numbers an army
    codes: NDArray[np.int64]  # a hash set
    counts: NDArray[np.int64]  # armies of each rank
    board: NDArray[np.int8]
    queue: NDArray[np.int16]
    reached: NDArray[np.int16]


TALLY, COST, CODE, PARENT, MOVE, RANK, FIELDS = range(7)  # of an army in `sums`


def shortest(
    start: NDArray[np.int16], zone: Zone, armies: Armies, path: NDArray[np.int64], control: NDArray[np.int64]
) -> int:
    """The length of the shortest plan found, 0 for none; its moves are written to `path`."""
    best = MOST_TURNS + 1
    width = NARROWEST
    while control[STOP] == 0:
        control[GAVE_UP] = 0
        length = attempt(width, best, start, zone, armies, path, control)
        if length > 0:
            best = length
        if control[STOP] == 0 and control[GAVE_UP] == 0:
            control[PROVEN] = 1
        if control[PROVEN] != 0 or width == WIDEST:
            break
        width *= 4
    return best if best <= MOST_TURNS else 0


def attempt(
    width: int,
    best: int,
    start: NDArray[np.int16],
    zone: Zone,
    armies: Armies,
    path: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """One round: the length of a plan with fewer than `best` turns, or 0."""
    slots = width * CODES
    armies.codes[:slots] = 0
    armies.board[:] = EMPTY
    control[KNOWN], control[LENGTH] = 0, 0
    write_first(start, zone, armies)
    begin, end, turns = 0, 1, 0
    while begin < end and turns < best:
        turns += 1
        fresh = end
        for army in range(begin, end):
            fresh = expand(army, fresh, turns, best, slots, zone, armies, control)
            if control[LENGTH] != 0:
                write_path(path, turns, fresh - 1, armies.sums)
                return turns
            if control[STOP] != 0:
                return 0
        begin = end
        end = keep_best(width, begin, fresh, armies, control)
    return 0


def write_first(start: NDArray[np.int16], zone: Zone, armies: Armies) -> None:
    """The army as it stands becomes number 0."""
    cells, sums = len(zone.tally) // 2, armies.sums
    sums[:FIELDS] = 0
    for marble in range(armies.marbles):
        at = int(start[marble]) + (cells if marble >= armies.ordinary else 0)
        armies.places[marble] = start[marble]
        sums[TALLY] += zone.tally[at]
        sums[COST] += zone.cost[at]
        sums[CODE] ^= zone.code[at]


def expand(
    army: int,
    fresh: int,
    turns: int,
    best: int,
    slots: int,
    zone: Zone,
    armies: Armies,
    control: NDArray[np.int64],
) -> int:
    """Write down the new armies that a move makes of this one, from `fresh` on; where they end.

    One that is home is the last: control[LENGTH] then has its turns.
    """
    marbles, cells, room = armies.marbles, len(zone.tally) // 2, len(armies.sums) // FIELDS
    places, sums, board = armies.places, armies.sums, armies.board
    armies.reached[:] = 0
    for marble in range(marbles):
        board[places[army * marbles + marble]] = 1
    for marble in range(marbles):
        origin = int(places[army * marbles + marble])
        kind = cells if marble >= armies.ordinary else 0
        stop = targets(board, origin, armies.queue, armies.reached, zone.steps, zone.reach)
        for at in range(1, stop):
            target = int(armies.queue[at])
            code = sums[army * FIELDS + CODE] ^ zone.code[kind + origin] ^ zone.code[kind + target]
            if 4 * control[KNOWN] > 3 * slots or fresh == room:
                control[GAVE_UP] = 1
                break
            if met(armies.codes, slots, code):
                continue
            control[KNOWN] += 1
            tally = sums[army * FIELDS + TALLY] - zone.tally[kind + origin] + zone.tally[kind + target]
            left = turns_left(tally, zone.needed)
            if turns + left >= best:
                continue
            if not count_node(control):
                return fresh
            cost = sums[army * FIELDS + COST] - zone.cost[kind + origin] + zone.cost[kind + target]
            row = fresh * FIELDS
            sums[row + TALLY], sums[row + COST], sums[row + CODE] = tally, cost, code
            sums[row + PARENT], sums[row + MOVE] = army, origin * cells + target
            sums[row + RANK] = min(cost + TURN_COST * left, COSTS - 1)
            for other in range(marbles):
                places[fresh * marbles + other] = places[army * marbles + other]
            places[fresh * marbles + marble] = target
            fresh += 1
            if left == 0:
                control[LENGTH] = turns
                return fresh
    for marble in range(marbles):
        board[places[army * marbles + marble]] = EMPTY
    return fresh


def turns_left(tally: int, needed: int) -> int:
    """The lower bound of `kibitz.heuristics.checkers.army`, from a tally."""
    return (tally >> HOMELESS) + max(0, class_changes(tally, needed) - (tally >> NEAR & 255))


def met(codes: NDArray[np.int64], slots: int, code: int) -> bool:
    """Was this code met in this round? From now on it was."""
    at = code & (slots - 1)
    while codes[at] != 0:
        if codes[at] == code:
            return True
        at = (at + 1) & (slots - 1)
    codes[at] = code
    return False


def write_path(path: NDArray[np.int64], turns: int, army: int, sums: NDArray[np.int64]) -> None:
    for turn in range(turns - 1, -1, -1):
        path[turn] = sums[army * FIELDS + MOVE]
        army = sums[army * FIELDS + PARENT]


def keep_best(width: int, begin: int, end: int, armies: Armies, control: NDArray[np.int64]) -> int:
    """Give up all but the `width` most promising armies from `begin` on; where the others end."""
    if end - begin <= width:
        return end
    control[GAVE_UP] = 1
    marbles, places, sums, counts = armies.marbles, armies.places, armies.sums, armies.counts
    counts[:] = 0
    for army in range(begin, end):
        counts[sums[army * FIELDS + RANK]] += 1
    worst, better = 0, 0
    while better + counts[worst] <= width:
        better += counts[worst]
        worst += 1
    ties = width - better
    kept = begin
    for army in range(begin, end):
        rank = sums[army * FIELDS + RANK]
        if rank > worst or (rank == worst and ties == 0):
            continue
        if rank == worst:
            ties -= 1
        for field in range(FIELDS):
            sums[kept * FIELDS + field] = sums[army * FIELDS + field]
        for marble in range(marbles):
            places[kept * marbles + marble] = places[army * marbles + marble]
        kept += 1
    return kept


# What the search is given of a game.


@lru_cache(maxsize=64)
def zone_of(game: Game, side: int, rows: int) -> Zone:
    """The zone that has so many rows, counted from the tip of the goal."""
    rules = game.rules
    cells = range(rules.size * rules.size)
    marbles = ORDINARY + side, SPECIAL + side
    inside = np.array([rows_left(cell, side, rules.size) < rows for cell in cells])
    return Zone(
        needed=sum(1 << class_of(int(rules.wanted[cell]), cell, rules.size) for cell in goal_of(game, side)),
        tally=np.array([tally_of(game, marble, cell) for marble in marbles for cell in cells], np.int64),
        cost=np.array([cost_of(game, marble, cell, side) for marble in marbles for cell in cells], np.int64),
        code=np.random.default_rng(1).integers(1, 1 << 62, 2 * len(cells), np.int64),
        steps=rules.step,
        reach=np.array([reach_of(game, at, inside) for at in range(len(rules.reach))], np.int8),
    )


def room_for(ordinary: int, marbles: int, cells: int) -> Armies:
    """Room for as many armies as a search may keep."""
    room = WIDEST * (MOST_TURNS + CHILDREN)
    return Armies(
        marbles,
        ordinary,
        places=np.empty(room * marbles, np.int16),
        sums=np.empty(room * FIELDS, np.int64),
        codes=np.empty(WIDEST * CODES, np.int64),
        counts=np.empty(COSTS, np.int64),
        board=np.empty(cells, np.int8),
        queue=np.empty(cells, np.int16),
        reached=np.empty(cells, np.int16),
    )


def goal_of(game: Game, side: int) -> list[int]:
    return [int(cell) for cell in np.split(game.rules.goals, 2)[side]]


def tally_of(game: Game, marble: int, cell: int) -> int:
    rules = game.rules
    tally = 1 << class_of(marble, cell, rules.size)
    tally += int(int(rules.wanted[cell]) != marble) << HOMELESS
    return tally + (int(beside_its_place(marble, cell, rules.wanted, rules.step, rules.reach)) << NEAR)


def cost_of(game: Game, marble: int, cell: int, side: int) -> int:
    """How far a marble seems from home: twice as far is more than twice as bad, and the middle is better than the edge.
    The numbers matter little: others found plans of the same length.
    """
    size = int(game.rules.size)
    wanted, left = int(game.rules.wanted[cell]), rows_left(cell, side, size)
    if belongs(wanted, side):
        return 8 * left + (0 if wanted == marble else 40)
    return 8 * left + 2 * left * left + 4 * abs(cell // size - cell % size) + 10


def reach_of(game: Game, at: int, inside: NDArray[np.bool_]) -> int:
    """How many cells of the zone follow in a direction."""
    cell, direction = divmod(at, 6)
    step, farthest, length = int(game.rules.step[direction]), int(game.rules.reach[at]), 0
    while length < farthest and inside[cell] and inside[cell + (length + 1) * step]:
        length += 1
    return length


# Plans for positions.


def have_passed(position: Position) -> bool:
    """Have the armies passed each other?"""
    blue, red = rows_of(position, FIRST), rows_of(position, 1 - FIRST)
    return max(blue) < min(red)


def rows_of(position: Position, side: int) -> list[int]:
    """The rows of an army's marbles, counted from the top."""
    size = position.game.rules.size
    return [rows_left(cell, FIRST, size) for cell, marble in enumerate(position.state.cells) if belongs(marble, side)]


def find_plan(position: Position, side: int, limit: Limit) -> Plan:
    """The shortest plan found for one side's army within the limit, whoever is to move. The armies have passed."""
    if not have_passed(position):
        raise ValueError(f"the armies have not passed each other in '{position.text}'")
    game, cells = position.game, position.state.cells
    if all(cells[cell] == game.rules.wanted[cell] for cell in goal_of(game, side)):
        return Plan((), True)
    enemy = rows_of(position, 1 - side)
    last = 2 * game.rules.size - 2
    zone = zone_of(game, side, min(enemy) if side == FIRST else last - max(enemy))
    ordinary, special = (np.flatnonzero(cells == kind + side) for kind in (ORDINARY, SPECIAL))
    start = np.concatenate((ordinary, special)).astype(np.int16)
    armies = room_for(len(ordinary), len(start), len(cells))
    path = np.zeros(MOST_TURNS, np.int64)
    control = control_for(limit)
    length, _ = run_within(limit, control, specialise(None, shortest), start, zone, armies, path)
    return Plan(tuple(path[:length].tolist()), bool(control[PROVEN]))


def a_step_from_home(game: Game) -> Position:
    """A race that is nearly over: both armies have arrived but for one blue marble."""
    start = game.new().state
    cells = np.array([EMPTY, 2, 1, 4, 3], np.int8)[start.cells]  # each army in the other's home
    row = [rows_left(cell, FIRST, game.rules.size) for cell in range(cells.size)]
    blue = [cell for cell in range(cells.size) if belongs(cells[cell], FIRST)]
    rearmost = max(blue, key=lambda cell: row[cell])
    nearest = min((cell for cell in range(cells.size) if cells[cell] == EMPTY), key=lambda cell: row[cell])
    cells[rearmost], cells[nearest] = EMPTY, cells[rearmost]
    return Position(game, type(start)(cells, FIRST, 0))


class RacePlanner:
    """Plans races, and keeps to a plan as long as it finds nothing shorter."""

    remark = "the armies have passed: the shortest way home"

    def __init__(self, game: Game) -> None:
        self.plans: dict[bytes, Plan] = {}  # for one's own army
        find_plan(a_step_from_home(game), FIRST, Limit(nodes=1))  # compiles, before any clock runs

    def plan(self, position: Position, limit: Limit) -> int | None:
        """The next move of the side to move where the armies have passed each other, else None."""
        if position.over or not have_passed(position):
            return None
        plan = self._best(position, limit)
        if not plan.moves:
            return None
        self.plans = {army_of(position.play(plan.moves[0]), position.turn): Plan(plan.moves[1:], plan.proven)}
        return plan.moves[0]

    def _best(self, position: Position, limit: Limit) -> Plan:
        kept = self.plans.get(army_of(position, position.turn))
        if kept is None or not kept.moves or kept.moves[0] not in position.move_ids:
            return find_plan(position, position.turn, limit)
        if kept.proven:
            return kept
        found = find_plan(position, position.turn, limit)
        return found if found.proven or 0 < len(found.moves) < len(kept.moves) else kept


def army_of(position: Position, side: int) -> bytes:
    """One side's marbles and where they are."""
    cells = position.state.cells
    return bytes([side]) + np.where((cells == ORDINARY + side) | (cells == SPECIAL + side), cells, EMPTY).tobytes()

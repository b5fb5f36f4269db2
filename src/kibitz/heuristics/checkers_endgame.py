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
from kibitz.heuristics.checkers import beside_its_place, class_changes, class_of, rows_left
from kibitz.search.budget import OWN, bounded, bounded_control, counted

NARROWEST, WIDEST = 32, 2048  # armies followed from one turn to the next
MOST_TURNS = 100
CHILDREN = 64  # room for so many new armies from each one followed
CODES = 2048  # and for so many that are met in a round
COSTS = 1 << 14  # estimates are below it
TURN_COST = 8  # what a turn of the lower bound adds to an estimate
NEAR, HOMELESS = 40, 48  # where a tally counts them, in bits; the classes of cells are below
LENGTH, PROVEN, GAVE_UP = range(OWN, OWN + 3)  # of the control array


class Plan(NamedTuple):
    """The moves of one side, one a turn, that bring its army home; none where it is there, or nothing was found."""

    moves: tuple[int, ...]
    proven: bool  # nothing shorter exists within the army's zone


# The search. A marble has a number; the ordinary ones come first. `tally` and `cost` are sums over an army of what a
# marble of some kind adds on some cell, `code` is a sum without carry.


def shortest(
    start: NDArray[np.int16],
    ordinary: int,
    needed: int,
    tally: NDArray[np.int64],
    cost: NDArray[np.int64],
    code: NDArray[np.int64],
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
    path: NDArray[np.int64],
    seen: NDArray[np.int64],
    places: NDArray[np.int16],
    sums: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """The length of the shortest plan found, 0 for none; its moves are written to `path`."""
    best = MOST_TURNS + 1
    width = NARROWEST
    while control[STOP] == 0:
        control[GAVE_UP] = 0
        length = attempt(
            width, best, start, ordinary, needed, tally, cost, code, steps, reach, path, seen, places, sums, control
        )
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
    ordinary: int,
    needed: int,
    tally: NDArray[np.int64],
    cost: NDArray[np.int64],
    code: NDArray[np.int64],
    steps: NDArray[np.int16],
    reach: NDArray[np.int8],
    path: NDArray[np.int64],
    seen: NDArray[np.int64],
    places: NDArray[np.int16],
    sums: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """One round: the length of a plan with fewer than `best` turns, or 0."""
    marbles, cells = len(start), len(tally) // 2
    room, slots = len(sums) // FIELDS, width * CODES
    seen[:slots] = 0
    known = 0
    board = np.zeros(cells, np.int8)
    queue = np.empty(cells, np.int16)
    reached = np.empty(cells, np.int16)
    counts = np.empty(COSTS, np.int64)
    sums[:FIELDS] = 0
    for marble in range(marbles):
        at = int(start[marble]) + (cells if marble >= ordinary else 0)
        places[marble] = start[marble]
        sums[TALLY] += tally[at]
        sums[COST] += cost[at]
        sums[CODE] ^= code[at]
    begin, end, turns = 0, 1, 0
    while begin < end and turns < best:
        turns += 1
        fresh = end
        for army in range(begin, end):
            reached[:] = 0
            for marble in range(marbles):
                board[places[army * marbles + marble]] = 1
            for marble in range(marbles):
                origin = int(places[army * marbles + marble])
                kind = cells if marble >= ordinary else 0
                stop = targets(board, origin, queue, reached, steps, reach)
                for at in range(1, stop):
                    target = int(queue[at])
                    new_code = sums[army * FIELDS + CODE] ^ code[kind + origin] ^ code[kind + target]
                    if 4 * known > 3 * slots or fresh == room:
                        control[GAVE_UP] = 1
                        break
                    if met(seen, slots, new_code):
                        continue
                    known += 1
                    new_tally = sums[army * FIELDS + TALLY] - tally[kind + origin] + tally[kind + target]
                    left = turns_left(new_tally, needed)
                    if turns + left >= best:
                        continue
                    if not counted(control):
                        return 0
                    new_cost = sums[army * FIELDS + COST] - cost[kind + origin] + cost[kind + target]
                    row = fresh * FIELDS
                    sums[row + TALLY], sums[row + COST], sums[row + CODE] = new_tally, new_cost, new_code
                    sums[row + PARENT], sums[row + MOVE] = army, origin * cells + target
                    sums[row + RANK] = min(new_cost + TURN_COST * left, COSTS - 1)
                    for other in range(marbles):
                        places[fresh * marbles + other] = places[army * marbles + other]
                    places[fresh * marbles + marble] = target
                    if left == 0:
                        write_path(path, turns, fresh, sums)
                        return turns
                    fresh += 1
            for marble in range(marbles):
                board[places[army * marbles + marble]] = EMPTY
        begin = end
        end = keep_best(width, begin, fresh, marbles, counts, places, sums, control)
    return 0


TALLY, COST, CODE, PARENT, MOVE, RANK, FIELDS = range(7)  # of an army in `sums`


def turns_left(tally: int, needed: int) -> int:
    """The lower bound of `heuristics.checkers.army`, from a tally."""
    return (tally >> HOMELESS) + max(0, class_changes(tally, needed) - (tally >> NEAR & 255))


def met(seen: NDArray[np.int64], slots: int, code: int) -> bool:
    """Was this code met in this round? From now on it was."""
    at = code & (slots - 1)
    while seen[at] != 0:
        if seen[at] == code:
            return True
        at = (at + 1) & (slots - 1)
    seen[at] = code
    return False


def write_path(path: NDArray[np.int64], turns: int, army: int, sums: NDArray[np.int64]) -> None:
    for turn in range(turns - 1, -1, -1):
        path[turn] = sums[army * FIELDS + MOVE]
        army = sums[army * FIELDS + PARENT]


def keep_best(
    width: int,
    begin: int,
    end: int,
    marbles: int,
    counts: NDArray[np.int64],
    places: NDArray[np.int16],
    sums: NDArray[np.int64],
    control: NDArray[np.int64],
) -> int:
    """Give up all but the `width` most promising armies from `begin` on; where the others end."""
    if end - begin <= width:
        return end
    control[GAVE_UP] = 1
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


# What it is told of a game.


class Tables(NamedTuple):
    """What the search knows of one side's way home through its zone."""

    needed: int
    tally: NDArray[np.int64]
    cost: NDArray[np.int64]
    code: NDArray[np.int64]
    reach: NDArray[np.int8]


@lru_cache(maxsize=64)
def tables_for(game: Game, side: int, rows: int) -> Tables:
    """The tables where the zone has so many rows, counted from the tip of the goal."""
    rules = game.rules
    cells = range(rules.size * rules.size)
    marbles = ORDINARY + side, SPECIAL + side
    needed = sum(1 << class_of(int(rules.wanted[cell]), cell, rules.size) for cell in goal_of(game, side))
    inside = np.array([rows_left(cell, side, rules.size) < rows for cell in cells])
    return Tables(
        needed,
        tally=np.array([tally_of(game, marble, cell) for marble in marbles for cell in cells], np.int64),
        cost=np.array([cost_of(game, marble, cell, side) for marble in marbles for cell in cells], np.int64),
        code=np.random.default_rng(1).integers(1, 1 << 62, 2 * len(cells), np.int64),
        reach=np.array([reach_of(game, at, inside) for at in range(len(rules.reach))], np.int8),
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


def passed(position: Position) -> bool:
    """Have the armies passed each other?"""
    blue, red = rows_of(position, FIRST), rows_of(position, 1 - FIRST)
    return max(blue) < min(red)


def rows_of(position: Position, side: int) -> list[int]:
    """The rows of an army's marbles, counted from the top."""
    size = position.game.rules.size
    return [rows_left(cell, FIRST, size) for cell, marble in enumerate(position.state.cells) if belongs(marble, side)]


def finish(position: Position, side: int, limit: Limit) -> Plan:
    """The shortest plan found for one side's army within the limit, whoever is to move. The armies have passed."""
    if not passed(position):
        raise ValueError(f"the armies have not passed each other in '{position.text}'")
    game, cells = position.game, position.state.cells
    enemy = rows_of(position, 1 - side)
    last = 2 * game.rules.size - 2
    tables = tables_for(game, side, min(enemy) if side == FIRST else last - max(enemy))
    armies = [np.flatnonzero(cells == kind + side) for kind in (ORDINARY, SPECIAL)]
    start = np.concatenate(armies).astype(np.int16)
    if not [cell for cell in goal_of(game, side) if cells[cell] != game.rules.wanted[cell]]:
        return Plan((), True)
    control = bounded_control(limit)
    room = WIDEST * (MOST_TURNS + CHILDREN)
    path = np.zeros(MOST_TURNS, np.int64)
    length, _ = bounded(
        limit,
        control,
        specialise(None, shortest),
        start,
        len(armies[0]),
        *tables[:4],
        game.rules.step,
        tables.reach,
        path,
        np.empty(WIDEST * CODES, np.int64),
        np.empty(room * len(start), np.int16),
        np.empty(room * FIELDS, np.int64),
    )
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


class Racer:
    """Plans races, and keeps to a plan as long as it finds nothing shorter."""

    def __init__(self, game: Game) -> None:
        self.plans: dict[bytes, Plan] = {}  # for one's own army
        finish(a_step_from_home(game), FIRST, Limit(nodes=1))  # compiles, before any clock runs

    def next_move(self, position: Position, limit: Limit) -> int | None:
        """The next move of the side to move where the armies have passed each other, else None."""
        if position.over or not passed(position):
            return None
        plan = self._best(position, limit)
        if not plan.moves:
            return None
        self.plans = {army_of(position.play(plan.moves[0]), position.turn): Plan(plan.moves[1:], plan.proven)}
        return plan.moves[0]

    def _best(self, position: Position, limit: Limit) -> Plan:
        kept = self.plans.get(army_of(position, position.turn))
        if kept is None or not kept.moves or kept.moves[0] not in position.move_ids:
            return finish(position, position.turn, limit)
        if kept.proven:
            return kept
        found = finish(position, position.turn, limit)
        return found if found.proven or 0 < len(found.moves) < len(kept.moves) else kept


def army_of(position: Position, side: int) -> bytes:
    """One side's marbles and where they are."""
    cells = position.state.cells
    return bytes([side]) + np.where((cells == ORDINARY + side) | (cells == SPECIAL + side), cells, EMPTY).tobytes()


def race_plan(position: Position, limit: Limit) -> int | None:
    """The next move of the side to move where the armies have passed each other, else None."""
    return Racer(position.game).next_move(position, limit)

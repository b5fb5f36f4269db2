"""Vampires against werewolves: grow by biting humans, then hunt the others down.

Vampires begin; both sides play by the same rules. A cell of the grid is empty or holds one group: humans, vampires or
werewolves, 1 to 255 of them. Cells are named by column and row from the top left, as 4,3:

    diagram:
       0  1  2  3  4  5  6  7  8  9
    0  .  .  .  .  .  .  .  .  . h2
    1  .  .  .  . w4  .  .  .  .  .
    2  .  . h4  .  .  .  .  .  . h1
    3  .  .  .  . v4  .  .  .  .  .
    4  .  .  .  .  .  .  .  .  . h2

A turn is one order or more, `end` closes it. An order sends some creatures of an own group to one of the 8
neighbouring cells, as `4,3>5,3:2`. All orders are judged on the position before the turn and carried out together:
no group sends more than it has, and no cell sends and receives in one turn. Humans never move.

Those who arrive at one cell act as one army of n:

- on an empty cell they stand, with their own kind they join;
- h humans are bitten and join them if n >= h, without loss; otherwise there is a random battle;
- e enemies die if n >= 1.5 e, without loss; otherwise there is a random battle, however hopeless.

n attackers beat m defenders with probability P = n/(2m) if n <= m, and n/m - 1/2 otherwise. If they win, each attacker
lives with probability P, and so does each bitten human, as one of theirs. If they lose, all of them die, and each
defender lives with probability 1 - P. Both may vanish.

After a turn the werewolves have won if no vampire is left, else the vampires if no werewolf is left. At the limit of
200 turns, tested when both have played equally often, the more numerous side wins, and equal numbers are a draw.

No cell may come to hold more than 255: an order that would join, bite or send so many is not allowed, and of those who
live through a battle no more than 255 stay. `certain_defence` lets attackers simply die if e >= 1.5 n, as the course's
text has it; `old_survival` lets defenders live with probability P, as an old server did.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND_WINS


class Rules(NamedTuple):
    rows: int
    columns: int
    plies: int
    certain_defence: bool
    old_survival: bool
    creatures: int  # all on the map, humans too: their number never grows
    cells: NDArray[np.int16]  # at the start


EMPTY, HUMANS, VAMPIRES, WEREWOLVES = 0, 1, 2, 3
FULL = 255


class State(NamedTuple):
    """A cell is `kind * 256 + count`, row by row from the top; an order is its move; a battle is `cell * 256 +
    attackers`. Orders are sorted, so that a turn has one form; battles wait while chance decides, in row order.
    """

    cells: NDArray[np.int16]
    orders: NDArray[np.int64]
    battles: NDArray[np.int64]
    side: int  # who gives the orders, or gave them
    ply: int


# A move is an order `(cell * 8 + direction) * 256 + count`, the end of the turn, or what comes of a battle,
# `OUTCOME + cell * 1024 + content`. Directions count in row order, so orders sort by origin and target.
END = 0
OUTCOME = 1 << 27
ACROSS = (-1, 0, 1, -1, 1, -1, 0, 1)
DOWN = (-1, -1, -1, 0, 0, 1, 1, 1)


def turn(state: State) -> int:
    return CHANCE if state.battles.size > 0 else state.side


def moves(state: State, rules: Rules) -> Iterator[int]:
    if state.orders.size > 0:
        yield END
    yield from orders_beyond(state, -1, rules)


def moves_once(state: State, rules: Rules) -> Iterator[int]:
    """Orders in rising sequence only, so that each turn is built in one way."""
    last = -1
    if state.orders.size > 0:
        yield END
        last = int(state.orders[-1]) >> 8
    yield from orders_beyond(state, last, rules)


def orders_beyond(state: State, last: int, rules: Rules) -> Iterator[int]:
    """The orders that may still be added, from the origins and directions that sort behind `last`."""
    cells, orders = state.cells, state.orders
    own = VAMPIRES + state.side
    flow = flow_of(orders, cells.size, rules)
    given = 0
    for cell in range((last + 1) >> 3, cells.size):
        if cells[cell] >> 8 != own or flow[cell] > 0:
            continue
        ready = (int(cells[cell]) & 255) + int(flow[cell])
        if ready == 0:
            continue
        column, row = cell % rules.columns, cell // rules.columns
        for direction in range(8):
            way = cell * 8 + direction
            while given < orders.size and orders[given] >> 8 < way:
                given += 1
            if way <= last or (given < orders.size and orders[given] >> 8 == way):
                continue
            x, y = column + ACROSS[direction], row + DOWN[direction]
            if x < 0 or x >= rules.columns or y < 0 or y >= rules.rows:
                continue
            target = y * rules.columns + x
            if flow[target] < 0:
                continue
            most = min(ready, capacity(int(cells[target]), own) - int(flow[target]))
            for count in range(1, most + 1):
                yield way * 256 + count


def flow_of(orders: NDArray[np.int64], size: int, rules: Rules) -> NDArray[np.int16]:
    """How many come to each cell, or leave it if below zero: no cell does both."""
    flow = np.zeros(size, np.int16)
    for index in range(orders.size):
        order = int(orders[index])
        flow[order >> 11] -= order & 255
        flow[target_of(order, rules)] += order & 255
    return flow


def target_of(order: int, rules: Rules) -> int:
    direction = order >> 8 & 7
    return (order >> 11) + DOWN[direction] * rules.columns + ACROSS[direction]


def capacity(content: int, own: int) -> int:
    """The largest army that may come to a cell: it must fit there, joined or having bitten."""
    kind, count = content >> 8, content & 255
    if kind == own:
        return FULL - count
    if kind == HUMANS:
        return max(FULL - count, count - 1)
    return FULL


def play(state: State, move: int, rules: Rules) -> State:
    if move == END:
        return end_turn(state, rules)
    if move >= OUTCOME:
        return end_battle(state, move - OUTCOME)
    return State(state.cells, insert(state.orders, move), state.battles, state.side, state.ply)


def insert(numbers: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """The sorted numbers and one more."""
    longer = np.empty(numbers.size + 1, np.int64)
    place = numbers.size
    while place > 0 and numbers[place - 1] > number:
        longer[place] = numbers[place - 1]
        place -= 1
    longer[place] = number
    for index in range(place):
        longer[index] = numbers[index]
    return longer


def end_turn(state: State, rules: Rules) -> State:
    cells, battles = state.cells.copy(), state.battles
    own = VAMPIRES + state.side
    flow = flow_of(state.orders, cells.size, rules)
    for index in range(state.orders.size):
        order = int(state.orders[index])
        origin, target = order >> 11, target_of(order, rules)
        cells[origin] = group(own, (int(cells[origin]) & 255) - (order & 255))
        content, came = int(cells[target]), int(flow[target])
        if came > 0 and is_random(content, came, own, rules):
            battles = insert(battles, target * 256 + came)
        elif came > 0:
            cells[target] = after_arrival(content, came, own)
        flow[target] = 0
    return passed_on(cells, battles, state.side, state.ply)


def end_battle(state: State, outcome: int) -> State:
    cells = state.cells.copy()
    cells[outcome >> 10] = outcome & 1023
    battles = np.empty(state.battles.size - 1, np.int64)
    kept = 0
    for index in range(state.battles.size):
        if state.battles[index] >> 8 != outcome >> 10:
            battles[kept] = state.battles[index]
            kept += 1
    return passed_on(cells, battles, state.side, state.ply)


def passed_on(cells: NDArray[np.int16], battles: NDArray[np.int64], side: int, ply: int) -> State:
    """The next side's turn, once no battle waits."""
    no_orders = battles[:0]
    if battles.size > 0:
        return State(cells, no_orders, battles, side, ply)
    return State(cells, no_orders, battles, 1 - side, ply + 1)


def group(kind: int, count: int) -> int:
    return kind * 256 + count if count > 0 else EMPTY


def is_random(content: int, attackers: int, own: int, rules: Rules) -> bool:
    """Do attackers who come to such a cell fight a random battle?"""
    kind, defenders = content >> 8, content & 255
    if kind in (EMPTY, own):
        return False
    if kind == HUMANS:
        return attackers < defenders
    hopeless = rules.certain_defence and 2 * defenders >= 3 * attackers
    return 2 * attackers < 3 * defenders and not hopeless


def after_arrival(content: int, came: int, own: int) -> int:
    """What a cell holds where no battle is random."""
    kind, count = content >> 8, content & 255
    if kind in (own, HUMANS):
        return group(own, count + came)
    if kind == EMPTY or 2 * came >= 3 * count:
        return group(own, came)
    return content


def outcomes(state: State, rules: Rules) -> Iterator[tuple[float, int]]:
    """What may come of the first battle that waits."""
    cell, attackers = int(state.battles[0]) >> 8, int(state.battles[0]) & 255
    content = int(state.cells[cell])
    kind, defenders = content >> 8, content & 255
    own = VAMPIRES + state.side
    win = winning_chance(attackers, defenders)
    survival = win if rules.old_survival else 1.0 - win
    winners = binomial(attackers + defenders if kind == HUMANS else attackers, win)
    losers = binomial(defenders, survival)
    if winners.size > FULL + 1:
        winners[FULL] = winners[FULL:].sum()
    here = OUTCOME + cell * 1024
    for count in range(1, min(winners.size, FULL + 1)):
        if win * winners[count] > 0.0:
            yield win * winners[count], here + group(own, count)
    for count in range(1, losers.size):
        if (1.0 - win) * losers[count] > 0.0:
            yield (1.0 - win) * losers[count], here + group(kind, count)
    nobody = win * winners[0] + (1.0 - win) * losers[0]
    if nobody > 0.0:
        yield nobody, here + EMPTY


def winning_chance(attackers: int, defenders: int) -> float:
    return attackers / (2 * defenders) if attackers <= defenders else attackers / defenders - 0.5


def binomial(trials: int, chance: float) -> NDArray[np.float64]:
    """The probability of each number of successes, 0 < chance < 1. Going out from the most likely one, nothing
    overflows, and what underflows is not worth having.
    """
    odds = np.empty(trials + 1, np.float64)
    peak = min(trials, int((trials + 1) * chance))
    odds[peak] = 1.0
    for count in range(peak, trials):
        odds[count + 1] = odds[count] * (trials - count) / (count + 1) * chance / (1.0 - chance)
    for count in range(peak, 0, -1):
        odds[count - 1] = odds[count] * count / (trials - count + 1) * (1.0 - chance) / chance
    odds /= odds.sum()
    return odds


def result(state: State) -> int:
    if state.orders.size > 0 or state.battles.size > 0:
        return ONGOING
    vampires_seen, werewolves_seen = False, False
    for content in state.cells:
        if content >> 8 <= HUMANS:
            continue
        if content >> 8 == VAMPIRES:
            vampires_seen = True
        else:
            werewolves_seen = True
        if vampires_seen and werewolves_seen:
            return ONGOING
    return FIRST_WINS if vampires_seen else SECOND_WINS


def plies_left(state: State, rules: Rules) -> int:
    return rules.plies - state.ply


def at_limit(state: State) -> int:
    vampire_count, werewolf_count = headcount(state.cells, VAMPIRES), headcount(state.cells, WEREWOLVES)
    if vampire_count == werewolf_count:
        return DRAW
    return FIRST_WINS if vampire_count > werewolf_count else SECOND_WINS


def headcount(cells: NDArray[np.int16], kind: int) -> int:
    total = 0
    for cell in range(cells.size):
        if cells[cell] >> 8 == kind:
            total += int(cells[cell]) & 255
    return total


def key(state: State) -> State:
    return State(state.cells, state.orders, state.battles, state.side, 0)


def start(rules: Rules) -> State:
    nothing = np.zeros(0, np.int64)
    return State(rules.cells.copy(), nothing, nothing, FIRST, 0)


def max_moves(rules: Rules) -> int:
    """Each creature has 8 ways to go. No battle has more outcomes: each is a number of creatures of some kind."""
    return 8 * rules.creatures + 1

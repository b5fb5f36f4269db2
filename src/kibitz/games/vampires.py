"""Vampires against werewolves: grow by biting humans, then hunt the others down.

Vampires begin; both sides play by the same rules. A cell of the grid is empty or holds one group: humans, vampires or
werewolves, 1 to 255 of them. Cells are named by column and row from the top left, as 4,3:

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

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core import notation
from kibitz.core.errors import BadOption, BadPosition, quoted
from kibitz.core.layout import Cell, Gesture, Layout, Piece
from kibitz.core.options import in_range
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Rulebook, Symmetry
from kibitz.games import vampire_maps


class Options(NamedTuple):
    map: str = "thetrap"  # a known map, `random`, or an XML file
    rows: int = 10  # this and the next three are for random maps
    columns: int = 10
    groups: int = 5
    seed: int = 0
    plies: int = 200
    certain_defence: bool = False
    old_survival: bool = False


class Rules(NamedTuple):
    rows: int
    columns: int
    plies: int
    certain_defence: bool
    old_survival: bool
    creatures: int  # all on the map, humans too: their number never grows
    cells: NDArray[np.int16]  # at the start


EMPTY, HUMANS, VAMPIRES, WEREWOLVES = 0, 1, 2, 3
KINDS = "?hvw"
SIDES = ("vampires", "werewolves")
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
        return turn_ended(state, rules)
    if move >= OUTCOME:
        return battle_ended(state, move - OUTCOME)
    return State(state.cells, inserted(state.orders, move), state.battles, state.side, state.ply)


def inserted(numbers: NDArray[np.int64], number: int) -> NDArray[np.int64]:
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


def turn_ended(state: State, rules: Rules) -> State:
    cells, battles = state.cells.copy(), state.battles
    own = VAMPIRES + state.side
    flow = flow_of(state.orders, cells.size, rules)
    for index in range(state.orders.size):
        order = int(state.orders[index])
        origin, target = order >> 11, target_of(order, rules)
        cells[origin] = group(own, (int(cells[origin]) & 255) - (order & 255))
        content, came = int(cells[target]), int(flow[target])
        if came > 0 and is_random(content, came, own, rules):
            battles = inserted(battles, target * 256 + came)
        elif came > 0:
            cells[target] = after_arrival(content, came, own)
        flow[target] = 0
    return passed_on(cells, battles, state.side, state.ply)


def battle_ended(state: State, outcome: int) -> State:
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


MIRROR, FLIP, HALF_TURN = 0, 1, 2  # left and right; top and bottom; both
TURNED = ((2, 1, 0, 4, 3, 7, 6, 5), (5, 6, 7, 3, 4, 0, 1, 2), (7, 6, 5, 4, 3, 2, 1, 0))  # where each direction goes


def transform(state: State, symmetry: int, rules: Rules) -> State:
    """Battles are sorted anew, so where several wait, another one may come first than the image of the first."""
    cells = np.empty_like(state.cells)
    for cell in range(cells.size):
        cells[seen(cell, symmetry, rules)] = state.cells[cell]
    orders = np.empty_like(state.orders)
    for index in range(orders.size):
        orders[index] = transform_move(int(state.orders[index]), symmetry, rules)
    battles = np.empty_like(state.battles)
    for index in range(battles.size):
        battle = int(state.battles[index])
        battles[index] = seen(battle >> 8, symmetry, rules) * 256 + (battle & 255)
    return State(cells, np.sort(orders), np.sort(battles), state.side, state.ply)


def transform_move(move: int, symmetry: int, rules: Rules) -> int:
    if move == END:
        return END
    if move >= OUTCOME:
        outcome = move - OUTCOME
        return OUTCOME + seen(outcome >> 10, symmetry, rules) * 1024 + (outcome & 1023)
    origin, direction = seen(move >> 11, symmetry, rules), TURNED[symmetry][move >> 8 & 7]
    return (origin * 8 + direction) * 256 + (move & 255)


def seen(cell: int, symmetry: int, rules: Rules) -> int:
    row, column = cell // rules.columns, cell % rules.columns
    if symmetry != FLIP:
        column = rules.columns - 1 - column
    if symmetry != MIRROR:
        row = rules.rows - 1 - row
    return row * rules.columns + column


# Set-up, notation, layout.


def rules_of(options: Options) -> Rules:
    board = _map_of(options)
    cells = np.zeros(board.rows * board.columns, np.int16)
    armies = [(VAMPIRES, board.vampires), (WEREWOLVES, board.werewolves)]
    for kind, (x, y, count) in armies + [(HUMANS, home) for home in board.humans]:
        cells[y * board.columns + x] = group(kind, count)
    return Rules(
        board.rows,
        board.columns,
        plies=(in_range("plies", options.plies, 1, 10**6) + 1) // 2 * 2,
        certain_defence=options.certain_defence,
        old_survival=options.old_survival,
        creatures=int((cells & 255).sum()),
        cells=cells,
    )


def _map_of(options: Options) -> vampire_maps.Map:
    if options.map == "random":
        return vampire_maps.random_map(options.rows, options.columns, options.groups, options.seed)
    plain = Options()
    for name in ("rows", "columns", "groups", "seed"):
        if getattr(options, name) != getattr(plain, name):
            raise BadOption(f"option {name} is for map=random, and map is {quoted(options.map)}")
    return vampire_maps.load(options.map)


def start(rules: Rules) -> State:
    nothing = np.zeros(0, np.int64)
    return State(rules.cells.copy(), nothing, nothing, FIRST, 0)


def max_moves(rules: Rules) -> int:
    """Each creature has 8 ways to go. No battle has more outcomes: each is a number of creatures of some kind."""
    return 8 * rules.creatures + 1


def pieces(state: State) -> list[str]:
    return [_content_text(int(content)) if content else "" for content in state.cells]


def _content_text(content: int) -> str:
    return f"{KINDS[content >> 8]}{content & 255}" if content else "0"


def _cell_text(cell: int, rules: Rules) -> str:
    return f"{cell % rules.columns},{cell // rules.columns}"


def move_text(state: State, move: int, rules: Rules) -> str:
    if move == END:
        return "end"
    if move >= OUTCOME:
        cell, content = divmod(move - OUTCOME, 1024)
        return f"~{_cell_text(cell, rules)}:{_content_text(content)}"
    return f"{_cell_text(move >> 11, rules)}>{_cell_text(target_of(move, rules), rules)}:{move & 255}"


def gesture(move: int, rules: Rules) -> Gesture:
    if move == END:
        return Gesture(())
    if move >= OUTCOME:
        return Gesture(((move - OUTCOME) >> 10,))
    return Gesture((move >> 11, target_of(move, rules)), amount=move & 255)


def write(state: State, rules: Rules) -> str:
    contents = pieces(state)
    rows = [_row_text(contents[at : at + rules.columns]) for at in range(0, len(contents), rules.columns)]
    extras = {
        "ply": state.ply if state.ply != state.side else 0,
        "orders": "+".join(move_text(state, int(order), rules) for order in state.orders),
        "battles": "+".join(f"{_cell_text(int(battle) >> 8, rules)}:{battle & 255}" for battle in state.battles),
    }
    return f"{'/'.join(rows)} {'vw'[state.side]}{notation.write_extras(extras)}"


def _row_text(contents: list[str]) -> str:
    runs = [(filled, list(run)) for filled, run in groupby(contents, bool)]
    return ",".join(",".join(run) if filled else str(len(run)) for filled, run in runs)


def read(text: str, rules: Rules) -> State:
    """Left out, the ply is the first in which the side can have its turn."""
    board, side, extras = notation.parts(text, "vw", ("ply", "orders", "battles"))
    if "orders" in extras and "battles" in extras:
        raise BadPosition("both orders and battles wait, expected battles to begin when the orders have ended")
    waiting = "orders" in extras or "battles" in extras
    ply = notation.number(extras.get("ply", str(side)), "ply", 0, rules.plies - waiting)
    if ply % 2 != side:
        raise BadPosition(f"ply is {ply} in a turn of the {SIDES[side]}, expected an {('even', 'odd')[side]} number")
    cells = np.array(_read_board(board, rules), np.int16)
    battles = _read_battles(extras["battles"], cells, side, rules) if "battles" in extras else []
    total = int((cells & 255).sum()) + sum(battle & 255 for battle in battles)
    if total > rules.creatures:
        raise BadPosition(f"{total} creatures, expected at most the {rules.creatures} that the map begins with")
    state = State(cells, np.zeros(0, np.int64), np.array(battles, np.int64), side, ply)
    return _with_orders(state, extras["orders"], rules) if "orders" in extras else state


def _read_board(board: str, rules: Rules) -> list[int]:
    lines = board.split("/")
    if len(lines) != rules.rows:
        raise BadPosition(f"board {quoted(board)} has {len(lines)} rows, expected {rules.rows}")
    return [content for index, line in enumerate(lines) for content in _read_row(line, index, rules.columns)]


def _read_row(line: str, index: int, columns: int) -> list[int]:
    contents: list[int] = []
    for item in line.split(","):
        kind, count = KINDS.find(item[:1] or "?"), item[1:]
        if kind > EMPTY and re.fullmatch("[0-9]{1,3}", count) and 1 <= int(count) <= FULL:
            contents.append(group(kind, int(count)))
        elif re.fullmatch("[0-9]{1,3}", item) and int(item) > 0:
            contents += [EMPTY] * int(item)
        else:
            raise BadPosition(
                f"row {index} {quoted(line)} holds {quoted(item)}, expected a number of empty cells, or h, v or w "
                f"with a count from 1 to {FULL}"
            )
    if len(contents) != columns:
        raise BadPosition(f"row {index} {quoted(line)} has {len(contents)} cells, expected {columns}")
    return contents


def _read_battles(text: str, cells: NDArray[np.int16], side: int, rules: Rules) -> list[int]:
    found: dict[int, int] = {}
    for word in text.split("+"):
        match = re.fullmatch("([0-9]{1,3}),([0-9]{1,3}):([0-9]{1,3})", word)
        x, y, attackers = map(int, match.groups()) if match else (-1, -1, -1)
        if not (0 <= x < rules.columns and 0 <= y < rules.rows and 1 <= attackers <= FULL):
            raise BadPosition(f"battle {quoted(word)} is not of this grid, expected x,y:attackers, at most {FULL}")
        cell = y * rules.columns + x
        if cell in found:
            raise BadPosition(f"battle {quoted(word)} is the second on its cell, expected one")
        content, own = int(cells[cell]), VAMPIRES + side
        if not is_random(content, attackers, own, rules):
            raise BadPosition(
                f"battle {quoted(word)} of {SIDES[side]} against {_content_text(content)} is not a random one, "
                f"expected humans or enemies who may win"
            )
        found[cell] = attackers
    return [cell * 256 + attackers for cell, attackers in sorted(found.items())]


def _with_orders(state: State, text: str, rules: Rules) -> State:
    if result(state) != ONGOING:
        raise BadPosition(f"orders {quoted(text)} wait where the game is over")
    for word in text.split("+"):
        known = {move_text(state, order, rules): order for order in moves(state, rules) if order != END}
        if word not in known:
            raise BadPosition(
                f"order {quoted(word)} cannot be given here, expected {min(known, default='no more')} or the like"
            )
        state = play(state, known[word], rules)
    return state


def layout(rules: Rules) -> Layout:
    return Layout(
        cells=tuple(
            Cell(f"{x},{y}", x, y, "dark" if (x + y) % 2 else "light")
            for y in range(rules.rows)
            for x in range(rules.columns)
        ),
        pieces={
            "h": Piece("humans", "h", None, "human"),
            "v": Piece("vampires", "v", FIRST, "bat"),
            "w": Piece("werewolves", "w", SECOND, "wolf"),
        },
        rows={y: str(y) for y in range(rules.rows)},
        columns={x: str(x) for x in range(rules.columns)},
    )


vampires = Rulebook(
    name="vampires",
    title="Vampires against werewolves",
    sides=SIDES,
    options=Options,
    presets={name: {"map": name} for name in vampire_maps.KNOWN},
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=start,
    turn=turn,
    moves=moves,
    moves_once=moves_once,
    play=play,
    result=result,
    outcomes=outcomes,
    key=key,
    plies_left=plies_left,
    at_limit=at_limit,
    max_moves=max_moves,
    symmetries=(Symmetry("mirror"), Symmetry("flip"), Symmetry("half turn")),
    transform=transform,
    transform_move=transform_move,
    layout=layout,
    pieces=pieces,
    gesture=gesture,
    read=read,
    write=write,
    move_text=move_text,
    long_turns=True,
)

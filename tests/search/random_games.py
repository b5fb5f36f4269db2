"""Small games drawn at random: a graph of positions in the arrays of `Rules`, so that one compiled search serves all.

A state is a node and the turns played so far. What a node is lies in the arrays: whose turn it is (chance too), how the
game ends there, where its moves lead, and all that a heuristic says. Paths may come back to a node, unless the nodes
lie in layers. A side that moves again, and chance that rolls again, only go to nodes of higher numbers, so every turn
ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core.heuristic import Heuristic
from kibitz.core.layout import placement, square_board
from kibitz.core.result import CHANCE, DRAW, FIRST, FIRST_WINS, ONGOING, SECOND, SECOND_WINS
from kibitz.core.rulebook import Rulebook

WIDEST = 8
NEVER = 1 << 40
HIGHEST = 300  # no score lies beyond


class Options(NamedTuple):
    seed: int = 1
    nodes: int = 12
    layers: int = 0  # 0: paths may come back
    ends: int = 4  # one node in so many ends the game
    span: int = 0  # how far apart the numbers of nodes that a move joins may be; 0: any. Small ones make long wins
    chance: int = 0  # one node in so many is a chance node; 0: none
    dice_first: bool = False  # does the game begin with chance?
    rolls: int = 0  # so many chance nodes in a row lie before the win, and nothing else; 0: a game as drawn
    long: bool = False  # may a side move again?
    plies: int = 0  # the limit; 0: none
    change: int = 0  # from so many plies on, some nodes end the game that did not; 0: never
    repeats: bool = False  # for rulebooks in which a repeated position is a draw
    narrow: bool = False  # are some moves no candidates?
    wide: bool = False  # are there many moves?


class Rules(NamedTuple):
    sides: NDArray[np.int64]
    results: NDArray[np.int64]
    late_results: NDArray[np.int64]  # from ply `change` on
    limit_results: NDArray[np.int64]
    counts: NDArray[np.int64]  # of moves
    children: NDArray[np.int64]  # WIDEST to a node, as all that follow
    odds: NDArray[np.float64]
    once: NDArray[np.int64]  # is this move needed to build each turn?
    tactical: NDArray[np.int64]
    order: NDArray[np.int64]  # candidates, the best first; -1 behind the last one
    scores: NDArray[np.int64]
    known: NDArray[np.int64]
    plies: int
    change: int


class State(NamedTuple):
    node: int
    ply: int


# The rules.


def turn(state: State, rules: Rules) -> int:
    return int(rules.sides[state.node])


def moves(state: State, rules: Rules) -> Iterator[int]:
    for move in range(int(rules.counts[state.node])):  # noqa: UP028 - compiled rules
        yield move


def moves_once(state: State, rules: Rules) -> Iterator[int]:
    for move in range(int(rules.counts[state.node])):
        if rules.once[WIDEST * state.node + move]:
            yield move


def outcomes(state: State, rules: Rules) -> Iterator[tuple[float, int]]:
    for move in range(int(rules.counts[state.node])):
        yield float(rules.odds[WIDEST * state.node + move]), move


def play(state: State, move: int, rules: Rules) -> State:
    child = int(rules.children[WIDEST * state.node + move])
    side = rules.sides[state.node]
    return State(child, state.ply + 1 if side != CHANCE and rules.sides[child] != side else state.ply)


def result(state: State, rules: Rules) -> int:
    return int(rules.late_results[state.node] if state.ply >= rules.change else rules.results[state.node])


def key(state: State, rules: Rules) -> State:
    """Without the ply, except for what it means to the results."""
    return State(state.node, 1 if state.ply >= rules.change else 0)


def plies_left(state: State, rules: Rules) -> int:
    return rules.plies - state.ply


def horizon(state: State, rules: Rules) -> int:
    left = rules.plies - state.ply
    return left if state.ply >= rules.change else min(left, rules.change - state.ply)


def at_limit(state: State, rules: Rules) -> int:
    return int(rules.limit_results[state.node])


# What a heuristic says.


def score(state: State, rules: Rules) -> float:
    return float(rules.scores[state.node])


def is_tactical(state: State, move: int, rules: Rules) -> bool:
    return bool(rules.tactical[WIDEST * state.node + move])


def known_result(state: State, rules: Rules) -> int:
    return 0 if state.ply >= rules.change else int(rules.known[state.node])


def candidates(state: State, rules: Rules) -> Iterator[int]:
    for place in range(int(rules.counts[state.node])):
        if rules.order[WIDEST * state.node + place] >= 0:
            yield int(rules.order[WIDEST * state.node + place])


# Drawing a game.


@dataclass
class Graph:
    """A game as lists, for brute force; a row for each node."""

    options: Options
    sides: list[int] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    late_results: list[int] = field(default_factory=list)
    limit_results: list[int] = field(default_factory=list)
    children: list[list[int]] = field(default_factory=list)
    odds: list[list[float]] = field(default_factory=list)
    once: list[list[bool]] = field(default_factory=list)
    tactical: list[list[bool]] = field(default_factory=list)
    order: list[list[int]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    plies: int = NEVER
    change: int = NEVER


def draw_graph(options: Options) -> Graph:
    """The graph of these options: always the same one."""
    if options.rolls:
        return row_of_rolls(options)
    dice = Random(f"{options.seed} {options.nodes}")
    graph = Graph(options, plies=options.plies or NEVER, change=options.change or NEVER)
    nodes = range(options.nodes)
    graph.sides = [draw_side(options, dice) for _ in nodes]
    graph.sides[0] = CHANCE if options.dice_first else dice.choice((FIRST, SECOND))
    graph.results = [draw_result(dice) if node and dice.randrange(options.ends) == 0 else ONGOING for node in nodes]
    graph.results[-3:] = FIRST_WINS, SECOND_WINS, DRAW
    if options.dice_first:
        graph.sides[1], graph.results[1] = FIRST, ONGOING
    for node in nodes:
        draw_moves(graph, node, dice)
    graph.late_results = [found or (draw_result(dice) if dice.randrange(2) == 0 else 0) for found in graph.results]
    graph.limit_results = [draw_result(dice) for _ in nodes]
    graph.scores = [dice.choice((HIGHEST, 0, dice.randint(-HIGHEST, HIGHEST))) * dice.choice((-1, 1)) for _ in nodes]
    graph.once = [[True] * len(row) for row in graph.children]
    for node in reversed(nodes):
        leave_out_second_ways(graph, node)
    graph.known = [distance if dice.randrange(2) == 0 else 0 for distance in safe_distances(graph)]
    return graph


def row_of_rolls(options: Options) -> Graph:
    """The first player may take a draw, or try a win behind a row of rolls, each of which may end in a draw."""
    rolls = options.rolls
    sides = [FIRST, *[CHANCE] * rolls, SECOND, SECOND]
    results = [ONGOING] * (rolls + 1) + [FIRST_WINS, DRAW]
    children = [[1, rolls + 2], *[[node + 1, rolls + 2] for node in range(1, rolls + 1)], [], []]
    flags = [[True] * len(row) for row in children]
    none = [0] * len(sides)
    return Graph(
        options,
        sides,
        results,
        results,
        results,
        children,
        odds=[[0.9, 0.1][: len(row)] for row in children],
        once=flags,
        tactical=flags,
        order=[[0, 1][: len(row)] for row in children],
        scores=none,
        known=none,
    )


def draw_side(options: Options, dice: Random) -> int:
    return CHANCE if options.chance and dice.randrange(options.chance) == 0 else dice.choice((FIRST, SECOND))


def draw_result(dice: Random) -> int:
    return dice.choice((FIRST_WINS, SECOND_WINS, DRAW))


def draw_moves(graph: Graph, node: int, dice: Random) -> None:
    """Where the moves of a node lead, and what a heuristic says of them; a node that leads nowhere ends the game."""
    last = len(graph.sides) - 1
    open_to = [child for child in range(last + 1) if may_follow(graph, node, child)]
    if not open_to and node < 2:  # where games begin
        open_to = [last]
    if not open_to and graph.results[node] == ONGOING:
        graph.results[node] = draw_result(dice)
    count = 0 if graph.results[node] != ONGOING else draw_count(graph, node, dice)
    going_on = [child for child in open_to if graph.results[child] == ONGOING] or open_to
    children = [dice.choice(open_to if dice.randrange(3) == 0 else going_on) for _ in range(count)]
    children[:1] = [1] if graph.options.dice_first and node == 0 else children[:1]
    weights = [dice.choice((1, 2, 3, 200)) for _ in children]
    forced = dice.randrange(4) == 0
    order = dice.sample(range(count), count)
    graph.children.append(children)
    graph.odds.append([weight / sum(weights) for weight in weights])
    graph.tactical.append([forced or dice.randrange(4) == 0 for _ in children])
    graph.order.append(order[: dice.randint(1, count)] if count and graph.options.narrow else order)


def draw_count(graph: Graph, node: int, dice: Random) -> int:
    """How many moves there are; with a span the second side has few, or hardly anything would be won."""
    if graph.options.span and graph.sides[node] != CHANCE:
        return dice.choice((1, 2) if graph.sides[node] == SECOND else (2, 3, 4))
    return dice.choice((1, 2, 4, 6, 7, WIDEST) if graph.options.wide else (1, 2, 2, 3, 3, 4))


def may_follow(graph: Graph, node: int, child: int) -> bool:
    """May a move lead from this node to that one? Nodes are in layers by the turns that lead there, if in any."""
    options, side = graph.options, graph.sides[node]
    if options.span and abs(child - node) > options.span:
        return False
    apart = layer_of(options, child) - layer_of(options, node)
    if side == CHANCE:
        return apart == 0 and (child > node if options.layers or graph.sides[child] == CHANCE else child != node)
    if graph.sides[child] == side:
        return apart == 0 and child > node and (options.long or graph.results[child] != ONGOING)
    return apart == 1 or not options.layers


def layer_of(options: Options, node: int) -> int:
    return node * options.layers // options.nodes


def leave_out_second_ways(graph: Graph, node: int) -> None:
    """Of moves with the same result keep the first; leave out what a longer turn reaches as well, unless positions may
    repeat, where it matters which way a turn goes.
    """
    children, once = graph.children[node], graph.once[node]
    for move, child in enumerate(children):
        others = [other for rank, other in enumerate(children) if rank != move and once[rank]]
        within = [other for other in others if graph.sides[other] == graph.sides[node] != CHANCE and other != child]
        longer = not graph.options.repeats and any(leads_to(graph, other, child) for other in within)
        if child in children[:move] or longer:
            once[move] = False


def leads_to(graph: Graph, node: int, target: int) -> bool:
    """Can the turn that is under way at this node surely go to the target?"""
    if graph.late_results[node] != ONGOING:
        return False
    for child, needed in zip(graph.children[node], graph.once[node], strict=True):
        if needed and (child == target or (graph.sides[child] == graph.sides[node] and leads_to(graph, child, target))):
            return True
    return False


def win_distances(graph: Graph) -> list[int]:
    """For each unfinished node in how many turns the first player surely wins, below zero for the second one; 0 where
    neither does. Chance counts as unknown.
    """
    found = [0] * len(graph.sides)
    for distance in range(1, len(graph.sides)):
        for node in reversed(range(len(graph.sides))):
            if found[node] == 0 and graph.results[node] == ONGOING and graph.sides[node] != CHANCE:
                found[node] = surely_won(graph, node, found, distance)
    return found


def safe_distances(graph: Graph) -> list[int]:
    """Those wins that neither history nor luck can take away or hasten: elsewhere only by a move to a won end."""
    distances = win_distances(graph)
    if not graph.options.repeats and not graph.options.chance:
        return distances
    ends = [{graph.results[child] for child in row} for row in graph.children]
    return [
        distance if abs(distance) == 1 and FIRST_WINS + graph.sides[node] in ends[node] else 0
        for node, distance in enumerate(distances)
    ]


def surely_won(graph: Graph, node: int, found: list[int], distance: int) -> int:
    """Is this node won in `distance` turns, given all that are won in fewer?"""
    side = graph.sides[node]
    sign = 1 if side == FIRST else -1
    best = []
    for child in graph.children[node]:
        stays = graph.sides[child] == side and graph.results[child] == ONGOING
        if graph.results[child] in (FIRST_WINS, SECOND_WINS):
            turns = 1 if graph.results[child] == FIRST_WINS else -1
        elif found[child]:
            turns = found[child] if stays else found[child] + (1 if found[child] > 0 else -1)
        else:
            turns = 0
        best.append(sign * turns)
    if any(0 < turns <= distance for turns in best):
        return sign * distance
    return -sign * distance if all(-distance <= turns < 0 for turns in best) else 0


def rules_of(options: Options) -> Rules:
    graph = draw_graph(options)
    return Rules(
        sides=np.array(graph.sides, np.int64),
        results=np.array(graph.results, np.int64),
        late_results=np.array(graph.late_results, np.int64),
        limit_results=np.array(graph.limit_results, np.int64),
        counts=np.array([len(row) for row in graph.children], np.int64),
        children=rows_of_equal_width(graph.children).astype(np.int64),
        odds=rows_of_equal_width(graph.odds),
        once=rows_of_equal_width(graph.once).astype(np.int64),
        tactical=rows_of_equal_width(graph.tactical).astype(np.int64),
        order=rows_of_equal_width(graph.order, -1).astype(np.int64),
        scores=np.array(graph.scores, np.int64),
        known=np.array(graph.known, np.int64),
        plies=graph.plies,
        change=graph.change,
    )


def rows_of_equal_width(rows: Sequence[Sequence[float]], fill: int = 0) -> NDArray[np.float64]:
    return np.array([[*row, *[fill] * (WIDEST - len(row))] for row in rows], np.float64).ravel()


# The rulebooks. Limits, long turns and chance nodes are data; what else a search asks of a rulebook makes another one.

walk = Rulebook(
    name="walk",
    title="Random walk",
    sides=("first", "second"),
    options=Options,
    rules=rules_of,
    parameters=Rules,
    state=State,
    start=lambda: State(0, 0),
    turn=turn,
    moves=moves,
    moves_once=moves_once,
    play=play,
    result=result,
    key=key,
    plies_left=plies_left,
    horizon=horizon,
    at_limit=at_limit,
    max_moves=WIDEST,
    layout=lambda: square_board(1, 4, {}),
    pieces=lambda state: [""] * 4,
    gesture=placement,
    move_text=lambda state, move: f"m{move}",
)
repeated_walk = replace(walk, repetition=2)
thrice_repeated_walk = replace(walk, repetition=3)
dice_walk = replace(walk, name="dice_walk", outcomes=outcomes)
repeated_dice_walk = replace(dice_walk, repetition=2)
endless_walk = replace(walk, plies_left=None, horizon=None, at_limit=None, repetition=2)
long_endless_walk = replace(endless_walk, repetition=3)
alternating_walk = replace(walk, alternating=True, moves_once=None)

EXPERT = Heuristic(
    name="expert",
    game="",
    bounds=(-HIGHEST, HIGHEST),
    evaluate=score,
    is_tactical=is_tactical,
    known_result=known_result,
)
NARROW_EXPERT = replace(EXPERT, name="narrow expert", candidates=candidates)

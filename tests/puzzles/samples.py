"""Plans of every topology, small enough for every solver, and boards on them."""

from collections.abc import Iterator

from kibitz.puzzles import flow
from kibitz.puzzles.flow.dice import Dice
from kibitz.puzzles.flow.generator import cover

SMALL: dict[str, flow.Plan] = {
    "square": flow.Plan(4, 4),
    "long": flow.Plan(3, 6),
    "holes": flow.Plan(4, 5, holes=frozenset({(1, 2), (3, 4)})),
    "walls": flow.Plan(4, 4, walls=frozenset({((1, 1), (1, 2)), ((2, 2), (3, 2))})),
    "wrap across": flow.Plan(4, 4, wrap="across"),
    "wrap both": flow.Plan(4, 4, wrap="both"),
    "hexagon": flow.topology(5, 5, hexagonal=True),
    "wrapped hexagons": flow.Plan(4, 4, hexagonal=True, wrap="both"),
    "bridge": flow.Plan(4, 5, bridges=frozenset({(1, 2)})),
}


def covers(plan: flow.Plan, colours: int, number: int, seed: int = 1) -> Iterator[flow.Board]:
    """Boards with a solution, which need not be the only one."""
    dice = Dice(seed)
    while number:
        board = cover(plan, colours, dice)
        if board is not None:
            number -= 1
            yield board


def scattered(plan: flow.Plan, colours: int, number: int, seed: int = 1) -> Iterator[flow.Board]:
    """Boards with sources anywhere: most have no solution."""
    dice = Dice(seed)
    nodes = [at for at, node in enumerate(plan.graph.nodes) if not node.layer]
    for _ in range(number):
        chosen = dice.sample(nodes, 2 * colours)
        yield flow.Board(plan.graph, {chr(65 + at): (chosen[2 * at], chosen[2 * at + 1]) for at in range(colours)})

"""The race at the end of Chinese checkers: plans are shortest, legal, and made only where the armies have passed."""

import random
from itertools import pairwise

import numpy as np
import pytest

from kibitz import agents
from kibitz.core import Game, Position
from kibitz.core.limit import Limit
from kibitz.core.seam import interpreting
from kibitz.games import checkers
from kibitz.games.checkers import belongs, cells_in_rows
from kibitz.heuristics.checkers import army
from kibitz.heuristics.checkers_endgame import Plan, RacePlanner, find_plan, have_passed, rows_of

Cell = tuple[int, int]
Army = frozenset[tuple[Cell, int]]  # cells and the marbles on them
WAYS = ((1, -1), (-1, 1), (0, -1), (-1, 0), (1, 0), (0, 1))
ENOUGH = Limit(nodes=1_000_000)


def in_two_zones(game: Game, dice: random.Random, border: int) -> Position:
    """Blue's marbles thrown onto the rows down to the border, Red's below it, neither at its goal."""
    size = game.rules.size
    marbles = [int(marble) for marble in game.new().state.cells if marble]
    cells = np.zeros(size * size, np.int8)
    for side, rows in ((0, range(1, border + 1)), (1, range(border + 1, 2 * size))):
        own = [marble for marble in marbles if belongs(marble, side)]
        cells[dice.sample(cells_in_rows(rows, size), len(own))] = own
    state = game.new().state._replace(cells=cells, side=dice.randrange(2))
    position = game.position(game.write(state)) if game.result(state) == 0 else None
    return position or in_two_zones(game, dice, border)


# The oracle: breadth first over sets of marbles, on a board that is nothing but the zone.


def turns_by_breadth(position: Position, side: int) -> int:
    game = position.game
    size = game.rules.size
    enemy = rows_of(position, 1 - side)
    zone = {
        (i, j) for i in range(size) for j in range(size) if (i + j < min(enemy) if side == 0 else i + j > max(enemy))
    }
    goal = frozenset(
        (divmod(int(cell), size), int(game.rules.wanted[cell])) for cell in np.split(game.rules.goals, 2)[side]
    )
    layer = {army_of(position, side)}
    seen, turns = set(layer), 0
    while goal not in layer:
        layer = {after for army in layer for after in moved(army, zone)} - seen
        seen |= layer
        turns += 1
    return turns


def army_of(position: Position, side: int) -> Army:
    size = position.game.rules.size
    cells = position.state.cells.tolist()
    return frozenset((divmod(cell, size), marble) for cell, marble in enumerate(cells) if belongs(marble, side))


def moved(army: Army, zone: set[Cell]) -> list[Army]:
    return [
        army - {(cell, marble)} | {(target, marble)}
        for cell, marble in army
        for target in targets(cell, {other for other, _ in army} - {cell}, zone)
    ]


def targets(cell: Cell, others: set[Cell], zone: set[Cell]) -> set[Cell]:
    steps = {there for way in WAYS if (there := along(cell, way, 1)) in zone - others}
    chain, new = {cell}, [cell]
    while new:
        here = new.pop()
        for way in WAYS:
            line = [along(here, way, far) for far in range(1, 30)]
            pivot = next((far for far, there in enumerate(line, 1) if there in others), None)
            if pivot and all(there in zone - others for there in line[pivot : 2 * pivot]):
                landed = line[2 * pivot - 1]
                new += [landed] if landed not in chain else []
                chain.add(landed)
    return (steps | chain) - {cell}


def along(cell: Cell, way: Cell, far: int) -> Cell:
    return cell[0] + far * way[0], cell[1] + far * way[1]


SMALL = [("4x4", {}), ("4x4", {"colours": "one"}), ("5x5", {})]


@pytest.mark.parametrize(("preset", "options"), SMALL)
def test_a_plan_is_as_short_as_brute_force_says(preset: str, options: dict[str, str]) -> None:
    game = checkers(preset, **options)
    dice = random.Random(f"{preset} {options}")
    for number in range(4 if interpreting() else 25):
        border = game.rules.size - number % 2
        position = in_two_zones(game, dice, border)
        for side in (0, 1):
            plan = find_plan(position, side, ENOUGH)
            assert (len(plan.moves), plan.proven) == (turns_by_breadth(position, side), True), position.text


@pytest.mark.parametrize(("preset", "border"), [("4x4", 4), ("5x5", 5), ("7x7", 6), ("course", 10)])
def test_no_plan_is_shorter_than_the_lower_bound(preset: str, border: int) -> None:
    if interpreting() and preset in ("7x7", "course"):
        pytest.skip("takes long as plain Python")
    game = checkers(preset)
    rules = game.rules
    dice = random.Random(preset)
    for _ in range(6):
        position = in_two_zones(game, dice, border)
        for side in (0, 1):
            bound = army(
                position.state.cells, side, rules.size, rules.goals, rules.wanted, rules.step, rules.reach
            ).turns
            plan = find_plan(position, side, Limit(nodes=200_000))
            assert 0 < bound <= len(plan.moves), position.text


def forwards(position: Position, dice: random.Random) -> int:
    """A move that goes nowhere behind the own rear."""
    size = int(position.game.rules.size)
    rows = rows_of(position, position.turn)

    def stays(code: int) -> bool:
        row = sum(divmod(code % size**2, size))
        return row <= max(rows) if position.turn == 0 else row >= min(rows)

    return dice.choice([code for code in position.move_ids if stays(code)])


@pytest.mark.parametrize("preset", ["4x4", "7x7", "course"])
def test_a_plan_stays_legal_while_the_enemy_races_on_and_ends_in_a_win(preset: str) -> None:
    if interpreting() and preset != "4x4":
        pytest.skip("takes long as plain Python")
    game = checkers(preset)
    dice = random.Random(f"plan {preset}")
    for _ in range(4):
        position = in_two_zones(game, dice, game.rules.size)
        me = position.turn
        for move in find_plan(position, me, Limit(nodes=200_000)).moves:
            position = position.play(move)
            if not position.over:
                position = position.play(forwards(position, dice))
        assert position.result is not None, position.text
        assert position.result.winner == me, position.text


@pytest.mark.parametrize("preset", ["4x4", "7x7", "course"])
def test_armies_that_have_passed_stay_so_and_do_not_touch_while_nobody_turns_back(preset: str) -> None:
    game = checkers(preset)
    dice = random.Random(f"passed {preset}")
    for _ in range(2 if interpreting() else 5):
        position = in_two_zones(game, dice, game.rules.size)
        for _ in range(12):
            assert have_passed(position), position.text
            for code in position.move_ids:
                refuse_contact_in_the_zone(position, code)
            position = position.play(forwards(position, dice))
            if position.over:
                break


def refuse_contact_in_the_zone(position: Position, code: int) -> None:
    """A chain of hops that keeps to the zone goes over marbles of its own army only."""
    size, side = position.game.rules.size, position.turn
    enemy = rows_of(position, 1 - side)
    path = [divmod(cell, size) for cell in position.game.gesture(position.state, code).cells]
    rows = [sum(cell) for cell in path]
    if not (max(rows) < min(enemy) if side == 0 else min(rows) > max(enemy)):
        return
    for here, there in pairwise(path):
        pivot = (here[0] + there[0]) // 2 * size + (here[1] + there[1]) // 2
        step = any(there == along(here, way, 1) for way in WAYS)
        assert step or belongs(int(position.state.cells[pivot]), side), position.text


def test_the_armies_have_not_passed_while_a_marble_has_an_enemy_before_it() -> None:
    game = checkers("4x4")
    assert not have_passed(game.new())
    assert RacePlanner(game).plan(game.new(), ENOUGH) is None
    side_by_side = game.position("B/1Y/3/r2Y/3/g1/g b")
    assert not have_passed(side_by_side)
    with pytest.raises(ValueError, match="have not passed"):
        find_plan(side_by_side, 0, ENOUGH)
    assert have_passed(game.position("B/1Y/2Y/r3/3/g1/g b"))


def test_nothing_is_planned_for_an_army_that_is_home_or_when_there_is_no_time() -> None:
    home = checkers("4x4").position("B/YY/3/r3/3/g1/g r")
    assert find_plan(home, 0, ENOUGH) == Plan((), True)
    assert RacePlanner(home.game).plan(home, ENOUGH) is None
    far = in_two_zones(checkers(), random.Random(1), 10)
    assert find_plan(far, 0, Limit(nodes=1)) == Plan((), False)
    assert RacePlanner(far.game).plan(far, Limit(nodes=1)) is None


@pytest.mark.skipif(interpreting(), reason="takes long as plain Python")
def test_a_planner_keeps_to_its_plan_or_finds_a_shorter_one() -> None:
    game = checkers()
    dice = random.Random("racer")
    for _ in range(2):
        position = in_two_zones(game, dice, 10)
        me = position.turn
        planned = len(find_plan(position, me, Limit(nodes=50_000)).moves)
        planners = RacePlanner(game), RacePlanner(game)
        turns = 0
        while not position.over:
            turns += position.turn == me
            move = planners[position.turn].plan(position, Limit(nodes=50_000))
            assert move is not None
            position = position.play(move)
        assert turns <= planned


def test_the_engine_leaves_a_race_to_the_planner_that_its_heuristic_declares() -> None:
    race = checkers("4x4").position("B/1Y/2Y/r3/3/g1/g b")
    engine = agents.agent("engine", race.game)
    assert engine.choose(race, Limit(depth=1)).remarks == (RacePlanner.remark,)
    assert engine.choose(race.game.new(), Limit(depth=1)).remarks == ()

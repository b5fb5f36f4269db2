"""Laws of searches, on thousands of random games: the engine is worth what brute force with full history is worth, and
what the engine, Monte Carlo search or the proof search call proven is so.

KIBITZ_LAWS=20000 tries so many games for each law instead of the usual number.
"""

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import pytest

from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE, FIRST, ONGOING, SECOND
from kibitz.core.rulebook import Rulebook
from kibitz.core.seam import interpreting
from kibitz.search.engine import STEPS, Engine
from kibitz.search.engine.kernel import expected_value
from kibitz.search.engine.scale import CHANCE_TURN, CHANCE_WIN
from kibitz.search.engine.steps import EXACT_STEPS
from kibitz.search.mcts import Settings, Tree
from kibitz.search.proof import prove
from kibitz.search.report import CHANCE_SCALE, PROVEN, WIN, Report
from kibitz.search.textbook import alphabeta, minimax
from tests.search.brute_force import WHOLE_GAME, BruteForce, Line, TooLarge
from tests.search.random_games import (
    EXPERT,
    NARROW_EXPERT,
    Graph,
    Options,
    State,
    alternating_walk,
    dice_walk,
    draw_graph,
    endless_walk,
    long_endless_walk,
    repeated_dice_walk,
    repeated_walk,
    thrice_repeated_walk,
    walk,
    win_distances,
)

TRUE_TO_VALUE = (*EXACT_STEPS, "repetition", "known_result", "perfect", "table")
PRUNING = tuple(step for step in STEPS if step not in TRUE_TO_VALUE)
QUIET_TURNS = 10  # of the engine's quiescence
TREE = Settings(megabytes=1, seed=1, cap=20)
DEEP = 30  # turns that no line of a small game outlasts


def games_to_try(usual: int) -> int:
    """How many games a law is tried on; plain Python tries fewer."""
    given = int(os.environ.get("KIBITZ_LAWS", "0"))
    return given or (max(8, usual // 8) if interpreting() else usual)


# Families of games.


@dataclass(frozen=True)
class Family:
    """Games of one kind: options drawn by a seed, and positions to search in them."""

    book: Rulebook
    nodes: tuple[int, int]
    drawn: dict[str, tuple[int, int]] = field(default_factory=dict)  # options between these bounds
    set: dict[str, Any] = field(default_factory=dict)  # options that are always so
    steps: int = 0  # random moves that may come before the search
    roots: int = 1  # positions of each game; the first one begins it
    depth: tuple[int, int] = (DEEP, DEEP)

    def game(self, seed: int) -> Game:
        dice = Random(seed)
        drawn = {name: dice.randint(*bounds) for name, bounds in {"nodes": self.nodes, **self.drawn}.items()}
        options: dict[str, Any] = {**drawn, **self.set, "seed": seed, "repeats": self.book.repetition > 0}
        return self.book(**options, long=not self.book.alternating and dice.randrange(2) == 0)

    def positions(self, seed: int) -> Iterator[Position]:
        """Positions in which a side is to move, each with its history."""
        game, dice = self.game(seed), Random(seed)
        graph = graph_of(game)
        for number in range(self.roots):
            node = dice.randrange(len(graph.sides)) if number else 0
            ply = dice.randrange(min(graph.plies, 20)) if number else 0
            found = walk_on(Position(game, State(node, ply)), dice.randint(0, self.steps), dice)
            if found is not None:
                yield found


def walk_on(position: Position, steps: int, dice: Random) -> Position | None:
    """The position after some random moves, fewer where the game would end; None where there is nothing to choose."""
    while steps > 0 or position.turn == CHANCE:
        if position.over:
            return None
        after = position.roll(dice) if position.turn == CHANCE else position.play(dice.choice(position.move_ids))
        if after.over and position.turn != CHANCE:
            return position
        position = after
        steps -= 1
    return None if position.over else position


def each(families: dict[str, Family]) -> pytest.MarkDecorator:
    """Run a test on each family."""
    return pytest.mark.parametrize("family", [pytest.param(family, id=name) for name, family in families.items()])


def graph_of(game: Game) -> Graph:
    options: Options = game.options
    return draw_graph(options)


FAMILIES = {
    "layers": Family(walk, (16, 40), {"layers": (4, 8), "change": (0, 4)}, depth=(1, 6)),
    "ply limit": Family(walk, (6, 12), {"plies": (2, 7), "change": (0, 4)}, roots=4, depth=(8, 8)),
    "repetition": Family(repeated_walk, (6, 14), {"ends": (4, 12)}, roots=3, steps=6),
    "threefold repetition": Family(thrice_repeated_walk, (5, 9), {"ends": (4, 12)}, roots=3, steps=14),
    "repetition and limit": Family(
        repeated_walk, (9, 14), {"plies": (6, 9), "ends": (20, 40)}, roots=4, steps=4, depth=(10, 10)
    ),
    "chance": Family(dice_walk, (16, 40), {"layers": (4, 7), "chance": (2, 5)}, depth=(1, 5)),
    "chance first": Family(
        dice_walk, (8, 14), {"chance": (2, 5), "plies": (2, 4)}, {"dice_first": True}, roots=2, depth=(5, 5)
    ),
    "chance and limit": Family(
        dice_walk, (6, 12), {"chance": (2, 5), "plies": (2, 4), "change": (0, 3)}, roots=4, depth=(5, 5)
    ),
    "chance and repetition": Family(repeated_dice_walk, (6, 10), {"chance": (2, 5)}, roots=3, steps=5, depth=(10, 10)),
}


def past_of(position: Position) -> Line:
    """The keys of the positions before this one, the first one first."""
    change = graph_of(position.game).change
    earlier = [(place.state.node, bool(place.state.ply >= change)) for place in position.trail()]
    return tuple(reversed(earlier[1:]))


def brute_force(position: Position, **counting: Any) -> BruteForce:
    """Brute force by the true rules, unless told otherwise."""
    repetition = position.game.rulebook.repetition
    return BruteForce(graph_of(position.game), past=past_of(position), repetition=repetition, **counting)


def value_of(position: Position, depth: int, **counting: Any) -> float:
    """For the first player."""
    return brute_force(position, **counting).value(position.state.node, position.state.ply, depth)


def for_mover(value: float, position: Position) -> float:
    return value if position.turn == FIRST else -value


def tried(positions: Iterator[Position], judge: Callable[[Position], float]) -> Iterator[tuple[Position, float]]:
    """The positions with their values for the side to move, but not those that brute force cannot judge."""
    for position in positions:
        try:
            yield position, for_mover(judge(position), position)
        except TooLarge:
            continue


# The engine as the laws see it.


def engine_for(game: Game, heuristic: Heuristic, without: tuple[str, ...]) -> Engine:
    return Engine(game, heuristic, megabytes=1, without=without)


CHANCE_REACH = 2.0 * CHANCE_SCALE * EXPERT.unit


def worth_of_a_win(game: Game) -> dict[str, Any]:
    """What a win is worth to the engine, what each turn's delay costs, and what a score is worth."""
    if game.rulebook.outcomes is None:
        return {"win": WIN, "cost": 1.0}
    judge = partial(expected_value, reach=CHANCE_REACH)
    return {"win": CHANCE_WIN * CHANCE_REACH, "cost": CHANCE_TURN * CHANCE_REACH, "judge": judge}


def engine_value(engine: Engine, position: Position, depth: int) -> float:
    """The engine's value for the side to move, in its own units."""
    score = engine.search(position, Limit(depth=depth)).score
    assert score is not None
    worth = worth_of_a_win(engine.game)
    if score.win_in is None:
        return worth["win"] * math.tanh(score.value / CHANCE_REACH) if engine.chancy else score.value
    turns = worth["win"] - worth["cost"] * abs(score.win_in)
    return float(turns if score.win_in > 0 else -turns)


# In a game of chance the table keeps means of wins at unlike distances, so that the value of a whole game may be off by
# a turn's cost for each turn.


def compare(family: Family, usual: int, heuristic: Heuristic, without: tuple[str, ...], **counting: Any) -> None:
    """The engine against brute force on every position of many games; one engine for each game."""
    compared = 0
    for seed in range(1, games_to_try(usual) + 1):
        depth = Random(seed).randint(*family.depth)
        engine = engine_for(family.game(seed), heuristic, without)
        worth = worth_of_a_win(engine.game)
        near = 1e-4 if worth["win"] == WIN or "layers" in family.drawn else 10 * worth["cost"]

        def judge(position: Position, depth: int = depth, worth: dict[str, Any] = worth) -> float:
            return value_of(position, depth, eager=True, **worth, **counting)

        for position, expected in tried(family.positions(seed), judge):
            found = engine_value(engine, position, depth)
            assert abs(found - expected) <= near, f"{position!r}, depth {depth}: {found}, expected {expected}"
            compared += 1
    assert compared > games_to_try(usual) // 2


@each(FAMILIES)
def test_the_engine_is_worth_what_brute_force_is_worth(family: Family) -> None:
    compare(family, 400, EXPERT, PRUNING, knowing=True)


def test_without_a_table_the_engine_is_brute_force_at_any_depth() -> None:
    """With a table it may be better: what was searched deeper before counts there."""
    family = Family(repeated_walk, (8, 24), {"ends": (4, 40)}, roots=3, steps=6, depth=(1, 6))
    compare(family, 300, EXPERT, (*PRUNING, "table"), knowing=True)


def test_quiescence_follows_tactical_moves_and_never_stops_where_all_moves_are_tactical() -> None:
    family = Family(walk, (8, 20), {"ends": (4, 20), "plies": (6, 20)}, roots=3, depth=(1, 3))
    without = tuple(step for step in (*PRUNING, "table") if step != "quiescence")
    compare(family, 400, EXPERT, without, knowing=True, quiet_turns=QUIET_TURNS)


def within_estimates(value: float) -> float:
    """A value as reports show it where nothing is proven, as where chance has a say."""
    return max(1.0 - PROVEN, min(PROVEN - 1.0, value))


def test_textbook_searches_are_brute_force_without_repetition() -> None:
    family = Family(dice_walk, (8, 24), {"chance": (2, 5), "plies": (2, 9), "change": (0, 6)}, roots=2, depth=(1, 4))
    for seed in range(1, games_to_try(200) + 1):
        depth = Random(seed).randint(*family.depth)

        def judge(position: Position, depth: int = depth) -> float:
            return value_of(position, depth, win=WIN, cost=1.0)

        for position, expected in tried(family.positions(seed), judge):
            for search in (minimax, alphabeta):
                found = search(position, depth, EXPERT).score
                assert found is not None
                what = f"{search.__name__} {position!r}, depth {depth}: {found}, expected {expected}"
                assert abs(found.value - (expected if found.proven else within_estimates(expected))) < 1e-4, what
                for _, certain in tried(iter([position] if found.proven else []), certain_result):
                    assert certain == (1 if expected > 0 else -1), what


def eager_value(position: Position) -> float:
    """Of the whole game for the first player, as the engine counts repetition."""
    return value_of(position, WHOLE_GAME, eager=True, knowing=True, win=WIN, cost=1.0)


def test_a_table_filled_without_the_past_is_no_guide_where_the_past_counts() -> None:
    """The win may lead through a position of the past, where it is a draw."""
    family = Family(repeated_walk, (8, 16), {"ends": (4, 16)}, roots=40, steps=6)
    told_apart = 0
    for seed in range(1, games_to_try(100) + 1):
        engine = engine_for(family.game(seed), EXPERT, PRUNING)
        for position, expected in tried(family.positions(seed), eager_value):
            alone = Position(position.game, position.state)
            if for_mover(eager_value(alone), alone) == expected:
                continue
            engine.search(alone, Limit(depth=DEEP))
            found = engine_value(engine, position, DEEP)
            assert found == expected, f"{position!r}: {found}, expected {expected}"
            told_apart += 1
    assert told_apart > 0


def test_a_long_row_of_rolls_is_searched_as_far_as_there_is_room() -> None:
    """Beyond that the heuristic speaks, which sees nothing here, and no other search is disturbed."""
    engine = engine_for(dice_walk(rolls=90), EXPERT, PRUNING)
    start = engine.game.new()
    expected = value_of(start, 2, **worth_of_a_win(engine.game))
    assert abs(engine_value(engine, start, 2) - expected) < 1e-9
    assert expected > 0
    long = engine_for(dice_walk(rolls=400), EXPERT, PRUNING)
    for depth in (1, 2, 5):
        report = long.search(long.game.new(), Limit(depth=depth))
        assert (report.score is not None, report.depth, claim_of(report)) == (True, depth, 0)
        assert 0 <= engine_value(long, long.game.new(), depth) < 0.01


# Far wins, by working back from the ends: too many lines for brute force.


def some_roots(graph: Graph, dice: Random) -> list[int]:
    """The unfinished node that takes longest to win, and others."""
    distances = win_distances(graph)
    unfinished = [node for node, ended in enumerate(graph.results) if ended == ONGOING]
    farthest = max(unfinished, key=lambda node: abs(distances[node]))
    return [*dice.sample(unfinished, min(5, len(unfinished))), farthest]


LARGE = {
    "circles": Family(walk, (12, 40), {"ends": (8, 60)}),
    "repetition": Family(repeated_walk, (12, 30), {"ends": (8, 60)}),
    "far apart": Family(repeated_walk, (20, 60), {"span": (5, 9)}, {"ends": 60}),
}


def claims(family: Family, seed: int, heuristic: Heuristic, without: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Positions of a large game, the turns to the win by working back and by the engine's claim, and the depth."""
    game = family.game(seed)
    graph = graph_of(game)
    distances = win_distances(graph)
    engine = engine_for(game, heuristic, without)
    for node in some_roots(graph, Random(seed)):
        position = Position(game, State(node, 0))
        report = engine.search(position, Limit(depth=Random(seed).randint(1, 14), nodes=20_000))
        assert report.score is not None
        yield position, int(for_mover(distances[node], position)), report.score.win_in or 0, report.depth


def is_sound(claimed: int, distance: int) -> bool:
    """Does the side win that is said to win, and no sooner? 0 claims nothing."""
    return claimed == 0 or claimed >= distance > 0 or claimed <= distance < 0


@each(LARGE)
def test_every_win_within_the_depth_is_found_with_its_distance(family: Family) -> None:
    found = 0
    for seed in range(1, games_to_try(200) + 1):
        for position, distance, claimed, depth in claims(family, seed, EXPERT, PRUNING):
            right = claimed == distance if abs(distance) <= depth else is_sound(claimed, distance)
            assert right, f"{position!r}, depth {depth}: {claimed}, expected {distance}"
            found += claimed != 0
    assert found > games_to_try(200) // 4


LARGE_NARROW = {
    "circles": Family(walk, (14, 60), {"ends": (8, 60)}, {"wide": True}),
    "repetition": Family(repeated_walk, (14, 60), {"span": (5, 9)}, {"ends": 60}),
    "candidates": Family(alternating_walk, (14, 60), {"ends": (8, 60)}, {"narrow": True}),
}


@each(LARGE_NARROW)
def test_what_the_whole_engine_calls_proven_is_so(family: Family) -> None:
    """With every step on it may take longer to a win, or overlook one."""
    heuristic = NARROW_EXPERT if family.book is alternating_walk else EXPERT
    found = 0
    for seed in range(1, games_to_try(200) + 1):
        for position, distance, claimed, depth in claims(family, seed, heuristic, ()):
            assert is_sound(claimed, distance), f"{position!r}, depth {depth}: {claimed}, expected {distance} or later"
            found += claimed != 0
    assert found > games_to_try(200) // 4


# What is called proven, by the true rules: a position seen for the second or third time, the whole past counted.


PROVABLE = {
    "ply limit": Family(walk, (10, 16), {"plies": (4, 7), "change": (1, 4), "ends": (6, 20)}, roots=3),
    "repetition": Family(repeated_walk, (6, 14), {"ends": (4, 12)}, roots=3, steps=6),
    "threefold repetition": Family(thrice_repeated_walk, (5, 9), {"ends": (4, 12)}, roots=3, steps=14),
    "repetition and limit": Family(repeated_walk, (6, 14), {"plies": (2, 8), "change": (0, 4)}, roots=3, steps=4),
}


def true_value(position: Position) -> float:
    """For the first player, by the rules alone."""
    return value_of(position, WHOLE_GAME, win=WIN, cost=1.0)


def turns_to_win(value: float) -> int:
    """A value as the turns until the win, below zero for a loss; 0 for a draw."""
    return 0 if value == 0 else round(WIN - value) if value > 0 else -round(WIN + value)


def claim_of(report: Report) -> int:
    assert report.score is not None
    return report.score.win_in or 0


@each(PROVABLE)
def test_the_whole_engine_proves_only_what_is_so(family: Family) -> None:
    """From an empty table, since the past of each position is another."""
    found = 0
    for seed in range(1, games_to_try(200) + 1):
        engine = engine_for(family.game(seed), EXPERT, ())
        for position, value in tried(family.positions(seed), true_value):
            engine.forget()
            claimed = claim_of(engine.search(position, Limit(depth=Random(seed).randint(1, 9))))
            assert is_sound(claimed, turns_to_win(value)), f"{position!r}: {claimed}, expected {turns_to_win(value)}"
            found += claimed != 0
    assert found > games_to_try(200) // 8


@each(PROVABLE)
def test_monte_carlo_search_solves_only_what_is_so(family: Family) -> None:
    solved = 0
    for seed in range(1, games_to_try(200) + 1):
        tree = Tree(family.game(seed), EXPERT, TREE)
        for position, value in tried(family.positions(seed), true_value):
            report = tree.search(position, Limit(nodes=30 if interpreting() else 200))
            claimed, distance = claim_of(report), turns_to_win(value)
            assert is_sound(claimed, distance), f"{position!r}: {claimed}, expected {distance}"
            if "solved" in report.remarks:
                assert (claimed == 0) == (distance == 0), f"{position!r}: {claimed}, expected {distance}"
                solved += 1
    assert solved > games_to_try(200) // 2


DICE = {
    "chance": Family(dice_walk, (8, 24), {"layers": (3, 5), "chance": (2, 5)}, roots=2),
    "chance first": Family(dice_walk, (8, 20), {"chance": (3, 5), "plies": (2, 5)}, {"dice_first": True}, roots=2),
}


def certain_result(position: Position) -> float:
    """For the first player, 1, 0 or -1; a half where chance decides."""
    found = brute_force(position).certain(position.state.node, position.state.ply)
    return 0.5 if found is None else found


@each(DICE)
def test_where_chance_decides_nothing_is_proven_by_the_engine(family: Family) -> None:
    for seed in range(1, games_to_try(200) + 1):
        engine = engine_for(family.game(seed), EXPERT, ())
        for position, certain in tried(family.positions(seed), certain_result):
            engine.forget()
            claimed = claim_of(engine.search(position, Limit(depth=Random(seed).randint(1, 5))))
            assert claimed * certain == abs(claimed), f"{position!r}: wins in {claimed}, expected {certain}"


@each(DICE)
def test_where_chance_decides_nothing_is_proven_by_monte_carlo(family: Family) -> None:
    solved = 0
    for seed in range(1, games_to_try(200) + 1):
        tree = Tree(family.game(seed), EXPERT, TREE)
        for position, certain in tried(family.positions(seed), certain_result):
            report = tree.search(position, Limit(nodes=30 if interpreting() else 200))
            claimed = claim_of(report)
            assert claimed * certain == abs(claimed), f"{position!r}: wins in {claimed}, expected {certain}"
            if "solved" in report.remarks:
                assert certain == (claimed > 0) - (claimed < 0), f"{position!r}: solved, expected {certain}"
                solved += 1
    assert solved > games_to_try(200) // 20


# Without a limit at which somebody wins, no line that repeats a position leaves the question open.
DECIDABLE = {
    **PROVABLE,
    "repetition alone": Family(endless_walk, (6, 16), {"ends": (4, 20)}, roots=3, steps=6),
    "threefold repetition alone": Family(long_endless_walk, (5, 9), {"ends": (4, 20)}, roots=3, steps=14),
}


@each(DECIDABLE)
def test_proof_search_answers_as_brute_force_does(family: Family) -> None:
    answered = asked = 0
    for seed in range(1, games_to_try(400) + 1):
        for position, value in tried(family.positions(seed), true_value):
            for side in (FIRST, SECOND):
                verdict = prove(position, side, Limit(nodes=5_000), megabytes=1, heuristic=EXPERT).verdict
                wins = value > 0 if position.turn == side else value < 0
                assert verdict in ("unknown", "proven" if wins else "disproven"), f"{position!r}, {side=}"
                answered += verdict != "unknown"
                asked += 1
    open_ended = family.book.repetition > 0 and family.book.at_limit is not None
    assert answered > asked * (0.2 if open_ended else 0.98)

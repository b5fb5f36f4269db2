"""Generated boards, ratings and hints."""

from itertools import count, islice
from types import SimpleNamespace

import pytest

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.puzzles import flow
from kibitz.puzzles.flow import generator
from kibitz.puzzles.flow.course import boards as course
from kibitz.puzzles.flow.dice import Dice
from kibitz.puzzles.flow.sweep import nodes_from_each_corner
from tests.puzzles.samples import SMALL, covers

GOLDEN = ["AB____/_CB_D_/__CE__/___A__/DF_F__/_____E", "______/__ABCD/_____C/___E__/_ABDFE/_____F"]
EDITS = ([(2, 2)], [(4, 1)], [((1, 2), (1, 3)), ((2, 4), (3, 4))])
KINDS = {
    "walls": flow.topology(9, 9, walls=6, seed=1),
    "bridge": flow.topology(6, 6, bridges=1, seed=1),
    "hexagon": flow.topology(7, 7, hexagonal=True),
    "wraps": flow.Plan(6, 6, wrap="across"),
}


@pytest.mark.parametrize("topology", [*SMALL, "large"])
def test_every_generated_board_has_one_solution(topology: str) -> None:
    plan = SMALL.get(topology) or flow.Plan(10, 12)
    colours = None if topology == "large" else 3
    for board in islice(flow.boards(flow.Order(plan, colours), 7), 15):
        assert flow.count(board, 2, solver="sat") == flow.Count(1, True)
        assert colours is None or len(board.sources) == colours
        assert all(other not in board.graph.neighbours[one] for one, other in board.sources.values())


def test_a_seed_gives_the_same_boards_again() -> None:
    order = flow.Order(flow.Plan(7, 7))
    first = [str(board) for board in islice(flow.boards(order, 5), 4)]
    assert first == [str(board) for board in islice(flow.boards(order, 5), 4)]
    assert first != [str(board) for board in islice(flow.boards(order, 6), 4)]
    assert len(set(first)) == 4


def test_hints_are_the_same_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    plans = [flow.Plan(4, 4, wrap="both"), flow.topology(5, 5, hexagonal=True), flow.Plan(5, 5)]
    boards = [next(covers(plan, 4, 1)) for plan in plans]
    compiled = [[hint.text for hint in flow.hints(board)] for board in boards]
    monkeypatch.setenv("KIBITZ_INTERPRET", "1")
    assert [[hint.text for hint in flow.hints(board)] for board in boards] == compiled


def test_the_generator_does_the_same_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    order = flow.Order(flow.Plan(5, 5))
    compiled = [str(board) for board in islice(flow.boards(order, 5), 3)]
    monkeypatch.setenv("KIBITZ_INTERPRET", "1")
    assert [str(board) for board in islice(flow.boards(order, 5), 3)] == compiled


def test_a_seed_gives_these_boards_on_every_machine() -> None:
    boards = islice(flow.boards(flow.Order(flow.Plan(6, 6)), 1), 2)
    assert [str(board).replace("\n", "/") for board in boards] == GOLDEN
    plan = flow.topology(6, 6, holes=1, walls=2, bridges=1, seed=1)
    assert (sorted(plan.holes), sorted(plan.bridges), sorted(plan.walls)) == EDITS


@pytest.mark.parametrize("plan", [flow.Plan(10, 10), flow.Plan(14, 14)])
def test_three_tenths_of_the_sources_sit_on_the_border_and_none_beside_its_other(plan: flow.Plan) -> None:
    boards = list(islice(flow.boards(flow.Order(plan), 1), 100))
    on_border = [board.graph.border[source] for board in boards for source in board.letter_at]
    assert 0.25 < sum(on_border) / len(on_border) < 0.35
    for board in boards:
        assert all(other not in board.graph.neighbours[one] for one, other in board.sources.values())


@pytest.mark.parametrize("kind", KINDS)
def test_every_difficulty_is_made_on_every_kind_of_board(kind: str) -> None:
    for difficulty in flow.DIFFICULTIES:
        board = flow.generate(flow.Order(KINDS[kind], difficulty=difficulty), 3, Limit(seconds=60))
        assert flow.rate(board).difficulty == difficulty


def test_a_limit_reaches_the_rating_of_a_board_that_is_being_made(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def difficulty_of(board: flow.Board, limit: Limit) -> flow.Difficulty:
        asked.append(limit.seconds)
        return "easy"

    monkeypatch.setattr(generator, "difficulty_of", difficulty_of)
    flow.generate(flow.Order(flow.Plan(6, 6), difficulty="easy"), 1, Limit(seconds=7))
    assert asked
    assert asked[0] is not None
    assert asked[0] <= 7


def test_a_rating_that_takes_too_long_says_so() -> None:
    with pytest.raises(KibitzError, match=r"no rating within 0\.001 seconds, expected a longer limit"):
        flow.rate(course()["14x14"], Limit(seconds=0.001))


@pytest.mark.parametrize("difficulty", flow.DIFFICULTIES)
def test_a_board_of_the_difficulty_asked_for_is_made(difficulty: flow.Difficulty) -> None:
    board = flow.generate(flow.Order(flow.Plan(7, 7), difficulty=difficulty), 2)
    assert flow.rate(board).difficulty == difficulty


def test_impossible_orders_are_refused_in_one_line() -> None:
    with pytest.raises(KibitzError, match="9 colours on 16 cells, expected 1 to 5"):
        flow.generate(flow.Order(flow.Plan(4, 4), 9))
    with pytest.raises(KibitzError, match="no unique board of 3x2 found in 200 attempts"):
        flow.generate(flow.Order(flow.Plan(2, 3), 1))
    with pytest.raises(KibitzError, match="no expert board of 9x9 found in 1 attempts"):
        flow.generate(flow.Order(flow.Plan(9, 9), 27, "expert"), 1, Limit(seconds=1e-6))
    with pytest.raises(KibitzError, match="on squares only, 1 bridges"):
        flow.topology(5, 5, hexagonal=True, bridges=1)


def ranks(values: list[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    return [order.index(at) for at in range(len(values))]


def test_ratings_order_boards_as_the_effort_of_solving_does() -> None:
    some = [board for size in (5, 6, 7, 8, 9) for board in islice(flow.boards(flow.Order(flow.Plan(size, size)), 1), 8)]
    scores = ranks([flow.rate(board).score for board in some])
    efforts = ranks([sum(nodes_from_each_corner(board)) for board in some])
    number = len(some)
    apart = sum((score - effort) ** 2 for score, effort in zip(scores, efforts, strict=True))
    spearman = 1 - 6 * apart / (number * (number**2 - 1))
    assert spearman > 0.9


@pytest.mark.parametrize("name", course())
def test_hints_lead_to_the_solution_without_quoting_it(name: str) -> None:
    board = course()[name]
    solution = flow.solve(board).solution
    assert solution is not None
    steps = list(flow.hints(board))
    assert all((step.edge in solution.edges) == step.joined for step in steps)
    assert {step.kind for step in steps}.isdisjoint({"solution"})
    told = {step.edge for step in steps if step.joined}
    assert told == set(solution.edges)
    assert all(step.text.startswith(step.title) for step in steps)


@pytest.mark.parametrize("topology", SMALL)
def test_hints_are_right_on_every_topology(topology: str) -> None:
    for board in islice(flow.boards(flow.Order(SMALL[topology], 3), 11), 6):
        solution = flow.solve(board).solution
        assert solution is not None
        assert {step.edge for step in flow.hints(board) if step.joined} == set(solution.edges)


@pytest.mark.parametrize("topology", SMALL)
def test_hints_go_on_from_what_is_drawn(topology: str) -> None:
    for board in islice(flow.boards(flow.Order(SMALL[topology], 3), 11), 3):
        solution = flow.solve(board).solution
        assert solution is not None
        edges = sorted(solution.edges)
        told = {step.edge for step in flow.hints(board, drawn=edges[::2]) if step.joined}
        assert told == set(edges[1::2])
        assert not [step for step in flow.hints(board, drawn=edges) if step.joined]


def test_every_wrong_step_of_a_drawing_is_named_first_and_right_ones_never() -> None:
    board = flow.read("A__B/__C_/A_B_/C___")
    solution = flow.solve(board).solution
    assert solution is not None
    right = sorted(solution.edges)[:3]
    wrong = [edge for edge in board.graph.edges if edge not in solution.edges]
    for edge in wrong:
        first, *rest = flow.hints(board, drawn=[*right, edge])
        assert (first.kind, first.edge, first.joined) == ("wrong", edge, False)
        assert first.text.startswith("drawn wrong: take the step between")
        assert all(step.kind != "wrong" for step in rest)


def test_where_a_board_has_several_solutions_a_drawing_of_any_is_right() -> None:
    board = flow.read("A__/___/___/__A").ruled(touch="free")
    several = list(flow.search(board))
    assert len(several) > 1
    for solution in several:
        assert all(step.kind != "wrong" for step in flow.hints(board, drawn=sorted(solution.edges)))


def test_hints_name_their_reasons() -> None:
    titles = {step.title for board in course().values() for step in flow.hints(board)}
    assert {"forced edge", "dead corner", "spike impossible", "path would close others in", "trial"} <= titles


def test_boards_without_hints_are_refused() -> None:
    with pytest.raises(KibitzError, match=r"no hint for a board without a known solution \(unsolvable: solvable only"):
        next(flow.hints(flow.read("A__\n__A")))
    with pytest.raises(KibitzError, match="expected fill on"):
        next(flow.hints(flow.read("A__\n__A").ruled(fill=False)))
    wrapped = next(covers(flow.Plan(12, 12, wrap="both"), 11, 1))
    with pytest.raises(KibitzError, match=r"the time for trials is over|without a known solution"):
        list(flow.hints(wrapped, Limit(seconds=0.01)))


def test_what_drawing_the_paths_took_is_taken_from_the_limit_of_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    class Asked(Exception):
        pass

    def prove(board: flow.Board, limit: Limit) -> None:
        raise Asked(limit.seconds)

    ticks = count(step=0.25)
    maker = generator.BoardMaker(flow.Order(flow.Plan(5, 5)), Dice(7))
    monkeypatch.setattr(generator, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    monkeypatch.setattr(generator, "_prover", lambda board: prove)
    with pytest.raises(Asked, match=r"^0\.75$"):
        list(iter(lambda: maker.attempt(Limit(seconds=1)), ""))

"""Solvers against the spec's counts, against brute force, and against each other."""

import random
from itertools import combinations

import pytest

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.seam import specialise
from kibitz.core.seam.compiler import CompiledKernel
from kibitz.puzzles import flow
from kibitz.puzzles.flow import probe_kernel, propagation, propagation_kernel, sweep_kernel, weave_kernel
from kibitz.puzzles.flow.course import boards
from kibitz.puzzles.flow.propagation import Propagate, propagates
from kibitz.puzzles.flow.sat import Sat
from kibitz.puzzles.flow.sweep import Sweep
from tests.puzzles.brute import Path, two_path_solutions
from tests.puzzles.samples import SMALL, covers, scattered

COURSE = boards()


def paths_of(solution: flow.Solution) -> frozenset[Path]:
    return frozenset(path if path[0] < path[-1] else path[::-1] for path in solution.paths.values())


def everything(search: flow.Search) -> set[frozenset[Path]]:
    """All solutions, which must be different and pass the judge."""
    found = list(search)
    assert search.finished
    assert all(not flow.faults(search.board, solution.filling) for solution in found)
    different = {paths_of(solution) for solution in found}
    assert len(different) == len(found)
    return different


@pytest.mark.parametrize("name", COURSE)
@pytest.mark.parametrize("solver", ["sweep", "sat"])
def test_the_nine_boards_have_one_solution_under_strict_and_under_no2x2(name: str, solver: str) -> None:
    strict = everything(flow.search(COURSE[name], solver))
    assert len(strict) == 1
    assert everything(flow.search(COURSE[name].ruled(touch="no2x2"), solver)) == strict
    assert flow.unique(COURSE[name]) is True


@pytest.mark.parametrize(("name", "paths", "grids"), [("12x12", 91, 81), ("14x14", 20, 17), ("12x14", 1, 1)])
def test_free_paths_have_the_counts_of_the_spec(name: str, paths: int, grids: int) -> None:
    board = COURSE[name].ruled(touch="free")
    assert flow.count(board, 10**9, solver="sat") == flow.Count(paths, True)
    assert flow.count_fillings(board, 10**9, solver="sat") == flow.Count(grids, True)


def test_free_paths_on_10x10a_are_counted_alike_by_profile_and_by_sweep() -> None:
    board = COURSE["10x10a"].ruled(touch="free")
    assert flow.count(board, 10**9) == flow.count(board, 10**9, solver="sweep") == flow.Count(47126, True)
    assert flow.count_fillings(board, 10**9, solver="sweep") == flow.Count(14559, True)


@pytest.mark.parametrize("name", ["5x5", "7x7", "8x8", "9x9", "10x10b"])
def test_small_boards_have_one_solution_under_any_rules(name: str) -> None:
    for fill in (True, False):
        assert flow.count(COURSE[name].ruled(fill=fill, touch="free"), 10**9) == flow.Count(1, True)


def test_unfilled_free_paths_on_10x10a_are_counted_without_listing_them() -> None:
    board = COURSE["10x10a"].ruled(fill=False, touch="free")
    assert flow.count(board, 10**9) == flow.Count(27_305_437, True)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [("12x12", 9571), ("14x14", 2105), ("12x14", 1)])
def test_unfilled_free_paths_on_large_boards_have_the_counts_of_the_spec(name: str, number: int) -> None:
    board = COURSE[name].ruled(fill=False, touch="free")
    assert flow.count(board, 10**9, solver="sat") == flow.Count(number, True)


SIZES = [(rows, columns) for rows in range(1, 5) for columns in range(1, 5) if rows * columns >= 4]


@pytest.mark.parametrize("size", SIZES)
def test_every_two_pair_board_up_to_4x4_agrees_with_brute_force(size: tuple[int, int]) -> None:
    graph = flow.Plan(*size).graph
    wanted = two_path_solutions(graph, True, "strict")
    pairs = list(combinations(range(len(graph.nodes)), 2))
    for one, other in combinations(pairs, 2):
        if not set(one) & set(other):
            for solver in (Sweep, Propagate):
                search = solver(flow.Board(graph, {"A": one, "B": other}))
                assert {paths_of(solution) for solution in search} == wanted.get((one, other), set())
                assert search.status == ("solved" if (one, other) in wanted else "unsolvable")


@pytest.mark.parametrize(
    ("plan", "fill", "touch"),
    [
        (flow.Plan(4, 4), True, "no2x2"),
        (flow.Plan(4, 4), True, "free"),
        (flow.Plan(3, 4), False, "strict"),
        (flow.Plan(3, 4), False, "no2x2"),
        (flow.Plan(3, 3), False, "free"),
        (flow.Plan(3, 4, wrap="across"), True, "no2x2"),
        (flow.Plan(3, 3, wrap="both"), False, "strict"),
        (flow.Plan(3, 3, hexagonal=True), False, "no2x2"),
        (flow.Plan(3, 4, bridges=frozenset({(1, 1)})), True, "strict"),
        (flow.Plan(3, 4, holes=frozenset({(1, 1)}), walls=frozenset({((0, 2), (1, 2))})), True, "strict"),
    ],
)
def test_other_rules_and_topologies_agree_with_brute_force(plan: flow.Plan, fill: bool, touch: flow.Touch) -> None:
    graph = plan.graph
    wanted = two_path_solutions(graph, fill, touch)
    pairs = list(combinations(range(len(graph.nodes)), 2))
    boards = [pair for pair in combinations(pairs, 2) if not set(pair[0]) & set(pair[1])]
    dice = random.Random(3)
    chosen = dice.sample(boards, 100) + dice.sample(sorted(wanted), min(100, len(wanted)))
    for one, other in chosen:
        board = flow.Board(graph, {"A": (one[0], one[-1]), "B": (other[0], other[-1])}, fill, touch)
        assert everything(Sat(board)) == wanted.get((one, other), set())
        if plan.flat:
            assert everything(Sweep(board)) == wanted.get((one, other), set())
        if propagates(board):
            assert everything(Propagate(board)) == wanted.get((one, other), set())


@pytest.mark.parametrize("topology", SMALL)
def test_every_solver_agrees_with_every_other(topology: str) -> None:
    plan = SMALL[topology]
    colours = 3 if len(plan.graph.nodes) < 18 else 4
    for board in [*covers(plan, colours, 40), *scattered(plan, colours, 40)]:
        wanted = everything(Sat(board))
        assert everything(Propagate(board)) == wanted
        if plan.flat:
            assert everything(Sweep(board)) == wanted
        for solver in ("dumb", "smart", "smarter"):
            search = flow.search(board, solver)
            found = {paths_of(solution) for solution in search}
            assert found == wanted if search.finished else found <= wanted
            assert search.finished or "left out" in search.reason


KINDS = {
    "plain": flow.Plan(6, 6),
    "holes": flow.topology(7, 5, holes=2, seed=1),
    "walls": flow.topology(6, 6, walls=6, seed=1),
    "bridges": flow.topology(6, 7, bridges=2, seed=1),
    "hexagons": flow.topology(7, 7, hexagonal=True),
    "wraps": flow.Plan(5, 6, wrap="across", walls=frozenset({((1, 0), (1, 5)), ((3, 0), (3, 5)), ((2, 2), (2, 3))})),
    "wraps on all sides": flow.Plan(5, 5, wrap="both"),
}


def agree_on_generated_boards(plan: flow.Plan, number: int, colours: int) -> None:
    """The compiled search and the SAT solver find the same, and the judge accepts it."""
    for board in covers(plan, colours, number):
        found = list(Propagate(board))
        assert {paths_of(solution) for solution in found} == everything(Sat(board))
        assert all(flow.faults(board, solution.filling) == [] for solution in found)


@pytest.mark.parametrize("kind", KINDS)
def test_the_compiled_search_and_sat_agree_on_generated_boards_of_every_kind(kind: str) -> None:
    agree_on_generated_boards(KINDS[kind], 200, 5)


@pytest.mark.proof
@pytest.mark.parametrize("kind", KINDS)
def test_the_compiled_search_and_sat_agree_on_thousands_of_boards(kind: str) -> None:
    agree_on_generated_boards(KINDS[kind], 2000, 5)
    for board in scattered(KINDS[kind], 4, 1000):
        assert everything(Propagate(board)) == everything(Sat(board))


@pytest.mark.parametrize("plan", [KINDS["plain"], KINDS["holes"], KINDS["walls"]])
def test_sweep_and_sat_agree_on_generated_boards(plan: flow.Plan) -> None:
    for board in covers(plan, 5, 200):
        assert everything(Sweep(board)) == everything(Sat(board))


def test_a_search_that_is_long_goes_on_with_the_sat_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propagation, "_PATIENCE", 1)
    monkeypatch.setattr(propagation, "_SLICE", 1)
    for board in covers(KINDS["wraps on all sides"], 4, 20):
        assert everything(Propagate(board)) == everything(Sat(board))


def test_an_unsolvable_board_is_called_so_by_every_solver() -> None:
    board = flow.read("AB_\nBA_\n___")
    for solver in flow.SOLVERS:
        answer = flow.solve(board, solver)
        assert (answer.status, answer.solution) == ("unsolvable", None)


def test_a_board_that_needs_touching_paths_says_so() -> None:
    answer = flow.solve(flow.read("A__\n__A"))
    assert answer.status == "unsolvable"
    assert answer.note == "solvable only if a path may touch itself"
    assert flow.solve(flow.read("A__\n__A").ruled(touch="free")).status == "solved"


def test_giving_up_is_neither_solved_nor_unsolvable() -> None:
    board = COURSE["14x14"]
    for solver in flow.SOLVERS:
        answer = flow.solve(board, solver, Limit(nodes=1))
        if answer.status != "solved":
            assert answer.status == "gave up"
            assert "nodes are spent" in answer.note
    assert flow.solve(board, "sweep", Limit(nodes=1)).status == "gave up"
    assert flow.solve(board, "dumb", Limit(seconds=0.05)).note == "0.05 seconds are over"
    assert flow.unique(board, Limit(nodes=1)) is None
    assert flow.count(board, 5, Limit(nodes=1)) == flow.Count(0, False, "1 nodes are spent")
    assert flow.count(board, 5, Limit(nodes=300), "sweep") == flow.Count(0, False, "300 nodes are spent")


def test_a_path_search_that_leaves_costly_paths_out_does_not_call_a_board_unsolvable() -> None:
    board = flow.read("A____\n_____\n_____\n_____\n____A")
    search = flow.search(board, "smart")
    search.bound = 0  # type: ignore[attr-defined]
    assert next(search, None) is None
    assert search.status == "gave up"


def test_solutions_come_one_after_another_and_each_once() -> None:
    search = Sweep(COURSE["10x10a"].ruled(touch="free"))
    some = [paths_of(next(search)) for _ in range(50)]
    assert len(set(some)) == 50
    assert search.found == 50
    assert not search.finished


def test_counting_stops_at_the_number_asked_for() -> None:
    board = COURSE["10x10a"].ruled(touch="free")
    assert flow.count(board, 10, solver="sweep") == flow.Count(10, False, "10 solutions are enough")
    assert flow.count(board, 10, solver="sat") == flow.Count(10, False, "10 solutions are enough")


def test_the_solver_that_suits_is_chosen() -> None:
    assert flow.choose(COURSE["14x14"]) == "propagate"
    assert flow.choose(flow.Board(flow.Plan(40, 40).graph, {"A": (0, 1)})) == "propagate"
    assert flow.choose(COURSE["14x14"].ruled(touch="no2x2")) == "sweep"
    assert flow.choose(COURSE["14x14"].ruled(touch="free")) == "sat"
    assert flow.choose(COURSE["14x14"].ruled(fill=False)) == "sat"
    assert flow.choose(next(covers(SMALL["hexagon"], 3, 1))) == "propagate"
    assert flow.choose(flow.Board(flow.Plan(2, 4, wrap="both").graph, {"A": (0, 1)})) == "sat"
    with pytest.raises(KibitzError, match="'propagate' works on plans that are filled"):
        flow.search(COURSE["5x5"].ruled(touch="free"), "propagate")
    with pytest.raises(KibitzError, match="'sweep' works on rectangles"):
        flow.search(next(covers(SMALL["hexagon"], 3, 1)), "sweep")
    with pytest.raises(KibitzError, match="no solver is called 'swep'; did you mean 'sweep'"):
        flow.search(COURSE["5x5"], "swep")


@pytest.mark.parametrize("solver", [Sweep, Propagate])
def test_a_compiled_search_does_the_same_as_plain_python(
    monkeypatch: pytest.MonkeyPatch, solver: type[Sweep] | type[Propagate]
) -> None:
    compiled = [solver(COURSE[name]) for name in ("5x5", "7x7", "8x8")]
    wanted = [(everything(search), search.nodes) for search in compiled]
    monkeypatch.setenv("KIBITZ_INTERPRET", "1")
    plain = [solver(COURSE[name]) for name in ("5x5", "7x7", "8x8")]
    assert [(everything(search), search.nodes) for search in plain] == wanted


def test_the_published_solvers_take_few_assignments_where_the_report_does() -> None:
    assert flow.solve(COURSE["7x7"], "smart").search.assignments <= 12
    assert flow.solve(COURSE["8x8"], "smart").search.assignments <= 15
    assert flow.solve(COURSE["9x9"], "smarter").search.assignments <= 196


@pytest.mark.parametrize("most", [5, 1000])
def test_the_walk_of_a_sweep_leads_to_its_solution_in_so_many_moments_at_most(most: int) -> None:
    for plan in (SMALL["square"], SMALL["holes"], SMALL["walls"]):
        for board in covers(plan, 3, 5):
            walk = flow.walked(board, most)
            assert walk.solution is not None
            assert len(walk.moments) <= most
            decided: list[tuple[int, ...]] = []
            for moment in walk.moments:
                assert moment.kept <= len(decided)
                decided = [*decided[: moment.kept], *moment.decided]
            pairs = zip(walk.order, decided, strict=True)
            joined = {(min(one, other), max(one, other)) for one, others in pairs for other in others}
            assert joined == walk.solution.edges


def test_the_walk_of_a_board_without_a_solution_ends_with_nothing_left_to_try() -> None:
    walks = [flow.walked(board, 10_000) for board in scattered(SMALL["square"], 2, 40)]
    proofs = [walk for walk in walks if walk.search.status == "unsolvable" and walk.moments]
    assert proofs
    assert all(walk.solution is None and walk.moments[-1].alive == 0 for walk in proofs)


def test_warming_up_compiles_every_kernel() -> None:
    flow.warm()
    kernels = (propagation_kernel.search, probe_kernel.probe, sweep_kernel.sweep, weave_kernel.weave)
    for kernel in kernels:
        compiled = specialise(None, kernel)
        assert not isinstance(compiled, CompiledKernel) or compiled.is_ready

"""The judge accepts solutions and nothing else."""

import random

import pytest

from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import boards
from tests.puzzles.brute import all_paths, allowed
from tests.puzzles.samples import SMALL, covers


@pytest.mark.parametrize("name", boards())
def test_every_change_of_one_cell_of_a_solution_is_caught(name: str) -> None:
    board = boards()[name]
    solution = flow.solve(board).solution
    assert solution is not None
    assert flow.faults(board, solution.filling) == []
    for cell, letter in enumerate(solution.filling):
        for other in ("", *board.letters):
            if other != letter:
                changed = (*solution.filling[:cell], other, *solution.filling[cell + 1 :])
                assert flow.faults(board, changed)


@pytest.mark.parametrize("topology", SMALL)
def test_changes_are_caught_on_every_topology_unless_they_solve_it_another_way(topology: str) -> None:
    dice = random.Random(1)
    for board in covers(SMALL[topology], 3, 10):
        fillings = {solution.filling for solution in flow.search(board, "sat")}
        solution = next(iter(fillings))
        for _ in range(20):
            changed = list(solution)
            changed[dice.randrange(len(changed))] = dice.choice(board.letters)
            assert (flow.faults(board, changed) == []) == (tuple(changed) in fillings)


@pytest.mark.parametrize("touch", flow.TOUCHES)
def test_a_single_colour_is_judged_like_the_paths_that_exist(touch: flow.Touch) -> None:
    graph = flow.Plan(3, 3).graph
    fillable = {(path[0], path[-1]) for path in all_paths(graph) if len(path) == 9 and allowed(graph, path, touch)}
    for one in range(9):
        for other in range(one + 1, 9):
            board = flow.Board(graph, {"A": (one, other)}, touch=touch)
            assert (flow.faults(board, ["A"] * 9) == []) == ((one, other) in fillable)


def test_every_kind_of_fault_is_named() -> None:
    board = flow.read("A__\n_B_\n__A\nB__")
    for filling, fault in (
        ("A" * 11, "11 cells are given, expected 12"),
        ("AAA" + "AB_" + "__A" + "B__", "row 2, column 3 is empty, expected every cell to be filled"),
        ("BAA" + "ABA" + "BBA" + "BAA", "row 1, column 1 holds 'B', expected its source 'A'"),
        ("AAA" + "CBA" + "BBA" + "BAA", "row 2, column 1 holds 'C', which has no source"),
        ("AAA" + "ABA" + "BBA" + "BAA", "row 1, column 1 has 2 neighbours of its colour 'A', expected 1"),
        ("AAA" + "BBA" + "ABA" + "BAA", "row 3, column 1 is not joined to the source of 'A'"),
    ):
        cells = tuple("" if cell == "_" else cell for cell in filling)
        assert fault in flow.faults(board, cells)
    several = flow.faults(board, ("B", "", *"ABA", "A", *"BBA", *"BAA"))
    assert len(several) > 2, "the judge lists everything, not just what comes first"
    loose = flow.read("AA\n__").ruled(touch="no2x2")
    assert "the block of 4 cells at row 1, column 1 is all 'A'" in flow.faults(loose, ["A"] * 4)
    free = flow.read("A_A\n___").ruled(touch="free")
    assert flow.faults(free, ["A"] * 6) == ["the cells of 'A' are not one path between its sources"]

"""Pictures say what the board says."""

from xml.etree import ElementTree

import pytest

from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import boards
from tests.puzzles.samples import SMALL, covers

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("topology", SMALL)
def test_a_picture_shows_every_source_and_every_path(topology: str) -> None:
    board = next(covers(SMALL[topology], 3, 1))
    solution = flow.solve(board).solution
    assert solution is not None
    tree = ElementTree.fromstring(flow.svg(board, solution))
    assert sorted(text.text or "" for text in tree.iter(f"{SVG}text")) == sorted(2 * board.letters)
    assert len([path for path in tree.iter(f"{SVG}path") if path.get("class") == "path"]) == 3
    moving = ElementTree.fromstring(flow.animation(board, solution))
    assert len(list(moving.iter(f"{SVG}animate"))) >= len(solution.edges)


def test_an_animation_ends_with_the_solution_and_shows_what_was_taken_back() -> None:
    board = boards()["14x14"]
    solution = flow.solve(board).solution
    assert solution is not None
    tree = ElementTree.fromstring(flow.animation(board, solution))
    last = [(step.get("values") or "").split(";")[-1] for step in tree.iter(f"{SVG}animate")]
    assert last.count("1") == len(solution.edges)
    assert "0" in last


def test_boards_and_solutions_show_themselves_in_notebooks() -> None:
    board = boards()["5x5"]
    solution = flow.solve(board).solution
    assert solution is not None
    assert board._repr_svg_() == flow.svg(board)
    assert solution._repr_svg_() == flow.svg(board, solution)


def test_the_terminal_shows_text_or_colours() -> None:
    board = boards()["5x5"]
    solution = flow.solve(board).solution
    assert flow.terminal(board, colour=False) == str(board)
    assert flow.terminal(board, solution, colour=False) == str(solution)
    assert flow.terminal(board, solution, colour=True).count("\x1b[0m") == 25


def test_many_colours_stay_different() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    board = flow.read("\n".join((letters, letters)))
    from kibitz.puzzles.flow.picture import colour_of

    assert len({colour_of(board, letter) for letter in letters}) == len(letters)

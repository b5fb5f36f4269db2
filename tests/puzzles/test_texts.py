"""Reading, writing and refusing."""

import json
from pathlib import Path

import pytest

from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import TEXTS
from tests.puzzles.samples import SMALL, covers


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_of_a_course_board_round_trips(name: str) -> None:
    text = TEXTS[name].replace("/", "\n")
    assert str(flow.read(text)) == text
    assert str(flow.read(text.replace("_", "."))) == text


@pytest.mark.parametrize("topology", SMALL)
def test_every_topology_round_trips_with_its_filling(topology: str) -> None:
    board = next(covers(SMALL[topology], 3, 1)).ruled(touch="no2x2")
    again = flow.read(str(board))
    assert again == board
    solution = flow.solve(board).solution
    assert solution is not None
    assert flow.read_filling(board, str(solution)) == solution.filling


def test_a_board_can_be_any_graph() -> None:
    facts = {
        "nodes": [[0, 0], [1, 0], [1, 1], [0, 1]],
        "edges": [[0, 1], [1, 2], [2, 3], [0, 3]],
        "sources": {"A": [0, 1], "B": [2, 3]},
    }
    board = flow.read(json.dumps(facts))
    assert str(flow.solve(board).solution) == "AABB"
    assert flow.read(str(board)) == board
    assert flow.read_filling(board, "AABB") == ("A", "A", "B", "B")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "b.txt:1: is empty, expected rows of '_' and letters"),
        ("\n \n", "b.txt:1: is empty"),
        ("A_A\n__", "b.txt:2: row has 2 cells, expected 3"),
        ("A__\n_B_\n__B", "b.txt:1: letter 'A' stands once, expected twice"),
        ("A_A\n_B_\nA_B", "b.txt:3: letter 'A' stands three times, expected twice"),
        ("A__\n__a", "b.txt:2: 'A' and 'a' are both used, expected a letter in one case"),
        ("A_a\nA_a", "b.txt:1: 'A' and 'a' are both used, expected a letter in one case"),
        ("___\n___", "b.txt:1: no sources, expected each colour's letter twice"),
        ("_", "b.txt:1: no sources"),
        ("A", "b.txt:1: letter 'A' stands once, expected twice"),
        ("A_A\n_\t_", "b.txt:2: '\\t' is no cell, expected '_', a letter, '#' or '+'"),
        ("A\0A", "b.txt:1: '\\x00' is no cell"),
        (("_" * 500 + "\n") * 500, "b.txt:1: row has 500 cells, expected at most 100 rows of at most 100 cells"),
        ("_\n" * 500, "b.txt:101: one row too many, expected at most 100 rows"),
        ("{", "b.txt:1: is no JSON"),
        ('{"rows": 3}', "b.txt:1: 'rows' is missing or no list of texts"),
        ('{"rows": ["A_A"], "wrap": "up"}', "b.txt:1: 'wrap' is '\"up\"', expected one of"),
        ('{"rows": ["A_A"], "fill": 1}', "b.txt:1: 'fill' is '1', expected one of true, false"),
        ('{"rows": ["A_A"], "walls": [[0, 1]]}', "expected [[row, column], [row, column]]"),
        ('{"rows": ["A_A"], "walls": [[[0, 1], [0, 9]]]}', "leaves the board, expected rows below 1"),
        ('{"rows": ["A_A"], "warp": "both"}', "unknown key 'warp'; did you mean 'wrap'?"),
        (
            '{"rows": ["A_A"], "version": 2}',
            "b.txt:1: format and version are 'kibitz-flow 2', expected 'kibitz-flow 1'",
        ),
        ('{"rows": ["A+A"], "shape": "hexagon"}', "b.txt:1: '+' on hexagons, expected bridges on squares only"),
        ('{"nodes": [[0, 0]], "edges": [[0, 1]], "sources": {"A": [0, 0]}}', "expected nodes 0 to 0"),
        ('{"nodes": 3}', "expected nodes [[x, y], ...]"),
    ],
)
def test_a_mistake_is_told_with_file_row_and_expectation(text: str, message: str) -> None:
    with pytest.raises(flow.BadPuzzle) as told:
        flow.read(text, "b.txt")
    assert message in str(told.value)
    assert "\n" not in str(told.value)


def test_files_that_cannot_be_read_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(flow.BadPuzzle, match="is a folder, expected a file with a puzzle"):
        flow.load(tmp_path)
    with pytest.raises(flow.BadPuzzle, match="cannot be read"):
        flow.load(tmp_path / "nothing.txt")
    (tmp_path / "garbage").write_bytes(b"A_A\n\xff\xfe\x00")
    with pytest.raises(flow.BadPuzzle, match="garbage:2: is not text, expected rows"):
        flow.load(tmp_path / "garbage")
    (tmp_path / "large").write_bytes(b"_" * 1_000_001)
    with pytest.raises(flow.BadPuzzle, match="more than 1000000 bytes"):
        flow.load(tmp_path / "large")


def test_a_filling_of_another_shape_is_refused() -> None:
    board = flow.read("A_A\n#_#")
    for text, message in (
        ("AA\n#A", "2x2 cells, expected 3x2"),
        ("AAA\nAA#", "column 1 is 'A', expected '#'"),
        ("A#A\n#A#", "column 2 is '#', expected a letter"),
    ):
        with pytest.raises(flow.BadPuzzle) as told:
            flow.read_filling(board, text)
        assert message in str(told.value)


def test_more_than_26_colours_may_use_both_cases() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    board = flow.read("\n".join((letters, letters)))
    assert len(board.sources) == 52
    assert flow.unique(board) is True

"""Reading, writing and refusing."""

import json
from pathlib import Path

import pytest

from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import TEXTS
from kibitz.puzzles.flow.dice import Dice
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
        (
            "A__\n__a",
            "b.txt:1: letter 'A' stands once, expected twice (upper and lower case are different colours",
        ),
        ("A#B\n##_\nBA_", "b.txt:1: source 'A' in column 1 is walled in on all sides, expected an open side"),
        ('{"rows": ["A_A"], "walls": [[[0, 0], [0, 1]]]}', "b.txt, rows:1: source 'A' in column 1 is walled in"),
        ("[3]", "b.txt:1: '3' is no board, expected an object with 'rows'"),
        ("___\n___", "b.txt:1: no sources, expected each colour's letter twice"),
        ("_", "b.txt:1: no sources"),
        ("A", "b.txt:1: letter 'A' stands once, expected twice"),
        ("A_A\n_\t_", "b.txt:2: '\\t' is no cell, expected '_', a letter, '#' or '+'"),
        ("A\0A", "b.txt:1: '\\x00' is no cell"),
        (("_" * 500 + "\n") * 500, "b.txt:1: row has 500 cells, expected at most 200 rows of at most 200 cells"),
        ("_\n" * 500, "b.txt:201: one row too many, expected at most 200 rows"),
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
        ('{"rows": ["A+A"], "shape": "hexagon"}', "b.txt, rows:1: '+' on hexagons, expected bridges on squares only"),
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
    with pytest.raises(flow.BadPuzzle, match="Is a directory"):
        flow.load(tmp_path)
    with pytest.raises(flow.BadPuzzle, match="No such file"):
        flow.load(tmp_path / "nothing.txt")
    (tmp_path / "garbage").write_bytes(b"A_A\n\xff\xfe\x00")
    with pytest.raises(flow.BadPuzzle, match="garbage:2: is not text, expected rows"):
        flow.load(tmp_path / "garbage")
    (tmp_path / "large").write_bytes(b"_" * 16_000_001)
    with pytest.raises(flow.BadPuzzle, match="more than 16000000 bytes"):
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


def test_upper_and_lower_case_are_different_colours() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    board = flow.read("\n".join((letters, letters)))
    assert len(board.sources) == 52
    assert flow.unique(board) is True
    assert set(flow.read("Aa\nAa").sources) == {"A", "a"}


def test_comments_blank_lines_and_blanks_between_cells_are_read() -> None:
    plain = flow.read("A_A\n#B_\nB__")
    assert flow.read("; a comment\n// another\n# a third\n\n\nA_A  \r\n#B_\r\nB__\n\n") == plain
    assert flow.read("A . A\nB B .") == flow.read("A_A\nBB_")
    assert flow.read("A _ A\n# B _\nB _ _") == plain
    assert flow.read("A_A\n\n#B_\n\nB__\n") == plain


def test_a_text_of_several_boards_is_no_single_board() -> None:
    with pytest.raises(flow.BadPuzzle, match=r"b\.txt:4: a second board begins, expected one"):
        flow.read("AA\nBB\n\nCC\nDD", "b.txt")
    entries = list(flow.read_all("AA\nBB\n\nCC\nDx\n\nEE\nFF", "b.txt"))
    assert [entry.name for entry in entries] == ["b.txt#1", "b.txt#2", "b.txt#3"]
    assert [entry.board is not None for entry in entries] == [True, False, True]
    assert "b.txt:5: letter 'D' stands once" in str(entries[1].problem)


def test_boards_of_two_hundred_rows_and_columns_are_read_and_solved() -> None:
    wide = "A" + "_" * 198 + "A"
    board = flow.read("\n".join(wide.replace("A", chr(0x4E00 + row)) for row in range(200)))
    assert board.size == "200x200"
    assert flow.unique(board) is True


TOKENS = [
    "A", "b", "_", ".", "#", "+", "\n", "\n\n", "/", " ", "{", "}", "[", "]", '"rows"', ":", ",", '"', "1", "é",
    "\0", "; x\n", "null", "-1e999", '{"rows": ["A_A"]}', '"walls"', '"nodes"', '"sources"', "1" * 5000,
]  # fmt: skip


def test_rubbish_is_a_board_or_a_mistake_in_one_line() -> None:
    dice = Dice(1)
    for _ in range(3000):
        text = "".join(TOKENS[dice.below(len(TOKENS))] for _ in range(dice.below(12)))
        for entry in flow.read_all(text, "b.txt"):
            assert entry.board is not None or "\n" not in str(entry.problem)


@pytest.mark.parametrize(
    ("facts", "change"),
    [
        ({"rows": ["A_A", "B_B"], "walls": [[[0, 0], [0, 1]]], "wrap": "both", "shape": "hexagon"}, "rows"),
        (
            {"nodes": [[0, 0], [1, 0], [1, 1]], "edges": [[0, 1], [1, 2]], "faces": [], "sources": {"A": [0, 2]}},
            "nodes",
        ),
    ],
)
def test_damaged_facts_are_a_board_or_a_mistake(facts: dict[str, object], change: str) -> None:
    values: list[object] = [
        None,
        True,
        3,
        -1.5,
        "A",
        "",
        [],
        [[]],
        [[0]],
        [[0, 0]],
        {},
        {"A": 1},
        ["A_", "_A"],
        [1e400, "x"],
        "both",
    ]
    for key in facts:
        for value in values:
            for entry in flow.read_all(json.dumps(facts | {key: value}), "b.txt"):
                assert entry.board is not None or "b.txt" in str(entry.problem)

"""Readers take time in proportion to what they read: a quadratic one would not come back from these."""

from pathlib import Path

import pytest

from kibitz.core.errors import KibitzError
from kibitz.puzzles import flow
from tests.robustness.command import assert_refused, kibitz

HEAD = "\n".join(
    f'[{tag} "{value}"]'
    for tag, value in {
        "Format": "1", "Game": "breakthrough", "First": "a", "Second": "b", "Start": "x", "Opening": "0", "Seed": "0",
        "Result": "*", "Reason": "rules",
    }.items()
)  # fmt: skip


def test_millions_of_short_lines_in_a_record_are_refused_in_no_time(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text(HEAD + "\n\n" + "a\n" * 1_500_000)
    assert_refused(kibitz("replay", "r.txt", cwd=tmp_path), "nothing says whose move 'a' is")


def test_a_graph_of_many_edges_and_faces_is_read() -> None:
    side = 90
    nodes = [[at % side, at // side] for at in range(side * side)]
    edges = [[at, at + 1] for at in range(side * side) if at % side < side - 1]
    edges += [[at, at + side] for at in range(side * (side - 1))]
    corners = [at for at in range(side * (side - 1)) if at % side < side - 1]
    faces = [[at, at + 1, at + side + 1, at + side] for at in corners]
    board = f'{{"nodes": {nodes}, "edges": {edges}, "faces": {faces}, "sources": {{"A": [0, 1]}}}}'
    assert len(flow.read(board).graph.edges) == len(edges)


def test_a_word_of_a_million_letters_is_refused() -> None:
    from kibitz.games import catalog

    with pytest.raises(KibitzError):
        catalog.load_known("a" * 1_000_000)

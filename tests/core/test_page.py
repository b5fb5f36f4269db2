"""The self-contained page, the notebook's viewer, and the drawing that the browser gets."""

import json
import random
import re
from typing import Any

import pytest

from kibitz import games
from kibitz.arena.records.record import Ply, Record
from kibitz.core import picture
from kibitz.core.picture.drawing import drawing, scene, steps
from kibitz.core.picture.figures import FIGURES
from kibitz.core.picture.page import SCRIPTS, script
from kibitz.core.position import Position
from kibitz.search.report import Line, Report, Score

NAMES = ["alquerque", "breakthrough", "checkers", "vampires", "wolves"]


def facts_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script id="facts" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found
    facts: dict[str, Any] = json.loads(found[1])
    return facts


def two_plies() -> list[Position]:
    start = games.breakthrough().new()
    first = start.play("a2-a3")
    return [start, first, first.play("b7-b6")]


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_is_plain_json_with_a_path_for_every_cell_and_a_figure_for_every_piece(name: str) -> None:
    layout = games.load(name).layout
    made = json.loads(json.dumps(drawing(layout)))
    assert [cell["name"] for cell in made["cells"]] == [cell.name for cell in layout.cells]
    assert all(cell["path"].startswith("M") for cell in made["cells"])
    for letter, piece in layout.pieces.items():
        assert [part["path"] for part in made["pieces"][letter]["parts"]] == [
            part.path for part in FIGURES[piece.figure]
        ]


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_lies_within_the_drawing(name: str) -> None:
    made = drawing(games.load(name).layout)
    left, top, right, bottom = made["box"]
    assert all(left <= cell["x"] <= right and top <= cell["y"] <= bottom for cell in made["cells"])
    assert right < made["width"]
    assert bottom < made["height"]


def test_a_scene_holds_pieces_last_turn_and_the_moves_when_they_are_wanted() -> None:
    _, after, _ = two_plies()
    shown = scene(after, moves=True)
    assert shown["pieces"][16] == "P"
    assert shown["last"] == [{"cells": [8, 16], "amount": None, "captured": []}]
    assert {move["text"] for move in shown["moves"]} == set(after.moves())
    assert "moves" not in scene(after)


def test_the_steps_between_two_positions_are_those_played_and_none_backwards() -> None:
    start, _, end = two_plies()
    assert [step["text"] for step in steps(start, end)] == ["a2-a3", "b7-b6"]
    assert steps(end, start) == []
    assert steps(start, start) == []


def test_an_outcome_of_chance_is_marked_as_one() -> None:
    before = games.load("vampires").position("10/4,w4,5/4,v4,5/10/10 v")
    fought = before.play("4,2>4,1:4+end").roll(random.Random(1))
    assert [step["chance"] for step in steps(before, fought)] == [False, False, True]


def test_a_page_needs_nothing_from_elsewhere() -> None:
    html = picture.page("a game", two_plies(), ["start", "one", "two"])
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in html
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", html)
    assert not re.search(r"^(import|export) ", html, re.MULTILINE)


def test_a_page_holds_every_position_with_its_caption() -> None:
    facts = facts_of(picture.page("a game", two_plies(), ["start", "one", "two"]))
    assert [frame["caption"] for frame in facts["frames"]] == ["start", "one", "two"]
    assert [len(frame["steps"]) for frame in facts["frames"]] == [0, 1, 1]
    assert facts["frames"][2]["position"] == two_plies()[2].text


def test_no_text_can_leave_its_place_in_the_page() -> None:
    nasty = "</script><script>alert(1)</script>{{facts}}"
    html = picture.page(nasty, two_plies()[:1], [nasty])
    assert "<script>alert" not in html
    assert facts_of(html)["title"] == nasty


def test_a_page_wants_a_caption_for_each_position() -> None:
    with pytest.raises(ValueError, match="3 positions with 1 captions"):
        picture.page("a game", two_plies(), ["one"])


def test_the_joined_script_holds_every_module_once() -> None:
    text = script()
    for name in ("elements", "style", "choosing", "painting", "moving", "asking", "dragging", "board", "stepping"):
        first = (SCRIPTS / f"{name}.js").read_text().splitlines()[0]
        assert text.count(first) == 1 or first == "/**"


def test_names_at_the_top_of_the_modules_do_not_clash_when_they_are_joined() -> None:
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", script(), re.MULTILINE)
    assert sorted(names) == sorted(set(names))


def test_a_viewer_shows_the_way_to_a_position_in_a_closed_frame() -> None:
    shown = picture.viewer(two_plies()[2])._repr_html_()
    assert shown.startswith("<iframe")
    assert 'sandbox="allow-scripts"' in shown
    assert "black: b7-b6" in shown


def test_a_record_shows_itself_in_a_notebook() -> None:
    plies = (Ply(text="a2-a3", side=0), Ply(text="b7-b6", side=1))
    start = games.breakthrough().new().text
    record = Record(game="breakthrough", first="random", second="<b>", start=start, plies=plies, result=None)
    shown = record._repr_html_()
    assert "white: a2-a3" in shown
    assert "<b>" not in shown


def test_a_report_shows_itself_in_a_notebook() -> None:
    report = Report((1,), (Line(Score(0.5, "white"), (1,), "a2-a3 <b7-b6"),), depth=7, nodes=1000, seconds=0.5)
    shown = report._repr_html_()
    assert "+0.50 for white" in shown
    assert "a2-a3 &lt;b7-b6" in shown
    assert "1,000 nodes in 0.50 s (2,000 a second)" in shown

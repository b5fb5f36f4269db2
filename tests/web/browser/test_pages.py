"""Flow solved by drawing, the other pages, the width of a phone, and a board with moves that are hard to tell apart."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from kibitz import games
from kibitz.core.picture import page as page_of
from kibitz.core.picture import viewer
from kibitz.core.picture.drawing import drawing
from tests.web.browser.hand import PATIENCE, Hand

SPOTS = """nodes => nodes.map(node => {
  const box = document.querySelector(`[data-node="${node}"]`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""
SOLVED = """async () => {
  const board = document.getElementById("board").facts.text;
  const headers = { "Content-Type": "application/json" };
  const reply = await fetch("/api/flow/solve", { method: "POST", headers, body: JSON.stringify({ board }) });
  return (await reply.json()).paths;
}"""
READY = "() => document.body.dataset.ready === 'yes'"


def flow(page: Page, site: str) -> Page:
    page.goto(f"{site}/flow")
    page.wait_for_function(READY, timeout=PATIENCE)
    return page


def draw(page: Page, path: list[int]) -> None:
    spots = page.evaluate(SPOTS, path)
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot)
    page.mouse.up()


def test_a_flow_board_is_solved_by_drawing(page: Page, site: str) -> None:
    flow(page, site)
    paths: dict[str, list[int]] = page.evaluate(SOLVED)
    *others, last = paths.values()
    for path in others:
        draw(page, path)
    expect(page.locator("#message")).to_be_hidden()
    draw(page, last[::-1])
    expect(page.locator("#message")).to_contain_text("Solved!")


def test_a_flow_path_that_is_crossed_is_cut(page: Page, site: str) -> None:
    flow(page, site)
    page.locator("summary").click()
    page.fill("#board-text", "A_A\nB_B\n___")
    page.click("#use-text")
    expect(page.locator("#side h2")).to_contain_text("3x3")
    draw(page, [3, 4, 5])
    draw(page, [0, 1, 4])
    expect(page.locator("#filled")).to_contain_text("4 of 9")


def test_a_flow_hint_gives_its_reason(page: Page, site: str) -> None:
    flow(page, site)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text("row", timeout=PATIENCE)


def test_flow_hints_go_on_from_what_is_drawn_and_end_when_all_is(page: Page, site: str) -> None:
    flow(page, site)
    page.click("#hint")
    expect(page.locator("#board .join")).to_have_count(1, timeout=PATIENCE)
    first = page.locator("#message").inner_text()
    paths: dict[str, list[int]] = page.evaluate(SOLVED)
    *others, last = paths.values()
    for path in others:
        draw(page, path)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text("join", timeout=PATIENCE)
    assert page.locator("#message").inner_text() != first
    draw(page, last)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text("Everything is drawn", timeout=PATIENCE)


def test_a_flow_hint_says_first_what_is_drawn_wrong(page: Page, site: str) -> None:
    flow(page, site)
    page.locator("summary").click()
    page.fill("#board-text", "A__B\n__C_\nA_B_\nC___")
    page.click("#use-text")
    expect(page.locator("#side h2")).to_contain_text("4x4")
    draw(page, [0, 1, 2])
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text(
        "Drawn wrong: take the step between row 1, column 1", timeout=PATIENCE
    )
    expect(page.locator("#board .bar")).to_have_count(1)


def test_a_flow_board_is_generated_and_solved(page: Page, site: str) -> None:
    flow(page, site)
    page.select_option("#size", "6x6")
    page.click("#generate")
    page.locator("#side h2", has_text="6x6").wait_for(timeout=PATIENCE)
    page.click("#solve")
    expect(page.locator("#message")).to_contain_text("the only solution", timeout=PATIENCE)
    expect(page.locator("#filled")).to_contain_text("36 of 36")


@pytest.mark.parametrize("solver", ["dumb", "smart", "smarter", "sweep"])
def test_a_flow_solver_is_watched(page: Page, site: str, solver: str) -> None:
    flow(page, site)
    page.select_option("#solver", solver)
    page.locator("input[type=range]").fill("200")
    page.click("#watch")
    expect(page.locator("#message")).to_contain_text(f"{solver}: ", timeout=PATIENCE)
    assert "node" in page.locator("#watched").inner_text()


def test_the_sweep_is_watched_cell_by_cell(page: Page, site: str) -> None:
    flow(page, site)
    page.select_option("#solver", "sweep")
    page.locator("input[type=range]").fill("1")
    page.click("#watch")
    expect(page.locator("#board .frontier")).to_have_count(1, timeout=PATIENCE)
    expect(page.locator("#watched")).to_contain_text("1 of 25 cells decided, 1 partial board left to try")
    expect(page.locator("#board .decided")).to_have_count(3)
    page.locator("input[type=range]").fill("200")
    expect(page.locator("#message")).to_have_text("sweep: solved", timeout=PATIENCE)
    expect(page.locator("#filled")).to_contain_text("25 of 25")
    expect(page.locator("#board .decided")).to_have_count(0)


def test_a_flow_board_is_pasted_and_a_wrong_one_refused_in_a_line(page: Page, site: str, complaints: list[str]) -> None:
    flow(page, site)
    page.locator("summary").click()
    page.fill("#board-text", "A_A\n___")
    page.click("#use-text")
    expect(page.locator("#side h2")).to_contain_text("3x2")
    page.fill("#board-text", "A_A\n__")
    page.click("#use-text")
    page.locator(".toast.wrong").wait_for()
    complaints.clear()


def test_a_flow_path_is_drawn_by_keyboard(page: Page, site: str) -> None:
    flow(page, site)
    page.evaluate("() => document.querySelector('.flow-hit[tabindex=\"0\"]').focus()")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#filled")).to_contain_text("3 of 25")


def test_without_a_store_the_tournaments_page_says_how_to_get_one(page: Page, site: str) -> None:
    page.goto(f"{site}/tournaments")
    expect(page.locator("main")).to_contain_text("kibitz serve --store")


class TestOnAPhone:
    """360 pixels wide: nothing sticks out, the board comes first, a touch plays."""

    @pytest.fixture
    def viewport(self) -> tuple[int, int]:
        return 360, 740

    @pytest.mark.parametrize("path", ["/", "/flow", "/replay", "/tournaments"])
    def test_no_page_scrolls_sideways(self, page: Page, site: str, path: str) -> None:
        page.goto(site + path)
        page.wait_for_function(READY, timeout=PATIENCE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360

    @pytest.mark.parametrize("name", ["breakthrough", "checkers", "vampires"])
    def test_a_game_fits_and_the_board_comes_first(self, hand: Hand, name: str) -> None:
        page = hand.open(f"game={name}&second=random").page
        for tab in ("moves", "analysis", "tree", "setup"):
            page.click(f"#tab-{tab}")
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
        board, tools = page.locator("#board").bounding_box(), page.locator("#tools").bounding_box()
        assert board
        assert tools
        assert board["width"] > 320
        assert board["y"] < tools["y"]

    def test_a_finger_plays(self, hand: Hand) -> None:
        hand.open("game=breakthrough&second=human")
        before = hand.hash
        for cell in (8, 16):
            hand.page.touchscreen.tap(*hand.spot(cell))
        hand.settled(before)
        assert hand.line == "a2-a3"

    def test_the_dialog_for_a_new_game_fits(self, hand: Hand) -> None:
        page = hand.open("game=vampires&second=random").page
        page.click("#new")
        box = page.locator("#new-game").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360


def board_with(page: Page, site: str, moves: list[dict[str, Any]]) -> None:
    """A board on its own that keeps the text of the move it is told."""
    layout = drawing(games.load("breakthrough,rows=5,columns=4").layout)
    page.goto(f"{site}/replay")
    page.wait_for_function(READY)
    page.evaluate(
        """([drawing, moves]) => {
          const board = document.createElement("kibitz-board");
          board.id = "board";
          document.body.prepend(board);
          board.drawing = drawing;
          board.show({ pieces: drawing.cells.map((_, cell) => (cell === 0 ? "P" : "")), moves });
          board.addEventListener("move", (event) => { document.title = event.detail.move.text; });
        }""",
        [layout, moves],
    )


def move(text: str, *cells: int, amount: int | None = None) -> dict[str, Any]:
    return {"text": text, "cells": list(cells), "amount": amount, "captured": []}


def test_two_ways_to_one_cell_are_asked_about(hand: Hand) -> None:
    board_with(hand.page, hand.site, [move("left", 0, 4, 9), move("right", 0, 1, 9)])
    hand.click(0)
    hand.click(9)
    hand.page.locator("#board .card button", has_text="a1 → b1 → b3").click()
    assert hand.page.title() == "right"


def test_a_way_is_also_chosen_by_its_waypoints(hand: Hand) -> None:
    board_with(hand.page, hand.site, [move("left", 0, 4, 9), move("right", 0, 1, 9)])
    for cell in (0, 4, 9):
        hand.click(cell)
    assert hand.page.title() == "left"


def test_moves_that_look_the_same_are_told_apart_by_their_text(hand: Hand) -> None:
    board_with(hand.page, hand.site, [move("to-queen", 0, 4), move("to-rook", 0, 4)])
    hand.drag(0, 4)
    hand.page.locator("#board .card button", has_text="to-rook").click()
    assert hand.page.title() == "to-rook"


def test_what_moves_are_worth_stands_on_their_targets(hand: Hand) -> None:
    board_with(hand.page, hand.site, [move("good", 0, 4), move("bad", 0, 1)])
    values = {"good": {"text": "win 3", "tone": "win"}, "bad": {"text": "loss 2", "tone": "loss"}}
    hand.page.evaluate("values => { document.getElementById('board').values = values; }", values)
    expect(hand.page.locator("#board .tag")).to_have_count(0)
    hand.click(0)
    expect(hand.page.locator("#board .tag.win")).to_have_text("win 3")
    expect(hand.page.locator("#board .tag.loss")).to_have_text("loss 2")


def test_the_card_that_asks_closes_with_escape_and_nothing_is_played(hand: Hand) -> None:
    board_with(hand.page, hand.site, [move("one", 0, 4, amount=1), move("two", 0, 4, amount=2)])
    hand.click(0)
    hand.click(4)
    hand.page.keyboard.press("Escape")
    expect(hand.page.locator("#board .card")).to_be_hidden()
    assert hand.page.title() not in ("one", "two")


def test_the_form_for_an_agent_asks_for_numbers_only(page: Page, site: str) -> None:
    page.goto(site)
    page.locator("[data-game=breakthrough]").click()
    seat = page.locator("#new-game fieldset").nth(1)
    names = seat.locator("select option").all_inner_texts()
    assert len(names) > 5
    for number in range(len(names)):
        seat.locator("select").select_option(index=number)
        assert seat.locator("select").count() == 1
        kinds = seat.locator("input").evaluate_all("inputs => inputs.map(input => input.type)")
        assert set(kinds) <= {"number", "range"}, names[number]


def test_the_notebooks_viewer_steps_through_a_game(page: Page, tmp_path: Any) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><body>{viewer(games.load('wolves').new().play('b1-b2 a4-a3'))._repr_html_()}")
    page.goto(file.as_uri())
    game = page.frame_locator("iframe").locator("kibitz-game")
    game.get_by_role("button", name="last position").click()
    expect(game.locator(".caption")).to_have_text("sheep: a4-a3")
    game.get_by_role("button", name="one back").click()
    expect(game.locator(".caption")).to_have_text("wolves: b1-b2")


def test_the_self_contained_page_steps_through_a_game(page: Page, tmp_path: Any) -> None:
    start = games.load("wolves").new()
    after = start.play("b1-b2")
    file = tmp_path / "game.html"
    file.write_text(page_of("a game", [start, after], ["start", "b1-b2"]))
    page.goto(file.as_uri())
    game = page.locator("kibitz-game")
    game.get_by_role("button", name="one on").click()
    expect(game.locator(".caption")).to_have_text("b1-b2")
    expect(game.locator("[data-cell='16']")).to_have_attribute("aria-label", "b2, wolf")

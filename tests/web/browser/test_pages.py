"""Flow solved by drawing, the other pages, the width of a phone, and a board with moves that are hard to tell apart."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from kibitz import games
from kibitz.core.picture import page as page_of
from kibitz.core.picture import viewer
from kibitz.core.picture.drawing import drawing
from kibitz.puzzles import flow as flow_puzzles
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
HEARD = """
window.heard = [];
const read = Response.prototype.json;
Response.prototype.json = async function () {
  const found = await read.call(this);
  window.heard.push(new URL(this.url).pathname.split("/").pop());
  return found;
};
"""
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
    use_board(page, "A_A\nB_B\n___", "3x3")
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
    expect(page.locator("#message")).to_contain_text("Solved!", timeout=PATIENCE)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text("Everything is drawn", timeout=PATIENCE)


def test_a_flow_hint_says_first_what_is_drawn_wrong(page: Page, site: str) -> None:
    flow(page, site)
    use_board(page, "A__B\n__C_\nA_B_\nC___", "4x4")
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
    page.locator("#status h2", has_text="6x6").wait_for(timeout=PATIENCE)
    page.click("#solve")
    expect(page.locator("#message")).to_contain_text("the only solution", timeout=PATIENCE)
    expect(page.locator("#filled")).to_contain_text("36 of 36")


@pytest.mark.parametrize("solver", ["dumb", "smart", "smarter", "sweep"])
def test_a_flow_solver_is_watched(page: Page, site: str, solver: str) -> None:
    flow(page, site)
    page.select_option("#solver", solver)
    page.locator("#speed").fill("200")
    page.click("#watch")
    expect(page.locator("#message")).to_contain_text(f"{solver}: ", timeout=PATIENCE)
    assert "node" in page.locator("#watched").inner_text()


def test_the_sweep_is_watched_cell_by_cell(page: Page, site: str) -> None:
    flow(page, site)
    page.select_option("#solver", "sweep")
    page.locator("#speed").fill("1")
    page.click("#watch")
    expect(page.locator("#board .frontier")).to_have_count(1, timeout=PATIENCE)
    expect(page.locator("#watched")).to_contain_text("1 of 25 cells decided, 1 partial board left to try")
    expect(page.locator("#board .decided")).to_have_count(3)
    page.locator("#speed").fill("200")
    expect(page.locator("#message")).to_have_text("sweep: solved", timeout=PATIENCE)
    expect(page.locator("#filled")).to_contain_text("25 of 25")
    expect(page.locator("#board .decided")).to_have_count(0)


def test_a_flow_board_is_pasted_and_a_wrong_one_refused_in_a_line(page: Page, site: str, complaints: list[str]) -> None:
    flow(page, site)
    page.locator("summary").click()
    page.fill("#board-text", "A_A\n___")
    page.click("#use-text")
    expect(page.locator("#status h2")).to_contain_text("3x2")
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


def test_a_flow_stroke_is_undone_and_the_drawing_is_kept_over_a_reload(page: Page, site: str) -> None:
    flow(page, site)
    paths: dict[str, list[int]] = page.evaluate(SOLVED)
    first, second, *_ = paths.values()
    expect(page.locator("#undo")).to_be_disabled()
    draw(page, first)
    draw(page, second)
    page.click("#undo")
    expect(page.locator("#filled")).to_contain_text(f"{len(first)} of 25")
    expect(page.locator("#timer")).not_to_have_text("0:00")
    page.reload()
    page.wait_for_function(READY, timeout=PATIENCE)
    expect(page.locator("#filled")).to_contain_text(f"{len(first)} of 25")
    expect(page.locator("#timer")).not_to_have_text("0:00")
    expect(page.locator("#rated")).to_contain_text("easy", timeout=PATIENCE)


def test_a_flow_board_that_is_won_celebrates_and_stays_won(page: Page, site: str) -> None:
    flow(page, site)
    for path in page.evaluate(SOLVED).values():
        draw(page, path)
    expect(page.locator("#board.celebrates")).to_have_count(1)
    message = page.locator("#message").bounding_box()
    assert message
    assert message["y"] + message["height"] < 900, "beside the board, not below the fold"
    page.reload()
    expect(page.locator("#message")).to_have_text("You have solved this one.", timeout=PATIENCE)


def test_the_flow_puzzle_of_the_day_is_named_by_its_date(page: Page, site: str) -> None:
    page.goto(f"{site}/flow#daily=2026-11-16")
    page.wait_for_function(READY, timeout=PATIENCE)
    expect(page.locator("#status h2")).to_have_text("Puzzle of 2026-11-16")
    expect(page.locator("#rated")).to_contain_text("easy", timeout=PATIENCE)


def test_a_flow_lesson_goes_step_by_step_both_ways_with_reasons(page: Page, site: str) -> None:
    flow(page, site)
    page.locator("summary").click()
    page.fill("#board-text", "___O___\n_B__GY_\n___BR__\n___Y___\n_______\n__R____\nG___O__")
    page.click("#use-text")
    expect(page.locator("#filled")).to_contain_text("of 49")
    page.select_option("#solver", "smarter")
    page.locator("#speed").fill("200")
    page.click("#watch")
    expect(page.locator("#message")).to_contain_text("smarter: solved", timeout=PATIENCE)
    expect(page.locator("#deaths")).to_contain_text("a pair is cut off")
    page.locator("#first").click()
    expect(page.locator("#watched")).to_contain_text("step 0 of")
    for _ in range(7):
        page.locator("#on").click()
    expect(page.locator("#lesson [aria-current]")).to_contain_text("dead (a pair is cut off): the sources of 'Y'")
    expect(page.locator("#watched")).to_contain_text("3 assignments")
    page.locator("#back").click()
    expect(page.locator("#lesson [aria-current]")).to_contain_text("assignment 3: 'R' by 8 cells, cost 1")


def use_board(page: Page, text: str, size: str) -> None:
    page.locator("summary").click()
    page.fill("#board-text", text)
    page.click("#use-text")
    expect(page.locator("#status h2")).to_contain_text(size, timeout=PATIENCE)


def hold(page: Page, what: str) -> list[Route]:
    """The first request of a kind waits until the test lets it go on; `window.heard` lists the answers that came."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.add_init_script(HEARD)
    page.route(f"**/api/flow/{what}", keep, times=1)
    return held


def let_go(page: Page, held: list[Route], what: str) -> None:
    before = page.evaluate("window.heard.length")
    held[0].continue_()
    page.wait_for_function(
        "([before, what]) => window.heard.slice(before).includes(what)", arg=[before, what], timeout=PATIENCE
    )


@pytest.mark.parametrize("what", ["solve", "hint", "rate", "judge", "watch", "generate", "daily"])
def test_an_answer_about_a_flow_board_that_is_no_longer_shown_is_dropped(page: Page, site: str, what: str) -> None:
    held = hold(page, what)
    flow(page, site)
    with page.expect_request(f"**/api/flow/{what}") if what != "rate" else nullcontext():
        if what == "judge":
            for path in page.evaluate(SOLVED).values():
                draw(page, path)
        elif what != "rate":  # which the page asks for by itself
            page.click(f"#{what}")
    use_board(page, "A_A\nB_B\n___", "3x3")
    let_go(page, held, what)
    expect(page.locator("#status h2")).to_contain_text("3x3")
    expect(page.locator("#filled")).to_have_text("0 of 9 cells")
    expect(page.locator("#message")).to_be_hidden()
    expect(page.locator("#board .join")).to_have_count(0)
    expect(page.locator("#lesson-place")).to_be_hidden()
    expect(page.locator("#rated")).not_to_contain_text("points")


@pytest.mark.parametrize("what", ["judge", "hint"])
def test_an_answer_about_a_flow_drawing_that_is_no_longer_there_is_dropped(page: Page, site: str, what: str) -> None:
    held = hold(page, what)
    flow(page, site)
    *others, last = page.evaluate(SOLVED).values()
    for path in others:
        draw(page, path)
    with page.expect_request(f"**/api/flow/{what}"):
        if what == "hint":
            page.click("#hint")
        else:
            draw(page, last)
    page.click("#undo")
    let_go(page, held, what)
    expect(page.locator("#message")).to_be_hidden()
    expect(page.locator("#board.celebrates")).to_have_count(0)


def test_a_book_of_flow_puzzles_is_played_and_printed(page: Page, tmp_path: Path) -> None:
    puzzles = list(flow_puzzles.make_pack(4, seed=1))
    book = tmp_path / "book.html"
    book.write_text(flow_puzzles.pack_page(puzzles, "A book"))
    page.goto(book.as_uri())
    page.click("[data-number='1']")
    for path in puzzles[0].solution.paths.values():
        draw(page, list(path))
    expect(page.locator("#message")).to_have_text("Solved!")
    page.reload()
    expect(page.locator("#solved")).to_have_text("1 of 4 solved")
    expect(page.locator(".answers")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".answers")).to_be_visible()
    expect(page.locator("#solved")).to_be_hidden()


def test_without_a_store_the_tournaments_page_says_how_to_get_one(page: Page, site: str) -> None:
    page.goto(f"{site}/tournaments")
    expect(page.locator("main")).to_contain_text("kibitz serve --store")


class TestOnAPhone:
    """360 pixels wide: nothing sticks out, the board comes first, a touch plays."""

    @pytest.fixture
    def viewport(self) -> tuple[int, int]:
        return 360, 740

    @pytest.mark.parametrize("path", ["/", "/flow", "/puzzles", "/replay", "/tournaments"])
    def test_no_page_scrolls_sideways(self, page: Page, site: str, path: str) -> None:
        page.goto(site + path)
        page.wait_for_function(READY, timeout=PATIENCE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360

    def test_a_finger_draws_a_flow_path_and_the_message_stands_above_the_board(self, page: Page, site: str) -> None:
        flow(page, site)
        client = page.context.new_cdp_session(page)
        path = page.evaluate(SPOTS, page.evaluate(SOLVED)["C"])
        for at, (x, y) in enumerate(path):
            kind = "touchMove" if at else "touchStart"
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator("#filled")).to_contain_text(f"{len(path)} of 25")
        page.click("#hint")
        expect(page.locator("#message")).to_be_visible(timeout=PATIENCE)
        message, board = page.locator("#message").bounding_box(), page.locator("#board").bounding_box()
        assert message
        assert board
        assert message["y"] + message["height"] <= board["y"]

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

    def test_a_tap_asks_how_many_in_a_sheet_below_and_sends_nothing_by_itself(self, hand: Hand) -> None:
        page = hand.open("game=vampires&second=human").page
        ways = sorted({(move["cells"][0], move["cells"][-1]) for move in hand.moves if move["cells"]})
        sheet = page.locator("#board .card")
        for way in ways:
            for cell in way:
                page.touchscreen.tap(*hand.spot(cell))
            expect(sheet).to_be_visible()
            page.wait_for_timeout(50)
            assert hand.line == ""
            page.locator("#board .away").tap()
        assert len(ways) == 8
        for cell in ways[0]:
            page.touchscreen.tap(*hand.spot(cell))
        box = sheet.bounding_box()
        assert box
        assert box["y"] + box["height"] == 740
        before = hand.hash
        page.locator("#board .go").tap()
        hand.settled(before)
        assert hand.line

    def test_a_message_stands_below_the_board_and_the_next_takes_its_place(self, hand: Hand) -> None:
        page = hand.open("game=breakthrough&second=human").page
        for text in ("one", "two", "three"):
            page.evaluate("text => document.getElementById('board').type(text)", text)
        expect(page.locator(".toast")).to_have_text("three is no legal move here")
        toast, board = page.locator(".toast").bounding_box(), page.locator("#board").bounding_box()
        assert toast
        assert board
        assert toast["y"] > board["y"] + board["height"]

    def test_the_dialog_for_a_new_game_fits(self, hand: Hand) -> None:
        page = hand.open("game=vampires&second=random").page
        page.click("#new")
        box = page.locator("#new-game").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360


class TestOnItsSide:
    """A phone held sideways: the whole board is seen."""

    @pytest.fixture
    def viewport(self) -> tuple[int, int]:
        return 844, 390

    @pytest.mark.parametrize("name", ["breakthrough", "checkers", "vampires"])
    def test_the_whole_board_is_seen(self, hand: Hand, name: str) -> None:
        box = hand.open(f"game={name}&second=random").page.locator("#board").bounding_box()
        assert box
        assert box["y"] + box["height"] <= 390
        assert box["x"] >= 0
        assert box["height"] > 200
        assert hand.page.evaluate("() => document.documentElement.scrollWidth") <= 844


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
    page.locator("#more > summary").click()
    seat = page.locator("#new-game .sides fieldset").nth(1)
    names = seat.locator("select option").all_inner_texts()
    assert len(names) > 5
    for number in range(len(names)):
        seat.locator("select").select_option(index=number)
        assert seat.locator("select").count() == 1
        kinds = seat.locator("input").evaluate_all("inputs => inputs.map(input => input.type)")
        assert set(kinds) <= {"number", "range"}, names[number]


def test_the_strength_of_an_agent_goes_from_level_1_up_to_full(page: Page, site: str) -> None:
    page.goto(site)
    page.locator("[data-game=breakthrough]").click()
    page.locator("#more > summary").click()
    seat = page.locator("#new-game .sides fieldset").nth(1)
    seat.locator("select").select_option("mcts")
    seat.locator("select").select_option("engine")
    expect(seat).to_contain_text("level full strength")
    seat.locator("input[type=range]").fill("10")
    expect(seat).to_contain_text("level 10")
    page.locator("#new-game button.main").click()
    page.wait_for_function("() => location.hash.includes('second=engine%3Alevel%3D10')", timeout=PATIENCE)


def test_a_new_game_begins_with_strength_in_words_and_a_side(page: Page, site: str) -> None:
    page.goto(site)
    page.locator("[data-game=breakthrough]").click()
    page.locator("#new-game .choice", has_text="Gentle").click()
    page.locator("#new-game .choice", has_text="black").click()
    page.locator("#new-game button.main").click()
    page.wait_for_function("() => location.hash.includes('first=engine%3Alevel%3D1&second=human')", timeout=PATIENCE)


def test_nobody_is_seated_where_the_game_is_proven_lost(page: Page, site: str) -> None:
    page.goto(site)
    page.locator("[data-game=wolves]").click()
    expect(page.locator("#new-game [name=side][value='1']")).to_be_checked()
    expect(page.locator("#new-game")).to_contain_text("wins with perfect play")


def test_the_notebooks_viewer_steps_through_a_game(page: Page, tmp_path: Any) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><body>{viewer(games.load('wolves').new().play('b1-b2 a4-a3'))._repr_html_()}")
    page.goto(file.as_uri())
    game = page.frame_locator("iframe").locator("kibitz-game")
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

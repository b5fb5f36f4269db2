"""Pictures, drawn from layouts, pieces and gestures: of real games, and of films whose frames are laid out by hand."""

import re
from itertools import combinations
from math import dist, hypot, sqrt
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from kibitz import games
from kibitz.core import Game, Position, Rulebook
from kibitz.core.errors import RulesError
from kibitz.core.layout import Cell, Gesture, Layout, Piece, Tone, square_board
from kibitz.core.picture import palette, status, svg, terminal
from kibitz.core.picture.figures import FIGURES
from kibitz.core.result import CHANCE, FIRST, FIRST_WINS, ONGOING, SECOND

MEN = {"w": Piece("white man", "w", FIRST), "b": Piece("black man", "b", SECOND)}
ANSI = re.compile(r"\x1b\[[0-9;]*m")


class State(NamedTuple):
    frame: int


def film(
    layout: Layout,
    frames: list[list[str]],
    gestures: list[Gesture],
    turns: list[int] | None = None,
    title: str = "Film",
) -> Position:
    """The last position of a game whose every move shows the next frame."""
    sides = turns or [frame % 2 for frame in range(len(frames))]
    rulebook = Rulebook(
        name="film",
        title=title,
        sides=("white", "black"),
        state=State,
        start=lambda: State(0),
        turn=lambda state: sides[state.frame],
        moves=lambda state: iter([0]),
        outcomes=lambda state: iter([(1.0, 0)]),
        play=lambda state, move: State(state.frame + 1),
        result=lambda state: ONGOING,
        max_moves=1,
        layout=lambda: layout,
        pieces=lambda state: frames[state.frame],
        gesture=lambda state, move: gestures[state.frame],
        move_text=lambda state, move: "next",
    )
    position = Game(rulebook, rulebook.options()).new()
    for _ in gestures:
        position = position.play(0)
    return position


def points() -> Layout:
    """Nine points, the middle one joined to all others."""
    across = [(row + column, row + column + 1) for row in (0, 3, 6) for column in (0, 1)]
    down = [(cell, cell + 3) for cell in range(6)]
    return Layout(
        cells=tuple(Cell(str(cell + 1), cell % 3, cell // 3) for cell in range(9)),
        pieces=MEN,
        shape="point",
        lines=(*across, *down, (0, 4), (2, 4), (4, 6), (4, 8)),
    )


def hexagons() -> Layout:
    """Rows of two, three and two hexagons."""
    tones: tuple[Tone, ...] = ("second", "light", "first")
    rows = ((0.5, 1.5), (0, 1, 2), (0.5, 1.5))
    return Layout(
        cells=tuple(
            Cell(f"{row + 1},{at + 1}", x, row * sqrt(3) / 2, tones[row])
            for row, xs in enumerate(rows)
            for at, x in enumerate(xs)
        ),
        pieces=MEN,
        shape="hexagon",
        rows={row * sqrt(3) / 2: str(row + 1) for row in range(3)},
    )


def jump() -> Position:
    before = ["b", "", "", "", "w", "", "", "", ""]
    after = ["", "", "", "", "", "", "", "", "b"]
    return film(points(), [before, after], [Gesture((0, 8), captured=(4,))])


def hop() -> Position:
    before = ["w", "", "b", "", "", "", ""]
    after = ["", "", "b", "", "w", "", ""]
    return film(hexagons(), [before, after], [Gesture((0, 1, 4))])


def herd() -> Position:
    beasts = {"v": Piece("vampires", "v", FIRST, "bat"), "h": Piece("humans", "h", None, "human")}
    before = ["", "h4", "", "v112", "", ""]
    after = ["v12", "h4", "", "v100", "", ""]
    return film(square_board(2, 3, beasts), [before, after], [Gesture((3, 0), 12)])


def every_picture() -> list[Position]:
    breakthrough = games.breakthrough().new()
    return [breakthrough, breakthrough.play("a2-a3 b7-b6"), jump(), hop(), herd()]


def drawn(position: Position, **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(svg(position, **options))  # type: ignore[arg-type]


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.get("class") == name]


def tag(name: str) -> str:
    return f"{{http://www.w3.org/2000/svg}}{name}"


# The terminal.


def test_a_board_of_squares_shows_glyphs_labels_and_the_last_move() -> None:
    picture = terminal(games.breakthrough("5x10").new().play("a2-b3 j4-j3"), colour=False)
    assert picture.splitlines() == [
        "5  b  b  b  b  b  b  b  b  b  b",
        "4  b  b  b  b  b  b  b  b  b (.)",
        "3  .  w  .  .  .  .  .  .  . [b]",
        "2  .  w  w  w  w  w  w  w  w  w",
        "1  w  w  w  w  w  w  w  w  w  w",
        "   a  b  c  d  e  f  g  h  i  j",
    ]


def test_points_are_joined_by_their_lines_and_named_at_the_left() -> None:
    assert terminal(jump(), colour=False).splitlines() == [
        "1 (.)--.---.",
        "   | \\ | / |",
        "4  .--{.}--.",
        "   | / | \\ |",
        "7  .---.--[b]",
    ]


def test_lines_that_cross_between_points_make_a_cross() -> None:
    corners = tuple(Cell(name, x, y) for name, x, y in (("a", 0, 0), ("b", 1, 0), ("c", 0, 1), ("d", 1, 1)))
    layout = Layout(corners, MEN, "point", lines=((0, 3), (1, 2)))
    assert terminal(film(layout, [["w", "", "", "b"]], []), colour=False).splitlines()[1].strip() == "X"


def test_rows_of_hexagons_are_offset_and_homes_toned() -> None:
    assert terminal(hop(), colour=False).splitlines() == [
        "1    (') (')",
        "2   b   .  [w]",
        "3     ,   ,",
    ]


def test_counts_stand_behind_the_glyphs() -> None:
    assert terminal(herd(), colour=False).splitlines() == [
        "2 (v100)   .     .",
        "1  [v12]  h4     .",
        "     a     b     c",
    ]


def test_a_chain_of_jumps_is_one_turn_that_ends_once() -> None:
    frames = [["w", "", "", "", "", "", "", "", ""], ["", "", "w", *[""] * 6], [""] * 8 + ["w"]]
    position = film(points(), frames, [Gesture((0, 2)), Gesture((2, 8))], turns=[FIRST, FIRST, SECOND])
    picture = terminal(position, colour=False)
    assert (picture.count("("), picture.count("[")) == (2, 1)
    assert len(of_class(drawn(position), "arrow")) == 2


def test_the_last_move_stays_marked_while_chance_rolls() -> None:
    frames = [["w", "", "", "", "", "", "", "", ""]] + [["", "w", *[""] * 7]] * 2
    position = film(points(), frames, [Gesture((0, 1)), Gesture((8,))], turns=[FIRST, CHANCE, SECOND])
    assert "(.)-[w]" in terminal(position, colour=False)
    assert "[.]" not in terminal(position, colour=False)


@pytest.mark.parametrize("position", every_picture())
def test_plain_pictures_are_plain_characters_without_trailing_blanks(position: Position) -> None:
    picture = terminal(position, colour=False)
    assert re.fullmatch(r"[ -~\n]+", picture)
    assert all(line == line.rstrip() for line in picture.splitlines())


@pytest.mark.parametrize("position", every_picture())
def test_colours_change_no_label_and_leave_every_piece_in_its_place(position: Position) -> None:
    """What is left without brackets, colours and the drawing of the board stands in the same places."""
    plain = re.sub(r"[^A-Za-z0-9\n]", " ", terminal(position, colour=False))
    bare = re.sub(r"[^A-Za-z0-9●○◉◎✕♟♙★☆◆◇\n]", " ", ANSI.sub("", terminal(position, colour=True)))
    for one, other in zip(plain.splitlines(), bare.splitlines(), strict=True):
        pairs = zip(one.rstrip(), other.rstrip(), strict=True)
        assert all(a == b or (a != " " and b in "●○◉◎✕♟♙★☆◆◇") for a, b in pairs)


@pytest.mark.parametrize("position", every_picture())
def test_every_coloured_line_ends_without_a_colour(position: Position) -> None:
    for line in terminal(position, colour=True).splitlines():
        codes = ANSI.findall(line)
        assert not codes or codes[-1] == "\x1b[0m"


def test_colours_tell_the_sides_apart_and_mark_the_last_move() -> None:
    before, after = (terminal(games.breakthrough().new().play(line), colour=True) for line in ("", "a2-a3"))
    assert all(sign in ANSI.sub("", before) for sign in "♙♟")
    papers = [set(re.findall(r"48;5;(\d+)", picture)) for picture in (before, after)]
    assert len(papers[1] - papers[0]) == 1


def test_a_terminal_has_the_colours_of_every_picture() -> None:
    board = terminal(games.breakthrough().new(), colour=True, deep=True)
    papers = {tuple(map(int, found)) for found in re.findall(r"48;2;(\d+);(\d+);(\d+)", board)}
    wood = {tuple(bytes.fromhex(palette.TONES[tone][1:])) for tone in ("light", "dark")}
    assert papers == wood


@pytest.mark.parametrize("position", every_picture())
def test_every_sign_stands_out_from_its_paper(position: Position) -> None:
    """What is written in colours can be read: pieces well, dots and lines at least seen."""
    board = terminal(position, colour=True, deep=True)
    for ink, paper, text in re.findall(r"38;2;([\d;]+);48;2;([\d;]+)m([^\x1b]*)", board):
        if re.search(r"[^\s·•─│╲╱╳]", text):
            light, dark = sorted((brightness(ink), brightness(paper)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3, text


def brightness(triple: str) -> float:
    parts = [int(part) / 255 for part in triple.split(";")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_letter_that_the_layout_does_not_know_is_a_mistake_in_the_rules() -> None:
    position = film(square_board(1, 2, MEN), [["w", "x"]], [])
    with pytest.raises(RulesError, match=r"pieces\(\) puts 'x' on cell 'b1', expected a piece of the layout \(w, b\)"):
        terminal(position, colour=False)


# A position shows itself.


def test_a_printed_position_is_its_picture_and_who_is_to_move() -> None:
    position = games.breakthrough().new()
    assert str(position) == f"{terminal(position, colour=False)}\nwhite to move"


def test_the_status_tells_how_a_game_ended() -> None:
    won = games.breakthrough("5x10").position("4P5/9p/10/10/P9 b 0 1")
    assert won.result == FIRST_WINS
    assert status(won) == "won by white"


def test_a_notebook_gets_the_svg() -> None:
    position = games.breakthrough().new()
    assert position._repr_svg_() == svg(position)


# SVG.


@pytest.mark.parametrize("position", every_picture())
def test_an_svg_holds_every_cell_and_every_piece_once(position: Position) -> None:
    root = drawn(position)
    cells = [element.findtext(tag("title")) for element in of_class(root, "cell")]
    assert cells == [cell.name for cell in position.game.layout.cells]
    assert len(of_class(root, "piece")) == sum(map(bool, position.game.pieces(position.state)))


@pytest.mark.parametrize("position", every_picture())
def test_an_svg_defines_whatever_it_uses_and_fetches_nothing(position: Position) -> None:
    root = drawn(position)
    defined = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    assert defined == {use.get("href") for use in root.iter(tag("use"))}
    text = svg(position).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|url\(|<script|<style|<image", text)


@pytest.mark.parametrize("position", every_picture())
def test_an_svg_describes_itself_to_those_who_cannot_see_it(position: Position) -> None:
    root = drawn(position)
    assert root.get("role") == "img"
    assert root.findtext(tag("title")) == f"{position.game.rulebook.title}: {status(position)}"
    assert root.findtext(tag("desc")) == position.text


@pytest.mark.parametrize("position", every_picture())
def test_an_svg_is_always_the_same_and_its_numbers_are_short(position: Position) -> None:
    assert svg(position) == svg(position)
    assert not re.search(r"\d\.\d\d|\de[+-]?\d", re.sub(r'"#\w+"', "", svg(position)))


@pytest.mark.parametrize("position", every_picture())
def test_everything_on_the_board_lies_within_the_picture(position: Position) -> None:
    root = drawn(position)
    width, height = map(float, str(root.get("viewBox")).split()[2:])
    for element in of_class(root, "piece") + of_class(root, "badge") + list(root.iter(tag("text"))):
        assert 0 < float(str(element.get("x"))) < width
        assert 0 < float(str(element.get("y"))) < height


def test_the_longer_side_has_the_size_asked_for() -> None:
    for position, longer in ((games.breakthrough("5x10").new(), "width"), (games.breakthrough().new(), "height")):
        assert drawn(position, size=300).get(longer) == "300"


def test_the_last_move_is_drawn_with_all_it_touched_and_captured() -> None:
    root = drawn(jump())
    assert [len(of_class(root, name)) for name in ("touched", "arrow", "captured")] == [2, 1, 1]
    root = drawn(hop())
    assert [len(of_class(root, name)) for name in ("touched", "arrow", "captured")] == [3, 1, 0]
    root = drawn(games.breakthrough().new())
    assert [len(of_class(root, name)) for name in ("touched", "arrow", "captured")] == [0, 0, 0]


def test_a_button_or_a_placement_needs_no_arrow() -> None:
    frames = [[""] * 9, ["w", *[""] * 8], ["w", *[""] * 8]]
    placed = film(points(), frames[:2], [Gesture((0,))])
    assert [len(of_class(drawn(placed), name)) for name in ("touched", "arrow")] == [1, 0]
    ended = film(points(), frames, [Gesture((0,)), Gesture(())])
    assert [len(of_class(drawn(ended), name)) for name in ("touched", "arrow")] == [0, 0]


def test_counts_are_badges() -> None:
    root = drawn(herd())
    assert len(of_class(root, "badge")) == 3
    assert {"12", "4", "100"} <= {element.text for element in root.iter(tag("text"))}


def test_marks_point_out_cells() -> None:
    position = games.breakthrough().new()
    assert len(of_class(drawn(position, marks=[0, 16, 17]), "mark")) == 3
    assert not of_class(drawn(position), "mark")


def test_the_caption_can_be_left_out() -> None:
    position = games.breakthrough().new()
    assert "white to move" in [element.text for element in drawn(position).iter(tag("text"))]
    assert "white to move" not in [element.text for element in drawn(position, caption=False).iter(tag("text"))]


def test_text_is_escaped() -> None:
    layout = Layout((Cell('<a&"1">', 0, 0),), MEN, rows={0: "<&>"})
    root = drawn(film(layout, [["w"]], [], title="Dungeons & <Dragons>"))
    assert root.findtext(tag("title")) == "Dungeons & <Dragons>: white to move"
    assert of_class(root, "cell")[0].findtext(tag("title")) == '<a&"1">'
    assert "<&>" in [element.text for element in root.iter(tag("text"))]


@pytest.mark.parametrize("lying", [False, True])
def test_neighbouring_hexagons_share_a_side(lying: bool) -> None:
    """However the board is turned; corners are compared to the nearest unit, a hundredth of a cell."""
    cells = tuple(Cell(cell.name, cell.y, cell.x) if lying else cell for cell in hexagons().cells)
    root = drawn(film(Layout(cells, MEN, "hexagon"), [["w"] * 7], []))
    corners = [_corners(str(element.get("d"))) for element in of_class(root, "cell")]
    for one, other in combinations(range(7), 2):
        apart = hypot(cells[one].x - cells[other].x, cells[one].y - cells[other].y)
        shared = sum(dist(a, b) < 1 for a in corners[one] for b in corners[other])
        assert shared == (2 if apart < 1.1 else 0)


def _corners(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_a_long_caption_gets_smaller_letters() -> None:
    sizes = []
    for width in (1, 9):
        root = drawn(film(square_board(9, width, MEN), [["w"] * 9 * width], []))
        (caption,) = (element for element in root.iter(tag("text")) if element.text == "white to move")
        sizes.append(float(str(caption.get("font-size"))))
    assert sizes[0] < sizes[1]


def test_long_labels_at_the_left_get_the_room_they_need() -> None:
    cells = tuple(Cell("x", 0, y) for y in range(5))
    widths = []
    for label in ("1", "100,100"):
        root = drawn(film(Layout(cells, MEN, rows=dict.fromkeys(range(5), label)), [["w"] * 5], []))
        widths.append(float(str(root.get("viewBox")).split()[2]))
    assert widths[0] < widths[1]


def test_every_figure_is_told_apart_by_its_shape_and_every_side_by_its_colour() -> None:
    sides = (FIRST, SECOND, None)
    kinds = [Piece(figure, figure[0], side, figure) for figure in FIGURES for side in sides]
    layout = square_board(len(FIGURES), 3, {chr(ord("A") + at): piece for at, piece in enumerate(kinds)})
    root = drawn(film(layout, [list(layout.pieces)], []))
    looks = {(use.get("href"), *_look(root, str(use.get("href")))) for use in of_class(root, "piece")}
    assert len({shape for _, shape, _ in looks}) == len(FIGURES)
    assert len({fill for _, _, fill in looks}) == len(sides)
    assert len(looks) == len(kinds)


def _look(root: ElementTree.Element, href: str) -> tuple[str, str]:
    (figure,) = (element for element in root.iter(tag("g")) if f"#{element.get('id')}" == href)
    return "".join(str(path.get("d")) for path in figure), str(figure.get("fill"))


def test_a_piece_may_have_a_colour_of_its_own() -> None:
    pieces = {"a": Piece("marble", "a", FIRST), "b": Piece("marble", "b", FIRST, colour="blue")}
    root = drawn(film(square_board(1, 2, pieces), [["a", "b"]], []))
    assert len({use.get("href") for use in of_class(root, "piece")}) == 2

"""Boards and pieces to choose from: complete, the first ones those of all pictures, and pieces seen on every cell."""

import re
from pathlib import Path

import pytest

import kibitz
from kibitz.core.picture import palette

STATIC = Path(kibitz.__file__).parent / "web/static"
Colours = dict[str, str]


def themes(kind: str) -> dict[str, Colours]:
    text = (STATIC / "themes.css").read_text(encoding="utf-8")
    found = re.findall(rf'^\[data-{kind}="(\w+)"\] \{{(.*?)^\}}', text, re.MULTILINE | re.DOTALL)
    return {name: dict(re.findall(r"--([\w-]+): ([^;]+);", body)) for name, body in found}


def luminance(colour: str) -> float:
    """Of a colour such as #eee2cb, as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_dialog_offers_the_themes_that_there_are() -> None:
    offered = (STATIC / "look.js").read_text(encoding="utf-8")
    for kind in ("board", "pieces"):
        listed = re.search(rf"{kind}: \[(.*?)\]", offered)
        assert listed is not None
        assert re.findall(r'"(\w+)"', listed[1]) == list(themes(kind))


@pytest.mark.parametrize("kind", ["board", "pieces"])
def test_every_theme_says_all_that_the_first_says(kind: str) -> None:
    first, *others = themes(kind).values()
    assert others
    assert all(list(other) == list(first) for other in others)


def test_wood_and_carved_are_the_colours_of_every_picture() -> None:
    wood = {f"cell-{tone}": colour for tone, colour in palette.TONES.items()}
    around = {"board-frame": palette.FRAME, "board-label": palette.LABEL, "board-line": palette.LINE}
    assert themes("board")["wood"] == {**wood, **around}
    carved = themes("pieces")["carved"]
    for colour, paints in palette.PAINTS.items():
        assert [carved[f"{colour}-{part}"] for part in ("body", "edge", "detail")] == [*paints], colour


@pytest.mark.parametrize("pieces", themes("pieces"))
@pytest.mark.parametrize("board", themes("board"))
def test_pieces_stand_out_from_every_cell_and_labels_from_the_frame(board: str, pieces: str) -> None:
    ground, paints = themes("board")[board], themes("pieces")[pieces]
    for tone in ("light", "dark", "first", "second", "mark"):
        for colour in palette.PAINTS:
            seen = (contrast(ground[f"cell-{tone}"], paints[f"{colour}-{part}"]) for part in ("body", "edge", "detail"))
            assert max(seen) >= 3, f"{colour} on {tone}"
    for under in ("board-frame", "cell-beside"):
        assert contrast(ground["board-label"], ground[under]) >= 4.5
    for colour in palette.PAINTS:
        assert contrast(paints[f"{colour}-body"], paints[f"{colour}-detail"]) >= 2.5, colour

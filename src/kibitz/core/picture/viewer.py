"""A game in a notebook: a frame with the page that steps through it."""

from html import escape
from typing import TYPE_CHECKING

from kibitz.core.picture.page import page
from kibitz.core.picture.scene import status

if TYPE_CHECKING:
    from kibitz.core.position import Position


class Viewer:
    """Shows itself in a notebook; `html` is the whole page."""

    def __init__(self, html: str, height: int) -> None:
        self.html = html
        self.height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{self.height}" sandbox="allow-scripts"'
            f' style="border:0" title="a game to step through"></iframe>'
        )


def viewer(position: "Position", title: str = "", *, height: int = 560) -> Viewer:
    """The way to this position, to step through in a notebook; it opens at the position itself."""
    line = list(position.trail())[::-1]
    captions = ["start" if here.before is None else _played(here) for here in line]
    said = title or f"{position.game.rulebook.title}: {status(position)}"
    return Viewer(page(said, line, captions, at=len(line) - 1), height)


def _played(here: "Position") -> str:
    assert here.before is not None
    assert here.last_move is not None
    return f"{here.before.to_move}: {here.game.move_text(here.before.state, here.last_move)}"

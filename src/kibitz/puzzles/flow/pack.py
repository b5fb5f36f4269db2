"""A book of puzzles by rising difficulty: one page to print, with the solutions at the end, and to play on."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import islice

from kibitz.core.limit import Limit
from kibitz.core.picture.page import SCRIPTS as PICTURE_SCRIPTS
from kibitz.puzzles.flow.answers import NO_LIMIT
from kibitz.puzzles.flow.board import Board, Solution
from kibitz.puzzles.flow.dice import Dice
from kibitz.puzzles.flow.facts import board_facts
from kibitz.puzzles.flow.generator import Order, boards, topology
from kibitz.puzzles.flow.graph import Plan
from kibitz.puzzles.flow.picture import svg
from kibitz.puzzles.flow.rating import DIFFICULTIES, Difficulty, Rating, rate
from kibitz.puzzles.flow.solvers import solve

SCRIPTS = files("kibitz.puzzles.flow") / "script"
_SIDES = {"easy": (5, 8), "medium": (6, 10), "hard": (7, 12), "expert": (8, 14)}
_KINDS = ("plain", "walls", "hexagons", "bridges", "plain", "holes", "wraps")


_WRAPS = {
    "none": "",
    "across": ", the left and the right edge are joined",
    "down": ", the upper and the lower edge are joined",
    "both": ", opposite edges are joined",
}


@dataclass(frozen=True)
class Puzzle:
    """A board of a pack, with its solution and how hard it is."""

    board: Board
    solution: Solution
    rating: Rating


def make_pack(count: int, seed: int | None = None, mixed: bool = False, limit: Limit = NO_LIMIT) -> Iterator[Puzzle]:
    """So many puzzles in four chapters of rising difficulty; `mixed` has every kind of board. The limit is for each."""
    dice = Dice(seed)
    for chapter, difficulty in enumerate(DIFFICULTIES):
        number = count * (chapter + 1) // len(DIFFICULTIES) - count * chapter // len(DIFFICULTIES)
        for at in range(number):
            yield _puzzle(_plan(at, number, difficulty, mixed, dice), difficulty, dice, limit)


def _plan(at: int, number: int, difficulty: Difficulty, mixed: bool, dice: Dice) -> Plan:
    """The plan of a chapter's board: they grow."""
    least, most = _SIDES[difficulty]
    side = least + (most - least) * at // max(1, number - 1)
    kind, seed = _KINDS[at % len(_KINDS)] if mixed else "plain", dice.number()
    if kind == "hexagons":
        return topology(side, side, hexagonal=True)
    if kind == "wraps":
        return Plan(min(side, 8), min(side, 8), wrap="across")
    walls = side - 1 if kind == "walls" else 0
    holes = 1 + side // 4 if kind == "holes" else 0
    bridges = 1 + side // 6 if kind == "bridges" else 0
    return topology(side, side, walls=walls, holes=holes, bridges=bridges, seed=seed)


def _puzzle(plan: Plan, difficulty: Difficulty, dice: Dice, limit: Limit) -> Puzzle:
    (board,) = islice(boards(Order(plan, difficulty=difficulty), dice.number(), limit), 1)
    solution = solve(board).solution
    assert solution is not None
    return Puzzle(board, solution, rate(board))


def pack_page(puzzles: Sequence[Puzzle], title: str) -> str:
    """The pack as one page that needs nothing else; each chapter from small to large."""
    puzzles = sorted(puzzles, key=_place)
    facts = [
        board_facts(puzzle.board) | {"difficulty": puzzle.rating.difficulty, "number": number}
        for number, puzzle in enumerate(puzzles, 1)
    ]
    parts = {
        "title": escape(title),
        "count": str(len(puzzles)),
        "puzzles": "".join(_chapters(puzzles)),
        "solutions": "".join(_solution(number, puzzle) for number, puzzle in enumerate(puzzles, 1)),
        "script": _script(),
        "facts": json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    template = (SCRIPTS / "pack.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{([a-z]+)\}\}", lambda match: parts[match[1]], template)


def _place(puzzle: Puzzle) -> tuple[int, int, float]:
    return DIFFICULTIES.index(puzzle.rating.difficulty), puzzle.board.graph.size, puzzle.rating.score


def _chapters(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """The pictures of the puzzles, a heading before each new difficulty."""
    before = ""
    for number, puzzle in enumerate(puzzles, 1):
        if puzzle.rating.difficulty != before:
            yield f"{'</div>' if before else ''}<h2>{puzzle.rating.difficulty.title()}</h2><div class='chapter'>"
            before = puzzle.rating.difficulty
        name = f"{number}. {puzzle.board.size}{_WRAPS[plan.wrap] if (plan := puzzle.board.graph.plan) else ''}"
        yield (
            f'<figure id="puzzle-{number}"><figcaption>{name}</figcaption>'
            f'<button type="button" class="open" data-number="{number}" aria-label="play puzzle {number}">'
            f"{svg(puzzle.board)}</button></figure>"
        )
    yield "</div>"


def _solution(number: int, puzzle: Puzzle) -> str:
    return f"<figure><figcaption>{number}</figcaption>{svg(puzzle.board, puzzle.solution)}</figure>"


def _script() -> str:
    """The modules as one script, for a page that cannot load files."""
    sources = [PICTURE_SCRIPTS / "painting.js", *(SCRIPTS / f"{name}.js" for name in ("drawing", "board", "pack"))]
    texts = (re.sub(r"^import .*\n", "", source.read_text(encoding="utf-8"), flags=re.MULTILINE) for source in sources)
    return "\n".join(re.sub(r"^export ", "", text, flags=re.MULTILINE) for text in texts)

"""Pages of the gallery: each game's rules from its docstring, its board, and its source."""

import ast
from pathlib import Path

from kibitz import games
from kibitz.core import picture
from kibitz.games import gallery


def pages() -> dict[str, str]:
    """The list, and a page for each game."""
    texts = {name: (gallery.FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in gallery.names()}
    made = {f"gallery/{name}.md": _page(name, text) for name, text in texts.items()}
    return {"gallery.md": _list(texts), **made}


def _list(texts: dict[str, str]) -> str:
    rows = [f"| [{name}](gallery/{name}.md) | {_summary(text)} | {count_lines(text)} |" for name, text in texts.items()]
    said = (Path(__file__).parent / "gallery.txt").read_text(encoding="utf-8")
    return f"{said}\n| game | what it is | lines |\n|---|---|---|\n" + "\n".join(rows) + "\n"


def _summary(text: str) -> str:
    return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]


def count_lines(text: str) -> int:
    """Lines without the docstring and blank ones."""
    docstring = ast.parse(text).body[0]
    return sum(bool(line.strip()) for line in text.splitlines()[docstring.end_lineno :])


def _page(name: str, text: str) -> str:
    game = games.load(name)
    head, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
    board = picture.svg(game.new(), caption=False).replace("\n", "")
    tried = f"    kibitz play {name}\n    kibitz examples {name}    copies the file, to read and to change\n"
    return (
        f"# {game.rulebook.title}\n\n{head}\n\n{rest.strip()}\n\n{board}\n\n{tried}\n```python\n{text.rstrip()}\n```\n"
    )

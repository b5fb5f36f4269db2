"""The notebook's outputs: `python -m docs.notebook` runs it and writes down what its cells show."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "notebook.ipynb"


def read() -> dict[str, Any]:
    """The notebook as it is on file."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def run_cells(book: dict[str, Any]) -> list[str]:
    """What each cell of code shows, run one after the other."""
    names: dict[str, Any] = {}
    return [_run("".join(cell["source"]), names) for cell in book["cells"] if cell["cell_type"] == "code"]


def stored_outputs(book: dict[str, Any]) -> list[str]:
    """What each cell of code shows by the file."""
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    return ["".join(line for output in cell["outputs"] for line in output["data"]["text/plain"]) for cell in cells]


def _run(source: str, names: dict[str, Any]) -> str:
    """Printed text, and the value of the last line if it is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None
    return (printed.getvalue() + ("" if value is None else repr(value))).rstrip()


def main() -> None:
    """Run the notebook and write it anew."""
    book = read()
    shown = iter(run_cells(book))
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            lines = next(shown).splitlines(keepends=True)
            data = {
                "data": {"text/plain": lines},
                "metadata": {},
                "output_type": "execute_result",
                "execution_count": None,
            }
            cell["outputs"] = [data] if lines else []
    FILE.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""`kibitz tables`: the tables of perfect play that there are."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.texts import Json, print_json

if TYPE_CHECKING:
    from kibitz.tables.errors import BadTable


def tables(
    check: Annotated[bool, typer.Option("--check", help="Read every table through and verify its checksum.")] = False,
    as_json: Json = False,
) -> None:
    """List the tables of perfect play and where they are kept."""
    from kibitz.tables import folder
    from kibitz.tables.errors import BadTable

    found = list(folder.verify_tables() if check else folder.list_tables())
    damaged = sum(isinstance(about, BadTable) for _, about in found)
    if as_json:
        print_json([_facts(path, about) for path, about in found])
    else:
        print(f"tables are kept in {folder.root()}")
        for path, about in found:
            print(f"  {about if isinstance(about, BadTable) else _line(path, about)}")
        if not found:
            print("  none yet; kibitz solve GAME builds one")
        elif check:
            print(f"{len(found)} checked, {damaged} damaged")
    if check and damaged:
        raise typer.Exit(1)


def _line(path: Path, about: dict[str, Any]) -> str:
    entries = sum(row["entries"] for row in about["rows"])
    size = path.stat().st_size / 1e6
    return f"{about['game']:30} {entries:>13,} positions  {size:8.1f} MB  kibitz {about['kibitz']}"


def _facts(path: Path, about: "dict[str, Any] | BadTable") -> dict[str, Any]:
    return {"file": str(path), **about} if isinstance(about, dict) else {"file": str(path), "problem": str(about)}

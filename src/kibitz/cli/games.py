"""`kibitz games`: which games there are."""

from itertools import groupby
from typing import Any

from rich.table import Table

from kibitz.cli.streams import Console
from kibitz.cli.texts import Json, print_json
from kibitz.core.errors import KibitzError
from kibitz.core.options import shown
from kibitz.games import catalog


def games(as_json: Json = False) -> None:
    """List the games, their presets and options."""
    entries = list(catalog.entries())
    if as_json:
        print_json([_facts(entry) for entry in entries])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "what it is", "presets", "options"):
        table.add_column(heading, overflow="fold")
    for origin, listed in groupby(entries, key=lambda entry: entry.origin):
        if origin != catalog.BUILT_IN:
            table.add_row()
            table.add_row(f"[bold]{origin}")
        for entry in listed:
            facts = _facts(entry)
            options = ", ".join(f"{key}={shown(value)}" for key, value in facts["options"].items())
            table.add_row(entry.name, facts["summary"], ", ".join(facts["presets"]), options)
    Console().print(table)


def _facts(entry: catalog.Entry) -> dict[str, Any]:
    book, summary = entry.rulebook, f"added by {entry.origin}"
    if entry.origin == catalog.GALLERY:
        try:
            book = catalog.rulebook(entry.name)
        except KibitzError as error:
            summary = f"cannot be loaded: {error}"
    return {
        "name": entry.name,
        "origin": entry.origin,
        "summary": book.summary if book else summary,
        "presets": list(book.presets) if book else [],
        "options": book.options()._asdict() if book else {},
    }

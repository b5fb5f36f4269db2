"""`kibitz cache`: what compiled code is kept, and how to be rid of it."""

from typing import Annotated, Literal

import typer

from kibitz.core.errors import KibitzError
from kibitz.core.seam import cache as compiled


def cache(
    action: Annotated[
        Literal["clear", "repair"] | None,
        typer.Argument(metavar="[clear|repair]", help="Remove it all, or what is damaged."),
    ] = None,
) -> None:
    """Show the cache of compiled code, remove what is damaged in it, or clear it."""
    try:
        if action == "repair":
            removed = compiled.repair()
            for name in removed:
                print(f"damaged, removed: {name}")
            print(f"{len(removed)} damaged modules in {compiled.folder()}; they are compiled again when needed")
            return
        if action == "clear":
            print(f"removed {compiled.clear()} compiled modules from {compiled.folder()}")
            return
        kept = compiled.list_modules()
    except OSError as problem:
        raise KibitzError(f"the cache folder '{compiled.folder()}' cannot be used: {problem.strerror}") from None
    for name, size in kept:
        print(f"{size / 1024:8.0f} KB  {name}")
    print(f"{len(kept)} compiled modules, {sum(size for _, size in kept) / 1e6:.1f} MB in {compiled.folder()}")

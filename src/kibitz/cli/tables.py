"""`kibitz tables`: the tables of perfect play that there are."""

from kibitz.cli.texts import Json, print_json


def tables(as_json: Json = False) -> None:
    """List the tables of perfect play and where they are kept."""
    from kibitz.tables import folder
    from kibitz.tables.errors import BadTable

    found = list(folder.contents())
    if as_json:
        print_json([{"file": str(path), "problem": str(about)} if isinstance(about, BadTable)
                    else {"file": str(path), **about} for path, about in found])  # fmt: skip
        return
    print(f"tables are kept in {folder.folder()}")
    for path, about in found:
        if isinstance(about, BadTable):
            print(f"  {about}")
            continue
        entries = sum(row["entries"] for row in about["rows"])
        size = path.stat().st_size / 1e6
        print(f"  {about['game']:30} {entries:>13,} positions  {size:8.1f} MB  kibitz {about['kibitz']}")
    if not found:
        print("  none yet; kibitz solve GAME builds one")

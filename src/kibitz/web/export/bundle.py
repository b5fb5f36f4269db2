"""The page's scripts as one text: ES modules joined in the order of their imports, each in a scope of its own."""

import re
from pathlib import Path

import kibitz.core.picture
import kibitz.export

FOLDERS = {
    "static": Path(__file__).parents[1] / "static",
    "picture": Path(kibitz.core.picture.__file__).parent / "script",
    "engine": Path(kibitz.export.__file__).parent / "script",
}
IMPORT = re.compile(r'^import\s+(?:\{(?P<names>[^}]*)\}\s+from\s+)?"(?P<path>[^"]+)";\n?', re.MULTILINE)
EXPORT = re.compile(r"^export (?P<kind>(?:async )?function\*?|class|const|let) (?P<name>\w+)", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?:/\*.*?\*/[ \t]*|//[^\n]*)$\n?", re.MULTILINE | re.DOTALL)
EXPORT_LIST = re.compile(r"^export \{(?P<names>[^}]*)\};\n?", re.MULTILINE)


def bundle(entry: str, name: str = "") -> str:
    """The script of a module such as `static/app.js` with all that it imports; a global of this name has its exports.

    Comments on lines of their own and the space before lines are left out.
    """
    order: list[str] = []
    _visit(entry, order, ())
    parts = [_module(each) for each in order]
    door = f'\nglobalThis.{name} = modules["{entry}"];\n' if name else "\n"
    return '(() => {\n"use strict";\nconst modules = {};\n' + "\n".join(parts) + door + "})();\n"


def _visit(name: str, order: list[str], path: tuple[str, ...]) -> None:
    """The modules that one needs, each before those that import it."""
    if name in path:
        raise ValueError(f"modules import each other: {' -> '.join([*path, name])}")
    if name in order:
        return
    for found in IMPORT.finditer(_read(name)):
        _visit(resolve(found["path"], name), order, (*path, name))
    order.append(name)


def resolve(path: str, importer: str) -> str:
    """The module that a path in an import names: its folder and file."""
    if path.startswith("/"):
        return path[1:]
    place = Path("/", importer).parent.joinpath(path)
    return str(Path(*[part for part in _plain(place.parts) if part != "/"]))


def _plain(parts: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for part in parts:
        if part == "..":
            found.pop()
        else:
            found.append(part)
    return found


def _read(name: str) -> str:
    folder, _, file = name.partition("/")
    return (FOLDERS[folder] / file).read_text()


def _module(name: str) -> str:
    text = _read(name)
    exported = [found["name"] for found in EXPORT.finditer(text)]
    for found in EXPORT_LIST.finditer(text):
        exported += [word.strip() for word in found["names"].split(",") if word.strip()]

    def take(found: re.Match[str]) -> str:
        if found["names"] is None:
            return ""
        names = ", ".join(part.strip().replace(" as ", ": ") for part in found["names"].split(",") if part.strip())
        return f'const {{ {names} }} = modules["{resolve(found["path"], name)}"];\n'

    text = re.sub(r"^[ \t]+", "", COMMENT.sub("", text), flags=re.MULTILINE)
    body = EXPORT.sub(r"\g<kind> \g<name>", EXPORT_LIST.sub("", IMPORT.sub(take, text)))
    return f'modules["{name}"] = (() => {{\n{body}return {{ {", ".join(exported)} }};\n}})();'

"""Maps for vampires against werewolves: the known ones, XML files of the course's format, and random ones."""

import random
import re
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from kibitz.core.errors import BadMap, BadOption, did_you_mean, quoted
from kibitz.core.options import in_range

MOST = 255  # rows, columns, creatures of a group and groups of a map: each travels as one byte in the course's protocol
LARGEST_FILE = 1 << 20  # bytes; a full map needs some ten thousand


class Group(NamedTuple):
    """Who stands on a cell; (0, 0) is the top left one."""

    x: int
    y: int
    size: int


class Map(NamedTuple):
    rows: int
    columns: int
    humans: tuple[Group, ...]
    vampires: Group
    werewolves: Group


KNOWN = {
    "thetrap": Map(
        rows=5,
        columns=10,
        humans=(Group(2, 2, 4), Group(9, 0, 2), Group(9, 2, 1), Group(9, 4, 2)),
        vampires=Group(4, 3, 4),
        werewolves=Group(4, 1, 4),
    ),
    "testmap": Map(
        rows=5,
        columns=6,
        humans=(Group(2, 2, 1), Group(4, 4, 1)),
        vampires=Group(5, 4, 3),
        werewolves=Group(2, 3, 3),
    ),
    "testmap2": Map(
        rows=15,
        columns=29,
        humans=(Group(28, 0, 2), Group(0, 14, 2), Group(14, 7, 20), Group(10, 3, 4), Group(18, 11, 4)),
        vampires=Group(28, 14, 10),
        werewolves=Group(0, 0, 10),
    ),
}


def load(name: str) -> Map:
    """The known map of this name, or the one in the XML file of this name."""
    return KNOWN[name] if name in KNOWN else read_xml(_contents(name), name)


def _contents(name: str) -> bytes:
    path = Path(name)
    try:
        if path.is_file():
            with path.open("rb") as file:
                return file.read(LARGEST_FILE + 1)
        kind = "not a file" if path.exists() else "no such file"
    except (OSError, ValueError) as problem:
        kind = getattr(problem, "strerror", None) or str(problem)
    raise BadMap(
        f"map {quoted(name, MOST)}: {kind}, expected an XML file, 'random' or a known map{did_you_mean(name, KNOWN)}"
    )


def read_xml(data: bytes, name: str) -> Map:
    """The map in the text of an XML file; `name` stands in the message when there is none."""
    try:
        return _map(_root(data))
    except BadMap as problem:
        raise BadMap(f"map {quoted(name, MOST)}: {problem}") from None


class _NoDoctype(ElementTree.TreeBuilder):
    """A DOCTYPE can make a small file unfold without end, and no map needs one."""

    def doctype(self, name: str, public: str | None, system: str | None) -> None:
        raise BadMap(f"a DOCTYPE named {quoted(name)}, expected none")


def _root(data: bytes) -> ElementTree.Element:
    if len(data) > LARGEST_FILE:
        raise BadMap(f"more than {LARGEST_FILE} bytes, expected a map")
    try:
        return ElementTree.fromstring(data, ElementTree.XMLParser(target=_NoDoctype()))
    except (ElementTree.ParseError, ValueError, LookupError) as problem:
        raise BadMap(f"not XML ({str(problem)[:100]}), expected <Map Rows=... Columns=...>") from None


def _map(root: ElementTree.Element) -> Map:
    if root.tag != "Map":
        raise BadMap(f"the outermost element is {quoted(root.tag)}, expected 'Map'")
    rows, columns = _number(root, "Rows", 1, MOST), _number(root, "Columns", 1, MOST)
    groups: dict[str, list[Group]] = {"Humans": [], "Vampires": [], "Werewolves": []}
    homes: dict[tuple[int, int], str] = {}
    for element in root:
        if element.tag not in groups:
            raise BadMap(f"unexpected element {quoted(element.tag)}{did_you_mean(element.tag, groups)}")
        if len(element):
            raise BadMap(f"element {quoted(element[0].tag)} within {element.tag}, expected it within Map")
        group = _group(element, rows, columns)
        other = homes.setdefault((group.x, group.y), element.tag)
        if len(homes) <= sum(map(len, groups.values())):
            raise BadMap(f"{element.tag} and {other} share the cell {group.x},{group.y}, expected a cell for each")
        groups[element.tag].append(group)
    if len(homes) > MOST:
        raise BadMap(f"{len(homes)} groups, expected at most {MOST}")
    return Map(rows, columns, tuple(groups["Humans"]), *(_only(groups[tag], tag) for tag in ("Vampires", "Werewolves")))


def _group(element: ElementTree.Element, rows: int, columns: int) -> Group:
    return Group(
        _number(element, "X", 0, columns - 1), _number(element, "Y", 0, rows - 1), _number(element, "Count", 1, MOST)
    )


def _only(groups: list[Group], tag: str) -> Group:
    if len(groups) != 1:
        raise BadMap(f"{len(groups) or 'no'} elements {tag}, expected one")
    return groups[0]


def _number(element: ElementTree.Element, key: str, low: int, high: int) -> int:
    text = element.get(key)
    if text is None:
        raise BadMap(
            f"{_shown(element)} has no attribute '{key}' (case counts), expected a number from {low} to {high}"
        )
    if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
        raise BadMap(f"{key} of {_shown(element)} is {quoted(text)}, expected a number from {low} to {high}")
    return int(text)


def _shown(element: ElementTree.Element) -> str:
    place = [element.get(key) for key in ("X", "Y")]
    return f"{element.tag} at {quoted(','.join(filter(None, place)))}" if all(place) else element.tag


def write_xml(board: Map) -> str:
    """The text of a file that `read_xml` reads as this map."""
    camps = [("Humans", group) for group in board.humans]
    camps += [("Vampires", board.vampires), ("Werewolves", board.werewolves)]
    lines = [f'  <{tag} X="{x}" Y="{y}" Count="{size}"/>' for tag, (x, y, size) in camps]
    head = ['<?xml version="1.0" encoding="utf-8"?>', f'<Map Rows="{board.rows}" Columns="{board.columns}">']
    return "\n".join([*head, *lines, "</Map>", ""])


def random_map(rows: int, columns: int, groups: int, seed: int) -> Map:
    """A fair map as the course draws them: `groups` groups of 1 to 19 humans and the 2 to 19 werewolves in the left
    half, and every one mirrored through the centre, the werewolves as vampires.
    """
    in_range("rows", rows, 1, MOST)
    half = in_range("columns", columns, 2, MOST) // 2
    in_range("groups", groups, 0, MOST // 2 - 1)
    in_range("seed", seed, 0, 10**18)
    if groups >= rows * half:
        raise BadOption(
            f"option groups is {groups}, expected at most {rows * half - 1} in the left half of {rows} rows "
            f"and {columns} columns"
        )
    dice = random.Random(seed)
    first, *others = [divmod(place, half) for place in dice.sample(range(rows * half), groups + 1)]
    werewolves = Group(first[1], first[0], dice.randint(2, 19))
    left = [Group(x, y, dice.randint(1, 19)) for y, x in others]

    def mirror(group: Group) -> Group:
        return Group(columns - 1 - group.x, rows - 1 - group.y, group.size)

    return Map(rows, columns, (*left, *map(mirror, left)), mirror(werewolves), werewolves)

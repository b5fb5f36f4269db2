"""The texts of the pages: every language has them all, every use names one, and none is shown past the file."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import kibitz

PACKAGE = Path(kibitz.__file__).parent
PICTURE, STATIC = PACKAGE / "core/picture/script", PACKAGE / "web/static"
STRINGS = PICTURE / "strings.js"
SCRIPTS = [path for path in (*PICTURE.glob("*.js"), *STATIC.glob("*.js")) if path != STRINGS]
PAGES = [*STATIC.glob("*.html")]
PUBLISHED = PACKAGE / "puzzles/flow/script"  # its board is shown by the Flow page

# What a string literal of a script may be besides a text: it stands after one of these, or looks like one of those.
NOT_SHOWN_AFTER = re.compile(
    r"(?:className|class|d|viewBox|transform|preserveAspectRatio|accept|fill|stroke)\"?:\s*(?:\w+ \? )?$"
    r"|(?:from|import|dataset\.\w+ =|matches\?\.\(|matches\(|closest\(|querySelector(?:All)?\(|icon\(|[=!]==|case)\s*$"
    r"|(?:const [A-Z_]+ =|matchMedia\(|throw new Error\()\s*$"
)
SHOWN_AFTER = re.compile(
    r"(?:textContent|ariaLabel|title|placeholder|alt|label)\"?\s*(?::|=)\s*(?:[^,;{}()]*\?\s*)?$"
    r"|(?:toast|busy|say|confirmed|alert)\($|\"aria-(?:label|valuetext)\"\s*[:,]\s*$"
)
THE_SAME_EVERYWHERE = {"Kibitz", "kibitz serve --store FILE", '[Game "breakthrough"] ...'}
A_SENTENCE = re.compile(r"[A-Za-z]{2,}[,:]? [a-z]{2,}")


def texts() -> dict[str, dict[str, Any]]:
    """The languages of the file: its objects are JSON but for unquoted names and last commas."""
    source = STRINGS.read_text(encoding="utf-8")
    listed = re.search(r"^export const TEXTS = \{(.*)\};", source, re.MULTILINE)
    assert listed is not None
    names = dict(re.findall(r"(\w+): (\w+)", listed[1]))
    return {language: table(source, name) for language, name in names.items()}


def table(source: str, name: str) -> dict[str, Any]:
    body = re.search(rf"^const {name} = (\{{.*?^\}});", source, re.MULTILINE | re.DOTALL)
    assert body is not None, name
    quoted = re.sub(r"([{,]\s*)([a-zA-Z]+):(?= \"|\n)", r'\1"\2":', body[1])
    found: dict[str, Any] = json.loads(re.sub(r",(\s*\})", r"\1", quoted))
    return found


def literals(source: str) -> Iterator[tuple[str, str]]:
    """Each string of a script with what stands before it; a template gives its parts between the holes."""
    source = re.sub(r"/\*.*?\*/", lambda found: " " * len(found[0]), source, flags=re.DOTALL)
    source = re.sub(r"(^|\s)//[^\n]*", lambda found: " " * len(found[0]), source)
    at = 0
    holes: list[int] = []
    while at < len(source):
        character = source[at]
        if character in "\"'":
            end = at + 1
            while source[end] != character:
                end += 2 if source[end] == "\\" else 1
            yield source[max(0, at - 80) : at], source[at + 1 : end]
            at = end + 1
        elif character == "`" or (character == "}" and holes and holes[-1] == 0):
            if character == "}":
                holes.pop()
            end = at + 1
            while source[end] != "`" and not source.startswith("${", end):
                end += 2 if source[end] == "\\" else 1
            yield source[max(0, at - 80) : at], source[at + 1 : end]
            if source[end] == "$":
                holes.append(0)
                at = end + 2
            else:
                at = end + 1
        else:
            if holes:
                holes[-1] += {"{": 1, "}": -1}.get(character, 0)
            at += 1


def shown(source: str) -> list[str]:
    """The texts of a script that a reader would see."""
    return [
        text
        for before, text in literals(source)
        if text not in THE_SAME_EVERYWHERE
        and (
            (SHOWN_AFTER.search(before) and re.search(r"[A-Za-z]{2,}", text))
            or (A_SENTENCE.search(text) and not NOT_SHOWN_AFTER.search(before) and "\n" not in text)
        )
    ]


class Words(HTMLParser):
    """The texts and spoken attributes of a page; what is said without scripts stays where it is."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within.append(tag)
        spoken = ("title", "aria-label", "placeholder", "alt")
        self.found += [value for name, value in attrs if name in spoken and value]

    def handle_endtag(self, tag: str) -> None:
        while self.within and self.within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        said = data.strip()
        if said and said != "Kibitz" and not {"noscript", "script", "style"} & set(self.within):
            self.found.append(said)


def words_of(page: str) -> list[str]:
    parser = Words()
    parser.feed(page)
    return parser.found


def test_every_language_has_every_text_with_the_same_holes() -> None:
    found = texts()
    assert {"en", "de"} <= set(found)
    for language, texts_of in found.items():
        assert list(texts_of) == list(found["en"]), language
        for key, text in texts_of.items():
            forms = [text] if isinstance(text, str) else [*text.values()]
            holes = [set(re.findall(r"\{(\w+)\}", form)) for form in forms]
            english = found["en"][key]
            wanted = set(re.findall(r"\{(\w+)\}", english if isinstance(english, str) else english["other"]))
            assert all(hole == wanted for hole in holes), f"{language} {key}"
            assert isinstance(text, str) or "other" in text, f"{language} {key}"


def test_every_text_that_is_asked_for_exists_and_every_one_is_asked_for() -> None:
    known = set(texts()["en"])
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (*SCRIPTS, *PAGES))
    asked = set(re.findall(r"\bt\(\"([^\"]+)\"", sources)) | set(re.findall(r"data-t[\w-]*=\"([^\"]+)\"", sources))
    assert asked - known == set()
    patterns = [re.escape(text).replace(r"\$\{\}", ".+") for text in templates(sources)]
    quoted = set(re.findall(r"\"([\w.+-]+)\"", sources))
    idle = {key for key in known - asked - quoted if not any(re.fullmatch(pattern, key) for pattern in patterns)}
    assert idle == {"language.name"} & idle, "texts that nobody shows"


def templates(sources: str) -> list[str]:
    """Keys that are put together: `tab.${key}` as `tab.${}`."""
    return [re.sub(r"\$\{[^}]*\}", "${}", text) for text in re.findall(r"`([a-z][\w-]*\.[^`\s]*\$\{[^`]*)`", sources)]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_shows_a_text_past_the_file(path: Path) -> None:
    assert shown(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", ["board.js", "drawing.js"])
def test_the_board_of_flow_shows_none_of_its_own(name: str) -> None:
    assert shown((PUBLISHED / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_holds_a_text_of_its_own(path: Path) -> None:
    assert words_of(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        'element("p", { textContent: "Hello" })',
        'element("p", {}, "Who plays here?")',
        "toast(`Try ${move}`)",
        'node.setAttribute("aria-label", "board")',
        "const said = late ? `won by ${side} on time` : text;",
    ],
)
def test_a_text_past_the_file_would_be_noticed(line: str) -> None:
    assert shown(line) != []


def test_a_text_in_a_page_would_be_noticed() -> None:
    assert words_of('<main><h1>Hello</h1><p title="There">Kibitz</p></main>') == ["Hello", "There"]

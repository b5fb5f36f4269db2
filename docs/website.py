"""What MkDocs asks for: pages made from README, docstrings, agents and games, and links that lead out of docs."""

import json
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs import gallery, reference

LOADED = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*?\b(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)""")
ROOT = Path(__file__).parent.parent
FROM_ROOT = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Pages that `mkdocs.yml` does not place stand together at the end."""
    placed = json.dumps(config.nav)
    pages = sorted(path.relative_to(config.docs_dir).as_posix() for path in Path(config.docs_dir).glob("**/*.md"))
    others = [page for page in pages if f'"{page}"' not in placed]
    config.nav = [*(config.nav or []), *([{"More": others}] if others else [])]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    for source, target in FROM_ROOT.items():
        files.append(File.generated(config, target, content=(ROOT / source).read_text(encoding="utf-8")))
    made = {**reference.pages(), **gallery.pages(), "notebook.md": notebook()}
    for target, text in made.items():
        files.append(File.generated(config, target, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to pages; those to files that are no page become plain text, and broken ones stay as they are."""
    here = page.file.src_uri
    base = "" if here in FROM_ROOT.values() else "docs"

    def link(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        if "://" in target or target.startswith("#"):
            return found[0]
        place = posixpath.normpath(posixpath.join(base, posixpath.dirname(here), target))
        known = _page_of(place)
        if files.get_file_from_path(known) is None:
            return text if (ROOT / place).exists() else found[0]
        return f"[{text}]({posixpath.relpath(known, posixpath.dirname(here) or '.')}{anchor})"

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)", link, _pictures(markdown, here))


def _page_of(place: str) -> str:
    """The page that shows a file of the repository."""
    if place in FROM_ROOT:
        return FROM_ROOT[place]
    if place.startswith("src/kibitz/games/gallery/"):
        return f"gallery/{posixpath.basename(place).removesuffix('.py')}.md"
    return place.removeprefix("docs/")


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """A page that would load anything from elsewhere is refused; a link to elsewhere is not."""
    found = LOADED.search(output)
    if found:
        raise PluginError(f"{page.file.src_uri} loads {found[1]} from outside")
    return output


def _pictures(markdown: str, here: str) -> str:
    """Pictures of pages that come from the root lie in docs there, and here beside the page."""
    return markdown.replace("](docs/pictures/", "](pictures/") if here in FROM_ROOT.values() else markdown


def notebook() -> str:
    """The notebook as a page."""
    cells = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(_cell(cell) for cell in cells) + "\n\n[The notebook as a file](notebook.ipynb)\n"


def _cell(cell: dict[str, object]) -> str:
    source = "".join(cell["source"])  # type: ignore[arg-type]
    if cell["cell_type"] == "markdown":
        return source
    outputs = [output["data"]["text/plain"] for output in cell["outputs"]]  # type: ignore[attr-defined]
    shown = "".join(f"\n\n```text\n{''.join(lines)}\n```" for lines in outputs)
    return f"```python\n{source}\n```{shown}"

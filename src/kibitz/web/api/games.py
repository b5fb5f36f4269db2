"""The games on offer: those of the catalogue and the files given at the start, never a name that leads elsewhere."""

from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from kibitz import __version__, heuristics
from kibitz.core.errors import BadOption, KibitzError, UnknownGame, did_you_mean, quoted
from kibitz.core.game import Game
from kibitz.core.options import Words, split
from kibitz.core.rulebook import Rulebook
from kibitz.games import catalog
from kibitz.web.api import safe_agents
from kibitz.web.api.limits import MOST_CELLS

LONGEST = 400  # characters of a game's text
KEPT = 128  # games with their options chosen


class OfferedGame(NamedTuple):
    """A game that the server offers. `label` is the name by which a worker process finds it, such as a file's path."""

    name: str
    label: str
    origin: str
    rules: Rulebook


class GameList:
    """Games by name. `files` are texts of rules files, as `catalog.load` reads them; `only` leaves the others out."""

    def __init__(self, only: Iterable[str] = (), files: Iterable[str] = ()) -> None:
        self.offered: dict[str, OfferedGame] = {}
        wanted = list(only)
        for text in [*files, *(text for text in wanted if _is_file(text))]:
            self._add_file(text)
        for entry in catalog.entries():
            self._add_entry(entry)
        names = [text if text in self.offered else catalog.load(text).rulebook.name for text in wanted]
        if names:
            self.offered = {name: book for name, book in self.offered.items() if name in names}
        self._games: OrderedDict[str, Game] = OrderedDict()

    def _add_file(self, text: str) -> None:
        game = catalog.load(text)
        path, _, name = game.label.partition(".py")
        label = f"{Path(path + '.py').resolve()}{name}" if _is_file(text) else game.label
        self.offered[game.rulebook.name] = OfferedGame(game.rulebook.name, label, "your file", game.rulebook)

    def _add_entry(self, entry: catalog.Entry) -> None:
        try:
            book = entry.rulebook or catalog.rulebook(entry.name)
        except KibitzError:  # a broken package never stops the others
            return
        self.offered.setdefault(entry.name, OfferedGame(entry.name, entry.name, entry.origin, book))

    def game(self, text: Any) -> Game:
        """The game of a stranger's text."""
        return self.find(text) or self.keep(text, self.make(text))

    def find(self, text: Any) -> Game | None:
        """A game that was asked for before."""
        found = self._games.get(text) if isinstance(text, str) else None
        if found is not None:
            self._games.move_to_end(text)
        return found

    def keep(self, text: str, game: Game) -> Game:
        """Remember a game, and forget the one that was not asked for the longest."""
        self._games[text] = game
        if len(self._games) > KEPT:
            self._games.popitem(last=False)
        return game

    def make(self, text: Any) -> Game:
        """The game of a text, made anew; a large board takes a while."""
        if not isinstance(text, str) or len(text) > LONGEST or not text.isprintable():
            raise UnknownGame(f"a game is a text of at most {LONGEST} characters, as 'breakthrough'")
        spec = split(text)
        if spec.name not in self.offered:
            raise UnknownGame(f"no game is called {quoted(spec.name)}{did_you_mean(spec.name, self.offered)}")
        book = self.offered[spec.name]
        words = known_words(book.rules)
        for key, value in spec.pairs:
            if key in words and value not in words[key]:
                listed = ", ".join(words[key])
                raise BadOption(f"{spec.name}: option {key} is {quoted(value)}, expected one of {listed}")
        _refuse_long_numbers(spec.name, spec.pairs)
        made = book.rules(spec.preset, **dict(spec.pairs))
        game = Game(made.rulebook, made.options, book.name)
        if len(game.layout.cells) > MOST_CELLS:
            raise BadOption(f"{text}: a board of {len(game.layout.cells)} cells, expected at most {MOST_CELLS}")
        return game

    def worker_text(self, game: Game) -> str:
        """The text by which a worker process finds the same game."""
        book = self.offered[game.label]
        return Game(game.rulebook, game.options, book.label).text

    def facts(self) -> dict[str, Any]:
        """All games, for a page to offer."""
        return {"games": [self._facts(book) for book in self.offered.values()], "version": __version__}

    def _facts(self, book: OfferedGame) -> dict[str, Any]:
        rules = book.rules
        agents = safe_agents.kinds_for(rules)
        known = heuristics.heuristics_of(rules)
        return {
            "name": book.name,
            "title": rules.title,
            "summary": rules.summary,
            "origin": book.origin,
            "sides": list(rules.sides),
            "presets": list(rules.presets),
            "options": options_of(rules),
            "agents": list(agents),
            "default_agent": safe_agents.default_for(rules()) if _needs_no_options(rules) else "random",
            "heuristics": [heuristic.name for heuristic in known],
            "chance": rules.outcomes is not None,
            "winner": rules.winner,
        }


def _needs_no_options(rules: Rulebook) -> bool:
    """Can the game be made without options?"""
    try:
        rules()
    except KibitzError:
        return False
    return True


def _is_file(text: str) -> bool:
    return ".py" in text or (not text.startswith(":") and Path(f"{text.split(':')[0].split(',')[0]}.py").is_file())


def _refuse_long_numbers(name: str, pairs: Iterable[tuple[str, str]]) -> None:
    """No option needs more than nine digits; longer ones only cost time."""
    for key, value in pairs:
        if value.lstrip("-").isdigit() and len(value) > 9:
            raise BadOption(f"{name}: option {key} is {quoted(value)}, expected at most nine digits")


def known_words(rules: Rulebook) -> dict[str, tuple[str, ...]]:
    """What a stranger may say where an option is free text: its default, the presets' words, and those declared."""
    hints = get_type_hints(rules.options, include_extras=True)
    defaults = rules.options()._asdict()
    found: dict[str, tuple[str, ...]] = {}
    for key, hint in hints.items():
        extras = hint.__metadata__ if get_origin(hint) is Annotated else ()
        if (get_args(hint)[0] if extras else hint) is not str:
            continue
        declared = [word for extra in extras if isinstance(extra, Words) for word in extra.known]
        listed = [str(preset[key]) for preset in rules.presets.values() if key in preset]
        found[key] = tuple(dict.fromkeys([str(defaults[key]), *listed, *declared]))
    return found


def options_of(rules: Rulebook) -> list[dict[str, Any]]:
    """The options of a game with their types, for a form."""
    hints, words = get_type_hints(rules.options), known_words(rules)
    found = []
    for key, default in rules.options()._asdict().items():
        hint = hints[key]
        listed = [str(word) for word in get_args(hint)] if get_origin(hint) is Literal else list(words.get(key, ()))
        sort = "choice" if listed else hint.__name__
        found.append({"name": key, "type": sort, "default": default, "choices": listed or None})
    return found

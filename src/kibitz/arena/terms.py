"""From what a user asks for to a contest: texts read, agents named and tried, mistakes told before any game."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz import agents
from kibitz.arena import entries, fingerprint
from kibitz.arena.contest import BadContest, Contest, Entrant, Format, distinct
from kibitz.arena.entries import Entry
from kibitz.arena.openings import Drawing, read_lines
from kibitz.arena.referee import Referee
from kibitz.arena.task import House, TimeControl
from kibitz.core.errors import BadOption, KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.games import catalog

Teller = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What matches and tournaments are played under, as the command line has it."""

    seconds: float | None = None
    clock: str | None = None
    nodes: int | None = None
    depth: int | None = None
    openings: Path | None = None
    plies: str = "4-8"
    balance: float = 1.0
    seed: int = 1
    memory: int = 4096
    trusted: bool = False

    def control(self) -> TimeControl:
        """The time control; a second a move where nothing is said."""
        clock, increment = (None, 0.0) if self.clock is None else read_clock(self.clock)
        unbounded = self.seconds is None and clock is None and self.nodes is None and self.depth is None
        seconds = 1.0 if unbounded else self.seconds
        control = TimeControl(seconds=seconds, clock=clock, increment=increment, nodes=self.nodes, depth=self.depth)
        control.limit()  # refuses what makes no sense
        return control

    def house(self) -> House:
        """What players are granted."""
        return House(apart=not self.trusted, memory=in_range("memory", self.memory, 64, 1 << 24))

    def drawing(self, game: Game) -> Drawing:
        """How games begin."""
        least, most = read_plies(self.plies)
        lines = () if self.openings is None else read_lines(self.openings, game)
        return Drawing(seed=self.seed, least=least, most=most, balance=self.balance, lines=lines)


def read_clock(text: str) -> tuple[float, float]:
    """`60+0.6`: seconds for the game and seconds added after each move."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(?:\+(\d{1,9}(?:\.\d{1,9})?))?", text.strip())
    if found is None or not float(found[1]):
        raise BadOption(f"clock is {quoted(text)}, expected SECONDS or SECONDS+INCREMENT such as 60+0.6")
    return float(found[1]), float(found[2] or 0.0)


def read_plies(text: str) -> tuple[int, int]:
    """`4-8`: the fewest and the most turns of an opening."""
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text.strip())
    if found is None:
        raise BadOption(f"plies is {quoted(text)}, expected A-B such as 4-8, or one number")
    return int(found[1]), int(found[2] or found[1])


def match(game: str, first: str, second: str, games: int, terms: Terms) -> Contest:
    """A match of two agents. Both must be able to play: a match against nobody is a mistake."""
    return _sifted(*_contest(game, "match", [first, second], games, terms, rounds=1))


def tournament(
    game: str,
    texts: Sequence[str],
    form: Format,
    games: int,
    terms: Terms,
    rounds: int | None = None,
    tell: Teller | None = None,
) -> Contest:
    """A tournament of agents and of folders full of them. An entry of a folder that cannot be loaded only fails."""
    wanted = [entry for text in texts for entry in entries.expanded(text, catalog.load(game))]
    enough = max(1, len(wanted) - 1).bit_length() + 1
    return _sifted(*_contest(game, form, wanted, games, terms, enough if rounds is None else rounds), tell)


def _contest(
    text: str, form: Format, wanted: Iterable[str | Entry], games: int, terms: Terms, rounds: int
) -> tuple[Contest, list[Entry]]:
    game = catalog.load(text)
    listed = [entries.named(one) for one in wanted]
    names = distinct([entry.name for entry in listed])
    contest = Contest(
        game=game.text,
        format=form,
        entrants=tuple(_entrant(name, entry, game) for name, entry in zip(names, listed, strict=True)),
        games=games,
        control=terms.control(),
        house=terms.house(),
        drawing=terms.drawing(game),
        rounds=in_range("rounds", rounds, 1, 1_000),
        rules=fingerprint.of_rules(game),
    )
    return contest, listed


def _entrant(name: str, entry: Entry, game: Game) -> Entrant:
    return Entrant(name=name, text=entry.text, print=fingerprint.of_agent(entry.text, game))


def _sifted(contest: Contest, listed: Sequence[Entry], tell: Teller | None = None) -> Contest:
    """The contest after each agent was made ready once. What is wrong with an entry is written down beside it; what is
    wrong with an agent that the user named is the user's to know.
    """
    found = []
    with Referee() as referee:
        for entrant, entry in zip(contest.entrants, listed, strict=True):
            if tell is not None:
                tell(f"trying {entrant.name}")
            try:
                _able(contest, entrant)
                referee.try_out(contest.game, entrant.text, contest.house)
                found.append(entrant)
            except KibitzError as error:
                if not entry.submitted:
                    raise
                found.append(replace(entrant, failure=str(error)))
    return replace(contest, entrants=tuple(found))


def _able(contest: Contest, entrant: Entrant) -> None:
    kind = agents.read(entrant.text).kind
    name = catalog.load(contest.game).rulebook.name
    if kind.games and name not in kind.games:
        raise BadContest(f"agent {kind.name} plays {', '.join(kind.games)}, not {name}")

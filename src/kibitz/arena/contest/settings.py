"""From what a user asks for to a contest: texts read, agents named and tried, mistakes told before any game."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz import agents
from kibitz.agents.agent import pairs_of
from kibitz.arena.contest import submissions
from kibitz.arena.contest.contest import BadContest, Contest, Format, number_names
from kibitz.arena.contest.opening_books import read_book
from kibitz.arena.contest.openings import OpeningSettings
from kibitz.arena.contest.submissions import Entry
from kibitz.arena.play import fingerprint
from kibitz.arena.play.adjudication import Adjudication, read_threshold
from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.resources import Resources
from kibitz.arena.players.sandbox import require_isolation
from kibitz.core.errors import BadOption, KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.options import in_range
from kibitz.games import catalog

LARGEST_MARGIN = 60.0  # seconds
Teller = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What matches and tournaments are played under, as the command line has it."""

    seconds: float | None = None
    clock: str | None = None
    nodes: int | None = None
    depth: int | None = None
    openings: Path | None = None
    plies: str = "4-8"
    balance: float = 1.0
    seed: int = 1
    margin: float | None = None
    limits: tuple[str, ...] = ()  # NAME=LIMIT of players that have one of their own
    memory: int = 4096
    trusted: bool = False
    require_isolation: bool = False
    name: str = ""  # of the contest
    resign: str | None = None
    draw: str | None = None
    table: bool = False
    failures: int = 0
    restart: bool = False
    replays: int = 0

    def control(self) -> TimeControl:
        """The time control; a second a move where nothing is said."""
        unbounded = self.seconds is None and self.clock is None and self.nodes is None and self.depth is None
        return make_control(1.0 if unbounded else self.seconds, self.clock, self.nodes, self.depth, self.margin)

    def limits_of(self, names: Sequence[str]) -> tuple[tuple[str, TimeControl], ...]:
        """The time controls of those that have one of their own."""
        return tuple(read_limit(text, names, self.margin) for text in self.limits)

    def resources(self) -> Resources:
        """What players are granted."""
        if self.trusted and self.require_isolation:
            raise BadOption("--trusted and --require-isolation contradict each other, expected one of them")
        if self.require_isolation:
            require_isolation()
        return Resources(
            apart=not self.trusted,
            isolation="required" if self.require_isolation else "best",
            memory=in_range("memory", self.memory, 64, 1 << 24),
            restart=self.restart,
            replays=in_range("replays", self.replays, 0, 100),
        )

    def adjudication(self) -> Adjudication:
        """By which rules games are ended early."""
        return Adjudication(
            resign=None if self.resign is None else read_threshold(self.resign, "resign"),
            draw=None if self.draw is None else read_threshold(self.draw, "draw"),
            table=self.table,
        )

    def opening_settings(self, boards: Sequence[Game]) -> OpeningSettings:
        """How games begin. Given openings must fit every board."""
        least, most = read_plies(self.plies)
        fitting = [read_book(self.openings, board) for board in boards] if self.openings is not None else [()]
        return OpeningSettings(seed=self.seed, least=least, most=most, balance=self.balance, lines=fitting[0])


def make_control(
    seconds: float | None, clock: str | None, nodes: int | None, depth: int | None, margin: float | None
) -> TimeControl:
    """A time control of what was asked for."""
    if margin is not None and not 0 <= margin <= LARGEST_MARGIN:
        raise BadOption(f"margin is {margin}, expected 0 to {LARGEST_MARGIN} seconds")
    bounds = TimeControl() if clock is None else read_clock(clock)
    control = replace(bounds, seconds=seconds, nodes=nodes, depth=depth, margin=margin)
    control.limit()  # refuses what makes no sense
    return control


def read_clock(text: str) -> TimeControl:
    """`60+0.6`: seconds for the game and seconds added after each move; `40/60`: 60 seconds for each 40 moves."""
    number = r"\d{1,9}(?:\.\d{1,9})?"
    found = re.fullmatch(rf"(?:(\d{{1,4}})/)?({number})(?:\+({number}))?", text.strip())
    if found is None or not float(found[2]) or found[1] == "0":
        expected = "SECONDS, SECONDS+INCREMENT such as 60+0.6, or MOVES/SECONDS such as 40/60"
        raise BadOption(f"clock is {quoted(text)}, expected {expected}")
    return TimeControl(clock=float(found[2]), increment=float(found[3] or 0.0), moves=int(found[1] or 0))


def read_limit(text: str, names: Sequence[str], margin: float | None) -> tuple[str, TimeControl]:
    """`NAME=seconds=2,nodes=500` or `NAME=clock=40/60`: a player's own time control."""
    name = max((known for known in names if text.startswith(f"{known}=")), key=len, default=None)
    if name is None:
        raise BadOption(
            f"limit {quoted(text)} is of nobody who plays, expected NAME=LIMIT with one of {', '.join(names)}"
        )
    given = pairs_of(text[len(name) + 1 :])
    for key in given.keys() - {"seconds", "clock", "nodes", "depth"}:
        raise BadOption(f"limit {quoted(text)} has {quoted(key)}, expected seconds, clock, nodes or depth")
    try:
        seconds = float(given["seconds"]) if "seconds" in given else None
        nodes, depth = (int(given[key]) if key in given else None for key in ("nodes", "depth"))
    except ValueError:
        raise BadOption(f"limit {quoted(text)} cannot be read, expected numbers such as seconds=2,nodes=500") from None
    return name, make_control(seconds, given.get("clock"), nodes, depth, margin)


def read_plies(text: str) -> tuple[int, int]:
    """`4-8`: the fewest and the most turns of an opening."""
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text.strip())
    if found is None:
        raise BadOption(f"plies is {quoted(text)}, expected A-B such as 4-8, or one number")
    return int(found[1]), int(found[2] or found[1])


def make_match(game: str, first: str, second: str, games: int, settings: Settings) -> Contest:
    """A match of two agents. Both must be able to play: a match against nobody is a mistake."""
    wanted = [submissions.read_entry(text) for text in (first, second)]
    return try_entrants(make_contest([game], "match", wanted, games, settings), wanted)


def make_tournament(
    games_texts: Sequence[str],
    texts: Sequence[str],
    form: Format,
    games: int,
    settings: Settings,
    rounds: int | None = None,
    tell: Teller | None = None,
    tried: bool = True,
) -> Contest:
    """A tournament of agents and of folders full of them, on one board or several in turn. An entry of a folder that
    cannot be loaded only fails. A contest that is only rehearsed is made of entries that nobody has tried.
    """
    wanted = [entry for text in texts for entry in submissions.expand(text, catalog.load(games_texts[0]))]
    enough = max(1, len(wanted) - 1).bit_length() + 1
    contest = make_contest(games_texts, form, wanted, games, settings, enough if rounds is None else rounds)
    return try_entrants(contest, wanted, tell) if tried else contest


def make_contest(
    texts: Sequence[str], form: Format, wanted: Sequence[Entry], games: int, settings: Settings, rounds: int = 1
) -> Contest:
    """The contest before anybody was tried."""
    boards = [catalog.load(resolve_game(text)) for text in texts]
    for board in boards[1:]:
        if board.rulebook.name != boards[0].rulebook.name:
            raise BadContest(f"a contest is of one game, not of {boards[0].text} and {board.text}")
    names = number_names([entry.name for entry in wanted])
    return Contest(
        game=boards[0].text,
        boards=tuple(board.text for board in boards) if len(boards) > 1 else (),
        format=form,
        entrants=tuple(_entrant(name, entry, boards[0]) for name, entry in zip(names, wanted, strict=True)),
        games=games,
        control=settings.control(),
        resources=settings.resources(),
        opening_settings=settings.opening_settings(boards),
        rounds=in_range("rounds", rounds, 1, 1_000),
        rules="+".join(fingerprint.of_rules(board) for board in boards),
        label=settings.name.strip(),
        adjudication=settings.adjudication(),
        failures=in_range("failures", settings.failures, 0, 1_000_000),
        limits=settings.limits_of(names),
    )


def resolve_game(text: str) -> str:
    """A game's text with the files that it names in full: its rules, and those that options name."""
    game = catalog.load(text)
    head, *options = re.split(r",(?=\s*[A-Za-z_]\w*=)", game.text)
    path = re.match(r".+\.py(?=$|:)", head)
    if path and os.path.isfile(path[0]):
        head = f"{Path(path[0]).resolve()}{head[len(path[0]) :]}"
    return ",".join([head, *map(_resolve_option, options)])


def _resolve_option(option: str) -> str:
    key, _, value = option.partition("=")
    return f"{key}={Path(value).resolve()}" if os.path.isfile(value) else option


def _entrant(name: str, entry: Entry, game: Game) -> Entrant:
    return Entrant(
        name=name,
        text=entry.text,
        fingerprint=fingerprint.of_agent(entry.text, game, entry.folder),
        folder=entry.folder,
        authors=entry.authors,
        language=entry.language,
        failure=entry.failure,
    )


def try_entrants(contest: Contest, wanted: Sequence[Entry], tell: Teller | None = None) -> Contest:
    """The contest after each agent was made ready once. What is wrong with an entry is written down beside it; what is
    wrong with an agent that the user named is the user's to know.
    """
    found = []
    with Referee() as referee:
        for entrant, entry in zip(contest.entrants, wanted, strict=True):
            if tell is not None:
                tell(f"trying {entrant.name}")
            try:
                refuse_failed(entrant)
                _refuse_other_games(contest, entrant)
                others = contest.files_of_others(entrant)
                referee.try_out(contest.game, entrant.text, contest.resources, entrant.folder, *others)
                found.append(entrant)
            except KibitzError as error:
                if not entry.submitted:
                    raise
                found.append(replace(entrant, failure=str(error)))
    return replace(contest, entrants=tuple(found))


def refuse_failed(entrant: Entrant) -> None:
    """A submission that is wrong in itself."""
    if entrant.failure:
        raise BadContest(entrant.failure)


def _refuse_other_games(contest: Contest, entrant: Entrant) -> None:
    kind = agents.read(entrant.text).kind
    name = catalog.load(contest.game).rulebook.name
    if kind.games and name not in kind.games:
        raise BadContest(f"agent {kind.name} plays {', '.join(kind.games)}, not {name}")

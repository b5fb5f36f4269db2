"""A contest as data: who meets whom under which conditions, and the games that follow from it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from kibitz.arena.contest.openings import Opening, OpeningSettings, seed_for
from kibitz.arena.play import fingerprint
from kibitz.arena.play.adjudication import Adjudication
from kibitz.arena.play.fixture import Fixture, Key
from kibitz.arena.play.tags import control_text
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.resources import Resources
from kibitz.core.errors import KibitzError

Format = Literal["match", "round-robin", "gauntlet", "swiss"]
SHOWN = 4  # entrants that a contest's title names


class BadContest(KibitzError):
    """A contest that cannot be held."""


@dataclass(frozen=True, kw_only=True)
class Contest:
    """Everything a contest is, before its first game. `games` counts those of two players against each other."""

    game: str
    format: Format
    entrants: tuple[Entrant, ...]
    games: int
    control: TimeControl
    resources: Resources = field(default_factory=Resources)
    opening_settings: OpeningSettings = field(default_factory=OpeningSettings)
    rounds: int = 1  # of a Swiss tournament
    rules: str = ""  # the fingerprints of the rules, one for each board, joined by `+`
    boards: tuple[str, ...] = ()  # the games, where several maps or presets take turns; `game` is the first of them
    label: str = ""  # the name that its organiser gave it
    adjudication: Adjudication = field(default_factory=Adjudication)
    failures: int = 0  # offences after which an entrant plays no more games; 0: never
    limits: tuple[tuple[str, TimeControl], ...] = ()  # names of entrants that have a time control of their own

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise BadContest(
                f"{self.games} games cannot be played in pairs with sides swapped, expected an even number"
            )
        if len(self.entrants) < 2:
            raise BadContest(f"{len(self.entrants)} agents take part, expected at least two")

    # What it is.

    @property
    def key(self) -> str:
        """What a contest is: two are the same if they have the same label, or else the same entrants and conditions.
        How many games it has does not count: a contest can be prolonged.
        """
        if self.label:
            return f"label {self.label}"
        who = [(entrant.name, entrant.text) for entrant in self.entrants]
        return fingerprint.digest(self.conditions, sorted(who) if self.format == "round-robin" else who)

    @property
    def conditions(self) -> str:
        """What must be alike for two games to count in one contest."""
        limits = [(name, asdict(control)) for name, control in self.limits]
        parts = (self.game, self.boards, self.format, fingerprint.of_conditions(self.control, self.resources), limits)
        return fingerprint.digest(*parts, asdict(self.opening_settings), asdict(self.adjudication))

    @property
    def book(self) -> str:
        """Under which its openings are kept: contests of one book begin alike."""
        return fingerprint.digest(self.game, self.boards, self.rules, asdict(self.opening_settings))

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label or f"{self.title}, {self.details} ({self.key[:6]})"

    @property
    def title(self) -> str:
        """Which game, and who plays it."""
        names = [entrant.name for entrant in self.entrants]
        if self.format == "match":
            return f"{self.short_game}, {' v '.join(names)}"
        shown = ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
        return f"{self.short_game}, {self.format} of {len(names)} ({shown})"

    @property
    def details(self) -> str:
        """How its games are timed and how they begin."""
        begin = self.opening_settings
        begins = (
            f"given openings {fingerprint.digest(begin.lines)[:6]}"
            if begin.lines
            else f"openings {begin.least}-{begin.most} balance {begin.balance:g}"
        )
        limits = "".join(f", {name} {control_text(control)}" for name, control in self.limits)
        return f"{control_text(self.control)}{limits}, {begins}, seed {begin.seed}"

    @property
    def short_game(self) -> str:
        """The game without the folder of its rules file; how many boards, where there are several."""
        short = Path(self.game).name if "/" in self.game.partition(",")[0] else self.game
        return f"{short} and {len(self.boards) - 1} more" if len(self.boards) > 1 else short

    @property
    def able(self) -> list[Entrant]:
        """The entrants that can play."""
        return [entrant for entrant in self.entrants if not entrant.failure]

    # Its games.

    def control_of(self, entrant: Entrant) -> TimeControl:
        """How long an entrant may think."""
        return dict(self.limits).get(entrant.name, self.control)

    def files_of_others(self, *players: Entrant) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The texts and the folders of all but these, who must not see their files."""
        others = [other for other in self.entrants if other not in players]
        texts = tuple(other.text for other in others if other.text)
        return texts, tuple(other.folder for other in others if other.folder)

    def fixtures(self, pairing: tuple[str, str], opening: Opening, number: int) -> Iterator[Fixture]:
        """Two games of two players in a round, sides swapped."""
        by_name = {entrant.name: entrant for entrant in self.entrants}
        left, right = (by_name[name] for name in pairing)
        yield self._fixture(left, right, opening, number)
        yield self._fixture(right, left, opening, number)

    def _fixture(self, first: Entrant, second: Entrant, opening: Opening, number: int) -> Fixture:
        others, folders = self.files_of_others(first, second)
        task = GameTask(
            game=opening.game or self.game,
            first=first.text,
            second=second.text,
            names=(first.name, second.name),
            folders=(first.folder, second.folder),
            control=self.control_of(first),
            second_control=None if self.control_of(second) == self.control_of(first) else self.control_of(second),
            opening=opening.line,
            seed=seed_of(first, second, opening),
            resources=self.resources,
            adjudication=self.adjudication,
            others=others,
            other_folders=folders,
        )
        key = Key(first.name, second.name, opening.number)
        parts = (self._rules_of(opening), first.fingerprint, second.fingerprint)
        return Fixture(key, number, self.fingerprint_of(first, second, opening), task, parts)

    def _rules_of(self, opening: Opening) -> str:
        return self.rules.split("+")[self.boards.index(opening.game) if opening.game else 0]

    def fingerprint_of(self, first: Entrant, second: Entrant, opening: Opening) -> str:
        """The fingerprint of a game."""
        conditions = [fingerprint.of_conditions(self.control_of(one), self.resources) for one in (first, second)]
        seed = seed_of(first, second, opening)
        players = (first.fingerprint, second.fingerprint)
        begins = (opening.game, opening.line, seed)
        return fingerprint.digest(self._rules_of(opening), *conditions, *players, *begins, asdict(self.adjudication))


def seed_of(first: Entrant, second: Entrant, opening: Opening) -> int:
    """The seed of a game. Those of a pair differ: else players who roll dice would play one game twice."""
    return seed_for(opening.seed, first.name, second.name)


def number_names(names: Sequence[str]) -> list[str]:
    """The names, numbered where several would be the same."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return found

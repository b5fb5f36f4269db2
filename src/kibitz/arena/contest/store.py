"""Where played games are kept: one SQLite file, written by one process, never half a game.

Rows of games are only ever added. A game is known by its players in their seats and the fingerprint of all that decides
it: after a change to an agent its games are played anew beside the old ones, and several contests may share a game.
Each row has a checksum, for SQLite has none, and a store may come from somebody else.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import kibitz
from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.lock import Lock
from kibitz.arena.contest.openings import Opening, OpeningSettings
from kibitz.arena.play.adjudication import Adjudication, Threshold
from kibitz.arena.play.fixture import Fixture, Key, PlayedGame, Printed
from kibitz.arena.play.task import TimeControl
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.resources import Resources
from kibitz.arena.records import json_lines
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.json_text import parse_json
from kibitz.core.output_file import check_writable

FORMAT = 2
APPLICATION = 0x4B494249  # "KIBI", in the header of the file
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE contest (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, facts TEXT NOT NULL, sum TEXT);
CREATE TABLE entrant (
    contest INTEGER NOT NULL REFERENCES contest, place INTEGER NOT NULL, name TEXT NOT NULL, facts TEXT NOT NULL,
    sum TEXT, PRIMARY KEY (contest, name)
);
CREATE TABLE opening (
    book TEXT NOT NULL, number INTEGER NOT NULL, facts TEXT NOT NULL, sum TEXT, PRIMARY KEY (book, number)
);
CREATE TABLE game (
    id INTEGER PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL,
    sum TEXT, UNIQUE (first, second, fingerprint)
);
CREATE TABLE fixture (
    contest INTEGER NOT NULL REFERENCES contest, game INTEGER NOT NULL REFERENCES game, opening INTEGER NOT NULL,
    round INTEGER NOT NULL, sum TEXT, PRIMARY KEY (contest, game)
);
CREATE TABLE printed (game INTEGER PRIMARY KEY REFERENCES game, first TEXT NOT NULL, second TEXT NOT NULL, sum TEXT);
"""


GAME = "first, second, fingerprint, record, sum"


class BadStore(KibitzError):
    """A file that is no store, a damaged one, or one of a later Kibitz."""


class Store:
    """An open store. Use it with `with`; a path of None keeps everything in memory. While one is open to play games
    into it (`create`), nobody else can do that, and anybody can read it.
    """

    def __init__(self, path: Path | None, *, create: bool = True) -> None:
        self.path = path
        self.place = "a store in memory" if path is None else f"'{path}'"
        if path is not None and not path.is_file():
            if not create:
                raise BadStore(f"there is no store '{path}'")
            check_writable(path)
            if path.exists():
                raise BadStore(f"'{path}' cannot be used as a store: it is no regular file")
        self._open_things = ExitStack()
        try:
            if path is not None and create:
                self._open_things.callback(_locked(path).close)
            with self._told():
                if path is not None and not create:
                    self.rows = self._open_things.enter_context(open_to_read(path))
                else:
                    self.rows = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
                    self._open_things.callback(self.rows.close)
                self._open(create)
        except BaseException:
            self.close()
            raise

    def _open(self, create: bool) -> None:
        self.rows.execute("PRAGMA trusted_schema = OFF")
        known = self.rows.execute("PRAGMA application_id").fetchone()[0]
        version = self.rows.execute("PRAGMA user_version").fetchone()[0]
        empty = not self.rows.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not empty and known != APPLICATION:
            raise BadStore(f"{self.place} is a database of something else, expected a store of games")
        if not empty and version != FORMAT:
            which = "a newer" if version > FORMAT else "an older"
            raise BadStore(f"{self.place} has format {version}, this Kibitz reads {FORMAT}; {which} one is needed")
        if not empty:
            self._refuse_damaged()
        if not create:
            return
        if empty:
            self._create()
        self.rows.execute("PRAGMA journal_mode = WAL")
        self.rows.execute("PRAGMA synchronous = NORMAL")
        self.rows.execute("PRAGMA busy_timeout = 5000")

    def _refuse_damaged(self) -> None:
        """The pages fit together, and there is nothing in it but tables."""
        kinds = self.rows.execute("SELECT DISTINCT type FROM sqlite_master").fetchall()
        if not {kind for (kind,) in kinds} <= {"table", "index"}:
            raise BadStore(f"{self.place} holds more than tables, expected a store of games")
        problem = self.rows.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise self._damage_error()

    def _damage_error(self) -> BadStore:
        return BadStore(
            f"{self.place} cannot be used as a store: it is damaged, something in it is not as it was written"
        )

    def _create(self) -> None:
        """The tables and the mark of a store in one step, so that a kill leaves an empty file or a whole store."""
        marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"
        self.rows.executescript(f"BEGIN IMMEDIATE; {TABLES} {marks} COMMIT;")
        self.rows.execute("INSERT INTO meta VALUES ('kibitz', ?)", (kibitz.__version__,))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite says is wrong, in one line."""
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as problem:  # texts and names in it may be no texts
            said = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            raise BadStore(f"{self.place} cannot be used as a store: {said}") from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One step that happens whole or not at all."""
        with self._told():
            self.rows.execute("BEGIN IMMEDIATE")
            try:
                yield self.rows
                self.rows.execute("COMMIT")
            except BaseException:
                if self.rows.in_transaction:
                    self.rows.execute("ROLLBACK")
                raise

    def close(self) -> None:
        self._open_things.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Contests.

    def enter(self, contest: Contest) -> int:
        """The number of a contest, written down as it is now. Other contests stay as they are; entrants of an earlier
        run of a contest with this label stay in it, too.
        """
        with self.writing() as rows:
            known = rows.execute("SELECT id, facts FROM contest WHERE key = ?", (contest.key,)).fetchone()
            if known is None:
                rows.execute("INSERT INTO contest (key, facts) VALUES (?, ?)", (contest.key, "{}"))
                number: int = rows.execute("SELECT id FROM contest WHERE key = ?", (contest.key,)).fetchone()[0]
            else:
                number = known[0]
                self._check_same(contest, self.contests()[number])
            names = {entrant.name for entrant in contest.entrants}
            others = [entrant for entrant in self._entrants(number) if entrant.name not in names]
            row: tuple[Any, ...] = (number, contest.key, json.dumps(_facts(contest)))
            rows.execute("UPDATE contest SET facts = ?, sum = ? WHERE id = ?", (row[2], checksum(row), number))
            rows.execute("DELETE FROM entrant WHERE contest = ?", (number,))
            for place, entrant in enumerate([*contest.entrants, *others]):
                row = (number, place, entrant.name, json.dumps(asdict(entrant)))
                rows.execute("INSERT INTO entrant VALUES (?, ?, ?, ?, ?)", (*row, checksum(row)))
        return number

    def _check_same(self, contest: Contest, known: Contest) -> None:
        """Games under other conditions do not belong to one contest, whatever it is called."""
        if contest.conditions != known.conditions:
            raise BadStore(
                f"{self.place} has a contest '{contest.label}' of {known.title}, {known.details}; "
                "expected the same conditions, or another name"
            )

    def contests(self) -> dict[int, Contest]:
        """Every contest in the store, the latest last."""
        rows = self._verified("SELECT id, key, facts, sum FROM contest")
        return {number: self._contest(number, facts) for number, _, facts in sorted(rows)}

    def _verified(self, query: str, *given: Any) -> list[tuple[Any, ...]]:
        """Rows without the checksum that is behind each, if it fits. A query must not use an index (`+` before a
        column), for one that is damaged would hide rows.
        """
        with self._told():
            rows = self.rows.execute(query, given).fetchall()
        if any(row[-1] != checksum(row[:-1]) for row in rows):
            raise self._damage_error()
        return [row[:-1] for row in rows]

    def choose(self, wanted: str | None = None) -> tuple[int, Contest]:
        """A contest by its number or its name, the latest if none is named."""
        known = self.contests()
        if not known:
            raise BadStore(f"{self.place} holds no contest yet")
        if wanted is None:
            return max(known), known[max(known)]
        for number, contest in known.items():
            if wanted in (str(number), contest.name):
                return number, contest
        raise BadStore(f"{self.place} has no contest {quoted(wanted)} (it has {', '.join(map(str, known))})")

    def _contest(self, number: int, facts: str) -> Contest:
        try:
            return _read_contest(parse_json(facts), self._entrants(number))
        except (ValueError, KeyError, TypeError, KibitzError):
            raise BadStore(f"{self.place} cannot be used as a store: contest {number} in it is damaged") from None

    def _entrants(self, number: int) -> tuple[Entrant, ...]:
        rows = self._verified("SELECT contest, place, name, facts, sum FROM entrant WHERE +contest = ?", number)
        return tuple(_read_entrant(parse_json(facts)) for *_, facts in sorted(rows))

    # Openings.

    def openings(self, book: str) -> list[Opening]:
        """The openings of a book, as far as they were needed."""
        rows = self._verified("SELECT book, number, facts, sum FROM opening WHERE +book = ?", book)
        try:
            return [Opening(**parse_json(facts)) for *_, facts in sorted(rows)]
        except (ValueError, TypeError):
            raise self._damage_error() from None

    def add_opening(self, book: str, opening: Opening) -> None:
        """Keep an opening."""
        with self.writing() as rows:
            row = (book, opening.number, json.dumps(asdict(opening)))
            rows.execute("INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?)", (*row, checksum(row)))

    # Games.

    def add(self, number: int, game: PlayedGame) -> None:
        """Keep a finished game. One that is known already stays as it was."""
        first, second, opening = game.key
        with self.writing() as rows:
            row = (first, second, game.fingerprint, json_lines.format_record(game.record))
            columns = "INSERT OR IGNORE INTO game (first, second, fingerprint, record, sum)"
            rows.execute(f"{columns} VALUES (?, ?, ?, ?, ?)", (*row, checksum(row)))
            query = "SELECT id FROM game WHERE first = ? AND second = ? AND fingerprint = ?"
            played = rows.execute(query, row[:3]).fetchone()[0]
            fixture = (number, played, opening, game.round)
            rows.execute("INSERT OR IGNORE INTO fixture VALUES (?, ?, ?, ?, ?)", (*fixture, checksum(fixture)))
            if any(game.printed):
                output = (played, *game.printed)
                rows.execute("INSERT OR IGNORE INTO printed VALUES (?, ?, ?, ?)", (*output, checksum(output)))

    def find(self, fixture: Fixture) -> PlayedGame | None:
        """A game that was played in another contest under the same conditions, by the same players: it counts here."""
        query = f"SELECT {GAME} FROM game WHERE first = ? AND second = ? AND fingerprint = ?"
        rows = self._verified(query, *fixture.key[:2], fixture.fingerprint)
        found = [self._record(text) for *_, text in rows]
        return PlayedGame(fixture.key, fixture.round, fixture.fingerprint, found[0]) if found else None

    def known(self, number: int) -> set[tuple[Key, str]]:
        """Which games of a contest were played, with their fingerprints."""
        return {(Key(first, second, opening), mark) for _, first, second, opening, mark, *_ in self._rows(number)}

    def last_game(self, number: int) -> int:
        """The number of the game that came last to a contest; 0 before the first."""
        with self._told():
            (last,) = self.rows.execute("SELECT max(game) FROM fixture WHERE +contest = ?", (number,)).fetchone()
        return int(last or 0)

    def games(self, number: int) -> list[PlayedGame]:
        """The games of a contest as its entrants and rules now are, in the order in which they were finished."""
        return [game for _, game in self.numbered_games(number)]

    def numbered_games(self, number: int) -> list[tuple[int, PlayedGame]]:
        """The same, each with its number in the store."""
        contest = self.contests()[number]
        by_name = {entrant.name: entrant for entrant in contest.entrants}
        openings = {opening.number: opening for opening in self.openings(contest.book)}
        found = []
        for place, first, second, opening, mark, turn, text in self._rows(number):
            if first in by_name and second in by_name and opening in openings:
                wanted = contest.fingerprint_of(by_name[first], by_name[second], openings[opening])
                if mark == wanted:
                    found.append((place, PlayedGame(Key(first, second, opening), turn, mark, self._record(text))))
        return found

    def outputs(self, number: int) -> dict[Key, Printed]:
        """What players printed in the games of a contest, where they did."""
        found = {}
        for place, game in self.numbered_games(number):
            for _, first, second in self._verified(
                "SELECT game, first, second, sum FROM printed WHERE game = ?", place
            ):
                found[game.key] = (first, second)
        return found

    def _rows(self, number: int) -> list[tuple[int, str, str, int, str, int, str]]:
        """The games of a contest by round and age, each as it was written."""
        fixtures = self._verified("SELECT contest, game, opening, round, sum FROM fixture WHERE +contest = ?", number)
        found = []
        for _, played, opening, turn in sorted(fixtures, key=lambda row: (row[3], row[1])):
            games = self._verified(f"SELECT {GAME} FROM game WHERE id = ?", played)
            if not games:
                raise self._damage_error()
            first, second, mark, text = games[0]
            found.append((played, first, second, opening, mark, turn, text))
        return found

    def _record(self, text: str) -> Record:
        return json_lines.read(text, self.place)


def checksum(row: Sequence[Any]) -> str:
    """A few digits that change when anything in a row does."""
    return hashlib.sha256(repr(tuple(row)).encode(errors="surrogatepass")).hexdigest()[:16]


@contextmanager
def open_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """A store that is only read: also on read-only media and on full disks, where SQLite cannot put its own files
    beside it. What was written last may then lie in a file of its own, and both are copied to where there is room.
    """
    with ExitStack() as things:
        try:
            rows = things.enter_context(_connect(path, "mode=ro"))
        except sqlite3.OperationalError:
            latest = path.with_name(f"{path.name}-wal")
            if latest.is_file() and latest.stat().st_size:
                folder = Path(things.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-", dir=_roomy_folder())))
                for source in (path, latest):
                    shutil.copyfile(source, folder / f"store{source.name[len(path.name) :]}")
                rows = things.enter_context(_connect(folder / "store", "mode=rw"))
            else:
                rows = things.enter_context(_connect(path, "mode=ro&immutable=1"))
        yield rows


@contextmanager
def _connect(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    rows = sqlite3.connect(f"file:{quote(str(path.absolute()))}?{how}", uri=True, isolation_level=None)
    try:
        rows.execute("PRAGMA busy_timeout = 5000")
        rows.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield rows
    finally:
        rows.close()


def _roomy_folder() -> str | None:
    """Memory where the system has a folder for it, else the usual place for passing files."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def check(path: Path) -> None:
    """Refuse a place that cannot become a store, before any work is done for it."""
    if path.is_file():
        Store(path, create=False).close()
    else:
        check_writable(path)
    _locked(path).close()


def _locked(path: Path) -> Lock:
    try:
        return Lock(path)
    except OSError as problem:
        raise BadStore(f"'{path}' cannot be used as a store: {problem.strerror}") from None


def _facts(contest: Contest) -> dict[str, Any]:
    facts = asdict(contest)
    del facts["entrants"]
    return facts


def _read_entrant(facts: dict[str, Any]) -> Entrant:
    return Entrant(**facts | {"authors": tuple(facts["authors"])})


def _read_adjudication(facts: dict[str, Any]) -> Adjudication:
    resign, draw = (Threshold(**facts[rule]) if facts[rule] else None for rule in ("resign", "draw"))
    return Adjudication(resign=resign, draw=draw, table=facts["table"])


def _read_contest(facts: dict[str, Any], entrants: tuple[Entrant, ...]) -> Contest:
    begin = facts["opening_settings"]
    own = {
        "control": TimeControl(**facts["control"]),
        "resources": Resources(**facts["resources"]),
        "opening_settings": OpeningSettings(**begin | {"lines": tuple(begin["lines"])}),
        "boards": tuple(facts["boards"]),
        "adjudication": _read_adjudication(facts["adjudication"]),
        "limits": tuple((name, TimeControl(**control)) for name, control in facts["limits"]),
    }
    return Contest(entrants=entrants, **facts | own)

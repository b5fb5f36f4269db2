"""Where played games are kept: one SQLite file, written by one process, never half a game.

Rows of games are only ever added. A game is known by its players in their seats and the fingerprint of all that decides
it: after a change to an agent its games are played anew beside the old ones, and several contests may share a game.
Each row has a checksum, for SQLite has none, and a store may come from somebody else.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

import kibitz
from kibitz.arena.contest.contest import Contest
from kibitz.arena.contest.contest_facts import contest_facts, read_contest, read_entrant
from kibitz.arena.contest.lock import Lock
from kibitz.arena.contest.openings import Opening
from kibitz.arena.contest.read_only import open_to_read
from kibitz.arena.play.fixture import SILENCE, Fixture, Key, PlayedGame, Printed
from kibitz.arena.players.entrant import Entrant
from kibitz.arena.players.log import Log
from kibitz.arena.records import json_lines
from kibitz.arena.records.record import Record
from kibitz.core.errors import KibitzError, quoted
from kibitz.core.json_text import parse_json
from kibitz.core.output_file import check_writable

FORMAT = 3
APPLICATION = 0x4B494249  # "KIBI", in the header of the file
SHARED_GAMES = 0x4B494254  # "KIBT", in that of games at tables with a link
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
    id INTEGER PRIMARY KEY, contest INTEGER NOT NULL REFERENCES contest, game INTEGER NOT NULL REFERENCES game,
    opening INTEGER NOT NULL, round INTEGER NOT NULL, sum TEXT, UNIQUE (contest, game)
);
CREATE TABLE log (
    game INTEGER NOT NULL REFERENCES game, seat INTEGER NOT NULL, size INTEGER NOT NULL, dropped INTEGER NOT NULL,
    packed BLOB NOT NULL, sum TEXT, PRIMARY KEY (game, seat)
);
"""
GAME = "first, second, fingerprint, record, sum"
LOGS = 256 << 20  # packed bytes of a player's logs in a store; what comes later is kept in short
SHORT_LOG = 1 << 16  # bytes


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
            what = "a file of shared games" if known == SHARED_GAMES else "a database of something else"
            raise BadStore(f"{self.place} is {what}, expected a store of tournaments")
        if not empty and version != FORMAT:
            raise BadStore(f"{self.place} has format {version}, this Kibitz reads {FORMAT}; {self._who_reads(version)}")
        if not empty:
            self._refuse_damaged()
        if not create:
            return
        if empty:
            self._create()
        self.rows.execute("PRAGMA journal_mode = WAL")
        self.rows.execute("PRAGMA synchronous = NORMAL")
        self.rows.execute("PRAGMA busy_timeout = 5000")

    def _who_reads(self, version: int) -> str:
        if version > FORMAT:
            return "a newer one is needed"
        return "an older one is needed, or another name: its games must be played anew"

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
            row: tuple[Any, ...] = (number, contest.key, json.dumps(contest_facts(contest)))
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
            return read_contest(parse_json(facts), self._entrants(number))
        except (ValueError, KeyError, TypeError, KibitzError):
            raise BadStore(f"{self.place} cannot be used as a store: contest {number} in it is damaged") from None

    def _entrants(self, number: int) -> tuple[Entrant, ...]:
        rows = self._verified("SELECT contest, place, name, facts, sum FROM entrant WHERE +contest = ?", number)
        return tuple(read_entrant(parse_json(facts)) for *_, facts in sorted(rows))

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
            (last,) = rows.execute("SELECT coalesce(max(id), 0) FROM fixture").fetchone()
            fixture = (last + 1, number, played, opening, game.round)
            rows.execute("INSERT OR IGNORE INTO fixture VALUES (?, ?, ?, ?, ?, ?)", (*fixture, checksum(fixture)))
            for seat, (player, log) in enumerate(zip((first, second), game.printed, strict=True)):
                if log.packed:
                    self._add_log(rows, played, seat, player, log)

    def _add_log(self, rows: sqlite3.Connection, played: int, seat: int, player: str, log: Log) -> None:
        column = ("first", "second")[seat]
        sizes = "SELECT sum(length(packed)) FROM log JOIN game ON log.game = game.id WHERE seat = ?"
        (there,) = rows.execute(f"{sizes} AND {column} = ?", (seat, player)).fetchone()
        kept = log if (there or 0) + len(log.packed) <= LOGS // 2 else log.shorten(SHORT_LOG)
        row = (played, seat, kept.size, kept.dropped, kept.packed)
        rows.execute("INSERT OR IGNORE INTO log VALUES (?, ?, ?, ?, ?, ?)", (*row, checksum(row)))

    def printed(self, game: PlayedGame) -> Printed:
        """What the players printed in a game."""
        query = (
            "SELECT log.game, seat, size, dropped, packed, log.sum FROM log JOIN game ON log.game = game.id "
            "WHERE first = ? AND second = ? AND fingerprint = ?"
        )
        rows = self._verified(query, *game.key[:2], game.fingerprint)
        logs = {seat: Log(packed, size, dropped) for _, seat, size, dropped, packed in rows}
        return logs.get(0, SILENCE[0]), logs.get(1, SILENCE[1])

    def find(self, fixture: Fixture) -> PlayedGame | None:
        """A game that was played in another contest under the same conditions, by the same players: it counts here."""
        query = f"SELECT {GAME} FROM game WHERE first = ? AND second = ? AND fingerprint = ?"
        rows = self._verified(query, *fixture.key[:2], fixture.fingerprint)
        found = [self._record(text) for *_, text in rows]
        return PlayedGame(fixture.key, fixture.round, fixture.fingerprint, found[0]) if found else None

    def known(self, number: int) -> set[tuple[Key, str]]:
        """Which games of a contest were played, with their fingerprints."""
        return {(Key(first, second, opening), mark) for _, first, second, opening, mark, *_ in self._rows(number)}

    def last_entry(self, number: int) -> int:
        """The number of what was entered last into a contest: each game that comes to it has a larger one."""
        with self._told():
            (last,) = self.rows.execute("SELECT max(id) FROM fixture WHERE +contest = ?", (number,)).fetchone()
        return int(last or 0)

    def games(self, number: int) -> list[PlayedGame]:
        """The games of a contest as its entrants and rules now are, in the order in which they were finished."""
        return [game for _, game in self.numbered_games(number)]

    def numbered_games(self, number: int) -> list[tuple[int, PlayedGame]]:
        """The same, each with its number in the contest: later ones have larger numbers."""
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

    def _rows(self, number: int) -> list[tuple[int, str, str, int, str, int, str]]:
        """The games of a contest by round and age, each as it was written."""
        query = "SELECT id, contest, game, opening, round, sum FROM fixture WHERE +contest = ?"
        found = []
        for place, _, played, opening, turn in sorted(self._verified(query, number), key=lambda row: (row[4], row[0])):
            games = self._verified(f"SELECT {GAME} FROM game WHERE id = ?", played)
            if not games:
                raise self._damage_error()
            first, second, mark, text = games[0]
            found.append((place, first, second, opening, mark, turn, text))
        return found

    def _record(self, text: str) -> Record:
        return json_lines.read(text, self.place)


def checksum(row: Sequence[Any]) -> str:
    """A few digits that change when anything in a row does."""
    parts = tuple(hashlib.sha256(part).digest() if isinstance(part, bytes) else part for part in row)
    return hashlib.sha256(repr(parts).encode(errors="surrogatepass")).hexdigest()[:16]


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

"""Where played games are kept: one SQLite file, written by one process, never half a game.

Rows of games are only ever added. A game is known by its contest, its players in their seats, its opening, and the
fingerprint of what decides it: after a change to an agent its games are played anew beside the old ones.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

import kibitz
from kibitz.arena import record_json
from kibitz.arena.contest import Contest, Entrant, Key, Played
from kibitz.arena.lock import Lock
from kibitz.arena.openings import Drawing, Opening
from kibitz.arena.record import Record
from kibitz.arena.task import House, TimeControl
from kibitz.core.errors import KibitzError
from kibitz.core.files import writable

FORMAT = 1
APPLICATION = 0x4B494249  # "KIBI", in the header of the file
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE contest (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, facts TEXT NOT NULL);
CREATE TABLE entrant (
    contest INTEGER NOT NULL REFERENCES contest, place INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
    print TEXT NOT NULL, failure TEXT NOT NULL, PRIMARY KEY (contest, name)
);
CREATE TABLE opening (
    contest INTEGER NOT NULL REFERENCES contest, number INTEGER NOT NULL, line TEXT NOT NULL, seed INTEGER NOT NULL,
    note TEXT NOT NULL, PRIMARY KEY (contest, number)
);
CREATE TABLE game (
    contest INTEGER NOT NULL REFERENCES contest, first TEXT NOT NULL, second TEXT NOT NULL, opening INTEGER NOT NULL,
    print TEXT NOT NULL, round INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (contest, first, second, opening, print)
);
"""


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
            writable(path)
        self._open_things = ExitStack()
        try:
            if path is not None and create:
                self._open_things.callback(_locked(path).close)
            with self._told():
                self.rows = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
                self._open_things.callback(self.rows.close)
                self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        known = self.rows.execute("PRAGMA application_id").fetchone()[0]
        version = self.rows.execute("PRAGMA user_version").fetchone()[0]
        empty = not self.rows.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not empty and known != APPLICATION:
            raise BadStore(f"{self.place} is a database of something else, expected a store of games")
        if version > FORMAT:
            raise BadStore(
                f"{self.place} has format {version}, this Kibitz reads up to {FORMAT}; a newer one is needed"
            )
        if empty:
            self._create()
        self.rows.execute("PRAGMA journal_mode = WAL")
        self.rows.execute("PRAGMA synchronous = NORMAL")
        self.rows.execute("PRAGMA busy_timeout = 5000")

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
        except sqlite3.Error as problem:
            said = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            raise BadStore(f"{self.place} cannot be used as a store: {said}") from None

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One step that happens whole or not at all."""
        with self._told():
            self.rows.execute("BEGIN IMMEDIATE")
            try:
                yield self.rows
            except BaseException:
                self.rows.execute("ROLLBACK")
                raise
            self.rows.execute("COMMIT")

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
        """The number of a contest, its present entrants and conditions written down."""
        with self.writing() as rows:
            added = "INSERT INTO contest (name, facts) VALUES (?, ?)"
            anew = "ON CONFLICT (name) DO UPDATE SET facts = excluded.facts"
            rows.execute(f"{added} {anew}", (contest.name, json.dumps(_facts(contest))))
            number: int = rows.execute("SELECT id FROM contest WHERE name = ?", (contest.name,)).fetchone()[0]
            rows.execute("DELETE FROM entrant WHERE contest = ?", (number,))
            for place, one in enumerate(contest.entrants):
                row = (number, place, one.name, one.text, one.print, one.failure)
                rows.execute("INSERT INTO entrant VALUES (?, ?, ?, ?, ?, ?)", row)
        return number

    def contests(self) -> dict[int, Contest]:
        """Every contest in the store, the latest last."""
        with self._told():
            rows = self.rows.execute("SELECT id, facts FROM contest ORDER BY id").fetchall()
        try:
            return {number: _contest(json.loads(facts), self._entrants(number)) for number, facts in rows}
        except (ValueError, KeyError, TypeError, KibitzError):
            raise BadStore(f"{self.place} cannot be used as a store: a contest in it is damaged") from None

    def _entrants(self, number: int) -> tuple[Entrant, ...]:
        query = "SELECT name, text, print, failure FROM entrant WHERE contest = ? ORDER BY place"
        rows = self.rows.execute(query, (number,)).fetchall()
        return tuple(Entrant(name=name, text=text, print=mark, failure=failure) for name, text, mark, failure in rows)

    # Openings.

    def openings(self, number: int) -> list[Opening]:
        """The openings drawn so far."""
        query = "SELECT number, line, seed, note FROM opening WHERE contest = ? ORDER BY number"
        with self._told():
            rows = self.rows.execute(query, (number,)).fetchall()
        return [Opening(number=count, line=line, seed=seed, note=note) for count, line, seed, note in rows]

    def add_opening(self, number: int, opening: Opening) -> None:
        """Keep an opening."""
        row = (number, opening.number, opening.line, opening.seed, opening.note)
        with self.writing() as rows:
            rows.execute("INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?, ?)", row)

    # Games.

    def add(self, number: int, game: Played) -> None:
        """Keep a finished game. One that is known already stays as it was."""
        row = (number, *game.key, game.print, game.round, record_json.written(game.record))
        with self.writing() as rows:
            rows.execute("INSERT OR IGNORE INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def known(self, number: int) -> set[tuple[Key, str]]:
        """Which games were played, with their fingerprints."""
        with self._told():
            rows = self.rows.execute("SELECT first, second, opening, print FROM game WHERE contest = ?", (number,))
            return {(Key(first, second, opening), mark) for first, second, opening, mark in rows}

    def games(self, number: int) -> list[Played]:
        """The games of a contest as its entrants and rules now are, in the order of their openings."""
        contest = self.contests()[number]
        by_name = {entrant.name: entrant for entrant in contest.entrants}
        openings = {opening.number: opening for opening in self.openings(number)}
        query = (
            "SELECT first, second, opening, print, round, record FROM game WHERE contest = ? ORDER BY round, opening"
        )
        with self._told():
            rows = self.rows.execute(query, (number,)).fetchall()
        found = []
        for first, second, opening, mark, turn, text in rows:
            if first in by_name and second in by_name and opening in openings:
                wanted = contest.print_of(by_name[first], by_name[second], openings[opening])
                if mark == wanted:
                    found.append(Played(Key(first, second, opening), turn, mark, self._record(text)))
        return found

    def _record(self, text: str) -> Record:
        return record_json.read(text, self.place)


def check(path: Path) -> None:
    """Refuse a place that cannot become a store, before any work is done for it."""
    if path.is_file():
        Store(path, create=False).close()
    else:
        writable(path)
    _locked(path).close()


def _locked(path: Path) -> Lock:
    try:
        return Lock(path)
    except OSError as problem:
        raise BadStore(f"'{path}' cannot be used as a store: {problem.strerror}") from None


def _facts(contest: Contest) -> dict[str, Any]:
    return {
        "game": contest.game,
        "format": contest.format,
        "games": contest.games,
        "rounds": contest.rounds,
        "rules": contest.rules,
        "control": asdict(contest.control),
        "house": asdict(contest.house),
        "drawing": asdict(contest.drawing),
    }


def _contest(facts: dict[str, Any], entrants: tuple[Entrant, ...]) -> Contest:
    drawing = facts["drawing"] | {"lines": tuple(facts["drawing"]["lines"])}
    return Contest(
        entrants=entrants,
        **facts
        | {"control": TimeControl(**facts["control"]), "house": House(**facts["house"]), "drawing": Drawing(**drawing)},
    )

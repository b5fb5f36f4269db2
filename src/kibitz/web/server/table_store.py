"""Games at tables with a link, in one SQLite file: what was saved last is there after a crash."""

import hashlib
import json
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.home import home_folder
from kibitz.core.json_text import parse_json

MOST_KEPT = 20_000  # tables; beyond, those that were not touched for the longest are forgotten
APPLICATION, TOURNAMENTS = 0x4B494254, 0x4B494249  # "KIBT" here and "KIBI" in the header of a tournament's store
SCHEMA = "CREATE TABLE IF NOT EXISTS tables (code TEXT PRIMARY KEY, facts TEXT NOT NULL, saved REAL NOT NULL)"


def default_path() -> Path:
    """Where games are kept: KIBITZ_GAMES, or the place where this system keeps such things."""
    chosen = os.environ.get("KIBITZ_GAMES")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return home_folder() / "Library" / "Application Support" / "kibitz" / "games.db"
    return Path(os.environ.get("XDG_DATA_HOME") or home_folder() / ".local" / "share") / "kibitz" / "games.db"


class TableStore:
    """Tables by their codes. Without a file they live in memory, as long as the server does."""

    def __init__(self, path: Path | None = None) -> None:
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self.file = sqlite3.connect(path or ":memory:", check_same_thread=False, isolation_level=None)
            self._refuse_others(path)
            self.file.execute("PRAGMA journal_mode=WAL")
            self.file.execute("PRAGMA synchronous=NORMAL")
            self.file.execute(SCHEMA)
            self.file.execute(f"PRAGMA application_id={APPLICATION}")
        except (OSError, sqlite3.Error) as problem:
            raise KibitzError(f"cannot keep games in '{path}': {problem}") from None

    def _refuse_others(self, path: Path | None) -> None:
        """Leave databases alone that are not ours, such as a tournament's store; those of before have no mark."""
        mark = self.file.execute("PRAGMA application_id").fetchone()[0]
        tables = {name for (name,) in self.file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if mark not in (0, APPLICATION) or not tables <= {"tables"}:
            self.file.close()
            what = "a store of tournaments" if mark == TOURNAMENTS else "a database of something else"
            raise KibitzError(f"cannot keep games in '{path}': it is {what}, expected a file of shared games")

    def save(self, code: str, facts: dict[str, Any]) -> None:
        """Put a table down as it is now. A write takes less than a millisecond, so nobody waits for it."""
        text = json.dumps(facts)
        row = (code, f"{_sum(text)} {text}", time.time())
        self.file.execute("INSERT OR REPLACE INTO tables VALUES (?, ?, ?)", row)

    def load(self, code: str) -> dict[str, Any] | None:
        """A table as it was saved last."""
        try:
            found = self.file.execute("SELECT facts FROM tables WHERE code = ?", (code,)).fetchone()
            mark, _, text = ("", "", "") if found is None else found[0].partition(" ")
            facts = parse_json(text) if mark == _sum(text) else None
        except (sqlite3.Error, ValueError, TypeError, AttributeError):
            return None  # one that is damaged is gone
        return facts if isinstance(facts, dict) else None

    def forget_oldest(self) -> None:
        """Keep no more than there is room for."""
        oldest = "SELECT code FROM tables ORDER BY saved DESC LIMIT -1 OFFSET ?"
        self.file.execute(f"DELETE FROM tables WHERE code IN ({oldest})", (MOST_KEPT,))

    def close(self) -> None:
        self.file.close()


def _sum(text: str) -> str:
    """A few digits that change when the text does."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]

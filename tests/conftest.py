"""Tests share one cache of compiled code and one file of games, apart from the user's own, and see none of his nets."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("KIBITZ_CACHE", str(Path(__file__).parent.parent / ".cache" / "kibitz"))
os.environ["KIBITZ_NETS"] = str(Path(tempfile.gettempdir()) / "kibitz-tests-have-no-nets")
os.environ.setdefault("KIBITZ_GAMES", str(Path(__file__).parent.parent / ".cache" / "games.db"))

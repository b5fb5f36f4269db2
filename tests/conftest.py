"""Tests share one cache of compiled code, apart from the user's own."""

import os
from pathlib import Path

os.environ.setdefault("KIBITZ_CACHE", str(Path(__file__).parent.parent / ".cache" / "kibitz"))

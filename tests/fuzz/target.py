"""Something that reads what others wrote."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kibitz.core.errors import KibitzError
from tests.fuzz.grammar import mutate

REGRESSIONS = Path(__file__).parent / "regressions"


@dataclass(frozen=True, kw_only=True)
class Target:
    """A reader: good inputs, and what is done with a bad one. It may refuse it with a KibitzError, and nothing else."""

    name: str
    make_seeds: Callable[[], list[bytes]]
    read: Callable[[bytes], object]
    mend: Callable[[bytes], bytes] | None = None  # makes a checksum right again, so that what lies behind it is read

    @cached_property
    def seeds(self) -> list[bytes]:
        return self.make_seeds()

    def draw(self, dice: random.Random) -> bytes:
        """A bad input."""
        data = mutate(dice.choice(self.seeds), dice, self.seeds)
        return self.mend(data) if self.mend is not None and dice.random() < 0.7 else data

    def try_input(self, data: bytes) -> None:
        """Read it; whatever is raised but a refusal in one line is a fault."""
        try:
            self.read(data)
        except KibitzError as refusal:
            text = str(refusal)
            assert text, "a refusal without a reason"
            assert len(text) < 4000, f"a refusal of {len(text)} letters"
            text.encode()

    @property
    def folder(self) -> Path:
        """Where inputs lie that were faults once."""
        return REGRESSIONS / self.name

    def keep(self, data: bytes) -> Path:
        """Make an input a regression file."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / hashlib.sha256(data).hexdigest()[:12]
        path.write_bytes(data)
        return path

    @property
    def regressions(self) -> list[Path]:
        return sorted(self.folder.glob("*")) if self.folder.is_dir() else []

"""The cache of compiled code is verified: what is damaged is made anew, with one warning, and never run."""

import random
from pathlib import Path
from types import FunctionType
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.cli import cache as cache_command
from kibitz.cli import doctor
from kibitz.core.errors import KibitzWarning
from kibitz.core.seam import cache
from kibitz.core.seam.compiler import CompiledKernel


def add_up(numbers: NDArray[np.int64]) -> int:
    """A kernel that compiles in no time."""
    total = 0
    for number in numbers:
        total += number
    return int(total)


NUMBERS = np.arange(5)


def compute() -> int:
    """The sum, by code that is loaded or compiled anew."""
    return int(CompiledKernel(None, cast(FunctionType, add_up))(NUMBERS))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with one compiled kernel."""
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    assert compute() == 10
    return tmp_path


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".nbi", ".nbc", ".sum"))


def damage(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def test_a_flipped_bit_anywhere_is_one_warning_and_the_right_answer(kept: Path) -> None:
    assert [path.suffix for path in files_of(kept)] == [".nbc", ".nbi", ".sum"]
    dice = random.Random(1)
    for number in range(3):
        damage(files_of(kept)[number], dice)
        with pytest.warns(KibitzWarning, match="in the cache is damaged and is made anew") as warned:
            assert compute() == 10
        assert len(warned) == 1
        assert compute() == 10  # and from the cache again, without a word


def test_code_without_its_checksums_is_not_loaded(kept: Path) -> None:
    for path in files_of(kept):
        if path.suffix == ".sum":
            path.unlink()
        else:
            path.write_bytes(b"not to be read")
    assert compute() == 10


def test_a_damaged_source_is_written_again(kept: Path) -> None:
    (source,) = kept.glob("*.py")
    text = source.read_text()
    source.write_text(text.replace("entry", "other"))
    assert compute() == 10
    assert source.read_text() == text


def test_what_cannot_be_removed_is_not_loaded_either(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damage(files_of(kept)[0], random.Random(2))
    monkeypatch.setattr(cache, "remove_compiled", lambda name: False)
    with pytest.warns(KibitzWarning, match="is damaged"):
        assert compute() == 10


def test_doctor_tells_and_cache_repairs(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(files_of(kept)[0], random.Random(3))
    told = doctor._cache()
    assert told.ok is False
    assert "1 damaged, such as kibitz_test_cache_add_up" in told.detail
    assert "kibitz cache repair removes them" in told.detail
    cache_command.cache("repair")
    assert "damaged, removed: kibitz_test_cache_add_up" in capsys.readouterr().out
    assert doctor._cache().ok is True

"""`kibitz export --wasm`: what it writes, and what it refuses in one line."""

import json
from pathlib import Path

import numpy as np
import pytest

from kibitz import heuristics
from kibitz.core.errors import KibitzError, KibitzWarning
from kibitz.core.heuristic import Heuristic
from kibitz.core.seam import cache
from kibitz.core.seam.wasm import CannotExport
from kibitz.core.seam.wasm.target import emit
from kibitz.export import library
from kibitz.export.library import SCRIPTS, file_name, write_library
from kibitz.export.manifest import describe_game
from kibitz.export.module import kernels_of
from kibitz.games import catalog
from kibitz.laws.scaffold import scaffold
from tests.robustness.command import kibitz

LARGE = np.zeros(200_000, np.int64)
LEFT_OVER = """
declare double @exp(double)
define i32 @judge(ptr %arguments) {
  %x = load double, ptr %arguments
  %y = call double @exp(double %x)
  store double %y, ptr %arguments
  ret i32 0
}
"""


def evaluate(state: object) -> float:
    return float(LARGE[0])


def test_what_a_module_would_need_from_outside_is_refused_by_name() -> None:
    with pytest.raises(CannotExport, match="call exp, which a module does not have"):
        emit([LEFT_OVER], ["judge"], wide=False)


def test_a_large_constant_is_refused_with_its_name_and_place() -> None:
    game = catalog.load("tictactoe")
    heuristic = Heuristic(name="large", game="tictactoe", bounds=(-1, 1), evaluate=evaluate)
    with pytest.raises(
        CannotExport, match=r"test_export_command\.py:\d+: evaluate\(\) reads 'LARGE', .* 1,600,000 bytes"
    ):
        kernels_of(game, heuristic).refuse_large_constants()


def test_options_and_weights_are_data_and_other_rules_another_module() -> None:
    small, large = catalog.load("breakthrough"), catalog.load("breakthrough:5x10")
    heuristic = heuristics.find(small)
    name = next(iter(heuristic.weights))
    digest = kernels_of(small, heuristic).digest()
    assert digest == kernels_of(large, heuristic).digest()
    assert digest == kernels_of(small, heuristic.weighing(**{name: 7.5})).digest()
    assert digest != kernels_of(small, heuristics.find(small, "nothing")).digest()


def test_a_folder_gets_module_manifest_and_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "build_module", lambda game, heuristic: b"module")
    game = catalog.load("breakthrough:5x10")
    written = write_library(game, heuristics.find(game), tmp_path / "new" / "folder")
    names = {"breakthrough-5x10.wasm", "breakthrough-5x10.json", *SCRIPTS}
    assert {file.path.name for file in written} == names == {path.name for path in (tmp_path / "new/folder").iterdir()}
    manifest = json.loads((tmp_path / "new/folder/breakthrough-5x10.json").read_text())
    assert manifest == describe_game(game, heuristics.find(game), b"module")
    assert manifest["game"] == "breakthrough:5x10"


def test_nothing_is_written_where_the_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: object, heuristic: object) -> bytes:
        raise CannotExport("no")

    monkeypatch.setattr(library, "build_module", refuse)
    game = catalog.load("tictactoe")
    with pytest.raises(CannotExport):
        write_library(game, heuristics.find(game), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_name_of_a_rules_file_is_a_name_of_files(tmp_path: Path) -> None:
    path = next(path for path in scaffold("mygame", tmp_path) if path.name == "mygame.py")
    assert file_name(catalog.load(str(path))) == "mygame"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["tictactoe", "--wasm"], "--wasm writes several files, expected --out FOLDER"),
        (["tictacto", "--wasm", "--out", "a"], "no game is called 'tictacto'"),
        (["tictactoe", "--wasm", "--out", "a", "--heuristic", "best"], "tictactoe has no heuristic 'best'"),
        (["tictactoe", "--wasm", "--out", "file"], "cannot write 'file': 'file' is a file, expected a folder"),
    ],
)
def test_bad_input_is_one_line(words: list[str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = kibitz("export", *words, cwd=tmp_path)
    assert ended.returncode == 2
    assert reason in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"file"}


def test_a_damaged_module_in_the_cache_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    cache.write_sealed("game_1.wasm", b"module")
    assert cache.read_sealed("game_1.wasm") == b"module"
    assert cache.find_damaged() == []
    kept = (tmp_path / "game_1.wasm").read_bytes()
    (tmp_path / "game_1.wasm").write_bytes(kept[:-1] + b"x")
    with pytest.warns(KibitzWarning, match="'game_1.wasm' in the cache is damaged"):
        assert cache.read_sealed("game_1.wasm") is None
    assert cache.repair() == ["game_1.wasm"]
    assert cache.read_sealed("game_1.wasm") is None


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    game = catalog.load("tictactoe")
    with pytest.raises(KibitzError, match="cannot write"):
        write_library(game, heuristics.find(game), tmp_path / "file" / "folder")

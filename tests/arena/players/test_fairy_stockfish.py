"""A real match against a real engine."""

import shutil
from pathlib import Path

import pytest

from kibitz.arena.play.referee import Referee
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.records import files
from kibitz.arena.records.replay import check_replay
from kibitz.core.seam import interpreting

pytestmark = [
    pytest.mark.skipif(interpreting(), reason="the engine needs the compiler"),
    pytest.mark.skipif(
        shutil.which("fairy-stockfish") is None and shutil.which("fairy-stockfish", path="/usr/games") is None,
        reason="fairy-stockfish is not installed",
    ),
]

OURS, THEIRS = "engine:nodes=3000", "uci:fairy-stockfish"


def test_a_pair_of_games_against_fairy_stockfish_is_decided_by_the_rules_and_replays(tmp_path: Path) -> None:
    control = TimeControl(nodes=3000)
    sides = ((OURS, THEIRS), (THEIRS, OURS))
    with Referee() as referee:
        records = [
            referee.play(
                GameTask(
                    game="breakthrough", first=first, second=second, control=control, opening="d2-d3 e7-e6", seed=1
                )
            )
            for first, second in sides
        ]
    files.save(tmp_path / "games.jsonl", records)
    for record in files.load(tmp_path / "games.jsonl"):
        assert record.reason == "rules", record.reason
        assert check_replay(record).over
        assert any(ply.nodes > 0 for ply in record.plies)

"""What each piece is worth: the position judged once more without it."""

from pathlib import Path

import pytest

from kibitz import games
from kibitz.core.limit import Limit
from kibitz.core.seam import specialise
from kibitz.nets import folder
from kibitz.nets.choice import with_network
from kibitz.nets.explanation import chances, explain, judge
from kibitz.search.engine import Engine
from kibitz.search.report import Score, win_chance
from tests.cli.test_commands import kibitz
from tests.nets.networks import random_net

TEXT = "8/8/2p5/3P4/8/8/8/8 w 0 1"


def test_the_worth_of_a_piece_is_what_its_side_loses_without_it() -> None:
    game = games.load("breakthrough")
    net, inputs, _ = random_net(game)
    heuristic = with_network(inputs.base, net.network)
    told = explain(heuristic, game.position(TEXT))
    assert [game.layout.cells[one.cell].name for one in told.worths] == ["d5", "c6"]
    run = specialise(game.rulebook, judge, heuristic)
    whole, without = (
        run(game.position(text).state, game.rules, heuristic.weight_array) for text in (TEXT, "8/8/8/3P4/8/8/8/8 w 0 1")
    )
    black = next(one for one in told.worths if one.name == "black worker")
    assert black.percent == pytest.approx(chances(-whole) - chances(-without))
    assert told.percent == pytest.approx(chances(whole))
    assert f"white wins {told.percent:.1f} % of such games" in str(told)


def test_pieces_in_arrays_are_found_too() -> None:
    game = games.load("checkers")
    net, inputs, _ = random_net(game)
    told = explain(with_network(inputs.base, net.network), game.new())
    assert len(told.worths) == sum(bool(piece) for piece in game.pieces(game.new().state))


def test_scores_of_networks_are_shown_as_per_cent() -> None:
    game = games.load("breakthrough")
    net, inputs, _ = random_net(game)
    report = Engine(game, with_network(inputs.base, net.network), megabytes=1).search(game.new(), Limit(depth=1))
    assert str(report.score).endswith(" % for white")
    assert str(Score.estimate(0.0, "white", 100.0)) == "50.0 % for white"
    assert win_chance(Score.estimate(100.0, "white", 100.0), 50.0) == pytest.approx(0.7311, abs=1e-4)


def test_commands_list_show_explain_and_remove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_NETS", str(tmp_path))
    game = games.load("tictactoe")
    net, _, _ = random_net(game)
    net.save(tmp_path / "some.file")
    assert "installed" in kibitz("nets", "install", str(tmp_path / "some.file"), "tictactoe").stdout
    assert net.hash in kibitz("nets").stdout
    assert "the bits of crosses, noughts, side" in kibitz("nets", "show", "tictactoe").stdout
    picture = tmp_path / "worth.svg"
    shown = kibitz("explain", "tictactoe", "--heuristic", "learned", "--line", "b2", "--svg", str(picture)).stdout
    assert "what each piece is worth" in shown
    assert picture.read_text().count('class="badge"') == 1
    assert "removed" in kibitz("nets", "remove", "tictactoe").stdout
    assert not folder.paths_of(game)

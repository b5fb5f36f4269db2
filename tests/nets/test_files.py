"""Nets as files: they round-trip, and what is damaged, foreign or missing is refused in one line."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kibitz import agents, games, nets
from kibitz.arena.play import fingerprint
from kibitz.core.errors import BadOption
from kibitz.nets import folder
from kibitz.nets.file import BadNet, load
from tests.nets.networks import random_net


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_NETS", str(tmp_path))
    return tmp_path


def test_a_net_round_trips_and_equal_nets_are_equal_files(tmp_path: Path) -> None:
    net, _, _ = random_net(games.load("checkers"))
    proven = replace(net, provenance={"seed": 7}, matches=({"opponent": "mcts", "score": 0.75},), default=True)
    paths = [tmp_path / "one.net", tmp_path / "two.net"]
    for path in paths:
        proven.save(path)
    again = load(paths[0], games.load("checkers"))
    assert again.hash == net.hash
    assert (again.provenance, again.matches, again.default) == ({"seed": 7}, proven.matches, True)
    assert np.array_equal(again.network.rows, net.network.rows)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    net, _, _ = random_net(games.load("tictactoe"))
    path = tmp_path / "whole.net"
    net.save(path)
    content = path.read_bytes()
    changed = tmp_path / "changed.net"
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w") as new:
        for info in old.infolist():
            part = old.read(info)
            new.writestr(info.filename, part[:-1] + bytes([part[-1] ^ 1]) if info.filename == "rows.npy" else part)
    cases = {"cut.net": content[: len(content) // 2], "empty.net": b"", "text.net": b"not a net at all"}
    for name, wrong in cases.items():
        (tmp_path / name).write_bytes(wrong)
    for name in (*cases, "changed.net"):
        with pytest.raises(BadNet, match="is no net") as caught:
            load(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(BadNet, match="there is no net"):
        load(tmp_path / "missing.net")


def test_a_net_of_another_game_or_other_rules_is_refused(tmp_path: Path) -> None:
    net, _, _ = random_net(games.load("breakthrough"))
    path = tmp_path / "some.net"
    net.save(path)
    with pytest.raises(BadNet, match=r"is a net of breakthrough, expected one of breakthrough:5x10"):
        load(path, games.load("breakthrough:5x10"))
    replace(net, rules="0" * 64).save(path)
    with pytest.raises(BadNet, match="other rules"):
        load(path, games.load("breakthrough"))


def test_a_net_is_found_by_its_name_and_used_unasked_only_if_it_is_the_default() -> None:
    game = games.load("tictactoe")
    assert nets.find_heuristic(game).name == "nothing"
    assert agents.default_agent(game) == "mcts"
    with pytest.raises(BadOption, match="has no net yet; make one with: kibitz learn tictactoe"):
        nets.find_heuristic(game, "learned")
    net, _, _ = random_net(game)
    net.save(folder.path_for(game))
    assert nets.find_heuristic(game, "learned").network is not None
    assert nets.find_heuristic(game).network is None
    replace(net, default=True).save(folder.path_for(game))
    assert nets.find_heuristic(game).network is not None
    assert agents.default_agent(game) == "engine"


def test_an_agents_fingerprint_depends_on_its_net() -> None:
    game = games.load("tictactoe")
    prints = set()
    for seed in (1, 2):
        net, _, _ = random_net(game, seed=seed)
        net.save(folder.path_for(game))
        assert fingerprint.net_hash("engine:heuristic=learned", game) == net.hash
        prints.add(fingerprint.of_agent("engine:heuristic=learned", game))
    assert len(prints) == 2


@pytest.mark.parametrize("path", sorted(folder.SHIPPED.glob("*.net")), ids=lambda path: path.stem)
def test_nets_that_come_with_kibitz_fit_their_rules_and_say_where_they_come_from(path: Path) -> None:
    net = load(path)
    game = games.load(net.game)
    net.check_game(game, path)
    assert path.stat().st_size < 100_000
    assert net.provenance["command"].startswith("kibitz learn ")
    assert all(match["score"] > 0.5 for match in net.matches)
    assert net.matches
    assert (nets.find_heuristic(game).network is not None) == net.default
    found = nets.net_of(game, "learned")
    assert found is not None
    assert found.hash == net.hash


def test_a_default_of_the_users_own_goes_before_one_that_comes_with_kibitz() -> None:
    game = games.load("breakthrough")
    net, _, _ = random_net(game)
    replace(net, default=True).save(folder.path_for(game, "mine"))
    assert nets.find_heuristic(game).name == "mine"

"""Learning: inputs, targets, gradients, and runs that can be stopped at any instant."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from kibitz import games
from kibitz.arena.stats.tally import Tally
from kibitz.cli.learn import _match as play_matches
from kibitz.core.errors import BadOption
from kibitz.core.extras import MissingExtra
from kibitz.core.position import Position
from kibitz.core.result import FIRST, FIRST_WINS, SECOND, SECOND_WINS
from kibitz.core.seam import specialise
from kibitz.learn import trial
from kibitz.learn.inputs import CannotLearn, find_inputs, pack_inputs, unpack_inputs
from kibitz.learn.parameters import Parameters, first_parameters
from kibitz.learn.run import Learning, Progress, Settings, learn
from kibitz.learn.self_play_kernel import CUT, ENDED, RANDOM, ROLLED, follow
from kibitz.learn.torch_training import find_device
from kibitz.learn.training import Batch, Lesson, NumpyTrainer
from kibitz.learn.trial import Match, install
from kibitz.nets import folder
from kibitz.nets.choice import heuristic_of
from kibitz.nets.file import Net
from tests.cli.test_commands import refused
from tests.core.stones import edited
from tests.nets.networks import random_net, random_parameters
from tests.nets.test_network import judge


def test_inputs_of_breakthrough_are_its_squares_as_the_side_to_move_sees_them() -> None:
    inputs = find_inputs(games.load("breakthrough"), "bits", 8)
    assert inputs.size == 2 * 56  # a worker on the far row has won
    assert inputs.groups == (0, 0)
    assert len(inputs.images) == 1
    assert inputs.phase_count == 4
    again = unpack_inputs(inputs.game, pack_inputs(inputs))
    assert again.shape == inputs.shape
    assert np.array_equal(again.columns, inputs.columns)


def test_games_whose_sides_differ_have_weights_for_each_side() -> None:
    inputs = find_inputs(games.load("wolves"), "bits", 8)
    assert inputs.groups == (0, 1)


def test_states_that_change_their_size_ask_for_features() -> None:
    with pytest.raises(CannotLearn, match="no fixed size, expected --inputs features"):
        find_inputs(games.load("vampires"), "bits", 8)
    with pytest.raises(BadOption, match="no heuristic with features"):
        find_inputs(games.load("tictactoe"), "features", 8)


def test_a_game_that_does_not_end_is_refused(tmp_path: Path) -> None:
    rules = tmp_path / "endless.py"
    rules.write_text(edited(("State(state.heap - move, 1 - state.side)", "State(state.heap, 1 - state.side)")))
    with pytest.raises(CannotLearn, match="random games do not end within 1000 moves"):
        find_inputs(games.load(str(rules)), "bits", 8)


def test_targets_follow_the_game_back_and_stop_at_random_moves() -> None:
    chances = np.array([0.5, 0.6, 0.5, 0.7, 1.0, 0.2])
    exact = np.array([0, 0, 0, 0, 1, 0])
    flags = np.array([0, RANDOM, ROLLED, 0, ENDED, CUT])
    found = specialise(None, follow)(chances, exact, flags, 0.5)
    assert found.tolist() == pytest.approx([0.55, 0.6, 0.85, 0.85, 1.0, 0.2])


def test_gradients_are_those_of_the_loss() -> None:
    dice = np.random.default_rng(1)
    first = first_parameters(2, 9, 8, 2, 1)
    batch = Batch(
        np.packbits(dice.integers(0, 2, (64, 9)).astype(np.uint8), axis=1),
        dice.integers(0, 2, 64).astype(np.uint8),
        dice.integers(0, 2, 64).astype(np.uint8),
        dice.random(64).astype(np.float32),
    )

    def loss(parameters: Parameters) -> float:
        return NumpyTrainer(parameters).loss(batch)

    trainer = NumpyTrainer(first.copy())
    slopes = {name: np.zeros_like(array) for name, array in first.arrays().items()}
    for group in (0, 1):
        part = batch.take(np.flatnonzero(batch.groups == group))
        trainer._add_slopes(part, None, group, batch.size, slopes)
    for name, array in first.arrays().items():
        for place in (0, array.size // 2, array.size - 1):
            up, down = first.copy(), first.copy()
            up.arrays()[name].ravel()[place] += 0.01
            down.arrays()[name].ravel()[place] -= 0.01
            expected = (loss(up) - loss(down)) / 0.02
            assert slopes[name].ravel()[place] == pytest.approx(expected, abs=2e-4), name


def test_training_takes_the_same_steps_after_it_was_resumed() -> None:
    inputs = find_inputs(games.load("tictactoe"), "bits", 8)
    dice = np.random.default_rng(1)
    size = 500
    batch = Batch(
        np.packbits(dice.integers(0, 2, (size, inputs.size)).astype(np.uint8), axis=1),
        dice.integers(0, 2, size).astype(np.uint8),
        np.zeros(size, np.uint8),
        dice.random(size).astype(np.float32),
    )
    one = NumpyTrainer(random_parameters(inputs), inputs.images)
    one.train(batch, Lesson(5, 64, 1e-3, [1]))
    two = NumpyTrainer(random_parameters(inputs, seed=2), inputs.images)
    two.restore(one.state(), one.steps)
    losses = [trainer.train(batch, Lesson(5, 64, 1e-3, [2])) for trainer in (one, two)]
    assert losses[0] == losses[1]


def watch_nothing(progress: Progress, learning: Learning) -> None: ...


SETTINGS = Settings(game="tictactoe", positions=80_000, units=16, seed=3)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Net:
    return learn(SETTINGS, tmp_path_factory.mktemp("run"), watch_nothing)[0]


STOPPED = """
import sys
from pathlib import Path
from kibitz.learn.run import Settings, learn
def watch(progress, learning):
    print(progress.state.lessons, progress.state.fitted, flush=True)
learn(Settings(game="tictactoe", positions=80_000, units=16, seed=3), Path(sys.argv[1]), watch)
"""


def test_a_run_that_was_killed_goes_on_and_ends_with_the_same_net(learned: Net, tmp_path: Path) -> None:
    for lessons in (2, 3):
        with subprocess.Popen([sys.executable, "-c", STOPPED, str(tmp_path)], stdout=subprocess.PIPE) as run:
            assert run.stdout is not None
            while int(run.stdout.readline().split()[0]) < lessons:
                pass
            time.sleep(0.05)
            os.kill(run.pid, signal.SIGKILL)
    net, learning = learn(SETTINGS, tmp_path, watch_nothing)
    assert net.hash == learned.hash
    assert learning.state.chunks == learning.state.submitted


def test_workers_of_a_cluster_play_what_is_learned_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("kibitz.learn.run.LEAST_STEPS", 8)
    monkeypatch.setattr("kibitz.learn.run.EPOCHS", 1)
    settings = Settings(game="tictactoe", positions=16_384, units=16, seed=3, cluster="local:1")
    net, learning = learn(settings, tmp_path, watch_nothing)
    assert learning.state.positions >= 16_384
    assert learning.state.fitted > 0
    net.check_game(games.load("tictactoe"), tmp_path)


def test_an_address_that_is_no_cluster_is_refused_in_one_line() -> None:
    assert "expected tcp://HOST:PORT or local:N" in refused(
        "learn", "tictactoe", "--positions", "20000", "--cluster", "x"
    )


Judge = Callable[[Position], float]


def exact(here: Position) -> float | None:
    """What a finished game is worth to crosses."""
    return None if here.result is None else {FIRST_WINS: 1e6, SECOND_WINS: -1e6}.get(int(here.result), 0.0)


def best_of(here: Position, value: Judge) -> tuple[float, Position]:
    """The plainest minimax: what the side to move chooses, and its value."""
    choices = [(value(after), after) for after in map(here.play, here.move_ids)]
    return (max if here.turn == FIRST else min)(choices, key=lambda choice: choice[0])


def deeper(value: Judge) -> Judge:
    """The same judgement a turn later."""

    def look(here: Position) -> float:
        found = exact(here)
        return best_of(here, value)[0] if found is None else found

    return look


def never_loses(here: Position, side: int, value: Judge, seen: set[object]) -> bool:
    """Whatever the other side does, a player who looks three turns ahead with this judgement does not lose."""
    if here.over:
        return exact(here) != (-1e6 if side == FIRST else 1e6)
    if here.key in seen:
        return True
    seen.add(here.key)
    if here.turn != side:
        return all(never_loses(here.play(move), side, value, seen) for move in here.move_ids)

    return never_loses(best_of(here, deeper(deeper(value)))[1], side, value, seen)


def test_a_learned_evaluation_of_tic_tac_toe_agrees_with_perfect_play(learned: Net) -> None:
    game = games.load("tictactoe")
    heuristic = heuristic_of(learned, game)
    run = specialise(game.rulebook, judge, heuristic)
    weights = heuristic.weight_array

    def value(here: Position) -> float:
        found = exact(here)
        return run(here.state, game.rules, weights, 1) if found is None else found

    assert never_loses(game.new(), FIRST, value, set())
    assert not never_loses(game.new(), FIRST, lambda here: exact(here) or 0.0, set())
    known: dict[object, tuple[Position, float]] = {}
    solve(game.new(), known)
    decided = [(here.turn, won > 0, value(here) > 0) for here, won in known.values() if won and not here.over]
    for side in (FIRST, SECOND):
        right = [won == seen for turn, won, seen in decided if turn == side]
        assert np.mean(right) > 0.75, side


def solve(here: Position, known: dict[object, tuple[Position, float]]) -> float:
    """What every position from here on is worth to crosses, by the plainest minimax."""
    if here.key not in known:
        found = exact(here)
        known[here.key] = here, best_of(here, lambda after: solve(after, known))[0] if found is None else found
    return known[here.key][1]


def test_bad_settings_are_refused_in_one_line() -> None:
    for given, message in (
        ({"minutes": 0.1}, "6 seconds are too few to learn anything"),
        ({"positions": 100}, "100 positions are too few"),
        ({"minutes": 1, "units": 12}, "expected a multiple of 8"),
        ({"minutes": 1, "depth": 9}, "expected 1 to 6"),
    ):
        with pytest.raises(BadOption, match=message):
            Settings(game="tictactoe", **given)


def test_the_command_refuses_in_one_line() -> None:
    assert "both minutes and positions" in refused("learn", "tictactoe", "--minutes", "1", "--positions", "99999")
    assert "expected an even number" in refused("learn", "tictactoe", "--games", "3")
    assert "has no net 'learned' (known: none)" in refused("nets", "show", "tictactoe")
    if find_spec("torch") is None:
        assert "training on a graphics card needs torch" in refused("learn", "tictactoe", "--device", "cuda")


def test_a_card_is_asked_for_where_there_is_no_library_or_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.core.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"training on a graphics card needs torch.*kibitz\[learn\]"):
        find_device("cuda")
    library = ModuleType("torch")
    setattr(library, "cuda", SimpleNamespace(is_available=lambda: False))  # noqa: B010 - a module made up here
    monkeypatch.setitem(sys.modules, "torch", library)
    monkeypatch.setattr("kibitz.core.extras.find_spec", lambda name: library)
    with pytest.raises(BadOption, match="no graphics card answers here, expected cpu"):
        find_device("cuda")


def test_no_improvement_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    game = games.load("tictactoe")
    lost = Match("mcts", Tally(3, 4, 5, (2, 1, 1, 1, 1)), 0.1)
    monkeypatch.setattr(trial, "try_net", lambda *arguments: lost)
    play_matches(random_net(game)[0], game, 12, 0.1, 1)
    assert capsys.readouterr().out.splitlines()[-1] == "no improvement: the net did not win, so nothing is installed"
    assert folder.paths_of(game) == {}


def test_a_run_that_plays_too_little_to_say_anything_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Learning, "play", lambda *arguments: None)
    with pytest.raises(CannotLearn, match="tictactoe: 0 positions are too few to say anything, expected more time"):
        learn(Settings(game="tictactoe", minutes=1, units=8), tmp_path, watch_nothing)


def test_a_net_that_does_not_win_is_not_installed() -> None:
    game = games.load("tictactoe")
    lost = Match("mcts", Tally(3, 4, 5, (2, 1, 1, 1, 1)), 0.1)
    net, _, _ = random_net(game)
    assert install(net, game, [lost]) is None
    assert folder.paths_of(game) == {}

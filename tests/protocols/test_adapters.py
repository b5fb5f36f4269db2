"""Our games as PettingZoo environments and OpenSpiel games, by those libraries' own tests."""

import copy
import random
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import pytest

from kibitz import games
from kibitz.core.errors import IllegalMove
from kibitz.protocols.actions import NoActions, actions_of, planes

pettingzoo_test = pytest.importorskip("pettingzoo.test", reason="PettingZoo is not installed")
pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

from kibitz.protocols import openspiel_game, pettingzoo_env  # noqa: E402 - only where the libraries are there

GAMES = [
    "breakthrough:5x10",
    "wolves",
    "alquerque:bell",
    "checkers:5x5",
    "vampires:testmap",
    "tests/rules/connectfour.py",
]


@pytest.mark.parametrize("game", GAMES)
def test_actions_are_a_coding_of_moves_that_can_be_undone(game: str) -> None:
    position, dice = games.load(game).new(), random.Random(3)
    actions = actions_of(position.game)
    for _ in range(60):
        if position.over:
            break
        if position.turn == 2:
            position = position.roll(dice)
            continue
        legal = actions.legal(position)
        assert legal == sorted(set(legal))
        assert 0 <= legal[0] <= legal[-1] < actions.count
        assert sorted(actions.move(action) for action in legal) == sorted(position.move_ids)
        position = position.play(dice.choice(position.move_ids))


def test_boards_are_planes_of_counts_and_the_side_to_move() -> None:
    found = planes(games.vampires().new())
    assert found.shape == (4, 50)
    assert [int(plane.sum()) for plane in found] == [9, 4, 4, 0]
    assert int(planes(games.wolves().new().play("b1-b2"))[-1].sum()) == 25


def test_vampires_are_for_small_maps_only() -> None:
    with pytest.raises(NoActions, match=r"^vampires:testmap2 has \d+ actions, expected at most 50000: try a smaller"):
        actions_of(games.vampires("testmap2"))


# PettingZoo.


@pytest.mark.parametrize("game", GAMES)
def test_environments_pass_the_tests_of_pettingzoo(game: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation")  # an observation with a mask is no plain array
        pettingzoo_test.api_test(pettingzoo_env.env(game), num_cycles=40)
    pettingzoo_test.seed_test(partial(pettingzoo_env.env, game), num_cycles=20)


def played(env: Any, dice: random.Random, steps: int) -> list[str]:
    """The positions seen in random play."""
    seen = []
    for _ in range(steps):
        agent = env.agent_selection
        over = env.terminations[agent]
        mask = env.observe(agent)["action_mask"]
        env.step(None if over else dice.choice(mask.nonzero()[0].tolist()))
        if not env.agents:
            break
        seen.append(env.infos[env.agent_selection]["position"])
    return seen


@pytest.mark.parametrize(("game", "steps"), [("vampires:testmap", 12), ("checkers:5x5,plies=900,overstay=off", 600)])
def test_a_copy_in_the_middle_of_a_game_goes_on_alike_and_alone(game: str, steps: int) -> None:
    env = pettingzoo_env.env(game)
    env.reset(seed=11)
    assert len(played(env, random.Random(1), steps)) == steps
    here = env.unwrapped.position.text
    twin = copy.deepcopy(env)
    ahead = played(twin, random.Random(2), 20)
    assert env.unwrapped.position.text == here
    assert played(env, random.Random(2), 20) == ahead


def test_the_winner_gets_one_and_the_loser_minus_one() -> None:
    env = pettingzoo_env.env("breakthrough")
    env.reset(options={"position": "8/8/8/8/P7/8/1p6/8 b 0 1"})
    assert env.agent_selection == "player_1"
    env.step(env.unwrapped.position.move_ids[0])
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert all(env.terminations.values())


def test_illegal_actions_raise_when_bare_and_lose_when_wrapped() -> None:
    bare = pettingzoo_env.GameEnv("wolves")
    bare.reset(seed=1)
    with pytest.raises(IllegalMove, match="illegal action 0 in wolves position"):
        bare.step(0)
    wrapped = pettingzoo_env.env("wolves")
    wrapped.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped.step(0)
    assert wrapped.rewards["player_0"] == -1


def test_a_side_that_moves_on_is_selected_again() -> None:
    env = pettingzoo_env.env("vampires:testmap")
    env.reset(seed=1)
    coding = env.unwrapped.actions
    env.step(coding.legal(env.unwrapped.position)[0])
    assert env.agent_selection == "player_0"
    env.step(0)
    assert env.agent_selection == "player_1"


# OpenSpiel.


@pytest.mark.parametrize(
    "name",
    [
        "kibitz_breakthrough(options=5x10)",
        "kibitz_wolves",
        "kibitz_alquerque(options=bell)",
        "kibitz_checkers(options=4x4)",
        "kibitz_vampires(options=testmap)",
    ],
)
def test_games_pass_the_random_simulation_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def test_openspiel_counts_the_same_lines() -> None:
    game = pyspiel.load_game("kibitz_breakthrough", {"options": "rows=5,columns=4"})

    def count(state: Any, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(count(state.child(action), depth - 1) for action in state.legal_actions())

    from kibitz.search.perft import perft

    assert count(game.new_initial_state(), 3) == perft(games.breakthrough(rows=5, columns=4).new(), 3)


def test_battles_are_chance_nodes_with_their_odds() -> None:
    state = pyspiel.load_game("kibitz_vampires(options=testmap)").new_initial_state("6/6/6/2,w3,3/2,v1,3 v")
    assert isinstance(state, openspiel_game.SpielState)
    for word in ("2,4>2,3:1", "end"):
        (action,) = [action for action in state.legal_actions() if state.action_to_string(action) == word]
        state.apply_action(action)
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert sum(odds for _, odds in outcomes) == pytest.approx(1.0)
    ours = [odds for odds, _ in state.position.outcomes()]
    assert [odds for _, odds in outcomes] == pytest.approx(ours)


def test_a_solver_of_openspiel_plays_our_games() -> None:
    game = pyspiel.load_game("kibitz_breakthrough", {"options": "rows=5,columns=2"})
    state = game.new_initial_state()
    assert _value(state) == -1.0  # the second player wins on 5x2


def _value(state: Any) -> float:
    from open_spiel.python.algorithms import minimax

    value, _ = minimax.alpha_beta_search(state.get_game(), state=state, maximizing_player_id=0)
    return float(value)


@pytest.mark.parametrize(
    ("module", "library", "line"),
    [
        (
            "pettingzoo_env",
            "pettingzoo",
            "the PettingZoo adapter needs pettingzoo, not installed here: pip install 'kibitz[pettingzoo]'",
        ),
        (
            "openspiel_game",
            "pyspiel",
            "the OpenSpiel adapter needs pyspiel, not installed here: pip install 'kibitz[openspiel]'",
        ),
    ],
)
def test_a_missing_library_is_one_line_that_names_the_extra(module: str, library: str, line: str) -> None:
    code = (
        f"import sys; sys.modules[{library!r}] = None\n"
        "from kibitz.core.errors import KibitzError\n"
        f"try:\n    import kibitz.protocols.{module}\nexcept KibitzError as error:\n    print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == line + "\n"

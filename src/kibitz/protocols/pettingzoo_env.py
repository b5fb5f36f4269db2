"""Our games as PettingZoo environments: `env("breakthrough:5x10")`.

Agents are `player_0` and `player_1`; an observation holds `observation` and `action_mask`. Each move is a step, so in
games with long turns the same agent may be selected again. Chance is rolled inside `step`, by the seed of `reset`.
"""

import copy
import random
from typing import Any

import numpy as np

from kibitz.core.errors import IllegalMove
from kibitz.core.extras import require
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.games import catalog
from kibitz.protocols.actions import actions_of, planes, planes_shape, returns

require("pettingzoo")
from gymnasium import spaces  # noqa: E402 - after the line that says what is missing
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

AGENTS = ("player_0", "player_1")
LARGEST = 255  # creatures on a cell


def env(game: str | Game = "breakthrough", render_mode: str | None = None) -> Any:
    """The environment of a game, checked: wrong order is refused, an illegal action ends the game as a loss."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(GameEnv(game, render_mode), illegal_reward=-1)
        )
    )


class GameEnv(AECEnv):  # type: ignore[misc]
    """The bare environment; an illegal action raises IllegalMove."""

    metadata = {"name": "kibitz_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, game: str | Game = "breakthrough", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = catalog.load(game) if isinstance(game, str) else game
        self.actions = actions_of(self.game)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.dice = random.Random()
        self.position = self.game.new()
        self._action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in AGENTS}
        self._observation_spaces = {agent: self._space() for agent in AGENTS}

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameEnv":
        twin = copy.copy(self)
        shared = ("game", "actions", "position", "_action_spaces", "_observation_spaces")
        for name, value in vars(self).items():
            if name not in shared:
                setattr(twin, name, copy.deepcopy(value, memo))
        return twin

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; `options={"position": TEXT}` begins elsewhere."""
        if seed is not None:
            self.dice = random.Random(seed)
        text = (options or {}).get("position")
        self.position = self._roll_chance(self.game.new() if text is None else self.game.position(text))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._update()

    def observe(self, agent: str) -> dict[str, Any]:
        """The board, and which actions are legal: none for who is not to move."""
        mask = np.zeros(self.actions.count, np.int8)
        if not self.position.over and agent == AGENTS[self.position.turn]:
            mask[self.actions.legal(self.position)] = 1
        return {"observation": planes(self.position), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play a move; the agent whose game is over says None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        code = self.actions.move(int(action))
        if code not in self.position.move_ids:
            raise IllegalMove(f"illegal action {action} in {self.game.text} position '{self.position.text}'")
        self.position = self._roll_chance(self.position.play(code))
        self._update()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: returned, or printed where a human looks on."""
        if self.render_mode != "human":
            return str(self.position)
        print(self.position)  # noqa: T201 - that is what the mode is for
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _update(self) -> None:
        """Who is next, and what everyone knows and has won."""
        over = self.position.over
        self.terminations = dict.fromkeys(AGENTS, over)
        self.rewards = dict(zip(AGENTS, returns(self.position), strict=True))
        self.infos: dict[str, dict[str, Any]] = {agent: {"position": self.position.text} for agent in AGENTS}
        self.agent_selection = AGENTS[0] if over else AGENTS[self.position.turn]

    def _roll_chance(self, position: Position) -> Position:
        while not position.over and position.turn == CHANCE:
            position = position.roll(self.dice)
        return position

    def _space(self) -> Any:
        board = spaces.Box(0, LARGEST, planes_shape(self.game), np.int16)
        return spaces.Dict({"observation": board, "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8)})

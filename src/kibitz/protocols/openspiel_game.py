"""Our games as OpenSpiel games: import this module, then `pyspiel.load_game("kibitz_breakthrough")`.

Options are one parameter, as behind the game's name elsewhere: `kibitz_breakthrough(options=5x10)`. Each move is an
action of its own; random outcomes are chance nodes, numbered as the rules yield them.
"""

from typing import Any

import numpy as np

from kibitz.core.extras import require
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.core.rulebook import Rulebook
from kibitz.games import catalog
from kibitz.protocols.actions import actions_of, planes, planes_shape, returns

require("openspiel")
import pyspiel  # noqa: E402 - after the line that says what is missing
from open_spiel.python.observation import IIGObserverForPublicInfoGame  # noqa: E402

PREFIX = "kibitz_"
USUAL_PLIES = 1000  # where a game's rules name no limit
MOVES_OF_A_LONG_TURN = 64


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options, as OpenSpiel sees it. Each game registers a class of its own: OpenSpiel drops what was
    registered after Python has ended, which only a class survives.
    """

    name: str
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.played = catalog.load(_game_text(self.name, str(given.get("options", ""))))
        self.actions = actions_of(self.played)
        super().__init__(self.kind, _facts(self.played, self.actions.count), given)

    def new_initial_state(self, state: Any = None) -> "SpielState":
        """The start, or the position of a text."""
        return SpielState(self, self.played.new() if state is None else self.played.position(str(state)))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Everybody sees everything."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.played)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class PicklablePosition:
    """A position that can be pickled: as its game's text, where it began and the line since."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def __reduce__(self) -> tuple[Any, ...]:
        *_, root = self.position.trail()
        return _restore, (self.position.game.text, root.text, self.position.line)

    def __deepcopy__(self, memo: dict[int, Any]) -> "PicklablePosition":
        return self


def _restore(game: str, root: str, line: str) -> PicklablePosition:
    return PicklablePosition(catalog.position(game, root, line))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position."""

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.actions = game.actions
        self.picklable = PicklablePosition(position)

    @property
    def position(self) -> Position:
        return self.picklable.position

    def current_player(self) -> Any:
        if self.position.over:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.position.turn == CHANCE else self.position.turn

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome by its number, with its probability."""
        odds = [chance for chance, _ in self.position.outcomes()]
        return [(number, chance / sum(odds)) for number, chance in enumerate(odds)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.actions.legal(self.position)

    def _apply_action(self, action: int) -> None:
        self.picklable = PicklablePosition(self.position.play(self._move(action)))

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._move(action)
        return move if isinstance(move, str) else self.position.game.move_text(self.position.state, move)

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        return list(returns(self.position))

    def __str__(self) -> str:
        return self.position.text

    def _move(self, action: int) -> str | int:
        if self.position.turn == CHANCE:
            return self.position.outcomes()[action][1]
        return self.actions.move(action)


class Observer:
    """Positions as planes of numbers, and as text."""

    def __init__(self, game: Game) -> None:
        shape = planes_shape(game)
        self.tensor = np.zeros(shape[0] * shape[1], np.float32)
        self.dict = {"observation": np.reshape(self.tensor, shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        self.dict["observation"][:] = planes(state.position)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.position.text


def _game_text(name: str, options: str) -> str:
    if not options:
        return name
    return f"{name},{options}" if "=" in options.partition(",")[0] else f"{name}:{options}"


def _facts(game: Game, actions: int) -> Any:
    chancy = game.rulebook.outcomes is not None
    return pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=game.max_moves if chancy else 0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=_longest(game),
    )


def _longest(game: Game) -> int:
    """How many moves a game may have, at a guess where the rules name no limit."""
    plies = getattr(game.rules, "plies", USUAL_PLIES)
    return min(int(plies), USUAL_PLIES) * (1 if game.alternating else MOVES_OF_A_LONG_TURN)


def _kind(book: Rulebook) -> Any:
    mode = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=f"{PREFIX}{book.name}",
        long_name=f"{book.title} (Kibitz)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode.DETERMINISTIC if book.outcomes is None else mode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": ""},
    )


def register() -> None:
    """Make every game that is built in known to OpenSpiel."""
    for entry in catalog.entries():
        if entry.rulebook is not None and f"{PREFIX}{entry.name}" not in pyspiel.registered_names():
            kind = _kind(entry.rulebook)
            members = {"name": entry.name, "kind": kind}
            pyspiel.register_game(kind, type(f"SpielGame_{entry.name}", (SpielGame,), members))


register()

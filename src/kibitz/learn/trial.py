"""What a net is worth: a match by the arena's rules against what there was before, and where it is kept if it wins."""

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz import agents
from kibitz.arena.contest.runner import Watcher, run_contest
from kibitz.arena.contest.settings import Settings, make_match
from kibitz.arena.contest.store import Store
from kibitz.arena.interrupts import keep_ctrl_c
from kibitz.arena.stats.decision import SURE, order_confidence
from kibitz.arena.stats.tally import Tally
from kibitz.arena.teams.local import team_of
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.game_loop import play_game
from kibitz.core.heuristic import Heuristic
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.random_play import random_opening
from kibitz.nets import folder
from kibitz.nets.file import Net
from kibitz.search.engine import Engine

CANDIDATE = "candidate"
QUICK_GAMES, QUICK_NODES, QUICK_OPENING = 20, 1_000, 4


@dataclass(frozen=True)
class Match:
    """How a net played against another agent."""

    opponent: str
    tally: Tally
    seconds: float  # a move

    @property
    def score(self) -> float:
        return self.tally.score or 0.0

    @property
    def won(self) -> bool:
        return self.score > 0.5

    @property
    def clearly(self) -> bool:
        """Is it as good as sure that the net is stronger?"""
        return self.won and order_confidence(self.tally.pairs) >= SURE

    @property
    def facts(self) -> dict[str, object]:
        """For the net's file."""
        tally = self.tally
        return {
            "opponent": self.opponent,
            "won": tally.wins,
            "drawn": tally.draws,
            "lost": tally.losses,
            "score": round(self.score, 4),
            "seconds": self.seconds,
        }


def opponents_of(game: Game) -> list[str]:
    """Whom a net must beat: who plays the game by default, and sampling."""
    return list(dict.fromkeys([agents.default_agent(game), "mcts"]))


def try_net(net: Net, game: Game, opponent: str, games: int, seconds: float, jobs: int, watcher: Watcher) -> Match:
    """A match of the engine with this net; each opening is played twice, sides swapped."""
    with _offering(net, game):
        settings = Settings(seconds=seconds, trusted=True)
        contest = make_match(game.text, f"engine:heuristic={CANDIDATE}", opponent, games, settings)
        with Store(None) as store:
            progress = run_contest(contest, store, team_of(jobs), watcher)
    left, right = (entrant.name for entrant in contest.entrants)
    return Match(opponent, progress.scores.tally(left, right), seconds)


@contextmanager
def _offering(net: Net, game: Game) -> Iterator[None]:
    """A folder of nets with this one among them, for this process and those that it starts."""
    with tempfile.TemporaryDirectory(prefix="kibitz-nets-") as place:
        for path in folder.paths_of(game).values():
            if path.parent != folder.SHIPPED:
                shutil.copy(path, place)
        before = os.environ.get("KIBITZ_NETS")
        os.environ["KIBITZ_NETS"] = place
        try:
            replace(net, default=False).save(folder.path_for(game, CANDIDATE))
            yield
        finally:
            if before is None:
                del os.environ["KIBITZ_NETS"]
            else:
                os.environ["KIBITZ_NETS"] = before


def install(net: Net, game: Game, matches: list[Match]) -> tuple[Path, Net] | None:
    """Keep a net that won every match; it becomes the default if that was clear. None where it did not win."""
    if not matches or not all(match.won for match in matches):
        return None
    proven = replace(
        net,
        matches=(*net.matches, *(match.facts for match in matches)),
        default=all(match.clearly for match in matches),
    )
    path = folder.path_for(game)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{path.parent}': {problem.strerror}") from None
    proven.save(path)
    return path, proven


def play_quickly(game: Game, ours: Heuristic, theirs: Heuristic, seed: int) -> float:
    """The score of a short match at few nodes a move, for someone who watches."""
    engines = Engine(game, ours, megabytes=4), Engine(game, theirs, megabytes=4)
    dice = random.Random(seed)
    points = 0.0
    for number in range(QUICK_GAMES):
        if number % 2 == 0:
            opening = random_opening(game, QUICK_OPENING, dice)
        points += _points(opening, engines, number % 2, dice)
    return points / QUICK_GAMES


def _points(here: Position, engines: tuple[Engine, Engine], side: int, dice: random.Random) -> float:
    """What the first engine, which has this side, gets of a game."""
    for engine in engines:
        engine.forget()

    def choose(position: Position) -> tuple[int, ...]:
        engine = engines[0] if position.turn == side else engines[1]
        with keep_ctrl_c():
            return engine.search(position, Limit(nodes=QUICK_NODES)).moves

    for turn in play_game(here, choose, dice):
        here = turn.after
    winner = None if here.result is None else here.result.winner
    return 0.5 if winner is None else float(winner == side)

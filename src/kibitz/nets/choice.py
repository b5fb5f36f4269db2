"""Which evaluation a search uses: what was learned, where it won, or what was made by hand."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from kibitz import heuristics
from kibitz.core.errors import BadOption
from kibitz.core.game import Game
from kibitz.core.heuristic import Heuristic
from kibitz.core.network import MOST_POINTS, POINTS, Network
from kibitz.nets.file import BadNet, Net, load
from kibitz.nets.folder import LEARNED, paths_of

UNIT = POINTS / 2.0  # the scale of margins: 58 % of 60 games at 4,000 nodes a move against POINTS, Breakthrough


def find_heuristic(game: Game, name: str | None = None) -> Heuristic:
    """The heuristic of this name, made by hand or learned; without a name the default."""
    found = paths_of(game)
    if name is None:
        return _default(game, found)
    if name in found and name not in [one.name for one in heuristics.heuristics_of(game.rulebook)]:
        return heuristic_of(read(found[name], game), game, name)
    try:
        return heuristics.find(game.rulebook, name)
    except BadOption:
        if name == LEARNED:
            raise BadOption(f"{game.text} has no net yet; make one with: kibitz learn {game.text}") from None
        raise


def _default(game: Game, found: dict[str, Path]) -> Heuristic:
    """A net that is the default, unless it no longer fits the rules; else what was made by hand."""
    for name, path in found.items():
        try:
            net = read(path, game)
        except BadNet:
            continue
        if net.default:
            return heuristic_of(net, game, name)
    return heuristics.find(game.rulebook)


def heuristics_of(game: Game) -> list[Heuristic]:
    """All heuristics of a game, the default first."""
    known = [*heuristics.heuristics_of(game.rulebook)]
    for name, path in paths_of(game).items():
        try:
            known.append(heuristic_of(read(path, game), game, name))
        except BadNet:
            continue
    default = find_heuristic(game).name
    return sorted(known, key=lambda one: one.name != default)


def net_of(game: Game, name: str | None = None) -> Net | None:
    """The net behind a heuristic's name; None where it was made by hand."""
    chosen = find_heuristic(game, name)
    return None if chosen.network is None else read(paths_of(game)[chosen.name], game)


def read(path: Path, game: Game) -> Net:
    """The net of a file, read once as long as it stays the same."""
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        raise BadNet(f"there is no net '{path}'") from None
    return _read_once(path, stamp, game)


@lru_cache(maxsize=64)
def _read_once(path: Path, stamp: int, game: Game) -> Net:
    return load(path, game)


def heuristic_of(net: Net, game: Game, name: str = LEARNED) -> Heuristic:
    """A net with what the game's own heuristic knows besides: tactical moves, candidates, results seen at once."""
    return replace(with_network(heuristics.find(game.rulebook, net.heuristic or None), net.network), name=name)


def with_network(base: Heuristic, network: Network) -> Heuristic:
    """A network in the place of a heuristic's own judgement."""
    features = base.features if network.shape.features else None
    return replace(
        base,
        name=LEARNED,
        bounds=(-MOST_POINTS, MOST_POINTS),
        unit=UNIT,
        unit_name="",
        features=features,
        weights=base.weights if features else {},
        evaluate=None,
        network=network,
    )

"""The options of everything that plays many games."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from kibitz.cli.option_groups import option

if TYPE_CHECKING:
    from kibitz.arena.contest.settings import Settings
    from kibitz.arena.stats.sprt import Sprt

TIME, OPENINGS, FILES, PLAYERS, TEST = "Time", "Openings", "Files", "Players", "Sequential test"
ENDS = "Games that end early"


@dataclass(frozen=True, kw_only=True)
class ContestOptions:
    """What matches and tournaments have in common, in the order in which the help shows it."""

    jobs: Annotated[int, option("Options", "Games at a time.")] = 1
    as_json: Annotated[bool, option("Options", "Print JSON.", "--json")] = False

    seconds: Annotated[float | None, option(TIME, "Seconds a move; 1 if nothing else bounds it.")] = None
    clock: Annotated[
        str | None, option(TIME, "Seconds for the game plus increment, or for so many moves.", metavar="T+I|M/T")
    ] = None
    nodes: Annotated[int | None, option(TIME, "Nodes a move: games can be repeated exactly.")] = None
    depth: Annotated[int | None, option(TIME, "Turns that an agent may look ahead.")] = None
    limit: Annotated[
        list[str] | None, option(TIME, "A player's own, as NAME=seconds=2 or NAME=clock=40/60.", metavar="NAME=LIMIT")
    ] = None
    margin: Annotated[float | None, option(TIME, "Seconds an answer may be late; measured if left out.")] = None

    store: Annotated[Path | None, option(FILES, "Keep games here, and go on from those already there.")] = None
    name: Annotated[str, option(FILES, "What the contest is called in the store; it may grow.")] = ""
    record: Annotated[Path | None, option(FILES, "Write all games: .jsonl as JSON lines, else as text.")] = None

    openings: Annotated[Path | None, option(OPENINGS, "Begin with the lines of this file.")] = None
    plies: Annotated[str, option(OPENINGS, "Random turns an opening has; 0: none.", metavar="A-B")] = "4-8"
    balance: Annotated[float, option(OPENINGS, "Pieces by which an opening may favour a side; 0: any.")] = 1.0
    seed: Annotated[int, option(OPENINGS, "Seed of openings, chances and agents.")] = 1

    sprt: Annotated[
        tuple[float, float] | None, option(TEST, "Play each pairing until one of two is decided.", metavar="ELO0 ELO1")
    ] = None
    alpha: Annotated[float, option(TEST, "How often ELO1 may be accepted though ELO0 holds, in all pairings.")] = 0.05
    beta: Annotated[float, option(TEST, "How often ELO0 may be accepted though ELO1 holds, in all pairings.")] = 0.05
    logistic: Annotated[bool, option(TEST, "Bounds in plain Elo, not in normalised Elo.", "--logistic")] = False

    resign: Annotated[
        str | None, option(ENDS, "Lost for who is worse by SCORE, as both say for TURNS turns.", metavar="SCORE/TURNS")
    ] = None
    draw: Annotated[
        str | None, option(ENDS, "Drawn where both say at most SCORE for TURNS turns.", metavar="SCORE/TURNS")
    ] = None
    table: Annotated[bool, option(ENDS, "End games by the table of perfect play.", "--table")] = False
    failures: Annotated[int, option(ENDS, "Games lost by its own fault until a player is withdrawn; 0: never.")] = 0
    replays: Annotated[
        int, option(ENDS, "Times that a game is played again after a player crashed in it; 0: it is lost.")
    ] = 0

    restart: Annotated[bool, option(PLAYERS, "A new process for each player in each game.", "--restart")] = False
    memory: Annotated[int, option(PLAYERS, "Megabytes that an agent and its children may hold.")] = 4096
    trusted: Annotated[bool, option(PLAYERS, "Agents inside the referee: quick, unguarded.", "--trusted")] = False
    require_isolation: Annotated[
        bool, option(PLAYERS, "Refuse to play unless agents are isolated.", "--require-isolation")
    ] = False
    affinity: Annotated[bool, option(PLAYERS, "Each of the jobs on processors of its own.", "--affinity")] = False
    cluster: Annotated[str | None, option(PLAYERS, "Play on Dask: tcp://HOST:PORT, or local:4.")] = None

    @property
    def test(self) -> "Sprt | None":
        """The sequential test that was asked for."""
        from kibitz.arena.stats.sprt import Sprt

        if self.sprt is None:
            return None
        return Sprt(*self.sprt, self.alpha, self.beta, "logistic" if self.logistic else "normalised")

    @property
    def settings(self) -> "Settings":
        """What of them the contest itself is made of."""
        from kibitz.arena.contest.settings import Settings

        return Settings(
            seconds=self.seconds,
            clock=self.clock,
            nodes=self.nodes,
            depth=self.depth,
            openings=self.openings,
            plies=self.plies,
            balance=self.balance,
            seed=self.seed,
            memory=self.memory,
            trusted=self.trusted,
            require_isolation=self.require_isolation,
            margin=self.margin,
            limits=tuple(self.limit or ()),
            name=self.name,
            resign=self.resign,
            draw=self.draw,
            table=self.table,
            failures=self.failures,
            restart=self.restart,
            replays=self.replays,
        )

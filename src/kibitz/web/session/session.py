"""One visitor: the game he sits at, the tree he looks through, the analysis that follows his cursor."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.web.api.facts import Facts
from kibitz.web.api.limits import MOST_ANALYSIS
from kibitz.web.api.refusals import Refused, error_facts
from kibitz.web.api.safe_agents import default_for, with_small_hash
from kibitz.web.server.state import ServerState
from kibitz.web.session.game_tree import GameTree, Node
from kibitz.web.session.review import review_line
from kibitz.web.session.runner import GameRunner, wait_until_compiled
from kibitz.web.session.shared_table import SharedTable
from kibitz.web.session.steps import Step, join_line
from kibitz.web.session.table import Table
from kibitz.web.workers.compiler import ANALYSIS, TABLE
from kibitz.web.workers.pool import Job

AT_ONCE = 4  # hints, trees and the like that one visitor may wait for
STAYS = (
    "agent",
    "time",
    "failed",
    "state",
    "offer",
    "declined",
    "presence",
    "draw",
    "resign",
    "rematch",
)  # news that leave a visitor who looks elsewhere where he is


class Session:
    """What one visitor does. `send` hands a message to him and never waits."""

    def __init__(self, server: ServerState, send: Callable[[Facts], None]) -> None:
        self.server, self.send = server, send
        self.runner: GameRunner | None = None
        self.seat: int | None = None  # at a table with a link; None: a spectator, or a game of one's own
        self.tree: GameTree | None = None
        self.cursor: Node | None = None
        self.dice = random.Random()  # of variations
        self.lines = 0  # of the analysis; 0: off
        self.patience = MOST_ANALYSIS  # seconds for the analysis of one position
        self.request: Any = None  # the message that is being answered, for the state that answers it
        self._analysing: asyncio.Task[None] | None = None
        self._asked: set[asyncio.Task[None]] = set()
        self.reviewing = False

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def require_runner(self) -> GameRunner:
        """The game, once there is one."""
        if self.runner is None:
            raise Refused("no-game", "there is no game on this table yet, expected 'new' first")
        return self.runner

    def require_table(self) -> Table:
        """Its table."""
        return self.require_runner().table

    def require_cursor(self) -> Node:
        """The node that the visitor looks at."""
        self.require_runner()
        assert self.cursor is not None
        return self.cursor

    def require_tree(self) -> GameTree:
        """The tree that he looks through."""
        self.require_runner()
        assert self.tree is not None
        return self.tree

    async def close(self) -> None:
        """The visitor has gone: everything that was done for him ends."""
        tasks = [task for task in (self._analysing, *self._asked) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.leave()

    async def leave(self) -> None:
        """Get up from the game."""
        runner, self.runner, self.seat = self.runner, None, None
        if isinstance(runner, SharedTable):
            runner.leave(self)
        elif runner is not None:
            runner.watchers.remove(self)
            await runner.close()

    # The game.

    async def sit(self, runner: GameRunner) -> None:
        """Sit down at a game of one's own."""
        await self.leave()
        self.runner = runner
        runner.watchers.append(self)
        self.reset_tree()

    async def join(self, shared: SharedTable, seat: int | None) -> None:
        """Come to a table with a link."""
        await self.leave()
        self.runner, self.seat = shared, seat
        shared.enter(self)
        self.reset_tree()

    def require_shared(self) -> SharedTable:
        """The table with a link."""
        runner = self.require_runner()
        if not isinstance(runner, SharedTable):
            raise Refused("not-allowed", "this game is not at a table with a link")
        return runner

    def require_own_game(self) -> None:
        """Some things are for games of one's own: at a table with a link two must agree."""
        if isinstance(self.require_runner(), SharedTable):
            raise Refused("not-allowed", "at a table with a link this needs the agreement of both sides")

    def require_seat(self, side: int | None = None) -> int:
        """The seat of the visitor at a table with a link, this one if it is named."""
        if self.seat is None or (side is not None and side != self.seat):
            raise Refused("forbidden", "only who holds the seat may do this")
        return self.seat

    def refuse_help(self) -> None:
        """Nobody asks an engine about a game that he plays against somebody."""
        if self.seat is not None and not self.require_table().over:
            raise Refused("not-allowed", "the engine keeps silent until the game between you two is over")

    def reset_tree(self) -> None:
        """Another start: what was tried before does not belong to it."""
        self._stop_analysis()
        table = self.require_table()
        *_, start = table.here.trail()
        self.tree = GameTree(start)
        self.cursor = self.tree.follow(table.steps)

    def hear_state(self, why: str, fresh: list[Step]) -> None:
        """The game has changed."""
        tree, before = self.require_tree(), self.require_cursor()
        at_live = before is tree.live
        tree.follow(self.require_table().steps)
        if at_live or why not in STAYS or before.number not in tree.nodes:
            self.cursor = tree.live
        self.send_state(why, fresh)
        if self.cursor is not before or why in ("new", "setup"):
            self.analyse()

    def send_state(self, why: str, fresh: list[Step] | None = None) -> None:
        """Send the state of the game, with the nodes that are new to the visitor."""
        tree = self.require_tree()
        told = self.require_runner().facts(why) | {
            "steps": [step.facts() for step in fresh or []],
            "live": tree.live.number,
            "cursor": self.require_cursor().number,
            "nodes": tree.take_fresh(),
            "redo": bool(tree.next_steps()),
        }
        runner = self.require_runner()
        if isinstance(runner, SharedTable):
            told["yours"] = told["yours"] and self.seat == told["turn"]
            told["table"] = runner.table_facts(self.seat)
        request, self.request = self.request, None
        self.send(told if request is None else {**told, "id": request})

    # The cursor.

    def look(self, node: Node) -> None:
        """Look at another moment; the analysis comes along."""
        if node is not self.cursor:
            self.cursor = node
            self.analyse()

    def view(self) -> Facts:
        """The moment that the visitor looks at."""
        node, tree = self.require_cursor(), self.require_tree()
        return {"type": "view", **node.view(), "live": tree.live.number, "nodes": tree.take_fresh()}

    # Analysis and other questions.

    def analyse(self) -> None:
        """Begin to analyse what the visitor looks at, if he wants that."""
        self._stop_analysis()
        node = self.require_cursor()
        if self.lines and not node.position.over and node.position.turn != CHANCE:
            self._analysing = asyncio.create_task(self._analysis(node))

    def _stop_analysis(self) -> None:
        if self._analysing is not None:
            self._analysing.cancel()
            self._analysing = None

    def stop_analysing(self) -> None:
        """Switch the analysis off."""
        self.lines = 0
        self._stop_analysis()

    async def _analysis(self, node: Node) -> None:
        """Until the visitor looks elsewhere: first without the table of perfect play, where that must be compiled."""
        try:
            known = await wait_until_compiled(self.server, self.require_table().game, ANALYSIS, self.send)
            if not known["table"]:
                await self._search(node, exact=False)
                return
            await self._search_until(node, self.server.compile_agent(self.require_table().game, TABLE))
            await self._search(node, exact=True)
        except KibitzError as error:
            self.send(error_facts(error))

    async def _search_until(self, node: Node, ready: "asyncio.Future[Any]") -> None:
        """Analyse without exact values while they are being compiled."""
        if ready.done():
            return
        search = asyncio.create_task(self._search(node, exact=False))
        try:
            await asyncio.wait({ready})
        finally:
            search.cancel()
            await asyncio.gather(search, return_exceptions=True)

    async def _search(self, node: Node, *, exact: bool) -> None:
        ply = node.ply

        def tell(found: Facts, done: bool = False) -> None:
            self.send({"type": "analysis", "node": node.number, "ply": ply, **found, "done": done})

        def wait(waiting: bool) -> None:
            self.send({"type": "waiting", "node": node.number, "on": waiting})

        given = self._position(node) | {
            "lines": self.lines,
            "limit": {"seconds": self.patience},
            "exact": exact,
        }
        job = Job("analyse", given, self.patience, study=True, patient=True, update=tell, wait=wait)
        tell(await self.server.pool.run(job), True)

    def ask(self, kind: str, request: Any, answer: Coroutine[Any, Any, Facts]) -> None:
        """Work on an answer while the game goes on."""
        if len(self._asked) >= AT_ONCE:
            answer.close()
            raise Refused("busy", f"{AT_ONCE} questions of this table are still waiting")
        task = asyncio.create_task(self._answer(kind, request, answer))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        task.add_done_callback(lambda _: answer.close())  # of a visitor who went before it was begun

    async def _answer(self, kind: str, request: Any, answer: Coroutine[Any, Any, Facts]) -> None:
        try:
            self.send({"type": kind, "id": request, **await answer})
        except KibitzError as error:
            self.send(error_facts(error, request))

    async def hint(self, seconds: float) -> Facts:
        """What the best agent would play."""
        agent = default_for(self.require_table().game)
        given = self._position(self.require_cursor())
        await wait_until_compiled(self.server, self.require_table().game, agent, self.send)
        given |= {"agent": with_small_hash(agent), "limit": {"seconds": seconds}}
        return await self.server.pool.run(Job("hint", given, seconds))

    async def study(self, do: str, more: Facts, seconds: float, urgent: bool = False) -> Facts:
        """A question about the position for a worker."""
        given = self._position(self.require_cursor())
        return await self.server.pool.run(Job(do, given | more, seconds, study=not urgent))

    async def explore(self) -> Facts:
        """What the games in the stores did where the visitor looks."""
        table, line = self.require_table(), join_line(self.require_cursor().steps)
        stores = [str(store) for store in self.server.stores]
        if not stores:
            return {"stores": 0, "games": 0, "moves": []}
        games = [table.game.text, self.server.games.worker_text(table.game)]
        given = {"stores": stores, "games": games, "start": table.start, "line": line}
        return {"stores": len(stores), **await self.server.pool.run(Job("explore", given, 30, study=True))}

    async def review(self, limit: Facts) -> Facts:
        """The game gone through; the analysis rests meanwhile, so that neither slows the other down."""
        if self.reviewing:
            raise Refused("busy", "the game is being reviewed already")
        tree = self.require_tree()
        nodes = tree.live.path()
        lines, self.lines, self.reviewing = self.lines, 0, True
        self._stop_analysis()
        try:
            known = await wait_until_compiled(self.server, self.require_table().game, ANALYSIS, self.send)
            if known["table"]:
                await wait_until_compiled(self.server, self.require_table().game, TABLE, self.send)
            found = await review_line(nodes, self._judge(limit, exact=known["table"]), self._tell_progress)
        finally:
            self.lines, self.reviewing = self.lines or lines, False
            self.analyse()
        for move in found["moves"]:
            tree.mark_reviewed(move["node"], move["mark"])
        return found

    def _tell_progress(self, done: int, total: int) -> None:
        self.send({"type": "reviewing", "done": done, "total": total})

    def _judge(self, limit: Facts, *, exact: bool) -> Callable[[Position], Awaitable[Facts]]:
        """What a worker finds in a position within a limit; each is asked about once."""
        table, name = self.require_table(), self.require_runner().name
        known: dict[tuple[int, ...], Facts] = {}

        async def judge(position: Position) -> Facts:
            *path, _ = position.trail()
            codes = tuple(int(after.last_move) for after in reversed(path) if after.last_move is not None)
            if codes not in known:
                given = self.server.position_facts(table.game, table.start, list(codes), f"{name}-review")
                given |= {"lines": 2, "limit": dict(limit), "exact": exact}
                known[codes] = await self.server.pool.run(Job("analyse", given, limit["seconds"], study=True))
            return known[codes]

        return judge

    def _position(self, node: Node) -> Facts:
        """What the visitor looks at, as a worker takes it."""
        table, codes = self.require_table(), [step.code for step in node.steps]
        return self.server.position_facts(table.game, table.start, codes, self.require_runner().name)

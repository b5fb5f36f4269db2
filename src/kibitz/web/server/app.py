"""The application: pages, the JSON API and the socket, behind one guard."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

import kibitz.core.picture
import kibitz.export
import kibitz.puzzles.flow
from kibitz import agents
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.seam import cache
from kibitz.web.api import flow_requests, limits, puzzle_requests, safe_agents
from kibitz.web.api.facts import Facts, game_facts
from kibitz.web.api.refusals import STATUS, Refused, error_facts, kind_of
from kibitz.web.server.disconnection import run_while_connected
from kibitz.web.server.guard import Guard
from kibitz.web.server.socket import parse_message, serve_socket
from kibitz.web.server.state import ServerState
from kibitz.web.server.tournament_feed import LONGEST_WAIT, TournamentFeed, read_count
from kibitz.web.workers.compiler import ANALYSIS, TABLE
from kibitz.web.workers.pool import Job

STATIC = Path(__file__).parents[1] / "static"
SCRIPTS = Path(kibitz.core.picture.__file__).parent / "script"
ENGINE_SCRIPTS = Path(kibitz.export.__file__).parent / "script"
FLOW_SCRIPTS = Path(kibitz.puzzles.flow.__file__).parent / "script"


def application(server: ServerState, host: str = "127.0.0.1") -> Starlette:
    """The whole of it, for a server bound to this address."""
    app = Starlette(
        routes=[
            Route("/", page),
            Route("/api/games", games),
            Route("/api/game", game),
            Route("/api/agents", list_agents),
            Route("/api/module", module),
            Route("/api/module/{name:str}", module_file),
            Route("/api/flow/{verb}", flow, methods=["POST"]),
            Route("/api/puzzles", list_puzzles),
            Route("/api/puzzles/{verb:str}", puzzle, methods=["POST"]),
            Route("/api/puzzles/{game:path}", puzzle_set),
            Route("/api/tournaments", list_tournaments),
            Route("/api/tournaments/{name:path}", tournament),
            WebSocketRoute("/api/play", serve_socket),
            WebSocketRoute("/{path:path}", deny_socket),
            Mount("/static", Scripts(directory=STATIC, check_dir=False)),
            Mount("/picture", Scripts(directory=SCRIPTS, check_dir=False)),
            Mount("/engine", Scripts(directory=ENGINE_SCRIPTS, check_dir=False)),
            Mount("/flow-script", Scripts(directory=FLOW_SCRIPTS, check_dir=False)),
            Route("/t/{code:str}", shared_table_page),
            Route("/{name:str}", page),
        ],
        middleware=[Middleware(Guard, host=host, largest=server.limits.message)],
        exception_handlers={
            KibitzError: answer_refusal,
            HTTPException: answer_http_error,
            ClientDisconnect: answer_departure,
            Exception: answer_fault,
        },
        lifespan=run_processes,
    )
    app.state.server = server
    app.state.feed = TournamentFeed(server)
    return app


class Scripts(StaticFiles):
    """Files that a browser keeps, and asks about each time: after an update no page mixes old and new ones."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["cache-control"] = "no-cache"
        return response


@asynccontextmanager
async def run_processes(app: Starlette) -> AsyncIterator[None]:
    """The workers live as long as the application."""
    server: ServerState = app.state.server
    await server.open()
    try:
        yield
    finally:
        await server.close()


def answer_refusal(request: Request, error: Exception) -> Response:
    """A mistake of the visitor's."""
    assert isinstance(error, KibitzError)
    if kind_of(error) == "not-found" and is_for_reading(request):
        return FileResponse(STATIC / "not-found.html", 404)
    return JSONResponse(error_facts(error), STATUS.get(kind_of(error), 400))


def answer_http_error(request: Request, error: Exception) -> Response:
    """No such page, or no such method."""
    assert isinstance(error, HTTPException)
    kind = "not-found" if error.status_code == 404 else "bad-message"
    if kind == "not-found" and is_for_reading(request):
        return FileResponse(STATIC / "not-found.html", 404)
    return JSONResponse(error_facts(Refused(kind, str(error.detail))), error.status_code)


def answer_departure(request: Request, error: Exception) -> Response:
    """A visitor who went away in the middle of a request: nobody hears this, and nothing is logged."""
    return Response(status_code=400)


def is_for_reading(request: Request) -> bool:
    """Is it a person who follows a link, rather than a program that asks the API?"""
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")


async def deny_socket(socket: WebSocket) -> None:
    """A socket to another place."""
    await socket.send_denial_response(JSONResponse(error_facts(Refused("not-found", "there is no such socket")), 404))


def answer_fault(request: Request, error: Exception) -> Response:
    """A fault of ours: the log has it, the visitor a word."""
    return JSONResponse(error_facts(Refused("internal", "a fault of the server; it goes on")), 500)


async def page(request: Request) -> Response:
    """A page of the board."""
    name = request.path_params.get("name", "index")
    path = STATIC / f"{name}.html"
    if not name.replace("-", "").isalnum() or not path.is_file():
        raise Refused("not-found", "there is no such page")
    return FileResponse(path, headers={"cache-control": "no-cache"})


async def shared_table_page(request: Request) -> Response:
    """The board; its script joins the table that the address names."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def games(request: Request) -> Response:
    """The games on offer."""
    return JSONResponse(request.app.state.server.games.facts())


async def game(request: Request) -> Response:
    """What is needed to draw a game."""
    return JSONResponse(game_facts(await request.app.state.server.game(request.query_params.get("game"))))


async def module(request: Request) -> Response:
    """What a browser needs to play a game by itself, once it is compiled; a game that is none is refused when it is
    begun, not here.
    """
    server: ServerState = request.app.state.server
    try:
        game = await server.game(request.query_params.get("game"))
    except KibitzError as refusal:
        return JSONResponse({"ready": False, "reason": "unknown", **error_facts(refusal)})
    return JSONResponse(await server.module_facts(game))


async def module_file(request: Request) -> Response:
    """A module or what is told beside it; its name is the hash of its content, which is checked when it is read."""
    name = request.path_params["name"]
    kept = None
    if re.fullmatch(r"browser_[0-9a-f]{32}\.(wasm|json)", name):
        kept = await asyncio.to_thread(cache.read_sealed, name)
    if kept is None:
        raise Refused("not-found", "there is no such module")
    kind = "application/wasm" if name.endswith(".wasm") else "application/json"
    return Response(kept, media_type=kind, headers={"cache-control": "public, max-age=31536000, immutable"})


async def list_agents(request: Request) -> Response:
    """The agents on offer, and how much they may be given."""
    found = [safe_agents.facts(kind) for kind in agents.kinds().values() if kind.web]
    most = {**safe_agents.MOST, "lines": limits.MOST_LINES}
    return JSONResponse({"agents": found, "limits": most})


async def flow(request: Request) -> Response:
    """A Flow puzzle's request, done by a worker while the visitor waits."""
    server: ServerState = request.app.state.server
    verb = request.path_params["verb"]
    given = flow_requests.check(verb, await read_body(request, server.limits.message))
    return JSONResponse(await run_while_connected(request, run_flow_job(server, verb, given)))


async def run_flow_job(server: ServerState, verb: str, given: Facts) -> Facts:
    """What a worker makes of a puzzle, once everything that takes is compiled."""
    if verb in flow_requests.COMPILED:
        await asyncio.shield(server.compiler.prepare_flow_solver())
    return await server.run_unseated(Job(f"flow-{verb}", given, given.get("seconds", 5.0), study=True))


async def list_puzzles(request: Request) -> Response:
    """The games that there are puzzles of."""
    return JSONResponse(await asyncio.to_thread(request.app.state.server.puzzles.list))


async def puzzle_set(request: Request) -> Response:
    """The puzzles of one of them, without their solutions."""
    server: ServerState = request.app.state.server
    return JSONResponse(await asyncio.to_thread(server.puzzles.describe, request.path_params["game"]))


async def puzzle(request: Request) -> Response:
    """A puzzle's request, done by a worker while the visitor waits."""
    server: ServerState = request.app.state.server
    verb = request.path_params["verb"]
    given = await read_body(request, server.limits.message)
    game, facts = await asyncio.to_thread(puzzle_requests.check, verb, given, server.puzzles.find)
    return JSONResponse(await run_while_connected(request, run_puzzle_job(server, verb, game, facts)))


async def run_puzzle_job(server: ServerState, verb: str, game: Game, facts: Facts) -> Facts:
    """What a worker makes of it, once the engine that refutes is compiled."""
    exact, searches = False, verb in puzzle_requests.COMPILED
    if searches:
        ready = await asyncio.shield(server.compile_agent(game, ANALYSIS))
        exact = ready["table"] and server.compile_agent(game, TABLE).done()  # else the next time
    given = facts | {"game": server.games.worker_text(game), "exact": exact}
    return await server.run_unseated(Job(f"puzzle-{verb}", given, 10.0, study=searches))


async def read_body(request: Request, most: int) -> Facts:
    """The JSON object of a request. A form of another site cannot send this type."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("bad-message", "expected Content-Type: application/json")
    return parse_message(await request.body(), most)


async def list_tournaments(request: Request) -> Response:
    """The tournaments in the stores."""
    return JSONResponse(await read_stores(request, Job("tournaments", {}, 20, study=True)))


async def tournament(request: Request) -> Response:
    """One of them: its tables, one of its games, or what is new in it."""
    name, query = request.path_params["name"], request.query_params
    number, since = read_count(query, "game"), read_count(query, "since")
    if since is not None:
        feed: TournamentFeed = request.app.state.feed
        seconds = read_count(query, "wait", LONGEST_WAIT) or 0
        return JSONResponse(await run_while_connected(request, feed.wait_for_news(name, since, seconds)))
    if number is not None:
        job = Job("tournament-game", {"name": name, "number": number}, 60, study=True)
        return JSONResponse(await read_stores(request, job))
    return JSONResponse(await read_stores(request, Job("tournament", {"name": name}, 60, study=True)))


async def read_stores(request: Request, job: Job) -> Facts:
    """What a worker finds in the stores that were named at the start."""
    server: ServerState = request.app.state.server
    job.given["stores"] = [str(store) for store in server.stores]
    return await run_while_connected(request, server.run_unseated(job))

"""The application: pages, the JSON API and the socket, behind one guard."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

import kibitz.core.picture
from kibitz import agents
from kibitz.core.errors import KibitzError
from kibitz.web import flow_requests, limits, safe_agents
from kibitz.web.disconnecting import while_connected
from kibitz.web.facts import Facts, game_facts
from kibitz.web.guard import Guard
from kibitz.web.house import House
from kibitz.web.pool import Job
from kibitz.web.refusals import STATUS, Refused, error_facts, kind_of
from kibitz.web.socket import parsed, table_socket

STATIC = Path(__file__).parent / "static"
SCRIPTS = Path(kibitz.core.picture.__file__).parent / "script"


def application(house: House, host: str = "127.0.0.1") -> Starlette:
    """The whole of it, for a server bound to this address."""
    app = Starlette(
        routes=[
            Route("/", page),
            Route("/api/games", games),
            Route("/api/game", game),
            Route("/api/agents", known_agents),
            Route("/api/flow/{verb}", flow, methods=["POST"]),
            Route("/api/tournaments", tournament_list),
            Route("/api/tournaments/{name:path}", tournament),
            WebSocketRoute("/api/play", table_socket),
            WebSocketRoute("/{path:path}", no_socket),
            Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
            Mount("/picture", StaticFiles(directory=SCRIPTS, check_dir=False)),
            Route("/{name:str}", page),
        ],
        middleware=[Middleware(Guard, host=host, largest=house.limits.message)],
        exception_handlers={KibitzError: refused, HTTPException: lost, Exception: broken},
        lifespan=opened,
    )
    app.state.house = house
    return app


@asynccontextmanager
async def opened(app: Starlette) -> AsyncIterator[None]:
    """The workers live as long as the application."""
    house: House = app.state.house
    await house.open()
    try:
        yield
    finally:
        await house.close()


def refused(request: Request, error: Exception) -> Response:
    """A mistake of the visitor's."""
    assert isinstance(error, KibitzError)
    return JSONResponse(error_facts(error), STATUS.get(kind_of(error), 400))


def lost(request: Request, error: Exception) -> Response:
    """No such page, or no such method."""
    assert isinstance(error, HTTPException)
    kind = "not-found" if error.status_code == 404 else "bad-message"
    return JSONResponse(error_facts(Refused(kind, str(error.detail))), error.status_code)


async def no_socket(socket: WebSocket) -> None:
    """A socket to another place."""
    await socket.send_denial_response(JSONResponse(error_facts(Refused("not-found", "there is no such socket")), 404))


def broken(request: Request, error: Exception) -> Response:
    """A fault of ours: the log has it, the visitor a word."""
    return JSONResponse(error_facts(Refused("internal", "a fault of the server; it goes on")), 500)


async def page(request: Request) -> Response:
    """A page of the board."""
    name = request.path_params.get("name", "index")
    path = STATIC / f"{name}.html"
    if not name.replace("-", "").isalnum() or not path.is_file():
        raise Refused("not-found", "there is no such page")
    return FileResponse(path, headers={"cache-control": "no-cache"})


async def games(request: Request) -> Response:
    """The games on offer."""
    return JSONResponse(request.app.state.house.shelf.facts())


async def game(request: Request) -> Response:
    """What is needed to draw a game."""
    return JSONResponse(game_facts(await request.app.state.house.game(request.query_params.get("game"))))


async def known_agents(request: Request) -> Response:
    """The agents on offer, and how much they may be given."""
    found = [safe_agents.facts(kind) for kind in agents.kinds().values() if kind.web]
    most = {**safe_agents.MOST, "lines": limits.MOST_LINES}
    return JSONResponse({"agents": found, "limits": most})


async def flow(request: Request) -> Response:
    """A Flow puzzle's request, done by a worker while the visitor waits."""
    house: House = request.app.state.house
    verb = request.path_params["verb"]
    given = flow_requests.checked(verb, await body(request, house.limits.message))
    return JSONResponse(await while_connected(request, solved_or_made(house, verb, given)))


async def solved_or_made(house: House, verb: str, given: Facts) -> Facts:
    """What a worker makes of a puzzle, once everything that takes is compiled."""
    compiling = house.kitchen.prepared_flow() if verb in flow_requests.COMPILED else None
    if compiling is not None:
        await asyncio.shield(compiling)
    return await house.errand(Job(f"flow-{verb}", given, given.get("seconds", 5.0), study=True))


async def body(request: Request, most: int) -> Facts:
    """The JSON object of a request. A form of another site cannot send this type."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused("bad-message", "expected Content-Type: application/json")
    return parsed(await request.body(), most)


async def tournament_list(request: Request) -> Response:
    """The tournaments in the stores."""
    return JSONResponse(await stored(request, Job("tournaments", {}, 20, study=True)))


async def tournament(request: Request) -> Response:
    """One of them."""
    return JSONResponse(await stored(request, Job("tournament", {"name": request.path_params["name"]}, 60, study=True)))


async def stored(request: Request, job: Job) -> Facts:
    """What a worker finds in the stores that were named at the start."""
    house: House = request.app.state.house
    job.given["stores"] = [str(store) for store in house.stores]
    return await while_connected(request, house.errand(job))

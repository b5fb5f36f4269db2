"""Every parser, protocol and file format that reads what others wrote. One that is new gets a line in TARGETS."""

import asyncio
import atexit
import hashlib
import io
import json
import random
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import agents
from kibitz.agents.guests import engine as engine_guests
from kibitz.agents.guests.vampires_messages import introduction, turn_of
from kibitz.agents.guests.vampires_wire import OF_CLIENTS, OF_SERVERS, Reader, encode, name_message
from kibitz.arena.contest import opening_books, openings
from kibitz.arena.contest.store import Store, checksum
from kibitz.arena.play.fixture import PlayedGame
from kibitz.arena.players.player import Offence
from kibitz.arena.players.subprocess_player import SubprocessPlayer, read_answer
from kibitz.arena.records import files, game_text, json_lines, replay
from kibitz.arena.records.record import BadRecord
from kibitz.core.game import Game
from kibitz.core.json_text import BadJson, parse_json
from kibitz.core.options import split
from kibitz.core.position import Position
from kibitz.core.random_play import play_turns
from kibitz.games import catalog
from kibitz.games.vampires import maps
from kibitz.nets import file as nets
from kibitz.proofs import checkpoint, prover
from kibitz.proofs.hash_table import new_table
from kibitz.protocols.engine import EngineLoop
from kibitz.protocols.engine_commands import parse_go, parse_position
from kibitz.protocols.vampires.client import BEFORE, View
from kibitz.puzzles import flow, tactics
from kibitz.puzzles.tactics.file import format_set
from kibitz.puzzles.tactics.puzzle import positions_of
from kibitz.reproduction import runner as reproduction
from kibitz.tables import solver
from kibitz.tables.file import container
from kibitz.tables.generic.journal import Journal
from kibitz.tables.table import Table
from kibitz.web.api import flow_requests
from kibitz.web.api.games import GameList
from kibitz.web.api.refusals import Refused
from kibitz.web.server.guard import Guard
from kibitz.web.server.socket import parse_message
from kibitz.web.server.state import ServerState
from kibitz.web.server.table_store import TableStore
from kibitz.web.session import requests
from kibitz.web.session.session import Session
from tests.arena.samples import WON, contest, record
from tests.fuzz.target import Target
from tests.nets.networks import random_net
from tests.puzzles.samples import SMALL, covers

SAMPLES = Path(__file__).parents[1]
GAMES = ("breakthrough", "breakthrough:5x10,base=3", "wolves", "alquerque", "checkers", "vampires:testmap", "tictactoe")
SMALL_SORTED, SMALL_INDEXED = "tictactoe", "wolves,start=sss2/5/5/5/1w1w1"


@cache
def _folder() -> Path:
    """A place for files, gone with the process."""
    place = Path(tempfile.mkdtemp(prefix="kibitz-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    atexit.register(shutil.rmtree, place, True)
    return place


def _in_file(read: Callable[[Path], object], name: str = "input") -> Callable[[bytes], object]:
    """A reader of files as a reader of bytes."""

    def read_bytes(data: bytes) -> None:
        path = _folder() / name
        path.write_bytes(data)
        read(path)

    return read_bytes


def _in_text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    """A reader of texts as a reader of bytes."""
    return lambda data: read(data.decode(errors="replace"))


def _walks(games: tuple[str, ...] = GAMES) -> list[Position]:
    """Positions from random games."""
    dice = random.Random(7)
    found = [play_turns(catalog.load(text).new(), turns, dice) for text in games for turns in (0, 2, 9)]
    return [position for position in found if position is not None]


# Texts of games, positions, moves and agents.


def _read_game(text: str) -> None:
    split(text)
    catalog.load_known(text).new()


def _read_position(text: str) -> None:
    name, _, words = text.partition("|")
    game = _known_game(name)
    here = game.position(words)
    assert game.position(here.text).text == here.text, f"the text of {words!r} does not round-trip"


def _read_moves(text: str) -> None:
    name, _, line = text.partition("|")
    _known_game(name).new().play(line)


@cache
def _games_by_name() -> dict[str, Game]:
    return {game.text: game for game in map(catalog.load, GAMES)}


def _known_game(name: str) -> Game:
    known = _games_by_name()
    return known.get(name, known["breakthrough"])


AGENTS = (
    b"engine:level=4,hash=16",
    b"mcts:nodes=100,seed=3",
    b"alphabeta:depth=4,heuristic=offensive-2",
    b"uci:fairy-stockfish,Skill_Level=5",
    b"python:'my file.py'",
    b"random",
)

# Records.


def _records() -> list[bytes]:
    dice = random.Random(3)
    found = []
    for position in _walks():
        plies = []
        for after in reversed(list(position.trail())):
            if after.before is not None and after.last_move is not None:
                word = position.game.move_text(after.before.state, after.last_move)
                plies.append({"text": word, "side": int(after.before.turn), "seconds": dice.random(), "nodes": 17})
        *_, start = position.trail()
        values = {"format": 1, "game": position.game.text, "first": "engine", "second": "human", "start": start.text}
        values |= {
            "plies": plies,
            "opening": 0,
            "result": "*",
            "reason": "unfinished",
            "seed": 5,
            "tags": {"Round": "2"},
        }
        found.append(json.dumps(values))
    return [text.encode() for text in found]


def _text_records() -> list[bytes]:
    found = []
    for line in _records():
        try:
            found.append(game_text.format_record(json_lines.read(line.decode(), "seed")).encode())
        except BadRecord:  # moves that only JSON can hold
            continue
    return found


def _read_record(path: Path) -> None:
    for found in files.load(path)[:20]:
        json_lines.read(json_lines.format_record(found), "again")
        replay.check_replay(found)


def _read_openings(path: Path) -> None:
    opening_books.read_book(path, _known_game("breakthrough"))


# Puzzles and maps.


def _boards() -> list[bytes]:
    found = [str(board) for plan in SMALL.values() for board in covers(plan, 3, 1)]
    nodes = {"format": "kibitz-flow", "version": 1, "nodes": [[0, 0], [1, 0], [1, 1], [0, 1.5]], "fill": True}
    nodes |= {"edges": [[0, 1], [1, 2], [2, 3], [3, 0]], "faces": [[0, 1, 2, 3]], "sources": {"A": [0, 1], "B": [2, 3]}}
    return [text.encode() for text in [*found, json.dumps(nodes)]]


def _read_board(text: str) -> None:
    board = flow.read(text)
    assert flow.read(flow.written(board)).sources == board.sources
    with suppress(flow.BadPuzzle):
        flow.read_filling(board, text)


def _packs() -> list[bytes]:
    boards = _boards()
    return [b"\n\n".join(boards[:3]), b"[" + b",".join(board for board in boards if board[:1] == b"{") + b"]"]


def _read_pack(path: Path) -> None:
    for entry in flow.load_all(path):
        assert entry is not None


def _maps() -> list[bytes]:
    return [maps.write_xml(found).encode() for found in (*maps.KNOWN.values(), maps.random_map(6, 8, 3, 1))]


# Sealed files, tables, stores.


def _proofs() -> list[bytes]:
    places = [
        *(SAMPLES / "proofs" / "kibitz_0_1").glob("*.proof"),
        SAMPLES / "proofs" / "evidence" / "breakthrough-5x5.proof",
    ]
    return [path.read_bytes() for path in places]


def _seal(data: bytes) -> bytes:
    """The checksum of a sealed file made right."""
    line, _, block = data.partition(b"\n")
    digest = hashlib.sha256(block).hexdigest().encode()
    return re.sub(rb'("sha256": ")[^"]*"', rb"\g<1>" + digest + b'"', line) + b"\n" + block


def _check_proof(path: Path) -> None:
    prover.check(path, None, lambda what, state: None)


QUESTION = "who wins"


def _progress() -> list[bytes]:
    table = new_table(1)
    dice = np.random.default_rng(1)
    table[:400] = dice.integers(0, 1 << 60, 400)
    path = _folder() / "seed.progress"
    checkpoint.save(path, checkpoint.Checkpoint(QUESTION, 5, 1.5), table)
    return [path.read_bytes()]


def _load_progress(path: Path) -> None:
    checkpoint.load(path, QUESTION, new_table(1))


@cache
def _table_of(text: str) -> bytes:
    path = _folder() / "seed.table"
    solver.solve(solver.SolveTask(catalog.load(text), path, jobs=1))
    return path.read_bytes()


def _sum_table(data: bytes) -> bytes:
    """The header's length and the checksum of a table made right."""
    data = data[: -container.DIGEST]
    return data + hashlib.sha256(data).digest()


def _open_table(text: str) -> Callable[[Path], object]:
    def read(path: Path) -> None:
        game = _table_game(text)
        table = Table.open(path, game)
        dice = random.Random(1)
        for turns in range(6):
            here = play_turns(game.new(), turns, dice)
            if here is not None:
                table.probe(here.state)

    return read


@cache
def _table_game(text: str) -> Game:
    return catalog.load(text)


def _journal() -> list[bytes]:
    header = json.dumps({"rules": "r", "salt": 5}).encode() + b"\n"
    return [header + bytes(4096), header]


def _read_journal(path: Path) -> None:
    with path.open("r+b") as file:
        journal = Journal(file, "r")
        if journal.read_salt() is not None:
            list(journal._blocks(12))


def _store() -> list[bytes]:
    path = _folder() / "seed.store"
    path.unlink(missing_ok=True)
    with Store(path) as store:
        one = contest("random", "first", games=4)
        number = store.enter(one)
        for count in range(2):
            store.add_opening(one.book, openings.Opening(number=count, line="a2-a3", seed=5))
        for opening in store.openings(one.book):
            for fixture in one.fixtures(("first", "random"), opening, 0):
                made = record(fixture.key.first, fixture.key.second, WON)
                store.add(number, PlayedGame(fixture.key, 0, fixture.fingerprint, made))
        store.rows.execute("PRAGMA journal_mode = DELETE")
    return [path.read_bytes()]


def _read_store(path: Path) -> None:
    for leftover in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + leftover).unlink(missing_ok=True)
    with Store(path, create=False) as store:
        for number in list(store.contests())[:5]:
            store.games(number)
            store.known(number)


def _edit_store(data: bytes) -> None:
    """SQL texts of strangers: a value in a store is anything that SQLite keeps."""
    path = _folder() / "edited.store"
    path.write_bytes(_store_seed())
    rows = sqlite3.connect(path, isolation_level=None)
    try:
        facts = data.decode(errors="replace")
        ((number, key),) = rows.execute("SELECT id, key FROM contest")
        rows.execute("UPDATE contest SET facts = ?, sum = ?", (facts, checksum((number, key, facts))))
    finally:
        rows.close()
    _read_store(path)


@cache
def _store_seed() -> bytes:
    return _store()[0]


def _contest_facts() -> list[bytes]:
    path = _folder() / "facts.store"
    path.write_bytes(_store_seed())
    rows = sqlite3.connect(path)
    try:
        return [str(facts).encode() for (facts,) in rows.execute("SELECT facts FROM contest")]
    finally:
        rows.close()


def _net() -> list[bytes]:
    """A net of Tic-tac-toe that has learned nothing."""
    path = _folder() / "seed.net"
    random_net(catalog.load(SMALL_SORTED))[0].save(path)
    return [path.read_bytes()]


def _puzzles() -> list[bytes]:
    made = tactics.PuzzleSet.empty(catalog.load(SMALL_SORTED), {"seed": 1})
    puzzle = tactics.Puzzle(
        position="3/2x/o2 x",
        goal="win",
        line=("c1", "c3", "b2"),
        turns=5,
        choices=7,
        level=7,
        evidence="table",
        origin="engine game 3 of seed 1, turn 2",
    )
    return [format_set(made.with_puzzle(puzzle)).encode()]


def _read_puzzles(path: Path) -> None:
    found = tactics.load(path)
    game = catalog.load_known(found.game)
    for puzzle in found.puzzles:
        positions_of(puzzle, game)


def _table_rows() -> list[bytes]:
    path = _folder() / "seed.tables"
    path.unlink(missing_ok=True)
    kept = TableStore(path)
    kept.save("abcdefgh", {"game": "breakthrough", "start": "x", "line": "", "tokens": ["a", "b"]})
    kept.file.execute("PRAGMA journal_mode=DELETE")
    kept.close()
    return [path.read_bytes()]


def _read_tables(path: Path) -> None:
    for leftover in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + leftover).unlink(missing_ok=True)
    kept = TableStore(path)
    try:
        kept.load("abcdefgh")
    finally:
        kept.close()


FINDINGS = (
    b'{"format": 1, "claims": {"a": {"print": "x", "quick": true, "version": "0.2", "columns": {"c": {"k": "v"}}, '
    b'"judged": [{"cast": "as meant", "sentence": "s", "verdict": "holds", "seen": "3 of 4"}], "boards": {}}}}',
)

# Protocols.

ENGINE_TALK = (
    b"uci\nisready\nposition startpos moves a2-a3 b7-b6\ngo depth 3\nstop\nquit\n",
    b"ugi\nsetoption name Seed value 5\nuginewgame\nposition fen 7p/8/8/8/8/8/P7/8 w 0 1 moves a2-a3\n"
    b"query legalmoves\nquery fen\nquery result\ngo movetime 10\nd\n",
    b"position startpos\ngo wtime 1000 btime 1000 winc 10 binc 10 movestogo 3\nsetoption name MultiPV value 3\n",
)


ENGINE_COMMANDS = (b"startpos moves a2-a3 b7-b6", b"fen 7p/8/8/8/8/8/P7/8 w 0 1 moves a2-a3", b"startpos")


MOST_COMMANDS = 100


def _talk(text: str) -> None:
    text = "\n".join(text.split("\n")[:MOST_COMMANDS])  # each `go` takes some thousandths of a second
    if "perft" in text:
        return
    EngineLoop(_known_game("breakthrough"), agents.read("random"), io.StringIO(text), io.StringIO()).run()


def _read_command(text: str) -> None:
    parse_go(text, 0)
    parse_position(_known_game("breakthrough"), text)


GUEST_TALK = (
    b"info depth 12 score cp 35 nodes 1000 nps 5 time 17 multipv 1 pv a2-a3 b7-b6",
    b"info depth 3 score mate -4 nodes 12",
    b"option name Skill Level type combo default x var x var y",
)


def _hear_guest(text: str) -> None:
    fact = engine_guests._facts(text.split("\n")) or text
    engine_guests._setting(text)
    engine_guests._mate(fact)
    for word in ("depth", "nodes", "time"):
        engine_guests._number(fact, word)


def _wire() -> list[bytes]:
    start = _known_game("vampires:testmap").new()
    said = b"".join(encode(message) for message in introduction(start, 0))
    orders = b"MOV" + bytes([1, 5, 4, 2, 5, 3])
    return [said, said + b"UPD" + bytes([1, 5, 4, 0, 3, 0]) + b"END" + b"BYE", encode(name_message("me")) + orders]


def _hear(data: bytes) -> None:
    """As a client or as a server, whoever is spoken to: the bytes come in pieces."""
    reader = Reader(OF_SERVERS if data[:3] in (b"SET", b"UPD") else OF_CLIENTS)
    said = []
    for at in range(0, len(data), 7):
        reader.feed(data[at : at + 7])
        while (message := reader.take()) is not None:
            said.append(message)
    introduced = [message.word for message in said[:4]] == list(BEFORE)
    view = View({message.word: message for message in said[:4]}, 20) if introduced else None
    for message in said:
        if message.word == "MOV":
            _known_game("vampires:testmap").new().play(turn_of(message))
        elif message.word == "UPD" and view is not None:
            view.change(message.entries)
            view.position()


PLAYER_TALK = (b'{"id": 3, "moves": [1], "score": 0.5, "depth": 3}', b'{"id": 3, "error": "it fails"}')


def _hear_player(data: bytes) -> None:
    """What an agent in a process of its own says to the referee."""
    player = SubprocessPlayer.__new__(SubprocessPlayer)
    player.received, player.number = data + b"\n", 3
    try:
        read_answer(player._receive_message(0.0, 0.0), 0.1)
    except Offence:
        return


# The web.


class _Busy:
    """Workers that never have time."""

    async def run(self, job: Any) -> Any:
        raise Refused("busy", "no worker here")


def _never(game: Game, agent: str) -> "asyncio.Future[Any]":
    return asyncio.get_running_loop().create_future()


@cache
def _server() -> ServerState:
    state = ServerState(GameList())
    state.pool = _Busy()  # type: ignore[assignment]
    state.compile_agent = _never  # type: ignore[method-assign]
    return state


MESSAGES = tuple(
    json.dumps(message).encode()
    for message in (
        {"type": "new", "id": 1, "game": "breakthrough", "first": "human", "second": "engine:level=4", "seconds": 1},
        {"type": "new", "game": "wolves", "first": "human", "second": "human", "clock": 60, "increment": 1},
        {"type": "play", "id": 2, "move": "a7-a6", "ply": 1},
        {"type": "replay", "id": 3, "record": '[Format "1"]', "number": 1},
        {"type": "undo", "id": 4},
        {"type": "setup", "id": 5, "position": "7p/8/8/8/8/8/P7/8 w 0 1"},
        {"type": "analyse", "id": 6, "seconds": 1, "lines": 2, "on": True},
        {"type": "record", "id": 7, "format": "text"},
        {"type": "compose", "pieces": ["P"] + [""] * 62 + ["p"], "turn": 0, "id": 8},
        {"type": "odds", "moves": "a7-a6"},
        {"type": "moves", "id": 9},
        {"type": "back", "ply": 0},
        {"type": "players", "first": "engine:level=3,hash=16", "second": "human", "pace": 0.5},
        {"type": "resign", "side": 0},
        {"type": "tree", "path": ["a7-a6"], "depth": 2, "breadth": 3},
        {"type": "explain", "heuristic": None, "id": "x"},
        {"type": "hint", "seconds": 1.0},
    )
)  # fmt: skip


def _visit(data: bytes) -> None:
    asyncio.run(_answer(parse_message(data, 1 << 20)))


def _check_facts(facts: dict[str, Any]) -> None:
    """What is sent can be sent."""
    json.dumps(facts, allow_nan=False).encode()


async def _answer(message: dict[str, Any]) -> None:
    session = Session(_server(), _check_facts)
    try:
        for before in ({"type": "new", "game": "breakthrough", "second": "human"}, {"type": "play", "move": "a2-a3"}):
            await requests.answer(session, before)
        await requests.answer(session, message)
    finally:
        await session.close()


FLOW = tuple(
    verb + b" " + json.dumps({"board": "A__A\nB__B", "seconds": 1, "size": "5x5", "filling": "AAAA\nBBBB"}).encode()
    for verb in (b"parse", b"solve", b"hint", b"generate", b"judge", b"rate", b"watch")
)


def _ask_flow(data: bytes) -> None:
    verb, _, body = data.partition(b" ")
    flow_requests.check(verb.decode(errors="replace"), parse_message(body, 1 << 20))


HEADS = (b"localhost\nhttp://localhost", b"127.0.0.1:8300\nhttp://127.0.0.1:8300", b"[::1]:80\nhttps://[::1]:80")


def _knock(data: bytes) -> None:
    """Only a name of ours gets in, and from a page of ours."""
    host, _, origin = data.partition(b"\n")
    guard = Guard(lambda scope, receive, send: None, "127.0.0.1", 1000)  # type: ignore[arg-type, return-value]
    scope = {"type": "http", "method": "POST", "headers": [(b"host", host), (b"origin", origin)]}
    if guard._refusal(scope) is None:
        name = host.decode("latin-1").lower()
        assert re.fullmatch(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?", name), name
        assert origin.decode("latin-1").lower() in (f"http://{name}", f"https://{name}")


def _read_json(data: bytes) -> None:
    try:
        json.dumps(parse_json(data), allow_nan=False, ensure_ascii=False).encode()
    except BadJson:
        return


def _lines(*lines: bytes) -> Callable[[], list[bytes]]:
    return lambda: list(lines)


TARGETS = (
    Target(name="game", make_seeds=lambda: [text.encode() for text in GAMES], read=_in_text(_read_game)),
    Target(
        name="position",
        make_seeds=lambda: [f"{here.game.text}|{here.text}".encode() for here in _walks()],
        read=_in_text(_read_position),
    ),
    Target(
        name="moves",
        make_seeds=lambda: [f"{here.game.text}|{here.line}".encode() for here in _walks()],
        read=_in_text(_read_moves),
    ),
    Target(name="agent", make_seeds=_lines(*AGENTS), read=_in_text(agents.read)),
    Target(name="json", make_seeds=lambda: [*_records()[:5], *MESSAGES], read=_read_json),
    Target(name="record-text", make_seeds=_text_records, read=_in_file(_read_record)),
    Target(name="record-json", make_seeds=_records, read=_in_file(_read_record)),
    Target(name="openings", make_seeds=_lines(b"a2-a3 b7-b6 # one\n\nb2-b3\n"), read=_in_file(_read_openings)),
    Target(name="flow-pack", make_seeds=_packs, read=_in_file(_read_pack)),
    Target(name="flow-board", make_seeds=_boards, read=_in_text(_read_board)),
    Target(name="map", make_seeds=_maps, read=lambda data: maps.read_xml(data, "map")),
    Target(name="proof", make_seeds=_proofs, read=_in_file(_check_proof), mend=_seal),
    Target(name="progress", make_seeds=_progress, read=_in_file(_load_progress), mend=_seal),
    Target(
        name="table-sorted",
        make_seeds=lambda: [_table_of(SMALL_SORTED)],
        read=_in_file(_open_table(SMALL_SORTED)),
        mend=_sum_table,
    ),
    Target(
        name="table-indexed",
        make_seeds=lambda: [_table_of(SMALL_INDEXED)],
        read=_in_file(_open_table(SMALL_INDEXED)),
        mend=_sum_table,
    ),
    Target(name="journal", make_seeds=_journal, read=_in_file(_read_journal)),
    Target(name="net", make_seeds=_net, read=_in_file(lambda path: nets.load(path, _table_game(SMALL_SORTED)))),
    Target(name="puzzles", make_seeds=_puzzles, read=_in_file(_read_puzzles)),
    Target(name="shared-tables", make_seeds=_table_rows, read=_in_file(_read_tables)),
    Target(name="store", make_seeds=_store, read=_in_file(_read_store)),
    Target(name="contest", make_seeds=_contest_facts, read=_edit_store),
    Target(name="findings", make_seeds=_lines(*FINDINGS), read=_in_file(reproduction._read)),
    Target(name="engine-talk", make_seeds=_lines(*ENGINE_TALK), read=_in_text(_talk)),
    Target(
        name="engine-command",
        make_seeds=_lines(*ENGINE_COMMANDS),
        read=_in_text(_read_command),
    ),
    Target(name="guest-talk", make_seeds=_lines(*GUEST_TALK), read=_in_text(_hear_guest)),
    Target(name="vampires-wire", make_seeds=_wire, read=_hear),
    Target(
        name="player-talk", make_seeds=_lines(b'{"id": 3, "moves": [1], "score": 0.5, "depth": 3}'), read=_hear_player
    ),
    Target(name="web-message", make_seeds=_lines(*MESSAGES), read=_visit),
    Target(name="web-flow", make_seeds=_lines(*FLOW), read=_ask_flow),
    Target(name="web-guard", make_seeds=_lines(*HEADS), read=_knock),
)

"""What a worker process does: move, hint, analyse, explain, grow a tree, replay, and puzzles."""

import os
import time
from collections.abc import Callable

from kibitz import agents, nets
from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.games import catalog
from kibitz.nets.explanation import NetExplanation
from kibitz.nets.explanation import explain as explain_net
from kibitz.puzzles import flow
from kibitz.search.engine import Engine
from kibitz.search.report import WIN, Report, Score
from kibitz.search.tree import Node, grow_tree
from kibitz.tables.errors import NoTable
from kibitz.tables.lookup import look_up
from kibitz.tables.probe_table import find_probe_table
from kibitz.tables.table import Value
from kibitz.web.api.facts import Facts, gesture_facts, line_facts, outcome_facts, pieces_of, score_facts
from kibitz.web.api.refusals import Refused
from kibitz.web.export.game import ExportedGame, keep_for_browsers
from kibitz.web.session.records import read_record
from kibitz.web.workers import explorer, flow_jobs, puzzle_jobs, tournaments
from kibitz.web.workers.cache import WorkerCache, find_table
from kibitz.web.workers.compiler import ANALYSIS, TABLE
from kibitz.web.workers.odds import odds_facts

Begin = Callable[[], None]
Tell = Callable[[Facts], None]
Job = Callable[[WorkerCache, Facts, Begin, Tell], Facts]

BEHIND_OTHERS = 10  # the niceness of what makes modules: who plays meanwhile goes first
STREAM = 0.1  # seconds between two messages of an analysis


def prepare(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """Compile what an agent needs, so that every worker finds it on disk. The agent itself is thrown away."""
    game = catalog.load(given["game"])
    chosen = nets.find_heuristic(game)
    if given["agent"] == ANALYSIS:
        Engine(game, chosen, megabytes=1)
        return {"table": find_table(game) is not None}
    if given["agent"] == TABLE:
        Engine(game, chosen, perfect=find_probe_table(game), megabytes=1)
        table = find_table(game)
        assert table is not None
        table.probe(game.new().state)
    else:
        agents.agent(given["agent"], game)
    return {}


def prepare_module(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """Make what a browser needs to play the game by itself, and say under which names the cache has it."""
    os.setpriority(os.PRIO_PROCESS, 0, BEHIND_OTHERS)
    game = catalog.load(given["game"])
    made = ExportedGame(game, nets.find_heuristic(game))
    return {"files": keep_for_browsers(made), "exact": find_table(game) is not None}


def prepare_flow(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """Compile what Flow puzzles need."""
    flow.warm()
    return {}


def move(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """An agent's turn."""
    agent, here = cache.agent(given["game"], given["agent"]), cache.position(given)
    begin()
    began = time.perf_counter()
    report = agent.choose(here, Limit(**given["limit"]))
    return _turn(here, report, time.perf_counter() - began)


def _turn(here: Position, report: Report, seconds: float) -> Facts:
    if not report.moves:
        raise Refused("agent-failed", f"the agent of {here.to_move} gives no move")
    return {
        "codes": [int(code) for code in report.moves],
        "score": None if report.score is None else report.score.value,
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": seconds,
    }


def hint(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """What the best agent would play, with its line."""
    agent, here = cache.agent(given["game"], given["agent"]), cache.position(given)
    begin()
    report = agent.choose(here, Limit(**given["limit"]))
    moves, there = [], here
    for code in report.moves:
        moves.append(gesture_facts(here.game, there.state, int(code)))
        there = there.play(int(code))
    score = report.score
    return {
        "moves": moves,
        "text": "+".join(told["text"] for told in moves),
        "score": None if score is None else str(score),
        "side": here.turn,
        "line": report.lines[0].text if report.lines else "",
        "remarks": list(report.remarks),
    }


def analyse(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """A search that tells what it knows after every depth, not oftener than a page can show."""
    engine, here = cache.engine(given["game"], given["exact"]), cache.position(given)
    exact = exact_values(cache, given["game"], here) if given["exact"] else None
    first = {"explain": explanation(here, None), "exact": exact}
    begin()
    said = [0.0]

    def watch(report: Report) -> None:
        if time.perf_counter() - said[0] >= STREAM:
            said[0] = time.perf_counter()
            tell(analysis(engine, here, report, exact) | first)

    report = engine.search(here, Limit(**given["limit"]), lines=given["lines"], watch=watch)
    return analysis(engine, here, report, exact) | first


def analysis(engine: Engine, here: Position, report: Report, exact: Facts | None) -> Facts:
    """A report on a position, for a page; what a table of perfect play knows goes before what a search thinks."""
    score = report.score
    assert score is not None
    known = {} if exact is None else {"share": exact_share(exact["value"], here.turn)}
    return (
        score_facts(score, here.turn, engine.heuristic)
        | known
        | {
            "depth": report.depth,
            "lines": [line_facts(here, line, engine.heuristic) for line in report.lines],
            "nodes": report.nodes,
            "nps": round(report.nodes_per_second),
            "seconds": round(report.seconds, 3),
            "remarks": list(report.remarks),
        }
    )


def explain(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """The heuristic term by term."""
    here = cache.position(given)
    begin()
    told = explanation(here, given["heuristic"])
    if told is None:
        raise Refused("bad-option", f"{here.game.rulebook.name} has no heuristic, so there is nothing to explain")
    return told


def explanation(here: Position, name: str | None) -> Facts | None:
    """What a heuristic sees in a position; None in a game without any."""
    found = nets.find_heuristic(here.game, name)
    if found.network is not None:
        return _network_facts(explain_net(found, here))
    told = found.explain(here, 0 if here.turn == CHANCE else here.turn)
    if not told.rows:
        return None
    rows = [
        {"feature": feature, "count": count, "weight": weight, "score": count * weight}
        for feature, count, weight in told.rows
    ]
    return {"heuristic": told.heuristic, "side": told.view, "rows": rows, "total": told.total}


def _network_facts(told: NetExplanation) -> Facts:
    """What each piece is worth to a learned evaluation, in per cent of its side's chances, the most first."""
    cells = told.layout.cells
    rows = [
        {"feature": f"{one.name} {cells[one.cell].name}", "count": 1, "weight": one.percent, "score": one.percent}
        for one in sorted(told.worths, key=lambda one: -one.percent)
    ]
    worths = [{"cell": one.cell, "percent": round(one.percent, 1)} for one in told.worths]
    facts = {"heuristic": f"{told.heuristic}, per cent", "side": told.view, "rows": rows, "total": told.percent}
    return {**facts, "worths": worths}


def exact_values(cache: WorkerCache, text: str, here: Position) -> Facts | None:
    """What a perfect-play table knows of a position and its moves, the best first; None where there is no table."""
    table = cache.table(text)
    if table is None:
        return None
    try:
        view = look_up(here, table)
    except NoTable:
        return None
    moves = [{"text": word, **value_facts(value, here.turn)} for word, value in view.moves]
    return value_facts(view.value, here.turn) | {"moves": moves}


def value_facts(value: Value, side: int) -> Facts:
    """A table's value as this side sees it, and the turns until the end."""
    if value.winner is None:
        return {"value": "draw", "distance": None}
    return {"value": "win" if value.winner == side else "loss", "distance": value.turns}


def exact_share(value: str, turn: int) -> float:
    """What the first side may expect of a solved position."""
    mine = {"win": 1.0, "draw": 0.5, "loss": 0.0}[value]
    return mine if turn == 0 else 1 - mine


def tree(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """A small alpha-beta tree."""
    here = cache.position(given)
    chosen = nets.find_heuristic(here.game, given["heuristic"])
    begin()
    root = grow_tree(here, given["depth"], given["breadth"], chosen)
    if given["path"] is None:
        return {"root": node_facts(root, 99)}
    node = root
    for word in given["path"]:
        found = next((child for child in node.children if child.move == word), None)
        if found is None:
            raise Refused("illegal-move", f"the tree has no branch {word!r} there")
        node = found
    return {"root": node_facts(node, 1)}


def node_facts(node: Node, levels: int) -> Facts:
    """A node and so many levels below it."""
    return {
        "move": node.move,
        "maximising": node.maximising,
        "alpha": None if node.alpha <= -WIN else node.alpha,
        "beta": None if node.beta >= WIN else node.beta,
        "value": node.value,
        "cut": node.value is None,
        "best": node.best,
        "left_out": node.left_out,
        "inner": len(node.children),
        "children": [node_facts(child, levels - 1) for child in node.children] if levels else [],
    }


def odds(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """What chance may make of some moves."""
    here = cache.position(given)
    begin()
    return odds_facts(here, given["moves"])


def replay(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
    """The frames of a record, turn by turn."""
    here = cache.game(given["game"]).position(given["start"])
    begin()
    frames = [_frame(here, here, {"text": "", "side": None})]
    for number, ply in enumerate(given["plies"], 1):
        try:
            after = here.play(ply["text"])
        except KibitzError as problem:
            raise Refused("bad-record", f"ply {number} {ply['text'][:40]!r} cannot be played: {problem}") from None
        frames.append(_frame(here, after, ply))
        here = after
    return {"frames": frames}


def _frame(before: Position, after: Position, ply: Facts) -> Facts:
    trail = []
    for position in after.trail():
        if position is before:
            break
        trail.append(position)
    gestures = []
    odds = None
    for position in reversed(trail):
        came = position.before
        assert came is not None
        assert position.last_move is not None
        if came.turn == CHANCE:
            gestures.append(outcome_facts(came.game, came.state, position.last_move))
            odds = next(chance for chance, code in came.game.outcomes(came.state) if code == position.last_move)
        else:
            gestures.append(gesture_facts(came.game, came.state, position.last_move))
    return ply | {
        "position": after.text,
        "pieces": pieces_of(after),
        "turn": after.turn,
        "gestures": gestures,
        "odds": odds,
        "win_in": None if ply.get("score") is None else Score.read(ply["score"], "").win_in,
    }


def plain(verb: Callable[[Facts], Facts]) -> Job:
    """A job that needs nothing of the cache, such as a puzzle's."""

    def job(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
        begin()
        return verb(given)

    return job


def with_cache(verb: Callable[[WorkerCache, Facts], Facts]) -> Job:
    """A job that needs games and engines and says nothing on its way."""

    def job(cache: WorkerCache, given: Facts, begin: Begin, tell: Tell) -> Facts:
        begin()
        return verb(cache, given)

    return job


JOBS: dict[str, Job] = {
    "prepare": prepare,
    "prepare-flow": prepare_flow,
    "prepare-module": prepare_module,
    "move": move,
    "hint": hint,
    "analyse": analyse,
    "explain": explain,
    "tree": tree,
    "odds": odds,
    "replay": replay,
    "read-record": plain(read_record),
    "tournaments": plain(tournaments.list_tournaments),
    "tournament": plain(tournaments.describe_tournament),
    "tournament-news": plain(tournaments.tell_news),
    "tournament-game": plain(tournaments.open_game),
    "explore": plain(explorer.explore),
    **{f"flow-{name}": plain(verb) for name, verb in flow_jobs.VERBS.items()},
    **{f"puzzle-{name}": with_cache(verb) for name, verb in puzzle_jobs.VERBS.items()},
}

"""The report 002's vampires: its check values, a plain second version of the shipped program, and its manners."""

import math
import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from kibitz import agents
from kibitz.agents.published import assael
from kibitz.core import Game, Limit, Position
from kibitz.core.errors import BadOption, IllegalMove
from kibitz.core.result import CHANCE
from kibitz.games import breakthrough, vampires
from kibitz.games.vampires.rules import HUMANS, VAMPIRES, WEREWOLVES
from kibitz.search.report import PROVEN

Entry = tuple[int, int, int, int]  # x, y, kind, count
NAMES = ("assael2", "assael4", "assael2-shipped", "assael4-shipped")
INF = 1e4


def start(name: str, side: str) -> Position:
    """A map with either side to begin."""
    game = vampires(name)
    return game.position(f"{game.new().text[:-1]}{side}")


@pytest.mark.parametrize(
    ("name", "depth", "side", "value", "turn"),
    [
        ("thetrap", 2, "v", 0.753660, "4,3>3,2:4+end"),
        ("thetrap", 2, "w", 0.676679, "4,1>3,1:4+end"),
        ("thetrap", 4, "v", 2.871051, "4,3>5,3:4+end"),
        ("thetrap", 4, "w", 2.871051, "4,1>5,1:4+end"),
        ("testmap", 2, "v", 0.954241, "5,4>4,4:3+end"),
        ("testmap", 2, "w", 0.941406, "2,3>2,2:3+end"),
        ("testmap", 4, "v", 6.618415, "5,4>4,4:3+end"),
        ("testmap", 4, "w", 6.646606, "2,3>2,2:3+end"),
    ],
)
def test_the_shipped_program_plays_and_counts_as_it_did(
    name: str, depth: int, side: str, value: float, turn: str
) -> None:
    position = start(name, side)
    report = agents.agent(f"assael{depth}-shipped", position.game).choose(position, Limit())
    assert report.lines[0].score.value == pytest.approx(value, abs=6e-7)
    assert report.lines[0].score.side == position.to_move
    assert report.lines[0].text == turn
    assert report.depth == depth


# The shipped program a second time, with plain lists.

WAYS = {
    ("", ""): [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)],
    ("", "left"): [(0, 1), (0, -1), (1, -1), (1, 1), (1, 0)],
    ("", "right"): [(0, 1), (0, -1), (-1, 1), (-1, -1), (-1, 0)],
    ("top", ""): [(-1, 0), (1, 0), (-1, -1), (1, -1), (0, -1)],
    ("bottom", ""): [(-1, 0), (1, 0), (-1, 1), (1, 1), (0, 1)],
    ("top", "left"): [(0, -1), (1, -1), (1, 0)],
    ("top", "right"): [(-1, 0), (-1, -1), (0, -1)],
    ("bottom", "left"): [(0, 1), (1, 1), (1, 0)],
    ("bottom", "right"): [(-1, 0), (-1, 1), (0, 1)],
}  # with y up


def targets(entry: Entry, rows: int, columns: int) -> list[tuple[int, int]]:
    x, y = entry[:2]
    down = "top" if y == 0 else "bottom" if y == rows - 1 else ""
    across = "left" if x == 0 else "right" if x == columns - 1 else ""
    return [(x + dx, y - dy) for dx, dy in WAYS[down, across]]


def win(n: int, m: int) -> float:
    return 0.5 if n == m else n / (2 * m) if n < m else n / m - 0.5


def over(part: float, whole: float) -> float:
    with np.errstate(all="ignore"):
        return float(np.float64(part) / np.float64(whole))


def meeting(n: int, side: int, entry: Entry) -> tuple[Entry, Entry | None, float]:
    """What stands there, what else if the battle is lost, and the chance to win it."""
    x, y, kind, m = entry
    if m == 0:
        return (x, y, side, n), None, 1.0
    if kind == side or (kind == HUMANS and n >= m):
        return (x, y, side, n + m), None, 1.0
    if kind != HUMANS and n >= 1.5 * m:
        return (x, y, side, n), None, 1.0
    if kind != HUMANS and n <= 0.666 * m:
        return entry, None, 1.0
    chance = win(n, m)
    winners = round(chance * (n + m if kind == HUMANS else n))
    return (x, y, side, winners), (x, y, kind, round((1 - chance) * m)), chance


def after(entries: list[Entry], side: int, rows: int, columns: int) -> Iterator[tuple[list[Entry], float]]:
    groups = [entry for entry in entries if entry[2] == side and entry[3]]
    plain, risky = [], []
    for ends in product(*(targets(group, rows, columns) for group in groups)):
        fought, results, arrived = [], [], []
        old = [list(entry) for entry in entries]
        for (x, y, _, n), (tx, ty) in zip(groups, ends, strict=True):
            found = [entry for entry in entries if entry[:2] == (tx, ty)]
            for _ in range(max(1, len(found))):
                next(entry for entry in old if entry[:2] == [x, y])[3] -= n
            arrived += [] if found else [(tx, ty, side, n)]
            for entry in found:
                won, lost, chance = meeting(n, side, entry)
                if lost is not None:
                    fought.append((won, lost, chance))
                elif won not in results:
                    results.append(won)
        rest = results + arrived + [(x, y, kind, n) for x, y, kind, n in old if n]
        if not fought:
            plain.append((rest, 1.0))
            continue
        *before, (won, lost, chance) = fought
        sure = math.prod(odds for _, _, odds in before)
        winners = [first for first, _, _ in before]
        risky += [([*winners, won, *rest], sure * chance), ([*winners, lost, *rest], sure * (1 - chance))]
    yield from plain + risky


def leaf(entries: list[Entry], me: int, depth: int, rows: int, columns: int) -> float:
    def apart(one: Entry, other: Entry) -> int:
        return max(abs(one[0] - other[0]), abs(one[1] - other[1]))

    own, foes, humans = (
        [entry for entry in entries if entry[2] == kind and entry[3]]
        for kind in (me, VAMPIRES + WEREWOLVES - me, HUMANS)
    )
    if not own or not foes:
        return INF if own else -INF
    n, enemies = sum(entry[3] for entry in own), sum(entry[3] for entry in foes)
    first, far = own[0], max(rows, columns) - 1
    attack, lead, total = (5, 10, 16) if depth == 2 and me == WEREWOLVES else (10, 10, 21)
    value = 0.0
    if humans:
        most, nearest = max(entry[3] for entry in humans), min(2, len(humans))
        way = [
            apart(first, entry)
            if entry[3] <= n and all(apart(foe, entry) >= apart(first, entry) for foe in foes)
            else far
            for entry in humans
        ]
        if all(steps == far for steps in way):
            way = [apart(first, entry) for entry in humans if entry[3] <= n]
        chosen = sorted(range(len(way)), key=way.__getitem__)[:nearest]
        power = 4 if depth == 2 else 15
        pulls = [
            over(humans[index][3], most) * (1 - way[index] / (far * nearest)) ** power
            for index in chosen
            if apart(first, humans[index])
        ]
        share = over(n, n + most)
        for entry in humans:
            if not apart(first, entry):
                share = over(min(1.0, win(n, entry[3])) ** 2 * (n + entry[3]), n + most)
        value += (sum(pulls) * len(targets(first, rows, columns)) / 8 + lead * share) / total
    odds = over(n, enemies)
    for entry in foes:
        if not apart(first, entry):
            chance = min(1.0, win(n, entry[3]))
            odds = over(n * chance**2, enemies + entry[3] * ((1 - chance) ** 2 - 1))
            if not humans:
                odds = (20 if depth == 2 else 2) * (INF if over(n, enemies) < 1 else -INF)
    return value + attack * odds / total


def plain_value(
    path: list[list[Entry]], me: int, depth: int, rows: int, columns: int, odds: float, low: float, high: float
) -> float:
    entries, ply = path[-1], len(path) - 1
    if ply == depth:
        value = leaf(entries, me, depth, rows, columns)
        if depth == 4:
            root, middle, end = (sum(entry[3] for entry in path[at] if entry[2] == me) for at in (0, 2, 4))
            value *= 5 * middle / root + end / middle if root and middle else 6
        return odds * value
    ours = ply % 2 == 0
    best = -math.inf if ours else math.inf
    for child, chance in after(entries, me if ours else VAMPIRES + WEREWOLVES - me, rows, columns):
        value = plain_value([*path, child], me, depth, rows, columns, chance, low, high)
        if value > best if ours else value < best:
            best = value
        low, high = (max(low, best), high) if ours else (low, min(high, best))
        if low >= high:
            break
    return best


def scattered(seed: int) -> Position:
    """Two groups of each side at most on thetrap's grid, and some humans."""
    dice = random.Random(seed)
    cells = ["1"] * 50
    homes = dice.sample(range(50), 6)
    kinds = ["v", "w", "h", dice.choice("hv"), dice.choice("hw"), "h"]
    for home, kind in zip(homes, kinds, strict=True):
        cells[home] = f"{kind}{dice.randint(1, 3)}"
    board = "/".join(",".join(cells[at : at + 10]) for at in range(0, 50, 10))
    return vampires(map="thetrap").position(f"{board} {dice.choice('vw')}")


@pytest.mark.parametrize("seed", [*range(14), 27])
def test_the_compiled_search_agrees_with_the_plain_one(seed: int) -> None:
    position = scattered(seed)
    entries = [(cell % 10, cell // 10, kind, count) for cell, kind, count in assael.list_cells(position)]
    own = [entry for entry in entries if entry[2] == VAMPIRES + position.turn]
    near = any(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a in own for b in own)
    depth = 4 if len(own) == 1 and len([entry for entry in entries if entry[2] > HUMANS]) == 2 else 2
    report = agents.agent(f"assael{depth}-shipped", position.game).choose(position, Limit())
    value = plain_value([entries], VAMPIRES + position.turn, depth, 5, 10, 1.0, -math.inf, math.inf)
    if not near:  # else the program may prefer a turn that it must not play
        assert report.lines[0].score.value == pytest.approx(max(1 - PROVEN, min(value, PROVEN - 1)), rel=1e-9)


# The list, the limits, the manners.


def test_the_list_begins_as_the_map_and_what_changes_goes_to_its_end() -> None:
    position = vampires("testmap").new()
    assert [cell for cell, _, _ in assael.list_cells(position)] == [14, 20, 28, 29]
    later = position.play("5,4>5,3:3+end 2,3>2,2:3+end")
    assert assael.list_cells(later) == [
        (28, HUMANS, 1), (14, WEREWOLVES, 4), (20, 0, 0), (23, VAMPIRES, 3), (29, 0, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_agent_keeps_groups_whole_and_plays_a_game_to_its_end(name: str) -> None:
    game = vampires("testmap", plies=8)
    agent, dice = agents.agent(name, game), random.Random(1)
    position = game.new()
    while not position.over:
        if position.turn == CHANCE:
            position = position.roll(dice)
            continue
        moves = agent.choose(position, Limit()).moves
        assert len(moves) == 2
        assert moves[0] & 255 == int(position.state.cells[moves[0] >> 11]) & 255
        for move in moves:
            position = position.play(move)


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_sends_and_receives(name: str) -> None:
    position = vampires().position("v2,v2,8/10/2,h1,7/10/8,w3,1 v")
    report = agents.agent(name, position.game).choose(position, Limit(depth=2))
    assert len(report.moves) == 3


@pytest.mark.parametrize("name", NAMES)
def test_a_search_that_is_stopped_has_a_turn(name: str) -> None:
    position = vampires("testmap2").new()
    agent = agents.agent(name, position.game)
    first = agent.choose(position, Limit(nodes=1))
    assert first.nodes == 1
    assert position.play(first.moves[0]).play(first.moves[1]).turn != position.turn
    assert agent.choose(position, Limit(nodes=30)).nodes <= 30
    assert agent.choose(position, Limit(depth=1)).depth == 1


def test_groups_that_have_no_turn_of_their_own_still_move(tmp_path: Any) -> None:
    path = tmp_path / "narrow.xml"
    path.write_text(
        '<Map Rows="1" Columns="3"><Vampires X="0" Y="0" Count="4"/><Werewolves X="2" Y="0" Count="9"/></Map>'
    )
    position = vampires(map=str(path)).position("v2,v2,w9 v")
    report = agents.agent("assael2", position.game).choose(position, Limit())
    for move in report.moves:
        position = position.play(move)
    assert position.turn != 0


def test_as_meant_eaten_humans_are_gone() -> None:
    game: Game = vampires("testmap")
    position = game.position("w3,h1,4/6/6/6/4,v3,1 w")
    meant = agents.agent("assael2", game).choose(position, Limit()).lines[0].score.value
    shipped = agents.agent("assael2-shipped", game).choose(position, Limit()).lines[0].score.value
    assert meant < shipped


def test_a_begun_turn_is_ended() -> None:
    position = vampires().new().play("4,3>5,3:2")
    assert agents.agent("assael2", position.game).choose(position, Limit()).moves == (0,)


def test_a_finished_game_and_other_games_are_refused() -> None:
    with pytest.raises(BadOption, match="agent assael2 plays vampires, not breakthrough"):
        agents.agent("assael2", breakthrough())
    over_now = vampires("testmap").position("v3,5/6/6/6/6 v")
    with pytest.raises(IllegalMove, match="the game is over"):
        agents.agent("assael2", over_now.game).choose(over_now, Limit())


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_an_agent_leads_back_to_it(name: str) -> None:
    assert str(agents.read(name)) == name

"""Vampires against werewolves: counts and formulas, battles coin by coin, and a second set of rules in plain words."""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kibitz.core import Game, Position, Result
from kibitz.core.errors import BadMap, BadOption, BadPosition, IllegalMove
from kibitz.core.options import split
from kibitz.core.result import CHANCE, FIRST, SECOND
from kibitz.games import vampires
from kibitz.games.vampires.maps import KNOWN, LARGEST_FILE, MOST, Group, Map, random_map, read_xml, write_xml

COUNTS = Path(__file__).parents[1] / "perft" / "vampires.txt"
PAGE = Path(__file__).parents[2] / "docs" / "games" / "vampires.md"
MOST_COUNTED = 5000  # lines that plain Python counts in a moment; the longer counts are for compiled rules

Field = Callable[..., Game]
Place = tuple[int, int]
Board = dict[Place, tuple[str, int]]
Turn = dict[tuple[Place, Place], int]

fuzzed = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def load(text: str) -> Game:
    spec = split(text)
    return vampires(spec.preset, **dict(spec.pairs))


@pytest.fixture(scope="session")
def field(tmp_path_factory: pytest.TempPathFactory) -> Field:
    """Games on grids of any size, with so many creatures on the map that every position is possible."""
    folder = tmp_path_factory.mktemp("maps")

    def made(rows: int, columns: int, **options: Any) -> Game:
        places = [(x, y) for y in range(rows) for x in range(columns)][:MOST]
        first, second, *others = [Group(x, y, 255) for x, y in places]
        path = folder / f"{rows}x{columns}.xml"
        path.write_text(write_xml(Map(rows, columns, tuple(others), first, second)))
        return vampires(map=str(path), **options)

    return made


def turns(game: Game, state: Any) -> Iterator[Any]:
    """The states after each turn, every turn once."""
    for move in game.rulebook.moves_once(state, game.rules):  # type: ignore[misc]
        after = game.play(state, move)
        if move == 0:
            yield after
        else:
            yield from turns(game, after)


def results(game: Game, state: Any, chance: float = 1.0) -> dict[str, float]:
    """When the battles are over: each state there may be, as text, with its probability."""
    if game.turn(state) != CHANCE:
        return {game.write(state): chance}
    found: dict[str, float] = defaultdict(float)
    for odds, outcome in game.outcomes(state):
        for text, part in results(game, game.play(state, outcome), chance * odds).items():
            found[text] += part
    return dict(found)


def lines(game: Game, state: Any, depth: int) -> int:
    if game.result(state):
        return 0
    after = list(turns(game, state))
    if depth == 1:
        return len(after)
    return sum(lines(game, game.position(text).state, depth - 1) for end in after for text in results(game, end))


def wander(position: Position, dice: random.Random) -> Iterator[Position]:
    """The positions of a random game."""
    while True:
        yield position
        if position.over:
            return
        if position.turn == CHANCE:
            position = position.roll(dice)
        elif position.move_ids[0] == 0 and dice.random() < 0.5:
            position = position.play("end")
        else:
            position = position.play(dice.choice(position.move_ids))


def battle(game: Game, attackers: str, defenders: str) -> Position:
    """All of the first group have attacked the second, on a grid of three cells with an enemy at the end."""
    enemy = "w" if attackers[0] == "v" else "v"
    position = game.position(f"{attackers},{defenders},{enemy}1 {attackers[0]}")
    return position.play(f"0,0>1,0:{attackers[1:]}+end")


def odds_of(position: Position) -> dict[str, float]:
    """What may come of a battle, as `v3`, `h2` or `0`."""
    outcomes = [(text.partition(":")[2], chance) for chance, text in position.outcomes()]
    assert len({text for text, _ in outcomes}) == len(outcomes)
    return dict(outcomes)


def win(attackers: int, defenders: int) -> Fraction:
    ratio = Fraction(attackers, defenders)
    return ratio / 2 if ratio <= 1 else ratio - Fraction(1, 2)


# The rules a second time, in plain words and slowly.


def neighbours(place: Place, rows: int, columns: int) -> list[Place]:
    x, y = place
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    return [(x, y) for x, y in around if 0 <= x < columns and 0 <= y < rows]


def is_allowed(turn: Turn, board: Board, mine: str) -> bool:
    sent: Counter[Place] = Counter()
    came: Counter[Place] = Counter()
    for (origin, target), count in turn.items():
        sent[origin] += count
        came[target] += count
    for place, count in sent.items():
        if board.get(place, ("", 0))[0] != mine or count > board[place][1] or place in came:
            return False
    for place, count in came.items():
        kind, there = board.get(place, ("", 0))
        joins = kind == mine or (kind == "h" and count >= there)
        if count > 255 or (joins and count + there > 255):
            return False
    return bool(turn)


def all_turns(board: Board, mine: str, rows: int, columns: int) -> list[Turn]:
    ways = [(place, to) for place in board if board[place][0] == mine for to in neighbours(place, rows, columns)]
    counts = [range(board[place][1] + 1) for place, _ in ways]
    drawn = ({way: count for way, count in zip(ways, some, strict=True) if count} for some in product(*counts))
    return [turn for turn in drawn if is_allowed(turn, board, mine)]


def coin_by_coin(creatures: int, chance: Fraction) -> dict[int, Fraction]:
    """How many live when a coin is thrown for each."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for coins in product((True, False), repeat=creatures):
        found[sum(coins)] += math.prod(chance if lives else 1 - chance for lives in coins)
    return found


def fight(n: int, mine: str, kind: str, m: int, rule: str) -> dict[tuple[str, int], Fraction]:
    """What may stand on a cell that n of mine come to, and how likely it is."""
    if kind == "":
        return {(mine, n): Fraction(1)}
    if kind == mine or (kind == "h" and n >= m):
        return {(mine, n + m): Fraction(1)}
    if kind != "h" and 2 * n >= 3 * m:
        return {(mine, n): Fraction(1)}
    if kind != "h" and rule == "certain_defence" and 2 * m >= 3 * n:
        return {(kind, m): Fraction(1)}
    chance = win(n, m)
    found: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    for living, odds in coin_by_coin(n + m if kind == "h" else n, chance).items():
        found[mine if living else "", living] += chance * odds
    for living, odds in coin_by_coin(m, chance if rule == "old_survival" else 1 - chance).items():
        found[kind if living else "", living] += (1 - chance) * odds
    return found


def all_results(board: Board, turn: Turn, mine: str, rule: str) -> dict[frozenset[Any], Fraction]:
    """The boards after a turn with their probabilities."""
    came: Counter[Place] = Counter()
    left = dict(board)
    for (origin, target), count in turn.items():
        came[target] += count
        left[origin] = (mine, left[origin][1] - count)
    found: dict[frozenset[Any], Fraction] = defaultdict(Fraction)
    ends = [[(place, what, odds) for what, odds in fight(n, mine, *board.get(place, ("", 0)), rule).items()]
            for place, n in came.items()]  # fmt: skip
    for some in product(*ends):
        after = left | {place: what for place, what, _ in some}
        found[frozenset(item for item in after.items() if item[1][1])] += math.prod(odds for _, _, odds in some)
    return found


def text_of(board: Board, rows: int, columns: int, side: str) -> str:
    cells = [[board.get((x, y)) for x in range(columns)] for y in range(rows)]
    return "/".join(",".join(f"{cell[0]}{cell[1]}" if cell else "1" for cell in row) for row in cells) + f" {side}"


def board_of(text: str, game: Game) -> frozenset[Any]:
    columns = game.rules.columns
    shown = enumerate(game.pieces(game.position(text).state))
    return frozenset(((at % columns, at // columns), (what[0], int(what[1:]))) for at, what in shown if what)


@st.composite
def boards(draw: st.DrawFn, rows: int, columns: int, most: int, groups: int) -> Board:
    """Both sides somewhere, and other groups."""
    places = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1))
    homes = draw(st.lists(places, min_size=2, max_size=max(2, min(groups, rows * columns)), unique=True))
    kinds = ["v", "w", *draw(st.lists(st.sampled_from("hvwh"), min_size=len(homes), max_size=len(homes)))]
    return {home: (kind, draw(st.integers(1, most))) for home, kind in zip(homes, kinds, strict=False)}


sizes = st.sampled_from([(1, 2), (1, 4), (3, 1), (2, 2), (2, 3), (3, 3)])
sides = st.sampled_from("vw")


@fuzzed
@given(st.data())
def test_turns_and_their_results_are_those_of_the_plain_rules(field: Field, data: st.DataObject) -> None:
    rows, columns = data.draw(sizes)
    board = data.draw(boards(rows, columns, most=2, groups=4))
    mine = data.draw(sides)
    rule = data.draw(st.sampled_from(["", "certain_defence", "old_survival"]))
    assume(sum(kind == mine for kind, _ in board.values()) <= 2)
    game = field(rows, columns, **{rule: True} if rule else {})
    position = game.position(text_of(board, rows, columns, mine))
    expected = all_turns(board, mine, rows, columns)
    assert len(list(turns(game, position.state))) == len(expected)
    for turn in data.draw(st.lists(st.sampled_from(expected), min_size=1, max_size=4)):
        orders = [f"{a},{b}>{c},{d}:{count}" for ((a, b), (c, d)), count in turn.items()]
        found = results(game, position.play("+".join([*data.draw(st.permutations(orders)), "end"])).state)
        plain = all_results(board, turn, mine, rule)
        assert {board_of(text, game) for text in found} == plain.keys()
        assert all(found[text] == pytest.approx(float(plain[board_of(text, game)]), abs=1e-12) for text in found)


@fuzzed
@given(st.data())
def test_an_order_may_be_added_exactly_if_the_turn_stays_allowed(field: Field, data: st.DataObject) -> None:
    rows, columns = data.draw(sizes)
    board = data.draw(boards(rows, columns, most=255, groups=6))
    mine = data.draw(sides)
    game = field(rows, columns)
    position = game.position(text_of(board, rows, columns, mine))
    turn: Turn = {}
    for _ in range(data.draw(st.integers(0, 4))):
        orders = [text for text in position.moves() if text != "end"]
        if not orders:
            break
        order = data.draw(st.sampled_from(orders))
        position = position.play(order)
        ways, count = order.split(":")
        origin, target = (tuple(map(int, place.split(","))) for place in ways.split(">"))
        turn[origin, target] = int(count)  # type: ignore[index]
    allowed = {
        f"{place[0]},{place[1]}>{to[0]},{to[1]}:{count}"
        for place in board
        for to in neighbours(place, rows, columns)
        if (place, to) not in turn
        for count in range(1, 256)
        if is_allowed({**turn, (place, to): count}, board, mine)
    }
    assert set(position.moves()) == allowed | ({"end"} if turn else set())


# Counts.


@pytest.mark.parametrize(
    ("game", "position", "numbers"),
    [line.split("|") for line in COUNTS.read_text().splitlines() if line and not line.startswith("#")],
)
def test_there_are_as_many_lines_as_on_file(game: str, position: str, numbers: str) -> None:
    rules = load(game)
    begin = rules.new() if position.strip() == "-" else rules.position(position)
    for depth, number in enumerate(map(int, numbers.split()), 1):
        if number <= MOST_COUNTED:
            assert lines(rules, begin.state, depth) == number


@pytest.mark.parametrize(("x", "y", "ways"), [(1, 1, 8), (2, 2, 8), (1, 0, 5), (3, 2, 5), (0, 3, 3), (3, 0, 3)])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_lone_group_has_as_many_turns_as_the_binomial_says(
    field: Field, x: int, y: int, ways: int, count: int
) -> None:
    board = {(x, y): ("w", count), (x ^ 2, y ^ 2): ("v", 3)}
    state = field(4, 4).position(text_of(board, 4, 4, "w")).state
    assert len(list(turns(field(4, 4), state))) == math.comb(count + ways, ways) - 1


@fuzzed
@given(st.data())
def test_several_groups_have_as_many_turns_as_the_formula_says(field: Field, data: st.DataObject) -> None:
    board = data.draw(boards(3, 4, most=3, groups=5))
    own = [place for place, (kind, _) in board.items() if kind == "v"]
    expected = 0
    for size in range(1, len(own) + 1):
        for senders in combinations(own, size):
            free = [len(set(neighbours(place, 3, 4)) - set(senders)) for place in senders]
            ways = zip(senders, free, strict=True)
            expected += math.prod(math.comb(board[place][1] + m, m) - 1 for place, m in ways)
    assume(expected < 4000)
    game = field(3, 4)
    assert len(list(turns(game, game.position(text_of(board, 3, 4, "v")).state))) == expected


def test_each_turn_is_built_in_one_sequence_only() -> None:
    game = vampires("testmap")
    state = game.position("v1,v1,4/6/6/6/5,w2 v").state
    built = [game.write(after) for after in turns(game, state)]
    listed = {
        tuple(sorted(map(str, turn.items()))) for turn in all_turns({(0, 0): ("v", 1), (1, 0): ("v", 1)}, "v", 5, 6)
    }
    assert len(built) == len(listed) > len(set(built))


# Turns.


def test_the_start_is_written_as_in_the_rulebook() -> None:
    position = vampires().new()
    assert position.text == "9,h2/4,w4,5/2,h4,6,h1/4,v4,5/9,h2 v"
    assert position.to_move == "vampires"
    assert len(position.moves()) == 32


def test_orders_in_any_sequence_reach_the_same_state() -> None:
    start = vampires().new()
    there = start.play("4,3>5,3:2+4,3>4,2:1+4,3>3,4:1")
    back = start.play("4,3>3,4:1+4,3>4,2:1+4,3>5,3:2")
    assert there == back
    assert there.text.endswith("v orders=4,3>4,2:1+4,3>5,3:2+4,3>3,4:1")
    assert there.play("end") == back.play("end")
    assert there.play("end").text == "9,h2/4,w4,5/2,h4,1,v1,4,h1/5,v2,4/3,v1,5,h2 w"


def test_a_turn_has_at_least_one_order() -> None:
    with pytest.raises(IllegalMove, match="illegal move 'end'"):
        vampires().new().play("end")


def test_an_order_for_the_same_way_is_given_once() -> None:
    position = vampires().new().play("4,3>5,3:1")
    assert not [text for text in position.moves() if text.startswith("4,3>5,3:")]


def test_no_cell_sends_and_receives_in_one_turn(field: Field) -> None:
    position = field(1, 4).position("v2,v2,1,w1 v").play("1,0>2,0:1")
    assert position.moves() == ["1,0>0,0:1", "end"]
    position = field(1, 4).position("v2,v2,1,w1 v").play("0,0>1,0:1")
    assert position.moves() == ["end"]


def test_all_orders_are_judged_on_the_position_before_the_turn(field: Field) -> None:
    position = field(1, 4).position("v5,w3,v5,1 v").play("0,0>1,0:2+2,0>1,0:3+end")
    assert position.text == "v3,v5,v2,1 w"
    assert position.result is Result.FIRST_WINS


@pytest.mark.parametrize(
    ("board", "most"),
    [
        ("v250,w9", 250),  # enemies: as many as there are
        ("v250,v9", 246),  # joined
        ("v250,h9", 246),  # bitten
        ("v250,h127", 128),
        ("v250,h128", 127),  # 128 would bite 128
        ("v250,h255", 250),  # a battle, of which no more than 255 come back
        ("v255,1", 255),
    ],
)
def test_no_cell_comes_to_hold_more_than_255(field: Field, board: str, most: int) -> None:
    moves = field(2, 2).position(f"{board}/w1,1 v").moves()
    assert max(int(text.partition(":")[2]) for text in moves if text.startswith("0,0>1,0:")) == most


def test_no_more_than_255_come_to_a_cell_together(field: Field) -> None:
    position = field(1, 4).position("v200,w150,v200,1 v").play("0,0>1,0:155")
    assert max(int(text.partition(":")[2]) for text in position.moves() if text.startswith("2,0>1,0:")) == 100


# Battles.


@pytest.mark.parametrize(
    ("attackers", "defenders", "after"),
    [("v3", "h3", "v6"), ("v3", "w2", "v3"), ("w3", "v2", "w3"), ("w128", "h127", "w255"), ("v6", "w4", "v6")],
)
def test_the_stronger_army_loses_nobody(field: Field, attackers: str, defenders: str, after: str) -> None:
    assert battle(field(1, 3), attackers, defenders).text.startswith(f"1,{after},")


@pytest.mark.parametrize(("attackers", "defenders"), [("v2", "h3"), ("v4", "w3"), ("w2", "v2"), ("w1", "v200")])
def test_weaker_attackers_throw_dice(field: Field, attackers: str, defenders: str) -> None:
    position = battle(field(1, 3), attackers, defenders)
    assert position.turn == CHANCE
    assert position.text.startswith(f"1,{defenders},")
    assert position.text.endswith(f" {attackers[0]} battles=1,0:{attackers[1:]}")
    assert position.moves() == []
    assert not position.over


def test_one_against_one_is_three_to_one_for_somebody_to_live(field: Field) -> None:
    assert odds_of(battle(field(1, 3), "v1", "w1")) == {"v1": 0.25, "w1": 0.25, "0": 0.5}


@pytest.mark.parametrize("kind", ["h", "w"])
@pytest.mark.parametrize("rule", ["", "old_survival"])
@pytest.mark.parametrize(("n", "m"), [(1, 2), (1, 4), (2, 3), (3, 4), (2, 5), (4, 5)])
def test_odds_are_those_of_a_coin_for_each_creature(field: Field, kind: str, rule: str, n: int, m: int) -> None:
    found = odds_of(battle(field(1, 3, **{rule: True} if rule else {}), f"v{n}", f"{kind}{m}"))
    plain = {f"{who}{count}": float(chance) for (who, count), chance in fight(n, "v", kind, m, rule).items()}
    assert found == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize(("n", "kind", "m"), [(40, "h", 90), (100, "w", 70), (20, "w", 200), (127, "h", 128)])
def test_large_battles_have_the_odds_of_the_binomial(field: Field, n: int, kind: str, m: int) -> None:
    found = odds_of(battle(field(1, 3), f"v{n}", f"{kind}{m}"))
    chance, trials = win(n, m), n + m if kind == "h" else n
    for living in range(1, trials + 1):
        exact = chance * math.comb(trials, living) * chance**living * (1 - chance) ** (trials - living)
        assert found.get(f"v{living}", 0) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)
    for living in range(1, m + 1):
        exact = (1 - chance) * math.comb(m, living) * (1 - chance) ** living * chance ** (m - living)
        assert found.get(f"{kind}{living}", 0) == pytest.approx(float(exact), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("kind", ["h", "w"])
@pytest.mark.parametrize(("n", "m"), [(1, 2), (3, 5), (30, 40), (1, 255), (100, 101), (120, 135), (254, 255), (7, 200)])
def test_probabilities_sum_to_one_and_means_are_the_squares(field: Field, kind: str, n: int, m: int) -> None:
    found = odds_of(battle(field(1, 3), f"v{n}", f"{kind}{m}"))
    assert math.fsum(found.values()) == pytest.approx(1, abs=1e-12)
    assert min(found.values()) > 0
    chance = float(win(n, m))
    living = {who: math.fsum(odds * int(text[1:]) for text, odds in found.items() if text[0] == who) for who in "vhw"}
    army = n + m if kind == "h" else n
    if army <= 255:
        assert living["v"] == pytest.approx(chance**2 * army, rel=1e-12)
    assert living[kind] == pytest.approx((1 - chance) ** 2 * m, rel=1e-12)


def test_255_against_255_has_sound_odds(field: Field) -> None:
    found = odds_of(battle(field(1, 3), "v255", "w255"))
    assert math.fsum(found.values()) == pytest.approx(1, abs=1e-12)
    assert found["v1"] == pytest.approx(float(Fraction(255, 2**256)), rel=1e-9)
    assert found["0"] == pytest.approx(2.0**-255, rel=1e-9)


def test_of_those_who_live_no_more_than_255_stay(field: Field) -> None:
    found = odds_of(battle(field(1, 3), "v254", "h255"))
    chance = win(254, 255)
    exact = sum(math.comb(509, living) * chance**living * (1 - chance) ** (509 - living) for living in range(255, 510))
    assert found["v255"] == pytest.approx(float(chance * exact), rel=1e-9)
    assert "v256" not in found


def test_hopeless_attackers_die_for_certain_only_by_that_option(field: Field) -> None:
    assert battle(field(1, 3), "v2", "w3").turn == CHANCE
    position = battle(field(1, 3, certain_defence=True), "v2", "w3")
    assert position.text == "1,w3,w1 w"
    assert position.result is Result.SECOND_WINS
    assert battle(field(1, 3, certain_defence=True), "v3", "w4").turn == CHANCE
    assert battle(field(1, 3, certain_defence=True), "v1", "h4").turn == CHANCE


def test_battles_are_fought_in_row_order(field: Field) -> None:
    position = field(3, 3).position("w3,1,h3/1,v9,1/h4,1,w4 v").play("1,1>2,2:3+1,1>2,0:2+1,1>0,2:1+1,1>0,0:3+end")
    assert position.text == "w3,1,h3/3/h4,1,w4 v battles=0,0:3+2,0:2+0,2:1+2,2:3"
    assert {text[:5] for _, text in position.outcomes()} == {"~0,0:"}
    position = position.play("~0,0:v3")
    assert position.text == "v3,1,h3/3/h4,1,w4 v battles=2,0:2+0,2:1+2,2:3"
    position = position.play("~2,0:h1 ~0,2:0 ~2,2:w4")
    assert position.text == "v3,1,h1/3/2,w4 w"
    assert position.line.endswith("1,1>0,0:3+end ~0,0:v3 ~2,0:h1 ~0,2:0 ~2,2:w4")


# The end.


def test_the_last_of_its_kind_loses(field: Field) -> None:
    game = field(1, 3)
    assert game.position("v1,2 w").result is Result.FIRST_WINS
    assert game.position("2,w1 v").result is Result.SECOND_WINS
    assert game.position("v1,1,w1 v").result is None


def test_werewolves_win_when_both_are_gone(field: Field) -> None:
    position = field(1, 2).position("v1,w1 v").play("0,0>1,0:1+end ~1,0:0")
    assert position.text == "2 w"
    assert position.result is Result.SECOND_WINS


def test_nobody_has_won_while_battles_or_orders_wait(field: Field) -> None:
    game = field(2, 2)
    position = game.position("v2,w1/h9,1 v").play("0,0>1,0:1+0,0>0,1:1")
    assert not position.over
    assert not position.play("end").over
    assert game.position("2/h9,v2 v battles=0,1:3").result is None


def test_at_the_limit_the_larger_side_wins(field: Field) -> None:
    game = field(1, 4, plies=2)
    assert game.position("v2,2,w1 v ply=2").result is Result.FIRST_WINS
    assert game.position("v1,h9,1,w2 v ply=2").result is Result.SECOND_WINS
    assert game.position("v1,1,v1,w2 v ply=2").result is Result.DRAW
    assert game.position("v2,2,w1 w ply=1").result is None


def test_the_limit_waits_until_both_have_played_equally_often(field: Field) -> None:
    position = field(1, 6, plies=3).position("v1,4,w2 v ply=2").play("0,0>1,0:1+end")
    assert not position.over
    assert position.play("5,0>4,0:1+end").result is Result.SECOND_WINS


def test_a_turn_counts_as_one_ply_however_many_orders_it_has() -> None:
    position = vampires("testmap").new().play("5,4>4,4:1+5,4>5,3:1+end 2,3>2,2:3+end")
    assert position.text == "6/6/2,w4,3/5,v1/4,v2,v1 v ply=2"


@pytest.mark.parametrize("text", ["vampires:testmap", "vampires", "vampires:testmap,certain_defence=yes,plies=31"])
def test_random_games_end_and_creatures_never_grow_in_number(text: str) -> None:
    game = load(text)
    for seed in range(3):
        before = game.rules.creatures
        for position in wander(game.new(), random.Random(seed)):
            state = position.state
            now = int((state.cells & 255).sum()) + sum(int(waiting) & 255 for waiting in state.battles)
            assert now <= before
            before = now
            assert game.position(position.text) == position
            if position.turn == CHANCE:
                assert math.fsum(odds for odds, _ in position.outcomes()) == pytest.approx(1, abs=1e-12)
        assert position.over
        assert position.state.ply <= game.rules.plies


# Symmetries.


@fuzzed
@given(st.data())
def test_the_turned_board_has_the_turned_moves_and_results(field: Field, data: st.DataObject) -> None:
    rows, columns = data.draw(sizes)
    game = field(rows, columns)
    board = data.draw(boards(rows, columns, most=9, groups=6))
    state = game.position(text_of(board, rows, columns, data.draw(sides))).state
    dice = random.Random(data.draw(st.integers(0, 99)))
    symmetry = data.draw(st.integers(0, len(game.symmetries) - 1))
    for _ in range(6):
        turned = game.transform(state, symmetry)
        assert game.write(game.transform(turned, symmetry)) == game.write(state)
        assert game.result(turned) == game.result(state)
        if game.result(state):
            break
        choices = game.moves(state) or [code for _, code in game.outcomes(state)]
        if game.turn(state) != CHANCE:
            assert sorted(game.transform_move(move, symmetry) for move in choices) == sorted(game.moves(turned))
        elif state.battles.size == 1:
            expected = {game.transform_move(code, symmetry): odds for odds, code in game.outcomes(state)}
            assert {code: odds for odds, code in game.outcomes(turned)} == expected
        move = dice.choice(choices)
        after = game.play(turned, game.transform_move(move, symmetry))
        state = game.play(state, move)
        assert game.write(game.transform(state, symmetry)) == game.write(after)


def test_several_battles_come_to_the_same_on_the_turned_board(field: Field) -> None:
    game = field(1, 5)
    before = game.position("w2,v3,h3,v1,1 v").play("1,0>0,0:2+1,0>2,0:1").state
    state = game.play(before, 0)
    assert game.write(state) == "w2,1,h3,v1,1 v battles=0,0:2+2,0:1"
    for symmetry in range(len(game.symmetries)):
        ended = game.play(game.transform(before, symmetry), 0)
        assert game.write(game.transform(state, symmetry)) == game.write(ended)
        plain = results(game, state)
        turned = results(game, game.transform(state, symmetry))
        seen = {game.write(game.transform(game.position(text).state, symmetry)): odds for text, odds in plain.items()}
        assert turned == pytest.approx(seen, rel=1e-12)


# Positions as text.


def test_runs_of_empty_cells_are_joined_when_written(field: Field) -> None:
    assert field(2, 4).position("1,v01,2/1,1,2 v").text == "1,v1,2/4 v"


def test_orders_and_battles_are_sorted_when_read(field: Field) -> None:
    game = vampires()
    board = "9,h2/4,w4,5/2,h4,6,h1/4,v4,5/9,h2"
    assert game.position(f"{board} v orders=4,3>5,3:1+4,3>3,3:1").text == f"{board} v orders=4,3>3,3:1+4,3>5,3:1"
    assert field(1, 4).position("w2,2,h2 v battles=3,0:1+0,0:1").text == "w2,2,h2 v battles=0,0:1+3,0:1"


def test_a_ply_left_out_is_the_first_of_that_side() -> None:
    board = vampires().new().text[:-2]
    assert vampires().position(f"{board} v").state.ply == 0
    assert vampires().position(f"{board} w").state.ply == 1
    assert vampires().position(f"{board} w ply=1").text == f"{board} w"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "position is empty"),
        ("v1,2,w1", "side to move is missing, expected v or w"),
        ("v1,2,w1 b", "side to move is 'b', expected v or w"),
        ("v1,2/w1,2 v", "has 2 rows, expected 1"),
        ("v1,3,w1 v", "has 5 cells, expected 4"),
        ("v1,1,w1 v", "has 3 cells, expected 4"),
        ("v0,2,w1 v", "holds 'v0', expected a number of empty cells, or h, v or w with a count from 1 to 255"),
        ("v256,2,w1 v", "holds 'v256'"),
        ("v,2,w1 v", "holds 'v'"),
        ("x1,2,w1 v", "holds 'x1'"),
        ("?1,2,w1 v", "holds '[?]1'"),
        ("v1,0,2,w1 v", "holds '0'"),
        ("v1,,2,w1 v", "holds ''"),
        ("v1,٢,w1 v", r"holds '\\u0662'"),
        ("v1,2,w1 v ply=x", "ply is 'x', expected a number from 0 to 200"),
        ("v1,2,w1 v ply=202", "ply is '202', expected a number from 0 to 200"),
        ("v1,2,w1 v ply=3", "ply is 3 in a turn of the vampires, expected an even number"),
        ("v1,2,w1 w ply=2", "ply is 2 in a turn of the werewolves, expected an odd number"),
        ("v1,2,w1 v turn=3", "unexpected 'turn=3' in position"),
        ("v1,2,w1 v ply=2 ply=2", "'ply' stands twice"),
        ("v1,2,w1 v ply=200 orders=0,0>1,0:1", "ply is '200', expected a number from 0 to 199"),
        ("v1,2,w1 v orders=0,0>1,0:1 battles=3,0:1", "both orders and battles wait"),
        ("v1,2,w1 v orders=", "order '' cannot be given here"),
        ("v1,2,w1 v orders=end", "order 'end' cannot be given here, expected 0,0>1,0:1 or the like"),
        ("v1,2,w1 v orders=0,0>1,0:2", "order '0,0>1,0:2' cannot be given here"),
        ("v1,2,w1 v orders=0,0>1,0:1+0,0>1,0:1", "cannot be given here, expected no more"),
        ("v1,2,w1 v orders=3,0>2,0:1", "order '3,0>2,0:1' cannot be given here"),
        ("v1,3 v orders=0,0>1,0:1", "wait where the game is over"),
        ("v1,2,w1 v battles=", "battle '' is not of this grid"),
        ("v1,2,w1 v battles=3,0", "battle '3,0' is not of this grid, expected x,y:attackers, at most 255"),
        ("v1,2,w1 v battles=4,0:1", "battle '4,0:1' is not of this grid"),
        ("v1,2,w1 v battles=3,1:1", "battle '3,1:1' is not of this grid"),
        ("v1,2,w1 v battles=3,0:0", "battle '3,0:0' is not of this grid"),
        ("v1,2,w1 v battles=3,0:256", "battle '3,0:256' is not of this grid"),
        ("v1,2,w1 v battles=3,0:2", "battle '3,0:2' of vampires against w1 is not a random one"),
        ("v1,2,w1 v battles=1,0:1", "battle '1,0:1' of vampires against 0 is not a random one"),
        ("v1,2,w1 v battles=0,0:1", "battle '0,0:1' of vampires against v1 is not a random one"),
        ("v1,2,w1 w battles=3,0:1", "battle '3,0:1' of werewolves against w1 is not a random one"),
        ("v1,2,w1 v battles=3,0:1+3,0:1", "battle '3,0:1' is the second on its cell"),
    ],
)
def test_an_impossible_position_is_refused(field: Field, text: str, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        field(1, 4).position(text)


def test_a_position_with_more_creatures_than_the_map_is_refused() -> None:
    game = vampires("testmap")
    assert game.position("v4,4,w4/6/6/6/6 v").text
    with pytest.raises(BadPosition, match="9 creatures, expected at most the 8 that the map begins with"):
        game.position("v4,4,w5/6/6/6/6 v")
    with pytest.raises(BadPosition, match="9 creatures"):
        game.position("v4,4,w3/6/6/6/6 v battles=5,0:2")


# Options and maps.


@pytest.mark.parametrize(
    "text",
    [
        "vampires",
        "vampires:testmap",
        "vampires:testmap2,plies=50,old_survival=yes",
        "vampires,map=random",
        "vampires,map=random,rows=7,columns=9,groups=4,seed=7,certain_defence=yes",
    ],
)
def test_the_text_of_a_game_leads_back_to_it(text: str) -> None:
    game = load(text)
    assert game.text == text
    assert load(game.text).new().text == game.new().text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"plies": 0}, "option plies is 0, expected 1 to 1000000"),
        ({"rows": 5}, "option rows is for map=random, and map is 'thetrap'"),
        ({"map": "testmap", "seed": 5}, "option seed is for map=random, and map is 'testmap'"),
        ({"map": "random", "rows": 0}, "option rows is 0, expected 1 to 255"),
        ({"map": "random", "rows": 256}, "option rows is 256"),
        ({"map": "random", "columns": 1}, "option columns is 1, expected 2 to 255"),
        ({"map": "random", "groups": -1}, "option groups is -1, expected 0 to 126"),
        ({"map": "random", "groups": 127}, "option groups is 127"),
        ({"map": "random", "seed": -1}, "option seed is -1"),
        ({"map": "random", "rows": 2, "columns": 5, "groups": 4}, "option groups is 4, expected at most 3 in the left"),
        ({"certain_defence": "perhaps"}, "option certain_defence is 'perhaps', expected yes or no"),
    ],
)
def test_a_bad_option_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=message):
        vampires(**options)


@fuzzed
@given(st.integers(1, 20), st.integers(2, 20), st.integers(0, 126), st.integers(0, 10**18))
def test_random_maps_are_fair_and_sound(rows: int, columns: int, groups: int, seed: int) -> None:
    assume(groups < rows * (columns // 2))
    drawn = random_map(rows, columns, groups, seed)
    assert drawn == random_map(rows, columns, groups, seed)
    assert read_xml(write_xml(drawn).encode(), "drawn") == drawn
    half, mirrored = drawn.humans[:groups], drawn.humans[groups:]
    for here, there in zip((*half, drawn.werewolves), (*mirrored, drawn.vampires), strict=True):
        assert here.x < columns // 2
        assert there == (columns - 1 - here.x, rows - 1 - here.y, here.size)
    assert all(1 <= group.size <= 19 for group in half)
    assert 2 <= drawn.werewolves.size <= 19


def test_other_seeds_draw_other_maps() -> None:
    assert len({random_map(10, 10, 5, seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_map_is_the_same_from_its_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a map, with commas.xml"
    path.write_text(write_xml(KNOWN[name]))
    game = vampires(map=str(path))
    assert game.new().text == vampires(name).new().text
    assert load(game.text) == game


def test_a_map_may_have_comments_and_other_attributes() -> None:
    text = b"""<!-- mine --><Map Rows="1" Columns="3" Author="me"><Werewolves X="0" Y="0" Count="1" Colour="grey"/>
    <!-- nobody in between --><Vampires Count="255" Y="0" X="2"/></Map>"""
    assert read_xml(text, "mine") == Map(1, 3, (), Group(2, 0, 255), Group(0, 0, 1))


SOUND = '<Vampires X="0" Y="0" Count="1"/><Werewolves X="1" Y="0" Count="1"/>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not XML [(]no element found"),
        ("\x00\x01\xff", "not XML"),
        ("Rows=5", "not XML"),
        ("<Map Rows='5' Columns='5'>", "not XML"),
        ("<?xml version='1.0' encoding='klingon'?><Map/>", "not XML [(]unknown encoding"),
        ("<!DOCTYPE Map [<!ENTITY a 'aaaa'>]><Map Rows='&a;'/>", "a DOCTYPE named 'Map', expected none"),
        ("<map/>", "the outermost element is 'map', expected 'Map'"),
        ("<Map/>", "Map has no attribute 'Rows' [(]case counts[)], expected a number from 1 to 255"),
        ("<Map Rows='5' columns='5'/>", "Map has no attribute 'Columns'"),
        ("<Map Rows='0' Columns='5'/>", "Rows of Map is '0', expected a number from 1 to 255"),
        ("<Map Rows='5' Columns='256'/>", "Columns of Map is '256', expected a number from 1 to 255"),
        ("<Map Rows='-5' Columns='5'/>", "Rows of Map is '-5'"),
        ("<Map Rows='5.0' Columns='5'/>", "Rows of Map is '5.0'"),
        (f"<Map Rows='5' Columns='5'>{SOUND}<humans/></Map>", "unexpected element 'humans'; did you mean 'Humans'"),
        ("<Map Rows='5' Columns='5'><Humans><Humans/></Humans></Map>", "element 'Humans' within Humans"),
        ("<Map Rows='5' Columns='5'><Humans X='1' Y='1'/></Map>", "Humans at '1,1' has no attribute 'Count'"),
        ("<Map Rows='5' Columns='5'><Humans X='5' Y='1' Count='1'/></Map>", "X of Humans at '5,1' is '5', .* 0 to 4"),
        ("<Map Rows='5' Columns='5'><Humans X='1' Y='5' Count='1'/></Map>", "Y of Humans at '1,5' is '5', .* 0 to 4"),
        ("<Map Rows='5' Columns='5'><Humans X='1' Y='1' Count='0'/></Map>", "Count of Humans at '1,1' is '0'"),
        ("<Map Rows='5' Columns='5'><Humans X='1' Y='1' Count='256'/></Map>", "is '256', expected a number from 1"),
        (
            f"<Map Rows='5' Columns='5'>{SOUND}<Humans X='1' Y='0' Count='1'/></Map>",
            "Humans and Werewolves share .* 1,0",
        ),
        ("<Map Rows='5' Columns='5'/>", "no elements Vampires, expected one"),
        ("<Map Rows='5' Columns='5'><Vampires X='1' Y='0' Count='1'/></Map>", "no elements Werewolves, expected one"),
        (f"<Map Rows='5' Columns='5'>{SOUND}<Werewolves X='1' Y='1' Count='1'/></Map>", "2 elements Werewolves"),
    ],
)
def test_a_bad_map_is_refused_in_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadMap, match=message) as problem:
        vampires(map=str(path))
    assert "bad.xml': " in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_map_of_more_than_255_groups_is_refused() -> None:
    def crowd(size: int) -> bytes:
        homes = tuple(Group(x, y, 1) for y in range(1, 20) for x in range(20))[: size - 2]
        return write_xml(Map(20, 20, homes, Group(0, 0, 1), Group(1, 0, 1))).encode()

    assert len(read_xml(crowd(255), "crowd").humans) == 253
    with pytest.raises(BadMap, match="map 'crowd': 256 groups, expected at most 255"):
        read_xml(crowd(256), "crowd")


def test_a_file_too_large_for_a_map_is_refused() -> None:
    with pytest.raises(BadMap, match="more than 1048576 bytes"):
        read_xml(b" " * (LARGEST_FILE + 1), "huge")


def test_a_missing_map_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadMap, match=r"map 'thetrapp': no such file, .*; did you mean 'thetrap'\?"):
        vampires(map="thetrapp")
    with pytest.raises(BadMap, match="not a file, expected an XML file, 'random' or a known map"):
        vampires(map=str(tmp_path))
    with pytest.raises(BadMap, match="no such file"):
        vampires(map="a\0b")


# What people see.


def test_the_board_shows_groups_with_their_counts() -> None:
    position = vampires().new()
    shown = dict(
        zip([cell.name for cell in position.game.layout.cells], position.game.pieces(position.state), strict=True)
    )
    assert {name: what for name, what in shown.items() if what} == {
        "9,0": "h2", "4,1": "w4", "2,2": "h4", "9,2": "h1", "4,3": "v4", "9,4": "h2",
    }  # fmt: skip
    sides = {letter: piece.side for letter, piece in position.game.layout.pieces.items()}
    assert sides == {"h": None, "v": FIRST, "w": SECOND}


def test_gestures_name_cells_and_amounts(field: Field) -> None:
    game = field(1, 3)
    position = game.position("w9,v3,1 v")
    order = position.play("1,0>0,0:2")
    assert game.gesture(position.state, order.last_move or 0) == ((1, 0), 2, ())
    assert game.gesture(order.state, 0).cells == ()
    (_, outcome), *_ = game.outcomes(order.play("end").state)
    assert game.gesture(order.state, outcome) == ((0,), None, ())


@pytest.mark.parametrize(("kind", "letter"), [("humans", "h"), ("enemies", "w")])
def test_the_page_shows_the_odds_of_the_rules(field: Field, kind: str, letter: str) -> None:
    _, _, table = PAGE.read_text().partition(f"| attackers | {kind} |")
    rows = [line.strip("| ").split(" | ") for line in table.partition("\n\n")[0].splitlines()[2:]]
    assert len(rows) >= 9
    for n, m, *shown in rows:
        living: dict[str, float] = defaultdict(float)
        mean: dict[str, float] = defaultdict(float)
        for text, odds in odds_of(battle(field(1, 3), f"v{n}", f"{letter}{m}")).items():
            living[text[0]] += odds
            mean[text[0]] += odds * int(text[1:] or 0)
        percent = [float(number.removesuffix(" %")) for number in shown[::2]]
        assert percent == pytest.approx([100 * living[who] for who in ("v", letter, "0")], abs=0.051)
        assert [float(number) for number in shown[1::2]] == pytest.approx([mean["v"], mean[letter]], abs=0.0051)

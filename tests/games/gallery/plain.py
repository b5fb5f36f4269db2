"""The gallery's rules once more, as plainly as can be: boards are dictionaries, positions are tried out move by move.

They share nothing with the rules of the package, and are written from the descriptions of the games. A position knows
its board (cell to letter, empty cells left out), whose turn it is, its legal moves by their text, and how it ended.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Self

Place = tuple[int, int]  # column and row, from 0 at the bottom left
Board = dict[Place, str]

ACROSS = ((1, 0), (0, 1), (-1, 0), (0, -1))
AROUND = (*ACROSS, (1, 1), (-1, 1), (1, -1), (-1, -1))
HEXAGON = (*ACROSS, (1, -1), (-1, 1))


def name(place: Place) -> str:
    return f"{'abcdefghijklmnop'[place[0]]}{place[1] + 1}"


def grid(columns: int, rows: int) -> list[Place]:
    return [(column, row) for row in range(rows) for column in range(columns)]


def beside(place: Place, steps: Iterable[Place], far: int = 1) -> list[Place]:
    return [(place[0] + x * far, place[1] + y * far) for x, y in steps]


@dataclass(frozen=True)
class Plain(ABC):
    board: Board
    side: int = 0
    columns: int = 8
    rows: int = 8

    def cells(self) -> list[Place]:
        return grid(self.columns, self.rows)

    def at(self, letters: str) -> list[Place]:
        return [place for place in self.cells() if self.board.get(place, " ") in letters]

    def empty(self, place: Place) -> bool:
        return 0 <= place[0] < self.columns and 0 <= place[1] < self.rows and place not in self.board

    def pieces(self) -> dict[str, str]:
        return {name(place): letter for place, letter in self.board.items()}

    def after(self, changes: dict[Place, str], side: int | None = None, **more: object) -> Self:
        """The position with some cells changed, `` for an emptied one; the other side's turn unless told."""
        board = {place: letter for place, letter in {**self.board, **changes}.items() if letter}
        changed: dict[str, object] = {"board": board, "side": 1 - self.side if side is None else side, **more}
        return replace(self, **changed)  # type: ignore[arg-type]

    @abstractmethod
    def moves(self) -> dict[str, Self]: ...

    @abstractmethod
    def winner(self) -> int | None:
        """0 or 1, 2 for a draw, None while the game goes on."""


class LastMoverWins(Plain):
    """A side without a move has lost."""

    def winner(self) -> int | None:
        return None if self.moves() else 1 - self.side


class Hex(Plain):
    """The first joins the bottom row with the top row, the second the left column with the right one."""

    def moves(self) -> dict[str, Self]:
        return {name(place): self.after({place: "rb"[self.side]}) for place in self.cells() if self.empty(place)}

    def winner(self) -> int | None:
        for side, letter in enumerate("rb"):
            across, last = (1, self.rows - 1) if side == 0 else (0, self.columns - 1)
            reached = {place for place in self.at(letter) if place[across] == 0}
            while (
                more := {
                    other for place in reached for other in beside(place, HEXAGON) if self.board.get(other) == letter
                }
                - reached
            ):
                reached |= more
            if any(place[across] == last for place in reached):
                return side
        return None


class Gomoku(Plain):
    def moves(self) -> dict[str, Self]:
        return {name(place): self.after({place: "xo"[self.side]}) for place in self.cells() if self.empty(place)}

    def winner(self) -> int | None:
        for place, letter in self.board.items():
            for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(self.board.get((place[0] + x * far, place[1] + y * far)) == letter for far in range(5)):
                    return "xo".index(letter)
        return 2 if len(self.board) == len(self.cells()) else None


class Draughts(LastMoverWins):
    """English draughts. A turn is one move here, written with every square that the piece touches."""

    def steps(self, letter: str) -> tuple[Place, ...]:
        up, down = ((1, 1), (-1, 1)), ((1, -1), (-1, -1))
        return {"b": up, "w": down}.get(letter, up + down)

    def moves(self) -> dict[str, Self]:
        own = self.at(("bB", "wW")[self.side])
        jumps = {text: after for place in own for text, after in self.jumps(place, name(place), self.board[place])}
        if jumps:
            return jumps
        return {
            f"{name(place)}-{name(target)}": self.after({place: "", target: self.crowned(self.board[place], target)})
            for place in own
            for target in beside(place, self.steps(self.board[place]))
            if self.empty(target)
        }

    def crowned(self, letter: str, place: Place) -> str:
        return letter.upper() if place[1] == {"b": 7, "w": 0}.get(letter) else letter

    def jumps(self, place: Place, text: str, letter: str) -> Iterator[tuple[str, Self]]:
        """Whole jumps from here: a man that is crowned stops, any other piece goes on while it can."""
        enemies = ("wW", "bB")[self.side]
        for x, y in self.steps(letter):
            over, target = (place[0] + x, place[1] + y), (place[0] + 2 * x, place[1] + 2 * y)
            if self.board.get(over, " ") in enemies and self.empty(target):
                crowned = self.crowned(letter, target)
                done = self.after({place: "", over: "", target: crowned})
                onward = (
                    [] if crowned != letter else list(done.after({}).jumps(target, f"{text}x{name(target)}", letter))
                )
                yield from onward or [(f"{text}x{name(target)}", done)]


class Konane(LastMoverWins):
    """Black takes up a stone at the centre or a corner, white one beside the gap; from then on stones jump."""

    def moves(self) -> dict[str, Self]:
        gaps = [place for place in self.cells() if self.empty(place)]
        if len(gaps) < 2:
            return {
                name(place): self.after({place: ""}) for place in (self.first_gaps() if not gaps else self.second())
            }
        return {text: after for place in self.at("xo"[self.side]) for text, after in self.jumps(place)}

    def first_gaps(self) -> list[Place]:
        last, middle = self.rows - 1, self.rows // 2
        corners = [(0, 0), (last, 0), (0, last), (last, last)]
        centre = [(x, y) for x in (middle - 1, middle) for y in (middle - 1, middle)]
        return [place for place in corners + centre if self.board[place] == "x"]

    def second(self) -> list[Place]:
        (gap,) = [place for place in self.cells() if self.empty(place)]
        return [place for place in beside(gap, ACROSS) if place in self.board]

    def jumps(self, place: Place) -> Iterator[tuple[str, Self]]:
        enemy = "ox"[self.side]
        for x, y in ACROSS:
            taken: dict[Place, str] = {place: ""}
            for far in range(2, 10, 2):
                over = (place[0] + x * (far - 1), place[1] + y * (far - 1))
                target = (place[0] + x * far, place[1] + y * far)
                if self.board.get(over) != enemy or not self.empty(target):
                    break
                taken[over] = ""
                yield f"{name(place)}x{name(target)}", self.after({**taken, target: "xo"[self.side]})


class Ataxx(Plain):
    def moves(self) -> dict[str, Self]:
        found: dict[str, Self] = {}
        for place in self.at("xo"[self.side]):
            for target in self.cells():
                far = max(abs(place[0] - target[0]), abs(place[1] - target[1]))
                if self.empty(target) and far <= 2:
                    text = name(target) if far == 1 else f"{name(place)}-{name(target)}"
                    found[text] = self.infected(target, {place: ""} if far == 2 else {})
        return found or {"pass": self.after({})}

    def infected(self, target: Place, left: Board) -> Self:
        enemies = {
            place: "xo"[self.side] for place in beside(target, AROUND) if self.board.get(place) == "ox"[self.side]
        }
        return self.after({**left, **enemies, target: "xo"[self.side]})

    def winner(self) -> int | None:
        first, second = len(self.at("x")), len(self.at("o"))
        stuck = list(self.moves()) == ["pass"] and list(self.after({}).moves()) == ["pass"]
        if not stuck and first and second:
            return None
        return 2 if first == second else int(second > first)


class Clobber(LastMoverWins):
    def moves(self) -> dict[str, Self]:
        mine, enemy = "xo"[self.side], "ox"[self.side]
        return {
            f"{name(place)}x{name(target)}": self.after({place: "", target: mine})
            for place in self.at(mine)
            for target in beside(place, ACROSS)
            if self.board.get(target) == enemy
        }


class Domineering(LastMoverWins):
    def moves(self) -> dict[str, Self]:
        x, y = ((0, 1), (1, 0))[self.side]
        return {
            f"{name(place)}-{name(other)}": self.after({place: "vh"[self.side], other: "vh"[self.side]})
            for place in self.cells()
            for other in [(place[0] + x, place[1] + y)]
            if self.empty(place) and self.empty(other)
        }


@dataclass(frozen=True)
class Amazons(LastMoverWins):
    moved: Place | None = None  # the amazon that is about to shoot

    def reach(self, place: Place) -> Iterator[Place]:
        for step in AROUND:
            target = (place[0] + step[0], place[1] + step[1])
            while self.empty(target):
                yield target
                target = (target[0] + step[0], target[1] + step[1])

    def moves(self) -> dict[str, Self]:
        if self.moved:
            return {name(target): self.after({target: "#"}, moved=None) for target in self.reach(self.moved)}
        mine = "wb"[self.side]
        return {
            f"{name(place)}-{name(target)}": self.after({place: "", target: mine}, self.side, moved=target)
            for place in self.at(mine)
            for target in self.reach(place)
        }


@dataclass(frozen=True)
class Boxes(Plain):
    """Dots and Boxes on a grid of dots (even, even), lines (one odd), and boxes (odd, odd)."""

    def moves(self) -> dict[str, Self]:
        return {name(place): self.drawn(place) for place in self.cells() if sum(place) % 2 and self.empty(place)}

    def drawn(self, line: Place) -> Self:
        after = self.after({line: "|" if line[1] % 2 else "-"})
        closed = [
            box
            for box in beside(line, ACROSS)
            if box[0] % 2 and box[1] % 2 and all(place in after.board for place in beside(box, ACROSS))
        ]
        return after.after(dict.fromkeys(closed, "rb"[self.side]), self.side) if closed else after

    def winner(self) -> int | None:
        if self.moves():
            return None
        first, second = len(self.at("r")), len(self.at("b"))
        return 2 if first == second else int(second > first)


@dataclass(frozen=True)
class Kalah:
    """Two rows of houses, each followed by its store; seeds are sown counter-clockwise past the enemy's store."""

    houses: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int] = (0, 0)
    side: int = 0

    @property
    def over(self) -> bool:
        return not all(any(row) for row in self.houses)

    def pieces(self) -> dict[str, str]:
        rows = ((self.label(pit, side), seeds) for side in (0, 1) for pit, seeds in enumerate(self.houses[side]))
        stores = (("store1", self.stores[0]), ("store2", self.stores[1]))
        return {cell: f"s{seeds}" for cell, seeds in (*rows, *stores) if seeds}

    def moves(self) -> dict[str, "Kalah"]:
        if self.over:
            return {}
        return {self.label(pit, self.side): self.sown(pit) for pit, seeds in enumerate(self.houses[self.side]) if seeds}

    def label(self, pit: int, side: int) -> str:
        size = len(self.houses[0])
        return f"{'abcdefghij'[pit if side == 0 else size - 1 - pit]}{side + 1}"

    def sown(self, pit: int) -> "Kalah":
        me, size = self.side, len(self.houses[0])
        own, enemy, store = list(self.houses[me]), list(self.houses[1 - me]), self.stores[me]
        seeds, own[pit] = own[pit], 0
        ring = [("own", at) for at in range(size)] + [("store", 0)] + [("enemy", at) for at in range(size)]
        where = pit
        for _ in range(seeds):
            where = (where + 1) % len(ring)
            row, at = ring[where]
            if row == "own":
                own[at] += 1
            elif row == "enemy":
                enemy[at] += 1
            else:
                store += 1
        row, at = ring[where]
        if row == "own" and own[at] == 1 and enemy[size - 1 - at]:
            store += 1 + enemy[size - 1 - at]
            own[at] = enemy[size - 1 - at] = 0
        houses = (tuple(own), tuple(enemy)) if me == 0 else (tuple(enemy), tuple(own))
        stores = (store, self.stores[1]) if me == 0 else (self.stores[0], store)
        return Kalah(houses, stores, me if row == "store" else 1 - me)

    def winner(self) -> int | None:
        if not self.over:
            return None
        first, second = (store + sum(row) for store, row in zip(self.stores, self.houses, strict=True))
        return 2 if first == second else int(second > first)


MILLS = (
    "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
)  # fmt: skip


@dataclass(frozen=True)
class Morris:
    """Nine Men's Morris with flying; a closed mill takes a man that is not in one, or any where all are."""

    board: dict[str, str] = field(default_factory=dict)
    side: int = 0
    hands: tuple[int, int] = (9, 9)
    takes: bool = False

    def pieces(self) -> dict[str, str]:
        return self.board

    def men(self, side: int) -> list[str]:
        return [point for point, letter in self.board.items() if letter == "wb"[side]]

    def in_mill(self, point: str) -> bool:
        lines = [mill.split() for mill in MILLS if point in mill.split()]
        return any(all(self.board.get(each) == self.board[point] for each in line) for line in lines)

    def moves(self) -> dict[str, "Morris"]:
        if self.winner() is not None:
            return {}
        if self.takes:
            enemies = self.men(1 - self.side)
            free = [point for point in enemies if not self.in_mill(point)] or enemies
            return {point: self.without(point) for point in free}
        if self.hands[self.side]:
            return {point: self.put(point, None) for point in self.free()}
        return {f"{old}-{new}": self.put(new, old) for old in self.men(self.side) for new in self.targets(old)}

    def free(self) -> list[str]:
        points = {point for mill in MILLS for point in mill.split()}
        return [point for point in points if point not in self.board]

    def targets(self, old: str) -> list[str]:
        if len(self.men(self.side)) == 3:
            return self.free()
        pairs = [mill.split()[at : at + 2] for mill in MILLS for at in (0, 1)]
        return [new for pair in pairs if old in pair for new in pair if new != old and new not in self.board]

    def put(self, new: str, old: str | None) -> "Morris":
        board = {point: letter for point, letter in self.board.items() if point != old} | {new: "wb"[self.side]}
        hands = self.hands
        if old is None:
            hands = (hands[0] - 1, hands[1]) if self.side == 0 else (hands[0], hands[1] - 1)
        after = Morris(board, self.side, hands, takes=True)
        return after if after.in_mill(new) else Morris(board, 1 - self.side, hands)

    def without(self, point: str) -> "Morris":
        board = {each: letter for each, letter in self.board.items() if each != point}
        return Morris(board, 1 - self.side, self.hands)

    def winner(self) -> int | None:
        if self.takes or self.hands[self.side]:
            return None
        men = self.men(self.side)
        return 1 - self.side if len(men) < 3 or not any(self.targets(point) for point in men) else None


@dataclass(frozen=True)
class Einstein(Plain):
    """Stones a to f of the first go right and down, A to F of the second left and up. Without a die: chance's turn."""

    die: int = 0

    def stones(self, side: int) -> dict[int, Place]:
        return {("abcdef", "ABCDEF")[side].index(letter) + 1: place for place, letter in self.board.items()
                if letter in ("abcdef", "ABCDEF")[side]}  # fmt: skip

    def allowed(self) -> list[Place]:
        stones = self.stones(self.side)
        if self.die in stones:
            return [stones[self.die]]
        lower, higher = [n for n in stones if n < self.die], [n for n in stones if n > self.die]
        return [stones[n] for n in ([max(lower)] if lower else []) + ([min(higher)] if higher else [])]

    def moves(self) -> dict[str, Self]:
        sign = 1 if self.side == 0 else -1
        found = {}
        for place in self.allowed():
            for x, y in ((sign, 0), (0, -sign), (sign, -sign)):
                target = (place[0] + x, place[1] + y)
                if target in self.cells():
                    text = f"{name(place)}{'x' if target in self.board else '-'}{name(target)}"
                    found[text] = self.after({place: "", target: self.board[place]}, die=0)
        return found

    def winner(self) -> int | None:
        if self.board.get((4, 0), " ") in "abcdef" or not self.stones(1):
            return 0
        return 1 if self.board.get((0, 4), " ") in "ABCDEF" or not self.stones(0) else None

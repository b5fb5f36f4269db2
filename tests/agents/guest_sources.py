"""Guests as students write them: prints, globals, files beside the board, and mistakes."""

WOLVES = """
import numpy as np

turns = 0


def load_matrix(name):
    with open(name) as file:
        return np.array([[int(cell) for cell in row.split(",")] for row in file.read().split("\\n")])


def AIAlgorithm(filename, movemade):
    global turns
    turns += 1
    ply = int(filename.split("/")[-1].split(".")[0].split("_")[1])
    matrix = load_matrix(filename)
    print("turn", turns, "of", "wolves" if movemade else "sheep", "\\n", matrix)
    own = 2 if movemade else 1
    for row, column in np.argwhere(matrix == own):
        for down, across in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            to = row + down, column + across
            if 0 <= to[0] < 5 and 0 <= to[1] < 5 and matrix[to] == 0:
                matrix[to], matrix[row, column] = own, 0
                np.savetxt(filename.replace(f"state_{ply}", f"state_{ply + 1}"), matrix, "%d", ",")
                return row, column, to[0], to[1]
"""

CHECKERS = """
import datetime, random, time


class Agent(object):
    def __init__(self, game):
        self.game = game

    def getAction(self, state):
        raise Exception("Not implemented yet")


class Greedy(Agent):
    def getAction(self, state):
        actions = self.game.actions(state)
        forward = 1 if self.game.player(state) == 1 else -1
        self.action = max(actions, key=lambda action: forward * (action[0][0] - action[1][0]))


class Endless(Agent):
    def getAction(self, state):
        player, board = state
        for action in self.game.actions(state):
            self.action = action
        while True:
            board.board_status[(10, 5)] = 1
            self.game.succ(state, self.action)


class Stubborn(Agent):
    def getAction(self, state):
        self.action = self.game.actions(state)[0]
        for _ in range(3):
            try:
                while True:
                    pass
            except:
                print("nobody stops me")


class Silent(Agent):
    def getAction(self, state):
        pass


class Cheat(Agent):
    def getAction(self, state):
        self.action = ((19, 1), (1, 1))


class Broken(Agent):
    def getAction(self, state):
        return 1 // 0
"""

BORROWER = """
from agent import Agent


class First(Agent):
    def getAction(self, state):
        self.action = self.game.actions(state)[0]
"""

MINIMAX = """
from board import *
from move import *


def heu(b):
    return len(white(b)) - len(black(b))


def value(b, depth):
    if depth == 0 or is_game_over(b):
        return heu(b)
    values = []
    for m in legal_moves(b):
        after = copy(b)
        move(m, after)
        values.append(value(after, depth - 1))
    return max(values) if white_plays(b) else min(values)


def next_move(b, depth=2):
    print("thinking at depth", depth)
    best = None
    for m in legal_moves(b):
        after = copy(b)
        move(m, after)
        worth = value(after, depth - 1) * (1 if white_plays(b) else -1)
        if best is None or worth > best[0]:
            best = worth, m
    return best[1]
"""

OWN_MOVE = """
def make_move(src, trg):
    return {"from": src, "to": trg}


def source(m):
    return m["from"]


def target(m):
    return m["to"]
"""

OWN_BOARD = """
from move import make_move, source, target


def make_board():
    return {"white": list(range(14, 26)), "black": list(range(1, 13)), "turn": "white"}


def white_plays(b):
    return b["turn"] == "white"


def white(b):
    return b["white"]


def black(b):
    return b["black"]


def _lines(field):
    row, column = divmod(field - 1, 5)
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            if (down or across) and (field % 2 == 1 or not (down and across)):
                yield row, column, down, across


def _field(row, column):
    return row * 5 + column + 1 if 0 <= row < 5 and 0 <= column < 5 else None


def legal_moves(b):
    own, enemy = (b["white"], b["black"]) if white_plays(b) else (b["black"], b["white"])
    forward = -1 if white_plays(b) else 1
    found = []
    if not own or not enemy:
        return found
    for field in own:
        for row, column, down, across in _lines(field):
            near, far = _field(row + down, column + across), _field(row + 2 * down, column + 2 * across)
            if near and near not in own + enemy and down == forward:
                found.append((field, near))
            if far and near in enemy and far not in own + enemy:
                found.append((field, far))
    return [make_move(*pair) for pair in sorted(found)]


def is_legal(m, b):
    return m in legal_moves(b)


def move(m, b):
    own, enemy = ("white", "black") if white_plays(b) else ("black", "white")
    b[own].remove(source(m))
    b[own].append(target(m))
    rows = abs((source(m) - 1) // 5 - (target(m) - 1) // 5)
    columns = abs((source(m) - 1) % 5 - (target(m) - 1) % 5)
    if max(rows, columns) == 2:
        b[enemy].remove((source(m) + target(m)) // 2)
    b["turn"] = enemy


def is_game_over(b):
    return not legal_moves(b)


def copy(b):
    return {"white": list(b["white"]), "black": list(b["black"]), "turn": b["turn"]}
"""

PYTHON = """
import helper

prepared = []


def prepare(game):
    prepared.append(game.text)


def choose(position, limit):
    assert prepared == [position.game.text]
    print("I like", position.moves()[-1])
    return helper.favourite(position)
"""

HELPER = """
def favourite(position):
    return position.moves()[-1]
"""

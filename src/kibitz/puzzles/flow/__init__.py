"""Flow Free: solve, prove unique, generate, rate and explain.

>>> from kibitz.puzzles import flow
>>> board = flow.read("A__B/__C_/A_B_/C___")
>>> print(flow.solve(board).solution)
ABBB
ABCC
ABBC
CCCC
>>> flow.unique(board)
True
"""

from kibitz.puzzles.flow.answers import Search as Search
from kibitz.puzzles.flow.board import TOUCHES as TOUCHES
from kibitz.puzzles.flow.board import BadPuzzle as BadPuzzle
from kibitz.puzzles.flow.board import Board as Board
from kibitz.puzzles.flow.board import Solution as Solution
from kibitz.puzzles.flow.board import Touch as Touch
from kibitz.puzzles.flow.daily import daily as daily
from kibitz.puzzles.flow.facts import board_facts as board_facts
from kibitz.puzzles.flow.generator import Order as Order
from kibitz.puzzles.flow.generator import boards as boards
from kibitz.puzzles.flow.generator import generate as generate
from kibitz.puzzles.flow.generator import topology as topology
from kibitz.puzzles.flow.generator import warm as warm
from kibitz.puzzles.flow.graph import Graph as Graph
from kibitz.puzzles.flow.graph import Plan as Plan
from kibitz.puzzles.flow.graph import Wrap as Wrap
from kibitz.puzzles.flow.hints import Hint as Hint
from kibitz.puzzles.flow.hints import hints as hints
from kibitz.puzzles.flow.judge import faults as faults
from kibitz.puzzles.flow.pack import make_pack as make_pack
from kibitz.puzzles.flow.pack import pack_page as pack_page
from kibitz.puzzles.flow.picture import animation as animation
from kibitz.puzzles.flow.picture import svg as svg
from kibitz.puzzles.flow.picture import terminal as terminal
from kibitz.puzzles.flow.rating import DIFFICULTIES as DIFFICULTIES
from kibitz.puzzles.flow.rating import Difficulty as Difficulty
from kibitz.puzzles.flow.rating import Rating as Rating
from kibitz.puzzles.flow.rating import rate as rate
from kibitz.puzzles.flow.solvers import SOLVERS as SOLVERS
from kibitz.puzzles.flow.solvers import Answer as Answer
from kibitz.puzzles.flow.solvers import Count as Count
from kibitz.puzzles.flow.solvers import choose as choose
from kibitz.puzzles.flow.solvers import count as count
from kibitz.puzzles.flow.solvers import count_fillings as count_fillings
from kibitz.puzzles.flow.solvers import search as search
from kibitz.puzzles.flow.solvers import solve as solve
from kibitz.puzzles.flow.solvers import unique as unique
from kibitz.puzzles.flow.sweep_trace import walked as walked
from kibitz.puzzles.flow.texts import Entry as Entry
from kibitz.puzzles.flow.texts import load as load
from kibitz.puzzles.flow.texts import load_all as load_all
from kibitz.puzzles.flow.texts import load_filling as load_filling
from kibitz.puzzles.flow.texts import read as read
from kibitz.puzzles.flow.texts import read_all as read_all
from kibitz.puzzles.flow.texts import read_filling as read_filling
from kibitz.puzzles.flow.texts import written as written
from kibitz.puzzles.flow.texts import written_filling as written_filling
from kibitz.puzzles.flow.trace import Trace as Trace
from kibitz.puzzles.flow.trace import describe as describe
from kibitz.puzzles.flow.trace import trace as trace

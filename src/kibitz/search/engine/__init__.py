"""The engine: iterative deepening over one compiled search that serves every game.

engine = Engine(game, heuristics.find(game.rulebook))  # with the default heuristic, compiled and ready
report = engine.search(position, Limit(seconds=1))
report.moves, str(report.score), report.lines[0].text
"""

from kibitz.search.engine.engine import Engine as Engine
from kibitz.search.engine.steps import STEPS as STEPS

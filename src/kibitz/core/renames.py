"""What was called otherwise before Kibitz 0.2, so that a rules file or an agent of then gets a line that helps."""

import re
from types import ModuleType

OLD_TO_NEW = {
    "from kibitz.heuristics.heuristic import": "from kibitz import",
    "from kibitz.agents.searching import": "from kibitz.agents.engine import",
    "from kibitz.agents.sampling import": "from kibitz.agents.mcts import",
    "from kibitz.heuristics.fitting import": "from kibitz.heuristics.regression import",
    "from kibitz.core.faults import": "from kibitz.core.rule_errors import",
    "from kibitz.tables.probing import": "from kibitz.tables.probe import",
    "from kibitz.tables.solving import": "from kibitz.tables.solver import",
    "from kibitz.agents.engine import engine_for": "from kibitz import Engine; Engine(game, heuristic)",
    "Heuristic(loud=...)": "Heuristic(is_tactical=...)",
    "Heuristic(sure=...)": "Heuristic(known_result=...)",
    "Rulebook(long_turns=...)": "Rulebook(alternating=True) where every move ends its turn, else neither",
    "Position.codes": "Position.move_ids",
}


def renaming_of(problem: BaseException) -> str | None:
    """What to write instead, where a file failed because it uses an old name."""
    old = _name_used(problem)
    if old not in OLD_TO_NEW:
        return None
    return f"'{old}' is from before Kibitz 0.2, expected {OLD_TO_NEW[old]}"


def _name_used(problem: BaseException) -> str:
    """The name that could not be found, written as in the table."""
    if isinstance(problem, ModuleNotFoundError):
        return f"from {problem.name} import"
    if isinstance(problem, ImportError):
        missing = re.match(r"cannot import name '(\w+)'", str(problem))
        return f"from {problem.name} import {missing[1]}" if missing else ""
    if isinstance(problem, TypeError):
        given = re.match(r"(\w+)\.__init__\(\) got an unexpected keyword argument '(\w+)'", str(problem))
        return f"{given[1]}({given[2]}=...)" if given else ""
    if isinstance(problem, AttributeError) and not isinstance(problem.obj, ModuleType):
        return f"{type(problem.obj).__name__}.{problem.name}"
    return ""

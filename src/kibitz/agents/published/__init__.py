"""The agents of course reports, one file a report: as their authors meant them, and `-shipped`, bugs and all."""

from importlib import import_module

from kibitz.agents.agent import AgentKind

REPORTS = ("assael", "dm574", "luo", "mp2", "flappy")

KINDS: list[AgentKind] = [kind for report in REPORTS for kind in import_module(f"{__name__}.{report}").KINDS]

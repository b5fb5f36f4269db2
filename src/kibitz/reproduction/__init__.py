"""What the course reports claim, played again. Each report is one file with a list CLAIMS, and a name below."""

from importlib import import_module

from kibitz.core.errors import BadOption, did_you_mean
from kibitz.reproduction.claim import Claim

REPORTS = ("breakthrough", "checkers", "wolves", "vampires", "alquerque", "flow")


def claims(games: tuple[str, ...] = ()) -> list[Claim]:
    """The claims about these games; all without any."""
    for game in games:
        if game not in REPORTS:
            raise BadOption(f"no report is about {game!r}{did_you_mean(game, REPORTS)}")
    return [
        claim
        for report in REPORTS
        if not games or report in games
        for claim in import_module(f"{__name__}.{report}").CLAIMS
    ]

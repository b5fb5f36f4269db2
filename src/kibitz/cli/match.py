"""`kibitz match`: two agents, many games, and what follows from them."""

from typing import Annotated

import typer

from kibitz.cli.contest_options import ContestOptions
from kibitz.cli.option_groups import takes
from kibitz.cli.texts import GameText, print_json


@takes(ContestOptions, "options")
def match(
    game: GameText,
    first: Annotated[str, typer.Argument(metavar="A", help="An agent, such as engine:level=5, or NAME=AGENT.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Its opponent.")],
    options: ContestOptions,
    games: Annotated[int, typer.Option(help="How many games; each opening is played twice, sides swapped.")] = 100,
) -> None:
    """Let two agents play, and say who is stronger and how sure that is. Ctrl-C stops and counts what was played."""
    from kibitz.arena.contest.settings import make_match
    from kibitz.arena.records import files
    from kibitz.cli import contests

    test = options.test
    players = contests.team(options.jobs, options.cluster, options.affinity)
    contests.check(options.store, options.record)
    contest = make_match(game, first, second, games, options.settings)
    outcome = contests.run(contest, options.store, players, test, quiet=options.as_json)
    if options.as_json:
        print_json(contests.match_facts(outcome))
    else:
        contests.print_match(outcome)
    if options.record is not None:
        files.save(options.record, [game.record for game in outcome.games])
    contests.say_how_to_go_on(outcome, options.store)

"""The steps of the search by name. Leaving one out builds another module, so that its worth can be measured."""

from collections.abc import Iterable

from kibitz.core.errors import BadOption, did_you_mean, quoted

# `improving` was kept by games against the same search without it, 15 ms a move: +30 (14 to 47) Elo at Breakthrough,
# +16 (5 to 27) at Alquerque, no loss seen elsewhere. What else was tried stands in docs/search.md.
STEPS = {
    "repetition": "a position seen before on the line is a draw",
    "known_result": "results that the heuristic sees at once",
    "perfect": "results that a table of perfect play knows",
    "table": "transposition table",
    "killers": "quiet moves that cut a sibling come early",
    "history": "moves and answers that cut elsewhere come early",
    "quiescence": "at the end of the depth, tactical moves go on",
    "static_pruning": "far above the window with little depth left: stop",
    "reduced_without_move": "less depth where the table knows no move",
    "extension": "an only move costs no depth",
    "futility": "quiet moves that cannot reach the window are skipped",
    "late_pruning": "quiet moves that come late are skipped",
    "principal_variation": "null windows for all moves but the first",
    "reductions": "less depth for quiet moves that come late",
    "improving": "where things get worse, quiet moves that come late are skipped sooner and get less depth",
    "star1": "chance outcomes within the window that is left",
    "star2": "chance outcomes probed by one move each first",
}
EXACT_STEPS = ("killers", "history", "principal_variation", "star1", "star2")  # these change no value


def constants_without(left_out: Iterable[str]) -> dict[str, int]:
    """The constants of a search that does without these steps."""
    names = list(left_out)
    for name in names:
        if name not in STEPS:
            raise BadOption(f"the search has no step {quoted(name)}{did_you_mean(name, STEPS)}")
    return {f"STEP_{name.upper()}": 0 for name in names}

"""The findings as a page: the report's figures beside ours, and what became of each claim."""

from collections import Counter
from collections.abc import Sequence

from kibitz.reproduction.claim import CONFIDENCE, NEAR, SENTENCES, Claim, Findings, Judgement
from kibitz.reproduction.runner import FindingsFile, StoredFindings

HEAD = f"""# Reproduction

What the course reports claim, played again by `kibitz reproduce`, which wrote this page. The agents stand in
`kibitz.agents.published`: *as printed* with the faults of the program, *as meant* as the report's text has it. No clock
decides a game and every game has its seed, so who wins does not depend on the machine. Seconds do, and with them the
verdicts on seconds.

How a sentence is judged, with an interval (Wilson) around the share of games won. {SENTENCES} sentences rest on such
intervals. Each has {CONFIDENCE:.2%} confidence, so that all of them together are right with 95% confidence.

- *Most of the time*, *stronger*, *better*, *beat*: it holds if the interval lies above one half. It does not hold if
  the interval ends below {0.5 + NEAR:g}, for then it is half of the time or less.
- *Half of the time*: it does not hold if one half is outside the interval; if it is inside, it holds where the interval
  lies between {0.5 - NEAR:g} and {0.5 + NEAR:g}.
- Whatever these rules leave undecided is open: more games would decide it.
- *Always*, *every time*: it holds if every game was won.
- *Around* a number: it holds within a quarter of it.
- *More nodes*, *longer*, *fewer paths*: the means of all games are compared, however little they differ.

Pairs of figures are the first player's and the second player's. `kibitz reproduce --out docs/reproduction.md` measures
what is missing from `reproduction.json` beside this page and writes the page again; `--again` measures everything anew.
"""


def page_text(file: FindingsFile, wanted: Sequence[Claim], quick: bool) -> str:
    """The page of these claims, as far as they have been measured."""
    known = [(claim, stored) for claim in wanted if (stored := file.get(claim, quick)) is not None]
    return "\n".join([HEAD, *_summary(known), *(line for claim, stored in known for line in _section(claim, stored))])


def judgement_rows(file: FindingsFile, wanted: Sequence[Claim], quick: bool) -> list[tuple[str, ...]]:
    """What became of each sentence: claim, sentence, players, what was seen, verdict."""
    known = [(claim, stored) for claim in wanted if (stored := file.get(claim, quick)) is not None]
    return [
        (claim.key, one.sentence, one.cast, one.seen, one.verdict)
        for claim, stored in known
        for one in stored.findings.judgements
    ]


def _summary(known: Sequence[tuple[Claim, StoredFindings]]) -> list[str]:
    counts = Counter(one.verdict for _, stored in known for one in stored.findings.judgements)
    summary = f"{counts['holds']} hold, {counts['does not hold']} do not, {counts['open']} are open"
    lines = [f"Of {sum(counts.values())} sentences {summary}.", ""]
    lines += ["| claim | sentence | players | seen | verdict |", "|---|---|---|---|---|"]
    for claim, stored in known:
        lines += [
            f"| {claim.title.partition(':')[0]} | {one.sentence} | {one.cast} | {one.seen} | {_bold(one)} |"
            for one in stored.findings.judgements
        ]
    return [*lines, ""]


def _bold(one: Judgement) -> str:
    return f"**{one.verdict}**" if one.verdict != "open" else one.verdict


def _section(claim: Claim, stored: StoredFindings) -> list[str]:
    looked = " This was a quick look with few games." if stored.quick else ""
    lines = [f"## {claim.title}", "", f"The report: {claim.said}", "", f"Here: {claim.method}{looked}", ""]
    return [*lines, *_table(claim, stored.findings), *_ends(claim, stored.findings)]


def _table(claim: Claim, found: Findings) -> list[str]:
    casts = list(found.columns)
    names = list(claim.reported)
    names += [name for column in found.columns.values() for name in column if name not in names]
    names = list(dict.fromkeys(names))
    report = ["report"] if any(claim.reported.values()) else []
    head = ["", *report, *casts]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name in names:
        said = [claim.reported.get(name, "")] if report else []
        cells = [*said, *(found.columns[cast].get(name, "") for cast in casts)]
        if any(cells):
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


def _ends(claim: Claim, found: Findings) -> list[str]:
    lines = [f"Final board of the report: `{claim.board}`", ""] if claim.board else []
    for cast, board in found.boards.items():
        lines += [f"Final board of game 1, {cast}: `{board}`", ""]
    return lines

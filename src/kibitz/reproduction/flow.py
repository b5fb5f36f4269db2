"""Report 003, part 1 (UIUC CS440, 2017): three Flow Free solvers on the course's boards."""

from functools import partial
from itertools import pairwise

from kibitz.core.limit import Limit
from kibitz.puzzles import flow
from kibitz.puzzles.flow.course import REPORTED, boards
from kibitz.puzzles.flow.report_solvers import PUBLISHED
from kibitz.reproduction.claim import Claim, Findings, Judgement, Outcome, Watch, true

SECONDS, QUICK = 20.0, 2.0  # for a board; a long run gives a solver at least what it took in the report
UNSOLVED = "NA"


def measure(board: str, quick: bool, watch: Watch) -> Findings:
    found = Findings(columns={"here": {}})
    solved: dict[str, tuple[int, float]] = {}
    limits = {solver.name: seconds_for(board, solver.name, quick) for solver in PUBLISHED}
    for solver in PUBLISHED:
        search = solver(boards()[board], Limit(seconds=limits[solver.name]), 1)
        next(search, None)
        effort = f"{search.assignments}, {search.seconds:.3f} s"
        if search.status == "solved":
            solved[solver.name] = search.assignments, search.seconds
        found.columns["here"][solver.name] = effort if search.status == "solved" else f"gave up ({effort})"
        watch(f"flow {board}: {solver.name}")
    ours = flow.search(boards()[board])
    count = len(list(ours))
    found.columns["here"]["ours, with proof"] = f"{count} solution, {ours.nodes} nodes, {1000 * ours.seconds:.2f} ms"
    watch(f"flow {board}: ours")
    found.judgements.extend(_judge(board, solved, limits))
    return found


def reported_seconds(board: str, solver: str) -> float:
    """The seconds that the report prints; 0 where it prints none."""
    printed = REPORTED[board].get(solver, UNSOLVED)
    return 0.0 if printed == UNSOLVED else float(printed.partition(",")[2].removesuffix("s"))


def seconds_for(board: str, solver: str, quick: bool) -> float:
    """The seconds that a solver gets."""
    return QUICK if quick else max(SECONDS, reported_seconds(board, solver))


def solves(board: str, solver: str, solved: bool, seconds: float) -> Outcome:
    """Does a solver do what it did in the report? Open where it had less time than there."""
    return "open" if not solved and seconds < reported_seconds(board, solver) else true(solved)


def _judge(board: str, solved: dict[str, tuple[int, float]], limits: dict[str, float]) -> list[Judgement]:
    """A solver that the report saw solve a board solves it, and where two do, the better one is the same."""
    seen = ", ".join(f"{name} {count} in {seconds:.3f} s" for name, (count, seconds) in solved.items()) or "none"
    said = REPORTED[board]
    printed = [name for name in said if said[name] != UNSOLVED]
    judgements = [
        Judgement("here", f"{name} solves it", solves(board, name, name in solved, limits[name]), seen)
        for name in printed
    ]
    judgements += [
        Judgement("here", f"{name} does not solve it (here: within {limits[name]:g} s)", true(name not in solved), seen)
        for name in said
        if name not in printed
    ]
    ranked = sorted(printed, key=lambda name: int(said[name].partition(",")[0]))
    judgements += [
        Judgement("here", f"{better} tries fewer paths than {worse}", true(solved[better][0] < solved[worse][0]), seen)
        for better, worse in pairwise(ranked)
        if better in solved and worse in solved
    ]
    return judgements


CLAIMS = [
    Claim(
        key=f"flow-{board}",
        game="flow",
        title=f"Flow Free {board}",
        said="Attempted assignments and seconds of three solvers; NA where one found nothing.",
        reported=dict(REPORTED[board]),
        measure=partial(measure, board),
        steps=lambda quick: len(PUBLISHED) + 1,
        method=f"Each solver stops after {SECONDS:g} s, or what it took in the report; {QUICK:g} s in a quick look.",
    )
    for board in REPORTED
]

"""From a question to checked evidence on disk: search, gather, write, check. A search that was stopped goes on."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kibitz.core.errors import KibitzError
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.games import catalog
from kibitz.proofs import certificate as certificates
from kibitz.proofs import checker, sealed_file
from kibitz.proofs.adapter import find_adapter, list_adapters, pose_questions
from kibitz.proofs.certificate import BadCertificate
from kibitz.proofs.evidence import Evidence, EvidenceFormat
from kibitz.proofs.question import Query, Question, Report
from kibitz.proofs.search import Search, Standing
from kibitz.search.budget import refuse_finished
from kibitz.tables import folder
from kibitz.tables.resources import GB, budget_memory

KNOWN = Path(str(files("kibitz.proofs") / "known"))  # evidence that comes with Kibitz
DEFAULT_GIGABYTES = 2.0
CERTIFICATE = EvidenceFormat(certificates.write, certificates.read, checker.check)


@dataclass(frozen=True, slots=True)
class ProofSettings:
    """What a run may use, and where it keeps its files."""

    folder: Path
    gigabytes: float | None = None
    jobs: int = 0
    seconds: float | None = None
    fresh: bool = False  # look away from what comes with Kibitz
    save_seconds: float = 120.0  # between two savings of the progress, at most

    def __post_init__(self) -> None:
        Limit(seconds=self.seconds)  # refuses what is no time


@dataclass(frozen=True, slots=True)
class ProofResult:
    """What is known in the end; without evidence where it is unknown or the plies were counted."""

    standing: Standing
    evidence: Path | None = None
    positions: int = 0


def list_questions(position: Position, query: Query) -> list[Question]:
    """What there is to prove about a position."""
    refuse_finished(position)
    return pose_questions(position, query)


def prove(question: Question, settings: ProofSettings, report: Report) -> ProofResult:
    """Answer a question, or come nearer to the answer. What is found is written down and checked."""
    before = _find_evidence(question, settings)
    if before is not None:
        return _reuse_evidence(question, before, report)
    progress = settings.folder / f"{question.search_name}.progress"
    search = Search(question, _megabytes(settings.gigabytes), settings.jobs or os.cpu_count() or 1)
    if progress.is_file():
        search.resume(progress)
    standing = search.run(progress, settings.save_seconds, settings.seconds, lambda now: _report_search(now, report))
    if standing.holds is None or question.within:
        return ProofResult(standing)
    proven = _add_evidence(search, standing, settings, report)
    if proven.evidence is not None:
        with suppress(OSError):
            progress.unlink()
    return proven


def _add_evidence(search: Search, standing: Standing, settings: ProofSettings, report: Report) -> ProofResult:
    """The answer that a search has found, with evidence that was checked."""
    question = search.question
    other = question.method.rephrase(question, bool(standing.holds), settings.folder, report)
    if other is not None:  # this search leaves no evidence of such an answer
        shown = prove(other, settings, report)
        return shown if shown.evidence is not None else ProofResult(standing)
    found = search.gather_evidence(lambda found, done: report("gathering evidence", f"{done:,} of {found:,} positions"))
    path = settings.folder / f"{question.name}.proof"
    form = _formats()[found.kind]
    _check(form, found, report)
    form.write(path, found)
    return ProofResult(standing, path, found.positions)


def _find_evidence(question: Question, settings: ProofSettings) -> Path | None:
    """The evidence that answers a question, where there is some in the folder or it comes with Kibitz."""
    places = [settings.folder] if settings.fresh else [settings.folder, KNOWN]
    return next((path for place in places if (path := place / f"{question.name}.proof").is_file()), None)


def _reuse_evidence(question: Question, path: Path, report: Report) -> ProofResult:
    found = check(path, question.position, report)
    holds = found.winner == question.position.turn
    if found.draw_will_do and not question.draw_will_do(holds):
        raise BadCertificate(f"'{path}' shows that a side {found.proves}, which is no answer to: {question.text}?")
    return ProofResult(Standing(question, holds, found.nodes, found.seconds), path, found.positions)


def check(path: Path, position: Position | None, report: Report) -> Evidence:
    """Read evidence and go through it with the rules alone."""
    kind = sealed_file.kind_of(path)
    form = _formats().get(kind, CERTIFICATE)  # which refuses what is no evidence at all
    found = form.read(path)
    named = catalog.load_known(found.game)
    adapter = find_adapter(named)
    if form is not CERTIFICATE and kind not in adapter.formats:
        raise BadCertificate(f"there are no such proofs of {named.text}")
    adapter.refuse_unfit(named)
    if position is not None and (named, found.position) != (position.game, position.text):
        what = f"{named.text} position '{found.position}'"
        raise BadCertificate(f"'{path}' is about {what}, expected {position.game.text} position '{position.text}'")
    try:
        _check(form, found, report)
    except BadCertificate as problem:
        raise BadCertificate(f"'{path}' proves nothing: {problem}") from None
    return found


def _check(form: EvidenceFormat, found: Evidence, report: Report) -> None:
    report("checking evidence", f"0 of {found.positions:,} positions")
    form.check(
        catalog.load_known(found.game),
        found,
        lambda done: report("checking evidence", f"{done:,} of {found.positions:,} positions"),
    )


def _formats() -> Mapping[str, EvidenceFormat]:
    """Every kind of evidence there is."""
    own = [adapter.formats for adapter in list_adapters()]
    return {certificates.KIND: CERTIFICATE} | {kind: form for formats in own for kind, form in formats.items()}


def _report_search(standing: Standing, report: Report) -> None:
    rate = standing.nodes / standing.seconds if standing.seconds > 0 else 0.0
    state = f"{standing.nodes:,} nodes in {standing.seconds:,.0f} s, {rate:,.0f} a second"
    report(f"{standing.question.text}?", state)


def _megabytes(gigabytes: float | None) -> int:
    free = budget_memory(gigabytes)
    wanted = free.bytes if gigabytes is not None else min(free.bytes, int(DEFAULT_GIGABYTES * GB))
    return max(wanted >> 20, 1)


def default_folder() -> Path:
    """Where proofs are kept: beside the tables."""
    path = folder.root()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise KibitzError(f"cannot make the folder '{path}': {problem.strerror}") from None
    return path

"""Claims of the reports: how they are judged, measured, kept and shown."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli.app import app
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.result import Result
from kibitz.core.seam import interpreting
from kibitz.games import catalog
from kibitz.reproduction import REPORTS, breakthrough, claim, claims, flow, page, runner
from kibitz.reproduction.claim import Claim, Findings, Judgement, Watch
from kibitz.reproduction.runner import FindingsFile, fingerprint, pending, run
from kibitz.reproduction.series import MatchSettings, play_match, random_line

compiled_only = pytest.mark.skipif(interpreting(), reason="slow without the compiler")


def ignore(step: str) -> None: ...


def made(key: str, measure: Callable[[bool, Watch], Findings] | None = None, said: str = "It wins.") -> Claim:
    found = Findings({"here": {"games": "3"}}, [Judgement("here", "it wins", "holds", "3 of 3")], {"here": "8/8 w"})
    return Claim(
        key=key,
        game="wolves",
        title=f"Title of {key}",
        said=said,
        reported={"games": "10"},
        measure=measure or (lambda quick, watch: found),
        steps=lambda quick: 1,
        board="7P/8 b",
    )


# What is claimed.


def test_every_report_has_claims_of_its_own() -> None:
    known = claims()
    assert len({one.key for one in known}) == len(known)
    assert {one.game for one in known} == set(REPORTS)
    assert [one.key for one in claims(("wolves",))] == ["wolves-ahead"]
    assert sum(one.game == "breakthrough" for one in known) == 9


def test_a_game_without_a_report_is_refused() -> None:
    with pytest.raises(BadOption, match="no report is about 'chess'"):
        claims(("chess",))


def test_the_figures_of_the_report_fit_together() -> None:
    for said in (*breakthrough.SQUARE, *breakthrough.LONG):
        for total, each in zip(said.total, said.nodes, strict=True):
            assert said.moves - 2 <= total / each <= said.moves + 1  # as many moves as the report says


def test_the_page_says_where_its_captures_are_not_those_of_its_final_board() -> None:
    printed = {one.key: one.reported["workers captured"] for one in claims(("breakthrough",))}
    assert [key for key, captures in printed.items() if "final board" in captures] == [
        "breakthrough-8x8-5",
        "breakthrough-8x8-6",
    ]
    assert printed["breakthrough-8x8-5"] == "10, 9 (its final board: 6, 5)"
    for one in claims(("breakthrough",)):
        preset = "breakthrough:5x10-three" if "5x10" in one.key else "breakthrough"
        end = catalog.load(preset).position(f"{one.board} w 0 1")
        winner = Result.SECOND_WINS if one.reported["winner"] == "second" else Result.FIRST_WINS
        assert end.result == winner, one.key


# How it is judged.


@pytest.mark.parametrize(
    ("verdict", "seen"),
    [
        (claim.mostly(31, 40), "holds"),
        (claim.mostly(29, 40), "open"),
        (claim.mostly(13, 40), "does not hold"),
        (claim.mostly(22, 40), "open"),
        (claim.mostly(101, 200), "does not hold"),
        (claim.mostly(115, 200), "open"),
        (claim.mostly(126, 200), "holds"),
        (claim.mostly(3, 3), "open"),
        (claim.half(20, 40), "open"),
        (claim.half(90, 200), "holds"),
        (claim.half(2, 4), "open"),
        (claim.half(38, 40), "does not hold"),
        (claim.always(40, 40), "holds"),
        (claim.always(39, 40), "does not hold"),
        (claim.about(36.0, 30), "holds"),
        (claim.about(38.0, 30), "does not hold"),
        (claim.true(False), "does not hold"),
    ],
)
def test_verdicts_follow_from_what_was_seen(verdict: str, seen: str) -> None:
    assert verdict == seen


def test_a_solver_that_had_less_time_than_in_the_report_leaves_the_claim_open() -> None:
    assert flow.reported_seconds("9x9", "smart") == 152.87
    assert flow.seconds_for("9x9", "smart", quick=True) < 152.87 <= flow.seconds_for("9x9", "smart", quick=False)
    assert flow.solves("9x9", "smart", solved=False, seconds=2.0) == "open"
    assert flow.solves("9x9", "smart", solved=False, seconds=152.87) == "does not hold"
    assert flow.solves("9x9", "smart", solved=True, seconds=2.0) == "holds"
    assert flow.reported_seconds("10x10a", "smart") == flow.reported_seconds("7x7", "smarter") == 0.0


# How it is measured.


def test_a_series_counts_games_from_the_side_of_its_hero() -> None:
    match = MatchSettings(
        game="breakthrough,rows=5,columns=3", hero="random", other="random", games=6, swapped=True, opening=2, seed=5
    )
    steps: list[str] = []
    series = play_match(match, steps.append)
    assert len(steps) == len(series.games) == 6
    assert [game.side for game in series.games] == [0, 1, 0, 1, 0, 1]
    assert series.wins + series.losses == 6
    lines = [game.record.moves.split()[:2] for game in series.games]
    assert lines[0] == lines[1] != lines[2]
    won = sum((game.record.result == 1) == (game.side == 0) for game in series.games)
    assert series.wins == won


def test_the_same_match_is_the_same_games() -> None:
    match = MatchSettings(game="vampires:testmap,plies=10", hero="random", other="random", games=2, opening=1)
    first, again = (play_match(match, ignore) for _ in range(2))
    assert [game.record.moves for game in first.games] == [game.record.moves for game in again.games]


@pytest.mark.parametrize("game", ["vampires:testmap", "alquerque", "wolves"])
def test_random_beginnings_have_as_many_turns_as_wanted(game: str) -> None:
    line = random_line(game, 3, 1)
    assert line == random_line(game, 3, 1) != random_line(game, 3, 2)
    assert sum(not token.startswith("~") for token in line.split()) == 3
    assert not catalog.load(game).new().play(line).over


def test_captured_workers_are_counted_for_who_took_them() -> None:
    game = catalog.load("breakthrough")
    end = game.position("1ppppppp/pppppppp/8/8/8/8/PPPPPPP1/PPPPPP2 w 0 1")
    assert breakthrough.count_captures(end) == (1, 3)


@compiled_only
def test_a_match_up_has_all_the_figures_that_the_report_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakthrough, "QUICK", 1)
    (one,) = (one for one in claims(("breakthrough",)) if one.key == "breakthrough-8x8-4")
    found = one.measure(True, ignore)
    assert list(found.columns) == ["as printed", "as meant"]
    for column in found.columns.values():
        assert column.keys() == one.reported.keys()
    assert [judged.sentence for judged in found.judgements if judged.cast == "as meant"] == [
        "the first wins most of the time",
        "a win takes around 30 moves",
        "a heuristic with noise expands more nodes than one without",
    ]
    assert one.steps(True) == 2


# How it is kept.


def test_what_is_known_is_not_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    measured: list[str] = []

    def stops(quick: bool, watch: Watch) -> Findings:
        raise KeyboardInterrupt

    def counts(quick: bool, watch: Watch) -> Findings:
        measured.append("second")
        return Findings()

    with pytest.raises(KeyboardInterrupt):
        run(FindingsFile(file), [made("first"), made("second", stops)], False, 1, ignore)
    wanted = [made("first"), made("second", counts)]
    assert [one.key for one in pending(FindingsFile(file), wanted, False)] == ["second"]
    run(FindingsFile(file), wanted, False, 1, ignore)
    run(FindingsFile(file), wanted, False, 1, ignore)
    assert measured == ["second"]


def test_a_quick_look_does_not_do_for_a_long_one_but_the_reverse_does(tmp_path: Path) -> None:
    stored = FindingsFile(tmp_path / "found.json")
    run(stored, [made("one")], True, 1, ignore)
    assert pending(stored, [made("one")], True) == []
    assert len(pending(stored, [made("one")], False)) == 1
    run(stored, [made("one")], False, 1, ignore)
    assert pending(stored, [made("one")], True) == []


def test_a_claim_that_was_changed_is_measured_again(tmp_path: Path) -> None:
    stored = FindingsFile(tmp_path / "found.json")
    run(stored, [made("one")], False, 1, ignore)
    changed = made("one", said="It always wins.")
    assert fingerprint(changed) != fingerprint(made("one"))
    assert len(pending(stored, [changed], False)) == 1


def test_workers_tell_each_step_and_their_findings_are_kept(tmp_path: Path) -> None:
    steps: list[str] = []
    (board,) = (one for one in claims(("flow",)) if one.key == "flow-7x7")
    stored = FindingsFile(tmp_path / "found.json")
    run(stored, [board], True, 2, steps.append)
    assert steps == [f"flow 7x7: {solver}" for solver in ("dumb", "smart", "smarter", "ours")]
    assert FindingsFile(stored.path).stored == stored.stored
    assert stored.stored["flow-7x7"].findings.columns["here"]["ours, with proof"].startswith("1 solution, ")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 1, "claims": {"a": {}}}', '{"format": "x"}'])
def test_a_file_that_holds_no_findings_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "found.json"
    file.write_text(text)
    with pytest.raises(KibitzError, match="holds no findings"):
        FindingsFile(file)
    assert file.read_text() == text


def test_a_file_of_a_newer_kibitz_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    file.write_text(json.dumps({"format": runner.FORMAT + 1, "claims": {}}))
    with pytest.raises(KibitzError, match="is of a newer Kibitz"):
        FindingsFile(file)


# How it is shown.


def test_the_page_sets_the_figures_of_the_report_beside_ours(tmp_path: Path) -> None:
    stored = FindingsFile(tmp_path / "found.json")
    one = made("one")
    run(stored, [one], False, 1, ignore)
    text = page.page_text(FindingsFile(stored.path), [one, made("unknown")], False)
    assert "Of 1 sentences 1 hold, 0 do not, 0 are open." in text
    assert "| Title of one | it wins | here | 3 of 3 | **holds** |" in text
    assert "|  | report | here |\n|---|---|---|\n| games | 10 | 3 |" in text
    assert "Final board of the report: `7P/8 b`" in text
    assert "Final board of game 1, here: `8/8 w`" in text
    assert "unknown" not in text
    assert "quick look" not in text


def test_the_command_writes_the_page_and_goes_on_from_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import kibitz.reproduction as reports

    monkeypatch.setattr(reports, "claims", lambda games=(): [made("one"), made("two")])
    out = tmp_path / "page.md"
    for _ in range(2):
        result = CliRunner().invoke(app, ["reproduce", "--quick", "--out", str(out)])
        assert result.exit_code == 0, result.output
    assert f"{out}: the page" in result.output
    assert out.read_text().count("This was a quick look") == 2
    assert set(json.loads(out.with_suffix(".json").read_text())["claims"]) == {"one", "two"}


def test_a_full_run_of_one_game_leaves_the_quick_looks_of_others_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import kibitz.reproduction as reports

    both = [made("one"), made("two")]
    monkeypatch.setattr(reports, "claims", lambda games=(): [one for one in both if not games or one.key in games])
    out = str(tmp_path / "page.md")
    for arguments in (["--quick"], ["one"]):
        assert CliRunner().invoke(app, ["reproduce", *arguments, "--out", out]).exit_code == 0
    text = Path(out).read_text()
    assert "## Title of one" in text
    assert "## Title of two" in text
    assert text.count("This was a quick look") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "no report is about 'chess'"),
        (["--jobs", "0"], "jobs is 0"),
        (["--out", "."], "it is a folder"),
        (["--out", "nowhere/page.md"], "No such file or directory"),
    ],
)
def test_a_mistake_is_told_before_anything_is_played(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["reproduce", *arguments])
    assert isinstance(result.exception, KibitzError)
    assert message in str(result.exception)
    assert list(tmp_path.iterdir()) == []

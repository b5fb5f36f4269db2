"""Records: both forms round-trip, a damaged or newer file is refused in one line, and a record replays to its end."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kibitz.arena.play.referee import play
from kibitz.arena.play.task import GameTask, TimeControl
from kibitz.arena.players.resources import Resources
from kibitz.arena.records import files, game_text, json_lines
from kibitz.arena.records.record import BadRecord, Ply, Record
from kibitz.arena.records.replay import DoesNotReplay, check_replay, positions
from kibitz.core.result import CHANCE, FIRST, SECOND, Result

patient = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
texts = st.text('ab"\\ \n\t\r\x0b\u2028{}[]~1.-é😀', max_size=12)
words = st.text('abc123+-.,:>x"\\/*()]é😀', min_size=1, max_size=8)
moves = words.filter(lambda word: not re.fullmatch(r"\d+(\.|\.\.\.)", word))
scores = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-1_000_000, 1_000_000).map(float)


@st.composite
def plies(draw: st.DrawFn) -> Ply:
    side = draw(st.sampled_from([FIRST, SECOND, CHANCE]))
    return Ply(
        text=("~" if side == CHANCE else "") + draw(moves),
        side=side,
        seconds=draw(st.floats(0.0, 1e9)),
        score=draw(scores),
        depth=draw(st.integers(0, 200)),
        nodes=draw(st.integers(0, 1 << 62)),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    played = draw(st.lists(plies(), max_size=12))
    names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name not in game_text.OWN)
    return Record(
        game=draw(texts),
        first=draw(texts),
        second=draw(texts),
        start=draw(texts),
        plies=tuple(played),
        opening=draw(st.integers(0, len(played))),
        result=draw(st.sampled_from([None, *Result])),
        reason=draw(texts),
        seed=draw(st.integers(-(1 << 63), 1 << 63)),
        tags=draw(st.dictionaries(names, texts, max_size=3)),
    )


@patient
@given(st.lists(records(), max_size=3))
def test_records_as_text_read_back_the_same(some: list[Record]) -> None:
    text = "".join(game_text.format_record(record) for record in some)
    assert list(game_text.read(text, "a file")) == some


@patient
@given(records())
def test_records_as_json_read_back_the_same(record: Record) -> None:
    line = json_lines.format_record(record)
    assert line.count("\n") == 1
    assert json_lines.read(line, "a line") == record


@pytest.fixture(scope="module")
def record() -> Record:
    control = TimeControl(nodes=1)
    return play(
        GameTask(
            game="breakthrough", first="random", second="random", control=control, resources=Resources(apart=False)
        )
    )


def small() -> Record:
    return Record(
        game="breakthrough",
        first="engine:depth=4",
        second="random",
        start="pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1",
        plies=(
            Ply(text="a2-a3", side=FIRST),
            Ply(text="b7-b6", side=SECOND, seconds=0.1, score=0.35, depth=12, nodes=1500),
            Ply(text="a3-a4", side=FIRST, score=-999_993.0, depth=9),
        ),
        opening=1,
        result=Result.SECOND_WINS,
        reason="late: 1.53 s of 1 s",
        seed=7,
        tags={"Event": 'a "test"'},
    )


def test_the_text_is_what_people_know() -> None:
    assert (
        game_text.format_record(small())
        == r"""[Format "1"]
[Game "breakthrough"]
[First "engine:depth=4"]
[Second "random"]
[Start "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1"]
[Opening "1"]
[Seed "7"]
[Result "0-1"]
[Reason "late: 1.53 s of 1 s"]
[Event "a \"test\""]

1. a2-a3 b7-b6 {+0.35/12 0.1s 1500n} 2. a3-a4 {-M7/9} 0-1

"""
    )


def test_a_side_that_moves_twice_and_chance_are_numbered_so_that_nothing_is_left_open() -> None:
    sides = [("~x", CHANCE), ("a", SECOND), ("b", SECOND), ("c", FIRST), ("~y", CHANCE), ("d", SECOND), ("e", FIRST)]
    some = replace(small(), plies=tuple(Ply(text=text, side=side) for text, side in sides), opening=0)
    assert game_text.format_record(some).splitlines()[-2] == "~x 1... a 2... b 3. c ~y 3... d 4. e 0-1"


@pytest.mark.parametrize("name", ["games.pgn", "games.jsonl"])
def test_files_of_either_form_are_read(tmp_path: Path, record: Record, name: str) -> None:
    files.save(tmp_path / name, [record, small()])
    assert files.load(tmp_path / name) == [record, small()]


TEXT = game_text.format_record(small())
LINE = json_lines.format_record(small())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TEXT.replace('"1"', '"2"', 1),
            "f:1: the record has format 2, this Kibitz reads up to 1; a newer one is needed",
        ),
        (TEXT.replace('[Format "1"]\n', ""), "f:1: the record does not say its format, expected 1"),
        (TEXT.replace('"1"', '"one"', 1), "f:1: the record does not say its format, expected 1"),
        (TEXT.replace('[Seed "7"]', "[Seed 7]"), """f:7: '[Seed 7]' is no tag, expected [Name "value"]"""),
        (TEXT.replace('[Seed "7"]', '[Seed "x"]'), "f:1: tag Seed is 'x', expected a whole number"),
        (TEXT.replace('[Seed "7"]', '[Game "x"]'), "f:7: tag Game is given twice, expected once"),
        (TEXT.replace('[Seed "7"]\n', ""), "f:1: the record has no tag Seed"),
        (TEXT.replace('"7"', r'"\x"'), r"""f:7: '"\\x"' is no value of a tag, expected a text in quotes"""),
        (TEXT.replace('g "1"', 'g "4"'), "f:1: tag Opening is 4, expected 0 to 3"),
        (TEXT.replace(" 0-1\n", " 1-0\n"), "f:1: the moves end with '1-0', the tag Result says '0-1'"),
        (TEXT.replace("0-1", "2-0"), "f:1: '2-0' is no result, expected one of 1-0, 0-1, 1/2-1/2, *"),
        (TEXT.replace("/12", "/x"), "f:1: comment '+0.35/x 0.1s 1500n', expected such as +0.35/12 0.1s 1500n"),
        (TEXT.replace("0.1s", "1e999s"), "f:1: comment '+0.35/12 1e999s 1500n', expected such as +0.35/12 0.1s 1500n"),
        (TEXT.replace("1. a2-a3", "a2-a3"), "f:1: nothing says whose move 'a2-a3' is, expected N. or N... before it"),
        (TEXT.replace("1. a2-a3", "{} 1. a2-a3"), "f:1: a comment stands before the first move"),
        ("hello\n", """f:1: 'hello' is no record, expected [Format "1"]"""),
        (
            LINE.replace('"format": 1', '"format": 2'),
            "f:1: the record has format 2, this Kibitz reads up to 1; a newer",
        ),
        (LINE.replace('"format": 1, ', ""), "f:1: the record does not say its format, expected 1"),
        (LINE.replace('"seed": 7', '"seed": "7"'), "f:1: 'seed' is '7', which does not fit it"),
        (LINE.replace('"seed": 7', '"sead": 7'), "f:1: there is no 'seed'"),
        (LINE.replace('"seed": 7', '"seed": 7, "x": 1'), "f:1: nothing is known of 'x'"),
        (LINE.replace('"side": 1', '"side": 3'), "f:1, ply 2: side is 3, expected 0, 1 or 2"),
        (LINE.replace("0.35", "1e999"), "is not JSON (a number too large)"),
        (LINE.replace('"opening": 1', '"opening": 9'), "f:1: opening is 9, expected 0 to 3"),
        (LINE.replace('"0-1"', '"2-0"'), "f:1: '2-0' is no result, expected one of 1-0, 0-1, 1/2-1/2, *"),
        (LINE[:-9] + "\n", "f:1: '"),
        ("", "holds no record"),
    ],
)
def test_a_damaged_or_newer_record_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "f").write_text(text)
    with pytest.raises(BadRecord) as caught:
        files.load(tmp_path / "f")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"cannot read .*: No such file"):
        files.load(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRecord, match="line 1 is not text in UTF-8"):
        files.load(tmp_path / "bytes")


@pytest.mark.parametrize("ply", [Ply(text="a b", side=FIRST), Ply(text="~x", side=FIRST), Ply(text="3.", side=FIRST)])
def test_what_would_be_misread_is_not_written(ply: Ply) -> None:
    with pytest.raises(BadRecord, match="cannot stand in a record as text"):
        game_text.format_record(replace(small(), plies=(ply,), opening=0))
    with pytest.raises(BadRecord, match="a record cannot have a tag called 'Game'"):
        game_text.format_record(replace(small(), tags={"Game": "x"}))


def test_a_record_replays_to_its_end(record: Record) -> None:
    end = check_replay(record)
    assert end.result == record.result
    assert end.line == record.moves
    assert len(list(positions(record))) == len(record.plies) + 1


def test_a_record_that_does_not_replay_says_where_and_why(record: Record) -> None:
    third = replace(record.plies[2], text="a1-h8")
    with pytest.raises(DoesNotReplay, match=r"^ply 3, 'a1-h8', does not replay: illegal move 'a1-h8' in breakthrough"):
        check_replay(replace(record, plies=(*record.plies[:2], third, *record.plies[3:])))
    with pytest.raises(DoesNotReplay, match=r"^ply 2, .* it is the turn of black, the record says white"):
        check_replay(replace(record, plies=(record.plies[0], replace(record.plies[1], side=FIRST))))
    with pytest.raises(DoesNotReplay, match=f"^ply {len(record.plies) + 1}, .*: the game is over before it"):
        check_replay(replace(record, plies=(*record.plies, record.plies[0])))


def test_a_record_whose_result_is_not_that_of_the_rules_says_so(record: Record) -> None:
    assert record.result is not None
    wrong = Result.FIRST_WINS if record.result == Result.SECOND_WINS else Result.SECOND_WINS
    with pytest.raises(DoesNotReplay, match=r"the record says .*, by the rules it is .* after ply"):
        check_replay(replace(record, result=wrong))
    with pytest.raises(DoesNotReplay, match="by the rules, but the game goes on after ply"):
        check_replay(replace(record, plies=record.plies[:-1]))
    assert not check_replay(replace(record, plies=record.plies[:-1], result=None)).over
    assert not check_replay(replace(record, plies=record.plies[:-1], reason="late: 2 s of 1 s")).over

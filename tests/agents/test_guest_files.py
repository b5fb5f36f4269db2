"""Course modules and Python files as guests, run as they are."""

import os
import sys
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.agents import match
from kibitz.agents.agent import Agent
from kibitz.agents.guests import checkers_board, deadline
from kibitz.agents.guests.errors import GuestFailed
from kibitz.core.errors import BadOption, IllegalMove
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from tests.agents import guest_sources as sources

SOON = Limit(seconds=0.2)


def guest(folder: Path, kind: str, game: str, source: str, rest: str = "") -> Agent:
    """An agent of a file with this source."""
    file = folder / "student.py"
    file.write_text(source)
    return agents.agent(f"{kind}:{file}{rest}", games.load(game))


def played(agent: Agent, position: Position, limit: Limit = SOON) -> str:
    return position.game.move_text(position.state, agent.choose(position, limit).moves[0])


# Wolves and sheep.


def test_a_wolves_module_plays_a_whole_game_as_both_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    student = guest(tmp_path, "course-wolves", "wolves,plies=40", sources.WOLVES)
    end = match.play(games.load("wolves,plies=40"), student, student, SOON, seed=1)
    assert end.over
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "of sheep" in printed.err


def test_a_wolves_module_finds_the_board_in_the_file_of_its_ply(tmp_path: Path) -> None:
    source = (
        "import pathlib\ndef AIAlgorithm(name, wolves):\n"
        "    raise ValueError(f'{name} {wolves} {pathlib.Path(name).read_text()}')"
    )
    student = guest(tmp_path, "course-wolves", "wolves", source)
    with pytest.raises(GuestFailed) as told:
        student.choose(games.wolves().new().play("b1-b2"), SOON)
    board = "1,1,1,1,1 1,1,1,1,1 0,0,0,0,0 0,2,0,0,0 0,0,0,2,0"
    assert str(told.value) == f"student.py:3: ValueError: round0/state_1.txt False {board}"


def test_each_game_of_a_wolves_module_has_a_folder_of_its_own_with_all_states(tmp_path: Path) -> None:
    source = (
        "import os\ndef AIAlgorithm(name, wolves):\n"
        "    raise ValueError(name + ' ' + ' '.join(sorted(os.listdir(name.split('/')[0]))))"
    )
    student = guest(tmp_path, "course-wolves", "wolves", source)
    later = games.wolves().new().play("b1-b2 a4-a3")
    with pytest.raises(GuestFailed, match=r"round0/state_2.txt state_0.txt state_1.txt state_2.txt"):
        student.choose(later, SOON)
    with pytest.raises(GuestFailed, match=r"round1/state_0.txt state_0.txt$"):
        student.choose(games.wolves().new(), SOON)


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("(4, 1, 2, 1)", r"\(4,1\)-\(2,1\)"),
        ("None", "None"),
        ("(9, 9, 9, 9)", r"\(9,9\)-"),
        ("(4, 1.5, 3, 1)", r"\(4, 1.5"),
    ],
)
def test_a_wrong_move_is_told_with_the_position(tmp_path: Path, answer: str, shown: str) -> None:
    student = guest(tmp_path, "course-wolves", "wolves", f"def AIAlgorithm(name, wolves):\n    return {answer}")
    with pytest.raises(IllegalMove, match=f"illegal move {shown}.* from student.py in wolves position 'sssss/"):
        student.choose(games.wolves().new(), SOON)


# Chinese checkers.


def test_the_course_board_has_the_moves_of_our_rules_in_the_order_of_the_course() -> None:
    position = games.checkers().new()
    checked = 0
    for ply in range(60):
        state = (position.turn + 1, checkers_board.Board(position.game, position.state))
        actions = checkers_board.ChineseChecker(position.game).actions(state)
        texts = [f"{a},{b}-{c},{d}" for (a, b), (c, d) in actions]
        assert sorted(texts) == sorted(position.moves())
        first_hop = next((index for index, pair in enumerate(actions) if not _step(pair)), len(actions))
        assert all(_step(pair) for pair in actions[:first_hop])
        assert not any(_step(pair) for pair in actions[first_hop:])
        checked += len(texts)
        position = position.play(sorted(texts)[7 * ply % len(texts)])
    assert checked > 1000


BOARD = checkers_board.Board(games.checkers(), games.checkers().new().state)


def _step(action: checkers_board.Action) -> bool:
    return action[1] in BOARD.adjacentPositions(action[0])


def test_the_course_board_lists_neighbours_left_right_then_up_and_down() -> None:
    board = BOARD
    assert board.adjacentPositions((10, 5)) == [(10, 4), (10, 6), (9, 4), (9, 5), (11, 4), (11, 5)]
    assert board.adjacentPositions((5, 1)) == [(5, 2), (4, 1), (6, 1), (6, 2)]
    assert board.adjacentPositions((19, 1)) == [(18, 1), (18, 2)]
    assert [board.getColNum(row) for row in (1, 10, 11, 19)] == [1, 10, 9, 1]


def test_the_course_board_knows_the_end() -> None:
    game = games.checkers("4x4", overstay="off")
    board = checkers_board.Board(game, game.new().state)
    assert board.isEnd(0) == (False, None)
    assert board.isEnd(200) == (True, None)
    goal = {(1, 1): 1, (2, 1): 3, (2, 2): 3}
    board.board_status = dict.fromkeys(board.board_status, 0) | goal
    assert board.ifPlayerWin(1)
    assert not board.ifPlayerWin(2)
    assert board.isEnd(3) == (True, 1)


def test_a_checkers_class_plays_and_one_that_never_returns_is_stopped_with_its_last_action(tmp_path: Path) -> None:
    start = games.checkers().new()
    greedy = guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS, "::Greedy")
    assert played(greedy, start) in ("17,1-15,1", "17,1-15,3", "17,3-15,3", "17,3-15,5", "19,1-17,1", "18,1-16,1")
    endless = guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS, "::Endless")
    again = [played(endless, start), played(endless, start.play("16,1-15,1 4,1-5,1"))]
    assert all(again)
    assert start.state.cells[4 * 10 + 5] == 0


def test_a_guest_that_catches_everything_is_stopped_all_the_same(tmp_path: Path) -> None:
    stubborn = guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS, "::Stubborn")
    assert played(stubborn, games.checkers().new(), Limit(seconds=0.05)) == "16,1-15,1"


def test_a_guest_that_cannot_be_interrupted_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "GRACE", 0.1)
    source = sources.CHECKERS.replace(
        "                while True:\n                    pass", "                time.sleep(1.5)"
    )
    sleeper = guest(tmp_path, "course-checkers", "checkers", source, "::Stubborn")
    with pytest.raises(GuestFailed, match=r"^student.py cannot be stopped after 0.046 s$"):
        sleeper.choose(games.checkers().new(), Limit(seconds=0.05))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Silent", "student.py set no action within"),
        ("Cheat", "illegal move 19,1-1,1 from student.py in checkers position"),
        ("Broken", "student.py:53: ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_no_action_an_illegal_one_and_an_error_forfeit_or_become_a_random_move(
    tmp_path: Path, name: str, line: str
) -> None:
    start = games.checkers().new()
    strict = guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS, f"::{name}")
    with pytest.raises((GuestFailed, IllegalMove)) as told:
        strict.choose(start, SOON)
    assert str(told.value).startswith(line)
    lenient = guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS, f"::{name},missing=random,seed=3")
    report = lenient.choose(start, SOON)
    assert report.moves[0] in start.move_ids
    assert line in report.remarks[0]


def test_the_action_of_an_earlier_turn_is_none_for_this_one(tmp_path: Path) -> None:
    source = sources.BORROWER.replace("self.action =", "if not hasattr(self, 'once'): self.once = self.action =")
    lazy = guest(tmp_path, "course-checkers", "checkers", source, "::First")
    start = games.checkers().new()
    assert played(lazy, start) == "16,1-15,1"
    with pytest.raises(GuestFailed, match=r"^student.py set no action within"):
        lazy.choose(start, SOON)


def test_a_checkers_file_may_import_the_courses_modules_without_bringing_them(tmp_path: Path) -> None:
    borrower = guest(tmp_path, "course-checkers", "checkers:5x5", sources.BORROWER, "::First")
    assert played(borrower, games.checkers("5x5").new())
    assert "agent" not in sys.modules


OWN_BOARD = """
class Board:
    def __init__(self, size, piece_rows):
        self.size, self.piece_rows, self.board_status = size, piece_rows, {}

    def mine(self, player):
        return sorted(place for place, code in self.board_status.items() if code in (player, player + 2))
"""
USES_OWN_BOARD = """
from board import Board

class Mine:
    def __init__(self, game):
        self.game = game

    def getAction(self, state):
        player, board = state
        assert isinstance(board, Board) and len(board.mine(player)) == 10, board
        self.action = ACTION
"""


def test_a_checkers_guests_own_board_is_the_one_it_is_given(tmp_path: Path) -> None:
    start = games.load("checkers").new()
    legal = checkers_board.ChineseChecker(start.game).actions((1, checkers_board.Board(start.game, start.state)))[0]
    (tmp_path / "board.py").write_text(OWN_BOARD)
    student = guest(tmp_path, "course-checkers", "checkers", f"ACTION = {legal}{USES_OWN_BOARD}", "::Mine")
    assert played(student, start) in start.moves()


def test_a_missing_class_is_told(tmp_path: Path) -> None:
    with pytest.raises(GuestFailed, match=r"^student.py has no class 'Greedi'; did you mean 'Greedy'\?$"):
        guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS, "::Greedi")
    with pytest.raises(BadOption, match="names no class, expected FILE::Class"):
        guest(tmp_path, "course-checkers", "checkers", sources.CHECKERS)


# Alquerque.


def folder_of(tmp_path: Path, **files: str) -> Path:
    folder = tmp_path / "team seven, 2023"
    folder.mkdir()
    for name, source in files.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def test_a_minimax_module_plays_the_same_on_our_board_and_on_its_own(tmp_path: Path) -> None:
    game = games.alquerque()
    bare = agents.agent(f"course-alquerque:{folder_of(tmp_path, minimax=sources.MINIMAX)}", game)
    own = tmp_path / "own"
    own.mkdir()
    full = folder_of(own, minimax=sources.MINIMAX, board=sources.OWN_BOARD, move=sources.OWN_MOVE)
    own_agent = agents.agent(f"course-alquerque:{full},depth=2", game)
    position = game.new()
    for _ in range(12):
        texts = played(bare, position), played(own_agent, position)
        assert texts[0] == texts[1]
        position = position.play(texts[0])
    assert "board" not in sys.modules
    assert not (full / "__pycache__").exists()


def test_a_board_of_the_guests_own_begins_at_the_start_only(tmp_path: Path) -> None:
    full = folder_of(tmp_path, minimax=sources.MINIMAX, board=sources.OWN_BOARD, move=sources.OWN_MOVE)
    student = agents.agent(f"course-alquerque:{full}", games.alquerque())
    elsewhere = games.alquerque().position("bbbbb/bbbbb/bbw1w/wwwww/wwwww b")
    with pytest.raises(GuestFailed, match=r"^minimax.py has a board of its own, which begins at the start only$"):
        student.choose(elsewhere, SOON)


def test_the_course_of_alquerque_knows_its_own_rules_only(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, minimax=sources.MINIMAX)
    with pytest.raises(BadOption, match="plays the course's rules, alquerque, not alquerque:bell"):
        agents.agent(f"course-alquerque:{folder}", games.alquerque("bell"))


# Python files.


@pytest.mark.parametrize("game", ["breakthrough", "wolves", "checkers:5x5"])
def test_a_python_file_plays_any_game_with_modules_beside_it(tmp_path: Path, game: str) -> None:
    (tmp_path / "helper.py").write_text(sources.HELPER)
    student = guest(tmp_path, "python", game, sources.PYTHON)
    start = games.load(game).new()
    assert played(student, start) == start.moves()[-1]
    assert "helper" not in sys.modules


def test_two_guests_with_modules_of_the_same_name_do_not_meet(tmp_path: Path) -> None:
    answers = []
    for name, favourite in (("one", "[0]"), ("two", "[-1]")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "helper.py").write_text(sources.HELPER.replace("[-1]", favourite))
        answers.append(guest(folder, "python", "wolves", sources.PYTHON))
    moves = games.wolves().new().moves()
    for _ in range(2):
        assert [played(student, games.wolves().new()) for student in answers] == [moves[0], moves[-1]]


@pytest.mark.parametrize("answer", ["'17-13'", "17 - 1 << 5 | 12", "[16 * 32 + 12]", "numpy.int64(16 * 32 + 12)"])
def test_a_python_file_may_answer_with_text_or_integers(tmp_path: Path, answer: str) -> None:
    student = guest(tmp_path, "python", "alquerque", f"import numpy\ndef choose(position, limit):\n    return {answer}")
    assert played(student, games.alquerque().new()) == "17-13"


def test_a_long_turn_is_one_text_joined_by_plus(tmp_path: Path) -> None:
    source = "def choose(position, limit):\n    return '4,3>5,3:2+4,3>4,4:2+end'"
    student = guest(tmp_path, "python", "vampires", source)
    assert len(student.choose(games.vampires().new(), SOON).moves) == 3
    half = guest(tmp_path, "python", "vampires", source.replace("+end", ""))
    with pytest.raises(IllegalMove, match="which is no whole turn, from student"):
        half.choose(games.vampires().new(), SOON)


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def choose(position, limit):\n    return 'z9-z9'", "illegal move 'z9-z9' from student.py in wolves position"),
        ("def choose(position, limit):\n    return None", "illegal move None from student.py in wolves position"),
        ("def choose(position, limit):\n\n    exit()", "student.py:3: SystemExit"),
        ("def choose(position, limit):\n    input()", "student.py:2: EOFError: EOF when reading a line"),
        ("def choose(position, limit):\n    return min(\n", "student.py:2: '(' was never closed"),
        ("1 / 0", "student.py:1: ZeroDivisionError: division by zero"),
        ("import nothing_like_it", "student.py:1: ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("x = 1", "student.py has no 'choose', expected a function or class of that name"),
    ],
)
def test_whatever_goes_wrong_in_a_guest_is_one_line(tmp_path: Path, source: str, line: str) -> None:
    with pytest.raises((GuestFailed, IllegalMove)) as told:
        guest(tmp_path, "python", "wolves", source).choose(games.wolves().new(), SOON)
    assert str(told.value).startswith(line)
    assert "\n" not in str(told.value)


def test_a_guest_works_in_a_folder_of_its_own_and_leaves_ours_alone(tmp_path: Path) -> None:
    source = (
        "import pathlib\ndef choose(position, limit):\n"
        "    pathlib.Path('notes.txt').write_text('mine')\n    return position.moves()[0]"
    )
    here = os.getcwd()
    student = guest(tmp_path, "python", "wolves", source)
    before = sorted(os.listdir(here))
    played(student, games.wolves().new())
    assert os.getcwd() == here
    assert sorted(os.listdir(here)) == before
    assert not (tmp_path / "notes.txt").exists()


def test_missing_files_are_told_in_one_line(tmp_path: Path) -> None:
    for text in ("python:nowhere.py", "course-wolves:nowhere.py", "python:"):
        with pytest.raises((GuestFailed, BadOption), match=r"there is no file 'nowhere.py'|no file is given"):
            agents.agent(text, games.wolves())


# Their texts.


@pytest.mark.parametrize(
    "text",
    [
        "python:a folder/my file.py",
        "python:C:/a, b/x.py",
        "python:'odd,name=1.py'",
        "python:file=key=value.py",
        "course-checkers:agent.py::Team7,missing=random",
        "course-alquerque:submissions/team 7,depth=4",
        "uci:fairy-stockfish,hash=16,Skill_Level=5,Move_Overhead=10",
        "ugi:kibitz engine 'wolves,plies=100' --agent mcts,threads=2",
    ],
)
def test_the_texts_of_guests_round_trip(text: str) -> None:
    assert str(agents.read(text)) == text
    assert agents.read(str(agents.read(text))) == agents.read(text)


def test_quotes_keep_commas_together_and_are_no_part_of_a_path(tmp_path: Path) -> None:
    file = tmp_path / "odd,name=1.py"
    file.write_text("def choose(position, limit):\n    return position.move_ids[0]")
    student = agents.agent(f"python:'{file}'", games.wolves())
    assert played(student, games.wolves().new())
    assert (
        agents.read("ugi:kibitz engine 'wolves,plies=100',threads=2").options.program
        == "kibitz engine 'wolves,plies=100'"
    )


def test_no_guest_may_be_asked_for_by_strangers() -> None:
    kinds = agents.kinds()
    assert not [name for name in kinds if name.startswith(("uci", "ugi", "course-", "python")) and kinds[name].web]

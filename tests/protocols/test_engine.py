"""Kibitz as a UCI and UGI engine, driven by a scripted program and by our own agents for foreign engines."""

import io
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.agents import match
from kibitz.agents.guests.dialect import UCI, UGI
from kibitz.cli.engine import engine
from kibitz.core.errors import BadPosition, IllegalMove, KibitzError
from kibitz.core.limit import Limit
from kibitz.core.result import FIRST, SECOND
from kibitz.core.seam import interpreting
from kibitz.protocols.engine import EngineLoop
from kibitz.protocols.engine_commands import parse_go, parse_position
from kibitz.protocols.engine_info import score_text
from kibitz.search.report import WIN, Score
from tests.protocols.gui import Gui

compiled_only = pytest.mark.skipif(interpreting(), reason="slow without the compiler")
FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
INFO = re.compile(
    r"info depth \d+ seldepth \d+ multipv \d+ score (cp|mate) -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv \S+"
)


def said(game: str, *lines: str, agent: str = "random:seed=1") -> list[str]:
    """What the loop says to these lines, in this process."""
    tell = io.StringIO()
    EngineLoop(games.load(game), agents.read(agent), io.StringIO("\n".join(lines) + "\n"), tell).run()
    return tell.getvalue().splitlines()


# What is said to it.


def test_both_dialects_are_greeted_in_kind() -> None:
    for word in ("uci", "ugi"):
        lines = said("wolves", word, agent="engine")
        assert lines[0].startswith("id name Kibitz ")
        assert lines[-1] == f"{word}ok"
        for name in (
            "Hash type spin default 64 min 1",
            "Threads type spin default 1 min 1",
            "Level type spin default 0 min 0",
        ):
            assert any(line.startswith(f"option name {name} max ") for line in lines)
        assert "option name MultiPV type spin default 1 min 1 max 64" in lines
        assert "option name UCI_Variant type combo default wolves var wolves" in lines


def test_options_are_those_of_the_agent() -> None:
    lines = said("breakthrough", "uci", agent="mcts")
    assert "option name Leaf type combo default rollout var rollout var heuristic var implicit" in lines
    assert "option name Exploration type string default 0.7" in lines
    assert not any("MultiPV" in line for line in lines)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("setoption name Levl value 3", "info string no option is called 'levl'; did you mean 'Level'?"),
        ("setoption name Level value 11", "info string option level is 11, expected 0 to 10"),
        ("setoption name Level value x", "info string option level is 'x', expected a whole number"),
        ("setoption name MultiPV value 0", "info string option MultiPV is 0, expected 1 to 64"),
        (
            "setoption name UCI_Variant value chess",
            "info string UCI_Variant is 'chess', expected wolves, the game this engine plays",
        ),
        ("pozition startpos", "info string unknown command 'pozition'; did you mean 'position'?"),
        (
            "position nowhere",
            "info string position 'nowhere' cannot be read, expected startpos or fen TEXT, then moves M1 M2 ...",
        ),
        (
            "query weather",
            "info string unknown query 'weather' (known: fen, gameover, legalmoves, p1turn, p2turn, result)",
        ),
    ],
)
def test_a_mistake_is_answered_with_one_line(line: str, answer: str) -> None:
    assert said("wolves", line, agent="engine") == [answer]


@pytest.mark.parametrize("words", ["position fen rubbish", "position startpos moves a1a1", "position fen"])
def test_after_a_bad_position_there_is_none_until_a_good_one_comes(words: str) -> None:
    lines = said("wolves", "position startpos moves b1-b2", words, "query fen", "d", "go depth 1")
    refused = lines[0].removeprefix("info string ")
    missing = f"info string no position is set up, the last one was refused: {refused}"
    assert lines == [f"info string {refused}", missing, missing, missing, "bestmove (none)"]
    lines = said("wolves", words, "position startpos moves b1-b2", "query fen", "go depth 1")
    assert lines[1] == "response sssss/sssss/5/1w3/3w1 s ply=1"
    assert lines[-1].startswith("bestmove ")
    assert lines[-1] != "bestmove (none)"
    assert said("wolves", words, "ucinewgame", "query fen")[1] == "response sssss/sssss/5/5/1w1w1 w"


def test_positions_are_read_with_moves_in_either_spelling() -> None:
    game = games.breakthrough()
    plain = parse_position(game, "startpos moves a2-a3 b7b6")
    assert plain == parse_position(game, "fen pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1 moves a2a3 b7-b6")
    assert plain.before is not None
    with pytest.raises(IllegalMove):
        parse_position(game, "startpos moves a2a5")
    with pytest.raises(BadPosition):
        parse_position(game, "startposition")


def test_limits_are_those_of_the_side_to_move() -> None:
    words = "wtime 60000 btime 30000 winc 1000 binc 500 movestogo 40"
    assert parse_go(words, FIRST).limit == Limit(clock=60.0, increment=1.0, moves_to_go=40)
    assert parse_go(words, SECOND).limit == Limit(clock=30.0, increment=0.5, moves_to_go=40)
    assert parse_go("p1time 1 p2time -5", SECOND).limit == Limit(clock=0.001, increment=0.0)
    assert parse_go("movetime 250 depth 4 nodes 1000", FIRST).limit == Limit(seconds=0.25, depth=4, nodes=1000)
    assert parse_go("perft 3", FIRST).perft == 3
    odd = parse_go("depth five ponder nodes 0", FIRST)
    assert odd.ignored == ["depth five", "ponder"]
    assert odd.limit == Limit(nodes=1)


def test_queries_are_answered_for_any_game() -> None:
    lines = said("alquerque", "query p1turn", "query gameover", "query result", "query legalmoves")
    assert lines == ["response true", "response false", "response none", "response 17-13 18-13 19-13"]
    ended = "position fen 8/6P1/8/8/p7/8/8/8 w 0 1 moves g7g8"
    lines = said(
        "breakthrough", ended, "query p1turn", "query p2turn", "query gameover", "query result", "query legalmoves"
    )
    assert lines == ["response false", "response false", "response true", "response p1win", "response"]


def test_outcomes_of_chance_stand_in_the_moves_and_in_the_queries() -> None:
    battle = "position startpos moves 4,3>4,2:1+end 4,1>4,2:1+end"
    lines = said("vampires", battle, "query p1turn", "query p2turn", "query legalmoves", "go depth 1")
    assert lines[:2] == ["response false", "response false"]
    outcomes = lines[2].removeprefix("response ").split()
    assert outcomes
    assert all(outcome.startswith("~4,2:") for outcome in outcomes)
    assert lines[3:] == ["info string no move to choose: chance is next", "bestmove (none)"]
    rolled = said("vampires", f"{battle} {outcomes[0]}", "query p1turn")
    assert rolled == ["response true"]


def test_a_finished_game_has_no_best_move() -> None:
    lines = said("breakthrough", "position fen 8/6P1/8/8/p7/8/8/8 w 0 1 moves g7g8", "go depth 3")
    assert lines == ["info string no move to choose: the game is over", "bestmove (none)"]


def test_the_board_is_shown() -> None:
    lines = said("wolves", "d")
    assert lines[0].startswith("5  s  s")
    assert lines[-1] == "fen sssss/sssss/5/5/1w1w1 w"


def test_scores_are_hundredths_of_a_unit_or_distances() -> None:
    assert score_text(Score(75.0, "white"), UCI, unit=50.0) == "cp 150"
    for turns, full_moves in ((1, 1), (3, 2), (-2, -1), (-4, -2)):
        value = WIN - turns if turns > 0 else -turns - WIN
        assert score_text(Score.read(value, "white"), UCI, unit=1.0) == f"mate {full_moves}"
        assert score_text(Score.read(value, "white"), UGI, unit=1.0) == f"mate {turns}"


def test_a_mate_is_only_said_of_what_is_proven() -> None:
    almost = 0.985 * WIN  # the mean of a battle that is won in all cases but few
    assert score_text(Score.estimate(almost, "vampires"), UCI, unit=100.0).startswith("cp ")
    assert score_text(Score(WIN - 3, "vampires", proven=False), UGI, unit=100.0).startswith("cp ")


def test_an_agent_that_fails_is_told_and_has_no_move(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(position, limit):\n    print('noise on standard output')\n    return 1 // 0")
    lines = said("wolves", "go depth 1", agent=f"python:{broken}")
    assert lines == [
        "info string broken.py:3: ZeroDivisionError: integer division or modulo by zero",
        "bestmove (none)",
    ]
    missing = said("wolves", "isready", "go depth 1", agent="python:nowhere.py")
    told = "info string there is no file 'nowhere.py'"
    assert missing == ["readyok", told, told, "bestmove (none)"]


# As a program.


@compiled_only
def test_a_program_drives_it_from_greeting_to_farewell() -> None:
    with Gui("breakthrough") as gui:
        gui.ask("uci", "uciok")
        assert gui.ask("isready", "readyok")[-1] == "readyok"
        gui.say("setoption name MultiPV value 2", "ucinewgame", "position startpos moves a2a3")
        thought = gui.ask("go depth 5", "bestmove")
        facts = [line for line in thought if line.startswith("info depth")]
        assert all(INFO.match(line) for line in facts)
        assert {1, 2} == {int(re.findall(r"multipv (\d+)", line)[0]) for line in facts}
        assert [f"depth {depth} " in " ".join(facts) for depth in range(1, 6)] == [True] * 5
        best = thought[-1].split()[1]
        assert f"pv {best}" in facts[-2]
        assert best in gui.ask("query legalmoves", "response")[0].split()
        assert gui.ask("go perft 3", "Nodes")[-1] == "Nodes searched: 11638"
        gui.say("quit")
        assert gui.ends() == 0


@compiled_only
def test_stop_is_answered_at_once_and_other_words_are_heard_while_it_thinks() -> None:
    with Gui("wolves") as gui:
        gui.ask("ugi", "ugiok")
        gui.ask("isready", "readyok")
        gui.say("go infinite")
        gui.hear("info depth 6")
        assert gui.ask("isready", "readyok")
        assert gui.ask("query p1turn", "response")[-1] == "response true"
        assert re.match(r"bestmove [a-e][1-5][-x][a-e][1-5]$", gui.ask("stop", "bestmove")[-1])
        gui.say("go infinite", "stop", "stop", "go infinite")
        gui.hear("bestmove")
        gui.say("quit")
        assert gui.hear("bestmove")
        assert gui.ends() == 0


@compiled_only
def test_an_infinite_search_that_has_found_everything_waits_for_stop() -> None:
    with Gui("breakthrough") as gui:
        gui.say("position fen 8/6P1/8/8/p7/8/8/8 w 0 1", "go infinite")
        gui.hear("info depth 1 ")
        gui.hear("info depth 1 ")  # the last one stands again at the end
        for _ in range(20):
            assert gui.ask("isready", "readyok") == ["readyok"]
        assert gui.ask("stop", "bestmove")[-1].startswith("bestmove g7")


@compiled_only
def test_the_end_of_input_ends_it() -> None:
    with Gui("wolves") as gui:
        gui.say("go infinite")
        assert gui.process.stdin is not None
        gui.process.stdin.close()
        assert gui.ends() == 0


@pytest.mark.parametrize(
    ("game", "agent", "line"),
    [
        ("breakthru", None, "no game is called 'breakthru'; did you mean 'breakthrough'?"),
        ("wolves", "enjin", "no agent is called 'enjin'; did you mean 'engine'?"),
        ("wolves", "flappy", "agent flappy plays checkers, not wolves"),
    ],
)
def test_an_unknown_game_or_agent_is_refused_before_it_listens(game: str, agent: str | None, line: str) -> None:
    with pytest.raises(KibitzError) as told:
        engine(game, agent)
    assert str(told.value) == line


# Against ourselves and others.


@compiled_only
@pytest.mark.parametrize(
    ("game", "kind"),
    [("wolves", "ugi"), ("alquerque:bell", "ugi"), ("vampires:testmap", "ugi"), ("breakthrough:5x10", "uci")],
)
def test_our_agents_for_foreign_engines_play_our_engine(game: str, kind: str) -> None:
    board = games.load(game)
    player = agents.agent(f"{kind}:kibitz engine {game},nodes=300,Seed=1", board)
    position, dice = board.new(), random.Random(5)
    for _ in range(8):
        if position.over:
            break
        if position.turn == 2:
            position = position.roll(dice)
            continue
        report = player.choose(position, Limit(seconds=20))
        assert report.lines
        for move in report.moves:
            position = position.play(move)
    assert len(list(position.trail())) > 6


@compiled_only
def test_our_engine_through_the_protocol_beats_chance() -> None:
    board = games.breakthrough(rows=5, columns=5)
    player = agents.agent("uci:kibitz engine 'breakthrough,rows=5,columns=5',depth=3", board)
    end = match.play(board, player, agents.agent("random:seed=2", board), Limit(seconds=20), seed=1)
    assert end.result is not None
    assert end.result.winner == FIRST


@compiled_only
@pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
def test_fairy_stockfish_and_we_divide_perft_alike() -> None:
    assert FAIRY is not None
    position = "position startpos moves a2b3 h7g6 b3c4 g6f5"
    typed = f"uci\nsetoption name UCI_Variant value breakthrough\n{position}\ngo perft 4\nquit\n"
    theirs = subprocess.run([FAIRY], input=typed, capture_output=True, text=True, check=True).stdout
    with Gui("breakthrough") as gui:
        gui.say("uci", position)
        ours = gui.ask("go perft 4", "Nodes")
    counts = re.compile(r"^([a-h]\d[a-h]\d): (\d+)$", re.MULTILINE)
    assert sorted(counts.findall("\n".join(ours))) == sorted(counts.findall(theirs))
    assert ours[-1] in theirs

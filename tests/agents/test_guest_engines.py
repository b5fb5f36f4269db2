"""Engines of others as agents: Fairy-Stockfish where it is there, and small engines that behave well or badly."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import agents, games
from kibitz.agents import match
from kibitz.agents.agent import Agent
from kibitz.agents.guests import engine, fairy
from kibitz.agents.guests.dialect import UCI, UGI, position_line
from kibitz.agents.guests.errors import GuestFailed
from kibitz.core.errors import BadOption, IllegalMove
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.core.seam import interpreting
from kibitz.search.perft import perft

SOON = Limit(seconds=0.05)
FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
with_fairy = pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
compiled_only = pytest.mark.skipif(interpreting(), reason="slow without the compiler")

# An engine that writes down what it hears and answers what it is told to.
ENGINE = """
import sys, time
log = open(sys.argv[1], "a", buffering=1)
def say(*lines):
    print(*lines, sep="\\n", flush=True)
for line in sys.stdin:
    log.write(line)
    word = line.split()[0]
    if word in ("uci", "ugi"):
        say("hello, I chatter", "id name test", "option name Hash type spin default 1 min 1 max 9",
            "option name Playing Style type combo default Calm var Calm var Wild and Free",
            "option name Clear type button", word + "ok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        GO
    elif word == "quit":
        break
"""


def scripted(folder: Path, go: str, game: str = "breakthrough", kind: str = "uci", more: str = "") -> Agent:
    """An agent played by a scripted engine, which does this when told to go."""
    program = folder / "engine.py"
    program.write_text(ENGINE.replace("GO", go))
    command = f"{shlex.quote(sys.executable)} {program} {folder / 'log'}"
    return agents.agent(f"{kind}:{command}{more}", games.load(game))


def heard(folder: Path) -> list[str]:
    return [line for line in (folder / "log").read_text().splitlines() if line != "quit"]


def test_an_engine_is_told_the_position_with_its_history_and_the_limit(tmp_path: Path) -> None:
    player = scripted(tmp_path, "say('info depth 5 score cp 31 nodes 99 pv b7b6 a3a4', 'bestmove b7b6 ponder a3a4')")
    report = player.choose(games.breakthrough().new().play("a2-a3"), Limit(seconds=1.5, depth=7, nodes=1000))
    assert heard(tmp_path)[-2:] == ["position startpos moves a2a3", "go movetime 1500 depth 7 nodes 1000"]
    assert report.lines[0].text == "b7-b6 a3-a4"
    assert (report.lines[0].score.value, report.lines[0].score.side) == (31.0, "black")
    assert (report.depth, report.nodes) == (5, 99)


def test_clocks_go_out_in_the_words_of_the_dialect(tmp_path: Path) -> None:
    clock = Limit(clock=60.0, increment=0.5)
    scripted(tmp_path, "say('bestmove a2a3')").choose(games.breakthrough().new(), clock)
    assert heard(tmp_path)[-1] == "go wtime 60000 winc 500 btime 60000 binc 500"
    scripted(tmp_path, "say('bestmove a2a3')", kind="ugi").choose(games.breakthrough().new(), clock)
    assert heard(tmp_path)[-1] == "go p1time 60000 p1inc 500 p2time 60000 p2inc 500"


def test_a_position_that_does_not_go_on_begins_a_new_game(tmp_path: Path) -> None:
    player = scripted(tmp_path, "say('bestmove b2b3')")
    start = games.breakthrough().new()
    for position in (start, start.play("a2-a3 a7-a6"), start):
        player.choose(position, SOON)
    assert [line for line in heard(tmp_path) if "new" in line or line.startswith("position")] == [
        "ucinewgame",
        "position startpos",
        "position startpos moves a2a3 a7a6",
        "ucinewgame",
        "position startpos",
    ]


def test_turns_of_several_moves_and_outcomes_of_chance_are_one_token_each(tmp_path: Path) -> None:
    player = scripted(tmp_path, "say('bestmove 4,1>4,2:4+end')", game="vampires", kind="ugi")
    battle = games.vampires().new().play("4,3>3,2:4+end 4,1>3,1:2+4,1>4,2:2+end 3,2>4,2:1+3,2>3,1:3+end")
    rolled = battle.play(battle.outcomes()[0][1])
    line = position_line(rolled)
    assert re.match(r"position startpos moves 4,3>3,2:4\+end 4,1>3,1:2\+4,1>4,2:2\+end \S+\+end ~4,2:\S+$", line)
    report = player.choose(games.vampires().new().play("4,3>3,3:4+end"), SOON)
    assert len(report.moves) == 2


@pytest.mark.parametrize(
    ("fact", "dialect", "turns"),
    [("mate 2", "uci", 3), ("mate -2", "uci", -4), ("mate 3", "ugi", 3), ("mate -4", "ugi", -4)],
)
def test_a_mate_is_a_claim_in_full_moves_or_in_plies(tmp_path: Path, fact: str, dialect: str, turns: int) -> None:
    player = scripted(tmp_path, f"say('info depth 9 score {fact} nodes 1 pv a2a3', 'bestmove a2a3')", kind=dialect)
    report = player.choose(games.breakthrough().new(), SOON)
    assert report.score is not None
    assert report.score.win_in is None
    assert report.score.value == (1 if turns > 0 else -1) * (engine.CLAIMED - abs(turns))
    assert report.remarks[0].endswith(f" claims a {'win' if turns > 0 else 'loss'} in {abs(turns)}")
    assert (UCI if dialect == "uci" else UGI).mate(turns) == int(fact.split()[1])


@pytest.mark.parametrize("score", ["mate 1", "cp 40"])
def test_a_move_that_wins_at_once_is_proven_whatever_the_engine_says(tmp_path: Path, score: str) -> None:
    player = scripted(tmp_path, f"say('info depth 1 score {score} nodes 1 pv g7g8', 'bestmove g7g8')")
    found = player.choose(games.breakthrough().position("8/6P1/8/8/p7/8/8/8 w 0 1"), SOON).score
    assert found is not None
    assert found.win_in == 1


def test_unknown_keys_are_options_of_the_engine(tmp_path: Path) -> None:
    scripted(tmp_path, "pass", more=",hash=4,Playing_Style=Wild and Free,Clear=")
    assert heard(tmp_path)[:4] == [
        "uci",
        "setoption name Hash value 4",
        "setoption name Playing Style value Wild and Free",
        "setoption name Clear",
    ]


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (",Playing_Stile=Calm", "has no option 'Playing_Stile'; did you mean 'Playing_Style'?"),
        (",Playing_Style=Rude", "Playing Style of .* is 'Rude' \\(known: Calm, Wild and Free\\)"),
    ],
)
def test_options_that_an_engine_does_not_have_are_refused(tmp_path: Path, more: str, line: str) -> None:
    with pytest.raises(BadOption, match=line):
        scripted(tmp_path, "pass", more=more)


@pytest.mark.parametrize("answer", ["bestmove z9z9", "bestmove", "bestmove (none)", "bestmove a2a3+a3a4"])
def test_an_engine_that_answers_nonsense_has_made_an_illegal_move(tmp_path: Path, answer: str) -> None:
    player = scripted(tmp_path, f"say('{answer}')")
    with pytest.raises(IllegalMove, match=r"illegal move '.* in breakthrough position 'pppppppp/"):
        player.choose(games.breakthrough().new(), SOON)


def test_an_engine_that_says_why_it_has_no_move_is_quoted(tmp_path: Path) -> None:
    player = scripted(tmp_path, "say('info string out of cheese', 'bestmove (none)')")
    with pytest.raises(GuestFailed, match=r" has no move: out of cheese$"):
        player.choose(games.breakthrough().new(), Limit(depth=1))


def test_half_a_turn_is_an_illegal_move(tmp_path: Path) -> None:
    player = scripted(tmp_path, "say('bestmove 4,3>4,4:1')", game="vampires", kind="ugi")
    with pytest.raises(IllegalMove, match="which is no whole turn"):
        player.choose(games.vampires().new(), SOON)


def test_an_engine_that_dies_is_told_with_its_last_words_and_started_again(tmp_path: Path) -> None:
    go = "sys.exit('out of cheese') if 'depth 1' in line else say('bestmove a2a3')"
    player = scripted(tmp_path, go)
    with pytest.raises(GuestFailed, match=r"ended with status 1: 'out of cheese'$"):
        player.choose(games.breakthrough().new(), Limit(depth=1))
    assert player.choose(games.breakthrough().new(), SOON).moves


def test_an_engine_that_hangs_is_told_to_stop_and_then_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PATIENCE", 0.2)
    obeys = scripted(tmp_path, "sys.stdin.readline(); say('bestmove a2a3')")
    assert obeys.choose(games.breakthrough().new(), SOON).moves
    deaf = scripted(tmp_path, "time.sleep(60)")
    with pytest.raises(GuestFailed, match=r"said no 'bestmove' within 0.25 s, nor when asked to stop$"):
        deaf.choose(games.breakthrough().new(), SOON)


def test_an_engine_is_ended_with_its_children_when_nobody_needs_it(tmp_path: Path) -> None:
    child = "import subprocess; subprocess.Popen(['sleep', '60']); say('bestmove a2a3')"
    player = scripted(tmp_path, child)
    player.choose(games.breakthrough().new(), SOON)
    assert isinstance(player, engine.EngineGuest)
    process = player.program().process
    del player
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("uci:no-such-engine", "no program is called 'no-such-engine'"),
        ("uci", "agent uci needs a program, as uci:COMMAND"),
        ("ugi:'unbalanced", 'command "\'unbalanced" cannot be read: no closing quotation'),
        ("uci:false", "false ended with status 1"),
    ],
)
def test_programs_that_cannot_run_are_told_in_one_line(text: str, line: str) -> None:
    with pytest.raises((GuestFailed, BadOption)) as told:
        agents.agent(text, games.breakthrough())
    assert str(told.value) == line


def test_an_engine_that_never_agrees_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "HANDSHAKE", 0.2)
    with pytest.raises(GuestFailed, match=r"^cat said no 'uciok' within 0.2 s$"):
        agents.agent("uci:cat", games.breakthrough())


# Fairy-Stockfish.


def fairy_says(*lines: str) -> str:
    assert FAIRY is not None
    typed = "\n".join(["uci", *lines, "quit", ""])
    return subprocess.run([FAIRY], input=typed, capture_output=True, text=True, check=True).stdout


@with_fairy
@compiled_only
@pytest.mark.parametrize("size", ["5x5", "5x2", "6x6", "5x12", "10x6", "5x10", "8x8"])
def test_fairy_stockfish_counts_the_same_lines_on_boards_that_we_teach_it(size: str, tmp_path: Path) -> None:
    rows, columns = map(int, size.split("x"))
    game = games.breakthrough(rows=rows, columns=columns)
    taught = fairy.variant_file(game)
    assert taught is not None
    empty = str(columns)
    behind = [empty] * (rows - 5)
    near = f"{empty}/{empty}/P{columns - 1}/{'/'.join([*behind, ''])}{columns - 1}p/{empty} w 0 1"
    (tmp_path / "variants.ini").write_text(taught.text)
    said = fairy_says(
        f"setoption name VariantPath value {tmp_path / 'variants.ini'}",
        f"setoption name UCI_Variant value {taught.name}",
        "position startpos",
        "go perft 4",
        f"position fen {near}",
        "go perft 4",
    )
    counts = [int(count) for count in re.findall(r"Nodes searched: (\d+)", said)]
    assert counts == [perft(game.new(), 4), perft(game.position(near), 4)]


@with_fairy
@pytest.mark.parametrize("game", ["breakthrough", "breakthrough:5x10", "breakthrough,rows=5,columns=5"])
def test_fairy_stockfish_plays_a_whole_game(game: str) -> None:
    board = games.load(game)
    strong = agents.agent("uci:fairy-stockfish,nodes=2000,Skill_Level=20", board)
    end = match.play(board, strong, agents.agent("random:seed=4", board), Limit(seconds=5), seed=1)
    assert end.result is not None
    assert end.result.winner == 0


@with_fairy
def test_fairy_stockfish_sees_a_win_as_we_count_it() -> None:
    player = agents.agent("uci:fairy-stockfish", games.breakthrough())
    report = player.choose(games.breakthrough().position("8/8/6P1/8/p7/8/8/8 w 0 1"), Limit(depth=8))
    assert report.remarks == ("fairy-stockfish claims a win in 3",)


@with_fairy
@pytest.mark.parametrize("game", ["breakthrough:three", "breakthrough,rows=12,columns=4", "wolves"])
def test_games_that_fairy_stockfish_cannot_play_are_refused(game: str) -> None:
    with pytest.raises(BadOption, match=f"^fairy-stockfish does not play {game}$"):
        agents.agent("uci:fairy-stockfish", games.load(game))


def test_an_engine_that_does_not_take_our_board_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "small.py"
    variants = "option name UCI_Variant type combo default chess var chess var breakthrough"
    program.write_text(
        ENGINE.replace('"hello, I chatter"', f'"{variants}", "option name VariantPath type string default x"')
    )
    text = f"uci:{sys.executable} {program} {tmp_path / 'log'}"
    with pytest.raises(GuestFailed, match=r"does not take the board of breakthrough:5x10$"):
        agents.agent(text, games.breakthrough("5x10"))
    assert "setoption name UCI_Variant value kibitz-5x10" in heard(tmp_path)


def test_positions_begin_where_their_history_does() -> None:
    root: Position = games.wolves().position("sssss/sssss/5/1w3/3w1 s")
    assert position_line(root.play("a4-a3")) == "position fen sssss/sssss/5/1w3/3w1 s moves a4-a3"

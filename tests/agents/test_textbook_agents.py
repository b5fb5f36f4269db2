"""Agents that search to a fixed depth, and the match that lets two of them play."""

import pytest

from kibitz import agents, games
from kibitz.agents import match
from kibitz.core.errors import BadOption, KibitzError
from kibitz.core.limit import Limit
from kibitz.core.position import Position
from kibitz.search.report import Report

ALQUERQUE = games.alquerque()


@pytest.mark.parametrize(
    "text",
    ["minimax", "alphabeta:depth=5", "minimax:depth=2,heuristic=dm574,shuffle=yes,breadth=3,ties=shallow,noise=0.25",
     "greedy:seed=3", "mp2:search=minimax,heuristic=offensive-1", "luo:killed=8000", "dm574-shipped:depth=3"],
)  # fmt: skip
def test_an_agent_s_text_round_trips(text: str) -> None:
    assert str(agents.read(text)) == text


def test_alphabeta_and_minimax_play_the_same_turn() -> None:
    position = ALQUERQUE.new().play("17-13 9x17")
    ends = "depth=3,heuristic=dm574,shuffle=yes,ties=shallow,seed=4"
    chosen = [agents.agent(f"{name}:{ends}", ALQUERQUE).choose(position, Limit()) for name in ("minimax", "alphabeta")]
    assert chosen[0].moves == chosen[1].moves
    assert chosen[0].score == chosen[1].score


def test_the_depth_is_an_option_that_a_limit_may_lower() -> None:
    agent = agents.agent("alphabeta:heuristic=dm574", ALQUERQUE)
    assert agent.choose(ALQUERQUE.new(), Limit()).depth == 4
    assert agent.choose(ALQUERQUE.new(), Limit(depth=2)).depth == 2
    assert agent.choose(ALQUERQUE.new(), Limit(depth=9)).depth == 4


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("minimax:depth=0", "depth"),
        ("alphabeta:noise=-1", "option noise is -1, expected 0 or more"),
        ("alphabeta:breadth=-1", "breadth"),
        ("minimax:heuristic=dm547", "did you mean 'dm574'"),
        ("minimax:noise=much", "option noise is 'much', expected a number"),
        ("minimax:deph=3", "did you mean 'depth'"),
        ("luo", "agent luo plays wolves, not alquerque"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint):
        agents.agent(text, ALQUERQUE)


def best_gain(position: Position) -> set[str]:
    """The moves of one marble that gain most rows, read off their texts."""
    sign = 1 if position.to_move == "blue" else -1
    gains = {
        move: sign * (int(move.split(",")[0]) - int(move.split("-")[1].split(",")[0])) for move in position.moves()
    }
    return {move for move, gain in gains.items() if gain == max(gains.values())}


def test_greedy_gains_most_rows_in_checkers_and_plays_every_one_of_the_best_moves() -> None:
    game = games.checkers()
    greedy = agents.agent("greedy:seed=7", game)
    position = game.new()
    for _ in range(12):
        (move,) = greedy.choose(position, Limit()).moves
        assert game.move_text(position.state, move) in best_gain(position)
        position = position.play(move)
    met = {game.move_text(game.new().state, greedy.choose(game.new(), Limit()).moves[0]) for _ in range(60)}
    assert met == best_gain(game.new())


def test_a_game_is_played_to_its_end_and_again_the_same_by_the_same_seeds() -> None:
    def played(seed: int) -> Position:
        first, second = (agents.agent(f"random:seed={seed + side}", ALQUERQUE) for side in (1, 2))
        return match.play(ALQUERQUE, first, second, Limit(), seed, opening="17-13 9x17")

    end = played(5)
    assert end.over
    assert end.line.startswith("17-13 9x17 ")
    assert played(5).line == end.line
    assert played(6).line != end.line


def test_a_match_rolls_the_dice_and_plays_turns_of_several_moves() -> None:
    game = games.load("vampires:testmap")

    def played(seed: int) -> str:
        first, second = (agents.agent(f"random:seed={side}", game) for side in (1, 2))
        end = match.play(game, first, second, Limit(), seed)
        assert end.over
        return end.line

    lines = [played(seed) for seed in range(1, 6)]
    assert any("~" in line for line in lines)
    assert "+end" in lines[0]
    assert played(1) == lines[0]


def test_an_agent_without_a_move_ends_the_match() -> None:
    class Silent:
        def choose(self, position: Position, limit: Limit) -> Report:
            return Report(())

    with pytest.raises(KibitzError, match="no move from white in alquerque position"):
        match.play(ALQUERQUE, Silent(), Silent(), Limit(), 1)


def test_a_battle_that_is_almost_surely_won_is_not_a_proven_win() -> None:
    position = games.vampires("testmap").position("6/6/6/1,v1,1,v1,1,w1/4,v1,1 v ply=14")
    score = agents.agent("alphabeta:depth=3", position.game).choose(position, Limit()).score
    assert score is not None
    assert score.value > 100_000
    assert not score.proven


def test_a_loss_is_not_proven_by_a_search_that_looks_at_some_moves_only() -> None:
    position = games.breakthrough(rows=5, columns=3).position("p1p/1pp/PpP/PPp/2P b 0 1")
    for text, win_in in (("alphabeta:depth=4", 1), ("alphabeta:depth=4,breadth=1", None)):
        score = agents.agent(text, position.game).choose(position, Limit()).score
        assert score is not None
        assert score.win_in == win_in

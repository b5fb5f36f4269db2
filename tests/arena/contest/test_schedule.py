"""Who meets whom."""

from collections import Counter
from itertools import combinations

import pytest

from kibitz.arena.contest import schedule
from kibitz.arena.contest.contest import BadContest
from kibitz.arena.contest.openings import Opening
from kibitz.arena.play.fixture import PlayedGame
from tests.arena.samples import DRAWN, WON, contest, played

SIX = ("a", "b", "c", "d", "e", "f")


def opening(number: int) -> Opening:
    return Opening(number=number, line="", seed=number + 1)


def test_in_a_round_robin_everyone_meets_everyone_with_both_sides_from_each_opening() -> None:
    asked = contest("a", "b", "c", games=4)
    wave = schedule.wave(asked, 0, [])
    found = [fixture.key for fixture in schedule.fixtures(asked, wave, opening)]
    assert len(found) == len(set(found)) == schedule.games_in_all(asked) == 12
    for left, right in combinations("abc", 2):
        for number in range(2):
            assert (left, right, number) in found
            assert (right, left, number) in found


def test_games_of_a_pair_have_different_seeds_and_no_two_fixtures_share_a_fingerprint() -> None:
    asked = contest("a", "b", "c")
    fixtures = list(schedule.fixtures(asked, schedule.wave(asked, 0, []), opening))
    assert len({fixture.task.seed for fixture in fixtures}) == len({fixture.fingerprint for fixture in fixtures}) == 12


def test_in_a_gauntlet_the_first_meets_each_other_one() -> None:
    asked = contest(*SIX, form="gauntlet")
    assert schedule.wave(asked, 0, []).pairings == (("a", "b"), ("a", "c"), ("a", "d"), ("a", "e"), ("a", "f"))
    assert schedule.games_in_all(asked) == 20


def swiss_played(names: tuple[str, ...], rounds: int) -> tuple[list[PlayedGame], list[list[tuple[str, str]]]]:
    """A Swiss tournament in which the alphabet decides."""
    games: list[PlayedGame] = []
    pairings = []
    for number in range(rounds):
        wave = schedule.swiss(names, games, number)
        pairings.append(wave)
        for left, right in wave:
            better, worse = sorted((left, right))
            games.append(played(better, worse, number, WON, number=number))
    return games, pairings


def test_a_swiss_tournament_has_no_rematch_while_one_can_be_avoided() -> None:
    _, pairings = swiss_played(SIX, 5)
    met = [frozenset(pair) for wave in pairings for pair in wave]
    assert len(met) == len(set(met)) == 15


def test_when_rematches_cannot_be_avoided_everyone_still_plays() -> None:
    _, pairings = swiss_played(("a", "b", "c", "d"), 5)
    assert all(len({name for pair in wave for name in pair}) == 4 for wave in pairings)


def test_players_of_like_score_meet() -> None:
    names = tuple("abcdefgh")
    games, pairings = swiss_played(names, 2)
    points = schedule.standings(names, games[:4])
    assert all(points[left] == points[right] for left, right in pairings[1])


def test_the_best_of_a_swiss_tournament_comes_first() -> None:
    games, _ = swiss_played(tuple("hgfedcba"), 4)
    points = schedule.standings(tuple("hgfedcba"), games)
    assert max(points, key=lambda name: points[name]) == "a"


def test_with_an_odd_number_each_sits_out_once_and_gets_the_points_of_a_won_match() -> None:
    names = ("a", "b", "c", "d", "e")
    games, pairings = swiss_played(names, 5)
    resting = [name for wave in pairings for name in names if name not in {one for pair in wave for one in pair}]
    assert Counter(resting) == Counter(names)
    assert schedule.byes(names, games, 5) == resting
    assert schedule.standings(names, games, resting)["e"] == 1.0


def test_a_drawn_game_is_half_a_point_for_both() -> None:
    assert schedule.standings(("a", "b"), [played("a", "b", 0, DRAWN)]) == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("games", [0, 1, 3, -2])
def test_games_that_make_no_whole_pairs_are_refused(games: int) -> None:
    with pytest.raises(BadContest, match="even number"):
        contest("a", "b", games=games)


def test_one_agent_alone_is_no_contest() -> None:
    with pytest.raises(BadContest, match="at least two"):
        contest("a")

"""The rules still give the games that were read and approved."""

import pytest

from tests.golden.transcript import GAMES, path_of, transcript


@pytest.mark.parametrize("game", GAMES)
def test_the_transcript_of_a_random_game_is_the_one_on_file(game: str) -> None:
    assert transcript(game) == path_of(game).read_text(), "rules or texts have changed; `make golden` and read the diff"

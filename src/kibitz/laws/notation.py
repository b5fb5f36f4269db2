"""Laws of notation: games, positions and moves as text."""

import random
from collections import Counter
from collections.abc import Iterator

from kibitz import games
from kibitz.core.errors import BadPosition, IllegalMove, KibitzError, quoted
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.result import CHANCE
from kibitz.laws.law import Broken, NotApplicable, expect
from kibitz.laws.sample import Playout, blame, choices, is_sound

DAMAGES = 4  # damaged texts tried for each position
PROTOCOL_WORDS = 4  # moves of each position tried in the words of other programs, which are slow to look up


def the_text_of_a_game_loads_it_again(game: Game) -> None:
    book = game.rulebook
    for preset in (None, *book.presets):
        played = game if preset is None else Game(book, book(preset).options, game.label)
        try:
            again = games.load(played.text)
        except KibitzError as error:
            raise Broken(f"{quoted(played.text)} is not loaded: {error}") from None
        expect(again == played, f"{quoted(played.text)} loads {again.rulebook.name} with {again.options}")
        expect(again.text == played.text, f"{quoted(played.text)} loads a game whose text is {quoted(again.text)}")


def a_position_is_read_as_it_was_written(position: Position) -> None:
    text = position.text
    neat = text.isprintable() and text == " ".join(text.split()) != ""
    expect(neat, f"the text {quoted(text)} is not a line of words with one space between", position)
    try:
        again = position.game.position(text)
    except BadPosition as error:
        raise Broken(f"the position's own text is refused: {error}", position) from None
    expect(again == position, f"the position's own text is read as {again.state}, expected {position.state}", position)
    expect(again.text == text, f"the position's own text is written again as {quoted(again.text)}", position)


def a_damaged_text_is_refused_or_is_a_position(position: Position) -> None:
    game = position.game
    if game.rulebook.read is None:
        raise NotApplicable("the game has no notation of its own")
    for text in _damage(position.text):
        try:
            found = game.position(text)
        except BadPosition:
            continue
        except Exception as problem:  # that nothing else is raised is the law
            raise Broken(f"reading {quoted(text, 200)}: {blame(problem, game)}, expected BadPosition") from problem
        expect(is_sound(found), f"{quoted(text, 200)} is read, but the game can neither go on there nor has it ended")
        a_position_is_read_as_it_was_written(found)


def _damage(text: str) -> Iterator[str]:
    """The text with one thing wrong, or more; the same texts each time."""
    dice = random.Random(text)
    for _ in range(DAMAGES):
        letters = list(text)
        for _ in range(dice.choice((1, 1, 2, 3))):
            at, other = dice.randrange(len(letters)), dice.randrange(len(letters))
            new = dice.choice((letters[other], *"019 /=,-+~x\u00e4"))
            damages = (letters[:at], [*letters[:at], new, *letters[at:]], [*letters[:at], *letters[at + 1 :]],
                       [*letters[:at], new, *letters[at + 1 :]])  # fmt: skip
            letters = dice.choice(damages) or [" "]
        yield "".join(letters)


def the_texts_of_moves_are_words(position: Position) -> None:
    chance = position.turn == CHANCE
    for code, text in _texts(position):
        what = f"move {code} has the text {quoted(text)}"
        expect(bool(text) and text.isprintable(), f"{what}, expected something that can be printed", position)
        expect(not set(text) & set(" +"), f"{what}, expected neither a space nor '+'", position)
        expect(text.startswith("~") == chance, f"{what}, expected '~' before outcomes of chance only", position)


def the_texts_of_moves_are_all_different(position: Position) -> None:
    twice = [text for text, times in Counter(text for _, text in _texts(position)).items() if times > 1]
    expect(not twice, f"several moves have the text {quoted(twice[0]) if twice else ''}", position)


def the_texts_of_moves_are_understood(position: Position) -> None:
    game, state = position.game, position.state
    words = _texts(position)
    some = random.Random(position.text).sample(words, min(len(words), PROTOCOL_WORDS))
    for code, word in [*words, *((code, game.protocol_text(state, code)) for code, _ in some)]:
        try:
            found = position.play(word)
        except IllegalMove as error:
            raise Broken(f"the text {quoted(word)} of move {code} is refused: {error}", position) from None
        expect(found.last_move == code, f"the text {quoted(word)} of move {code} plays {found.last_move}", position)


def _texts(position: Position) -> list[tuple[int, str]]:
    game = position.game
    return [] if position.over else [(code, game.move_text(position.state, code)) for code in choices(position)]


def a_game_is_replayed_from_its_line(playout: Playout) -> None:
    start, last = playout[0], playout[-1]
    try:
        found = start.play(last.line)
    except IllegalMove as error:
        raise Broken(f"the line of a game cannot be replayed: {error}", last) from None
    expect(found == last, f"the line of a game leads to '{found.text}'", last)

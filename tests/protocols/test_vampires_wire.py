"""Messages of the vampires game to bytes and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.agents.guests.vampires_wire import (
    COUNTED,
    FIXED,
    BadMessage,
    Message,
    Reader,
    encode,
    message,
    name_in,
    name_message,
)

byte = st.integers(0, 255)


def entries(width: int, least: int, most: int) -> st.SearchStrategy[tuple[tuple[int, ...], ...]]:
    return st.lists(st.tuples(*[byte] * width), min_size=least, max_size=most).map(tuple)


messages = st.one_of(
    *(st.builds(Message, st.just(word), entries(width, 0, 255)) for word, width in COUNTED.items()),
    *(st.builds(Message, st.just(word), entries(width, 1, 1)) for word, width in FIXED.items() if width),
    *(st.just(Message(word)) for word, width in FIXED.items() if not width),
)
ALL = (*COUNTED, *FIXED)


@given(st.lists(messages, max_size=4), st.integers(1, 7))
def test_messages_survive_the_wire_in_pieces_of_any_size(said: list[Message], size: int) -> None:
    data = b"".join(map(encode, said))
    reader = Reader(ALL)
    heard = []
    for at in range(0, len(data), size):
        reader.feed(data[at : at + size])
        while told := reader.take():
            heard.append(told)
    assert heard == said
    assert not reader.has_partial


def test_bytes_are_those_of_the_course() -> None:
    assert encode(message("SET", [(5, 10)])) == b"SET\x05\x0a"
    assert encode(message("HUM", [(2, 2), (9, 0)])) == b"HUM\x02\x02\x02\x09\x00"
    assert encode(message("UPD", [])) == b"UPD\x00"
    assert encode(message("MOV", [(4, 3, 2, 5, 3)])) == b"MOV\x01\x04\x03\x02\x05\x03"
    assert encode(name_message("Jan")) == b"NME\x03Jan"
    assert encode(message("END")) == b"END"


@given(st.binary(min_size=1, max_size=40))
def test_garbage_is_refused_or_waited_for_but_never_breaks_the_reader(data: bytes) -> None:
    reader = Reader(("NME", "MOV"))
    reader.feed(data)
    try:
        while reader.take():
            pass
    except BadMessage:
        assert not any(word.startswith(reader.waiting[:3]) for word in (b"NME", b"MOV"))


def test_garbage_is_noticed_at_its_first_byte() -> None:
    reader = Reader(("NME", "MOV"))
    reader.feed(b"G")
    with pytest.raises(BadMessage, match="is no message, expected NME or MOV"):
        reader.take()


@pytest.mark.parametrize(
    "wrong",
    [
        message("XYZ"),
        message("SET", [(1, 2, 3)]),
        message("SET"),
        message("END", [()]),
        message("HME", [(1, 256)]),
        message("HUM", [(0, 0)] * 256),
    ],
)
def test_what_is_no_message_is_not_written(wrong: Message) -> None:
    with pytest.raises(BadMessage):
        encode(wrong)


def test_a_name_is_fit_to_be_printed_whatever_its_bytes() -> None:
    assert name_in(message("NME", [(27,), (65,), (255,)])) == "?A\N{REPLACEMENT CHARACTER}"
    assert name_in(message("NME")) == "nobody"
    assert len(name_message("x" * 400).entries) == 255

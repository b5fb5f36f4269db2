"""The one grammar of mutations: from a good input to a bad one, by chance, the same for the same random numbers.

An input is bytes, whatever reads it. A mutation knows nothing of formats; words that hurt readers come from one list.
"""

import random
import re
from collections.abc import Callable, Sequence

WORDS = (
    *(b"", b"\0", b"\n", b"\r\n", b" ", b"\t", b"/", b"\\", b'"', b"'", b"{", b"}", b"[", b"]", b","),
    *(b":", b"=", b"~", b"+", b"|", b"#", b"-", b"."),
    *(b"0", b"-1", b"1", b"255", b"256", b"65536", b"2147483648", b"9223372036854775807", b"18446744073709551616"),
    *(b"1e999", b"-1e999", b"NaN", b"Infinity", b"-Infinity", b"1.5", b"0x10", b"1_000", b"True", b"null", b"true"),
    *(b"9" * 400, b"9" * 5000, b"a" * 300, b"a" * 5000, b"[" * 3000, b'{"a":' * 1500, b"((((((((" * 20),
    *(b"\\ud800", b"\\u0000", "\u00b2\u0663\u0967\U0001d7d8".encode(), b"\xed\xa0\x80", b"\xff\xfe", b"\xef\xbb\xbf"),
    *(b"evil.py", b"../../etc/passwd", b"/dev/zero", b"os.path", b"$(x)", b"%s%n", b"<!DOCTYPE a [<!ENTITY b 'c'>]>"),
    *(b"moves", b"startpos", b"fen", b"go depth ", b"1-0", b"1/2-1/2", b"*", b"1. ", b"2... ", b"{+0.1/3 1s 5n}"),
)  # fmt: skip
MOST_STEPS = 6
LONGEST = 1 << 20  # bytes of what comes out

Mutation = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def mutate(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    """The input after some mutations; `others` are good inputs of the same kind, to take pieces of."""
    for _ in range(dice.randint(1, MOST_STEPS)):
        data = dice.choice(MUTATIONS)(data, dice, others)[:LONGEST]
    return data


def _place(data: bytes, dice: random.Random) -> int:
    return dice.randint(0, len(data))


def _range(data: bytes, dice: random.Random) -> tuple[int, int]:
    start = _place(data, dice)
    return start, min(len(data), start + int(dice.paretovariate(0.7)))


def flip_bit(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]


def set_byte(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at = _place(data, dice)
    return data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]


def remove(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    start, stop = _range(data, dice)
    return data[:start] + data[stop:]


def repeat(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    start, stop = _range(data, dice)
    return data[:stop] + data[start:stop] * dice.choice((1, 1, 2, 10, 1000)) + data[stop:]


def swap(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    start, stop = _range(data, dice)
    return data[stop:] + data[start:stop] + data[:start]


def cut(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at = _place(data, dice)
    return data[:at] if dice.random() < 0.8 else data[at:]


def insert_word(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    at = _place(data, dice)
    return data[:at] + dice.choice(WORDS) + data[at:]


def replace_number(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    return _replace(rb"-?\d+(\.\d+)?", data, dice)


def replace_word(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    return _replace(rb"[A-Za-z]+", data, dice)


def replace_value(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    """What JSON calls a value: a text, a list or an object without others in it, a number, a word."""
    return _replace(rb'"[^"]*"|\[[^\[\]]*\]|\{[^{}]*\}|-?\d+(\.\d+)?|null|true|false', data, dice)


def swap_words(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    words = data.split(b" ")
    one, other = dice.randrange(len(words)), dice.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return b" ".join(words)


def repeat_line(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    at = dice.randrange(len(lines))
    return b"\n".join(lines[:at] + [lines[at]] * dice.choice((2, 3, 100)) + lines[at:])


def splice(data: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    other = dice.choice(others)
    return data[: _place(data, dice)] + other[_place(other, dice) :]


def _replace(pattern: bytes, data: bytes, dice: random.Random) -> bytes:
    found = list(re.finditer(pattern, data[: 1 << 16]))
    if not found:
        return data
    chosen = dice.choice(found)
    return data[: chosen.start()] + dice.choice(WORDS) + data[chosen.end() :]


MUTATIONS: tuple[Mutation, ...] = (
    flip_bit,
    set_byte,
    remove,
    repeat,
    swap,
    cut,
    insert_word,
    replace_number,
    replace_word,
    replace_value,
    swap_words,
    repeat_line,
    splice,
)

"""The bytes of the vampires game on a network, and nothing else: messages to bytes, bytes to messages.

A message is a word of three letters and entries of one byte a number. Some words have one entry of a fixed width,
some have a byte that says how many entries follow, some have none:

    NME t name          SET rows columns    HUM n (x y)*    HME x y    END    BYE
    MAP, UPD n (x y humans vampires werewolves)*            MOV n (x y count x y)*
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from kibitz.core.errors import KibitzError, quoted

MOST = 255  # numbers and entries alike: each is one byte
WORD = 3  # letters

COUNTED = {"NME": 1, "HUM": 2, "MAP": 5, "UPD": 5, "MOV": 5}  # numbers in an entry
FIXED = {"SET": 2, "HME": 2, "END": 0, "BYE": 0}
OF_CLIENTS = ("NME", "MOV")
OF_SERVERS = ("SET", "HUM", "HME", "MAP", "UPD", "END", "BYE")

Entry = tuple[int, ...]


class BadMessage(KibitzError):
    """Bytes that are no message, or a message that cannot be bytes."""


class Message(NamedTuple):
    """A word and its entries: `Message("HME", ((4, 3),))`."""

    word: str
    entries: tuple[Entry, ...] = ()


def message(word: str, entries: Iterable[Iterable[int]] = ()) -> Message:
    """A message of these entries, whatever they come as."""
    return Message(word, tuple(tuple(entry) for entry in entries))


def name_message(name: str) -> Message:
    """Who we are, as a client says it first."""
    return message("NME", ((byte,) for byte in name.encode()[:MOST]))


def name_in(received: Message) -> str:
    """The name in such a message, fit to be printed."""
    text = bytes(number for (number,) in received.entries).decode(errors="replace")
    return "".join(letter if letter.isprintable() else "?" for letter in text).strip() or "nobody"


def encode(sent: Message) -> bytes:
    """A message as bytes."""
    width = COUNTED.get(sent.word, FIXED.get(sent.word))
    if width is None:
        raise BadMessage(f"no message is called {quoted(sent.word)}")
    if any(len(entry) != width for entry in sent.entries):
        raise BadMessage(f"an entry of {sent.word} does not have {width} numbers")
    numbers = [number for entry in sent.entries for number in entry]
    if sent.word in COUNTED:
        numbers.insert(0, len(sent.entries))
    elif len(sent.entries) != (width > 0):
        raise BadMessage(f"{sent.word} has {len(sent.entries)} entries, expected {int(width > 0)}")
    if not all(0 <= number <= MOST for number in numbers):
        raise BadMessage(f"a number of {sent.word} does not fit into a byte, expected 0 to {MOST}")
    return sent.word.encode() + bytes(numbers)


class Reader:
    """Takes bytes as they come, whole or in pieces, and gives messages. It holds no more than one unfinished."""

    def __init__(self, words: Collection[str]) -> None:
        self.words = words
        self.waiting = b""

    def feed(self, data: bytes) -> None:
        """More bytes have come."""
        self.waiting += data

    @property
    def has_partial(self) -> bool:
        """Has a message begun that has not ended?"""
        return bool(self.waiting)

    def take(self) -> Message | None:
        """The next message, or None while it is not whole; BadMessage as soon as it can be none."""
        head = self.waiting[:WORD]
        if not any(word.encode().startswith(head) for word in self.words):
            raise BadMessage(f"{self.waiting[:20]!r} is no message, expected {' or '.join(self.words)}")
        word = head.decode()
        size = self._size(word)
        if size is None or len(self.waiting) < size:
            return None
        body, self.waiting = self.waiting[WORD:size], self.waiting[size:]
        return _message(word, body)

    def _size(self, word: str) -> int | None:
        """The bytes of the message that waits, once that is known."""
        if word in FIXED:
            return WORD + FIXED[word]
        if word in COUNTED and len(self.waiting) > WORD:
            return WORD + 1 + COUNTED[word] * self.waiting[WORD]
        return None


def _message(word: str, body: bytes) -> Message:
    if word in FIXED:
        return Message(word, (tuple(body),) if body else ())
    width = COUNTED[word]
    return Message(word, tuple(tuple(body[at : at + width]) for at in range(1, len(body), width)))

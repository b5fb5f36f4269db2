"""What a player printed in a game, on either stream: packed, and bounded in any case."""

import re
import zlib
from typing import NamedTuple

from kibitz.arena.players.supervisor import KEPT

LARGEST = 2 * KEPT + 1000  # bytes of one that is unpacked
CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)  # what moves a cursor or turns a line round


class Log(NamedTuple):
    """The beginning and the end of what was printed; all of it, unless that is very much."""

    packed: bytes = b""
    size: int = 0  # bytes that were printed
    dropped: int = 0  # of them, from the middle

    @property
    def text(self) -> str:
        """It without what would move the cursor of a terminal: such letters have pictures."""
        return CONTROL.sub(_picture, self._unpack(LARGEST))

    def _unpack(self, most: int) -> str:
        try:
            return zlib.decompressobj().decompress(self.packed, most).decode(errors="replace")
        except zlib.error:
            return "(damaged)"

    def shorten(self, most: int) -> "Log":
        """Of this no more than so many bytes, of its beginning and its end."""
        kept = CONTROL.sub(_picture, self._unpack(2 * LARGEST + most)).encode()
        if len(kept) <= most:
            return self
        half = most // 2
        left_out = self.dropped + len(kept) - 2 * half
        between = f"\n... {left_out} bytes left out ...\n".encode()
        return Log(zlib.compress(kept[:half] + between + kept[-half:]), self.size, left_out)


NOTHING = Log()


def _picture(found: "re.Match[str]") -> str:
    """The picture that a control character of ASCII has."""
    code = ord(found[0])
    return chr(0x2400 + code) if code < 32 else "?"


def join_logs(earlier: Log, later: Log) -> Log:
    """What a player printed in two attempts at one game, no more than one log may hold."""
    if not earlier.packed:
        return later
    text = f"{earlier.text.rstrip()}\n=== the game is played again\n{later.text}"
    whole = Log(zlib.compress(text.encode(), 1), earlier.size + later.size, earlier.dropped + later.dropped)
    return whole.shorten(2 * KEPT)

"""What a player printed in a game, on either stream: packed, and bounded in any case."""

import zlib
from typing import NamedTuple

from kibitz.arena.players.supervisor import KEPT

LARGEST = 2 * KEPT + 1000  # bytes of one that is unpacked
CONTROL = {code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"} | {127: 0x2421}
CONTROL |= dict.fromkeys(range(128, 160), ord("?"))


class Log(NamedTuple):
    """The beginning and the end of what was printed; all of it, unless that is very much."""

    packed: bytes = b""
    size: int = 0  # bytes that were printed
    dropped: int = 0  # of them, from the middle

    @property
    def text(self) -> str:
        """It without what would move the cursor of a terminal: such letters have pictures."""
        return self._unpack(LARGEST).translate(CONTROL)

    def _unpack(self, most: int) -> str:
        try:
            return zlib.decompressobj().decompress(self.packed, most).decode(errors="replace")
        except zlib.error:
            return "(damaged)"

    def shorten(self, most: int) -> "Log":
        """Of this no more than so many bytes, of its beginning and its end."""
        kept = self._unpack(2 * LARGEST + most).translate(CONTROL).encode()
        if len(kept) <= most:
            return self
        half = most // 2
        left_out = self.dropped + len(kept) - 2 * half
        between = f"\n... {left_out} bytes left out ...\n".encode()
        return Log(zlib.compress(kept[:half] + between + kept[-half:]), self.size, left_out)


NOTHING = Log()


def join_logs(earlier: Log, later: Log) -> Log:
    """What a player printed in two attempts at one game, no more than one log may hold."""
    if not earlier.packed:
        return later
    text = f"{earlier.text.rstrip()}\n=== the game is played again\n{later.text}"
    whole = Log(zlib.compress(text.encode(), 1), earlier.size + later.size, earlier.dropped + later.dropped)
    return whole.shorten(2 * KEPT)

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
        if not self.packed:
            return ""
        try:
            kept = zlib.decompressobj().decompress(self.packed, LARGEST)
        except zlib.error:
            return "(damaged)"
        return kept.decode(errors="replace").translate(CONTROL)

    def shorten(self, most: int) -> "Log":
        """Of this no more than so many bytes, of its beginning and its end."""
        kept = self.text.encode()
        if len(kept) <= most:
            return self
        half = most // 2
        left_out = self.dropped + len(kept) - 2 * half
        between = f"\n... {left_out} bytes left out ...\n".encode()
        return Log(zlib.compress(kept[:half] + between + kept[-half:]), self.size, left_out)


NOTHING = Log()

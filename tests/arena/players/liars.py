"""Player's processes that break the rules of the channel. Run as a program, with the lie as first argument."""

import json
import socket
import sys
from pathlib import Path

from kibitz.arena.players.agent_process import AgentHost

PROGRAM = (sys.executable, "-P", str(Path(__file__)))


def lies(lie: str, number: int) -> bytes:
    """What is said before the honest answer to a question."""
    if lie == "stale":  # an answer to the question before, which would be illegal now
        return json.dumps({"id": number - 1, "moves": [123456789]}).encode() + b"\n"
    if lie == "ahead":
        return json.dumps({"id": number + 1, "moves": [0]}).encode() + b"\n"
    if lie == "garbage":
        return b"\xff\x00 what?\n"
    if lie == "list":
        return b"[1, 2, 3]\n"
    if lie == "endless":
        return b"x" * (3 << 20)
    return b"[" * 100_000 + b"\n"  # deep


def main() -> None:
    lie = sys.argv[1]
    channel = socket.socket(fileno=int(sys.argv[2]))
    desk = AgentHost(Path(sys.argv[3]))
    with channel.makefile("rb") as lines:
        for line in lines:
            question = json.loads(line)
            if question["do"] == "choose":
                channel.sendall(lies(lie, question["id"]))
            channel.sendall(json.dumps(desk.answer(question)).encode() + b"\n")


if __name__ == "__main__":
    main()

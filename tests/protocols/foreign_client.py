"""A client of the vampires game that knows nothing of Kibitz: run as `foreign_client.py FAULT IP PORT`.

It moves its first group one step to the right or, at the edge, to the left. FAULT says how it misbehaves.
"""

import socket
import sys
import time


def main() -> None:
    fault, ip, port = sys.argv[1:]
    if fault == "dies":
        sys.exit("no licence found")
    with socket.create_connection((ip, int(port))) as server:
        if fault == "mute":
            time.sleep(600)
        server.sendall(b"HELLO" if fault == "rude" else b"NME\x07foreign")
        play(server, fault)


def play(server: socket.socket, fault: str) -> None:
    board: dict[tuple[int, int], list[int]] = {}
    columns, kind = 0, 0
    home = (0, 0)
    while True:
        word = exactly(server, 3)
        if word in (b"END", b"BYE"):
            return
        if word == b"SET":
            _, columns = exactly(server, 2)
        elif word == b"HME":
            x, y = exactly(server, 2)
            home = (x, y)
        elif word == b"HUM":
            exactly(server, 2 * exactly(server, 1)[0])
        else:
            for _ in range(exactly(server, 1)[0]):
                x, y, *counts = exactly(server, 5)
                board[x, y] = counts
            if word == b"MAP":
                kind = 1 if board[home][1] else 2
            elif fault == "vanishes":
                return
            else:
                server.sendall(b"MOV\x00" if fault == "cheats" else order(board, kind, columns))


def order(board: dict[tuple[int, int], list[int]], kind: int, columns: int) -> bytes:
    x, y = min(place for place, counts in board.items() if counts[kind])
    to = x + 1 if x + 1 < columns else x - 1
    return b"MOV\x01" + bytes([x, y, board[x, y][kind], to, y])


def exactly(server: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = server.recv(size - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


if __name__ == "__main__":
    main()

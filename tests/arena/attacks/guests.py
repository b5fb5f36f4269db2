"""The attackers: each is the source of a Python guest, what becomes of it, and why.

A guest plays a legal move if its attack fails, and says ESCAPED if it succeeds. `{secret}` and the like are filled in
with places and numbers of the machine that it attacks.
"""

from typing import NamedTuple


class Attack(NamedTuple):
    """The body of `choose(position, limit)`, how the answer or the reason of the offence begins, and after how many
    seconds it is given up.
    """

    body: str
    outcome: str | tuple[str, ...] = "played"
    patience: float = 30.0


ATTACKS = {
    # Too much of something.
    "fork bomb": Attack(
        "while True:\n        try: os.fork()\n        except OSError: pass",
        ("processes: ", "memory: "),
    ),
    "many programs": Attack(
        "held = [subprocess.Popen(['sleep', '600']) for _ in range(60)]; time.sleep(60)", "processes: "
    ),
    "threads": Attack(
        "for _ in range(5000): threading.Thread(target=time.sleep, args=(60,)).start()", "failed: guest.py:"
    ),
    "memory": Attack("hoard = bytearray(os.urandom(1 << 20)) * 500; time.sleep(60)", "memory: "),
    "memory of a child": Attack(
        "subprocess.run([sys.executable, '-c', 'import time; hoard = b\"x\" * (500 << 20); time.sleep(60)'])",
        "memory: ",
    ),
    "memory at once": Attack("hoard = b'x' * (100 << 30)", "failed: guest.py:"),
    "a large file": Attack("open('large', 'wb').write(bytes(100 << 20))", "failed: guest.py:"),
    "many files": Attack("for n in range(60): open(f'file{n}', 'wb').write(bytes(1 << 20))", "failed: guest.py:"),
    "shared memory": Attack("open('/dev/shm/large', 'wb').write(bytes(100 << 20))", "failed: guest.py:"),
    "processor time": Attack("while True: pass", "processor: "),
    "a gigabyte of output": Attack("for _ in range(1024): os.write(1, bytes(1 << 20))"),
    # Other processes.
    "killing all": Attack("expect(ProcessLookupError, os.kill, -1, signal.SIGKILL)"),
    "killing the referee": Attack("expect(ProcessLookupError, os.kill, {referee}, signal.SIGKILL)"),
    "looking at the referee": Attack("expect(FileNotFoundError, open, '/proc/%d/environ' % {referee})"),
    "seeing processes": Attack("assert len([n for n in os.listdir('/proc') if n.isdecimal()]) < 5, 'ESCAPED'"),
    "ignoring signals": Attack(
        "[signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 19)]; time.sleep(600)",
        "no answer: ",
        1.0,
    ),
    "detaching": Attack(
        "if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0: os.execve('/bin/sleep', ['sleep', {nap}], dict())\n"
        "        os._exit(0)"
    ),
    # The network.
    "the network": Attack("expect(OSError, socket.create_connection, ('192.0.2.1', 80), 5)"),
    "the host's loopback": Attack("expect(OSError, socket.create_connection, ('127.0.0.1', {port}), 5)"),
    "a name server": Attack("expect(OSError, socket.getaddrinfo, 'example.com', 80)"),
    # Files.
    "the opponent's file": Attack("assert 'ESCAPED' not in read({opponent}), 'ESCAPED'"),
    "the opponent's folder": Attack("assert 'ESCAPED' not in read({opponent_folder} + '/helper.py'), 'ESCAPED'"),
    "a secret of the user": Attack("expect(OSError, open, {secret})"),
    "the password file": Attack("expect(OSError, open, '/etc/shadow')"),
    "the compile cache": Attack(
        "expect(OSError, open, {cache} + '/evil.py', 'w')\n    assert os.environ['KIBITZ_CACHE'] != {cache}, 'ESCAPED'"
    ),
    "the program itself": Attack("expect(OSError, open, kibitz.__file__, 'a')"),
    "its own source": Attack("expect(OSError, open, __file__, 'a')"),
    "the kernel": Attack("expect(OSError, open, '/proc/sys/kernel/core_pattern', 'w')"),
    "mounting": Attack("assert subprocess.run(['mount', '-o', 'remount,rw', '/usr'], stderr=-3).returncode, 'ESCAPED'"),
    # The tournament.
    "our own error": Attack("raise BadOption('as if the user had erred')", "failed: as if the user"),
    "letters that move the cursor": Attack(
        "raise ValueError('\\x1b[2J\\ud800 gone')", ("failed: guest.py:", "garbage: ")
    ),
    "numbers without end": Attack(
        "from kibitz.search.report import Report\n    return Report((position.move_ids[0],), nodes=10 ** 4000)",
        "garbage: ",
    ),
    "another answer on the channel": Attack(
        "for n in range(3, 64):\n        try: os.write(n, b'[]\\n')\n        except OSError: pass",
        "garbage: ",
    ),
}

SOURCE = """
import os, signal, socket, subprocess, sys, threading, time
import kibitz
from kibitz.core.errors import BadOption


def expect(kind, function, *given):
    try:
        function(*given)
    except kind:
        return
    raise SystemError("ESCAPED")


def read(path):
    try:
        return open(path).read()
    except OSError:
        return ""


def choose(position, limit):
    {body}
    return position.move_ids[0]
"""

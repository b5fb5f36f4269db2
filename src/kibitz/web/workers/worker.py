"""A worker process: takes one job a line, answers in lines of JSON, and can be told to stop what it does.

Whatever searches or compiles runs here or in the child that compiles, never in the process that answers visitors. It
ends when its input does, so none is left behind when the server goes.
"""

import json
import os
import queue
import signal
import sys
import threading
from typing import Any, TextIO

from kibitz.core.errors import KibitzError
from kibitz.web.api.refusals import kind_of
from kibitz.web.workers import jobs
from kibitz.web.workers.cache import WorkerCache


class Desk:
    """The channel to the server, the job at hand, and which jobs are no longer wanted."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.lock = threading.Lock()
        self.waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.current: int | None = None
        self.unwanted: set[int] = set()

    def send(self, message: dict[str, Any]) -> None:
        """One line, from whichever thread."""
        line = json.dumps(message) + "\n"
        with self.lock:
            self.out.write(line)
            self.out.flush()

    def listen(self, source: TextIO) -> None:
        """Take requests until the server is gone."""
        for line in source:
            message = json.loads(line)
            if "cancel" in message:
                self.unwanted.add(message["cancel"])
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                self.waiting.put(message)
        os._exit(0)

    def interrupted(self, *_: Any) -> None:
        """The main thread is told to stop: it does so only in a job that nobody wants any more."""
        if self.current in self.unwanted:
            self.current = None
            raise KeyboardInterrupt

    def work(self) -> None:
        """Do jobs one after another."""
        cache = WorkerCache()
        while True:
            message = self.waiting.get()
            number = message["job"]
            try:
                answer = self._answer(cache, message, number)
                self.current = None
            except KeyboardInterrupt:
                answer = {"error": "cancelled", "message": "nobody waits for it any more"}
            self.unwanted.difference_update(old for old in tuple(self.unwanted) if old <= number)
            self.send({"job": number, **answer})

    def _answer(self, cache: WorkerCache, message: dict[str, Any], number: int) -> dict[str, Any]:
        def begin() -> None:
            """From here on the job may be stopped at any moment."""
            self.send({"job": number, "begun": True})
            self.current = number
            if number in self.unwanted:
                raise KeyboardInterrupt

        def tell(update: dict[str, Any]) -> None:
            self.send({"job": number, "update": update})

        try:
            return {"done": jobs.JOBS[message["do"]](cache, message["with"], begin, tell)}
        except KibitzError as error:
            return {"error": kind_of(error), "message": " ".join(str(error).split())}
        except Exception as error:  # noqa: BLE001 - an agent may fail in any way; the worker goes on
            return {"error": "agent-failed", "message": f"{type(error).__name__}: {error}".splitlines()[0][:300]}


def main() -> None:
    """Keep the channel apart from what agents print, then work."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    desk = Desk(out)
    signal.signal(signal.SIGINT, desk.interrupted)
    threading.Thread(target=desk.listen, args=(sys.stdin,), daemon=True).start()
    desk.work()


if __name__ == "__main__":
    main()

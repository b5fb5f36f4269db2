"""Firefox by WebDriver BiDi, which it speaks itself: no driver program is needed."""

import itertools
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 120.0  # seconds, on a busy machine
Facts = dict[str, Any]


class Firefox:
    """A browser that runs; its errors are kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.complaints: list[str] = []
        self._numbers = itertools.count(1)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])

    def ask(self, method: str, **parameters: Any) -> Facts:
        """A command's result; what happens meanwhile is noted."""
        number = next(self._numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told: Facts = json.loads(self.socket.recv(timeout=PATIENCE))
            if told.get("method") == "log.entryAdded":
                self._note(told["params"])
            elif told.get("id") == number:
                assert told["type"] == "success", told
                result: Facts = told["result"]
                return result

    def _note(self, entry: Facts) -> None:
        if entry["level"] == "error":
            self.complaints.append(str(entry["text"]))

    def visitor(self, language: str = "en-US") -> "Tab":
        """A tab with a memory of its own."""
        who = self.ask("browser.createUserContext")["userContext"]
        made = self.ask("browsingContext.create", type="tab", userContext=who)["context"]
        tab = Tab(self, made)
        languages = json.dumps([language])
        self.ask(
            "script.addPreloadScript",
            functionDeclaration=f"() => Object.defineProperty(navigator, 'languages', {{ get: () => {languages} }})",
            contexts=[made],
        )
        return tab


class Tab:
    """One page of a browser, with a hand at mouse and keys."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self.browser, self.context = browser, context

    def open(self, address: str) -> "Tab":
        self.browser.ask("browsingContext.navigate", context=self.context, url=address, wait="complete")
        return self

    def value(self, expression: str) -> Any:
        """What JavaScript makes of an expression, by way of JSON."""
        told = self.browser.ask(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self.context},
            awaitPromise=True,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"]) if "value" in told["result"] else None

    def wait(self, expression: str) -> Any:
        """Until an expression holds."""
        end = time.monotonic() + PATIENCE
        while not (found := self.value(expression)):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)
        return found

    def click(self, expression: str) -> None:
        """Press the mouse in the middle of an element."""
        x, y = self.wait(
            f"(() => {{ const node = {expression}; if (!node) return null; node.scrollIntoView({{ block: 'center' }});"
            " const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def key(self, value: str) -> None:
        pressed = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._act({"type": "key", "id": "keys", "actions": pressed})

    def _act(self, *actions: Facts) -> None:
        self.browser.ask("input.performActions", context=self.context, actions=list(actions))


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox of our own, without a window; its profile is in this folder."""
    assert PROGRAM is not None
    words = ["--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0", "about:blank"]
    with (folder / "log").open("wb") as log, subprocess.Popen([PROGRAM, *words], stdout=log, stderr=log) as running:
        try:
            address = _address(folder / "log", running)
            with connect(f"{address}/session", max_size=None) as socket:
                yield Firefox(socket)
        finally:
            running.terminate()
            running.wait(60)


def _address(log: Path, running: "subprocess.Popen[bytes]") -> str:
    """Where it listens, as it says itself."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and running.poll() is None:
        for line in log.read_text(errors="replace").splitlines():
            if "WebDriver BiDi listening on " in line:
                return line.split("listening on ")[1].strip()
        time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace"))

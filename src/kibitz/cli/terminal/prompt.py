"""Asking for a line: with completion and history in a terminal, plainly where input comes from elsewhere."""

import sys
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

Words = Callable[[], Iterable[str]]


class Prompt:
    """Asks; None is the answer of someone who leaves."""

    def __init__(self, words: Words) -> None:
        self.words = words  # what may be typed just now

    @property
    def live(self) -> bool:
        """Is somebody at a terminal?"""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def asked(self, question: str) -> str | None:
        """What was typed, without spaces around it."""
        try:
            line = self._session.prompt(question) if self.live else input(question)
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        return str(line).strip()

    @cached_property
    def _session(self) -> Any:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion

        words = self.words

        class Typed(Completer):
            """Completes the last move of a turn, and commands at the beginning."""

            def get_completions(self, document: Any, event: Any) -> Iterable[Completion]:
                begun = document.text_before_cursor.lstrip()
                last = begun.rsplit("+", 1)[-1]
                for word in words():
                    if word.startswith(last) and ("+" not in begun or not word.isalpha() or word == "end"):
                        yield Completion(word, start_position=-len(last))

        return PromptSession(completer=Typed(), complete_while_typing=False)

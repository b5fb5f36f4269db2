"""HTTP connections that do not wait for ever: whoever does not send the head of a request in time is cut off."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0


class TimedProtocol(H11Protocol):
    """uvicorn's protocol with a clock that runs while the head of a request is awaited."""

    head_seconds = HEAD_SECONDS
    _clock: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_clock()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._upgraded or self.transport.is_closing() or not self._awaits_head:
            self._stop_clock()
        elif self._clock is None:
            self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._upgraded = True
        self._stop_clock()
        super().handle_websocket_upgrade(event)

    @property
    def _awaits_head(self) -> bool:
        return self.conn.their_state is h11.IDLE and (self.cycle is None or self.cycle.response_complete)

    def _start_clock(self) -> None:
        self._clock = self.loop.call_later(self.head_seconds, self.transport.close)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

"""The way to one client: a queue of frames that tests can delay, swap and drop."""
from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed


@dataclass
class Faults:
    """The treatment of frames on their way to all clients."""

    delay_ms: int = 0
    reorder: int = 0
    swallow: int = 0
    is_deaf: bool = False


class Link:
    longest = 1_000

    def __init__(self, socket: ServerConnection, faults: Faults) -> None:
        self.socket, self.faults = socket, faults
        self.outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self.writer = asyncio.ensure_future(self.write())

    def send(self, frame: dict[str, Any] | str) -> None:
        if self.outbox.qsize() < self.longest:
            self.outbox.put_nowait(frame if isinstance(frame, str) else json.dumps(frame))

    async def write(self) -> None:
        """Until None, which closes the socket after all earlier frames."""
        try:
            while (frame := await self.outbox.get()) is not None:
                if self.faults.delay_ms:
                    await asyncio.sleep(self.faults.delay_ms / 1000)
                if self.faults.is_deaf:
                    continue
                if self.faults.swallow > 0:
                    self.faults.swallow -= 1
                    continue
                if self.faults.reorder > 0 and (later := await self.another()) is not None:
                    self.faults.reorder -= 1
                    await self.socket.send(later)
                await self.socket.send(frame)
            await self.socket.close()
        except ConnectionClosed:
            return

    async def another(self) -> str | None:
        """The frame that overtakes this one, if there is one soon."""
        try:
            later = await asyncio.wait_for(self.outbox.get(), 0.3)
        except asyncio.TimeoutError:
            return None
        if later is None:
            self.outbox.put_nowait(None)
        return later

    def finish(self) -> None:
        self.outbox.put_nowait(None)

    def drop(self) -> None:
        """Like a lost network: without any message."""
        self.socket.transport.abort()

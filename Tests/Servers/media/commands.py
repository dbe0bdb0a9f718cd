"""Lines of standard input, for programs that end with it: no program outlives its test."""
from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator


async def lines() -> AsyncIterator[str]:
    """A thread reads, because input may be a pipe, a terminal or a file."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            if line.strip():
                loop.call_soon_threadsafe(queue.put_nowait, line)
        loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line

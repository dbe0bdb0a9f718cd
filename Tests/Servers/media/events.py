"""Events for a test that judges from outside: one JSON object a line on standard output."""
from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any


class Events:
    def __init__(self) -> None:
        self.start = time.monotonic()

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Failures of background tasks are reported, too."""
        loop.set_exception_handler(
            lambda _, context: self.emit("fault", where=context["message"], why=repr(context.get("exception"))[:500]))

    def emit(self, name: str, **facts: Any) -> None:
        line = json.dumps({"event": name, "at": round(time.monotonic() - self.start, 3), **facts})
        try:
            print(line, flush=True)
        except BrokenPipeError:
            # The program that started this server is gone.
            sys.exit(0)

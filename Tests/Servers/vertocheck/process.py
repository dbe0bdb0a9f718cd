"""A program of this folder as a child: commands into it, events out of it."""
from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Program:
    """`async with Program("webrtc_peer.py") as peer:`; closing its input ends it."""

    # The event that shows that it runs.
    first = "ready"

    def __init__(self, *words: str) -> None:
        self.words, self.events = words, []
        self.news = asyncio.Event()

    async def __aenter__(self) -> Program:
        self.child = await asyncio.create_subprocess_exec(
            sys.executable, "-B", os.path.join(HERE, self.words[0]), *self.words[1:], stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, limit=1 << 20)
        self.reader = asyncio.ensure_future(self.read())
        # On a machine that also compiles, reading a large library from disk is slow.
        self.started = await self.event(self.first, limit=20)
        return self

    async def __aexit__(self, *_: Any) -> None:
        self.child.stdin.close()
        try:
            status = await asyncio.wait_for(self.child.wait(), 10)
        except asyncio.TimeoutError:
            if self.child.returncode is None:
                self.child.kill()
            raise AssertionError("the program did not end when its input did")
        assert status == 0, "the program did not end well"
        faults = [one for one in self.events if one["event"] in ("fault", "not-done")]
        assert not faults, faults

    async def read(self) -> None:
        while line := await self.child.stdout.readline():
            self.events.append(json.loads(line))
            self.news.set()

    async def event(self, name: str, /, limit: float = 8, **facts: Any) -> dict[str, Any]:
        """The first event of that name with these facts that was not consumed yet."""
        async with asyncio.timeout(limit):
            while True:
                for one in self.events:
                    if one["event"] == name and not one.get("used") and facts.items() <= one.items():
                        one["used"] = True
                        return one
                self.news.clear()
                await self.news.wait()

    async def do(self, name: str, /, **more: Any) -> dict[str, Any]:
        self.child.stdin.write(json.dumps({"do": name, **more}).encode() + b"\n")
        return await self.event("done", do=name)


class Verto(Program):
    first = "listening"

    def __init__(self, *words: str) -> None:
        super().__init__(
            "verto.py", "--user", "alice:wonderland", "--user", "bob:builder", "--token", "carol:a.b.c", *words)

    async def __aenter__(self) -> Verto:
        await super().__aenter__()
        self.port = self.started["port"]
        return self

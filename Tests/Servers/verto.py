"""verto.py [--port N] --user NAME:PASSWORD…: a Verto server for tests, with real ICE, DTLS-SRTP and Opus by aiortc.

Commands come as JSON lines on standard input, events go as JSON lines to standard output; it ends when the input does.
`Scripts/webrtc` prints the Python that runs it. docs/dev/testing.md lists its commands.
"""
from __future__ import annotations

import asyncio

from media.commands import lines
from media.events import Events
from vertoserver import options
from vertoserver.control import Control
from vertoserver.server import Server


async def main() -> None:
    chosen, events = options.read(), Events()
    events.watch(asyncio.get_running_loop())
    server = Server(chosen, events)
    sockets = await server.listen()
    port = next(iter(sockets.sockets)).getsockname()[1]
    events.emit("listening", host=chosen.host, port=port, dialect=chosen.dialect.name, tls=bool(chosen.certificate))
    control = Control(server)
    async for line in lines():
        await control.carry_out(line)
    sockets.close(close_connections=False)
    await server.close()


if __name__ == "__main__":
    asyncio.run(main())

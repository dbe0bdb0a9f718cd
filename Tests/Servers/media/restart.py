"""ICE restart (RFC 8445, 2.4), which aiortc lacks: the connection below DTLS is replaced, and DTLS continues."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aioice
from aiortc.rtcicetransport import RTCIceCandidate, RTCIceTransport, candidate_to_aioice, connection_kwargs


class RestartableIce:
    """Connects a DTLS transport to the ICE connection that currently carries it."""

    def __init__(
        self, transport: RTCIceTransport, servers: list, policy: aioice.TransportPolicy, tell: Callable[..., None]
    ) -> None:
        self.transport, self.servers, self.policy, self.tell = transport, servers, policy, tell
        self.current: aioice.Connection = transport._connection
        self.next: aioice.Connection | None = None
        self.has_ended = False
        self.inbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.tasks: set[asyncio.Task[None]] = set()
        self.flows = self.is_cut = False
        transport._recv = self.receive
        transport._send = self.send

    async def receive(self) -> bytes:
        if not self.flows:
            self.flows = True
            self.run(self.pump(self.current))
        data = await self.inbox.get()
        if data is None:
            raise ConnectionError("the connection is lost")
        return data

    async def send(self, data: bytes) -> None:
        if not self.is_cut:
            await self.current.send(data)

    def cut(self) -> None:
        """As if the path were gone: nothing is sent or received, not even checks. A restart finds another."""
        self.is_cut = True
        for protocol in self.current._protocols:
            protocol.datagram_received = lambda data, address: None
            protocol.send_stun = lambda message, address: None

    async def pump(self, connection: aioice.Connection) -> None:
        try:
            while True:
                self.inbox.put_nowait(await connection.recv())
        except ConnectionError:
            if connection is self.current:
                self.inbox.put_nowait(None)

    async def begin(self) -> aioice.Connection:
        """A connection with new credentials and candidates."""
        if self.next:
            await self.next.close()
        self.next = aioice.Connection(
            ice_controlling=self.current.ice_controlling, transport_policy=self.policy,
            **connection_kwargs(self.servers))
        self.has_ended = False
        await self.next.gather_candidates()
        return self.next

    async def add(self, candidate: RTCIceCandidate | None) -> None:
        """Candidates of the far end belong to the newest connection; None ends them."""
        connection = self.next or self.current
        if self.has_ended or connection._remote_candidates_end:
            return
        if candidate is None:
            self.has_ended = True
        await connection.add_remote_candidate(candidate_to_aioice(candidate) if candidate else None)

    def finish(self, username: str, password: str) -> None:
        """Checks start; voice stays on the old connection until the new one works."""
        assert self.next
        self.next.remote_username, self.next.remote_password = username, password
        self.run(self.switch(self.next))

    async def switch(self, connection: aioice.Connection) -> None:
        self.tell(ice="restarting")
        try:
            await connection.connect()
        except ConnectionError:
            self.tell(ice="restart-failed")
            return
        if connection is not self.next:
            return
        old, self.current, self.next, self.is_cut = self.current, connection, None, False
        self.watch(connection)
        self.run(self.pump(connection))
        self.tell(ice="restarted")
        # Packets from before the far end's change are still on their way.
        try:
            await asyncio.sleep(0.2)
        finally:
            await old.close()

    def watch(self, connection: aioice.Connection) -> None:
        """aiortc's transport watches the new connection from now on, not the one that is about to be closed."""
        monitor: Any = self.transport._RTCIceTransport__monitor_task
        if monitor:
            monitor.cancel()
        self.transport._connection = connection
        self.transport.iceGatherer._connection = connection
        self.transport._RTCIceTransport__monitor_task = asyncio.ensure_future(self.transport._monitor())

    def run(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def close(self) -> None:
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.next:
            await self.next.close()

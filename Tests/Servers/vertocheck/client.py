"""A client of both dialects."""
from __future__ import annotations

import asyncio
import json
import ssl
import uuid
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from media.paths import Paths
from media.peer import Peer
from media.sound import Tone, Voice

PATHS = Paths()


class Refused(Exception):
    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(str(error))
        self.error = error


class Client:
    def __init__(self, port: int, prefix: str = "telnyx_rtc.", tls: ssl.SSLContext | None = None) -> None:
        self.url = f"{'wss' if tls else 'ws'}://127.0.0.1:{port}"
        self.prefix, self.tls, self.sessid, self.sdk_id = prefix, tls, str(uuid.uuid4()), ""
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.news = asyncio.Event()
        self.replies: dict[str, asyncio.Future] = {}
        self.calls: list[Call] = []
        self.is_open = False

    async def connect(self) -> None:
        self.socket = await connect(self.url + f"/?voice_sdk_id={self.sdk_id}", ssl=self.tls, max_size=1 << 20)
        self.is_open = True
        self.reader = asyncio.ensure_future(self.read(self.socket))

    async def read(self, socket: Any) -> None:
        try:
            while True:
                self.take(json.loads(await socket.recv()))
        except ConnectionClosed:
            self.is_open = False
            self.news.set()

    def take(self, frame: dict[str, Any]) -> None:
        self.sdk_id = frame.get("voice_sdk_id", self.sdk_id)
        if "method" in frame:
            assert isinstance(frame["id"], int) and frame["method"].startswith(self.prefix), frame
            name = frame["method"].removeprefix(self.prefix)
            self.told.append((name, frame["params"]))
            self.news.set()
            result = {"jsonrpc": "2.0", "id": frame["id"], "result": {"method": frame["method"]}}
            asyncio.ensure_future(self.say(frame if name == "ping" else result))
        elif (waiting := self.replies.pop(frame["id"], None)) and not waiting.done():
            waiting.set_result(frame)

    async def say(self, frame: Any) -> None:
        try:
            await self.socket.send(frame if isinstance(frame, str) else json.dumps(frame))
        except ConnectionClosed:
            self.is_open = False

    async def ask(self, method: str, /, **params: Any) -> dict[str, Any]:
        number = str(uuid.uuid4())
        self.replies[number] = asyncio.get_running_loop().create_future()
        name = method if method == "login" else self.prefix + method
        await self.say({"jsonrpc": "2.0", "id": number, "method": name, "params": {"sessid": self.sessid, **params}})
        frame = await asyncio.wait_for(self.replies[number], 8)
        if "error" in frame:
            raise Refused(frame["error"])
        return frame["result"]

    async def hears(self, name: str, call: str | None = None, limit: float = 8) -> dict[str, Any]:
        """The params of the first request of that name that was not consumed yet."""
        async with asyncio.timeout(limit):
            while True:
                for index, (told, params) in enumerate(self.told):
                    if told == name and call in (None, params.get("callID")):
                        del self.told[index]
                        return params
                self.news.clear()
                await self.news.wait()

    async def is_closed(self, limit: float = 5) -> None:
        async with asyncio.timeout(limit):
            while self.is_open:
                self.news.clear()
                await self.news.wait()

    async def close(self) -> None:
        for call in self.calls:
            await call.peer.close()
        await self.socket.close()


async def logged_in(port: int, user: str = "alice", password: str = "wonderland", **more: Any) -> Client:
    client = Client(port, **more)
    await client.connect()
    await login(client, user, password)
    return client


async def login(client: Client, user: str = "alice", password: str = "wonderland") -> dict[str, Any]:
    """The content of clientReady."""
    result = await client.ask("login", login=user, passwd=password, loginParams={})
    assert result == {"message": "logged in", "sessid": client.sessid}, result
    ready = await client.hears("clientReady")
    if client.prefix == "telnyx_rtc.":
        assert (await client.ask("gatewayState"))["params"]["state"] == "REGED"
    return ready


class Call:
    """One call of a client, which sends a tone."""

    def __init__(self, client: Client, hertz: int, call_id: str | None = None) -> None:
        self.client, self.call_id, self.voice = client, call_id or str(uuid.uuid4()), Voice()
        self.voice.source = Tone(hertz)
        self.facts: list[dict[str, Any]] = []
        self.peer = self.new_peer()
        client.calls.append(self)

    def new_peer(self) -> Peer:
        return Peer(self.voice, PATHS, lambda **facts: self.facts.append(facts))

    @property
    def dialog(self) -> dict[str, Any]:
        return {"callID": self.call_id}

    async def invite(self, number: str, **more: Any) -> None:
        names = {"caller_id_name": "Check", "caller_id_number": "100"}
        dialog = {**self.dialog, "destination_number": number, **names, **more}
        result = await self.client.ask("invite", sdp=await self.peer.offer(), dialogParams=dialog)
        assert result["message"] == "CALL CREATED" and result["callID"] == self.call_id, result

    async def answered(self) -> dict[str, Any]:
        answer = await self.client.hears("answer", self.call_id)
        if "sdp" in answer:
            await self.peer.accept(answer["sdp"])
        return answer

    async def answer(self, invite: dict[str, Any]) -> dict[str, Any]:
        return await self.client.ask("answer", sdp=await self.peer.answer(invite["sdp"]), dialogParams=self.dialog)

    async def attach(self, offer: dict[str, Any]) -> None:
        old, self.peer = self.peer, self.new_peer()
        answer = await self.peer.answer(offer["sdp"])
        await old.close()
        await self.client.ask("attach", sdp=answer, dialogParams={**self.dialog, "attach": True})

    async def bye(self, **more: Any) -> dict[str, Any]:
        cause = {"cause": "NORMAL_CLEARING", "causeCode": 16, **more}
        result = await self.client.ask("bye", dialogParams=self.dialog, **cause)
        await self.peer.close()
        return result

    async def hears(self, hertz: int, limit: float = 6) -> None:
        """For half a second from now on, a tone of that pitch, at its sent level; 0 is silence."""
        meter = self.voice.meter
        first, end = meter.frames, asyncio.get_running_loop().time() + limit
        while asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.05)
            is_tone = abs(meter.pitch - hertz) < 15 and -17 < meter.level < -13
            if meter.frames > first + 25 and (is_tone if hertz else meter.level < -60):
                return
        raise AssertionError(f"expected {hertz} Hz, heard {self.voice.meter.figures()}; {self.facts}")


async def incoming(client: Client, hertz: int) -> tuple[Call, dict[str, Any]]:
    invite = await client.hears("invite")
    return Call(client, hertz, invite["callID"]), invite

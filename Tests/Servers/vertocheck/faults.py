"""Faults: frames that are late, reordered or lost, and calls whose client never returns."""
from __future__ import annotations

import asyncio
from random import Random

from websockets.exceptions import InvalidStatus

from .client import Call, Refused, logged_in, login
from .process import Verto


async def frames_are_late_swapped_and_lost() -> None:
    async with Verto("--answer-ms", "0") as server:
        client = await logged_in(server.port)
        clock = asyncio.get_running_loop().time
        await server.do("delay", ms=300)
        began = clock()
        await client.ask("ping")
        assert clock() - began >= 0.3
        await server.do("delay", ms=0)
        await server.do("reorder", frames=1)
        call = Call(client, 700)
        order: list[str] = []

        async def ask(name: str) -> None:
            await client.ask(name)
            order.append(name)

        await asyncio.gather(ask("ping"), ask("echo"))
        assert order == ["echo", "ping"], "the later frame came first"
        await server.do("swallow", frames=1)
        lost = asyncio.ensure_future(client.ask("ping"))
        await asyncio.sleep(0.2)
        await client.ask("ping")
        assert not lost.done()
        lost.cancel()
        await server.do("send-raw", user="alice", frame='{"id":7,"method":"telnyx_rtc.event","params":{}}')
        await client.hears("event")
        await call.peer.close()
        await client.close()


async def calls_are_given_back_after_a_crash() -> None:
    """With new media and the old certificate."""
    async with Verto("--one-certificate") as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        await call.invite("tone")
        await call.answered()
        await call.hears(1000)
        known = call.peer.remote_fingerprint
        await server.do("crash")
        await client.is_closed()
        await client.connect()
        assert (await login(client))["reattached_sessions"] == []
        await call.attach(await client.hears("attach", call.call_id))
        await call.hears(1000)
        assert known and call.peer.remote_fingerprint == known
        await call.bye()
        await client.close()


async def frames_of_any_shape_are_answered() -> None:
    """A client's mistakes, accidental or deliberate: each is answered, and none is a fault of the server."""
    random = Random(20)
    values = [
        None, True, -1, 3.5, "", "x", "v=0\r\nm=audio 9 RTP/SAVPF 0", [], [[1]], {}, {"callID": "c"}, {"callID": []},
        "echo", "hold", "updateMedia", "transfer"]
    methods = [
        "invite", "answer", "bye", "modify", "info", "candidate", "endOfCandidates", "attach", "ping", "subscribe",
        "gatewayState", "attachCalls", "broadcast", "login", "clientReady", "handle", "leg", ""]
    keys = [
        "sdp", "dialogParams", "callID", "cause", "causeCode", "action", "dtmf", "candidate", "eventChannel", "trickle",
        "login"]
    async with Verto() as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        await call.invite("echo")
        await call.answered()
        for _ in range(400):
            params = {key: random.choice(values) for key in random.sample(keys, 4)}
            if random.random() < 0.3:
                params["dialogParams"] = {"callID": call.call_id, "custom_headers": random.choice(values)}
            method = random.choice(methods)
            if method == "bye":
                params["dialogParams"] = None
            try:
                await client.ask(method, **params)
            except Refused:
                continue
        await client.ask("modify", action="unhold", dialogParams=call.dialog)
        await call.hears(700)
        await client.close()


async def a_path_that_is_gone_is_replaced() -> None:
    async with Verto() as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        await call.invite("echo")
        await call.answered()
        await call.hears(700)
        await server.do("cut-media", call=call.call_id)
        await asyncio.sleep(0.3)
        frames = call.voice.meter.frames
        await asyncio.sleep(0.5)
        assert call.voice.meter.frames <= frames + 1, "nothing is heard any more"
        offer = await call.peer.offer_restart()
        result = await client.ask("modify", action="updateMedia", sdp=offer, dialogParams=call.dialog)
        await call.peer.accept_restart(result["sdp"])
        await call.hears(700)
        await client.close()


async def a_silent_server_and_refused_sockets() -> None:
    async with Verto() as server:
        client = await logged_in(server.port)
        await server.do("deaf")
        asked = asyncio.ensure_future(client.ask("ping"))
        await asyncio.sleep(0.3)
        assert not asked.done() and client.is_open
        asked.cancel()
        await server.do("deaf", on=False)
        await server.do("refuse-sockets")
        await server.do("drop-sockets")
        await client.is_closed()
        try:
            await client.connect()
        except InvalidStatus as refused:
            assert refused.response.status_code == 503
        else:
            raise AssertionError("the socket was not refused")
        await client.close()


async def a_call_that_nobody_comes_back_to_ends() -> None:
    async with Verto("--detach-seconds", "0.5") as server:
        alice, bob = await logged_in(server.port), await logged_in(server.port, "bob", "builder")
        call = Call(alice, 500)
        await call.invite("bob")
        invite = await bob.hears("invite")
        other = Call(bob, 900, invite["callID"])
        await other.answer(invite)
        await call.answered()
        await server.do("drop-sockets", user="alice")
        assert (await bob.hears("bye", other.call_id))["cause"] == "RECOVERY_ON_TIMER_EXPIRE"
        await server.event("forgotten", user="alice")
        await alice.close()
        await bob.close()

"""Media that bypass the server: each client gets the other's description, and hears the other directly."""
from __future__ import annotations

import asyncio

from media import text
from media.peer import Peer

from .accounts import _refused
from .client import Call, Client, incoming, logged_in, login
from .process import Verto

MARK = "a=x-mark:kept\r\n"


async def _pair(port: int) -> tuple[Client, Client, Call, Call]:
    """Two clients that got each other's offer and answer unchanged."""
    one, two = await logged_in(port), await logged_in(port, "bob", "builder")
    mine = Call(one, 600)
    offer = await mine.peer.offer() + MARK
    dialog = {**mine.dialog, "destination_number": "bob", "caller_id_number": "100"}
    asked = asyncio.ensure_future(one.ask("invite", sdp=offer, dialogParams=dialog))
    theirs, invite = await incoming(two, 800)
    assert invite["sdp"] == offer and (await asked)["message"] == "CALL CREATED"
    answer = await theirs.peer.answer(invite["sdp"]) + MARK
    await two.ask("answer", sdp=answer, dialogParams=theirs.dialog)
    assert (await mine.answered())["sdp"] == answer
    return one, two, mine, theirs


def _fingerprints(peer: Peer) -> list[str]:
    return peer.figures()["fingerprints"]


async def media_go_past_the_server() -> None:
    async with Verto("--bypass-media") as server:
        one, two, mine, theirs = await _pair(server.port)
        await mine.hears(800)
        await theirs.hears(600)
        assert _fingerprints(mine.peer) == _fingerprints(theirs.peer)[::-1]
        assert (await server.event("bridged"))["past"]
        assert all("dtls" not in call for call in (await server.do("stats"))["calls"])
        assert (await one.ask("modify", action="hold", dialogParams=mine.dialog))["holdState"] == "held"
        assert (await one.ask("modify", action="unhold", dialogParams=mine.dialog))["holdState"] == "active"
        await _restart(one, two, mine, theirs)
        await mine.bye()
        await two.hears("bye", theirs.call_id)
        assert not (await server.do("stats"))["calls"]
        await one.close()
        await two.close()


async def _restart(one: Client, two: Client, mine: Call, theirs: Call) -> None:
    """One client's offer is the other one's to answer."""
    offer = await mine.peer.offer_restart()
    asked = asyncio.ensure_future(one.ask("modify", action="updateMedia", sdp=offer, dialogParams=mine.dialog))
    attach = await two.hears("attach", theirs.call_id)
    assert attach["sdp"] == offer
    # Two simultaneous offers would wait for each other.
    await _refused(-32002, two.ask("modify", action="updateMedia", sdp=offer, dialogParams=theirs.dialog))
    answer = await theirs.peer.update(attach["sdp"])
    await two.ask("attach", sdp=answer, dialogParams=theirs.dialog)
    result = await asked
    assert result["sdp"] == answer
    await mine.peer.accept_restart(result["sdp"])
    await mine.hears(800)
    await theirs.hears(600)


async def a_lost_socket_leaves_them_alone() -> None:
    async with Verto("--bypass-media") as server:
        one, two, mine, theirs = await _pair(server.port)
        await mine.hears(800)
        await server.do("drop-sockets", user="alice")
        await one.is_closed()
        await one.connect()
        assert (await login(one))["reattached_sessions"] == [mine.call_id]
        attach = await one.hears("attach", mine.call_id)
        own = mine.peer.connection.localDescription.sdp
        assert text.attribute(attach["sdp"], "fingerprint") == mine.peer.remote_fingerprint
        await one.ask("attach", sdp=own, dialogParams={**mine.dialog, "attach": True})
        assert not [name for name, _ in two.told if name == "attach"]
        await mine.hears(800)
        await one.close()
        await two.close()


async def candidates_are_passed_on() -> None:
    """Those from before the other client is called, and later ones."""
    async with Verto("--bypass-media") as server:
        one, two = await logged_in(server.port), await logged_in(server.port, "bob", "builder")
        mine = Call(one, 600)
        offer = await mine.peer.offer()
        dialog = {**mine.dialog, "destination_number": "bob"}
        asked = [asyncio.ensure_future(
            one.ask("invite", sdp=text.without_candidates(offer), trickle=True, dialogParams=dialog))]
        for candidate in text.candidates(offer):
            asked.append(asyncio.ensure_future(
                one.ask("candidate", candidate=candidate, sdpMid="0", dialogParams=mine.dialog)))
        asked.append(asyncio.ensure_future(one.ask("endOfCandidates", dialogParams=mine.dialog)))
        await asyncio.gather(*asked)
        theirs, invite = await incoming(two, 800)
        heard = [(await two.hears("candidate", theirs.call_id))["candidate"] for _ in text.candidates(offer)]
        assert heard == text.candidates(offer) and await two.hears("endOfCandidates", theirs.call_id)
        answer = await theirs.peer.answer(invite["sdp"], trickles=True)
        for candidate in [*heard, None]:
            await theirs.peer.add_candidate(candidate)
        await two.ask("answer", sdp=text.without_candidates(answer), trickle=True, dialogParams=theirs.dialog)
        told = await one.hears("answer", mine.call_id)
        await mine.peer.accept(told["sdp"], trickles=True)
        for candidate in text.candidates(answer):
            await two.ask("candidate", candidate=candidate, dialogParams=theirs.dialog)
            await mine.peer.add_candidate((await one.hears("candidate", mine.call_id))["candidate"])
        await two.ask("endOfCandidates", dialogParams=theirs.dialog)
        await one.hears("endOfCandidates", mine.call_id)
        await mine.hears(800)
        await theirs.hears(600)
        await one.close()
        await two.close()


async def somebody_changes_a_fingerprint_on_the_way() -> None:
    async with Verto("--bypass-media", "--wrong-fingerprint") as server:
        one, two = await logged_in(server.port), await logged_in(server.port, "bob", "builder")
        mine = Call(one, 600)
        await mine.invite("bob")
        theirs, invite = await incoming(two, 800)
        await theirs.answer(invite)
        await mine.answered()
        async with asyncio.timeout(5):
            while {"dtls": "failed"} not in mine.facts + theirs.facts:
                await asyncio.sleep(0.05)
        assert mine.voice.meter.frames == theirs.voice.meter.frames == 0
        await one.close()
        await two.close()

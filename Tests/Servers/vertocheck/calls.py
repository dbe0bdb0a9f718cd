"""Calls: services, another user, several sessions of one."""
from __future__ import annotations

import os
import tempfile
import wave

from media import text

from .accounts import _refused
from .client import Call, incoming, logged_in
from .process import Verto


async def echo_with_digits_hold_and_restart() -> None:
    async with Verto() as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        await call.invite("echo", custom_headers=[{"name": "X-Door", "value": "front"}, {"name": "Via", "value": "no"}])
        assert (await server.event("invite"))["headers"] == [{"name": "X-Door", "value": "front"}]
        assert (await client.hears("ringing", call.call_id))["telnyx_leg_id"]
        assert "sdp" in await call.answered()
        await call.hears(700)
        figures = (await server.do("stats"))["calls"][0]
        assert abs(figures["heard"]["pitch"] - 700) < 15 and figures["dtls"] == "connected", figures
        assert (await client.ask("info", dtmf="5#", dialogParams=call.dialog))["message"] == "SENT"
        await server.event("dtmf", call=call.call_id, digits="5#")
        await _refused(-32602, client.ask("info", dtmf="x", dialogParams=call.dialog))
        assert (await client.ask("modify", action="hold", dialogParams=call.dialog))["holdState"] == "held"
        await call.hears(0)
        assert (await client.ask("modify", action="toggleHold", dialogParams=call.dialog))["holdState"] == "active"
        await call.hears(700)
        await _restart(server, call)
        await _keep_what_is_there(server, call)
        assert (await call.bye())["message"] == "CALL ENDED"
        ended = await server.event("bye", call=call.call_id)
        assert ended["by"] == "client" and ended["heard"]["seconds"] > 1, ended
        await _refused(-32002, client.ask("bye", dialogParams=call.dialog))
        await client.close()


async def _restart(server: Verto, call: Call) -> None:
    """Other paths, the same keys: DTLS stays connected, and voice continues."""
    name = text.attribute(call.peer.connection.localDescription.sdp, "ice-ufrag")
    offer = await call.peer.offer_restart()
    assert text.attribute(offer, "ice-ufrag") != name
    result = await call.client.ask("modify", action="updateMedia", sdp=offer, dialogParams=call.dialog)
    await call.peer.accept_restart(result["sdp"])
    await server.event("media", call=call.call_id, ice="restarted")
    await call.hears(700)
    assert {"ice": "restarted"} in call.facts
    states = [one["dtls"] for one in server.events if one["event"] == "media" and "dtls" in one]
    assert states == ["connecting", "connected"], states


async def _keep_what_is_there(server: Verto, call: Call) -> None:
    """An unacceptable update changes nothing."""
    await _refused(-32602, call.client.ask("modify", action="updateMedia", dialogParams=call.dialog))
    offer = text.with_wrong_fingerprint(call.peer.connection.localDescription.sdp)
    known = ("a=rtpmap:0 ", "a=rtpmap:8 ", "a=rtpmap:9 ")
    offer = text.joined([line for line in text.lines(offer) if not line.startswith(known)])
    offer = offer.replace("SAVPF 96 9 0 8", "SAVPF 96").replace("opus/48000", "unknown/48000")
    asked = call.client.ask("modify", action="updateMedia", sdp=offer, dialogParams=call.dialog)
    await _refused(-32002, asked, cause="INCOMPATIBLE_DESTINATION")
    await call.hears(700)
    assert (await server.do("stats"))["calls"][0]["dtls"] == "connected"


async def early_media_then_an_answer_without_description() -> None:
    async with Verto("--early", "--answer-ms", "1500") as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        await call.invite("tone")
        await call.peer.accept((await client.hears("media", call.call_id))["sdp"])
        await call.hears(440)
        assert "sdp" not in await call.answered()
        await call.hears(1000)
        await server.do("bye", call=call.call_id, cause="NORMAL_CIRCUIT_CONGESTION")
        bye = await client.hears("bye", call.call_id)
        assert (bye["cause"], bye["causeCode"], bye["sipCode"]) == ("NORMAL_CIRCUIT_CONGESTION", 34, 503), bye
        await client.close()


async def candidates_one_by_one_and_a_recording() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with Verto("--trickle", "--record-dir", folder, "--setup", "passive") as server:
            client = await logged_in(server.port)
            call = Call(client, 800)
            offer = await call.peer.offer()
            dialog = {**call.dialog, "destination_number": "record"}
            await client.ask("invite", sdp=text.without_candidates(offer), trickle=True, dialogParams=dialog)
            answer = await client.hears("answer", call.call_id)
            assert "a=candidate" not in answer["sdp"] and "a=setup:passive" in answer["sdp"], answer["sdp"]
            await call.peer.accept(answer["sdp"], trickles=True)
            candidate = await client.hears("candidate", call.call_id)
            await client.hears("endOfCandidates", call.call_id)
            await call.peer.add_candidate(candidate["candidate"])
            for own in text.candidates(offer):
                await client.ask("candidate", candidate=own, sdpMid="0", sdpMLineIndex=0, dialogParams=call.dialog)
            await client.ask("endOfCandidates", dialogParams=call.dialog)
            await _refused(-32602, client.ask("candidate", candidate="nonsense", dialogParams=call.dialog))
            await server.event("media", call=call.call_id, dtls="connected")
            await call.hears(0)
            path = (await server.event("recording"))["path"]
            await call.bye()
            await client.close()
        with wave.open(os.path.join(folder, path)) as file:
            assert file.getframerate() == 48_000 and file.getnframes() > 24_000


async def an_offer_without_candidates() -> None:
    """Like a browser's description right after an ICE restart: the server learns the path from the incoming checks."""
    async with Verto() as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        dialog = {**call.dialog, "destination_number": "echo"}
        await client.ask("invite", sdp=text.without_candidates(await call.peer.offer()), dialogParams=dialog)
        await call.answered()
        await call.hears(700)
        offer = text.without_candidates(await call.peer.offer_restart())
        result = await client.ask("modify", action="updateMedia", sdp=offer, dialogParams=call.dialog)
        await call.peer.accept_restart(result["sdp"])
        await server.event("media", ice="restarted")
        await call.hears(700)
        pair = (await server.do("stats"))["calls"][0]["pair"]
        assert pair[1].startswith("prflx "), pair
        await client.close()


async def two_users_talk_hold_and_come_back() -> None:
    async with Verto() as server:
        alice, bob = await logged_in(server.port), await logged_in(server.port, "bob", "builder")
        call = Call(alice, 500)
        await call.invite("bob")
        other, invite = await incoming(bob, 900)
        assert (invite["caller_id_name"], invite["caller_id_number"]) == ("Check", "100"), invite
        await other.answer(invite)
        await call.answered()
        assert (await alice.hears("display", call.call_id))["display_number"] == "bob"
        await call.hears(900)
        await other.hears(500)
        await alice.ask("modify", action="hold", dialogParams=call.dialog)
        await other.hears(440)
        await call.hears(0)
        await alice.ask("modify", action="unhold", dialogParams=call.dialog)
        await call.hears(900)
        await _come_back(server, call)
        await call.hears(900)
        await other.hears(500)
        await other.bye(cause="USER_BUSY", causeCode=16)
        assert (await alice.hears("bye", call.call_id))["cause"] == "USER_BUSY"
        await alice.close()
        await bob.close()


async def _come_back(server: Verto, call: Call) -> None:
    client = call.client
    sdk_id = client.sdk_id
    await server.do("drop-sockets", user="alice")
    await client.is_closed()
    await client.connect()
    result = await client.ask("login", login="alice", passwd="wonderland", reconnection=True)
    assert result["sessid"] == client.sessid
    ready = await client.hears("clientReady")
    assert ready["reattached_sessions"] == [call.call_id] and client.sdk_id == sdk_id, ready
    attach = await client.hears("attach", call.call_id)
    assert "a=setup:actpass" in attach["sdp"] and "BUNDLE" not in attach["sdp"]
    await call.attach(attach)
    await server.event("attached", call=call.call_id)


async def one_of_two_sessions_answers() -> None:
    async with Verto() as server:
        alice = await logged_in(server.port)
        desks = [await logged_in(server.port, "bob", "builder") for _ in range(2)]
        call = Call(alice, 500)
        await call.invite("bob")
        (winner, invite), (loser, _) = [await incoming(desk, 900) for desk in desks]
        await winner.answer(invite)
        bye = await desks[1].hears("bye", loser.call_id)
        assert (bye["cause"], bye["causeCode"], bye["sipCode"]) == ("PICKED_OFF", 805, 487), bye
        await call.answered()
        await call.hears(900)
        await winner.hears(500)
        await call.bye()
        assert (await desks[0].hears("bye", winner.call_id))["cause"] == "NORMAL_CLEARING"
        for client in (alice, *desks):
            await client.close()


async def calls_that_nobody_takes() -> None:
    async with Verto("--ring-seconds", "1") as server:
        alice, bob = await logged_in(server.port), await logged_in(server.port, "bob", "builder")
        for number, cause in [
            ("nobody", "UNALLOCATED_NUMBER"), ("busy", "USER_BUSY"), ("carol", "USER_NOT_REGISTERED"),
            ("noanswer", "NO_ANSWER"),
        ]:
            call = Call(alice, 500)
            await call.invite(number)
            assert (await alice.hears("bye", call.call_id))["cause"] == cause
        call = Call(alice, 500)
        await call.invite("bob")
        other, invite = await incoming(bob, 900)
        await other.bye(cause="CALL_REJECTED", causeCode=21)
        assert (await alice.hears("bye", call.call_id))["causeCode"] == 21
        call = Call(alice, 500)
        await call.invite("bob")
        other, invite = await incoming(bob, 900)
        await call.bye(cause="USER_BUSY", causeCode=17)
        assert (await bob.hears("bye", other.call_id))["cause"] == "ORIGINATOR_CANCEL"
        call = Call(alice, 500)
        await call.invite("bob")
        other, invite = await incoming(bob, 900)
        assert (await bob.hears("bye", other.call_id))["causeCode"] == 487
        assert (await alice.hears("bye", call.call_id))["cause"] == "NO_ANSWER"
        await alice.close()
        await bob.close()


async def the_server_calls_and_punts() -> None:
    async with Verto() as server:
        client = await logged_in(server.port)
        await server.do("call", user="alice", **{"from": "+4930123", "name": "Berlin", "play": "tone"})
        call, invite = await incoming(client, 600)
        assert (invite["caller_id_name"], invite["caller_id_number"]) == ("Berlin", "+4930123")
        await call.answer(invite)
        await call.hears(1000)
        await server.do("display", call=call.call_id, name="Potsdam", number="331")
        assert (await client.hears("display", call.call_id))["display_name"] == "Potsdam"
        await server.do("punt", user="alice")
        await client.hears("punt")
        await client.is_closed()
        assert not [name for name, _ in client.told if name == "bye"] and not (await server.do("stats"))["sessions"]
        await client.close()

"""`webrtc_peer.py`: two of them, joined by their descriptions only, and an attacker between two ends."""
from __future__ import annotations

import asyncio
import os
import shutil
import socket
import tempfile
import wave

from .client import Call, logged_in
from .process import Program, Verto


async def _hears(peer: Program, hertz: int) -> dict:
    first = (await peer.do("stats"))["heard"]["frames"]
    for _ in range(100):
        await asyncio.sleep(0.05)
        figures = await peer.do("stats")
        heard = figures["heard"]
        if heard["frames"] > first + 25 and abs(heard["pitch"] - hertz) < 15 and -17 < heard["level"] < -13:
            return figures
    raise AssertionError(f"expected {hertz} Hz: {figures}")


async def two_peers_by_their_descriptions() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pcmu, passive = ("webrtc_peer.py", "--codec", "pcmu"), ("webrtc_peer.py", "--setup", "passive")
        async with Program(*pcmu) as one, Program(*passive) as other:
            path = os.path.join(folder, "heard.wav")
            await one.do("play", tone=600)
            await other.do("play", tone=800)
            await other.do("record", path=path)
            answer = await other.do("answer", sdp=(await one.do("offer"))["sdp"])
            assert "a=setup:passive" in answer["sdp"] and "PCMU" in answer["sdp"] and "opus" not in answer["sdp"]
            await one.do("accept", sdp=answer["sdp"])
            mine, theirs = await _hears(one, 800), await _hears(other, 600)
            assert mine["fingerprints"] == theirs["fingerprints"][::-1] and mine["srtp"] == theirs["srtp"] != "", mine
            assert mine["pair"] == theirs["pair"][::-1] and "host udp 127.0.0.1" in mine["pair"][0], (mine, theirs)
            offer = await one.do("restart", trickle=True)
            answer = await other.do("answer", sdp=offer["sdp"], trickle=True)
            await one.do("accept", sdp=answer["sdp"], trickle=True)
            for giver, taker in ((one, other), (other, one)):
                for candidate in [event for event in giver.events if event["event"] == "candidate"]:
                    await taker.do("candidate", candidate=candidate["candidate"])
            for peer in (one, other):
                await peer.event("media", ice="restarted")
            again = await _hears(one, 800)
            assert again["pair"] != mine["pair"] and again["fingerprints"] == mine["fingerprints"]
            await _hears(other, 600)
            await other.do("record")
            await other.do("play", wav=path, repeat=True)
            await _hears(one, 600)
        with wave.open(path) as file:
            assert file.getnframes() > 48_000


async def somebody_stands_between() -> None:
    """A certificate other than the announced one ends a handshake, at both kinds of ends."""
    async with Program("webrtc_peer.py") as one, Program("webrtc_peer.py", "--wrong-fingerprint") as other:
        answer = await other.do("answer", sdp=(await one.do("offer"))["sdp"])
        await one.do("accept", sdp=answer["sdp"])
        await one.event("media", dtls="failed")
        assert (await one.do("stats"))["heard"]["frames"] == 0
    async with Verto("--wrong-fingerprint") as server:
        client = await logged_in(server.port)
        call = Call(client, 700)
        await call.invite("tone")
        await call.answered()
        async with asyncio.timeout(5):
            while {"dtls": "failed"} not in call.facts:
                await asyncio.sleep(0.05)
        assert call.voice.meter.frames == 0
        await client.close()


async def through_coturn() -> None:
    """Relayed at the server's end, by Debian's coturn on loopback; skipped without it."""
    program = shutil.which("turnserver")
    if not program:
        print("(coturn is not installed: apt-get install coturn)")
        return
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        relay = await asyncio.create_subprocess_exec(
            program, "-n", "-L", "127.0.0.1", "-E", "127.0.0.1", "-p", str(port), "--lt-cred-mech", "-u",
            "offhook:test", "-r", "test", "--no-tls", "--no-dtls", "--no-cli", "--allow-loopback-peers", "--log-file",
            "stdout", "--pidfile", folder + "/pid", "--userdb", folder + "/db", "--min-port", "40000",
            "--max-port", "40100", stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)
        try:
            await asyncio.sleep(0.5)
            async with Verto("--turn", f"turn:127.0.0.1:{port},offhook,test", "--relay-only") as server:
                client = await logged_in(server.port)
                call = Call(client, 700)
                await call.invite("echo")
                await call.answered()
                await call.hears(700)
                pair = (await server.do("stats"))["calls"][0]["pair"]
                assert pair[0].startswith("relay "), pair
                await client.close()
        finally:
            relay.terminate()
            await relay.wait()

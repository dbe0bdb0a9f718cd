"""webrtc_peer.py: a WebRTC end by aiortc, driven by JSON lines, for calls with foreign signalling, such as SIP.

{"do":"offer"} prints an offer and {"do":"accept","sdp":…} takes its answer; {"do":"answer","sdp":…} prints an
answer, to later offers, too. `Scripts/webrtc` prints the Python that runs it. It ends when its input does.
docs/dev/testing.md lists the other commands.
"""
from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any

from media import text
from media.commands import lines
from media.events import Events
from media.paths import add_options, from_options
from media.peer import BadDescription, Peer
from media.sound import File, Recorder, Silence, Tone, Voice


class End:
    def __init__(self, options: argparse.Namespace, events: Events) -> None:
        self.options, self.events, self.voice = options, events, Voice()
        self.paths = from_options(options, "127.0.0.1")
        self.peer: Peer | None = None
        self.is_restarting = False

    async def carry_out(self, line: str) -> None:
        name = ""
        try:
            command = json.loads(line)
            name = str(command["do"])[:64]
            facts = await getattr(self, "do_" + name.replace("-", "_"))(command)
            self.events.emit("done", do=name, **(facts or {}))
        except (BadDescription, ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            self.events.emit("not-done", do=name, why=repr(error)[:200])

    async def new_peer(self) -> Peer:
        if self.peer:
            await self.peer.close()
        self.peer = Peer(self.voice, self.paths, lambda **facts: self.events.emit("media", **facts), self.options.codec)
        return self.peer

    def told(self, description: str, command: dict[str, Any]) -> dict[str, Any]:
        """With `trickle`, candidates follow one by one as separate events."""
        if self.options.wrong_fingerprint:
            description = text.with_wrong_fingerprint(description)
        if not command.get("trickle"):
            return {"sdp": description}
        for candidate in [*text.candidates(description), None]:
            self.events.emit("candidate", candidate=candidate)
        return {"sdp": text.without_candidates(description)}

    async def do_offer(self, command: dict[str, Any]) -> dict[str, Any]:
        self.is_restarting = False
        return self.told(await (await self.new_peer()).offer(), command)

    async def do_restart(self, command: dict[str, Any]) -> dict[str, Any]:
        """An offer with new ICE credentials on the same keys; `accept` takes its answer, too."""
        if not self.peer:
            raise ValueError("there is nothing to restart")
        self.is_restarting = True
        return self.told(await self.peer.offer_restart(), command)

    async def do_accept(self, command: dict[str, Any]) -> None:
        if not self.peer:
            raise ValueError("there is no offer")
        accept = self.peer.accept_restart if self.is_restarting else self.peer.accept
        await accept(command["sdp"], bool(command.get("trickle")))

    async def do_answer(self, command: dict[str, Any]) -> dict[str, Any]:
        offer, trickles, setup = command["sdp"], bool(command.get("trickle")), self.options.setup
        answer = await self.peer.update(offer, trickles, setup) if self.peer else None
        if answer is None:
            answer = await (await self.new_peer()).answer(offer, trickles, setup)
        return self.told(answer, command)

    async def do_candidate(self, command: dict[str, Any]) -> None:
        """Null means that there are no others."""
        if not self.peer:
            raise ValueError("there is no connection")
        await self.peer.add_candidate(command["candidate"])

    async def do_play(self, command: dict[str, Any]) -> None:
        if "wav" in command:
            self.voice.source = File(command["wav"], bool(command.get("repeat")))
        elif "tone" in command:
            self.voice.source = Tone(int(command["tone"]), float(command.get("level", -12)))
        else:
            self.voice.source = Silence()

    async def do_record(self, command: dict[str, Any]) -> None:
        recorder, self.voice.recorder = self.voice.recorder, None
        if recorder:
            recorder.close()
        if "path" in command:
            self.voice.recorder = Recorder(command["path"])

    async def do_stats(self, command: dict[str, Any]) -> dict[str, Any]:
        return {"heard": self.voice.meter.figures(), **(self.peer.figures() if self.peer else {})}

    async def do_close(self, command: dict[str, Any]) -> None:
        """The far end is notified by DTLS; the program continues."""
        if self.peer:
            await self.peer.close()
            self.peer = None


async def main() -> None:
    parser = argparse.ArgumentParser(prog="webrtc_peer.py", description="A WebRTC end that is driven by JSON lines.")
    add_options(parser)
    events = Events()
    events.watch(asyncio.get_running_loop())
    end = End(parser.parse_args(), events)
    events.emit("ready")
    async for line in lines():
        await end.carry_out(line)
    await end.do_close({})
    end.voice.close()


if __name__ == "__main__":
    asyncio.run(main())

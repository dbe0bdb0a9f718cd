"""The voice routing: services, two talking parties, and those on hold."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING

from media.sound import Passage, Recorder, Silence, Tone

if TYPE_CHECKING:
    from .leg import Leg

SERVICES = ("echo", "tone", "record", "silence")


def connect(one: Leg, other: Leg) -> None:
    """A held party hears music, here a tone of 440 Hz; the holding party hears nothing."""
    is_held = one.is_held or other.is_held
    for talker, listener in ((one, other), (other, one)):
        passage = Passage()
        talker.voice.sinks = [] if is_held else [passage.feed]
        listener.voice.source = passage
        if is_held:
            listener.voice.source = Silence() if listener.is_held else Tone(440)


def serve(leg: Leg) -> None:
    """Connects a leg to its service, or to silence while it holds."""
    voice = leg.voice
    voice.sinks, voice.source = [], Silence()
    if leg.is_held:
        return
    if leg.service == "echo":
        passage = Passage()
        voice.sinks, voice.source = [passage.feed], passage
    elif leg.service == "tone":
        voice.source = Tone(1000)
    elif leg.service == "record" and not voice.recorder:
        exchange = leg.exchange
        if not exchange.options.record_dir:
            exchange.end(leg, "DESTINATION_OUT_OF_ORDER")
            return
        path = os.path.join(exchange.options.record_dir, f"heard-{next(exchange.recordings)}.wav")
        voice.recorder = Recorder(path)
        leg.event("recording", path=path)

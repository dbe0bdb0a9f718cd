"""A call's played and received sound: 48 kHz, mono, 16 bits, in pieces of 20 ms."""
from __future__ import annotations

import array
import math
import wave
from collections import deque
from typing import Protocol

import av

RATE = 48_000
PIECE = 960
SILENCE = bytes(2 * PIECE)


class Source(Protocol):
    def next(self) -> bytes:
        """The next 20 ms."""


class Silence:
    def next(self) -> bytes:
        return SILENCE


class Tone:
    """A sine of a whole number of hertz, so that one second of it can be repeated."""

    def __init__(self, hertz: int, level: float = -12.0) -> None:
        peak = 32_767 * 10 ** (level / 20)
        step = 2 * math.pi * hertz / RATE
        self.second = array.array("h", (round(peak * math.sin(step * index)) for index in range(RATE))).tobytes()
        self.place = 0

    def next(self) -> bytes:
        piece = self.second[self.place : self.place + 2 * PIECE]
        self.place = (self.place + 2 * PIECE) % len(self.second)
        return piece


class File:
    """A WAV file of any rate, once or repeated."""

    def __init__(self, path: str, repeats: bool = False) -> None:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        pieces = []
        with av.open(path) as container:
            for frame in container.decode(audio=0):
                pieces += [samples_of(part) for part in resampler.resample(frame)]
        pieces += [samples_of(part) for part in resampler.resample(None)]
        self.samples, self.place, self.repeats = b"".join(pieces), 0, repeats

    def next(self) -> bytes:
        piece = self.samples[self.place : self.place + 2 * PIECE]
        self.place += len(piece)
        if len(piece) < 2 * PIECE:
            self.place = 0 if self.repeats else self.place
            piece += bytes(2 * PIECE - len(piece))
        return piece


class Passage:
    """One end's sound on its way to another: 40 ms are held back against jitter, 200 ms at most."""

    held_back, longest = 2, 10

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.flows = False

    def feed(self, samples: bytes) -> None:
        self.bytes += samples
        excess = len(self.bytes) - self.longest * 2 * PIECE
        if excess > 0:
            del self.bytes[:excess]

    def next(self) -> bytes:
        self.flows = len(self.bytes) >= 2 * PIECE * (1 if self.flows else self.held_back)
        if not self.flows:
            return SILENCE
        piece = bytes(self.bytes[: 2 * PIECE])
        del self.bytes[: 2 * PIECE]
        return piece


class Meter:
    """The amount of received sound, and level and pitch of the last half second, the pitch of pure tones only."""

    def __init__(self) -> None:
        self.frames = 0
        self.seconds = 0.0
        self.recent: deque[tuple[int, float, int]] = deque()
        self.last = 0

    def add(self, samples: bytes) -> None:
        values = array.array("h", samples)
        if not values:
            return
        crossings = sum((before < 0) != (after < 0) for before, after in zip(values, values[1:]))
        crossings += (self.last < 0) != (values[0] < 0)
        self.last = values[-1]
        self.frames += 1
        self.seconds += len(values) / RATE
        self.recent.append((len(values), float(sum(value * value for value in values)), crossings))
        while sum(count for count, _, _ in self.recent) > RATE // 2:
            self.recent.popleft()

    @property
    def level(self) -> float:
        """RMS in dBFS of a full square wave; -96 for silence."""
        count = sum(count for count, _, _ in self.recent)
        energy = sum(energy for _, energy, _ in self.recent)
        return max(-96.0, 10 * math.log10(max(energy, 1e-9) / count / 32_768**2)) if count else -96.0

    @property
    def pitch(self) -> float:
        """Hertz, from the zero crossings of the sound. Meaningless for noise and speech."""
        count = sum(count for count, _, _ in self.recent)
        return sum(crossings for _, _, crossings in self.recent) * RATE / 2 / count if count else 0.0

    def figures(self) -> dict[str, float]:
        return {
            "frames": self.frames, "seconds": round(self.seconds, 2), "level": round(self.level, 1),
            "pitch": round(self.pitch)}


class Recorder:
    """Writes received sound into a WAV file, ten minutes at most."""

    longest = 600 * RATE * 2

    def __init__(self, path: str) -> None:
        self.file = wave.open(path, "wb")
        self.file.setnchannels(1)
        self.file.setsampwidth(2)
        self.file.setframerate(RATE)
        self.written = 0

    def feed(self, samples: bytes) -> None:
        if self.written < self.longest:
            self.file.writeframesraw(samples)
            self.written += len(samples)

    def close(self) -> None:
        self.file.close()


def doubled(samples: bytes) -> bytes:
    """Both channels are equal. With a resampler, each way through a call would cost 3 dB."""
    values = array.array("h", samples)
    both = array.array("h", bytes(2 * len(samples)))
    both[::2] = both[1::2] = values
    return both.tobytes()


def samples_of(frame: av.AudioFrame) -> bytes:
    """Without the padding that a plane may have."""
    return bytes(frame.planes[0])[: 2 * frame.samples]


class Voice:
    """Both directions of one call. It outlives the connection that carries it, if that is replaced."""

    def __init__(self) -> None:
        self.source: Source = Silence()
        self.meter = Meter()
        self.sinks: list = []
        self.recorder: Recorder | None = None

    def hears(self, samples: bytes) -> None:
        self.meter.add(samples)
        if self.recorder:
            self.recorder.feed(samples)
        for sink in self.sinks:
            sink(samples)

    def close(self) -> None:
        self.sinks = []
        if self.recorder:
            self.recorder.close()
            self.recorder = None

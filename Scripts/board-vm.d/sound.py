"""Speech into a board's microphone and out of its earpiece, through the loopback card, and how well it was heard."""
import wave

import numpy
from pesq import pesq

#: What the far side of the cable is called: what is played there is the phone's microphone, what is recorded its earpiece.
MICROPHONE, EARPIECE = "plughw:CARD=Loopback,DEV=1,SUBDEV=1", "plughw:CARD=Loopback,DEV=1,SUBDEV=0"


def speak(board, file):
    """Begins to say a WAV file of the board into its microphone."""
    return board.begin(sh=f"aplay -q -D {MICROPHONE} {file}")


def listen(board, seconds, file):
    """Begins to record what the earpiece says."""
    return board.begin(sh=f"arecord -q -D {EARPIECE} -f S16_LE -r 48000 -c 1 -d {seconds} {file}")


def read(path):
    """A WAV file of 48 kHz at 16 kHz, as PESQ wants it."""
    with wave.open(path) as file:
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
    return samples[:len(samples) // 3 * 3].reshape(-1, 3).mean(axis=1)


def score(said, heard):
    """PESQ (ITU-T P.862.2, 1 to 4.64) of what was heard where it fits best, and at which second that begins."""
    said, heard = read(said), read(heard)
    size = len(said) + len(heard)
    fit = numpy.fft.irfft(numpy.fft.rfft(heard, size) * numpy.conj(numpy.fft.rfft(said, size)), size)
    start = int(numpy.argmax(fit[:max(1, len(heard) - len(said) // 2)]))
    part = heard[start:start + len(said)]
    return float(pesq(16_000, said[:len(part)], part, "wb")), start / 16_000

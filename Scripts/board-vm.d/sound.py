"""Speech into a board's microphone and out of its earpiece, through the loopback card, and its score."""
import wave

import numpy
from pesq import pesq

#: The loopback card's far side: sound played there reaches the phone's microphone, and a recording there is its
# earpiece.
MICROPHONE, EARPIECE = "plughw:CARD=Loopback,DEV=1,SUBDEV=1", "plughw:CARD=Loopback,DEV=1,SUBDEV=0"


def speak(board, file):
    """Starts to play a WAV file of the board into its microphone."""
    return board.begin(sh=f"aplay -q -D {MICROPHONE} {file}")


def listen(board, seconds, file):
    """Starts to record the earpiece."""
    return board.begin(sh=f"arecord -q -D {EARPIECE} -f S16_LE -r 48000 -c 1 -d {seconds} {file}")


def read(path):
    """A WAV file of 48 kHz at 16 kHz, for PESQ."""
    with wave.open(path) as file:
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
    return samples[:len(samples) // 3 * 3].reshape(-1, 3).mean(axis=1)


def score(said, heard):
    """PESQ (ITU-T P.862.2, 1 to 4.64) of the sound where it fits best, and the second at which that begins."""
    said, heard = read(said), read(heard)
    size = len(said) + len(heard)
    fit = numpy.fft.irfft(numpy.fft.rfft(heard, size) * numpy.conj(numpy.fft.rfft(said, size)), size)
    start = int(numpy.argmax(fit[:max(1, len(heard) - len(said) // 2)]))
    part = heard[start:start + len(said)]
    return float(pesq(16_000, said[:len(part)], part, "wb")), start / 16_000

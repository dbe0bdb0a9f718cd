"""Rates how good speech sounds: wide-band PESQ (ITU-T P.862.2) of two WAV files that start together, 1 to 4.64."""
import subprocess, sys
import numpy
from pesq import pesq


def score(clean, heard):
    return float(pesq(16_000, samples(clean), samples(heard), "wb"))


def samples(path):
    """A file's samples, at PESQ's sampling rate."""
    run = subprocess.run(["sox", "-q", path, "-r", "16000", "-t", "raw", "-"], capture_output=True, check=True)
    return numpy.frombuffer(run.stdout, dtype="<i2")


if __name__ == "__main__":
    print(f"{score(*sys.argv[1:]):.3f}")

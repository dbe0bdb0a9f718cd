"""A continuous note into one phone's microphone, and when it sounds in another's earpiece."""
import array, math, time
from rig import RATE, RING, Wire

PITCH, PERIOD = 1000, 48
WAVE = [round(8000 * math.sin(2 * math.pi * place / PERIOD)) & 0xFFFF for place in range(PERIOD)]
# Below this it is silence, or concealment.
LOUD = 1000
# The length that distinguishes a note from noise, and the step of the search.
GLANCE, STEP = RATE // 10, RATE // 50


def hum(mouth):
    """Plays the note for the next ten seconds. A call during that time extends it."""
    index, end = Wire.frame(), Wire.frame() + RING - RATE // 2
    while index < end:
        tag, place = (index // RING) & 0xFFFF, index % RING
        count = min(end - index, RING - place)
        turn = [WAVE[(index + offset) % PERIOD] | tag << 16 for offset in range(PERIOD)]
        mouth.cells[place:place + count] = memoryview(array.array("I", turn) * (count // PERIOD + 1))[:count]
        index += count


def is_note(sound):
    """Whether it is loud from beginning to end, and of the right pitch."""
    for start in range(0, len(sound), STEP):
        if max(map(abs, sound[start:start + STEP])) < LOUD:
            return False
    crossings = sum((one < 0) != (other < 0) for one, other in zip(sound, sound[1:]))
    return abs(crossings * RATE / 2 / len(sound) - PITCH) < 0.1 * PITCH


def first(ear, since, limit=10):
    """Seconds from a frame to the first sample of the note in an earpiece. Rings and clicks are skipped."""
    end, place = time.monotonic() + limit, 0
    while time.monotonic() < end:
        time.sleep(0.1)
        heard = ear.heard(since, Wire.frame() - since)
        while place + STEP < len(heard):
            if abs(heard[place]) > LOUD and is_note(heard[place:place + STEP]):
                return place / RATE
            place += 1
    raise TimeoutError("the far end is not heard")


def back(ear, since, limit=8):
    """Seconds from a frame to where the note, lost after it, sounds without a gap again."""
    time.sleep(max(0, since / RATE + limit - time.monotonic()))
    heard = ear.heard(since, limit * RATE)
    places = range(0, len(heard) - GLANCE, STEP)
    lost = next((place for place in places if not is_note(heard[place:place + GLANCE])), None)
    if lost is None:
        return 0.0
    found = next((place for place in places if place > lost and is_note(heard[place:place + GLANCE])), None)
    if found is None:
        raise TimeoutError("voice does not come back")
    return found / RATE

"""Counts the instructions of a second of call: the phone beside baresip, each under callgrind, with the same codec settings.

A program under callgrind is some twenty times as slow, which no call survives. So libfaketime slows time for both by more
than that, sound cards included, and they notice nothing."""
import collections, glob, os, subprocess, time
from phones import Baresip, Offhook
from rig import RATE, RING, Wire
from workbench import Workbench

# Real seconds for each of their seconds.
SLOWNESS = 30
# Parts of a process by their objects' names. Any other object belongs to the program itself.
OVERHEAD = "the measurement"
PARTS = {
    "Opus": ("libopus", "libm."),
    "SRTP": ("libsrtp", "libcrypto", "libnss", "libnspr", "libfreebl", "libsoftokn", "srtp.so"),
    "ALSA and the test's sound card": ("libasound",),
    "C library": ("libc.", "ld-linux", "libpthread", "libgcc"),
    OVERHEAD: ("libfaketime", "vgpreload"),
}


def slowed(kind):
    """A kind of phone in slow time, with counted instructions."""

    class Slowed(kind):
        name, patience = kind.name, 60

        def launch(self, words, environment={}):
            self.counts = self.folder + "/counts"
            counted = [
                "valgrind", "--tool=callgrind", "--instr-atstart=no", "--fair-sched=yes",
                "--callgrind-out-file=" + self.counts, "--vgdb-prefix=" + self.folder + "/vgdb"]
            # Count the program that stdbuf starts, not stdbuf. env is there because the first program under libfaketime
            # loses its arguments.
            place = words.index("baresip") if "baresip" in words else 0
            slow = {
                "LD_PRELOAD": glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")[0],
                "FAKETIME": f"+0 x{1 / SLOWNESS}"}
            super().launch(["env", *words[:place], *counted, *words[place:]], {**slow, **environment})

        def tell_callgrind(self, *words):
            subprocess.run(
                ["callgrind_control", f"--vgdb-prefix={self.folder}/vgdb", *words], check=True, capture_output=True)

        def count(self, seconds):
            """Instructions of each object in this many of its seconds."""
            self.tell_callgrind("--instr=on")
            time.sleep(seconds * SLOWNESS)
            self.tell_callgrind("--instr=off")
            self.tell_callgrind("--dump")
            return totals(glob.glob(self.counts + "*"))

    return Slowed


def totals(paths):
    """Instructions in each object itself: all cost lines of callgrind's files, except those of calls."""
    found = collections.Counter()
    for path in paths:
        names, current, is_call = {}, "", False
        with open(path) as file:
            for line in file:
                if line.startswith("ob="):
                    number, _, name = line[3:].strip().partition(" ")
                    current = names.setdefault(number, name)
                elif line.startswith("cob="):
                    number, _, name = line[4:].strip().partition(" ")
                    names.setdefault(number, name)
                elif line.startswith("calls="):
                    is_call = True
                elif line[0] in "+-*0123456789":
                    words = line.split()
                    if not is_call and len(words) > 1:
                        found[current] += int(words[1])
                    is_call = False
    return found


def parts(objects):
    found = collections.Counter()
    for name, count in objects.items():
        base = os.path.basename(name)
        part = next((part for part, begins in PARTS.items() if base.startswith(begins)), "the program itself")
        found[part] += count
    return found


class Instructions(Workbench):
    def __init__(self, *bench):
        super().__init__(*bench)
        self.words = self.dialogue()
        self.seconds = 1 if self.options.short else 4
        self.options.phone, self.options.wire = map(self.bare, (self.options.phone, self.options.wire))

    def bare(self, path):
        """Without debugging information: Debian's valgrind cannot read the newest format."""
        copy = f"{self.folder}/{os.path.basename(path)}"
        subprocess.run(["strip", "--strip-debug", "-o", copy, path], check=True)
        return copy

    def call(self, kind):
        """Millions of instructions a second of one of two ends that both speak."""
        near, far = self.make(slowed(kind), 0), self.make(slowed(kind), 1)
        for phone, words in ((near, self.words[0]), (far, self.words[1])):
            # Their clock nearly stands still, so queue the speech for all of the next eleven of their seconds.
            phone.mouth.say((words * (RING // len(words) + 1))[:RING], Wire.frame())
        try:
            far.start(), near.start()
            near.dial()
            far.wait_ringing()
            far.answer()
            near.wait_talking(), far.wait_talking()
            time.sleep(2 * SLOWNESS)
            return {part: count / self.seconds / 1e6 for part, count in parts(near.count(self.seconds)).items()}
        finally:
            near.stop(), far.stop()

    def run(self):
        ours, theirs = self.call(Offhook), self.call(Baresip)
        overhead = [side.pop(OVERHEAD, 0) for side in (ours, theirs)]
        left, right = sum(ours.values()), sum(theirs.values())
        named = [part for part in (*PARTS, "the program itself") if part != OVERHEAD]
        rows = [f"| {part} | {ours.get(part, 0):.2f} | {theirs.get(part, 0):.2f} |" for part in named]
        print("\n".join([
            "| millions of instructions a second of call | offhook | baresip |", "|---|---|---|", *rows,
            f"| all | {left:.2f} | {right:.2f} |",
            f"| not counted: the measurement itself | {overhead[0]:.2f} | {overhead[1]:.2f} |", "",
            f"{left / right:.2f} times baresip's; {left / (ours['Opus'] + ours['SRTP']):.2f} times what libopus and "
            f"libsrtp take of it. {RATE} Hz, {self.seconds} s in a call; without the kernel."]))


if __name__ == "__main__":
    Instructions.live()

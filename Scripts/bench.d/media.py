"""Voice over a bad link: the phone beside baresip and linphonec, with the same losses and delays, judged by PESQ
(ITU-T P.862.2)."""
import shutil, subprocess, sys, time
from pesq import NoUtterancesError
from listen import score
from phones import Baresip, Linphone, Offhook
from relay import Relay, Trace
from rig import RATE, Theft, Wire, compare, median, read
from workbench import Workbench

VOICES = ("en-gb+f3", "en-us+m3", "en-gb+m7", "en-us+f2", "en-gb-scotland+m1")
TEXTS = (
    "Hello Bob. The kettle is on, and the number you asked for is seven, four, two. Shall we meet at noon?",
    "Noon is good; I will bring the long cable and the small lamp. Please leave the side door open for me.",
    "A quick check of the meters: four hundred and six in the cellar, eighteen upstairs, nothing at the gate.",
    "The train was late again. We waited for an hour in the rain, and then the whole family walked home.",
    "Should somebody ring at the front door, ask for a name first, and open only when you know the voice.",
)
# Limit of measurements of one call, and the largest acceptable share of processor time that the host takes. A stall
# shows only which program keeps less delay.
ATTEMPTS, BEARABLE = 4, 0.005
# All buffers settle before the first word; packets of 20 ms.
QUIET = 200
STEP_AT = QUIET + 400
CONDITIONS = (
    ("clean", "none"), ("5 % lost", "loss", 0.05), ("10 % lost", "loss", 0.10), ("20 % lost", "loss", 0.20),
    ("10 % lost in bursts", "bursts", 0.10), ("20 ± 40 ms of jitter", "jitter", 20, 40),
    ("a step of 300 ms", "step", 300, STEP_AT),
)


class Impaired(Workbench):
    # The relay joins the hosts.
    joined = False

    def __init__(self, *bench):
        super().__init__(*bench)
        self.programs = [Offhook, Baresip] + ([Linphone] if shutil.which("linphonec") else [])
        self.speech = [self.utter(number) for number in range(2 if self.options.short else len(TEXTS))]

    @staticmethod
    def add_options(parser):
        parser.add_argument("--link", default="", help="only links with this in their name")

    def utter(self, number):
        path = f"{self.folder}/speech-{number}.wav"
        raw = path + ".raw.wav"
        subprocess.run(["espeak-ng", "-v", VOICES[number], "-s", "150", "-w", raw, TEXTS[number]], check=True)
        subprocess.run(["sox", "-q", raw, "-r", str(RATE), "-b", "16", "-c", "1", path, "norm", "-6"], check=True)
        return read(path)

    def condition(self, kind, *figures):
        """Scores and delays of each program under one trace, the same for both."""
        traces = [Trace(kind, f"{self.options.seed} {direction}", *figures) for direction in (0, 1)]
        relay = Relay(self.hosts, traces)
        try:
            return {program.name: self.steadily(program, relay) for program in self.programs}, traces
        finally:
            relay.close()

    def steadily(self, program, relay):
        """The call that the host disturbed least."""
        best = None
        for _ in range(ATTEMPTS):
            theft = Theft()
            found = {**self.call(program, relay), "stolen": theft.share()}
            if best is None or found["stolen"] < best["stolen"]:
                best = found
            if best["stolen"] <= BEARABLE:
                break
        return best

    def call(self, program, relay):
        near, far = self.make(program, 0), self.make(program, 1)
        far.start(), near.start()
        before = [relay.passed(direction) for direction in (0, 1)]
        try:
            near.dial()
            far.wait_ringing()
            time.sleep(0.3)
            far.answer()
            near.wait_talking(), far.wait_talking()
            end = time.monotonic() + 20
            while any(relay.passed(way)[0] - before[way][0] < QUIET - 25 for way in (0, 1)):
                if time.monotonic() > end:
                    raise TimeoutError(f"{program.name}: voice does not flow both ways")
                time.sleep(0.005)
            found = self.talk(near, far)
            near.hang_up()
            time.sleep(0.3)
        finally:
            near.stop(), far.stop()
        came, lost = (sum(relay.passed(way)[what] - before[way][what] for way in (0, 1)) for what in (0, 1))
        return {**found, "lost": lost / max(1, came)}

    def talk(self, near, far):
        """Both ends speak all texts at the same time, each a different text in turn."""
        start, said = Wire.frame() + RATE // 2, []
        for turn in range(len(self.speech)):
            pair = self.speech[turn], self.speech[turn - 1]
            length = max(map(len, pair)) + RATE
            for phone, words in zip((near, far), pair):
                phone.mouth.say(words, start)
            # The wire keeps eleven seconds, so collect the sound in time.
            time.sleep(max(0, (start + length + RATE // 2 - Wire.frame()) / RATE))
            said += [(words, listener.ear.heard(start, length)) for words, listener in zip(pair, (far, near))]
            start += length + RATE // 2 + RATE
        scores, delays = [], []
        for words, heard in said:
            found = compare(self.options.bench, self.folder, words, heard)
            scores.append(self.score())
            delays += [found["delayMs"]] if found else []
        return {"scores": scores, "delay": median(delays)}

    def score(self):
        """The score of the last comparison; 1 if PESQ finds no speech."""
        try:
            return score(self.folder + "/said.wav", self.folder + "/heard.wav")
        except NoUtterancesError:
            return 1.0

    def run(self):
        rows, gains, calm = [], [], None
        links = CONDITIONS[::5] if self.options.short else CONDITIONS
        chosen = [link for link in links if self.options.link in link[0]]
        if not chosen:
            known = ", ".join(link[0] for link in links)
            sys.exit(f"bench: no link is named {self.options.link}; links: {known}")
        for name, kind, *figures in chosen:
            found, traces = self.condition(kind, *figures)
            ours = found["offhook"]
            if kind == "none":
                calm = ours["delay"]
            extra = ""
            if kind == "jitter" and calm:
                wanted = traces[0].percentile(0.97)
                extra = f"; {(ours['delay'] - calm) / wanted:.2f} × the trace's 97th percentile of {wanted:.0f} ms"
            means = {program: mean(side["scores"]) for program, side in found.items()}
            gain = means["offhook"] - means["baresip"]
            if kind != "none":
                gains.append(gain)
            shares = [", ".join(f"{100 * side[what]:.1f} %" for side in found.values()) for what in ("lost", "stolen")]
            rows.append(" | ".join([
                f"| {name}", *(f"{means[program]:.2f} ({min(side['scores']):.2f})" for program, side in found.items()),
                f"{gain:+.2f}", f"{ours['delay']:.0f} ms{extra}",
                *(f"{side['delay']:.0f} ms" for program, side in found.items() if program != "offhook"),
                *shares]) + " |")
            print(rows[-1], file=sys.stderr, flush=True)
        names = [program.name for program in self.programs]
        heads = ["link", *(f"{name}, PESQ (worst)" for name in names), "ahead of baresip",
                 *(f"{name}, mouth to ear" for name in names), "lost", "taken by the host"]
        summary = f"Mean gain over the impaired links {mean(gains):+.2f}, least {min(gains):+.2f}; " if gains else ""
        print("\n".join([
            "| " + " | ".join(heads) + " |", "|---" * len(heads) + "|", *rows, "",
            f"{summary}{2 * len(self.speech)} utterances a cell, seed {self.options.seed}."]))


def mean(values):
    return sum(values) / len(values)


if __name__ == "__main__":
    Impaired.live()

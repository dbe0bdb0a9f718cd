"""The cost of a call with ICE and DTLS: time until voice, processor time, memory; beside baresip and aiortc."""
import subprocess, sys, time
from contextlib import ExitStack
from natworld import SERVER, NATWorld, coturn, kamailio
from note import first, back, hum
from rig import RATE, Hosts, Theft, Wire, median
from webrtcphones import Aiortc, WebRTCBaresip, WebRTCOffhook
from workbench import BINARY_LIMIT, Workbench

# Seconds from a home to the servers, and back. A packet through TURN takes twice that one way.
DELAY = 0.02
SERVER_BESIDE = "10.77.1.3"
# The time for a person to answer.
RINGING = 1.0
REST_LIMIT = 2048
# The number of simultaneous calls when their cost is measured; half of each kind.
BESIDE = 8


class WebRTC(Workbench):
    def __init__(self, *bench):
        super().__init__(*bench)
        self.rounds = 2 if self.options.short else 9
        self.rows, self.missed, self.notes = [], [], []

    @staticmethod
    def add_options(parser):
        parser.add_argument("--python", required=True, help="a Python with aiortc (Scripts/webrtc)")
        parser.add_argument("--only", default="", help="only figures with this in their name: lan, nat, move, cost, size")

    # MARK: Until the far end is heard

    def answers(self, kind, hosts, **more):
        """Seconds from the command to answer to the far end's first voice, for each call between two of a kind."""
        near, far = self.make(kind, 0, hosts, **more), self.make(kind, 1, hosts, **more)
        try:
            far.start(), near.start()
            return [self.answered(near, far) for _ in range(self.rounds)]
        finally:
            near.stop(), far.stop()

    def answered(self, near, far):
        near.dial()
        far.wait_ringing()
        time.sleep(RINGING)
        hum(near.mouth)
        pressed = far.answer()
        took = first(far.ear, pressed * RATE // 1_000_000_000)
        near.wait_talking(), far.wait_talking()
        time.sleep(0.5)
        near.hang_up()
        # Wait until everything of the call is released.
        time.sleep(1.5)
        return took

    def answers_of_aiortc(self, hosts, signalling=0.0, **more):
        """aiortc has no sound device: the first sound from its decoder counts. The answer reaches the caller this late."""
        took = []
        for _ in range(self.rounds):
            near, far = (Aiortc(hosts, index, self.options.python, **more) for index in (0, 1))
            try:
                offer = near.ask("offer")["sdp"]
                time.sleep(RINGING)
                far.tell("answer", sdp=offer)
                pressed, answer = time.monotonic_ns(), far.wait_done("answer")["sdp"]
                time.sleep(signalling)
                near.tell("accept", sdp=answer)
                took.append((far.wait_heard() - pressed) / 1e9)
            finally:
                near.stop(), far.stop()
        return took

    def attempt(self, name, body):
        """A peer's figure. If it fails, the table has none and a note below says why."""
        try:
            return self.milliseconds(name, body())
        except (TimeoutError, RuntimeError, OSError, EOFError) as failure:
            self.notes.append(f"{name}: {failure}.")
            return None

    def milliseconds(self, name, took):
        self.notes.append(f"{name}: {min(took) * 1e3:.0f} to {max(took) * 1e3:.0f} ms.")
        return median(took) * 1e3

    def lan(self):
        found = self.milliseconds("offhook, LAN", self.answers(WebRTCOffhook, self.hosts))
        baresip = self.attempt("baresip, LAN", lambda: self.answers(WebRTCBaresip, self.hosts))
        aiortc = self.attempt("aiortc, LAN", lambda: self.answers_of_aiortc(self.hosts))
        peers = [peer for peer in (baresip, aiortc) if peer is not None]
        self.row("answer pressed to first voice, LAN", "≤ 150 ms, ≤ peers", found, baresip, aiortc, "ms", 0,
                 found <= min([150, *peers]))

    def nat(self):
        with NATWorld(DELAY) as world:
            servers = [kamailio(world, 2, SERVER, self.folder + "/far-kamailio"),
                       coturn(world, 2, SERVER, self.folder + "/far-coturn")]
            try:
                ways = {"server": SERVER, "turn": True}
                found = self.milliseconds("offhook, NATs", self.answers(WebRTCOffhook, world, **ways))
                baresip = self.attempt("baresip, NATs", lambda: self.answers(WebRTCBaresip, world, **ways))
                aiortc = self.attempt(
                    "aiortc, NATs", lambda: self.answers_of_aiortc(world, signalling=2 * DELAY, turn=True))
            finally:
                for server in servers:
                    server.stop()
        self.row("the same through two symmetric NATs and TURN, 20 ms from either home to the servers", "≤ 600 ms",
                 found, baresip, aiortc, "ms", 0, found <= 600)

    # MARK: Another address in a call

    def move(self):
        self.hosts.ip("-n", self.hosts.names[1], "addr", "add", SERVER_BESIDE + "/24", "dev", "wire")
        server = kamailio(self.hosts, 1, SERVER_BESIDE, self.folder + "/near-kamailio")
        try:
            found = self.milliseconds(
                "offhook, another address", [self.moved() for _ in range(1 if self.options.short else 7)])
        finally:
            server.stop()
        self.row("voice back, both ways, after another address in the call", "≤ 1,500 ms", found, None, None, "ms", 0,
                 found <= 1500)

    def moved(self):
        ways = {"server": SERVER_BESIDE, "transport": "udp"}
        near, far = self.make(WebRTCOffhook, 0, listen="0.0.0.0", **ways), self.make(WebRTCOffhook, 1, **ways)
        try:
            far.start(), near.start()
            near.dial()
            far.wait_ringing()
            far.answer()
            near.wait_talking(), far.wait_talking()
            time.sleep(1)
            hum(near.mouth), hum(far.mouth)
            time.sleep(0.5)
            self.address("10.77.1.1", "10.77.1.9")
            try:
                since = Wire.frame()
                return max(back(phone.ear, since) for phone in (near, far))
            finally:
                self.address("10.77.1.9", "10.77.1.1")
        finally:
            near.stop(), far.stop()

    def address(self, old, new):
        """The calling host's addresses."""
        commands = f"addr del {old}/24 dev wire\naddr add {new}/24 dev wire\nroute replace default dev wire\n"
        subprocess.run(["ip", "-n", self.hosts.names[0], "-batch", "-"], input=commands, text=True, check=True)

    # MARK: Beside a call with keys in the signalling

    def cost(self):
        """Calls of both kinds side by side, each between two phones that were just started."""
        with ExitStack() as stack:
            beside = [self.hosts, *(stack.enter_context(Hosts(name=str(number))) for number in range(1, BESIDE))]
            ours = self.costs(WebRTCOffhook, "mandatory", "dtls", beside, 10)
            theirs = self.costs(WebRTCBaresip, "srtp-mand", "dtls_srtp", beside, 3)
        names = "processor time of a second of call, times that with SDES", \
            "anonymous memory of such a call beyond one with SDES", "anonymous memory at rest"
        goals = 1.03, 300, theirs[2] + REST_LIMIT
        self.row(names[0], "≤ 1.03", ours[0], theirs[0], None, "", 2, ours[0] <= goals[0])
        self.row(names[1], "≤ 300 kB", ours[1], theirs[1], None, "kB", 0, ours[1] <= goals[1])
        self.row(names[2], "≤ baresip's + 2,048 kB", ours[2], theirs[2], None, "kB", 0, ours[2] <= goals[2])

    def costs(self, kind, plain, shaken, beside, rounds):
        """The cost of DTLS keys beside SDES keys: relative processor time, additional memory, and memory at rest.

        Calls of one kind always differ by a tenth. So there are many, and all run at the same time, so that the machine
        affects all of them alike."""
        calls = []
        for _ in range(1 if self.options.short else rounds):
            beside.append(beside.pop(0))
            spent = self.spent(kind, [((plain, shaken)[number % 2], hosts) for number, hosts in enumerate(beside)])
            calls += zip(spent[::2], spent[1::2])
        before, after = (sum(pair[place]["cpu"] for pair in calls) / len(calls) * 1e3 for place in (0, 1))
        self.notes.append(
            f"{kind.name}: {after:.1f} ms of processor time a second of call, {before:.1f} ms with SDES, "
            f"in {len(calls)} calls of each.")
        return [after / before, median([after["more"] - before["more"] for before, after in calls]),
                median([after["rest"] for _, after in calls])]

    def spent(self, kind, ways):
        """The cost of one call for each kind of keys: processor time of a second, of both ends; memory at rest, and its
        growth in the call."""
        pairs = [[self.make(kind, index, hosts, keys=keys) for index in (0, 1)] for keys, hosts in ways]
        try:
            for near, far in pairs:
                far.start(), near.start()
            time.sleep(3)
            rest = [near.process.memory()["Anonymous"] for near, _ in pairs]
            for near, far in pairs:
                near.dial()
                far.wait_ringing()
                time.sleep(0.3)
                far.answer()
                near.wait_talking(), far.wait_talking()
            self.hum(pairs)
            time.sleep(3)
            began, before = time.monotonic(), self.processor_times(pairs)
            for _ in range(1 if self.options.short else 3):
                self.hum(pairs)
                time.sleep(5)
            passed, after = time.monotonic() - began, self.processor_times(pairs)
            return [{"cpu": (later - sooner) / passed / 2, "rest": start,
                     "more": near.process.memory()["Anonymous"] - start}
                    for sooner, later, start, (near, _) in zip(before, after, rest, pairs)]
        finally:
            for near, far in pairs:
                near.stop(), far.stop()

    @staticmethod
    def hum(pairs):
        for near, far in pairs:
            hum(near.mouth), hum(far.mouth)

    def size(self):
        found = self.stripped_size()
        self.row("binary, static, stripped", "≤ 20 MB", found, None, None, "MB", 1, found <= BINARY_LIMIT)

    # MARK: The table

    def row(self, name, goal, ours, baresip, aiortc, unit, digits, holds):
        figures = (ours, baresip, aiortc)
        cells = ["–" if figure is None else f"{figure:,.{digits}f} {unit}".strip() for figure in figures]
        self.rows.append(f"| {name} | {goal} | " + " | ".join(cells) + f" | {'yes' if holds else '**no**'} |")
        print(self.rows[-1], file=sys.stderr, flush=True)
        if not holds:
            self.missed.append(name)

    def run(self):
        theft = Theft()
        for figure in (self.lan, self.nat, self.move, self.cost, self.size):
            if self.options.only in figure.__name__:
                figure()
        print("\n".join([
            "| figure | goal | offhook | baresip | aiortc | holds |", "|---|---|---|---|---|---|", *self.rows, "",
            f"{self.machine(theft)}; {self.rounds} calls for each of the first two.",
            "", *(f"- {note}" for note in self.notes)]))
        if self.missed:
            sys.exit(1)


if __name__ == "__main__":
    WebRTC.live()

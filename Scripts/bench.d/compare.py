"""The phone beside baresip: starts in turns, calls at the same time, and one table with the goals."""
import os, time
from contextlib import ExitStack
from phones import Baresip, Offhook
from rig import RATE, Hosts, Sniffer, Theft, Wire, compare, median
from workbench import BINARY_LIMIT, Workbench

# Seconds from exec to ready with an existing vault, kB of anonymous memory at rest, and the processor time of a call
# relative to baresip's.
START_LIMIT, REST_LIMIT, CALL_LIMIT = 0.012, 3200, 1.0
# The number of simultaneous calls of each program when their processor time is measured.
BESIDE = 4
KINDS = Offhook, Baresip
DEFAULTS = {Offhook: {}, Baresip: {}}
LOW_DELAY = {
    Offhook: {"packet": 10, "period": 5},
    Baresip: {"packet": 10, "options": ("jitter_buffer_type off", "audio_buffer 10-40")}}


class Comparison(Workbench):
    def __init__(self, *bench):
        super().__init__(*bench)
        self.words = self.dialogue()
        short = self.options.short
        self.starting, self.answering, self.talking, self.rounds = (3, 2, 1, 2) if short else (9, 7, 3, 5)

    # MARK: Starts

    def starts(self):
        """Seconds from exec to ready of each kind, in turns: of fresh phones, and of the same phones again. And memory
        after three seconds of rest."""
        found = {kind: {"first": [], "later": []} for kind in KINDS}
        for _ in range(self.starting):
            for kind in KINDS:
                phone, figures = self.make(kind, 0), found[kind]
                figures["first"].append(phone.start())
                if "memory" not in figures:
                    time.sleep(3)
                    figures["memory"] = phone.process.memory()
                phone.stop()
                figures["later"].append(phone.start())
                phone.stop()
        return found

    # MARK: Calls

    def calls(self, ways):
        """A call of each kind, on separate hosts: answer time, delays, similarity, memory."""
        with Hosts(name="beside") as beside:
            places = dict(zip(KINDS, (self.hosts, beside)))
            pairs = {kind: [self.make(kind, index, places[kind], **ways[kind]) for index in (0, 1)] for kind in KINDS}
            try:
                for near, far in pairs.values():
                    far.start(), near.start()
                answers = {kind: self.answers(places[kind], *pairs[kind]) for kind in KINDS}
                for pair in pairs.values():
                    self.connect(*pair)
                found = self.talk(list(pairs.values()))
                return {kind: {**figures, "answer": median(answers[kind])} for kind, figures in zip(KINDS, found)}
            finally:
                for near, far in pairs.values():
                    near.stop(), far.stop()

    @staticmethod
    def connect(near, far):
        near.dial()
        far.wait_ringing()
        time.sleep(0.3)
        far.answer()
        near.wait_talking(), far.wait_talking()

    def answers(self, hosts, near, far):
        """Milliseconds from the hand that answers to 200 OK on the wire, for each of some calls."""
        sniffer, took = Sniffer(hosts, 1), []
        for _ in range(self.answering):
            near.dial()
            far.wait_ringing()
            time.sleep(0.3)
            sniffer.forget()
            lifted = far.answer()
            took.append((sniffer.wait_for(b"SIP/2.0 200 ", b" INVITE\r\n") - lifted) / 1e6)
            near.wait_talking(), far.wait_talking()
            time.sleep(0.3)
            near.hang_up()
            time.sleep(0.5)
            far.rest()
            time.sleep(0.2)
        sniffer.close()
        return took

    def talk(self, pairs):
        """Delays and similarity of speech both ways, and memory after it."""
        time.sleep(2)
        heard = [[] for _ in pairs]
        for _ in range(self.talking):
            start, length = self.speak(pairs)
            self.sleep_until(start + length + RATE // 4)
            # The wire keeps eleven seconds, so collect all sound before a comparison takes its time.
            sounds = [[(words, listener.ear.heard(start, length)) for words, listener in zip(self.words, (far, near))]
                      for near, far in pairs]
            for mine, said in zip(heard, sounds):
                mine += [compare(self.options.bench, self.folder, *both) for both in said]
        understood = [[figures for figures in mine if figures] for mine in heard]
        return [{
            "delay": median([figures["delayMs"] for figures in mine]),
            "ratio": median([figures["segmentalSNR"] for figures in mine]),
            "memory": near.process.memory(), "heard": len(mine), "said": 2 * self.talking}
            for mine, (near, _) in zip(understood, pairs)]

    def speak(self, pairs):
        """Makes both ends of all pairs speak at the same time. Returns the first frame and the length."""
        start = Wire.frame() + 2 * RATE
        for near, far in pairs:
            near.mouth.say(self.words[0], start), far.mouth.say(self.words[1], start)
        return start, max(map(len, self.words)) + RATE

    @staticmethod
    def sleep_until(frame):
        time.sleep(max(0, (frame - Wire.frame()) / RATE))

    # MARK: Processor time

    def costs(self):
        """Seconds of processor time of a second of call of each kind, for each round.

        All calls of a round run at the same time: one after the other, the same program takes between 19 and 34 ms. A
        call differs from another of the same program by up to a quarter for its whole life. So a round has several of
        each kind, between phones that were just started."""
        with ExitStack() as stack:
            places = [stack.enter_context(Hosts(name=str(number))) for number in range(BESIDE * len(KINDS))]
            found = {kind: [] for kind in KINDS}
            for number in range(self.rounds):
                # The kinds alternate, and another one is the first in the next round.
                order = KINDS[::-1 if number % 2 else 1]
                for kind, cost in self.cost(order * BESIDE, places).items():
                    found[kind].append(cost)
            return found

    def cost(self, kinds, places):
        pairs = [[self.make(kind, index, hosts) for index in (0, 1)] for kind, hosts in zip(kinds, places)]
        try:
            for near, far in pairs:
                far.start(), near.start()
            for pair in pairs:
                self.connect(*pair)
            time.sleep(2)
            start, length = self.speak(pairs)
            self.sleep_until(start)
            began, before = time.monotonic(), self.processor_times(pairs)
            self.sleep_until(start + length)
            passed, after = time.monotonic() - began, self.processor_times(pairs)
            spent = {kind: 0.0 for kind in KINDS}
            for kind, sooner, later in zip(kinds, before, after):
                spent[kind] += (later - sooner) / passed / 2 / BESIDE
            return spent
        finally:
            for near, far in pairs:
                near.stop(), far.stop()

    # MARK: The table

    def run(self):
        theft = Theft()
        starts, defaults, fast, costs = self.starts(), self.calls(DEFAULTS), self.calls(LOW_DELAY), self.costs()
        rows = [
            *self.start_rows(starts), *self.memory_rows("at rest", starts, REST_LIMIT),
            *self.memory_rows("in a call", defaults), self.processor_row(costs),
            row("mouth to ear, both at their defaults", "ms", *each(defaults, "delay")),
            row("mouth to ear, set for low delay", "ms", *each(fast, "delay")),
            row("similarity (segmental SNR)", "dB", *each(defaults, "ratio")),
            row("hook lifted, or told to accept, to 200 OK on the wire", "ms", *each(defaults, "answer")),
            self.size_row()]
        heard = [f"{kind.name}{name} {figures['heard']}/{figures['said']}"
                 for name, calls in (("", defaults), ("-10", fast)) for kind, figures in calls.items()]
        print("\n".join([
            line("figure", "goal", "offhook", "baresip", "ratio", "holds"), "|---" * 6 + "|", *rows, "",
            f"{self.machine(theft)}; {self.starting} starts of each sort; utterances understood: {', '.join(heard)}; "
            f"offhook binary {os.path.getsize(self.options.phone) / 1e6:.1f} MB unstripped."]))

    def start_rows(self, starts):
        def start(name, sort, goal="–", limit=None):
            took = each(starts, sort)
            cells = [f"{median(times) * 1e3:.1f} ms ({min(times) * 1e3:.1f})" for times in took]
            ratio = f"{median(took[0]) / median(took[1]):.2f}"
            return line(name, goal, *cells, ratio, holds(limit and median(took[0]) <= limit))

        return [
            start("first start to ready, median (least)", "first"),
            start("later start to ready, median (least)", "later", f"≤ {START_LIMIT * 1e3:.0f} ms", START_LIMIT)]

    def memory_rows(self, when, figures, limit=None):
        memory = each(figures, "memory")
        resident, anonymous = ([side[sort] for side in memory] for sort in ("Rss", "Anonymous"))
        return [
            row(f"resident memory {when}", "MB", *(size / 1024 for size in resident)),
            row(f"anonymous memory {when}", "kB", *anonymous, goal=f"≤ {limit:,} kB" if limit else "–", digits=0,
                kept=limit and anonymous[0] <= limit)]

    def processor_row(self, costs):
        ours, theirs = (costs[kind] for kind in KINDS)
        ratios = [left / right for left, right in zip(ours, theirs)]
        return line(
            "processor time per second of call, median; ratio by round", f"≤ {CALL_LIMIT:.2f} × in each",
            f"{median(ours) * 1e3:.1f} ms", f"{median(theirs) * 1e3:.1f} ms",
            ", ".join(f"{ratio:.3f}" for ratio in ratios), holds(max(ratios) <= CALL_LIMIT))

    def size_row(self):
        found = self.stripped_size()
        return line("binary, static, stripped", f"≤ {BINARY_LIMIT:.0f} MB", f"{found:.1f} MB", "–", "–",
                    holds(found <= BINARY_LIMIT))


def each(figures, key):
    """A figure of both kinds."""
    return [figures[kind][key] for kind in KINDS]


def row(name, unit, ours, theirs, goal="–", digits=1, kept=None):
    ratio = ours / theirs if theirs else float("nan")
    return line(name, goal, f"{ours:,.{digits}f} {unit}", f"{theirs:,.{digits}f} {unit}", f"{ratio:.2f}", holds(kept))


def holds(kept):
    """Whether a goal is kept; None without a goal."""
    return "–" if kept is None else "yes" if kept else "**no**"


def line(*cells):
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    Comparison.live()

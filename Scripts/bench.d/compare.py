"""Runs every measurement and prints the table."""
import os, platform, subprocess, time
from phones import Baresip, Offhook
from rig import RATE, Sniffer, Wire, compare, median
from workbench import Workbench


class Comparison(Workbench):
    def __init__(self, *bench):
        super().__init__(*bench)
        self.words = self.dialogue()

    def starts(self, kind):
        """Median seconds from exec to ready, and memory after three seconds of rest."""
        took, memory = [], None
        for run in range(3 if self.options.short else 11):
            phone = self.make(kind, 0)
            took.append(phone.start())
            if run == 0:
                time.sleep(3)
                memory = phone.process.memory()
            phone.stop()
        return median(took), memory

    def call(self, kind, **more):
        """One call between two programs of a kind: answer time, delays, similarity, memory, processor time."""
        near, far = self.make(kind, 0, **more), self.make(kind, 1, **more)
        far.start(), near.start()
        try:
            sniffer = Sniffer(self.hosts, 1)
            answers = []
            for _ in range(2 if self.options.short else 7):
                near.dial()
                far.wait_ringing()
                time.sleep(0.3)
                sniffer.forget()
                lifted = far.answer()
                answers.append((sniffer.wait_for(b"SIP/2.0 200 ", b" INVITE\r\n") - lifted) / 1e6)
                near.wait_talking(), far.wait_talking()
                time.sleep(0.3)
                if len(answers) < (2 if self.options.short else 7):
                    near.hang_up()
                    time.sleep(0.5)
                    far.rest()
                    time.sleep(0.2)
            sniffer.close()
            return {"answer": median(answers), **self.talk(near, far)}
        finally:
            near.stop(), far.stop()

    def talk(self, near, far):
        rounds = 1 if self.options.short else 3
        time.sleep(2)
        delays, ratios, seconds = [], [], 0
        spent, began = [near.process.cpu(), far.process.cpu()], time.monotonic()
        for _ in range(rounds):
            start = Wire.frame() + RATE // 2
            for phone, words in ((near, self.words[0]), (far, self.words[1])):
                phone.mouth.say(words, start)
            longest = max(map(len, self.words)) + RATE
            time.sleep((start + longest + RATE // 4 - Wire.frame()) / RATE)
            for listener, words in ((far, self.words[0]), (near, self.words[1])):
                figures = compare(self.options.bench, self.folder, words, listener.ear.heard(start, longest))
                if figures:
                    delays.append(figures["delayMs"])
                    ratios.append(figures["segmentalSNR"])
        seconds = time.monotonic() - began
        cpu = [(phone.process.cpu() - before) / seconds for phone, before in zip((near, far), spent)]
        return {
            "delay": median(delays), "ratio": median(ratios), "cpu": median(cpu), "memory": near.process.memory(),
            "heard": len(delays), "said": 2 * rounds}

    def run(self):
        ours, theirs = self.starts(Offhook), self.starts(Baresip)
        calls = {
            "offhook": self.call(Offhook), "baresip": self.call(Baresip),
            "offhook-10": self.call(Offhook, packet=10, period=5),
            "baresip-10": self.call(
                Baresip, packet=10, options=("jitter_buffer_type off", "audio_buffer 10-40"))}
        print(self.table(ours, theirs, calls))

    def table(self, ours, theirs, calls):
        def row(name, left, right, unit, digits=1):
            ratio = left / right if right else float("nan")
            return f"| {name} | {left:.{digits}f} {unit} | {right:.{digits}f} {unit} | {ratio:.2f} |"

        def megabytes(figures, key):
            return figures[key] / 1024

        a, b = calls["offhook"], calls["baresip"]
        c, d = calls["offhook-10"], calls["baresip-10"]
        size = os.path.getsize(self.options.phone)
        rows = [
            row("start to ready", ours[0] * 1e3, theirs[0] * 1e3, "ms"),
            row("resident memory at rest", megabytes(ours[1], "Rss"), megabytes(theirs[1], "Rss"), "MB"),
            row("anonymous memory at rest", megabytes(ours[1], "Anonymous"), megabytes(theirs[1], "Anonymous"), "MB"),
            row("resident memory in a call", megabytes(a["memory"], "Rss"), megabytes(b["memory"], "Rss"), "MB"),
            row("anonymous memory in a call", megabytes(a["memory"], "Anonymous"),
                megabytes(b["memory"], "Anonymous"), "MB"),
            row("processor time per second of call", a["cpu"] * 1e3, b["cpu"] * 1e3, "ms"),
            row("mouth to ear, both at their defaults", a["delay"], b["delay"], "ms"),
            row("mouth to ear, set for low delay", c["delay"], d["delay"], "ms"),
            row("similarity (segmental SNR)", a["ratio"], b["ratio"], "dB"),
            row("hook lifted, or told to accept, to 200 OK on the wire", a["answer"], b["answer"], "ms"),
        ]
        head = ["| figure | offhook | baresip | ratio |", "|---|---|---|---|"]
        heard = ", ".join(f"{name} {call['heard']}/{call['said']}" for name, call in calls.items())
        notes = [
            "", f"{platform.machine()}, {os.cpu_count()} cores, {platform.release()}; "
            f"baresip {subprocess.run(['dpkg-query', '-W', '-f=${Version}', 'baresip-core'], capture_output=True, text=True).stdout}; "
            f"utterances understood: {heard}; offhook binary {size / 1e6:.1f} MB unstripped."]
        return "\n".join(head + rows + notes)


if __name__ == "__main__":
    Comparison.live()

"""A sequence of events on two boards. Each step reports what it saw; the run ends at the first step that fails."""
import json
import re
import time

import sound

SPEECH = "/root/speech.wav"
#: The PESQ score below which speech counts as spoilt. The emulated machine computes voice some fifteen times as slowly as
#: a real one, and two of them share this machine's processors, so late sound is normal: scores of 2 to 3 were seen. Silence
#: or another sound scores 1.0 to 1.1.
UNDERSTOOD = 1.5


class Scenario:
    def __init__(self, one, other, folder):
        self.one, self.other, self.folder = one, other, folder
        self.figures = {}

    def steps(self):
        return [
            self.add_the_board, self.set_up, self.restart_and_boot, self.rest, self.dial_tone_and_dial, self.matrix_keys,
            self.call, self.digits_in_the_call, self.hold, self.sleep_in_the_call, self.card_unplugged_in_the_call,
            self.hang_up, self.tamper, self.chip_unbound, self.power_cut_in_mid_write, self.other_board_calls_back, self.restart,
            self.reached_and_nothing_else, self.only_its_devices,
        ]

    # Set up and start.

    def add_the_board(self):
        """As docs/user/hardware.md describes: list the lines, check that the file fits, and watch its contacts."""
        file = "/usr/share/offhook/board/virtual-board.yaml"
        listed = self.one.sh("offhook board list")
        assert '"virtual-board"' in listed and '"HOOK", input' in listed, listed
        checked = self.one.sh(f"offhook board check {file}")
        watch = self.one.begin(sh=f"timeout -s INT 10 offhook board watch {file} >/run/watch; true")
        self.one.sh("until grep -q 'at the start' /run/watch; do sleep 0.1; done")
        self.one.press("HOOK", 300)
        self.one.finish(watch)
        told = self.one.sh("cat /run/watch")
        moved = re.search(r"hook: off, \d+ changes? of level", told)
        assert moved and "hook: on" in told.split(moved.group())[1], told
        return f"{checked}; {moved.group()}"

    def set_up(self):
        """`offhook setup` finds chip and card, as on any machine, and makes vault and files."""
        for board, far in self.pairs:
            devices = [f"plughw:CARD=Loopback,DEV=0,SUBDEV={number}" for number in (1, 0)]
            answers = ["board: virtual-board", f'sound: {{country: DE, handset: "{" | ".join(devices)}", try: false}}', "vault: {key: file}"]
            lines = "\n".join([*answers, ""])
            board.sh(f"cat >/root/answers <<'END'\n{lines}END\noffhook setup --answers /root/answers --yes")
            board.sh(f"""cat >>/etc/offhook/offhook.yaml <<'END'
sip: {{address: {board.address}, peers: [{far.address}]}}
media: {{complexity: 0}}
calls:
  speed_dials: {{1: "sip:phone@{far.address}"}}
END
systemctl enable --now offhook""")
            board.phone("vault check")
            board.wait_for("at rest", lambda phone: phone["hook"] == "onHook")
            self.watch(board)
            panel = board.ask("getPanel")
            assert panel["name"] == "Virtual board" and not panel["simulated"], panel
        return "both boards: files, vault and service, the panel on the kernel's chip " + self.one.sh("gpiodetect | grep virtual")

    def watch(self, board):
        """Writes the phone's events into a file from now on."""
        board.begin(sh="offhook ctl events --json >/run/events 2>&1")

    def restart_and_boot(self):
        """The machine starts the phone at power-on."""
        self.one.sh("sync")
        self.one.pull_the_power()
        self.one.power_on()
        self.wait_for_the_phone()
        began, started, ready = [
            int(self.one.sh(f"systemctl show offhook -p {when}TimestampMonotonic --value"))
            for when in ("InactiveExit", "ExecMainStart", "ActiveEnter")]
        self.watch(self.one)
        own = self.one.ask("getBootTimeline")["readyMs"]
        parts = f"{own:.0f} ms are the phone's own, after {(started - began) / 1e6:.1f} s until it has its devices"
        self.figures["kernel's start to READY"] = f"{ready / 1e6:.1f} s; {parts}"
        return f"READY {ready / 1e6:.1f} s after the kernel's start; {parts}"

    def wait_for_the_phone(self):
        self.one.wait_until_up()
        self.one.sh("until systemctl is-active -q offhook; do sleep 0.2; done")

    def rest(self):
        """Nothing wakes an idle phone."""
        count = "cat /proc/$(systemctl show offhook -p MainPID --value)/task/*/status | awk '/ctxt_switches/ { sum += $2 } END { print sum }'"
        time.sleep(10)
        before = int(self.one.sh(count))
        time.sleep(60)
        wakes = int(self.one.sh(count)) - before
        memory = self.one.sh("awk '/^(VmRSS|RssAnon):/ { print $1, $2, $3 }' /proc/$(systemctl show offhook -p MainPID --value)/status")
        self.figures["wake-ups in a minute at rest, all threads"] = str(wakes)
        self.figures["memory at rest"] = " ".join(memory.split())
        assert wakes < 120, wakes
        return f"{wakes} wake-ups in a minute; {' '.join(memory.split())}"

    # A panel of contacts.

    def dial_tone_and_dial(self):
        """A bouncing cradle gives one dial tone, and a rotary dial its digits."""
        self.one.contact("HOOK", True)
        self.one.wait_for("dial tone", lambda phone: phone["tone"] == "dial")
        self.one.turn_dial(7)
        self.one.wait_for("digit 7", lambda phone: phone["digits"] == "7")
        self.one.turn_dial(10)
        self.one.wait_for("digits 70", lambda phone: phone["digits"] == "70")
        self.put_down()
        return "dial tone, digits 7 and 0 at ten pulses a second, and at rest again"

    def matrix_keys(self):
        self.one.contact("HOOK", True)
        self.one.wait_for("dial tone", lambda phone: phone["tone"] == "dial")
        for key in "159":
            self.one.press_key(key)
        seen = self.one.wait_for("digits", lambda phone: len(phone["digits"]) >= 3)["digits"]
        assert seen == "159", seen
        self.put_down()
        return "keys 1, 5 and 9 of three rows and three columns"

    def put_down(self):
        self.one.contact("HOOK", False)
        self.one.wait_for("at rest", lambda phone: phone["hook"] == "onHook" and not phone["calls"] and phone["tone"] is None)

    # A call.

    def call(self):
        """One button, the bell, the other cradle, and speech both ways, with a score."""
        self.one.contact("HOOK", True)
        self.one.wait_for("dial tone", lambda phone: phone["tone"] == "dial")
        self.one.press("SPEED1")
        self.other.wait_for("ringing", lambda phone: phone["ringing"])
        assert self.other.lit("LAMP-RINGING") or self.other.lit("RINGER"), "neither bell nor lamp"
        assert self.one.lit("LAMP-LINE"), "the line's lamp is dark"
        lifted = self.other.contact("HOOK", True)
        for board in (self.one, self.other):
            board.wait_for("a call", self.connected)
        answered = self.signal_after(self.other, lifted, "sent", "SIP/2.0 200")
        self.figures["hook to 200 OK"] = f"{(answered - lifted) / 1e6:.1f} ms, 30 ms of which are the debounce"
        scores = [self.speech(*pair) for pair in self.pairs]
        self.figures["speech, PESQ both ways"] = ", ".join(f"{score:.2f}" for score in scores)
        assert min(scores) > UNDERSTOOD, scores
        return f"hook to 200 OK: {self.figures['hook to 200 OK']}; PESQ {self.figures['speech, PESQ both ways']}"

    def connected(self, phone):
        return len(phone["calls"]) == 1 and phone["calls"][0]["phase"] == "active"

    def speech(self, near, far):
        recording = sound.listen(far, 9, "/root/heard.wav")
        time.sleep(1)
        near.finish(sound.speak(near, SPEECH))
        far.finish(recording)
        path = f"{self.folder}/heard-by-{far.name}.wav"
        far.fetch("/root/heard.wav", path)
        score, _ = sound.score(f"{self.folder}/speech.wav", path)
        return score

    def signal_after(self, board, instant, direction, start):
        """When a message was sent or arrived, in nanoseconds of the board's clock."""
        for signal in board.ask("getSignals", "after=0")["signals"]:
            if signal["at"] >= instant and signal["direction"] == direction and signal["message"].startswith(start):
                return signal["at"]
        raise AssertionError(f"{board.name}: no {start}")

    def digits_in_the_call(self):
        self.one.press_key("8")
        self.one.press_key("2")
        end = time.monotonic() + 10
        while "82" not in (seen := self.events(self.other, "dtmfReceived", "digit")):
            assert time.monotonic() < end, seen
            time.sleep(0.2)
        return f"the other board received {seen}"

    def events(self, board, name, member):
        lines = board.sh("cat /run/events").splitlines()
        told = [json.loads(line) for line in lines if line.startswith("{")]
        return "".join(str(event.get(member, "")) for event in told if event.get("name") == name)

    def hold(self):
        self.one.press("HOLD")
        self.other.wait_for("held", lambda phone: phone["calls"][0]["heldThere"])
        self.one.press("HOLD")
        self.other.wait_for("no longer held", lambda phone: not phone["calls"][0]["heldThere"])
        score = self.speech(self.other, self.one)
        assert score > UNDERSTOOD, score
        return f"held and resumed; PESQ {score:.2f} afterwards"

    def sleep_in_the_call(self):
        """The machine sleeps for six seconds (suspend to idle), and its clock wakes it. Programs and devices do not run
        in that time. The monotonic clock continues, because QEMU's processor has no idle state in which it could stop."""
        took = float(self.one.sh(
            "began=$(date +%s.%N); echo +6 >/sys/class/rtc/rtc0/wakealarm && echo freeze >/sys/power/state && "
            "python3 -c \"import time; print(time.time() - $began)\""))
        times = self.one.sh("cat /sys/power/suspend_stats/success")
        assert times == "1" and took > 4, (times, took)
        for board in (self.one, self.other):
            board.wait_for("a call", self.connected)
        scores = [self.speech(*pair) for pair in self.pairs]
        assert min(scores) > UNDERSTOOD, scores
        return f"slept {took:.1f} s; the call survived, PESQ {', '.join(f'{score:.2f}' for score in scores)} right after"

    def card_unplugged_in_the_call(self):
        driver = "/sys/bus/platform/drivers/snd_aloop"
        self.one.sh(f"echo snd_aloop.0 >{driver}/unbind")
        self.one.wait_for("without its card", lambda phone: phone["lostDevices"] == ["handset"] and self.connected(phone))
        self.one.sh(f"echo snd_aloop.0 >{driver}/bind")
        self.one.wait_for("with its card", lambda phone: not phone["lostDevices"] and self.connected(phone))
        score = self.speech(self.other, self.one)
        assert score > UNDERSTOOD, score
        return f"the call survived without the card and had voice again with it; PESQ {score:.2f}"

    def hang_up(self):
        self.other.contact("HOOK", False)
        self.one.wait_for("no call", lambda phone: not phone["calls"])
        self.put_down()
        assert not self.one.lit("LAMP-LINE") and not self.other.lit("RINGER")
        return "both at rest"

    # Faults.

    def tamper(self):
        self.one.press("TAMPER")
        end = time.monotonic() + 10
        while "tamper" not in self.events(self.one, "panelChanged", "input"):
            assert time.monotonic() < end
            time.sleep(0.2)
        return "the contact was reported"

    def chip_unbound(self):
        """The chip disappears while the phone uses it, and comes back."""
        device = self.one.sh("cat /sys/kernel/config/gpio-sim/board/dev_name")
        self.one.sh(f"echo {device} >/sys/bus/platform/drivers/gpio-sim/unbind")
        self.one.sh("until journalctl -u offhook -b | grep -q 'chip is gone'; do sleep 0.2; done", limit=20)
        self.one.sh(f"echo {device} >/sys/bus/platform/drivers/gpio-sim/bind; /usr/lib/board/gpio")
        self.one.sh("until offhook board list | grep -q '\"HOOK\".*in use'; do sleep 0.1; done", limit=20)
        self.dial_tone_and_dial()
        return "logged, and the cradle and the dial work again"

    def power_cut_in_mid_write(self):
        """The plug is pulled while the vault writes; no acknowledged change is lost."""
        self.one.begin(sh="""i=0
while :; do
    i=$((i + 1))
    offhook ctl contacts add $((1000 + i)) "Contact $i" >/dev/null && echo $i >/root/written && sync /root/written
done""")
        time.sleep(12)
        kept = int(self.one.sh("cat /root/written"))
        self.one.pull_the_power()
        self.one.power_on()
        self.wait_for_the_phone()
        self.one.wait_for("at rest", lambda phone: phone["hook"] == "onHook")
        check = self.one.phone("vault check")
        numbers = len(re.findall(r"^\S*1\d\d\d", self.one.phone("ctl contacts list"), re.M))
        written = int(self.one.sh("cat /root/written"))
        assert numbers >= max(kept, written), (numbers, kept, written)
        return f"{numbers} of {max(kept, written)} confirmed contacts; the vault: {check.splitlines()[0].strip()}"

    def other_board_calls_back(self):
        self.other.contact("HOOK", True)
        self.other.wait_for("dial tone", lambda phone: phone["tone"] == "dial")
        self.other.press("SPEED1")
        self.one.wait_for("ringing", lambda phone: phone["ringing"])
        self.one.contact("HOOK", True)
        self.one.wait_for("a call", self.connected)
        score = self.speech(self.one, self.other)
        self.one.contact("HOOK", False)
        self.other.wait_for("no call", lambda phone: not phone["calls"])
        self.other.contact("HOOK", False)
        assert score > UNDERSTOOD, score
        return f"PESQ {score:.2f}"

    def restart(self):
        began = time.monotonic()
        self.one.sh("systemctl restart offhook")
        self.one.wait_for("at rest", lambda phone: phone["hook"] == "onHook")
        return f"restarted and answering after {time.monotonic() - began:.1f} s"

    def reached_and_nothing_else(self):
        """The devices that the service's user can reach: its sound card and its chips."""
        exposure = self.one.sh("systemd-analyze security offhook.service --no-pager | tail -1")
        number = float(re.search(r"service: ([\d.]+)", exposure).group(1))
        assert number <= 1.5, exposure
        main = self.one.sh("systemctl show offhook -p MainPID --value")
        opened = self.one.sh(f"readlink /proc/{main}/fd/* | grep -e ^/dev/ -e gpio | sort -u").split()
        assert set(opened) == {"/dev/null", "anon_inode:gpio-line"}, opened
        self.figures["exposure (systemd-analyze security)"] = f"{number}"
        return f"exposure {number}; open at rest: {', '.join(opened)}"

    def only_its_devices(self):
        """There is a second chip, which the configuration does not name."""
        self.one.sh("""
            bank=/sys/kernel/config/gpio-sim/another/bank
            mkdir -p $bank && echo 4 >$bank/num_lines && echo 1 >${bank%/bank}/live
            udevadm settle && systemctl restart offhook""")
        self.one.wait_for("at rest", lambda phone: phone["hook"] == "onHook")
        self.one.contact("HOOK", True)
        self.one.wait_for("dial tone", lambda phone: phone["tone"] == "dial")
        main = self.one.sh("systemctl show offhook -p MainPID --value")
        user, joined = self.one.sh(f"id -nG offhook; grep ^Groups /proc/{main}/status").split("\n")
        sounds = self.one.sh(f"readlink /proc/{main}/fd/* | grep /dev/snd/pcm | sort -u").split()
        self.one.contact("HOOK", False)
        assert user == "offhook" and len(joined.split()) <= 2 and len(sounds) == 2, (user, joined, sounds)
        reached = "for device in /dev/snd/* /dev/gpiochip*; do [ -c $device ] && [ -r $device -a -w $device ] && echo $device; done; true"
        mine = set(self.one.sh(f"setpriv --reuid offhook --regid offhook --init-groups sh -c '{reached}'").split())
        every = set(self.one.sh(reached).split())
        chips = [one for one in mine if "gpiochip" in one]
        assert set(sounds) < mine and len(chips) == 1 and "/dev/snd/timer" in every - mine, (mine, every)
        return f"reached: {len(mine)} of {len(every)}; not: {', '.join(sorted(every - mine))}"

    @property
    def pairs(self):
        return [(self.one, self.other), (self.other, self.one)]

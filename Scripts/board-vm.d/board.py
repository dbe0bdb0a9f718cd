"""A virtual board: an emulated machine, and ways to operate it from outside."""
import base64
import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time


class BoardError(Exception):
    pass


class Board:
    """One machine with its own disk. This class moves its contacts, sounds and cables."""

    #: Two processors that compute as fast as this machine can emulate them.
    PROCESSORS = ["-cpu", "cortex-a57", "-accel", "tcg,thread=multi", "-smp", "2"]

    def __init__(self, number, kernel, image, folder, cable, processors=PROCESSORS):
        self.processors = processors
        self.number, self.kernel, self.folder = number, kernel, folder
        self.name, self.address = f"board{number}", f"10.9.0.{number}"
        #: The 127.0.0.1 ports of this end of the cable and the other one.
        self.cable = cable
        self.disk = f"{folder}/{self.name}.img"
        subprocess.run(["cp", "--sparse=always", "--reflink=auto", image, self.disk], check=True)
        self.machine = None

    # Power.

    def power_on(self):
        port = f"{self.folder}/{self.name}.port"
        if os.path.exists(port):
            os.unlink(port)
        near, far = self.cable
        cable = f"dgram,id=n0,local.type=inet,local.host=127.0.0.1,local.port={near},remote.type=inet,remote.host=127.0.0.1,remote.port={far}"
        self.console = open(f"{self.folder}/{self.name}.console", "ab")
        self.machine = subprocess.Popen(
            ["qemu-system-aarch64", "-M", "virt,gic-version=3", *self.processors, "-m", "768",
             "-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot", "-kernel", self.kernel,
             "-append", f"console=ttyAMA0 root=/dev/vda rw rootfstype=ext4 quiet loglevel=4 panic=-1 systemd.show_status=0 net.ifnames=0 board={self.number}",
             "-drive", f"file={self.disk},if=none,id=d0,format=raw,cache=writeback", "-device", "virtio-blk-pci,drive=d0",
             "-netdev", cable, "-device", f"virtio-net-pci,netdev=n0,romfile=,mac=52:54:00:00:00:0{self.number}",
             "-device", "virtio-rng-pci", "-device", "virtio-serial-pci", "-chardev", f"socket,id=p0,path={port},server=on,wait=off",
             "-device", "virtserialport,chardev=p0,name=board"],
            stdin=subprocess.DEVNULL, stdout=self.console, stderr=subprocess.STDOUT)
        self._connect(port)

    def _connect(self, port):
        end = time.monotonic() + 20
        while True:
            try:
                self.link = socket.socket(socket.AF_UNIX)
                self.link.connect(port)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        self.answers, self.asked = {}, 0
        self.answers[0] = queue.Queue()
        threading.Thread(target=self._read, args=[self.link.makefile("rb")], daemon=True).start()

    def wait_until_up(self, limit=180):
        self._answer(0, limit)

    def pull_the_power(self):
        """Without warning to the machine, as when the plug is pulled."""
        self.machine.kill()
        self.machine.wait()
        self.link.close()
        self.console.close()

    def power_off(self):
        if self.machine and self.machine.poll() is None:
            self.machine.send_signal(signal.SIGTERM)
            self.machine.wait()

    # Requests.

    def _read(self, lines):
        for line in lines:
            answer = json.loads(line)
            self.answers.setdefault(answer["id"], queue.Queue()).put(answer)

    def _answer(self, number, limit):
        try:
            return self.answers[number].get(timeout=limit)
        except queue.Empty:
            raise BoardError(f"{self.name}: no answer within {limit} s") from None

    def begin(self, **request):
        """Sends a request without waiting for the answer."""
        self.asked += 1
        self.answers[self.asked] = queue.Queue()
        self.link.sendall(json.dumps({"id": self.asked, **request}).encode() + b"\n")
        return self.asked

    def finish(self, number, limit=60):
        answer = self._answer(number, limit)
        if answer.get("status"):
            raise BoardError(f"{self.name}: ended with {answer['status']}: {answer['out'][-2_000:]}")
        return answer

    def sh(self, command, limit=60):
        return self.finish(self.begin(sh=command), limit)["out"].strip()

    def phone(self, words, limit=60):
        """Runs a command of the program as the service's user."""
        return self.sh(f"setpriv --reuid=offhook --regid=offhook --init-groups offhook {words}", limit)

    def ask(self, method, *members):
        text = self.phone(" ".join(["ctl call", method, *members]))
        return json.loads(text) if text else {}

    def wait_for(self, what, is_there, limit=30):
        """Asks for the snapshot until it matches."""
        end, last = time.monotonic() + limit, None
        while time.monotonic() < end:
            last = self.ask("getSnapshot")
            if is_there(last):
                return last
            time.sleep(0.1)
        raise BoardError(f"{self.name}: not {what} within {limit} s: {json.dumps(last)[:1_500]}")

    def store(self, path, there, limit=60):
        """Stores a file on the board."""
        with open(path, "rb") as file:
            self.finish(self.begin(store=there, base64=base64.b64encode(file.read()).decode()), limit)

    def fetch(self, there, path, limit=60):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.sh(f"base64 -w 0 {there}", limit)))

    # Contacts and lamps, by the names of board/virtual-board.yaml.

    def move(self, *steps, limit=60):
        """Closes and opens contacts: (line, is closed, milliseconds until the next). Returns the instant of each move."""
        writes = [[f"/run/lines/{line}/pull", "pull-down" if closed else "pull-up", ms] for line, closed, ms in steps]
        return self.finish(self.begin(writes=writes), limit)["at"]

    def contact(self, line, closed):
        """A bouncing contact: five touches within 4 ms. Returns the instant of the last one."""
        bounce = [(line, closed, 1), (line, not closed, 1)] * 2
        return self.move(*bounce, (line, closed, 0))[-1]

    def press(self, line, milliseconds=120):
        self.contact(line, True)
        time.sleep(milliseconds / 1_000)
        self.contact(line, False)

    def press_key(self, key, milliseconds=150):
        row, column = divmod("123456789*0#".index(key), 3)
        # It gets priority: a key that lags behind the rows would be a key in each of them.
        self.sh(f"chrt -f 80 /usr/lib/board/matrix /run/lines/ROW{row + 1} /run/lines/COLUMN{column + 1} {milliseconds}")

    def turn_dial(self, pulses):
        """Ten pulses a second, open for 60 ms of 100."""
        steps = [("DIAL-OFF-NORMAL", True, 80)]
        for _ in range(pulses):
            steps += [("DIAL-PULSE", False, 60), ("DIAL-PULSE", True, 40)]
        self.move(*steps, ("DIAL-OFF-NORMAL", False, 0))

    def lit(self, line):
        return self.sh(f"cat /run/lines/{line}/value") == "1"

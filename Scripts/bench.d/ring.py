"""How long a call takes to ring: announced by the server's INVITE, and by caller info over MQTT, in one run.

Both times end with the same event, the ringer's output of the simulated panel. Calls of the two kinds alternate, so
that a change of the machine's load meets both.
"""
import argparse, json, os, signal, socket, statistics, struct, subprocess, sys, tempfile, time

GOAL = 1.5
TOPIC = "offhook/desk/caller-info"


def milliseconds(since):
    return (time.clock_gettime_ns(time.CLOCK_MONOTONIC) - since) / 1e6


class Broker:
    """mosquitto: TLS for the phone, and a Unix socket for this bench, which publishes without another process."""

    def __init__(self, folder, port):
        self.path, self.packet = folder + "/backend", 0
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem",
             "-out", folder + "/cert.pem", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        with open(folder + "/broker.conf", "w") as file:
            file.write(f"listener {port} 127.0.0.1\ncertfile {folder}/cert.pem\nkeyfile {folder}/key.pem\n"
                       f"listener 0 {self.path}\nallow_anonymous true\nuser root\n")
        self.process = subprocess.Popen(
            ["/usr/sbin/mosquitto", "-c", folder + "/broker.conf"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 5
        while not os.path.exists(self.path) and time.monotonic() < end:
            time.sleep(0.01)
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.connect(self.path)
        # CONNECT of MQTT 3.1.1: a clean session without keep-alive (§3.1).
        self.send(0x10, b"\x00\x04MQTT\x04\x02\x00\x00" + self.text("bench"))
        if self.wire.recv(4) != b"\x20\x02\x00\x00":
            raise OSError("the broker refused the bench")

    @staticmethod
    def text(text):
        return struct.pack(">H", len(text)) + text.encode()

    def send(self, kind, body):
        length, rest = b"", len(body)
        while True:
            rest, digit = rest >> 7, rest & 127
            length += bytes([digit | (128 if rest else 0)])
            if not rest:
                break
        self.wire.sendall(bytes([kind]) + length + body)

    def publish(self, **message):
        """Publishes with QoS 1 (§3.3). The acknowledgement is read with the next one."""
        self.packet = self.packet % 65_000 + 1
        self.send(0x32, self.text(TOPIC) + struct.pack(">H", self.packet) + json.dumps(message).encode())

    def drain(self):
        self.wire.setblocking(False)
        try:
            while self.wire.recv(4096):
                pass
        except BlockingIOError:
            pass
        self.wire.setblocking(True)


class Server:
    """The account's server, as far as a call that is cancelled needs it."""

    def __init__(self, phone):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(5)
        self.port, self.phone, self.calls = self.socket.getsockname()[1], phone, 0

    def request(self, method, number, to="", sequence="INVITE", body=""):
        call = f"bench-{self.calls}"
        lines = [
            f"{method} sip:102@127.0.0.1:{self.phone} SIP/2.0",
            f"Via: SIP/2.0/UDP 127.0.0.1:{self.port};branch=z9hG4bK-{call}",
            f"From: <sip:{number}@127.0.0.1>;tag={call}", f"To: <sip:102@127.0.0.1>{to}", f"Call-ID: {call}",
            f"CSeq: 1 {method}", "Max-Forwards: 70", f"Contact: <sip:bench@127.0.0.1:{self.port}>"]
        if body:
            lines.append("Content-Type: application/sdp")
        return "\r\n".join(lines + [f"Content-Length: {len(body)}", "", body]).encode()

    def invite(self, number):
        self.calls += 1
        sdp = ("v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
               "m=audio 40000 RTP/AVP 0\r\n")
        self.socket.sendto(self.request("INVITE", number, body=sdp), ("127.0.0.1", self.phone))

    def cancel(self, number):
        """Cancels, and acknowledges the 487 that follows (RFC 3261 §9.1, §17.1.1.3)."""
        self.socket.sendto(self.request("CANCEL", number), ("127.0.0.1", self.phone))
        while True:
            head = self.socket.recv(65_535).decode().split("\r\n")
            if head[0].startswith("SIP/2.0 487"):
                tag = next(line for line in head if line.lower().startswith("to:")).split(">", 1)[1]
                return self.socket.sendto(self.request("ACK", number, to=tag), ("127.0.0.1", self.phone))


class Phone:
    """The program, watched at its control socket."""

    def __init__(self, program, folder, port, broker):
        self.folder, config = folder, folder + "/offhook.yaml"
        with open(config, "w") as file:
            file.write(
                f"board: {os.path.abspath('board/simulator.yaml')}\nvault: {{ file: vault, key: vault.key }}\n"
                f"control: {{ socket: control.sock }}\nsip: {{ port: {port}, address: 127.0.0.1 }}\n"
                "sound: { handset: { capture: \"null\", playback: \"null\" } }\n"
                f"caller_info: {{ server: localhost, port: {broker}, device: desk, authorities: cert.pem }}\n")
        self.program, self.config = program, config
        subprocess.run([program, "vault", "init", "--config", config], check=True, capture_output=True)

    def add(self, server):
        subprocess.run(
            [self.program, "account", "add", "desk", "--user", "102", "--server", f"127.0.0.1:{server}",
             "--no-register", "--no-password", "--protection", "off", "--config", self.config],
            check=True, capture_output=True)

    def start(self):
        with open(self.folder + "/phone.log", "w") as log:
            self.process = subprocess.Popen([self.program, "run", "--config", self.config], stdout=log, stderr=log)
        end = time.monotonic() + 10
        while True:
            try:
                self.control = socket.socket(socket.AF_UNIX)
                self.control.connect(self.folder + "/control.sock")
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        self.lines = self.control.makefile("r", encoding="utf-8")
        self.control.sendall(b'{"jsonrpc":"2.0","id":1,"method":"subscribe"}\n')
        self.control.settimeout(10)

    def is_subscribed(self):
        """Whether the phone receives caller info."""
        self.control.sendall(b'{"jsonrpc":"2.0","id":2,"method":"getMetrics"}\n')
        for line in self.lines:
            message = json.loads(line)
            if message.get("id") == 2:
                return "\noffhook_caller_info_connected 1" in message["result"]["text"]
        raise OSError("the phone has gone; see its log")

    def event(self, name, **members):
        for line in self.lines:
            event = json.loads(line).get("params", {})
            if event.get("name") == name and all(event.get(key) == value for key, value in members.items()):
                return
        raise OSError("the phone has gone; see its log")

    def rings(self, since):
        self.event("line", line="ringer", level=True)
        return milliseconds(since)


def measure(options, folder):
    broker = phone = None
    try:
        broker = Broker(folder, 18_883)
        server = Server(15_060)
        phone = Phone(options.phone, folder, 15_060, 18_883)
        phone.add(server.port)
        phone.start()
        end = time.monotonic() + 10
        while not phone.is_subscribed():
            if time.monotonic() > end:
                raise TimeoutError("the phone has not reached the broker; see its log")
            time.sleep(0.1)
        times = {"INVITE": [], "MQTT": []}
        for turn in range(10 if options.short else 60):
            number = f"+4930{100_000 + turn}"
            since = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            server.invite(number)
            times["INVITE"].append(phone.rings(since))
            server.cancel(number)
            phone.event("callEnded")
            number, name = f"+4940{100_000 + turn}", f"bench-{turn}"
            message = {"caller_number": number, "call_id": name, "timestamp": str(int(time.time()))}
            since = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
            broker.publish(type="incoming_call", **message)
            times["MQTT"].append(phone.rings(since))
            broker.publish(type="call_ended", **message)
            phone.event("callEnded")
            broker.drain()
            # A phone rejects calls that come too often.
            time.sleep(1)
        return times
    finally:
        for part in (phone, broker):
            process = getattr(part, "process", None)
            if process:
                process.terminate()
                process.wait(timeout=10)


def main():
    parser = argparse.ArgumentParser()
    for name in ("phone", "bench", "wire"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="offhook-bench-") as folder:
        times = measure(options, folder)
    print("| until the ringer sounds | median, ms | 95 % within, ms |\n|---|---|---|")
    for name, values in times.items():
        values.sort()
        print(f"| after {name} | {statistics.median(values):.2f} | {values[int(len(values) * 0.95) - 1]:.2f} |")
    ratio = statistics.median(times["MQTT"]) / statistics.median(times["INVITE"])
    print(f"\nMQTT takes {ratio:.2f} times as long as INVITE; the goal is {GOAL} at most.")
    sys.exit(ratio > GOAL)


main()

#!/usr/bin/env python3
"""panel.py --program … --wire … --board … [--folder …] [--port …]: two phones on one page, to call from one to the other.

Starts two phones with simulated panels, and serves a page on loopback with both front panels. It forwards their requests, and
connects the browser's loudspeaker and microphone with the phones' sound. Ends with the phones at SIGINT. Without a folder it
leaves no files. `offhook-bench panel` runs it.
"""
import argparse
import base64
import contextlib
import hashlib
import http.client
import http.server
import json
import mmap
import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import wave

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = {"": ("desk.html", "text/html"), "desk.css": ("desk.css", "text/css"), "desk.js": ("desk.js", "text/javascript"),
         "mouth.js": ("mouth.js", "text/javascript")}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
RATE = 48_000
BLOCK = 960
LONGEST_FRAME = 65_536


class Wire:
    """A sound device made of a shared file (Tests/Wire): a ring of frames whose index is the monotonic clock."""

    CAPACITY = 1 << 19

    def __init__(self, path):
        with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            file.truncate(self.CAPACITY * 4)
            self.cells = memoryview(mmap.mmap(file.fileno(), self.CAPACITY * 4)).cast("I")

    @staticmethod
    def now():
        return time.monotonic_ns() * RATE // 1_000_000_000

    def heard(self, start, count):
        """The sound at these frames, as 16-bit samples; silence where there was none."""
        samples = bytearray()
        for index in range(start, start + count):
            cell = self.cells[index % self.CAPACITY]
            samples += struct.pack("<H", cell & 0xFFFF if cell >> 16 == index // self.CAPACITY & 0xFFFF else 0)
        return bytes(samples)

    def say(self, samples, start):
        for offset in range(len(samples) // 2):
            index = start + offset
            sample = samples[2 * offset] | samples[2 * offset + 1] << 8
            self.cells[index % self.CAPACITY] = sample | (index // self.CAPACITY & 0xFFFF) << 16


class Phone:
    """One phone: its folder, its process, its token."""

    def __init__(self, options, name, user, other, port, far):
        self.name, self.folder, self.http = name, f"{options.folder}/{name}", port + 3
        self.program = options.program
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        self.ear, self.mouth = Wire(f"{self.folder}/ear"), Wire(f"{self.folder}/mouth")
        with wave.open(f"{options.folder}/{name}.wav") as file:
            self.sentence = file.readframes(file.getnframes())
        self.saying = threading.Lock()
        self.write("asound.conf", f"""</usr/share/alsa/alsa.conf>
pcm_type.wire {{ lib "{options.wire}" }}
pcm.{name} {{ type plug slave.pcm {{ type wire playback "{self.folder}/ear" capture "{self.folder}/mouth" }} }}
""")
        self.write("offhook.yaml", f"""board: {options.board}
vault: {{file: vault, key: vault.key}}
control: {{socket: control.sock, http: {{address: 127.0.0.1, port: {self.http}}}}}
sip: {{address: 127.0.0.1, port: {port}}}
media: {{first_port: {port + 100}, last_port: {port + 199}}}
calls: {{line_keys: [desk], speed_dials: {{1: ["{other}"]}}}}
sound: {{handset: {{capture: {name}, playback: {name}}}}}
""")
        if not os.path.exists(f"{self.folder}/vault"):
            self.run("vault", "init", "--key", "file")
            self.run("account", "add", "--user", user, "--server", f"127.0.0.1:{far}", "--no-register", "--no-password",
                     "--display-name", name.capitalize(), "desk")
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "run", "--config", f"{self.folder}/offhook.yaml"], stdout=log, stderr=log,
                env={**os.environ, "ALSA_CONFIG_PATH": f"{self.folder}/asound.conf"}, start_new_session=True)
        self.token = self.ask_for_token()

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, *words):
        at = 2 if words[0] != "run" else 1
        subprocess.run([self.program, *words[:at], "--config", f"{self.folder}/offhook.yaml", *words[at:]], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask_for_token(self):
        # The token of an earlier demonstration in the same folder is no longer valid.
        requests = [
            {"jsonrpc": "2.0", "method": "removeToken", "params": {"label": "demo"}},
            {"jsonrpc": "2.0", "id": 1, "method": "addToken", "params": {"label": "demo", "scope": "configure"}}]
        for _ in range(200):
            try:
                with socket.socket(socket.AF_UNIX) as asker:
                    asker.connect(f"{self.folder}/control.sock")
                    asker.sendall("".join(json.dumps(one) + "\n" for one in requests).encode())
                    answer = json.loads(asker.makefile().readline())
                    if "error" in answer:
                        sys.exit(f"{self.name}: {answer['error']['message']}")
                    return answer["result"]["token"]
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        sys.exit(f"{self.name} did not come up; see {self.folder}/log")

    def speak(self):
        """Plays its person's sentence into the phone's microphone."""
        if not self.saying.acquire(blocking=False):
            return
        try:
            start = Wire.now() + RATE // 10
            for offset in range(0, len(self.sentence), 2 * BLOCK):
                frame = start + offset // 2
                time.sleep(max(0, (frame - Wire.now()) / RATE - 0.05))
                self.mouth.say(self.sentence[offset:offset + 2 * BLOCK], frame)
        finally:
            self.saying.release()


class Desk(http.server.BaseHTTPRequestHandler):
    """The page, its two phones, and the sound."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    phones = {}
    secret = ""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.serve()

    def do_POST(self):
        self.serve()

    def serve(self):
        # Only this machine's browser, under this machine's name: no other page may reach the phones through it.
        prefix = f"/{self.secret}/"
        if self.headers.get("Host") != f"127.0.0.1:{self.server.server_port}" or not self.path.startswith(prefix):
            return self.answer(404, "text/plain", b"")
        place, _, rest = self.path[len(prefix):].partition("/")
        name = place.partition("?")[0]
        if name in FILES and self.command == "GET":
            return self.answer_file(*FILES[name])
        if place == "tokens" and self.command == "GET":
            return self.answer(200, "application/json", json.dumps({n: p.token for n, p in self.phones.items()}).encode())
        if place not in self.phones:
            return self.answer(404, "text/plain", b"")
        phone = self.phones[place]
        if rest == "sound":
            return self.connect_sound(phone)
        return self.pass_on(phone, rest)

    def answer_file(self, name, kind):
        with open(f"{HERE}/{name}", "rb") as file:
            self.answer(200, f"{kind}; charset=utf-8", file.read())

    def answer(self, status, kind, body):
        self.send_response(status)
        for header, value in (("Content-Type", kind), ("Content-Length", len(body)), ("Cache-Control", "no-store"),
                              ("Content-Security-Policy", POLICY), ("X-Content-Type-Options", "nosniff")):
            self.send_header(header, str(value))
        self.end_headers()
        self.wfile.write(body)

    def pass_on(self, phone, rest):
        """Forwards to the phone and back, piece by piece: events are a stream without an end."""
        length = min(int(self.headers.get("Content-Length") or 0), LONGEST_FRAME)
        wanted = ("Authorization", "Content-Type", "Last-Event-ID", "If-None-Match", "Accept")
        headers = {name: self.headers[name] for name in wanted if self.headers[name]}
        link = http.client.HTTPConnection("127.0.0.1", phone.http)
        try:
            link.request(self.command, "/" + rest, self.rfile.read(length) or None, headers)
            answer = link.getresponse()
            self.send_response(answer.status)
            for header, value in answer.getheaders():
                if header.lower() not in ("connection", "transfer-encoding", "date", "server"):
                    self.send_header(header, value)
            if answer.getheader("Content-Length") is None and answer.status not in (204, 304):
                self.send_header("Connection", "close")
                self.close_connection = True
            self.end_headers()
            while piece := answer.read1(65_536):
                self.wfile.write(piece)
        except (OSError, http.client.HTTPException):
            self.close_connection = True
        finally:
            link.close()

    def connect_sound(self, phone):
        """A WebSocket (RFC 6455): 16-bit samples at 48 kHz both ways; a text makes the phone's person speak."""
        if self.headers.get("Origin") != f"http://127.0.0.1:{self.server.server_port}":
            return self.answer(403, "text/plain", b"")
        key = self.headers.get("Sec-WebSocket-Key", "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        for header, value in (("Upgrade", "websocket"), ("Connection", "Upgrade"),
                              ("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())):
            self.send_header(header, value)
        self.end_headers()
        self.wfile.flush()
        self.close_connection = True
        open_now = threading.Event()
        open_now.set()
        threading.Thread(target=self.listen, args=(phone, open_now), daemon=True).start()
        self.connection.settimeout(None)
        try:
            self.take(phone)
        except OSError:
            pass
        finally:
            open_now.clear()

    def listen(self, phone, open_now):
        """Sends the earpiece's sound a tenth of a second late, when it has certainly been played."""
        at = Wire.now() - RATE // 10
        try:
            while open_now.is_set():
                time.sleep(max(0, (at + BLOCK - Wire.now()) / RATE + 0.1))
                self.connection.sendall(struct.pack(">BBH", 0x82, 126, 2 * BLOCK) + phone.ear.heard(at, BLOCK))
                at += BLOCK
        except OSError:
            pass

    def take(self, phone):
        mouth = 0
        while True:
            kind, length = self.rfile.read(2) or (8, 0)
            length &= 0x7F
            if length >= 126:
                length = int.from_bytes(self.rfile.read(2 if length == 126 else 8), "big")
            if kind & 0x0F == 8 or length > LONGEST_FRAME:
                return
            mask, payload = self.rfile.read(4), bytearray(self.rfile.read(length))
            for index in range(length):
                payload[index] ^= mask[index % 4]
            if kind & 0x0F == 1 and payload == b"speak":
                threading.Thread(target=phone.speak, daemon=True).start()
            elif kind & 0x0F == 2:
                # Late sound plays at once; at most a fifth of a second is queued ahead.
                now = Wire.now()
                if not now < mouth < now + RATE // 5:
                    mouth = now + RATE // 20
                phone.mouth.say(payload, mouth)
                mouth += length // 2


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "wire", "board"):
        parser.add_argument(f"--{name}", required=True, type=os.path.abspath)
    parser.add_argument("--folder", type=os.path.abspath)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    place = contextlib.nullcontext(options.folder) if options.folder else tempfile.TemporaryDirectory(prefix="offhook-demo.")
    with place as options.folder:
        os.makedirs(options.folder, exist_ok=True)
        subprocess.run([f"{HERE}/../speech", options.folder], check=True)
        serve(options)


def serve(options):
    try:
        for name, user, other, port, far in (("alice", "101", "102", 25_260, 25_270), ("bob", "102", "101", 25_270, 25_260)):
            Desk.phones[name] = Phone(options, name, user, other, port, far)
        Desk.secret = secrets.token_urlsafe(12)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Desk)
        print(f"Two phones are on http://127.0.0.1:{server.server_port}/{Desk.secret}/\n"
              "Open that page, lift Alice's handset, press 1 0 2 #, and answer at Bob's. Ctrl-C ends both.", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        for phone in Desk.phones.values():
            phone.process.terminate()
        for phone in Desk.phones.values():
            phone.process.wait(5)


if __name__ == "__main__":
    main()

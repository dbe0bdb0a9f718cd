"""The compared programs, each with the same functions: start, dial, answer, hang up."""
import json, os, socket, subprocess, time
from rig import Lines, Process, Wire, connect, now

ASOUND = """</usr/share/alsa/alsa.conf>
pcm_type.wire {{ lib "{library}" }}
pcm.card {{ type plug slave.pcm {{ type wire playback "{folder}/ear" capture "{folder}/mouth" }} }}
"""


class Phone:
    """The common part: a folder and a sound card."""

    # Seconds to wait for any command.
    patience = 15

    def __init__(self, hosts, index, folder, library):
        self.hosts, self.index, self.folder = hosts, index, folder
        self.address, self.far = hosts.addresses[index], hosts.addresses[1 - index]
        os.makedirs(folder, mode=0o700)
        with open(folder + "/asound.conf", "w") as file:
            file.write(ASOUND.format(library=library, folder=folder))
        self.ear, self.mouth = Wire(folder + "/ear"), Wire(folder + "/mouth")
        self.environment = {"ALSA_CONFIG_PATH": folder + "/asound.conf"}
        self.process = None

    def launch(self, words, environment={}):
        self.log = open(self.folder + "/log", "ab")
        self.process = Process(words, self.hosts, self.index, self.log, {**self.environment, **environment})

    def stop(self):
        """Works whether it runs or not."""
        if self.process:
            self.process.stop()
            self.log.close()


class Offhook(Phone):
    name = "offhook"

    def __init__(self, hosts, index, folder, library, program, board, packet=20, period=10, sip="", listen=None):
        """`sip`: more keys of that section. `listen`: another address than the host's."""
        super().__init__(hosts, index, folder, library)
        self.program, self.configuration = program, folder + "/offhook.yaml"
        with open(self.configuration, "w") as file:
            file.write(f"""board: {os.path.abspath(board)}
vault: {{file: vault, key: vault.key}}
control: {{socket: control.sock}}
log: warning
sip: {{address: {listen or self.address}, port: 5060, peers: [{self.far}]{sip}}}
media: {{packet: {packet} ms}}
sound:
  period: {period} ms
  handset: {{capture: card, playback: card}}
""")
        subprocess.run([program, "vault", "init", "--config", self.configuration], check=True, capture_output=True)

    def start(self):
        """Seconds from exec to READY=1."""
        path = self.folder + "/notify"
        if os.path.exists(path):
            os.unlink(path)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(path)
        notify.settimeout(self.patience)
        self.launch([self.program, "run", "--config", self.configuration], {"NOTIFY_SOCKET": path})
        while b"READY=1" not in notify.recv(256):
            pass
        took = (now() - self.process.started) / 1e9
        notify.close()
        self.identifier = 0
        self.asking = Lines(connect(self.folder + "/control.sock"))
        self.events = Lines(connect(self.folder + "/control.sock"))
        self.ask("subscribe", lines=self.events)
        return took

    def ask(self, method, lines=None, **params):
        lines = lines or self.asking
        self.identifier += 1
        lines.send({"jsonrpc": "2.0", "id": self.identifier, "method": method, "params": params})
        while True:
            answer = lines.next(self.patience)
            if answer.get("id") == self.identifier:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def wait(self, name):
        end = time.monotonic() + self.patience
        while True:
            message = self.events.next(end - time.monotonic())
            if message.get("params", {}).get("name") == name:
                return message["params"]

    def dial(self):
        self.ask("dial", target=f"sip:offhook@{self.far}")

    def wait_ringing(self):
        self.wait("incomingCall")

    def answer(self):
        """Lifts the handset. Returns the instant at which the contact first moved."""
        instant = now()
        self.ask("liftHook")
        return instant

    def wait_talking(self):
        self.wait("callAnswered")

    def hang_up(self):
        self.ask("hangup")

    def rest(self):
        self.ask("replaceHook")


class Baresip(Phone):
    name = "baresip"
    # Its ring sounds.
    sounds = "/usr/share/baresip"

    def __init__(
            self, hosts, index, folder, library, options=(), packet=20, keys="srtp-mand", account="", user="bench",
            domain=None):
        """`account`: more parameters of its account, whose `user` is at `domain`. Without a domain there is no server."""
        super().__init__(hosts, index, folder, library)
        lines = [
            "poll_method epoll", f"sip_listen {self.address}:5060", "call_max_calls 4",
            f"audio_path {self.sounds}", "audio_player alsa,card", "audio_source alsa,card",
            "audio_alert alsa,card", "audio_level no", "ausrc_srate 48000", "auplay_srate 48000",
            "ausrc_channels 1", "auplay_channels 1", "opus_stereo no", "opus_sprop_stereo no", "opus_bitrate 32000",
            "opus_complexity 5", "opus_application voip", "module_path /usr/lib/baresip/modules", "module alsa.so",
            # Accounts use settings of modules, and are read after them.
            "module opus.so", "module srtp.so", *options, "module account.so", "module menu.so", "module ctrl_tcp.so",
            f"ctrl_tcp_listen {self.address}:4444"]
        with open(folder + "/config", "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(folder + "/accounts", "w") as file:
            where = f"{domain}>;regint=300" if domain else f"{self.address}:5060;transport=udp>;regint=0"
            file.write(f"<sip:{user}@{where};mediaenc={keys};"
                       f"audio_codecs=opus/48000/2;ptime={packet};answermode=manual{account}\n")
        open(folder + "/contacts", "w").close()

    def start(self):
        """Seconds from exec to the line that reports readiness."""
        # An earlier start left its own line.
        earlier = os.path.getsize(self.folder + "/log") if self.process else 0
        self.launch(["stdbuf", "-oL", "baresip", "-f", self.folder])
        end = time.monotonic() + self.patience
        with open(self.folder + "/log", "rb") as log:
            log.seek(earlier)
            text = b""
            while b"baresip is ready" not in text and time.monotonic() < end:
                text += log.read()
                time.sleep(0.0005)
        took = (now() - self.process.started) / 1e9
        self.control = self.hosts.within(
            self.index, lambda: socket.create_connection((self.address, 4444), 5))
        self.buffer = b""
        return took

    def command(self, name, parameters=""):
        message = json.dumps({"command": name, "params": parameters, "token": name})
        self.control.sendall(f"{len(message)}:{message},".encode())

    def wait(self, kind):
        end = time.monotonic() + self.patience
        while True:
            colon = self.buffer.find(b":")
            length = int(self.buffer[:colon]) if colon > 0 else None
            if length is not None and len(self.buffer) >= colon + length + 2:
                message = json.loads(self.buffer[colon + 1:colon + 1 + length])
                self.buffer = self.buffer[colon + length + 2:]
                if message.get("type") == kind:
                    return message
                continue
            self.control.settimeout(max(0.001, end - time.monotonic()))
            self.buffer += self.control.recv(65536)

    def dial(self):
        self.command("dial", f"sip:bench@{self.far}")

    def wait_ringing(self):
        self.wait("CALL_INCOMING")

    def answer(self):
        instant = now()
        self.command("accept")
        return instant

    def wait_talking(self):
        self.wait("CALL_ESTABLISHED")

    def hang_up(self):
        self.command("hangup")

    def rest(self):
        pass


class Linphone(Phone):
    """Debian's linphonec, which takes typed commands and supports only the default sound device."""
    name = "linphonec"

    def __init__(self, hosts, index, folder, library):
        super().__init__(hosts, index, folder, library)
        os.makedirs(folder + "/.local/share/linphone")
        with open(folder + "/asound.conf", "a") as file:
            file.write('pcm.!default "card"\n')
        sections = {
            "sip": (f"sip_port=5060\nsip_tcp_port=0\nsip_tls_port=0\ncontact=<sip:bench@{self.address}:5060>\n"
                    "media_encryption=srtp\nmedia_encryption_mandatory=1\nauto_net_state_mon=0\nguess_hostname=0"),
            "sound": ("playback_dev_id=ALSA Unknown: default\ncapture_dev_id=ALSA Unknown: default\n"
                      "ringer_dev_id=ALSA Unknown: default\nechocancellation=0\nremote_ring=\nlocal_ring="),
            "video": "enabled=0",
            "audio_codec_0": "mime=opus\nrate=48000\nchannels=2\nenabled=1"}
        with open(folder + "/linphonerc", "w") as file:
            file.write("".join(f"[{name}]\n{lines}\n\n" for name, lines in sections.items()))

    def start(self):
        self.launch(
            ["linphonec", "--pipe", "-c", self.folder + "/linphonerc", "-d", "6", "-l", self.folder + "/trace"],
            {"HOME": self.folder})
        self.read, end = 0, time.monotonic() + self.patience
        # It prints nothing when it is up, so wait for its port in the host's table.
        while ":13C4 " not in self.sockets():
            if time.monotonic() > end:
                raise TimeoutError("linphonec does not listen")
            time.sleep(0.02)

    def sockets(self):
        text = ""
        for table in ("udp", "udp6"):
            with open(f"/proc/{self.process.pid}/net/{table}") as file:
                text += file.read()
        return text

    def type(self, line):
        self.process.child.stdin.write(line.encode() + b"\n")
        self.process.child.stdin.flush()

    def wait(self, text):
        end = time.monotonic() + self.patience
        while True:
            with open(self.folder + "/log", "rb") as log:
                log.seek(self.read)
                said = log.read()
            place = said.find(text.encode())
            if place >= 0:
                self.read += place + len(text)
                return
            if time.monotonic() > end:
                raise TimeoutError(f"linphonec did not say {text!r}")
            time.sleep(0.02)

    def dial(self):
        self.type(f"call sip:bench@{self.far}")

    def wait_ringing(self):
        self.wait("Receiving new incoming call")

    def answer(self):
        instant = now()
        self.type("answer")
        return instant

    def wait_talking(self):
        self.wait("Media streams established")

    def hang_up(self):
        self.type("terminate")

    def rest(self):
        pass

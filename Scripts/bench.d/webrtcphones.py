"""Programs whose calls use ICE and DTLS, and how to make each of them answer."""
import json, os, subprocess, threading, time
from natworld import PASSWORD, SERVER
from phones import Baresip, Offhook
from rig import Process, now

# The users of callee and caller at the server.
USERS = ("101", "102")


class WebRTCOffhook(Offhook):
    """The phone on its direct line, or with an account at a server."""

    def __init__(self, *place, server=None, transport="tcp", turn=False, keys="dtls", ice="always", **more):
        direct = "" if server or keys != "dtls" else f", protection: {keys}, ice: {ice}"
        super().__init__(*place, sip=direct, **more)
        self.server, self.user, self.other = server, USERS[self.index], USERS[1 - self.index]
        if server:
            secret = self.folder + "/password"
            with open(secret, "w") as file:
                file.write(PASSWORD)
            os.chmod(secret, 0o600)
            servers = ["--stun", server, "--turn", f"phone@{server}", "--turn-password-file", secret] if turn else []
            subprocess.run(
                [self.program, "account", "add", "--config", self.configuration, "--user", self.user,
                 "--server", server, "--register", "--transport", transport, "--no-password", "--protection", keys,
                 "--ice", ice, *servers, "desk"], check=True, capture_output=True)

    def start(self):
        took = super().start()
        end = time.monotonic() + self.patience
        while not self.is_registered():
            if time.monotonic() > end:
                raise TimeoutError("offhook does not register")
            time.sleep(0.02)
        return took

    def is_registered(self):
        """A phone without a server, from its start on."""
        lines = self.ask("getSnapshot")["registrations"]
        return not self.server or any(line["state"] == "registered" and line["account"] != 0 for line in lines)

    def dial(self):
        self.ask("dial", target=self.other if self.server else f"sip:offhook@{self.far}")

    def answer(self):
        """Answers by the control socket, so that no contact bounces. Returns the instant before."""
        instant = now()
        self.ask("answer")
        return instant


class WebRTCBaresip(Baresip):
    """Debian's baresip with its ICE and DTLS modules, without a server or registered."""
    # Its ring would sound before the voice.
    sounds = "/nonexistent"

    def __init__(self, *place, server=None, turn=False, keys="dtls_srtp", **more):
        options = ["rtcp_mux yes", "module stun.so", "module ice.so", "module turn.so", "module dtls_srtp.so"]
        account = ";medianat=ice" if keys == "dtls_srtp" else ""
        index = place[1]
        if server:
            more = {"user": USERS[index], "domain": f"{server};transport=tcp", **more}
            account += f";auth_user=phone;auth_pass={PASSWORD}"
        if turn:
            account += f";stunserver=\"turn:{server}\";stunuser=phone;stunpass={PASSWORD}"
        super().__init__(*place, options=options, keys=keys, account=account, **more)
        self.server = server
        self.target = f"sip:{USERS[1 - index]}@{server}" if server else f"sip:bench@{self.far}"

    def start(self):
        took = super().start()
        if self.server:
            self.wait("REGISTER_OK")
        return took

    def dial(self):
        self.command("dial", self.target)


class Aiortc:
    """One end of aiortc (Tests/Servers/webrtc_peer.py). The bench itself does the signalling."""
    name = "aiortc"
    patience = 20

    def __init__(self, hosts, index, python, turn=False):
        servers = ["--stun", f"stun:{SERVER}:3478", "--turn", f"turn:{SERVER}:3478,phone,{PASSWORD}"] if turn else []
        self.process = Process(
            [python, "Tests/Servers/webrtc_peer.py", "--media", hosts.addresses[index], "--codec", "opus", *servers],
            hosts, index, subprocess.PIPE, {})
        self.events, self.arrived = [], threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()
        self.wait(lambda event: event["event"] == "ready")
        self.ask("play", tone=1000, level=-12)

    def listen(self):
        """Each event with the instant of its arrival."""
        for line in self.process.child.stdout:
            # Warnings of its libraries come in between.
            if not line.startswith(b"{"):
                continue
            with self.arrived:
                self.events.append((now(), json.loads(line)))
                self.arrived.notify()

    def wait(self, is_meant):
        end = time.monotonic() + self.patience
        with self.arrived:
            while True:
                while self.events:
                    instant, event = self.events.pop(0)
                    if event["event"] == "not-done":
                        raise RuntimeError(f"aiortc: {event}")
                    if is_meant(event):
                        return instant, event
                if not self.arrived.wait(end - time.monotonic()):
                    raise TimeoutError("aiortc says nothing")

    def tell(self, do, **facts):
        self.process.child.stdin.write(json.dumps({"do": do, **facts}).encode() + b"\n")
        self.process.child.stdin.flush()

    def ask(self, do, **facts):
        self.tell(do, **facts)
        return self.wait_done(do)

    def wait_done(self, do):
        return self.wait(lambda event: event["event"] == "done" and event["do"] == do)[1]

    def wait_heard(self):
        """The instant of the first voice from its decoder."""
        return self.wait(lambda event: event["event"] == "media" and "heard" in event)[0]

    def stop(self):
        self.process.stop()

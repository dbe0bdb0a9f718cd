"""Two phones' front panels in a browser, and the scenarios' actions on them."""
import hashlib
import json
import os
import re
import socket
import ssl
import subprocess
import threading
import time
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import expect

# A machine that builds beside the tests draws slowly.
expect.set_options(timeout=15_000)

# Both phones know this address as a peer.
STRANGER = "127.0.0.2"
NUMBERS = {"alice": "101", "bob": "102"}


class Panel:
    """One phone: its address and token, and the pages that show it."""

    def __init__(self, name, address, token):
        self.name, self.address, self.token = name, address, token
        self.number = NUMBERS[name]

    def ask(self, method, **params):
        """Sends the phone a request without the page."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(
            self.address + "rpc", body,
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)["result"]

    def snapshot(self):
        return self.ask("getSnapshot")

    def rest(self):
        """Ends all activity and puts the handset down."""
        snapshot = self.snapshot()
        if snapshot["hook"] == "offHook":
            self.ask("replaceHook")
        for call in snapshot["calls"]:
            try:
                self.ask("hangup", call=call["call"])
            except KeyError:
                pass  # It has ended meanwhile.
        if snapshot["settings"]["doNotDisturb"]:
            self.ask("setDoNotDisturb", on=False)


class Desk:
    """The browser and both phones."""

    def __init__(self, browser, alice, bob):
        self.browser, self.alice, self.bob = browser, alice, bob

    @contextmanager
    def page(self, panel, options="", width=1440, height=900, prepare=None, **context):
        """A page that is signed in and shows the phone; a fault in it, a breach of its policy, or a request to anybody but
        the phone fails the scenario. `prepare` gets it before it asks for anything."""
        made = self.browser.new_context(viewport={"width": width, "height": height}, **{"locale": "en-GB", **context})
        page = made.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None)
        # Data inside a page needs no request.
        made.on("request", lambda request: None if request.url.startswith((panel.address, "data:", "blob:")) else faults.append(request.url))
        if prepare:
            prepare(page)
        page.goto(f"{panel.address}{options}#token={panel.token}")
        expect(page.locator("#link")).to_have_attribute("data-state", "online")
        expect(page.locator("#display-state, #kiosk-state").first).not_to_be_empty()
        try:
            yield page
            assert not faults, faults
        except Exception:
            if "OFFHOOK_FAULTS" in os.environ:
                page.screenshot(path=f"{os.environ['OFFHOOK_FAULTS']}/{panel.name}.png")
            raise
        finally:
            page.unroute_all(behavior="ignoreErrors")
            made.close()

    def rest(self):
        self.alice.rest()
        self.bob.rest()
        for panel in (self.alice, self.bob):
            wait_for(lambda: not panel.snapshot()["calls"] and panel.snapshot()["hook"] == "onHook")


class Registrar:
    """A server over UDP that answers every registration with the same status, and returns calls to their caller. With a
    password it first demands that (RFC 3261 §22)."""

    def __init__(self, status="200 OK", password=None):
        self.status, self.password = status, password
        # The first line of each registration.
        self.asked = []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = "%s:%d" % self.socket.getsockname()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            request, sender = self.socket.recvfrom(65_536)
            # A keep-alive (RFC 5626) is no text.
            first, *lines = request.decode(errors="replace").split("\r\n")
            if first.startswith("INVITE "):
                # A proxy puts its own Via before the others (RFC 3261 §16.6), and removes it from a response.
                lines.insert(0, f"Via: SIP/2.0/UDP {self.address};branch=z9hG4bKback")
                self.socket.sendto("\r\n".join([first, *lines]).encode(), sender)
            if first.startswith("SIP/2.0 ") and lines[0].startswith("Via:"):
                self.socket.sendto("\r\n".join([first, *lines[1:]]).encode(), sender)
            if not first.startswith("REGISTER "):
                continue
            self.asked.append(first)
            if self.password is None or is_proof(lines, self.password):
                self.socket.sendto(answered(self.status, lines), sender)
            else:
                challenge = 'WWW-Authenticate: Digest realm="desk", nonce="once", qop="auth", algorithm=MD5'
                self.socket.sendto(answered("401 Unauthorized", lines, challenge), sender)


def is_proof(lines, password):
    """Whether a registration proves that its sender knows the password (RFC 2617 §3.2.2)."""
    text = next((line for line in lines if line.lower().startswith("authorization:")), "")
    said = {name: quoted or bare for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|([^\s,]+))', text)}

    def digest(*parts):
        return hashlib.md5(":".join(parts).encode()).hexdigest()

    if not {"username", "uri", "nc", "cnonce", "response"} <= said.keys():
        return False
    secret, request = digest(said["username"], "desk", password), digest("REGISTER", said["uri"])
    return said["response"] == digest(secret, "once", said["nc"], said["cnonce"], "auth", request)


def answered(status, lines, *more):
    """The answer to a registration."""
    kept = [line for line in lines if re.match(r"(?i)(via|from|to|call-id|cseq|contact|v|f|t|i|m)\s*:", line)]
    kept = [line + ";tag=r" if re.match(r"(?i)(to|t)\s*:", line) else line for line in kept]
    return "\r\n".join([f"SIP/2.0 {status}", *kept, *more, "Content-Length: 0", "", ""]).encode()


class SecureRegistrar:
    """A server over TLS that accepts every registration, with a self-signed certificate."""

    def __init__(self, folder):
        self.certificate = f"{folder}/server.pem"
        key = f"{folder}/server.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=server",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.fingerprint = hashlib.sha256(ssl.PEM_cert_to_DER_cert(open(self.certificate, encoding="ascii").read())).hexdigest()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "%s:%d" % self.listener.getsockname()
        self.context = context
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.serve, args=self.listener.accept()[:1], daemon=True).start()

    def serve(self, plain):
        try:
            with self.context.wrap_socket(plain, server_side=True) as secure:
                rest = ""
                while piece := secure.recv(65_536):
                    *requests, rest = (rest + piece.decode(errors="replace")).split("\r\n\r\n")
                    for request in requests:
                        first, *lines = request.lstrip().split("\r\n")
                        if first.startswith("REGISTER "):
                            secure.sendall(answered("200 OK", lines))
        except OSError:
            pass  # Whoever does not trust the certificate goes.


def tab_to(page, name, most=80):
    """Presses Tab until the element with this id has the focus, like a person without a mouse."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == name:
            return
    raise AssertionError(f"Tab does not reach {name}")


def wait_for(condition, tries=400):
    """Repeats the request until the phone has the state."""
    for _ in range(tries):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("the phone did not come to it")


def wait_for_ringing(panel, caller):
    """Waits until a phone rings; if it does not, reports the end of the call."""
    try:
        wait_for(lambda: any(call["phase"] == "ringingIn" for call in panel.snapshot()["calls"]))
    except AssertionError:
        told = caller.snapshot()
        shown = {name: told[name] for name in ("calls", "hook", "digits", "tone", "registrations")}
        raise AssertionError((shown, caller.ask("getHistory")["calls"][:1], panel.snapshot())) from None


def lamp(page, name):
    return page.locator(f"#phone [data-lamp='{name}']").first


def colour(locator):
    """The painted colour, as three numbers."""
    text = locator.evaluate("lamp => getComputedStyle(lamp).backgroundColor")
    return tuple(int(number) for number in re.findall(r"\d+", text)[:3])


def dial(page, digits, press=None):
    """Dials like a person, who checks the display and presses a key again if a busy machine missed the tap. `press`
    presses a key without the mouse."""
    for place, digit in enumerate(digits):
        for _ in range(3):
            if press:
                press(digit)
            else:
                page.locator(f"#keypad [data-key='{digit}']").click()
            if is_taken(page, digits[:place + 1]):
                break


def is_taken(page, digits, tries=60):
    """Whether the display has these digits, or the phone already calls."""
    for _ in range(tries):
        name, state = page.locator("#display-name").inner_text(), page.locator("#display-state").inner_text()
        if name == digits or state in ("Calling", "Ringing there", "Connecting", "Connected"):
            return True
        time.sleep(0.05)
    return False


def call(desk, alice, bob):
    """Alice calls Bob by mouse, and he answers."""
    alice.locator("#handset").click()
    expect(alice.locator("#phone")).to_have_attribute("data-hook", "offHook")
    expect(alice.locator("#display-name")).to_have_text("Dial tone")
    dial(alice, desk.bob.number + "#")
    expect(bob.locator("#display-state")).to_have_text("Incoming call")
    bob.locator("#handset").click()
    for page in (alice, bob):
        expect(page.locator("#display-state")).to_have_text("Connected")


def knock(panel, name):
    """Calls from a peer's address with a given display name (RFC 3261 §25.1: a quoted string)."""
    port = panel.sip_port
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind((STRANGER, 0))
        own = "%s:%d" % stranger.getsockname()
        offer = "\r\n".join([
            "v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", f"c=IN IP4 {STRANGER}", "t=0 0", "m=audio 40000 RTP/SAVP 0",
            "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" + "AbCd" * 10, ""])
        lines = [
            f"INVITE sip:{panel.number}@127.0.0.1:{port} SIP/2.0", f"Via: SIP/2.0/UDP {own};branch=z9hG4bKhostile;rport",
            "Max-Forwards: 70", f'From: "{name}" <sip:666@{STRANGER}>;tag=1', f"To: <sip:{panel.number}@127.0.0.1>",
            f"Call-ID: hostile@{own}", "CSeq: 1 INVITE", f"Contact: <sip:666@{own}>", "Content-Type: application/sdp",
            f"Content-Length: {len(offer)}", "", offer]
        stranger.sendto("\r\n".join(lines).encode(), ("127.0.0.1", port))


def change_answers(change):
    """Prepares a page with manipulated data: `change` gets each result of a request."""
    def prepare(page):
        def pass_on(route):
            answer = route.fetch()
            body = answer.json()
            if isinstance(body.get("result"), dict):
                change(body["result"])
            route.fulfill(response=answer, json=body)
        page.route("**/rpc", pass_on)
    return prepare

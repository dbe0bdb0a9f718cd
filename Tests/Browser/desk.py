"""Two phones' front panels in a browser, and what the scenarios do with them."""
import json
import os
import re
import socket
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
        """Asks the phone behind the page's back."""
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(
            self.address + "rpc", body,
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)["result"]

    def snapshot(self):
        return self.ask("getSnapshot")

    def rest(self):
        """Ends whatever goes on and puts the handset down."""
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
        """A page that is signed in and shows the phone; a fault in it, or a breach of its policy, fails the scenario.
        `prepare` gets it before it asks for anything."""
        made = self.browser.new_context(viewport={"width": width, "height": height}, **{"locale": "en-GB", **context})
        page = made.new_page()
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Content Security Policy" in line.text else None)
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
            made.close()

    def rest(self):
        self.alice.rest()
        self.bob.rest()
        for panel in (self.alice, self.bob):
            wait_for(lambda: not panel.snapshot()["calls"] and panel.snapshot()["hook"] == "onHook")


class Registrar:
    """A server over UDP that answers every registration with the same status, and brings calls back to who calls."""

    def __init__(self, status="200 OK"):
        self.status = status
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = "%s:%d" % self.socket.getsockname()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            request, sender = self.socket.recvfrom(65_536)
            first, *lines = request.decode().split("\r\n")
            if first.startswith("INVITE "):
                # A proxy puts its own Via before the others (RFC 3261 §16.6), and takes it off an answer.
                lines.insert(0, f"Via: SIP/2.0/UDP {self.address};branch=z9hG4bKback")
                self.socket.sendto("\r\n".join([first, *lines]).encode(), sender)
            if first.startswith("SIP/2.0 ") and lines[0].startswith("Via:"):
                self.socket.sendto("\r\n".join([first, *lines[1:]]).encode(), sender)
            if not first.startswith("REGISTER "):
                continue
            kept = [line for line in lines if re.match(r"(?i)(via|from|to|call-id|cseq|contact|v|f|t|i|m)\s*:", line)]
            kept = [line + ";tag=r" if re.match(r"(?i)(to|t)\s*:", line) else line for line in kept]
            answer = [f"SIP/2.0 {self.status}", *kept, "Content-Length: 0", "", ""]
            self.socket.sendto("\r\n".join(answer).encode(), sender)


def tab_to(page, name, most=80):
    """Presses Tab until the element with this id has the keyboard, as a person without a mouse does."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == name:
            return
    raise AssertionError(f"Tab does not reach {name}")


def wait_for(condition, tries=400):
    """Asks again until the phone says so."""
    for _ in range(tries):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("the phone did not come to it")


def wait_for_ringing(panel, caller):
    """Waits until a phone rings; if it does not, says what became of the call."""
    try:
        wait_for(lambda: any(call["phase"] == "ringingIn" for call in panel.snapshot()["calls"]))
    except AssertionError:
        told = caller.snapshot()
        shown = {name: told[name] for name in ("calls", "hook", "digits", "tone", "registrations")}
        raise AssertionError((shown, caller.ask("getHistory")["calls"][:1], panel.snapshot())) from None


def lamp(page, name):
    return page.locator(f"#phone [data-lamp='{name}']").first


def colour(locator):
    """The colour that is really painted, as three numbers."""
    text = locator.evaluate("lamp => getComputedStyle(lamp).backgroundColor")
    return tuple(int(number) for number in re.findall(r"\d+", text)[:3])


def dial(page, digits, press=None):
    """As a person dials, who looks whether the display has a key, and presses it again where a machine that is busy with drawing
    missed the tap. `press` presses a key otherwise than by mouse."""
    for place, digit in enumerate(digits):
        for _ in range(3):
            if press:
                press(digit)
            else:
                page.locator(f"#keypad [data-key='{digit}']").click()
            if is_taken(page, digits[:place + 1]):
                break


def is_taken(page, digits, tries=60):
    """Whether the display has these digits, or the phone calls already."""
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

"""pictures.py [--quick] FOLDER ALICE BOB: the pictures of docs/images, of phones that are given as to run.py.

With --quick the call has not lasted long enough for its quality to be drawn.
"""
import re
import subprocess
import sys

from playwright.sync_api import expect, sync_playwright

from desk import Desk, Registrar, call
from run import panel


def take(page, folder, name, pace="slow"):
    """A picture with as few colours as possible without a visible loss."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(0 if pace == "quick" else 700)
    # A blinking lamp is captured lit.
    page.evaluate("document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 0; })")
    path = f"{folder}/{name}.png"
    page.screenshot(path=path)
    subprocess.run(["pngquant", "--force", "--strip", "--speed", "11" if pace == "quick" else "1", "--output", path, "128", path], check=True)


def take_all(desk, folder, pace):
    take_call(desk, folder, pace)
    take_hand(desk, folder, pace)
    take_dark(desk, folder, pace)
    with desk.page(desk.alice, "?kiosk&title=Front+desk", width=1024, height=640) as kiosk:
        expect(kiosk.locator("#kiosk-state")).to_have_text(re.compile("Ready"))
        take(kiosk, folder, "kiosk", pace)
    take_setup(desk, folder, pace)


def take_call(desk, folder, pace):
    for name, number in (("Bob Baker", desk.bob.number), ("Clara Conrad", "103"), ("Workshop", "104")):
        desk.alice.ask("addContact", name=name, number=number)
    with desk.page(desk.alice, width=1440, height=780) as alice, desk.page(desk.bob) as bob:
        desk.bob.ask("dial", target=desk.alice.number)
        expect(alice.locator("#display-state")).to_have_text("Incoming call")
        alice.locator("#handset").click()
        expect(alice.locator(".mark").filter(has_text="Encrypted")).to_be_visible()
        if pace != "quick":
            expect(alice.locator(".quality .spark path").first).to_have_attribute("d", re.compile("^M.*L"))
            alice.wait_for_timeout(30_000)
        take(alice, folder, "call", pace)
        bob.locator(".card").get_by_role("button", name="Hang up").click()
        alice.locator("#handset").click()
    desk.rest()


def take_hand(desk, folder, pace):
    with desk.page(desk.alice, width=390, height=844, has_touch=True, is_mobile=True) as alice:
        desk.bob.ask("dial", target=desk.alice.number)
        expect(alice.locator("#ring-bar")).to_be_visible()
        take(alice, folder, "hand", pace)
    desk.rest()
    desk.alice.ask("clearMissedCalls")


def take_dark(desk, folder, pace):
    with desk.page(desk.alice, "?theme=dark", width=1440, height=780) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        alice.locator("[data-key='hold']").click()
        alice.locator("#tab-signals").click()
        expect(alice.locator("#ladder svg")).to_be_visible()
        take(alice, folder, "dark", pace)
    desk.rest()


def take_setup(desk, folder, pace):
    with desk.page(desk.alice, width=720, height=820) as alice:
        alice.locator("#tab-setup").click()
        for name, text in (("server", Registrar().address), ("user", "101"), ("password", "secret")):
            alice.locator(f"#setup-{name}").fill(text)
        alice.locator("#setup-account").get_by_role("button", name="Try it").click()
        expect(alice.locator("#setup-tried")).to_be_visible()
        alice.locator("#setup-form-title").evaluate("title => title.scrollIntoView()")
        take(alice, folder, "setup", pace)


def main():
    pace = "quick" if sys.argv[1] == "--quick" else "slow"
    folder, alice, bob = sys.argv[-3:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        desk = Desk(browser, panel("alice", alice), panel("bob", bob))
        desk.rest()
        take_all(desk, folder, pace)
        desk.rest()
        browser.close()


if __name__ == "__main__":
    main()

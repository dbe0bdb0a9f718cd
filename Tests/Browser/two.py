"""two.py ADDRESS [PICTURE]: a call from the left phone to the right one on the page of `Scripts/demo --panel`, heard."""
import subprocess
import sys

from playwright.sync_api import expect, sync_playwright

from desk import dial, wait_for

# What the right phone's ear plays, as the page gets it: the loudest sample of the last blocks.
LISTEN = """() => {
    const address = new URL('bob/sound', location.href);
    address.protocol = 'ws:';
    window.loudest = 0;
    const socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    socket.onmessage = (event) => { for (const one of new Int16Array(event.data)) window.loudest = Math.max(window.loudest, Math.abs(one)); };
}"""


def loudest(page, milliseconds):
    page.evaluate("window.loudest = 0")
    page.wait_for_timeout(milliseconds)
    return page.evaluate("window.loudest")


def main():
    address, *picture = sys.argv[1:]
    with sync_playwright() as playwright:
        # A microphone that beeps each second, which nobody is asked about.
        sound = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", *sound])
        page = browser.new_page(viewport={"width": 1400, "height": 770}, locale="en-GB")
        page.goto(address)
        left, right = page.frame_locator("iframe >> nth=0"), page.frame_locator("iframe >> nth=1")
        expect(left.locator("#link")).to_have_attribute("data-state", "online")
        left.locator("#handset").click()
        expect(left.locator("#display-name")).to_have_text("Dial tone")
        dial(left, "102#")
        expect(right.locator("#display-state")).to_have_text("Incoming call")
        right.locator("#handset").click()
        for phone in (left, right):
            expect(phone.locator("#display-state")).to_have_text("Connected")
        page.evaluate(LISTEN)
        microphone = page.get_by_role("button", name="My microphone").first
        microphone.click()
        expect(microphone).to_have_attribute("aria-pressed", "true")
        wait_for(lambda: page.evaluate("window.loudest") > 1_000)
        microphone.click()
        expect(microphone).to_have_attribute("aria-pressed", "false")
        # Longer than from one beep to the next.
        wait_for(lambda: loudest(page, 1_500) < 300)
        page.get_by_role("button", name="Say a sentence").first.click()
        wait_for(lambda: page.evaluate("window.loudest") > 2_000)
        if picture:
            page.mouse.move(0, 0)
            page.wait_for_timeout(1_000)
            page.screenshot(path=picture[0])
            subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--output", picture[0], "48", picture[0]], check=True)
        left.locator("#handset").click()
        expect(right.locator("#display-state")).to_have_text("The far end hung up")
        right.locator("#handset").click()
        browser.close()
    print("heard")


if __name__ == "__main__":
    main()

"""two.py ADDRESS [PICTURE]: a call from the left phone to the right one on the page of `Scripts/demo --panel`, heard."""
import subprocess
import sys

from playwright.sync_api import expect, sync_playwright

from checks import check_accessibility
from desk import dial, wait_for

# The page's own sound: all sound for a loudspeaker passes a meter, too.
METER = """(() => {
    const meters = [];
    const connect = AudioNode.prototype.connect;
    AudioNode.prototype.connect = function (target, ...rest) {
        if (target instanceof AudioDestinationNode) {
            let meter = meters.find((one) => one.context === target.context);
            if (!meter) {
                meter = target.context.createAnalyser();
                meter.fftSize = 32768;
                meters.push(meter);
            }
            connect.call(this, meter);
        }
        return connect.call(this, target, ...rest);
    };
    // The loudest sample of the last two thirds of a second; full scale is 1.
    window.loudest = () => Math.max(0, ...meters.map((meter) => {
        const samples = new Float32Array(meter.fftSize);
        meter.getFloatTimeDomainData(samples);
        return Math.max(...samples.map(Math.abs));
    }));
})()"""


def loudest(page):
    return page.evaluate("loudest()")


def is_silent(page):
    """For longer than the time between two beeps of the microphone."""
    for _ in range(4):
        if loudest(page) > 0.01:
            return False
        page.wait_for_timeout(400)
    return True


def button(page, name, place):
    return page.get_by_role("button", name=name).nth(place)


def press(page, name, place, is_on):
    one = button(page, name, place)
    one.click()
    expect(one).to_have_attribute("aria-pressed", "true" if is_on else "false")


def listen(page):
    """The right phone's ear is heard on the page exactly while listening is on."""
    press(page, "My microphone", 0, True)
    assert is_silent(page), "nobody listens yet"
    press(page, "Listen at the ear", 1, True)
    wait_for(lambda: loudest(page) > 0.03)
    press(page, "My microphone", 0, False)
    wait_for(lambda: is_silent(page), tries=100)
    button(page, "Say a sentence", 0).click()
    wait_for(lambda: loudest(page) > 0.06)


def stop_listening(page):
    press(page, "Listen at the ear", 1, False)
    wait_for(lambda: is_silent(page), tries=100)


def take(page, picture):
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_000)
    page.screenshot(path=picture)
    subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--output", picture, "48", picture], check=True)


def main():
    address, *picture = sys.argv[1:]
    with sync_playwright() as playwright:
        # A microphone that beeps each second, without a permission prompt.
        sound = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", *sound])
        page = browser.new_page(viewport={"width": 1400, "height": 770}, locale="en-GB")
        elsewhere = []
        own = (address, address.replace("http:", "ws:"), "data:")
        page.on("request", lambda request: None if request.url.startswith(own) else elsewhere.append(request.url))
        page.add_init_script(METER)
        page.goto(address)
        left, right = page.frame_locator("iframe >> nth=0"), page.frame_locator("iframe >> nth=1")
        for phone in (left, right):
            expect(phone.locator("#link")).to_have_attribute("data-state", "online")
        left.locator("#handset").click()
        expect(left.locator("#display-name")).to_have_text("Dial tone")
        dial(left, "102#")
        expect(right.locator("#display-state")).to_have_text("Incoming call")
        right.locator("#handset").click()
        for phone in (left, right):
            expect(phone.locator("#display-state")).to_have_text("Connected")
        listen(page)
        check_accessibility(page)
        if picture:
            take(page, picture[0])
        stop_listening(page)
        left.locator("#handset").click()
        expect(right.locator("#display-state")).to_have_text("The far end hung up")
        right.locator("#handset").click()
        browser.close()
        assert not elsewhere, elsewhere
    print("heard")


if __name__ == "__main__":
    main()

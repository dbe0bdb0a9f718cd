"""The page on a telephone in a hand. Each function is one scenario, and begins and ends with phones at rest."""
import re

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import change_answers, wait_for

HAND = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
VIEWS = ("calls", "missed", "history", "contacts", "signals", "lines", "setup")

# Controls that a finger may miss: visible, but smaller than 44 pixels.
SMALL = """[...document.querySelectorAll('button, input, select, summary, a[href]')]
    .filter(one => one.checkVisibility() && !one.matches('.skip'))
    .map(one => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
    .map(([one, box]) => `${one.id || one.className}: ${box.width} × ${box.height}`)"""


def tops(page, *places):
    return [page.locator(place).first.bounding_box()["y"] for place in places]


def a_ringing_call_has_two_big_buttons(desk):
    with desk.page(desk.alice, **HAND) as alice, desk.page(desk.bob) as bob:
        expect(alice.locator("#ring-bar")).to_be_hidden()
        for button in ("#ring-decline", "#ring-answer"):
            desk.bob.ask("dial", target=desk.alice.number)
            expect(alice.locator("#ring-bar")).to_be_visible()
            expect(alice.locator("#ring-who")).to_have_text("Bob Baker")
            box = alice.locator("#ring-bar").bounding_box()
            assert box["y"] + box["height"] == 844 and box["width"] == 390, box
            check_accessibility(alice, "ring bar")
            alice.locator(button).tap()
            expect(alice.locator("#ring-bar")).to_be_hidden()
            if button == "#ring-decline":
                wait_for(lambda: not desk.bob.snapshot()["calls"])
        expect(alice.locator("#display-state")).to_have_text("Connected")
        expect(bob.locator("#display-state")).to_have_text("Connected")


def calls_come_first_and_other_keys_behind_a_button(desk):
    with desk.page(desk.alice, **HAND) as alice:
        desk.bob.ask("dial", target=desk.alice.number)
        expect(alice.locator(".card")).to_be_visible()
        order = tops(alice, "#display", ".card", "#keypad", "#more-keys")
        assert order == sorted(order), order
        for place in ("#function-keys", "#line-keys"):
            expect(alice.locator(place)).to_be_hidden()
        alice.locator("#more-keys").tap()
        expect(alice.locator("#more-keys")).to_have_attribute("aria-expanded", "true")
        order = tops(alice, "#keypad", "#more-keys", "#line-keys", "#function-keys")
        assert order == sorted(order), order
        alice.set_viewport_size({"width": 1280, "height": 800})
        expect(alice.locator(".side .card")).to_be_visible()
        expect(alice.locator("#more-keys")).to_be_hidden()


def a_finger_hits_every_control(desk):
    for language in ("en", "de"):
        with desk.page(desk.alice, f"?lang={language}", **HAND) as alice:
            alice.locator("#more-keys").tap()
            for view in VIEWS:
                alice.locator(f"#tab-{view}").tap()
                if view == "setup":
                    expect(alice.locator("#setup-routes li").first).to_be_visible()
                small = alice.evaluate(SMALL)
                assert small == [], (language, view, small)
                does_not_overflow(alice)


def the_tabs_are_one_row(desk):
    for language in ("en", "de"):
        for width in (390, 1280):
            with desk.page(desk.alice, f"?lang={language}", width, 800) as alice:
                row = alice.locator("#tabs").evaluate("row => [row.scrollWidth, row.clientWidth]")
                assert row[0] <= row[1], (language, width, row)
                places = {alice.locator(f"#tab-{view}").bounding_box()["y"] for view in VIEWS}
                assert len(places) == 1, (language, width, places)


# The contrast of two colours (WCAG 2.1, relative luminance).
CONTRAST = """([one, other]) => {
    const light = (name) => {
        const context = document.createElement('canvas').getContext('2d');
        context.fillStyle = name;
        context.fillRect(0, 0, 1, 1);
        const parts = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => part / 255)
            .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
}"""


def lamps_are_seen_without_their_colour(desk):
    def light(result):
        if "lamps" in result and "registrations" in result:
            result["lamps"].update({"mute": "on", "speaker": "on", "hold": "on"})

    with desk.page(desk.alice, prepare=change_answers(light)) as alice:
        for theme in ("light", "dark"):
            alice.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            style = "key => getComputedStyle(document.documentElement).getPropertyValue(key).trim()"
            keys = [alice.evaluate(style, name) for name in ("--soft-key", "--soft-key-top")]
            for name, is_lit in (("mute", True), ("speaker", True), ("hold", True), ("do-not-disturb", False)):
                lamp = alice.locator(f"[data-key='{name}'] .lamp")
                border, fill = lamp.evaluate("""one => {
                    const style = getComputedStyle(one);
                    return [style.borderTopColor, style.backgroundColor];
                }""")
                for key in keys:
                    contrast = alice.evaluate(CONTRAST, [border, key])
                    assert contrast >= 3, (theme, name, border, key, contrast)
                # A dark lamp is a ring, a lit one is full.
                assert (fill == border) == is_lit, (theme, name, border, fill)


def it_goes_to_the_home_screen(desk):
    with desk.page(desk.alice) as alice:
        manifest = alice.evaluate("""async () => {
            const address = document.querySelector("link[rel='manifest']").href;
            const answer = await fetch(address);
            return [answer.headers.get('Content-Type'), await answer.json()];
        }""")
        assert manifest[0].startswith("application/manifest+json"), manifest
        assert manifest[1]["display"] == "standalone" and manifest[1]["start_url"] == "./", manifest
        sizes = alice.evaluate("""async (address) => {
            const image = new Image();
            image.src = address;
            await image.decode();
            return `${image.naturalWidth}x${image.naturalHeight}`;
        }""", manifest[1]["icons"][0]["src"])
        assert sizes == manifest[1]["icons"][0]["sizes"], sizes
        policy = alice.request.get(desk.alice.address).headers["content-security-policy"]
        assert re.search(r"manifest-src 'self'", policy), policy

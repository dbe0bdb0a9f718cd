"""How the page looks and reads. Each function is one scenario, and begins and ends with phones at rest."""
import re

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import call, change_answers, wait_for


def assistive_technology_is_told_everything(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        for language in ("en", "de"):
            if language == "de":
                alice.locator("#language").click()
            for theme in ("light", "dark"):
                alice.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
                for view in ("calls", "missed", "history", "contacts", "signals", "lines", "setup"):
                    alice.locator(f"#tab-{view}").click()
                    if view == "signals":
                        expect(alice.locator("#ladder svg")).to_be_visible()
                    check_accessibility(alice, language, theme, view)
        alice.locator("#language").click()
        expect(alice.locator("#announcer")).to_have_text("Connected: 102")
    for options in ("?kiosk&dir=rtl&theme=dark", "?dir=rtl"):
        with desk.page(desk.alice, options) as alice:
            check_accessibility(alice, options)
            if "kiosk" in options:
                continue
            # A page without a token and without a session.
            wait_for(lambda: alice.evaluate("sessionStorage.length") == 1)
            alice.evaluate("sessionStorage.clear()")
            alice.reload()
            expect(alice.locator("#sign-in")).to_be_visible()
            check_accessibility(alice, "sign-in")


def no_width_overflows(desk):
    for width, height in ((360, 740), (768, 1024), (1440, 900), (3840, 2160)):
        with desk.page(desk.alice, "?lang=de", width, height) as alice:
            for view in ("calls", "history", "contacts", "signals", "lines", "setup"):
                alice.locator(f"#tab-{view}").click()
                if view == "setup":
                    expect(alice.locator("#setup-routes li").first).to_contain_text("Hörer")
                does_not_overflow(alice)
            smallest = alice.locator("#keypad [data-key='5']").bounding_box()
            assert min(smallest["width"], smallest["height"]) >= 40, (width, smallest)


def right_to_left_is_mirrored(desk):
    with desk.page(desk.alice, "?dir=rtl") as alice:
        phone, side = (alice.locator(place).bounding_box() for place in ("#phone", ".side"))
        assert phone["x"] > side["x"]
        handset, display = (alice.locator(place).bounding_box() for place in ("#handset", "#display"))
        assert handset["x"] > display["x"]
        one, three = (alice.locator(f"[data-key='{key}']").bounding_box() for key in "13")
        assert one["x"] < three["x"]
        does_not_overflow(alice)
        alice.locator("#tab-setup").click()
        expect(alice.locator("#setup-server")).to_be_visible()
        label, field = (alice.locator(place).bounding_box() for place in ("label[for='setup-server']", "#setup-server"))
        assert label["x"] > field["x"]
        does_not_overflow(alice)
    with desk.page(desk.alice, "?kiosk&dir=rtl", 360, 740) as kiosk:
        button, bell = (kiosk.locator(place).bounding_box() for place in ("#kiosk-button", "#kiosk-bell"))
        assert abs(button["x"] + button["width"] / 2 - 180) < 2 and bell["x"] < button["x"]
        does_not_overflow(kiosk)


def german_is_spoken(desk):
    with desk.page(desk.alice, locale="de-DE") as alice:
        expect(alice.locator("html")).to_have_attribute("lang", "de")
        expect(alice.locator("#handset")).to_have_accessible_name("Hörer abheben")
        expect(alice.locator("#tab-history")).to_have_text("Verlauf")
        untranslated = alice.evaluate("""() => import('./words.js').then(words =>
            [...document.querySelectorAll('[data-text], [data-label], [data-placeholder]')].flatMap(one =>
                [one.dataset.text, one.dataset.label, one.dataset.placeholder]).filter(key => key && !words.knows(key)))""")
        assert untranslated == [], untranslated
        alice.locator("#language").click()
        expect(alice.locator("#tab-history")).to_have_text("History")


# Counts the bell's sounds.
STROKES = """(() => {
    window.strokes = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...all) { window.strokes += 1; return start.apply(this, all); };
})()"""


def a_kiosk_has_one_button(desk):
    with desk.page(desk.alice, "?kiosk") as alice, desk.page(
            desk.bob, "?kiosk&number=101", prepare=lambda page: page.add_init_script(STROKES)) as bob:
        # Apart from the one that lets it ring aloud.
        expect(alice.locator("button:visible")).to_have_count(2)
        alice.get_by_role("button", name="Call", exact=True).click()
        bob.get_by_role("button", name="Answer").click()
        expect(alice.locator("#kiosk-state")).to_have_text("Connected")
        expect(bob.locator("#kiosk-name")).to_have_text("Alice Archer")
        assert bob.evaluate("strokes") == 0
        bob.get_by_role("button", name="Hang up").click()
        expect(alice.locator("#kiosk-button")).to_have_text(re.compile("Call|Hang up"))
        wait_for(lambda: not desk.alice.snapshot()["calls"])

        desk.alice.ask("replaceHook")
        wait_for(lambda: desk.alice.snapshot()["hook"] == "onHook")
        bob.get_by_role("button", name="Sound of the bell").click()
        expect(bob.locator("#kiosk-bell")).to_have_attribute("aria-pressed", "true")
        tried = bob.evaluate("strokes")
        alice.get_by_role("button", name="Call", exact=True).click()
        wait_for(lambda: bob.evaluate("strokes") > tried + 40)


def a_kiosk_without_a_number_says_so(desk):
    def forget(result):
        result.get("meanings", {}).pop("speed-1", None)

    text = "This button has no number"
    with desk.page(desk.alice, "?kiosk", prepare=change_answers(forget)) as alice:
        expect(alice.locator("#kiosk-missing")).to_contain_text(text)
        expect(alice.locator("#kiosk-button")).to_have_attribute("aria-disabled", "true")
        check_accessibility(alice, "kiosk")
        alice.locator("#kiosk-button").click(force=True)
        expect(alice.locator("#notice")).to_contain_text(text)
        assert desk.alice.snapshot()["calls"] == []
        german = alice.evaluate("import('./words.js').then(all => { all.speak('de'); return all.words('kioskNoNumber'); })")
        assert german.startswith("Diese Taste hat keine Nummer"), german

"""The page says what the phone says, in the reader's language. Each function is one scenario, and begins and ends with
phones at rest."""
import re

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import call, change_answers, wait_for

SPOILT = "the server says 403 Forbidden"


def spoil(result):
    """The phone reports everything that the line at the top shows as a fault."""
    if "lamps" not in result or "registrations" not in result:
        return
    own = [SPOILT, "Keys fail", "No sound: handset", "Storage fails"]
    german = [SPOILT, "Tasten gestört", "Kein Ton: handset", "Speicher gestört"]
    texts = {"en": ("Not registered", own), "de": ("Nicht angemeldet", german)}
    result["displays"] = {
        code: {"title": title, "detail": "", "notes": notes, "since": None} for code, (title, notes) in texts.items()}
    result.update(
        display=result["displays"]["en"], panelFailed=True, lostDevices=["handset"], faultParts=["storage"],
        clock=result["clock"] - 3_600_000)
    for line in result["registrations"]:
        if line["account"] != 0:
            line.update(state="failed", message=SPOILT)


def the_display_has_the_notes_of_the_phone(desk):
    desk.bob.ask("dial", target=desk.alice.number)
    wait_for(lambda: desk.alice.snapshot()["calls"])
    desk.bob.ask("hangup")
    wait_for(lambda: not desk.alice.snapshot()["calls"])
    with desk.page(desk.alice) as english, desk.page(desk.alice, "?lang=de") as german, desk.page(desk.bob) as bob:
        for is_up in (False, True):
            if is_up:
                call(desk, english, bob)
                desk.alice.ask("setMute", on=True)
            for page, code in ((english, "en"), (german, "de")):
                expect(page.locator("#display-notes")).to_contain_text("missed" if code == "en" else "verpasst")
                if is_up:
                    expect(page.locator("#display-notes")).to_contain_text("Muted" if code == "en" else "Stumm")
                else:
                    title = desk.alice.snapshot()["displays"][code]["title"]
                    expect(page.locator("#display-state")).to_have_text(title)
                wait_for(lambda: page.locator("#display-notes").inner_text() == " · ".join(
                    desk.alice.snapshot()["displays"][code]["notes"]))
    desk.alice.ask("clearMissedCalls")


def every_part_of_the_phone_works_or_says_what_to_do(desk):
    with desk.page(desk.alice) as alice:
        states = {"lines": "good", "sound": "good", "keys": "none", "clock": "good", "storage": "good"}
        for part, state in states.items():
            expect(alice.locator(f"[data-part='{part}']")).to_have_attribute("data-state", state)
        expect(alice.locator("[data-part='lines']")).to_have_accessible_name("Lines 1/1 (works)")
    with desk.page(desk.alice, prepare=change_answers(spoil)) as alice:
        texts = {
            "lines": SPOILT, "sound": "No sound: Handset", "keys": "offhook doctor", "clock": "by 60 min",
            "storage": "df -h"}
        for part, text in texts.items():
            button = alice.locator(f"[data-part='{part}']")
            expect(button).to_have_attribute("data-state", "bad")
            button.click()
            expect(alice.locator("#health-words")).to_contain_text(text)
            expect(button).to_have_attribute("aria-expanded", "true")
        check_accessibility(alice, "health")
        does_not_overflow(alice)
        for part, view, place in (("lines", "lines", "#lines"), ("keys", "setup", "#setup-title-panel")):
            alice.locator(f"[data-part='{part}']").click()
            alice.locator("#health-open").click()
            expect(alice.locator(f"#tab-{view}")).to_have_attribute("aria-selected", "true")
            expect(alice.locator(place)).to_be_in_viewport()
            expect(alice.locator("#health-advice")).to_be_hidden()


def a_german_page_says_nothing_in_english(desk):
    english = re.compile(r"server says|No sound|Keys fail|target|cannot|HTTP|fetch|there is no|out-\d|in-\d")
    with desk.page(desk.alice, "?lang=de", prepare=change_answers(spoil)) as alice:
        expect(alice.locator("#display-state")).to_have_text("Nicht angemeldet")
        expect(alice.locator("#display-notes")).to_have_text(
            "Der Server antwortet 403 Forbidden · Tasten gestört · Kein Ton: Hörer · Speicher gestört")
        for part in ("lines", "sound", "keys", "clock", "storage"):
            alice.locator(f"[data-part='{part}']").click()
            assert not english.search(alice.locator("#health-words").inner_text())
        for view in ("lines", "setup"):
            alice.locator(f"#tab-{view}").click()
            expect(alice.locator(f"#view-{view}")).to_contain_text("Der Server antwortet 403 Forbidden")
            assert not english.search(alice.locator("body").inner_text()), alice.locator("body").inner_text()
        alice.locator("#tab-contacts").click()
        alice.route("**/rpc", lambda route: route.fulfill(json={"jsonrpc": "2.0", "id": 1, "error": {
            "code": -32000, "message": "there is no such call as out-9", "data": {"code": "noSuchCall"}}}))
        alice.keyboard.press("m")
        expect(alice.locator("#notice")).to_have_text("Diesen Anruf gibt es nicht mehr.")
        untold = alice.evaluate("""async () => {
            const [page, words] = await Promise.all([import('./page.js'), import('./words.js')]);
            const told = [
                new TypeError('Failed to fetch'), { name: 'TimeoutError' }, new SyntaxError('Unexpected token'),
                { code: 'http500', message: 'HTTP 500' }, { code: 'anything', message: 'in-3 is busy' },
            ].map(page.faultWords);
            return [...told, words.sentence('trouble', 'soundDevice', 'no such card'), words.registrationWords('x y')];
        }""")
        assert not any(english.search(text) or text == "undefined" for text in untold), untold


def a_message_of_the_phone_names_people_and_not_calls(desk):
    with desk.page(desk.alice) as alice:
        shown = alice.evaluate("""import('./page.js').then(page => {
            page.notice('the call out-9 and in-1.7 ended');
            return document.getElementById('notice-words').textContent;
        })""")
        assert shown == "the call the call and the call ended", shown


def a_notice_stays_until_closed_or_outdated(desk):
    with desk.page(desk.alice) as alice:
        alice.keyboard.press("p")
        expect(alice.locator("#notice")).to_have_text("No call to hold or transfer")
        check_accessibility(alice, "notice")
        alice.get_by_role("button", name="Close").click()
        expect(alice.locator("#notice")).to_be_hidden()
        alice.keyboard.press("p")
        expect(alice.locator("#notice")).to_be_visible()
        # The next action succeeds.
        alice.locator("#tab-lines").click()
        alice.locator("#disturb").click()
        expect(alice.locator("#notice")).to_be_hidden()


def a_removed_contact_comes_back(desk):
    desk.alice.ask("addContact", name="Clara Conrad", number="103")
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-contacts").click()
        alice.get_by_role("button", name="Remove Clara Conrad").click()
        expect(alice.locator("#contacts")).to_have_text("No contacts yet.")
        expect(alice.locator("#notice-words")).to_have_text("Clara Conrad removed.")
        alice.get_by_role("button", name="Undo").click()
        expect(alice.locator("#contacts li")).to_contain_text("Clara Conrad")
        expect(alice.locator("#notice")).to_be_hidden()
    desk.alice.ask("removeContact", number="103")


def letters_work_for_a_call(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        alice.keyboard.press("Tab")
        expect(alice.locator(".skip")).to_be_focused()
        expect(alice.locator(".skip")).to_be_in_viewport()
        alice.keyboard.press("Enter")
        expect(alice.locator("#phone")).to_be_focused()
        desk.bob.ask("dial", target=desk.alice.number)
        expect(alice.locator("#display-state")).to_have_text("Incoming call")
        alice.keyboard.press("a")
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.keyboard.press("p")
        expect(bob.locator("#display-state")).to_have_text("Held by the far end")
        alice.keyboard.press("p")
        expect(bob.locator("#display-state")).to_have_text("Connected")
        alice.keyboard.press("t")
        expect(alice.locator(".card form input")).to_be_focused()
        expect(alice.locator(".card form input")).to_have_value("")
        alice.keyboard.press("Escape")
        alice.keyboard.press("e")
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "onHook")


def a_key_without_a_use_now_is_grey_and_says_why(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        reasons = {"hold": "No call", "mute": "No call", "conference": "two calls", "transfer": "No call"}
        for key, why in reasons.items():
            button = alice.locator(f"[data-key='{key}']")
            expect(button).to_have_attribute("aria-disabled", "true")
            expect(button).to_have_attribute("title", re.compile(why))
            button.click(force=True)
            expect(alice.locator("#notice")).to_contain_text(why)
        assert "grayscale" in alice.locator("[data-key='hold']").evaluate("key => getComputedStyle(key).filter")
        call(desk, alice, bob)
        for key in ("hold", "mute", "transfer"):
            expect(alice.locator(f"[data-key='{key}']")).not_to_have_attribute("aria-disabled", "true")

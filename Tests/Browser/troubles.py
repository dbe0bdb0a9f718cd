"""What does not work, as the page shows it. Each function is one scenario, and begins and ends with phones at rest."""
import re

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import call, change_answers
from truth import spoil


def the_page_shows_the_phones_own_alarms(desk):
    with desk.page(desk.alice, prepare=change_answers(spoil)) as alice:
        expect(alice.locator("#display-state")).to_have_text("Not registered")
        expect(alice.locator("#display-line")).to_contain_text("Not registered")
        notes = "the server says 403 Forbidden · Keys fail · No sound: handset · Storage fails"
        expect(alice.locator("#display-notes")).to_have_text(notes)
        alice.locator("#handset").click()
        expect(alice.locator("#display-name")).to_have_text("Dial tone")
        expect(alice.locator("#display-notes")).to_have_text(notes)
        alice.locator("#handset").click()
        alice.locator("#tab-setup").click()
        expect(alice.locator("#setup-mark-panel")).to_have_text("open")
        expect(alice.locator("#setup-panel-words")).to_contain_text("offhook doctor")
        check_accessibility(alice, "alarms")
        does_not_overflow(alice)
        alice.locator("#language").click()
        expect(alice.locator("#display-state")).to_have_text("Nicht angemeldet")
        expect(alice.locator("#display-notes")).to_have_text(
            "Der Server antwortet 403 Forbidden · Tasten gestört · Kein Ton: Hörer · Speicher gestört")
    with desk.page(desk.alice, "?kiosk", prepare=change_answers(spoil)) as kiosk:
        expect(kiosk.locator("#kiosk-state")).to_have_text("Not registered")
        expect(kiosk.locator("#kiosk-notes")).to_have_text("the server says 403 Forbidden · Keys fail · No sound: handset")
        check_accessibility(kiosk, "kiosk with alarms")


def a_phone_that_does_not_answer_is_shown_as_dead(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        expect(alice.locator("#display-timer")).not_to_be_empty()
        alice.context.set_offline(True)
        # On a loopback-only machine the browser has long reported that it is offline.
        alice.evaluate("dispatchEvent(new Event('offline'))")
        expect(alice.locator("#offline")).to_contain_text("does not answer")
        for place in ("#handset", "#tab-history", "[data-key='5']", "#dial-number", ".card .stop", "[data-part='lines']"):
            expect(alice.locator(place).first).to_be_disabled()
        assert "grayscale" in alice.locator("#phone").evaluate("phone => getComputedStyle(phone).filter")
        timer = alice.locator("#display-timer").inner_text()
        alice.locator("[data-key='5']").click(force=True)
        alice.keyboard.press("m")
        alice.wait_for_timeout(1_500)
        assert alice.locator("#display-timer").inner_text() == timer
        expect(alice.locator("#notice")).to_be_hidden()
        # One message is enough.
        expect(alice.locator("#link-words")).to_be_hidden()
        assert "fetch" not in alice.locator("body").inner_text()
        assert not desk.alice.snapshot()["muted"]
        check_accessibility(alice, "dead")
        alice.context.set_offline(False)
        expect(alice.locator("#offline")).to_be_hidden(timeout=30_000)
        expect(alice.locator("#handset")).to_be_enabled()
        expect(alice.locator("#display-timer")).not_to_have_text(timer)
        alice.locator("#handset").click()
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "onHook")


def whoever_guesses_tokens_is_told_to_wait(desk):
    made = desk.browser.new_context(locale="en-GB")
    try:
        page = made.new_page()
        page.goto(desk.bob.address)
        expect(page.locator("#sign-in")).to_contain_text("offhook ctl token add browser --scope call")
        for _ in range(8):
            page.locator("#token").fill("wrong")
            page.locator("#token").press("Enter")
            expect(page.locator("#sign-in-fault")).to_be_visible()
            if "Too many" in page.locator("#sign-in-fault").inner_text():
                break
        expect(page.locator("#sign-in-fault")).to_have_text(re.compile(r"^Too many attempts with wrong tokens: wait \d+ s\.$"))
        expect(page.locator("#offline")).to_be_hidden()
        check_accessibility(page, "too many tokens")
        # It is not shown for longer than it is true.
        expect(page.locator("#sign-in-fault")).to_be_hidden(timeout=70_000)
        page.locator("#token").fill(desk.bob.token)
        page.locator("#token").press("Enter")
        expect(page.locator("#link")).to_have_attribute("data-state", "online")
    finally:
        made.close()


def a_transfer_that_fails_says_who_and_to_whom(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        card = alice.locator(".card")
        card.get_by_role("button", name="Transfer").click()
        card.locator("form input").fill("999")
        card.locator("form input").press("Enter")
        expect(alice.locator("#notice")).to_have_text(f"Transfer of {desk.bob.number} to 999 failed")
        # The message of the last attempt disappears with the next action.
        alice.keyboard.press("m")
        expect(alice.locator("#notice")).to_be_hidden(timeout=3_000)
        expect(alice.locator("#display-state")).to_have_text("Connected")


def a_key_that_means_nothing_says_so(desk):
    with desk.page(desk.alice) as alice:
        voicemail = alice.locator("[data-key='voicemail']")
        expect(voicemail).to_have_attribute("aria-disabled", "true")
        voicemail.click(force=True)
        expect(alice.locator("#notice")).to_contain_text("calls.voicemail")


def the_lamp_of_the_voicemail_key_is_for_messages(desk):
    for waiting, pattern in ((0, "off"), (2, "slowBlink")):
        def light(result):
            if "lamps" in result and "registrations" in result:
                result["lamps"]["message"] = "slowBlink"
                result.update(missedCount=1, messagesWaiting=waiting)

        with desk.page(desk.alice, prepare=change_answers(light)) as alice:
            expect(alice.locator("[data-key='voicemail'] .lamp")).to_have_attribute("data-pattern", pattern)
            expect(alice.locator(".light-bar [data-lamp='message']")).to_have_attribute("data-pattern", "slowBlink")


def a_contact_has_a_number_that_can_be_dialled(desk):
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-contacts").click()
        alice.locator("#contact-name").fill("Max")
        alice.locator("#contact-number").fill("not a number")
        alice.locator("#contact-number").press("Enter")
        expect(alice.locator("#notice")).to_contain_text("“not a number” cannot be dialled")
        expect(alice.locator("#contacts")).to_have_text("No contacts yet.")
        alice.locator("#contact-number").fill("+49 30 1234")
        alice.locator("#contact-number").press("Enter")
        expect(alice.locator("#contacts li")).to_contain_text("+49301234")
        expect(alice.locator("#notice")).to_be_hidden()
        alice.locator("#contacts").get_by_role("button", name=re.compile("^Remove")).click()
        expect(alice.locator("#contacts")).to_have_text("No contacts yet.")

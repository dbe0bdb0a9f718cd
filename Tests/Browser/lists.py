"""Missed calls, history and contacts. Each function is one scenario, and begins and ends with phones at rest."""
import re

from playwright.sync_api import expect

from desk import wait_for


def lists_call_and_forget(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        desk.bob.ask("dial", target=desk.alice.number)
        expect(alice.locator("#display-state")).to_have_text("Incoming call")
        desk.bob.ask("hangup")
        alice.locator("#tab-missed").click()
        expect(alice.locator("#missed li").first).to_contain_text("Bob Baker")
        alice.locator("#tab-contacts").click()
        alice.locator("#contact-name").fill("Robert <b>Baker</b>")
        alice.locator("#contact-number").fill(desk.bob.number)
        alice.locator("#contact-number").press("Enter")
        expect(alice.locator("#contacts li")).to_contain_text("Robert <b>Baker</b>")
        alice.locator("#contacts").get_by_role("button", name=re.compile("^Call")).click()
        expect(bob.locator("#display-state")).to_have_text("Incoming call")
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "offHook")
        alice.keyboard.press("Escape")
        alice.locator("#contacts").get_by_role("button", name=re.compile("^Remove")).click()
        expect(alice.locator("#contacts")).to_have_text("No contacts yet.")
        alice.locator("#tab-missed").click()
        alice.locator("#missed-clear").click()
        expect(alice.locator("#missed")).to_have_text("No missed calls.")
        alice.locator("#tab-signals").click()
        expect(alice.locator("#ladder text").filter(has_text="INVITE").first).to_be_visible()


def cards_come_and_go(desk):
    cards = "".join(
        f"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:{name}\r\nTEL:{number}\r\nEND:VCARD\r\n"
        for name, number in (("Zoë <i>", "201"), ("Yannis", "202")))
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-contacts").click()
        alice.locator("#contacts-file").set_input_files(
            {"name": "two.vcf", "mimeType": "text/vcard", "buffer": cards.encode()})
        expect(alice.locator("#contacts li")).to_have_count(2)
        expect(alice.locator("#contacts li").first).to_contain_text("Zoë <i>")
        with alice.expect_download() as saved:
            alice.locator("#contacts-export").click()
        with open(saved.value.path(), encoding="utf-8") as file:
            text = file.read()
        assert saved.value.suggested_filename == "contacts.vcf" and text.count("BEGIN:VCARD") == 2, text
        assert "Zoë <i>" in text and "202" in text, text
        for name in ("Zoë", "Yannis"):
            alice.locator("#contacts").get_by_role("button", name=re.compile(f"^Remove {name}")).click()
        expect(alice.locator("#contacts")).to_have_text("No contacts yet.")


def miss(desk, page):
    """Bob calls Alice, and cancels."""
    desk.bob.ask("dial", target=desk.alice.number)
    expect(page.locator("#display-state")).to_have_text("Incoming call")
    desk.bob.ask("hangup")
    expect(page.locator("#display-state")).not_to_have_text("Incoming call")


def missed_calls_outlive_the_phone(desk):
    with desk.page(desk.alice) as alice:
        desk.alice.ask("clearMissedCalls")
        miss(desk, alice)
        before = desk.alice.snapshot()["at"]
        desk.alice.ask("restart")
        expect(alice.locator("#link")).not_to_have_attribute("data-state", "online")
        expect(alice.locator("#link")).to_have_attribute("data-state", "online", timeout=30_000)
        told = desk.alice.snapshot()
        assert len(told["missed"]) == 1 and told["missedCount"] == 1 and told["at"] > 0, (before, told)
        miss(desk, alice)
        alice.locator("#tab-missed").click()
        expect(alice.locator("#tab-missed .count")).to_have_text("2")
        expect(alice.locator("#missed li")).to_have_count(2)
        for place in (0, 1):
            expect(alice.locator("#missed li").nth(place)).to_contain_text("Bob Baker")
        # The missed call of the former run can be called, too.
        alice.locator("#missed li").nth(1).get_by_role("button", name="Call Bob Baker").click()
        wait_for(lambda: desk.bob.snapshot()["calls"])
        alice.keyboard.press("Escape")
        alice.locator("#missed-clear").click()
        expect(alice.locator("#missed")).to_have_text("No missed calls.")
        expect(alice.locator("#tab-missed .count")).to_have_count(0)


def the_history_calls(desk):
    with desk.page(desk.alice) as alice:
        desk.alice.ask("dial", target=desk.bob.number)
        wait_for(lambda: desk.bob.snapshot()["calls"])
        desk.alice.ask("hangup")
        wait_for(lambda: not desk.bob.snapshot()["calls"])
        alice.locator("#tab-history").click()
        first = alice.locator("#history li").first
        expect(first).to_contain_text(desk.bob.number)
        first.get_by_role("button", name=re.compile("^Call")).click()
        wait_for(lambda: [one["number"] for one in desk.bob.snapshot()["calls"]] == [desk.alice.number])
        alice.keyboard.press("Escape")


def card(name, number, *more):
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"FN:{name}", f"TEL:{number}", *more, "END:VCARD", ""])


def a_long_address_book_comes_whole(desk):
    """More cards than one answer has, one with a picture that is longer than a request, and one that is too long."""
    photo = ["PHOTO;ENCODING=b;TYPE=JPEG:" + "A" * 40, *[" " + "B" * 74] * 1_200]
    cards = [card(f"Person {place:03}", 3_000 + place) for place in range(148)]
    cards += [card("Pictured", 4_000, *photo), card("Verbose", 4_001, "NOTE:" + "n" * 90_000), card("Last", 4_002)]
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-contacts").click()
        alice.locator("#contacts-file").set_input_files({"name": "all.vcf", "mimeType": "text/vcard", "buffer": "".join(cards).encode()})
        expect(alice.locator("#contacts li")).to_have_count(150)
        expect(alice.locator("#notice")).to_have_text("Skipped 1 cards that are too long.")
        with alice.expect_download() as saved:
            alice.locator("#contacts-export").click()
        with open(saved.value.path(), encoding="utf-8") as file:
            names = re.findall(r"^FN:(.*?)\r?$", file.read(), re.M)
        assert len(set(names)) == 150 and {"Pictured", "Last", "Person 147"} <= set(names), names
        for number in [*range(3_000, 3_148), 4_000, 4_002]:
            desk.alice.ask("removeContact", number=str(number))

"""What a person relies on of the front panel. Each function is one scenario, and begins and ends with phones at rest."""
import re
import socket

from playwright.sync_api import expect

from desk import STRANGER, call, colour, lamp, wait_for


def a_whole_call_by_mouse(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        expect(bob.locator("#display-name")).to_have_text("Alice Archer")
        expect(bob.locator(".card .who b")).to_have_text("Alice Archer")
        expect(alice.locator("#display-timer")).to_have_text(re.compile(r"^00:0[2-9]$"))
        alice.locator("[data-key='hold']").click()
        expect(alice.locator("#display-state")).to_have_text("On hold")
        expect(bob.locator("#display-state")).to_have_text("Held by the far end")
        alice.locator(".card").get_by_role("button", name="Resume").click()
        expect(bob.locator("#display-state")).to_have_text("Connected")
        handset = alice.locator("#handset").bounding_box()
        middle = (handset["x"] + handset["width"] / 2, handset["y"] + handset["height"] / 2)
        alice.mouse.move(*middle)
        alice.mouse.down()
        alice.mouse.move(middle[0] + 60, middle[1] + 40, steps=5)
        alice.mouse.up()
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "onHook")
        expect(bob.locator("#display-state")).to_have_text("The far end hung up")
        wait_for(lambda: not desk.bob.snapshot()["calls"])


def lamps_are_the_phones(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        dark = colour(lamp(alice, "mute"))
        desk.alice.ask("dial", target=desk.bob.number)
        expect(lamp(bob, "ringing")).to_have_attribute("data-pattern", "fastBlink")
        expect(bob.locator("body")).to_have_attribute("data-bell", "striking")
        assert lamp(bob, "ringing").evaluate("lamp => getComputedStyle(lamp).animationDuration") == "0.25s"
        desk.bob.ask("liftHook")
        expect(lamp(bob, "line")).to_have_attribute("data-pattern", "on")
        green = colour(lamp(bob, "line"))
        assert green[1] > green[0] and green[1] > green[2], green
        expect(bob.locator("[data-key='mute']")).to_have_accessible_name(re.compile("lamp: off"))
        bob.locator("[data-key='mute']").click()
        expect(lamp(bob, "mute")).to_have_attribute("data-pattern", "on")
        red = colour(lamp(bob, "mute"))
        assert red != dark and red[0] > red[1] and red[0] > red[2], red
        expect(bob.locator("[data-key='mute']")).to_have_accessible_name(re.compile("lamp: on"))
        assert desk.bob.snapshot()["muted"]
        bob.locator("[data-key='hold']").click()
        expect(lamp(bob, "hold")).to_have_attribute("data-pattern", "slowBlink")


def a_reload_in_mid_call_changes_nothing(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        assert "token" not in alice.evaluate("location.href + JSON.stringify([localStorage, sessionStorage]) + document.cookie")
        before = desk.alice.snapshot()["calls"][0]
        alice.reload()
        expect(alice.locator("#sign-in")).to_be_visible()
        alice.locator("#token").fill("ohk_wrong")
        alice.get_by_role("button", name="Open the panel").click()
        expect(alice.locator("#sign-in-fault")).to_be_visible()
        alice.locator("#token").fill(desk.alice.token)
        alice.get_by_role("button", name="Open the panel").click()
        expect(alice.locator("#display-state")).to_have_text("Connected")
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "offHook")
        expect(alice.locator("#display-timer")).to_have_text(re.compile(r"^\d\d:\d\d$"))
        after = desk.alice.snapshot()["calls"][0]
        assert (before["call"], before["answered"]) == (after["call"], after["answered"])


def two_tabs_show_one_phone(desk):
    with desk.page(desk.alice) as first, desk.page(desk.alice) as second, desk.page(desk.bob) as bob:
        call(desk, first, bob)
        expect(second.locator("#display-state")).to_have_text("Connected")
        second.locator("[data-key='mute']").click()
        expect(lamp(first, "mute")).to_have_attribute("data-pattern", "on")
        second.locator("#handset").click()
        expect(first.locator("#phone")).to_have_attribute("data-hook", "onHook")


def offline_and_back(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        alice.context.set_offline(True)
        # Where there is nothing but loopback the browser was told long ago that it is offline.
        alice.evaluate("dispatchEvent(new Event('offline'))")
        expect(alice.locator("#offline")).to_be_visible()
        expect(alice.locator("#link")).to_have_attribute("data-state", "offline")
        assert len(desk.alice.snapshot()["calls"]) == 1
        desk.alice.ask("setMute", on=True)
        alice.context.set_offline(False)
        expect(alice.locator("#offline")).to_be_hidden()
        expect(lamp(alice, "mute")).to_have_attribute("data-pattern", "on")


def the_keyboard_is_enough(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        alice.keyboard.press("h")
        expect(alice.locator("#display-name")).to_have_text("Dial tone")
        for key in desk.bob.number:
            alice.keyboard.press(key)
        alice.keyboard.press("#")
        expect(bob.locator("#display-state")).to_have_text("Incoming call")
        bob.locator("#handset").focus()
        bob.keyboard.press("Enter")
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.keyboard.press("m")
        expect(lamp(alice, "mute")).to_have_attribute("data-pattern", "on")
        alice.locator("#tab-calls").focus()
        alice.keyboard.press("ArrowRight")
        expect(alice.locator("#tab-missed")).to_be_focused()
        expect(alice.locator("#view-missed")).to_be_visible()
        alice.keyboard.press("Escape")
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "onHook")
        everything_can_be_reached(alice)


def everything_can_be_reached(page):
    """Tab goes through every control that is shown, in the order of the page, and each shows that it is there."""
    shown = page.evaluate("""() => [...document.querySelectorAll('button, input, select, [tabindex="0"]')].filter(one =>
        one.checkVisibility() && !one.disabled && one.tabIndex >= 0).length""")
    page.locator("h1").click()
    page.evaluate("document.activeElement.blur()")
    seen = []
    for _ in range(shown):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("""() => {
            const one = document.activeElement;
            window.order ??= [...document.querySelectorAll('*')];
            return [window.order.indexOf(one), one === document.body || getComputedStyle(one).outlineStyle !== 'none'];
        }"""))
    assert len({place for place, _ in seen}) == shown, (shown, seen)
    assert all(is_visible for _, is_visible in seen), seen
    assert [place for place, _ in seen] == sorted(place for place, _ in seen), seen


def a_hostile_caller_stays_a_text(desk):
    name = "<img src=x onerror=alert(1)>\u202eevil\u2066 \u200b" + "A" * 3_000
    with desk.page(desk.alice) as alice:
        knock(desk.alice, name)
        expect(alice.locator("#display-state")).to_have_text("Incoming call")
        shown = alice.locator("#display-name").inner_text()
        assert shown.startswith("<img src=x") and len(shown) <= 80, shown
        assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\x00-\x1f]", shown), ascii(shown)
        assert alice.locator("main img").count() == 0
        assert alice.locator("#display-name").evaluate("name => getComputedStyle(name).unicodeBidi") == "isolate"
        does_not_overflow(alice)
        cut = alice.evaluate("import('./page.js').then(page => page.clean('\\u0007\\u202e' + 'x'.repeat(65536)))")
        assert cut == "x" * 79 + "…", cut
        desk.alice.ask("hangup")
        alice.locator("#tab-history").click()
        expect(alice.locator("#history li").first).to_contain_text("<img src=x")


def knock(panel, name):
    """Calls from a peer's address with a display name of our own (RFC 3261 §25.1: a quoted string)."""
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


def assistive_technology_is_told_everything(desk):
    from axe_playwright_python.sync_playwright import Axe
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        for theme in ("light", "dark"):
            alice.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            for view in ("calls", "missed", "history", "contacts", "signals", "lines")[:6 if theme == "light" else 2]:
                alice.locator(f"#tab-{view}").click()
                if view == "signals":
                    expect(alice.locator("#ladder svg")).to_be_visible()
                found = Axe().run(alice, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
                assert found.violations_count == 0, (theme, view, found.generate_report())
        expect(alice.locator("#announcer")).to_have_text("Connected: 102")


def no_width_overflows(desk):
    for width, height in ((360, 740), (768, 1024), (1440, 900), (3840, 2160)):
        with desk.page(desk.alice, "?lang=de", width, height) as alice:
            for view in ("calls", "history", "contacts", "signals", "lines"):
                alice.locator(f"#tab-{view}").click()
                does_not_overflow(alice)
            smallest = alice.locator("#keypad [data-key='5']").bounding_box()
            assert min(smallest["width"], smallest["height"]) >= 40, (width, smallest)


def does_not_overflow(page):
    page_width, width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert page_width <= width, (page_width, width)


def right_to_left_is_mirrored(desk):
    with desk.page(desk.alice, "?dir=rtl") as alice:
        phone, side = (alice.locator(place).bounding_box() for place in ("#phone", ".side"))
        assert phone["x"] > side["x"]
        handset, display = (alice.locator(place).bounding_box() for place in ("#handset", "#display"))
        assert handset["x"] > display["x"]
        one, three = (alice.locator(f"[data-key='{key}']").bounding_box() for key in "13")
        assert one["x"] < three["x"]
        does_not_overflow(alice)


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


def a_kiosk_has_one_button(desk):
    with desk.page(desk.alice, "?kiosk") as alice, desk.page(desk.bob, "?kiosk&number=101") as bob:
        expect(alice.locator("button:visible")).to_have_count(1)
        alice.get_by_role("button", name="Call", exact=True).click()
        bob.get_by_role("button", name="Answer").click()
        expect(alice.locator("#kiosk-state")).to_have_text("Connected")
        expect(bob.locator("#kiosk-name")).to_have_text("Alice Archer")
        bob.get_by_role("button", name="Hang up").click()
        expect(alice.locator("#kiosk-button")).to_have_text(re.compile("Call|Hang up"))
        wait_for(lambda: not desk.alice.snapshot()["calls"])


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

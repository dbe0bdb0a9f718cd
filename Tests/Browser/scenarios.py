"""What a person relies on of the front panel. Each function is one scenario, and begins and ends with phones at rest."""
import re
import socket

from playwright.sync_api import expect

from desk import STRANGER, Registrar, call, colour, dial, lamp, tab_to, wait_for, wait_for_ringing


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
        dial(alice, desk.bob.number + "#", press=alice.keyboard.press)
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


def check_accessibility(page, *place):
    """No fault by the rules of WCAG 2.1 that a program can judge."""
    from axe_playwright_python.sync_playwright import Axe
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert found.violations_count == 0, (*place, found.generate_report())


def assistive_technology_is_told_everything(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        for theme in ("light", "dark"):
            alice.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            for view in ("calls", "missed", "history", "contacts", "signals", "lines", "setup")[:7 if theme == "light" else 2]:
                alice.locator(f"#tab-{view}").click()
                if view == "signals":
                    expect(alice.locator("#ladder svg")).to_be_visible()
                check_accessibility(alice, theme, view)
        expect(alice.locator("#announcer")).to_have_text("Connected: 102")


def no_width_overflows(desk):
    for width, height in ((360, 740), (768, 1024), (1440, 900), (3840, 2160)):
        with desk.page(desk.alice, "?lang=de", width, height) as alice:
            for view in ("calls", "history", "contacts", "signals", "lines", "setup"):
                alice.locator(f"#tab-{view}").click()
                if view == "setup":
                    expect(alice.locator("#setup-routes li")).to_contain_text("Hörer")
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


def the_keys_of_a_real_panel_mean_something(desk):
    def claim_real(page):
        """The same phone, whose panel says that it is no simulation."""
        def pass_on(route):
            answer = route.fetch()
            body = answer.json()
            if isinstance(body.get("result"), dict) and "simulated" in body["result"]:
                body["result"]["simulated"] = False
            route.fulfill(response=answer, json=body)
        page.route("**/rpc", pass_on)

    with desk.page(desk.alice, prepare=claim_real) as alice:
        voicemail = alice.locator("[data-key='voicemail']")
        expect(voicemail).to_have_attribute("aria-disabled", "true")
        expect(voicemail).to_have_attribute("title", re.compile("calls.voicemail"))
        # Whoever presses it all the same is told why nothing happens.
        voicemail.click(force=True)
        expect(alice.locator("#notice")).to_contain_text("calls.voicemail")
        alice.locator("[data-key='transfer']").click()
        expect(alice.locator("#notice")).to_have_text("No call to hold or transfer")
        alice.locator("[data-key='line-1']").click()
        expect(alice.locator("#notice")).to_contain_text("goes out on desk")
        expect(alice.locator("#dial-number")).to_be_focused()
        alice.keyboard.type(desk.bob.number)
        alice.keyboard.press("Enter")
        # Requests of this page are passed on only while Playwright is waited for.
        expect(alice.locator("#display-state")).to_have_text("Ringing there")
        desk.bob.ask("answer")
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.locator("[data-key='flash']").click()
        expect(alice.locator("#display-state")).to_have_text("On hold")
        alice.locator("[data-key='line-1']").click()
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.locator("[data-key='transfer']").click()
        expect(alice.locator(".card form input")).to_be_focused()


def a_phone_is_set_up_without_a_mouse(desk):
    """The last scenario: Alice has another account afterwards."""
    secret, registrar = "correct horse", Registrar("403 Forbidden")
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-calls").focus()
        alice.keyboard.press("ArrowLeft")
        expect(alice.locator("#tab-setup")).to_be_focused()
        expect(alice.locator("#setup-routes li")).to_contain_text("Handset")
        expect(alice.locator("#setup-mark-sound")).to_have_text("done")
        expect(alice.locator("#setup-key")).to_contain_text("lies in clear beside it")
        expect(alice.locator("#setup-seal-command")).to_contain_text("offhook vault seal")
        for button, words in (("Play a tone: Handset", "Did you hear it?"), ("Record and hear: Handset", "Silence")):
            alice.get_by_role("button", name=button).focus()
            alice.keyboard.press("Enter")
            expect(alice.locator("#setup-sound-words")).to_contain_text(words)

        # Other tones: shown first, written when she says so, heard from the next start on.
        alice.locator("#setup-choose-sound summary").focus()
        alice.keyboard.press("Enter")
        tab_to(alice, "setup-choose-country")
        alice.keyboard.type("GB")
        expect(alice.locator("#setup-diff")).to_contain_text(re.compile(r"^\+ +country: GB$", re.M))
        tab_to(alice, "setup-discard")
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-files")).to_be_hidden()
        alice.locator("#setup-choose-country").focus()
        alice.keyboard.type("GB")
        expect(alice.locator("#setup-diff")).to_contain_text("country: GB")
        check_accessibility(alice)
        tab_to(alice, "setup-write")
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-files-words")).to_contain_text("Written.")
        expect(alice.locator("#setup-restart")).to_be_focused()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-cards")).to_contain_text("Tones of GB", timeout=30_000)
        expect(alice.locator("#setup-restart-part")).to_be_hidden()

        tab_to(alice, "setup-label")
        for name, text in (("server", registrar.address), ("user", "101"), ("password", secret)):
            tab_to(alice, f"setup-{name}")
            alice.keyboard.type(text)
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-account-words")).to_have_text(re.compile(r"The server forbids it \(403 Forbidden\)"))
        expect(alice.locator("#setup-keep")).to_have_text("Keep it all the same")
        expect(alice.locator("#setup-password")).to_have_value("")
        assert secret not in alice.content()

        registrar.status = "200 OK"
        alice.locator("#setup-password").focus()
        alice.keyboard.type(secret)
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-account-words")).to_contain_text("Registered at 127.0.0.1")
        expect(alice.locator("#setup-preview")).to_have_text(f"+ office: 101 @ {registrar.address}, udp, voice encrypted always, with its password")
        check_accessibility(alice)

        # A reload finds where it was; nothing is in the browser.
        assert secret not in alice.evaluate("JSON.stringify([localStorage, sessionStorage]) + document.cookie")
        alice.reload()
        alice.locator("#token").fill(desk.alice.token)
        alice.locator("#token").press("Enter")
        expect(alice.locator("#link")).to_have_attribute("data-state", "online")
        alice.locator("#tab-setup").click()
        expect(alice.locator("#setup-preview")).to_contain_text("office: 101")
        alice.locator("#language").click()
        expect(alice.locator("#setup-account-words")).to_contain_text("angemeldet")
        expect(alice.locator("#setup-keep")).to_have_text("Dieses Konto behalten")
        alice.locator("#language").click()
        alice.locator("#setup-keep").focus()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-accounts")).to_contain_text("from the next start on")
        expect(alice.locator("#setup-restart")).to_be_focused()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-accounts")).to_contain_text("Registered", timeout=30_000)
        expect(alice.locator("#setup-restart-part")).to_be_hidden()

        alice.get_by_role("button", name="Call this phone itself").focus()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-call-words")).to_contain_text("The call came back from the server")
        expect(alice.locator("#setup-hangup")).to_be_hidden()
        wait_for(lambda: not desk.alice.snapshot()["calls"])
        desk.alice.ask("replaceHook")
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "onHook")
        wait_for(lambda: desk.alice.snapshot()["hook"] == "onHook")

        alice.locator("#setup-number").focus()
        alice.keyboard.type(desk.bob.number)
        alice.keyboard.press("Enter")
        wait_for_ringing(desk.bob, desk.alice)
        desk.bob.ask("liftHook")
        expect(alice.locator("#setup-call-words")).to_contain_text("Voice came back.")
        expect(alice.locator("#setup-mark-call")).to_have_text("done")
        tab_to(alice, "setup-hangup")
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-hangup")).to_be_hidden()

        alice.locator("#tab-lines").click()
        office = alice.locator("#lines li").filter(has_text="office")
        alice.get_by_role("button", name="Disconnect").click()
        expect(office).to_contain_text("Disconnected")
        alice.get_by_role("button", name="Connect", exact=True).click()
        expect(office).to_contain_text("Registered")


def setup_is_german_and_narrow(desk):
    with desk.page(desk.alice, "?lang=de", 360, 740) as alice:
        alice.locator("#tab-setup").click()
        alice.locator("#setup-server").fill("127.0.0.1:9")
        alice.locator("#setup-user").fill("102")
        alice.locator("#setup-label").fill("zweites")
        alice.locator("#setup-transport").select_option("tcp")
        alice.get_by_role("button", name="Ausprobieren").click()
        expect(alice.locator("#setup-account-words")).to_contain_text("hört für diesen Transport niemand zu")
        expect(alice.locator("#setup-preview")).to_contain_text("Sprache immer verschlüsselt, ohne Passwort")
        does_not_overflow(alice)

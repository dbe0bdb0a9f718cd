"""Calls by mouse, keyboard and touch. Each function is one scenario, and begins and ends with phones at rest."""
import base64
import re
import struct
import zlib

from playwright.sync_api import expect

from checks import does_not_overflow, everything_can_be_reached
from desk import call, change_answers, colour, dial, knock, lamp, wait_for


def a_whole_call_by_mouse(desk):
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        expect(bob.locator("#display-name")).to_have_text("Alice Archer")
        expect(bob.locator(".card .who b")).to_have_text("Alice Archer")
        expect(alice.locator("#display-timer")).to_have_text(re.compile(r"^00:0[2-9]$"))
        for page in (alice, bob):
            expect(page.locator(".card .mark.good").filter(has_text="Encrypted")).to_be_visible()
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


def words_are_compared_once(desk):
    """Both read the same words, and confirm it; a compared far end is recognised later."""
    with desk.page(desk.alice) as alice, desk.page(desk.bob) as bob:
        call(desk, alice, bob)
        asked = [page.locator(".card p").filter(has_text="Read aloud and compare: ") for page in (alice, bob)]
        read = [one.inner_text().removeprefix("Read aloud and compare: ") for one in asked]
        assert read[0] == read[1] and len(read[0].split()) == 4, read
        for page, one in zip((alice, bob), asked):
            expect(page.locator(".card .mark.good").filter(has_text="Encrypted (DTLS)")).to_be_visible()
            page.locator(".card").get_by_role("button", name="The words agree").click()
            expect(page.locator(".card .mark.good").filter(has_text="Encrypted, words compared")).to_be_visible()
            expect(one).to_be_hidden()
        alice.locator("#handset").click()
        wait_for(lambda: not desk.alice.snapshot()["calls"] and not desk.bob.snapshot()["calls"])
        bob.locator("#handset").click()
        call(desk, alice, bob)
        for page, one in zip((alice, bob), asked):
            expect(page.locator(".card .mark.good").filter(has_text="Encrypted, words compared")).to_be_visible()
            expect(one).to_be_hidden()


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
        before = desk.alice.snapshot()["calls"][0]
        wait_for(lambda: has_session(alice))
        kept = alice.evaluate("location.href + JSON.stringify([localStorage, sessionStorage]) + document.cookie")
        assert desk.alice.token not in kept and "token" not in kept, kept
        alice.reload()
        expect(alice.locator("#display-state")).to_have_text("Connected")
        expect(alice.locator("#sign-in")).to_be_hidden()
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "offHook")
        expect(alice.locator("#display-timer")).to_have_text(re.compile(r"^\d\d:\d\d$"))
        after = desk.alice.snapshot()["calls"][0]
        assert (before["call"], before["answered"]) == (after["call"], after["answered"])
        # The session works for requests, too, and lives on in another reload.
        alice.locator("[data-key='hold']").click()
        expect(lamp(alice, "hold")).to_have_attribute("data-pattern", "slowBlink")
        alice.reload()
        expect(lamp(alice, "hold")).to_have_attribute("data-pattern", "slowBlink")


def has_session(page):
    return page.evaluate("sessionStorage.length") == 1


def a_session_is_of_its_tab_and_ends_with_its_token(desk):
    token = desk.alice.ask("addToken", label="tab", scope="call")["token"]
    with desk.page(desk.alice) as alice:
        cookies = alice.context.cookies()
        assert all(one["httpOnly"] and one["sameSite"] == "Strict" for one in cookies), cookies
        # Another tab has the cookies, and no session.
        tab = alice.context.new_page()
        tab.goto(desk.alice.address)
        expect(tab.locator("#sign-in")).to_be_visible()
        tab.locator("#token").fill("ohk_wrong")
        tab.get_by_role("button", name="Open the panel").click()
        expect(tab.locator("#sign-in-fault")).to_be_visible()
        tab.locator("#token").fill(token)
        tab.get_by_role("button", name="Open the panel").click()
        expect(tab.locator("#link")).to_have_attribute("data-state", "online")
        wait_for(lambda: has_session(tab))
        # A link in an open tab signs in without a reload, and leaves no token in the address.
        tab.evaluate("token => { location.hash = `token=${token}`; }", token)
        wait_for(lambda: "token" not in tab.evaluate("location.href"))
        tab.reload()
        expect(tab.locator("#link")).to_have_attribute("data-state", "online")
        desk.alice.ask("removeToken", label="tab")
        expect(tab.locator("#sign-in")).to_be_visible()
        tab.reload()
        expect(tab.locator("#sign-in")).to_be_visible()
        assert not has_session(tab)
        # The session of the first tab has another token.
        wait_for(lambda: has_session(alice))
        alice.reload()
        expect(alice.locator("#link")).to_have_attribute("data-state", "online")


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
        # On a loopback-only machine the browser has long reported that it is offline.
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


def the_keys_of_a_real_panel_mean_something(desk):
    def claim_real(result):
        """The same phone, whose panel claims to be no simulation."""
        if "simulated" in result:
            result["simulated"] = False

    with desk.page(desk.alice, prepare=change_answers(claim_real)) as alice:
        voicemail = alice.locator("[data-key='voicemail']")
        expect(voicemail).to_have_attribute("aria-disabled", "true")
        expect(voicemail).to_have_attribute("title", re.compile("calls.voicemail"))
        # Pressing it anyway explains why nothing happens.
        voicemail.click(force=True)
        expect(alice.locator("#notice")).to_contain_text("calls.voicemail")
        alice.locator("[data-key='transfer']").click(force=True)
        expect(alice.locator("#notice")).to_have_text("No call to hold or transfer")
        alice.locator("[data-key='line-1']").click()
        expect(alice.locator("#notice")).to_contain_text("is dialled on desk")
        expect(alice.locator("#dial-number")).to_be_focused()
        alice.keyboard.type(desk.bob.number)
        alice.keyboard.press("Enter")
        # Requests of this page are forwarded only while the test waits for Playwright.
        expect(alice.locator("#display-state")).to_have_text("Ringing there")
        desk.bob.ask("answer")
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.locator("[data-key='flash']").click()
        expect(alice.locator("#display-state")).to_have_text("On hold")
        alice.locator("[data-key='line-1']").click()
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.locator("[data-key='transfer']").click()
        expect(alice.locator(".card form input")).to_be_focused()


def the_volume_is_the_phones(desk):
    """While it rings the keys change the ring volume, else the call's."""
    with desk.page(desk.alice) as alice:
        for kind in ("callVolume", "ringVolume"):
            if kind == "ringVolume":
                desk.bob.ask("dial", target=desk.alice.number)
                expect(lamp(alice, "ringing")).to_have_attribute("data-pattern", "fastBlink")
            level = desk.alice.snapshot()["settings"][kind]
            for key, steps in (("#louder", 1), ("#softer", -1), ("#softer", -1), ("#louder", 1)):
                alice.locator(key).click()
                level += steps
                expect(alice.locator("#volume-level")).to_have_attribute("aria-valuenow", str(level))
                expect(alice.locator("#volume-level i.lit")).to_have_count(level)
                assert desk.alice.snapshot()["settings"][kind] == level


def a_finger_is_enough(desk):
    with desk.page(desk.alice, width=390, height=844, has_touch=True, is_mobile=True) as alice:
        alice.locator("#handset").tap()
        expect(alice.locator("#display-name")).to_have_text("Dial tone")
        dial(alice, desk.bob.number + "#", press=lambda key: alice.locator(f"#keypad [data-key='{key}']").tap())
        wait_for(lambda: desk.bob.snapshot()["calls"])
        desk.bob.ask("liftHook")
        expect(alice.locator("#display-state")).to_have_text("Connected")
        alice.locator("#more-keys").tap()
        alice.locator("[data-key='mute']").tap()
        expect(lamp(alice, "mute")).to_have_attribute("data-pattern", "on")
        does_not_overflow(alice)
        alice.locator("#handset").tap()
        expect(alice.locator("#phone")).to_have_attribute("data-hook", "onHook")


def the_next_figures_are_drawn(page):
    """Measured values come after the snapshot; a line needs two points."""
    expect(page.locator(".quality dt")).to_have_text(["MOS", "Jitter", "Loss"])
    expect(page.locator(".quality dd").nth(1)).not_to_have_text("77.7 ms")
    for place, unit in enumerate(("", " ms", " %")):
        expect(page.locator(".quality dd").nth(place)).to_have_text(re.compile(rf"^\d+\.\d{unit}$"))
        expect(page.locator(".quality .spark path").nth(place)).to_have_attribute("d", re.compile("^M.*L"))
    assert 3 < float(page.locator(".quality dd").first.inner_text()) <= 5


def image(width=2):
    """A square as a PNG (RFC 2083), to prove that a picture is drawn."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\xff\x80\0" * width) * width
    header = struct.pack(">IIBBBBB", width, width, 8, 2, 0, 0, 0)
    made = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(made).decode()


def the_snapshot_is_all_that_a_card_needs(desk):
    """A page that is opened during a call shows picture and quality at once."""
    quality = {"rating": "fair", "mos": 1.2, "jitterMs": 77.7, "lossPercent": 3.3}

    def claim(result):
        for one in result.get("calls", []):
            if "phase" in one:
                one.update(avatar=image(), quality={**(one["quality"] or {}), **quality})

    desk.alice.ask("dial", target=desk.bob.number)
    wait_for(lambda: desk.bob.snapshot()["calls"])
    desk.bob.ask("liftHook")
    with desk.page(desk.bob, prepare=change_answers(claim)) as bob:
        expect(bob.locator(".quality dd").nth(1)).to_have_text("77.7 ms")
        expect(bob.locator(".card .marks")).to_contain_text("Fair voice")
        assert bob.locator(".card img.picture").evaluate("one => one.decode().then(() => one.naturalWidth)") == 2
        the_next_figures_are_drawn(bob)
        # Fetching a picture would reveal the call: an address is not followed, and only image data is drawn.
        for other in ("https://pictures.example/1.png", "data:text/html;base64,QQ==", "data:image/svg+xml;base64,QQ==", None):
            shown = bob.evaluate("other => import('./page.js').then(page => page.picture('Alice Archer', other).outerHTML)", other)
            assert "<img" not in shown and ">AA<" in shown, shown

"""Setting up across the page. Each function is one scenario, and begins and ends with phones at rest."""
import re
import tempfile

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import Registrar, SecureRegistrar, tab_to, wait_for, wait_for_ringing


def a_phone_is_set_up_without_a_mouse(desk):
    """The last scenario: Alice has another account afterwards."""
    secret, registrar = "correct horse", Registrar("403 Forbidden")
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-calls").focus()
        alice.keyboard.press("ArrowLeft")
        expect(alice.locator("#tab-setup")).to_be_focused()
        expect(alice.locator("#setup-routes li").first).to_contain_text("Handset")
        expect(alice.locator("#setup-mark-sound")).to_have_text("done")
        expect(alice.locator("#setup-key")).to_contain_text("its key is unencrypted beside it")
        expect(alice.locator("#setup-seal-command")).to_contain_text("offhook vault seal")
        for button, words in (("Play a tone: Handset", "Did you hear it?"), ("Record and hear: Handset", "Silence")):
            alice.get_by_role("button", name=button).focus()
            alice.keyboard.press("Enter")
            expect(alice.locator("#setup-sound-words")).to_contain_text(words)
        alice.get_by_role("button", name="Play a tone: Ringer").focus()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-sound-words")).to_contain_text("Playing a tone")
        expect(alice.locator("#setup-sound-words")).to_contain_text("Did you hear it?")

        # Other tones: shown first, written on her confirmation, heard after the restart.
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
        expect(alice.locator("#setup-account-words")).to_have_text(re.compile(r"The server forbids the registration \(403 Forbidden\)"))
        expect(alice.locator("#setup-keep")).to_have_text("Keep it anyway")
        expect(alice.locator("#setup-password")).to_have_value("")
        assert secret not in alice.content()

        registrar.status = "200 OK"
        alice.locator("#setup-password").focus()
        alice.keyboard.type(secret)
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-account-words")).to_contain_text("Registered at 127.0.0.1")
        expect(alice.locator("#setup-preview")).to_have_text(f"+ office: 101 @ {registrar.address}, udp, voice encrypted always, with its password")
        check_accessibility(alice)

        # A reload continues at the same place; the browser stores no password.
        assert secret not in alice.evaluate("JSON.stringify([localStorage, sessionStorage]) + document.cookie")
        wait_for(lambda: alice.evaluate("sessionStorage.length") == 1)
        alice.reload()
        expect(alice.locator("#link")).to_have_attribute("data-state", "online")
        alice.locator("#tab-setup").click()
        expect(alice.locator("#setup-preview")).to_contain_text("office: 101")
        alice.locator("#language").click()
        expect(alice.locator("#setup-account-words")).to_contain_text("angemeldet")
        expect(alice.locator("#setup-keep")).to_have_text("Dieses Konto behalten")
        alice.locator("#language").click()
        alice.locator("#setup-keep").focus()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-account-words")).to_have_text("office is added and in use.")
        expect(alice.locator("#setup-accounts li").filter(has_text="office")).to_contain_text("Registered")
        expect(alice.get_by_role("button", name="Change office")).to_be_focused()
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
        expect(alice.locator("#setup-account-words")).to_contain_text("antwortet nichts für diesen Transport")
        expect(alice.locator("#setup-preview")).to_contain_text("Sprache immer verschlüsselt, ohne Passwort")
        does_not_overflow(alice)


def a_server_of_its_own_authority_is_trusted(desk):
    with tempfile.TemporaryDirectory() as folder, desk.page(desk.alice) as alice:
        server = SecureRegistrar(folder)
        alice.locator("#tab-setup").click()
        for name, text in (("label", "secure"), ("server", server.address), ("user", "103"), ("password", "secret")):
            alice.locator(f"#setup-{name}").fill(text)
        alice.locator("#setup-transport").select_option("tls")
        alice.get_by_role("button", name="Try it", exact=True).click()
        expect(alice.locator("#setup-account-words")).to_contain_text("No authority that this machine trusts")
        shown = alice.locator("#setup-fingerprint").inner_text()
        assert shown.replace(":", "").lower() == server.fingerprint, shown
        check_accessibility(alice)

        # Either its authority's file is named …
        alice.locator("#setup-more summary").click()
        alice.locator("#setup-authorities").fill(server.certificate)
        alice.locator("#setup-password").fill("secret")
        alice.locator("#setup-password").press("Enter")
        expect(alice.locator("#setup-account-words")).to_contain_text("Registered at")
        expect(alice.locator("#setup-preview")).to_contain_text(f"+ sip.tls.authorities: {server.certificate}")
        alice.locator("#setup-authorities").fill("")
        # … or this one certificate is trusted.
        alice.locator("#setup-pin").fill("ab" * 32)
        alice.locator("#setup-password").press("Enter")
        expect(alice.locator("#setup-account-words")).to_contain_text("a certificate that differs from the pinned one")
        alice.get_by_role("button", name="Trust it").click()
        expect(alice.locator("#setup-password")).to_be_focused()
        alice.keyboard.type("secret")
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-account-words")).to_contain_text("Registered at")

        alice.locator("#setup-keep").click()
        expect(alice.locator("#setup-diff")).to_contain_text(re.compile(r"^\+.*secure: .*" + server.fingerprint[-2:], re.M | re.I))
        expect(alice.locator("#setup-write")).to_be_focused()
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-files-words")).to_contain_text("Written.")
        # The phone reads its file again, and the line uses the pin at once.
        expect(alice.locator("#setup-restart-part")).to_be_hidden()
        expect(alice.locator("#setup-accounts li").filter(has_text="secure")).to_contain_text("Registered", timeout=30_000)


def a_domain_stands_in_the_address(desk):
    registrar = Registrar()
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-setup").click()
        for name, text in (("label", "domain"), ("server", registrar.address), ("user", "104")):
            alice.locator(f"#setup-{name}").fill(text)
        alice.locator("#setup-more summary").click()
        alice.locator("#setup-domain").fill("office.example")
        alice.get_by_role("button", name="Try it", exact=True).click()
        expect(alice.locator("#setup-account-words")).to_contain_text("Registered at")
        assert registrar.asked[0].startswith("REGISTER sip:office.example"), registrar.asked

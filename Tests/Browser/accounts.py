"""Accounts that change while the phone runs. Each function is one scenario, and begins and ends with phones at rest."""
import re

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import Registrar, change_answers, tab_to, wait_for, wait_for_ringing


def begin_call(alice, bob):
    """Alice calls Bob on the account that stays. Returns the call at both ends."""
    alice.ask("dial", target=bob.number)
    wait_for_ringing(bob, alice)
    bob.ask("liftHook")
    wait_for(lambda: [call[2] for call in both_ends(alice, bob)] == ["active"] * 2)
    return both_ends(alice, bob)


def both_ends(alice, bob):
    """Each end of each call: the same as before if no call was interrupted."""
    calls = [call for panel in (alice, bob) for call in panel.snapshot()["calls"]]
    return [(call["call"], call["answered"], call["phase"]) for call in calls]


def account(page, label):
    return page.locator("#setup-accounts li").filter(has=page.locator("b", has_text=re.compile(f"^{label}$")))


def fill(page, **texts):
    for name, text in texts.items():
        page.locator(f"#setup-{name}").fill(text)


def accounts_change_beside_a_call(desk):
    """One is added, renamed, given another password and removed, by keyboard, and the call hears nothing of it."""
    first, second = "correct horse", "battery staple"
    registrar = Registrar(password=first)
    began = begin_call(desk.alice, desk.bob)
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-setup").click()
        expect(account(alice, "desk")).to_contain_text("SIP · UDP")
        expect(account(alice, "desk")).to_contain_text("Ready")
        fill(alice, label="branch", server=registrar.address, user="105", password=first)
        alice.locator("#setup-password").press("Enter")
        expect(alice.locator("#setup-account-words")).to_contain_text("Registered at 127.0.0.1")
        expect(alice.locator("#setup-password")).to_have_value("")
        expect(alice.locator("#setup-keep")).to_be_focused()
        alice.keyboard.press("Enter")
        branch = account(alice, "branch")
        expect(branch).to_contain_text(f"105 · {registrar.address} · SIP · UDP · voice encrypted always")
        expect(branch).to_contain_text("Registered")
        expect(alice.locator("#setup-restart-part")).to_be_hidden()
        expect(alice.get_by_role("button", name="Change branch")).to_be_focused()
        assert both_ends(desk.alice, desk.bob) == began

        # The server's password changes, and then the phone's.
        registrar.password = second
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-form-title")).to_have_text("Change the account branch")
        expect(alice.locator("#setup-label")).to_be_focused()
        for name, text in (("label", "branch"), ("server", registrar.address), ("user", "105"), ("password", "")):
            expect(alice.locator(f"#setup-{name}")).to_have_value(text)
        check_accessibility(alice, "change")
        asked = len(registrar.asked)
        alice.keyboard.press("ControlOrMeta+a")
        alice.keyboard.type("outpost")
        tab_to(alice, "setup-password")
        alice.keyboard.type(second)
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-accounts-words")).to_have_text("outpost is changed. The change is in effect.")
        expect(account(alice, "branch")).to_have_count(0)
        wait_for(lambda: len(registrar.asked) > asked)
        expect(account(alice, "outpost")).to_contain_text("Registered")
        expect(alice.get_by_role("button", name="Change outpost")).to_be_focused()
        expect(alice.locator("#setup-form-title")).to_have_text("Add an account")
        for secret in (first, second):
            assert secret not in alice.content()
        assert both_ends(desk.alice, desk.bob) == began

        alice.get_by_role("button", name="Remove outpost").focus()
        alice.keyboard.press("Enter")
        expect(account(alice, "outpost")).to_contain_text("Remove outpost and its password?")
        expect(alice.get_by_role("button", name="Remove outpost and its password?")).to_be_focused()
        check_accessibility(alice, "question")
        alice.get_by_role("button", name="Cancel outpost").press("Enter")
        expect(alice.get_by_role("button", name="Remove outpost", exact=True)).to_be_focused()
        alice.keyboard.press("Enter")
        alice.keyboard.press("Enter")
        expect(alice.locator("#setup-accounts-words")).to_have_text("outpost is removed.")
        expect(alice.locator("#setup-accounts li")).to_have_count(1)
        expect(alice.get_by_role("button", name="Change desk")).to_be_focused()
        assert both_ends(desk.alice, desk.bob) == began


def the_phone_says_why_it_changes_nothing(desk):
    registrar = Registrar()
    began = begin_call(desk.alice, desk.bob)
    desk.alice.ask("addAccount", label="branch", server=registrar.address, user="105", password="secret")
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-setup").click()
        expect(account(alice, "branch")).to_contain_text("Registered")
        # The stored password goes to no other server.
        alice.get_by_role("button", name="Change branch").click()
        fill(alice, server="127.0.0.2:9")
        alice.get_by_role("button", name="Save").click()
        expect(alice.locator("#setup-account-words")).to_contain_text("password")
        expect(alice.locator("#setup-account-words")).to_have_attribute("data-kind", "bad")
        alice.get_by_role("button", name="Leave it unchanged").click()
        expect(alice.get_by_role("button", name="Change branch")).to_be_focused()
        expect(account(alice, "branch")).to_contain_text(registrar.address)
        # The account of the call stays, which a line key names, too.
        alice.get_by_role("button", name="Remove desk").click()
        alice.get_by_role("button", name="Remove desk and its password?").click()
        expect(alice.locator("#setup-accounts-words")).to_contain_text("call")
        expect(alice.locator("#setup-accounts-words")).not_to_contain_text("restart")
        expect(account(alice, "desk")).to_have_count(1)
        assert both_ends(desk.alice, desk.bob) == began
    desk.alice.ask("removeAccount", account="branch")


def a_change_elsewhere_appears_at_once(desk):
    registrar = Registrar()
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-setup").click()
        expect(alice.locator("#setup-accounts li")).to_have_count(1)
        desk.alice.ask("addAccount", label="branch", server=registrar.address, user="105")
        expect(account(alice, "branch")).to_contain_text("Registered")
        alice.get_by_role("button", name="Change branch").click()
        desk.alice.ask("changeAccount", account="branch", label="outpost", protection="offered")
        expect(account(alice, "outpost")).to_contain_text("voice encrypted where possible")
        expect(alice.locator("#setup-accounts-words")).to_have_text(
            "The account branch has been removed or renamed elsewhere.")
        expect(alice.locator("#setup-form-title")).to_have_text("Add an account")
        registrar.status = "403 Forbidden"
        desk.alice.ask("reconnect")
        expect(account(alice, "outpost")).to_contain_text("Not registered")
        alice.get_by_role("button", name="Change desk").focus()
        desk.alice.ask("removeAccount", account="outpost")
        expect(alice.locator("#setup-accounts li")).to_have_count(1)
        expect(alice.get_by_role("button", name="Change desk")).to_be_focused()


def each_kind_of_server_has_its_fields(desk):
    kinds = {
        "sip": ("user", "password", "protection", "registers", "domain", "authUser", "stun", "turn"),
        "verto": ("user", "password", "domain", "authUser", "stun", "turn"),
        "telnyx": ("login", "user", "password", "stun", "turn"),
    }
    with desk.page(desk.alice, width=360, height=740) as alice:
        alice.locator("#tab-setup").click()
        alice.locator("#setup-more summary").click()
        for kind, shown in kinds.items():
            alice.locator("#setup-kind").select_option(kind)
            for name in {name for names in kinds.values() for name in names}:
                expect(alice.locator(f"#setup-{name}")).to_be_visible(visible=name in shown)
                expect(alice.locator(f"label[for='setup-{name}']")).to_be_visible(visible=name in shown)
            check_accessibility(alice, kind)
            does_not_overflow(alice)
        expect(alice.locator("#setup-server")).not_to_have_attribute("required", "")
        alice.locator("#setup-login").select_option("token")
        expect(alice.locator("#setup-user")).to_be_hidden()
        expect(alice.locator("#setup-token")).to_be_visible()
        expect(alice.locator("#setup-allowClearPassword")).to_be_hidden()
        alice.locator("#setup-transport").select_option("ws")
        expect(alice.locator("#setup-allowClearPassword")).to_be_visible()
        alice.locator("#setup-kind").select_option("sip")
        expect(alice.locator("#setup-transport")).to_have_value("udp")
        expect(alice.locator("#setup-protection")).to_have_value("mandatory")
        alice.locator("#setup-ice").select_option("off")
        expect(alice.locator("#setup-turn")).to_be_hidden()


def a_token_of_telnyx_is_kept(desk):
    """Nothing listens at its server, so it is kept anyway."""
    token = "T" * 500
    with desk.page(desk.alice) as alice:
        alice.locator("#tab-setup").click()
        alice.locator("#setup-kind").select_option("telnyx")
        alice.locator("#setup-login").select_option("token")
        fill(alice, label="cloud", server="127.0.0.1:9", token=token)
        alice.get_by_role("button", name="Try it", exact=True).click()
        expect(alice.locator("#setup-preview")).to_contain_text("+ cloud: Telnyx, 127.0.0.1:9, wss, ", timeout=60_000)
        expect(alice.locator("#setup-preview")).to_contain_text("with its token")
        expect(alice.locator("#setup-token")).to_have_value("")
        assert token not in alice.content()
        alice.get_by_role("button", name="Keep it anyway").click()
        expect(account(alice, "cloud")).to_contain_text("127.0.0.1:9 · Telnyx · WSS")
        alice.get_by_role("button", name="Change cloud").click()
        expect(alice.locator("#setup-token")).to_have_value("")
        alice.get_by_role("button", name="Save").click()
        expect(alice.locator("#setup-accounts-words")).to_have_text("This is already so.")
        alice.get_by_role("button", name="Remove cloud").click()
        alice.get_by_role("button", name="Remove cloud and its password?").click()
        expect(alice.locator("#setup-accounts li")).to_have_count(1)


def the_account_of_the_sign_in_is_left_to_the_sign_in(desk):
    def sign_in(result):
        if "accounts" in result and "vault" in result:
            result["accounts"][0]["signIn"] = True

    with desk.page(desk.alice, prepare=change_answers(sign_in)) as alice:
        alice.locator("#tab-setup").click()
        expect(account(alice, "desk")).to_contain_text("Signing out removes it.")
        expect(alice.get_by_role("button", name="Remove desk")).to_have_count(0)

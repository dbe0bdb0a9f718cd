"""The sign-in at a backend, with answers of the phone that the scenario invents. Each function is one scenario."""
import subprocess

from playwright.sync_api import expect

from checks import check_accessibility, does_not_overflow
from desk import change_answers

# The QR code of this address, as libqrencode makes it. A dot is a light module.
ADDRESS = "HTTPS://ID.EXAMPLE/device?user_code=WDJB-MJHT"
CODE = """
#######.###.##.##..#..#######
#.....#.###..#..#.....#.....#
#.###.#.#.##.#.##.#.#.#.###.#
#.###.#.##.#.#.#.####.#.###.#
#.###.#......#.#.##...#.###.#
#.....#.#..##..##...#.#.....#
#######.#.#.#.#.#.#.#.#######
.........#..##.#..#.#........
##..###....#.#..#.##...#.####
#...#....##.##.#...#####..#..
..#..####..##...######..#.#.#
#....#.##.##.#....#.##.##...#
#.#.#.##..#.#...#...####...#.
.#.##..##.....##.#####......#
#.#.#.##.#.....#.#.####.##..#
#.#..#.#.##.#..####.########.
..########.#.##..#.###.#..#.#
###....####.#.#..#..#..#.##.#
....###..#.####.#####.#..###.
..####.###.#.#.#..#...#.#...#
###.#.###.#.##..#.#.#####....
........###..######.#...#.###
#######..#......###.#.#.####.
#.....#.#.#.#.##..###...###.#
#.###.#.####.##.###.######..#
#.###.#..##.#....#..#.###....
#.###.#..######..###..#...###
#.....#.##.#.#.##.##.##.#..#.
#######.###.##..#.##.#.##.#..
""".strip().replace(".", " ").split("\n")


def waiting(picture):
    """A phone that waits until a person enters its code."""
    def change(result):
        if "signIn" not in result:
            return
        result["backend"] = True
        result["signIn"] = {
            "state": "waiting", "code": "WDJB-MJHT", "address": "https://id.example/device", "completeAddress": None,
            "until": 0, **({"qr": picture} if picture else {}),
        }
    return change_answers(change)


def read(locator):
    """What a camera reads from the screen."""
    seen = subprocess.run(["zbarimg", "--quiet", "--raw", "-"], input=locator.screenshot(), capture_output=True, check=True)
    return seen.stdout.decode().strip()


def a_camera_reads_the_code_of_a_sign_in(desk):
    for theme in ("light", "dark"):
        with desk.page(desk.alice, prepare=waiting(CODE), color_scheme=theme) as alice:
            alice.locator("#tab-lines").click()
            picture = alice.get_by_role("img", name="QR code of the page with this code")
            expect(picture).to_be_visible()
            assert read(picture) == ADDRESS
            check_accessibility(alice, theme)
    with desk.page(desk.alice, prepare=waiting(CODE), width=360, height=740, locale="de-DE") as alice:
        alice.locator("#tab-lines").click()
        picture = alice.get_by_role("img", name="QR-Code der Seite mit diesem Code")
        picture.scroll_into_view_if_needed()
        assert read(picture) == ADDRESS
        does_not_overflow(alice)


def a_phone_without_a_qr_code_shows_the_code_alone(desk):
    with desk.page(desk.alice, prepare=waiting(None)) as alice:
        alice.locator("#tab-lines").click()
        expect(alice.locator("#backend-code")).to_have_text("WDJB-MJHT")
        expect(alice.locator("#backend-qr")).to_be_hidden()


def an_organization_key_has_the_name_and_says_why_it_does_not_switch(desk):
    def change(result):
        if "meanings" in result:
            result.update(simulated=False, organizationKeys=["speed-9"], keys=[*result["keys"], "speed-9"])
            result["meanings"]["speed-9"] = "42"
        if "signIn" in result:
            result["organizations"] = [{"id": "42", "name": "Bletchley Park", "isCurrent": False}]

    with desk.page(desk.alice, prepare=change_answers(change)) as alice:
        key = alice.locator("[data-key='speed-9']")
        expect(key).to_have_text("Bletchley Park")
        # The phone has no backend, and refuses. Nothing is dialled.
        key.click()
        expect(alice.locator("#notice")).to_contain_text("this phone is not configured for it")
        assert desk.alice.snapshot()["calls"] == []

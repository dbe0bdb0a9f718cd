"""A browser's page as a client of a Verto server: what `sip.Telephone` is for SIP."""
import pathlib


class VertoTelephone:
    """`offered` gets an offer and whether it starts a call, and returns the answer; `left` is called when the far
    end hangs up."""

    def __init__(self, page, url, user, password):
        self.page, self.login = page, [url, user, password]
        self.offered = self.left = None

    async def listen(self):
        await self.page.expose_function("vertoOffered", lambda offer: self.offered(offer, True))
        await self.page.expose_function("vertoLeft", lambda: self.left())
        await self.page.add_script_tag(path=pathlib.Path(__file__).with_name("verto.js"))
        await self.page.evaluate("(login) => verto.open(...login)", self.login)

    async def hang_up(self):
        await self.page.evaluate("verto.hangUp()")

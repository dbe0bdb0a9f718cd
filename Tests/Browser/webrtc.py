"""webrtc.py ADDRESS FAR-ADDRESS [--no-microphone] [--verto USER PASSWORD]: a WebRTC end in Debian's chromium, which signals by
SIP at ADDRESS:5060 with one far end, or is a user of the Verto server whose URL is FAR-ADDRESS.

Commands come as JSON lines on standard input, events go as JSON lines to standard output; it ends when the input does,
or by {"do": "quit"}.
`Scripts/browser` prints the Python that runs it.
"""
import argparse
import asyncio
import base64
import json
import pathlib
import sys
import wave

from playwright.async_api import async_playwright

from sip import Telephone
from verto import VertoTelephone

# A page of the machine's own may use the microphone, and open a clear WebSocket.
PAGE = "http://localhost/"


def tell(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


class End:
    """A person at a browser, and its signalling."""

    def __init__(self, page, telephone):
        self.page, self.telephone = page, telephone
        telephone.offered, telephone.left = self.offered, self.left
        self.rings = None

    async def offered(self, offer, is_first):
        """A call waits for a person; a later offer in it does not."""
        if is_first:
            self.rings = asyncio.get_running_loop().create_future()
            tell("called")
            await self.rings
        answer = await self.page.evaluate("(sdp) => end.answer(sdp)", offer)
        tell("answered", offer=offer, answer=answer)
        return answer

    async def left(self):
        await self.page.evaluate("end.close()")
        tell("ended")

    async def do_answer(self, command):
        self.rings.set_result(None)

    async def do_call(self, command):
        offer = await self.page.evaluate("end.offer()")
        answer = await self.telephone.call(offer)
        await self.page.evaluate("(sdp) => end.accept(sdp)", answer)
        tell("answered", offer=offer, answer=answer)

    async def do_hangup(self, command):
        await self.telephone.hang_up()
        await self.page.evaluate("end.close()")

    async def do_play(self, command):
        wav = base64.b64encode(pathlib.Path(command["wav"]).read_bytes()).decode()
        await self.page.evaluate("(wav) => end.play(wav)", wav)

    async def do_record(self, command):
        await self.page.evaluate("end.record()")

    async def do_recorded(self, command):
        samples = base64.b64decode(await self.page.evaluate("end.recorded()"))
        with wave.open(command["wav"], "wb") as file:
            file.setparams((1, 2, 48_000, 0, "NONE", ""))
            file.writeframes(samples)

    async def do_figures(self, command):
        return await self.page.evaluate("end.figures()")

    async def carry_out(self, line):
        command = json.loads(line)
        try:
            facts = await getattr(self, "do_" + command["do"])(command)
            tell("done", do=command["do"], **(facts or {}))
        except Exception as error:
            tell("fault", do=command["do"], why=repr(error)[:2_000])


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("far")
    parser.add_argument("--no-microphone", action="store_true")
    parser.add_argument("--verto", nargs=2, metavar=("USER", "PASSWORD"))
    options = parser.parse_args()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--use-fake-device-for-media-stream", "--autoplay-policy=no-user-gesture-required"])
        permissions = [] if options.no_microphone else ["microphone"]
        # Without it a page may not connect to a server of its own network.
        permissions += ["local-network-access"] if options.verto else []
        context = await browser.new_context(permissions=permissions)
        page = await context.new_page()
        page.on("pageerror", lambda error: tell("fault", do="page", why=str(error)))
        await page.route(PAGE, lambda route: route.fulfill(body="<!doctype html><title>A WebRTC end</title>", content_type="text/html"))
        await page.goto(PAGE)
        await page.add_script_tag(path=pathlib.Path(__file__).with_name("webrtc.js"))
        await page.evaluate("(has) => end.prepare(has)", not options.no_microphone)
        telephone = VertoTelephone(page, options.far, *options.verto) if options.verto else Telephone(options.address, options.far)
        end = End(page, telephone)
        await telephone.listen()
        tell("ready")
        loop = asyncio.get_running_loop()
        while (line := await loop.run_in_executor(None, sys.stdin.readline)) and json.loads(line)["do"] != "quit":
            await end.carry_out(line)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())

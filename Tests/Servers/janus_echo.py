"""janus_echo.py ADDRESS FAR-ADDRESS FOLDER: Debian's janus as a WebRTC end at ADDRESS with its echo plugin
EchoTest, reached by SIP at ADDRESS:5060 from one far end.

Reports events as JSON lines; ends on any input, and ends janus. Janus makes a new certificate for each start.
"""
import asyncio
import json
import pathlib
import subprocess
import sys
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Browser"))
from sip import Telephone  # noqa: E402

LIBRARIES = "/usr/lib/x86_64-linux-gnu/janus"
API = 8088


def tell(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def configure(folder, address):
    """As little of janus as possible: one plugin, one transport."""
    others = {
        kind: ",".join(path.name for path in pathlib.Path(LIBRARIES, kind).glob("*.so") if not path.name.endswith(kept))
        for kind, kept in (("plugins", "echotest.so"), ("transports", "http.so"))
    }
    folder.mkdir(parents=True)
    (folder / "janus.jcfg").write_text(f"""
general: {{ configs_folder = "{folder}", plugins_folder = "{LIBRARIES}/plugins", transports_folder = "{LIBRARIES}/transports",
    events_folder = "{folder}", loggers_folder = "{folder}", interface = "{address}" }}
media: {{ rtp_port_range = "41000-41999" }}
nat: {{ ice_enforce_list = "{address}" }}
plugins: {{ disable = "{others['plugins']}" }}
transports: {{ disable = "{others['transports']}" }}
""")
    (folder / "janus.transport.http.jcfg").write_text(f"""
general: {{ base_path = "/janus", http = true, port = {API}, ip = "{address}", https = false }}
admin: {{ admin_http = false, admin_https = false }}
""")


class Janus:
    """Its interface over HTTP, and one call of the plugin."""

    def __init__(self, address):
        self.base = f"http://{address}:{API}/janus"
        self.session = self.handle = ""

    def ask(self, path, **body):
        data = json.dumps({"transaction": "test", **body}).encode() if body else None
        with urllib.request.urlopen(urllib.request.Request(self.base + path, data), timeout=10) as answer:
            return json.loads(answer.read())

    def begin(self):
        self.session = f"/{self.ask('', janus='create')['data']['id']}"
        self.handle = f"{self.session}/{self.ask(self.session, janus='attach', plugin='janus.plugin.echotest')['data']['id']}"

    def answer(self, offer):
        """The plugin's answer to an offer: the first of a call, or a later one."""
        if not self.session:
            self.begin()
        said = self.ask(
            self.handle, janus="message", body={"audio": True, "video": False},
            jsep={"type": "offer", "sdp": offer, "trickle": False})
        if said["janus"] != "ack":
            raise ValueError(said)
        while True:
            event = self.ask(self.session)
            if event.get("janus") == "error" or "error_code" in event.get("plugindata", {}).get("data", {}):
                raise ValueError(event)
            if "jsep" in event:
                return event["jsep"]["sdp"]

    def end(self):
        self.ask(self.session, janus="destroy")
        self.session = ""


async def main():
    address, far, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    # Janus does not know the address of an interface whose cable was plugged in a moment ago.
    while "NO-CARRIER" in subprocess.check_output(["ip", "-o", "link"], text=True):
        await asyncio.sleep(0.1)
    configure(folder / "janus", address)
    with open(folder / "janus.log", "wb") as log:
        # However this program ends, janus does not outlive it.
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "janus", "-F", folder / "janus", "--disable-colors"], stdout=log, stderr=log,
            stdin=subprocess.DEVNULL)
    try:
        janus, loop = Janus(address), asyncio.get_running_loop()

        async def offered(offer, is_first):
            try:
                answer = await loop.run_in_executor(None, janus.answer, offer)
            except Exception as error:
                tell("fault", why=repr(error)[:2_000])
                raise
            tell("answered", offer=offer, answer=answer)
            return answer

        async def left():
            await loop.run_in_executor(None, janus.end)
            tell("ended")

        telephone = Telephone(address, far)
        telephone.offered, telephone.left = offered, left
        await telephone.listen()
        for _ in range(100):
            try:
                janus.ask("/info")
                break
            except OSError:
                await asyncio.sleep(0.1)
        tell("ready")
        await loop.run_in_executor(None, sys.stdin.readline)
    finally:
        # It does not end while it has a session.
        process.kill()
        process.wait()


if __name__ == "__main__":
    asyncio.run(main())

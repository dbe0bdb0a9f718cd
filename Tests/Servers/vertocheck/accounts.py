"""Logins, the gateway, and meaningless frames."""
from __future__ import annotations

import datetime
import os
import ssl
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from .client import Call, Client, Refused, logged_in, login
from .process import Verto


async def _refused(code: int, asking, **facts) -> None:
    try:
        await asking
    except Refused as refused:
        assert refused.error["code"] == code and facts.items() <= refused.error.items(), refused.error
    else:
        raise AssertionError(f"expected error {code}")


async def logins_are_checked() -> None:
    async with Verto() as server:
        client = Client(server.port)
        await client.connect()
        await _refused(-32000, client.ask("invite", sdp="v=0", dialogParams={"callID": "1"}))
        await _refused(-32001, client.ask("login", login="alice", passwd="wrong"), message="Login Incorrect")
        await _refused(-32000, client.ask("login", login_token="x.y.z"))
        assert (await client.ask("login", login_token="a.b.c"))["message"] == "logged in"
        await server.event("login", user="carol")
        other = Client(server.port)
        other.sessid = client.sessid
        await other.connect()
        await _refused(-32001, other.ask("login", login="alice", passwd="wonderland"))
        await server.do("refuse-logins")
        await _refused(-32001, other.ask("login", login="alice", passwd="wonderland"))
        assert "wonderland" not in str(server.events) and "a.b.c" not in str(server.events)
        await other.close()
        await client.close()


async def a_token_comes_back_to_its_instance() -> None:
    """Every frame names the instance, and the next socket asks for it."""
    async with Verto() as server:
        client = Client(server.port)
        await client.connect()
        assert (await server.event("socket"))["sdk_id"] == ""
        await client.ask("login", login_token="a.b.c")
        assert client.sdk_id and (await server.event("login", user="carol"))["kept_sdk_id"] is False
        await server.do("drop-sockets")
        await client.is_closed()
        await client.connect()
        assert (await server.event("socket"))["sdk_id"] == client.sdk_id
        await client.ask("login", login_token="a.b.c", reconnection=True)
        login = await server.event("login", user="carol")
        assert login["kept_sdk_id"] and login["reconnection"] and login["sessid"] == client.sessid, login
        await client.close()


async def the_gateway_takes_its_time() -> None:
    async with Verto() as server:
        await server.do("gateway", states=["TRYING", "TRYING", "REGED"])
        client = Client(server.port)
        await client.connect()
        await client.ask("login", login="alice", passwd="wonderland")
        call = Call(client, 700)
        asked = client.ask("invite", sdp=await call.peer.offer(), dialogParams=call.dialog)
        await _refused(-32002, asked, cause="GATEWAY_DOWN")
        states = [(await client.ask("gatewayState"))["params"]["state"] for _ in range(4)]
        assert states == ["TRYING", "TRYING", "REGED", "REGED"], states
        await server.do("gateway", user="alice", states=["NOREG"], unasked=True)
        assert (await client.hears("gatewayState"))["state"] == "NOREG"
        await client.close()


async def frames_that_mean_nothing_are_refused() -> None:
    async with Verto() as server:
        client = await logged_in(server.port)
        for frame in ["{", "[1]", '{"id":1}', "#SPU 12", '{"id":{},"method":"telnyx_rtc.ping"}', "[" * 20_000]:
            await client.say(frame)
        await _refused(-32601, client.ask("nonsense"))
        await _refused(-32601, client.ask("__init__"))
        await _refused(-32602, client.ask("invite", dialogParams=3))
        await _refused(-32002, client.ask("bye", dialogParams={"callID": "unknown"}), message="CALL DOES NOT EXIST")
        for offer in ["", "v=0", "v=0\r\nm=audio 9 RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\n", "m=" * 9_000]:
            asked = client.ask("invite", sdp=offer, dialogParams={"callID": "x", "destination_number": "echo"})
            await _refused(-32002, asked, cause="INCOMPATIBLE_DESTINATION")
        assert not (await server.do("stats"))["calls"]
        await client.say("x" * 70_000)
        await client.is_closed()
        assert (await server.event("socket-closed"))["user"] == "alice"
        await client.close()


async def a_second_socket_takes_the_session_over() -> None:
    async with Verto() as server:
        first, second = await logged_in(server.port), Client(server.port)
        second.sessid = first.sessid
        await second.connect()
        await login(second)
        await first.hears("punt")
        await first.is_closed()
        await server.do("ping", user="alice")
        await second.hears("ping")
        assert (await second.ask("ping"))["message"] == "PONG"
        figures = (await server.do("stats"))["sessions"]
        assert len(figures) == 1 and figures[0]["connected"] and figures[0]["pings_answered"] >= 1, figures
        await second.close()
        await first.close()


def _certificate(folder: str) -> tuple[str, str]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    made = made.not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1)).sign(key, hashes.SHA256())
    paths = os.path.join(folder, "certificate.pem"), os.path.join(folder, "key.pem")
    encoding, none = serialization.Encoding.PEM, serialization.NoEncryption()
    with open(paths[0], "wb") as file:
        file.write(made.public_bytes(encoding))
    with open(paths[1], "wb") as file:
        file.write(key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, none))
    return paths


async def tls_and_the_other_dialect() -> None:
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = _certificate(folder)
        tls = ssl.create_default_context(cafile=certificate)
        tls.check_hostname = False
        async with Verto("--dialect", "freeswitch", "--certificate", certificate, "--key", key, "--lf") as server:
            client = Client(server.port, "verto.", tls)
            await client.connect()
            await login(client, "alice@here")
            await _refused(-32601, client.ask("gatewayState"))
            call = Call(client, 700)
            await call.invite("echo", **{"verto_h_X-Door": "front"})
            answer = await call.answered()
            assert "\r" not in answer["sdp"] and "m=audio" in answer["sdp"] and "UDP/TLS" not in answer["sdp"]
            await call.hears(700)
            assert (await server.event("invite"))["headers"] == [{"name": "X-Door", "value": "front"}]
            assert "ringing" not in [name for name, _ in client.told]
            await server.do("drop-sockets")
            await client.is_closed()
            await client.connect()
            assert (await login(client, "alice@here"))["reattached_sessions"] == [call.call_id]
            await call.attach(await client.hears("attach", call.call_id))
            await call.hears(700)
            await client.ask("modify", action="transfer", destination="tone", dialogParams=call.dialog)
            assert (await client.hears("bye", call.call_id))["cause"] == "NORMAL_CLEARING"
            await client.close()

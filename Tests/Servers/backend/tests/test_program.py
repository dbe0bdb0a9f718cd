"""serve.py: start, end, commands, events, and access."""
from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import FOLDER, Server, Subscriber, until


def mosquitto_of(folder: Path) -> list[str]:
    pattern = f"mosquitto -c {folder}/mqtt/mosquitto.conf"
    found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True)
    return found.stdout.split()


def test_starts_in_three_seconds_and_ends_with_its_input(tmp_path: Path) -> None:
    began = time.monotonic()
    server = Server(tmp_path)
    assert time.monotonic() - began < 3
    assert server.url.startswith("http://localhost:") and server.get("/oauth/jwks").status_code == 200
    assert len(mosquitto_of(tmp_path)) == 1
    server.close()
    assert server.process.returncode == 0 and not mosquitto_of(tmp_path)


def test_broker_ends_with_a_server_that_was_killed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.admin("broker", action="restart")
    assert len(mosquitto_of(tmp_path)) == 1
    os.kill(server.process.pid, signal.SIGKILL)
    until(lambda: not mosquitto_of(tmp_path))
    server.process.wait()


def test_sessions_are_saved_when_the_server_is_ended(tmp_path: Path) -> None:
    server = Server(tmp_path)
    Subscriber(server).ready().close()
    server.admin("caller-info", device="dt-1", message={"call_id": "kept"})
    server.process.terminate()
    server.process.wait(5)
    assert not mosquitto_of(tmp_path)
    server = Server(tmp_path)
    phone = Subscriber(server)
    assert phone.received()[0]["call_id"] == "kept"
    phone.close()
    server.close()


def test_folder_keeps_everything(tmp_path: Path) -> None:
    server = Server(tmp_path, "--tls", "--no-broker")
    kids = [key["kid"] for key in server.get("/oauth/jwks").json()["keys"]]
    server.phone().post("/api/voip/switch-org", json={"target_organization_id": 42})
    server.close()
    server = Server(tmp_path, "--tls", "--no-broker")
    assert [key["kid"] for key in server.get("/oauth/jwks").json()["keys"]] == kids
    assert server.admin("state")["devices"][0]["organization_id"] == 42
    assert server.mqtt is None and server.phone().post("/api/push-registrations").status_code == 503
    server.close()


def test_two_servers_beside_each_other(tmp_path: Path) -> None:
    servers = [Server(tmp_path / name) for name in ("one", "two")]
    assert len({server.url for server in servers}) == len({server.mqtt["port"] for server in servers}) == 2
    for server in servers:
        server.close()


def test_commands_on_the_input(server: Server) -> None:
    begun = server.begin()
    assert server.order(do="approve", user_code=begun["user_code"], user="grace")["user"] == "grace"
    assert server.order(do="state")["devices"][0]["credentials"]["sip_password"] == "…"
    for wrong in ("not JSON", "[]", '{"do": "dance"}', '{"do": "approve", "user": "nobody"}', '{"do": "set-clock"}'):
        mark = server.mark()
        assert server.process.stdin
        server.process.stdin.write(wrong + "\n")
        server.process.stdin.flush()
        assert server.wait("not-done", since=mark)["why"]


def test_no_event_has_a_secret(server: Server) -> None:
    mark, tokens = server.mark(), server.sign_in()
    phone = server.phone()
    secrets = [tokens["access_token"], tokens["refresh_token"], tokens["id_token"], "device-token-1", "mqtt-password"]
    secrets += [phone.headers["Authorization"].split()[1], "secret-ada-17"]
    phone.post("/api/voip-credentials")
    server.order(do="state")
    said = str(server.events[mark:])
    assert not [secret for secret in secrets if secret in said]


def test_requests_are_events_with_their_phone(server: Server) -> None:
    mark = server.mark()
    server.phone().get("/api/organizations")
    event = server.wait("request", since=mark, path="/api/organizations")
    assert (event["method"], event["status"], event["device"], event["user"]) == ("GET", 200, "dt-1", "ada")
    assert event["host"] == server.url.removeprefix("https://")


def test_admin_wants_json_of_this_machine(server: Server) -> None:
    assert server.post("/admin/reset", data={"a": "b"}).status_code == 415
    assert server.post("/admin/dance", json={}).json()["message"].startswith("no command 'dance'")
    assert server.get("/admin/reset").status_code == 405
    assert server.get("/api/organizations", headers={"Host": "evil.example.org"}).status_code == 400


@pytest.mark.skipif(not Path("/proc/net/fib_trie").exists(), reason="needs Linux")
def test_admin_is_closed_to_other_machines(tmp_path: Path) -> None:
    address = next(iter(re.findall(r"inet (?!127\.)([\d.]+)", subprocess.run(
        ["ip", "-4", "addr"], capture_output=True, text=True).stdout)), None)
    if not address:
        pytest.skip("this machine has no address but loopback")
    server = Server(tmp_path, "--host", address, "--name", address, "--no-broker")
    assert server.post("/admin/reset", json={}).status_code == 403
    assert server.order(do="reset")
    server.close()


def test_listens_on_loopback_unless_asked(server: Server) -> None:
    assert server.events[[event["event"] for event in server.events].index("listening")]["host"] == "127.0.0.1"
    configuration = (server.folder / "mqtt" / "mosquitto.conf").read_text()
    assert re.findall(r"^listener \d+ (.*)$", configuration, re.M) == ["127.0.0.1", "127.0.0.1"]


def test_missing_broker_is_told(tmp_path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-B", FOLDER / "serve.py", "--folder", tmp_path], stdin=subprocess.DEVNULL, text=True,
        capture_output=True, env={"PATH": ""}, timeout=10)
    # Debian's mosquitto is in /usr/sbin, where the server looks, too.
    assert '"state": "started"' in process.stdout or '"state": "missing"' in process.stdout
    assert '"event": "listening"' in process.stdout

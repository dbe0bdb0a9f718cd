"""Each fault, its scope, and its count."""
from __future__ import annotations

import socket
import ssl
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from support import Phone, Server

SWITCH = {"target_organization_id": 42}


def switched(server: Server, phone: Phone) -> Any:
    """Returns the current organisation of `dt-1`."""
    return server.admin("state")["devices"][0]["organization_id"]


@pytest.fixture
def phone(server: Server) -> Phone:
    return server.phone()


def test_slow(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="slow", seconds=0.5, path="/api/voip")
    began = time.monotonic()
    assert phone.get("/api/organizations").status_code == 200
    assert time.monotonic() - began < 0.4
    assert phone.post("/api/voip/switch-org", json=SWITCH).status_code == 200
    assert time.monotonic() - began > 0.5


def test_refuse_does_nothing_and_says_why(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="refuse", status=429, error="busy", message="Later.", retry_after=3, times=1)
    answer = phone.post("/api/voip/switch-org", json=SWITCH)
    assert (answer.status_code, answer.json()) == (429, {"error": "busy", "message": "Later."})
    assert answer.headers["Retry-After"] == "3"
    assert switched(server, phone) == 17
    assert phone.post("/api/voip/switch-org", json=SWITCH).status_code == 200


@pytest.mark.parametrize(("after", "organization"), [(False, 17), (True, 42)])
def test_reset_before_or_after_the_deed(server: Server, phone: Phone, after: bool, organization: int) -> None:
    server.admin("faults", fault="reset", after=after, times=1, path="/api/voip/switch-org")
    with pytest.raises(requests.ConnectionError):
        phone.post("/api/voip/switch-org", json=SWITCH)
    assert switched(server, phone) == organization


def test_garbage_and_nothing(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="garbage", times=1, path="/api/")
    answer = phone.get("/api/organizations")
    assert answer.headers["Content-Type"] == "application/json" and len(answer.content) == 256
    with pytest.raises(ValueError):
        answer.json()
    server.admin("faults", fault="empty", times=1, path="/api/")
    assert phone.get("/api/organizations").content == b""


def test_wrong_types(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="wrong-types", times=1)
    answer = phone.post("/api/voip/switch-org", json=SWITCH).json()
    assert answer["sip_username"] == {"text": "ada-42"} and answer["organization_id"] == [42]
    server.admin("faults", fault="wrong-types", keys=["sip_password"], times=1)
    answer = phone.post("/api/voip/switch-org", json=SWITCH).json()
    assert answer["sip_username"] == "ada-42" and answer["sip_password"] == {"text": "secret-ada-42"}


def test_half_of_a_body(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="half-body", times=1, path="/api/organizations")
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        phone.get("/api/organizations")
    server.admin("faults", fault="half-json", times=1, path="/api/organizations")
    answer = phone.get("/api/organizations")
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    with pytest.raises(ValueError):
        answer.json()


def test_oversized(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="oversized", bytes=1_000_000, times=1)
    answer = phone.get("/api/organizations")
    assert len(answer.content) > 1_000_000 and answer.json()["organizations"]


def test_redirects(server: Server, phone: Phone) -> None:
    port = urlsplit(server.url).port
    places = {
        "other-host": f"https://127.0.0.1:{port}/api/organizations",
        "plain": f"http://localhost:{port}/api/organizations",
        "same-host": f"https://localhost:{port}/api/organizations"}
    for to, place in places.items():
        server.admin("faults", fault="redirect", to=to, times=1, path="/api/")
        answer = server.get("/api/organizations", headers=phone.headers, allow_redirects=False)
        assert (answer.status_code, answer.headers["Location"]) == (307, place)
    server.admin("faults", fault="redirect", location="https://elsewhere.example.org/", status=302, times=1)
    answer = server.get("/api/organizations", allow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (302, "https://elsewhere.example.org/")
    # The other host name works. So only the client's own check keeps it from following.
    assert server.session.get(places["other-host"], headers=phone.headers).status_code == 200


def test_faults_are_listed_counted_and_cleared(server: Server, phone: Phone) -> None:
    server.admin("faults", fault="refuse", method="POST", times=2)
    assert server.get("/admin/faults").json()["faults"][0]["left"] == 2
    assert phone.get("/api/organizations").status_code == 200
    mark = server.mark()
    assert phone.post("/api/voip-credentials").status_code == 503
    assert server.wait("request", since=mark)["fault"] == "refuse"
    assert server.session.delete(f"{server.url}/admin/faults").json() == {"faults": []}
    assert phone.post("/api/voip-credentials").status_code == 200


@pytest.mark.parametrize("given", [
    {"fault": "none"}, {"fault": "slow", "secnods": 1}, {"fault": "slow", "times": "x"},
    {"fault": "redirect", "to": 1}, {"fault": "redirect", "to": "moon"}])
def test_wrong_faults_are_refused(server: Server, given: dict[str, Any]) -> None:
    assert server.post("/admin/faults", json=given).json()["error"] == "unusable"


@pytest.mark.parametrize(("kind", "why"), [
    ("expired", "certificate has expired"), ("wrong-name", "Hostname mismatch"),
    ("other-authority", "certificate verify failed")])
def test_certificates_of_both_servers(server: Server, kind: str, why: str) -> None:
    server.admin("certificate", kind=kind)
    ports = (urlsplit(server.url).port, server.mqtt["port"])
    for port in ports:
        with pytest.raises(ssl.SSLError, match=why):
            shake_hands(server, port)
    # The session's connection was opened before the change.
    for kind in ("renewed", "valid"):
        server.admin("certificate", kind=kind)
        assert len({shake_hands(server, port) for port in ports}) == 2


def shake_hands(server: Server, port: int) -> bytes:
    """Returns the server's certificate. mosquitto changes it a moment after the signal."""
    context = ssl.create_default_context(cafile=server.authority)
    time.sleep(0.1)
    with socket.create_connection(("localhost", port)) as plain, context.wrap_socket(
            plain, server_hostname="localhost") as one:
        certificate = one.getpeercert(binary_form=True)
        assert certificate
        return certificate


def test_pinned_certificate_changes_with_renewal_and_comes_back(server: Server) -> None:
    port = urlsplit(server.url).port
    assert port
    first = shake_hands(server, port)
    server.admin("certificate", kind="renewed", server="http")
    assert shake_hands(server, port) != first
    server.admin("certificate", kind="valid")
    assert shake_hands(server, port) == first

"""The endpoints that phones call."""
from __future__ import annotations

import ssl
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPSConnection
from typing import Any

import pytest
from support import Phone, Server

KITCHEN = {"device_id": "urn:uuid:00000000-0000-4000-8000-000000000009", "device_name": "Kitchen"}


def registered(server: Server, user: str = "ada", **more: Any) -> dict[str, Any]:
    person = Phone(server, server.sign_in(user)["access_token"])
    answer = person.post("/api/device-tokens", json=KITCHEN | more)
    assert answer.status_code == 201, answer.text
    return answer.json()


def refused(answer: Any, status: int, error: str) -> str:
    """Expects that error, and returns its message."""
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    return answer.json()["message"]


def test_registers_a_phone_with_its_default_organisation(server: Server) -> None:
    answer = registered(server)
    assert (answer["id"], answer["organization_id"], answer["user"]["sub"]) == ("dt-3", 17, "sub-1-ada")
    credentials = answer["credentials"]
    assert (credentials["sip_username"], credentials["sip_password"]) == ("ada-17", "secret-ada-17")
    assert (credentials["caller_id_name"], credentials["caller_id_number"]) == ("Ada Lovelace", "+442079460017")
    assert answer["push_registration"]["topic"] == "phones/dt-3/caller-info"
    assert server.phone(answer["device_token"]).get("/api/organizations").status_code == 200


def test_the_same_phone_again_keeps_its_name_and_gets_another_token(server: Server) -> None:
    first, second = registered(server), registered(server)
    assert first["id"] == second["id"]
    refused(server.post("/api/token", json={"device_token": first["device_token"]}), 401, "invalid_device_token")


def test_another_person_on_the_same_phone_ends_the_former_registration(server: Server) -> None:
    first, second = registered(server), registered(server, "grace")
    assert second["organization_id"] == 42 and second["id"] != first["id"]
    refused(server.post("/api/token", json={"device_token": first["device_token"]}), 401, "invalid_device_token")


def test_person_without_organisation_is_refused(server: Server) -> None:
    person = Phone(server, server.sign_in("alan")["access_token"])
    assert "Alan Turing" in refused(person.post("/api/device-tokens", json=KITCHEN), 403, "no_organization")


def test_organisations_keep_the_kind_of_their_identifier(server: Server) -> None:
    found = server.phone().get("/api/organizations").json()["organizations"]
    assert [one["id"] for one in found] == [17, 42, "org_nord"]
    assert [one["is_current"] for one in found] == [True, False, False]


@pytest.mark.parametrize("target", [42, "42", "org_nord"])
def test_switch_answers_with_the_other_account(server: Server, target: int | str) -> None:
    phone, mark = server.phone(), server.mark()
    answer = phone.post("/api/voip/switch-org", json={"target_organization_id": target}).json()
    assert str(answer["organization_id"]) == str(target)
    assert answer["sip_username"] == f"ada-{target}"
    assert server.wait("switched", since=mark)["target"] == target
    current = [one["id"] for one in phone.get("/api/organizations").json()["organizations"] if one["is_current"]]
    assert current == [answer["organization_id"]]


def test_switch_to_a_strange_organisation_is_refused_with_a_text(server: Server) -> None:
    phone = server.phone("device-token-2")
    answer = phone.post("/api/voip/switch-org", json={"target_organization_id": 17})
    assert refused(answer, 403, "not_a_member") == "Grace Hopper does not belong to 17."
    for body in ({}, {"target_organization_id": True}, {"target_organization_id": [1]}, []):
        refused(phone.post("/api/voip/switch-org", json=body), 400, "invalid")


def test_renewal_changes_the_password_of_this_organisation_only(server: Server) -> None:
    phone = server.phone()
    assert phone.post("/api/voip-credentials").json()["sip_password"] == "secret-ada-17-2"
    other = phone.post("/api/voip/switch-org", json={"target_organization_id": 42}).json()
    assert other["sip_password"] == "secret-ada-42"
    server.admin("membership", user="ada", organization_id=42, keeps_password=True, sip_password="fixed")
    assert phone.post("/api/voip-credentials").json()["sip_password"] == "fixed"


def test_telnyx_account_has_a_login_token_for_a_day(server: Server) -> None:
    server.admin("membership", user="ada", organization_id=17, kind="telnyx", sip_username="tel", sip_password="word")
    answer = server.phone().post("/api/voip-credentials").json()
    assert (answer["kind"], answer["sip_username"], answer["login_token"]) == ("telnyx", "tel", "login-tel-2")
    assert answer["expires_at"][:4].isdigit() and answer["expires_at"] > answer["issued_at"]


@pytest.mark.parametrize("given", [
    {"sip_username": 7}, {"kind": "h323"}, {"sip_transport": "sctp"}, {"password": "x"}, {"organization_id": 5}])
def test_wrong_memberships_are_refused(server: Server, given: dict[str, Any]) -> None:
    answer = server.post("/admin/membership", json={"user": "ada", "organization_id": 17} | given)
    refused(answer, 400, "unusable")


def test_user_who_left_an_organisation_gets_no_credentials(server: Server) -> None:
    server.admin("membership", user="ada", organization_id=17, remove=True)
    phone = server.phone()
    refused(phone.post("/api/voip-credentials"), 403, "no_organization")
    assert [one["id"] for one in phone.get("/api/organizations").json()["organizations"]] == [42, "org_nord"]


def test_sign_out_ends_every_token(server: Server) -> None:
    answer = registered(server)
    phone = server.phone(answer["device_token"])
    refused(phone.delete("/api/device-tokens/dt-1"), 404, "not_found")
    assert phone.delete(f"/api/device-tokens/{answer['id']}").status_code == 204
    refused(phone.get("/api/organizations"), 401, "invalid_token")
    refused(server.post("/api/token", json={"device_token": answer["device_token"]}), 401, "invalid_device_token")


def test_push_registration_is_renewed_and_reported_void(server: Server) -> None:
    phone, mark = server.phone(), server.mark()
    first, second = phone.post("/api/push-registrations").json(), phone.post("/api/push-registrations").json()
    assert first["id"] != second["id"] and first["renew_after"] == 7 * 86_400
    assert first["topic"] == "phones/dt-1/caller-info" and first["port"] == server.mqtt["port"]
    path = f"/api/push-registrations/{second['id']}/void"
    assert phone.post(path, json={"reason": "SUBACK 0x87"}).status_code == 204
    assert server.wait("push-void", since=mark, id=second["id"])["reason"] == "SUBACK 0x87"
    refused(server.phone("device-token-2").post(path, json={"reason": "not mine"}), 404, "not_found")
    assert server.admin("state")["devices"][0]["push_registrations"][1]["void_reason"] == "SUBACK 0x87"


def test_each_token_does_only_its_own(server: Server) -> None:
    person, phone = Phone(server, server.sign_in()["access_token"]), server.phone()
    refused(person.get("/api/organizations"), 403, "wrong_token")
    refused(phone.post("/api/device-tokens", json=KITCHEN), 403, "wrong_token")
    answer = server.get("/api/organizations")
    refused(answer, 401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    answer = Phone(server, "wrong").get("/api/organizations")
    refused(answer, 401, "invalid_token")
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_tokens_end(server: Server) -> None:
    phone = server.phone()
    server.admin("set-clock", skew_seconds=899)
    assert phone.get("/api/organizations").status_code == 200
    server.admin("set-clock", skew_seconds=901)
    refused(phone.get("/api/organizations"), 401, "invalid_token")
    assert server.phone().get("/api/organizations").status_code == 200


@pytest.mark.parametrize("what", ["access", "device", "all"])
def test_revoked_tokens(server: Server, what: str) -> None:
    phone, other = server.phone(), server.phone("device-token-2")
    server.admin("revoke", device="dt-1", what=what)
    again = server.post("/api/token", json={"device_token": "device-token-1"}).status_code
    assert (phone.get("/api/organizations").status_code, again) == (401 if what != "device" else 401, {
        "access": 200}.get(what, 401))
    assert other.get("/api/organizations").status_code == 200


def test_wrong_bodies_are_refused(server: Server) -> None:
    refused(server.post("/api/token", json={"device_token": 7}), 400, "invalid")
    refused(server.post("/api/token", data="{", headers={"Content-Type": "application/json"}), 400, "parse_error")
    refused(server.post("/api/token", data="x=1"), 415, "unsupported_media_type")
    refused(server.post("/api/token", json={"device_token": "x" * 100_000}), 413, "too_large")
    refused(server.get("/api/nothing"), 404, "not_found")


def test_server_reads_no_huge_body(server: Server) -> None:
    context = ssl.create_default_context(cafile=server.authority)
    connection = HTTPSConnection(server.url.removeprefix("https://"), context=context, timeout=5)
    connection.putrequest("POST", "/api/token")
    connection.putheader("Content-Length", "99999999999")
    connection.endheaders()
    assert connection.getresponse().status == 413


def test_lists_and_keys_have_tags(server: Server) -> None:
    phone = server.phone()
    for path in ("/api/organizations", "/oauth/jwks"):
        tag = phone.get(path).headers["ETag"]
        answer = server.get(path, headers=phone.headers | {"If-None-Match": tag})
        assert (answer.status_code, answer.content) == (304, b"")
    phone.post("/api/voip/switch-org", json={"target_organization_id": 42})
    answer = server.get("/api/organizations", headers=phone.headers | {"If-None-Match": tag})
    assert answer.status_code == 200


def test_many_phones_at_once(server: Server) -> None:
    phones = [server.phone(f"device-token-{number}") for number in (1, 2)]
    with ThreadPoolExecutor(10) as crowd:
        answers = crowd.map(lambda number: phones[number % 2].post("/api/voip-credentials"), range(100))
        assert {answer.status_code for answer in answers} == {200}
    assert server.admin("state")["devices"][0]["generations"]["17"] == 51

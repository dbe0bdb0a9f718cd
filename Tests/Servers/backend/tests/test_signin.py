"""Sign-in: RFC 8628, OpenID Connect, refresh and revocation."""
from __future__ import annotations

import re
import time
from typing import Any

import pytest
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from support import Server


def verified(server: Server, token: str, client_id: str = "offhook") -> dict[str, Any]:
    """Verifies an ID token as a phone must, and returns its claims."""
    found = server.get("/.well-known/openid-configuration").json()
    keys = KeySet.import_key_set(server.get(found["jwks_uri"].removeprefix(server.url)).json())
    decoded = jwt.decode(token, keys, algorithms=["RS256", "ES256"])
    registry = jwt.JWTClaimsRegistry(
        leeway=60, iss={"essential": True, "value": found["issuer"]}, aud={"essential": True, "value": client_id},
        exp={"essential": True}, iat={"essential": True}, sub={"essential": True})
    registry.validate(decoded.claims)
    return {"alg": decoded.header["alg"], **decoded.claims}


def test_code_is_short_and_says_where_to_enter_it(server: Server) -> None:
    begun = server.begin()
    assert re.fullmatch("[B-Z]{4}-[B-Z]{4}", begun["user_code"])
    assert begun["verification_uri"] == f"{server.url}/device"
    assert begun["verification_uri_complete"].endswith(f"?user_code={begun['user_code']}")
    assert (begun["interval"], begun["expires_in"]) == (5, 600)


def test_pending_then_slow_down_then_tokens(server: Server) -> None:
    server.admin("settings", interval_seconds=1)
    begun = server.begin()
    time.sleep(1)
    assert server.poll(begun["device_code"]).json()["error"] == "authorization_pending"
    answer = server.poll(begun["device_code"])
    assert (answer.status_code, answer.json()["error"]) == (400, "slow_down")
    assert server.admin("state")["codes"][-1]["interval"] == 6
    server.admin("approve", user_code=begun["user_code"].lower().replace("-", ""), user="ada")
    tokens = server.poll(begun["device_code"]).json()
    assert tokens["token_type"] == "Bearer" and tokens["expires_in"] == 3600 and tokens["refresh_token"]


@pytest.mark.parametrize(("client_id", "algorithm"), [("offhook", "RS256"), ("offhook-es256", "ES256")])
def test_id_token_is_signed_and_names_the_person(server: Server, client_id: str, algorithm: str) -> None:
    claims = verified(server, server.sign_in(client_id=client_id)["id_token"], client_id)
    assert claims["alg"] == algorithm and claims["sub"] == "sub-1-ada"
    assert (claims["name"], claims["email"]) == ("Ada Lovelace", "ada@example.org")


def test_scope_decides_about_the_id_token_and_names(server: Server) -> None:
    for scope, expected in (("openid", set()), ("openid email", {"email"}), ("profile", None)):
        begun = server.begin(scope=scope)
        server.admin("approve", user="ada")
        tokens = server.poll(begun["device_code"]).json()
        if expected is None:
            assert "id_token" not in tokens
        else:
            assert set(verified(server, tokens["id_token"])) & {"name", "email"} == expected


def test_names_can_come_only_once(server: Server) -> None:
    server.admin("settings", names_once=True)
    assert "name" in verified(server, server.sign_in()["id_token"])
    assert not {"name", "email"} & set(verified(server, server.sign_in()["id_token"]))


def test_denied_expired_unknown_and_used_codes(server: Server) -> None:
    begun = server.begin()
    server.admin("deny", user_code=begun["user_code"])
    assert server.poll(begun["device_code"]).json()["error"] == "access_denied"
    begun = server.begin()
    server.admin("set-clock", skew_seconds=601)
    assert server.poll(begun["device_code"]).json()["error"] == "expired_token"
    assert server.post("/admin/approve", json={"user_code": begun["user_code"]}).status_code == 400
    assert server.poll("unknown").json()["error"] == "invalid_request"
    begun = server.begin()
    server.admin("approve", user_code=begun["user_code"])
    assert server.poll(begun["device_code"], "offhook-es256").status_code == 400
    assert server.poll(begun["device_code"]).status_code == 200
    assert server.poll(begun["device_code"]).json()["error"] == "invalid_grant"


def test_unknown_client_is_refused(server: Server) -> None:
    answer = server.post("/oauth/device_authorization", data={"client_id": "nobody"})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client")


def test_refresh_token_is_good_once(server: Server) -> None:
    tokens = server.sign_in()
    form = {"grant_type": "refresh_token", "client_id": "offhook", "refresh_token": tokens["refresh_token"]}
    renewed = server.post("/oauth/token", data=form).json()
    assert renewed["access_token"] != tokens["access_token"]
    assert server.post("/oauth/token", data=form).json()["error"] == "invalid_grant"
    assert userinfo(server, tokens["access_token"]) == 401
    assert userinfo(server, renewed["access_token"]) == 200


def test_revocation(server: Server) -> None:
    tokens = server.sign_in()
    server.post("/oauth/revoke", data={"client_id": "offhook", "token": tokens["access_token"]})
    assert userinfo(server, tokens["access_token"]) == 401
    form = {"grant_type": "refresh_token", "client_id": "offhook", "refresh_token": tokens["refresh_token"]}
    assert server.post("/oauth/token", data=form).json()["error"] == "invalid_grant"


def userinfo(server: Server, token: str) -> int:
    return server.get("/oauth/userinfo", headers={"Authorization": f"Bearer {token}"}).status_code


@pytest.mark.parametrize("keeps", [True, False])
def test_rotated_keys(server: Server, keeps: bool) -> None:
    old = server.sign_in()["id_token"]
    server.admin("rotate-keys", keep=keeps)
    verified(server, server.sign_in()["id_token"])
    if keeps:
        verified(server, old)
    else:
        with pytest.raises((JoseError, ValueError)):
            verified(server, old)


@pytest.mark.parametrize("signature", ["broken", "other-key", "unknown-kid", "none", "hs256"])
@pytest.mark.parametrize("client_id", ["offhook", "offhook-es256"])
def test_falsified_signature_does_not_verify(server: Server, signature: str, client_id: str) -> None:
    server.admin("id-token", signature=signature, times=1)
    with pytest.raises((JoseError, ValueError)):
        verified(server, server.sign_in(client_id=client_id)["id_token"], client_id)
    verified(server, server.sign_in(client_id=client_id)["id_token"], client_id)


@pytest.mark.parametrize("claims", [{"iss": "https://evil.example"}, {"aud": "other"}, {"exp": 1}, {"sub": None}])
def test_falsified_claims_do_not_verify(server: Server, claims: dict[str, Any]) -> None:
    server.admin("id-token", claims=claims)
    with pytest.raises(JoseError):
        verified(server, server.sign_in()["id_token"])
    server.admin("id-token")
    verified(server, server.sign_in()["id_token"])


def test_clock_skew_is_in_tokens_and_date(server: Server) -> None:
    server.admin("set-clock", skew_seconds=120)
    begun = server.begin()
    server.admin("approve", user_code=begun["user_code"])
    answer = server.poll(begun["device_code"])
    from email.utils import parsedate_to_datetime

    assert abs(parsedate_to_datetime(answer.headers["Date"]).timestamp() - time.time() - 120) < 3
    claims = jwt.decode(
        answer.json()["id_token"], KeySet.import_key_set(server.get("/oauth/jwks").json()), algorithms=["RS256"]).claims
    assert abs(claims["iat"] - time.time() - 120) < 3


@pytest.mark.parametrize(("decision", "error"), [("allow", None), ("deny", "access_denied")])
def test_person_decides_on_the_page(server: Server, decision: str, error: str | None) -> None:
    begun = server.begin()
    page = server.get(f"/device?user_code={begun['user_code']}")
    assert begun["user_code"] in page.text
    secret = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert secret
    form = {
        "csrfmiddlewaretoken": secret[1], "user_code": begun["user_code"], "username": "ada", "password": "wrong",
        "decision": decision}
    headers = {"Referer": f"{server.url}/device"}
    assert server.post("/device", data=form, headers=headers).status_code == 400
    assert server.post("/device", data=form | {"password": "ada-password"}, headers=headers).status_code == 200
    assert server.poll(begun["device_code"]).json().get("error") == error


def test_page_refuses_a_form_from_elsewhere(server: Server) -> None:
    assert server.post("/device", data={"user_code": "x"}).status_code == 403

"""Sign-in: authlib's server parts for RFC 8628, RFC 6749 §6, RFC 7009 and OpenID Connect."""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
from functools import cache
from typing import Any

from authlib.common.security import generate_token
from authlib.integrations.django_oauth2 import AuthorizationServer, RevocationEndpoint
from authlib.oauth2.rfc6749 import InvalidGrantError, OAuth2Request
from authlib.oauth2.rfc6749.grants import RefreshTokenGrant
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDToken
from django.contrib.auth.models import User
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

from . import clock, events, runtime
from .models import Client, DeviceCode, Token

#: Each `slow_down` adds this to the interval (RFC 8628 §3.5).
SLOWER_SECONDS = 5
#: A poll may be early by this time, because timers and networks are not exact.
TOLERANCE_SECONDS = 0.25


def subject(user: User) -> str:
    """Returns the permanent identity of a user. Name and e-mail can change."""
    return f"sub-{user.pk}-{user.username}"


def user_info(user: User, scope: str) -> UserInfo:
    facts = UserInfo(sub=subject(user))
    if "profile" in scope.split():
        facts |= {"name": user.get_full_name(), "preferred_username": user.username}
    if "email" in scope.split():
        facts |= {"email": user.email, "email_verified": True}
    return facts


class DeviceCodes(DeviceAuthorizationEndpoint):
    @property
    def EXPIRES_IN(self) -> int:  # noqa: N802
        return runtime.current.settings.device_code_seconds

    @property
    def INTERVAL(self) -> int:  # noqa: N802
        return runtime.current.settings.interval_seconds

    def get_verification_uri(self) -> str:
        return f"{runtime.current.options.url}/device"

    def save_device_credential(self, client_id: str, scope: str | None, data: dict[str, Any]) -> None:
        DeviceCode.objects.create(
            client_id=client_id, scope=scope or "", device_code=data["device_code"], user_code=data["user_code"],
            expires_at=clock.now() + data["expires_in"], interval=data["interval"], polled_at=clock.now())
        events.emit("device-code", user_code=data["user_code"], client_id=client_id, scope=scope or "")


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, device_code: str) -> DeviceCode | None:
        return DeviceCode.objects.filter(device_code=device_code).first()

    def query_user_grant(self, user_code: str) -> tuple[User, bool] | None:
        code = DeviceCode.objects.get(user_code=user_code)
        if code.is_redeemed:
            raise InvalidGrantError("The device code was used before.")
        return None if code.is_approved is None else (code.user, code.is_approved)

    def should_slow_down(self, credential: DeviceCode) -> bool:
        now = clock.now()
        is_early = now - credential.polled_at < credential.interval - TOLERANCE_SECONDS
        credential.polled_at = now
        if is_early:
            credential.interval += SLOWER_SECONDS
        credential.save()
        events.emit("polled", user_code=credential.user_code, early=is_early, interval=credential.interval)
        return is_early

    def save_token(self, token: dict[str, Any]) -> None:
        super().save_token(token)
        credential = self.request.credential
        credential.is_redeemed = True
        credential.save()
        events.emit("signed-in", user=credential.user.username, client_id=credential.client_id)


class Refresh(RefreshTokenGrant):
    """Refreshes. Each refresh token is valid once, and the answer has the next one (RFC 9700 §4.14.2)."""

    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def authenticate_refresh_token(self, refresh_token: str) -> Token | None:
        return Token.objects.filter(refresh_token=refresh_token, refresh_revoked=False).first()

    def authenticate_user(self, refresh_token: Token) -> User:
        return refresh_token.user

    def revoke_old_credential(self, refresh_token: Token) -> None:
        refresh_token.revoked = refresh_token.refresh_revoked = True
        refresh_token.save()
        events.emit("refreshed", user=refresh_token.user.username)


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def revoke_token(self, token: Token, request: OAuth2Request) -> None:
        token.revoked = True
        if request.form.get("token_type_hint") != "access_token":
            token.refresh_revoked = True
        token.save()
        events.emit("revoked", user=token.user.username)


class SignedIdentity(OpenIDToken):
    def resolve_client_private_key(self, client: Client) -> RSAKey | ECKey:
        return runtime.current.keys.signing(client.id_token_signed_response_alg)

    def get_encode_header(self, client: Client) -> dict[str, Any]:
        return super().get_encode_header(client) | {"kid": self.resolve_client_private_key(client).kid}

    def get_client_claims(self, client: Client) -> dict[str, Any]:
        now = int(clock.now())
        return {
            "iss": runtime.current.options.url, "aud": client.client_id, "iat": now, "auth_time": now,
            "exp": now + runtime.current.settings.id_token_seconds}

    def generate_user_info(self, user: User, scope: str) -> UserInfo:
        facts, named = user_info(user, scope), runtime.current.named
        if runtime.current.settings.names_once and user.pk in named:
            facts = UserInfo(sub=facts["sub"])
        named.add(user.pk)
        return facts

    def encode_id_token(self, token: dict[str, Any], request: OAuth2Request) -> str:
        good, fault = super().encode_id_token(token, request), runtime.current.id_token_fault
        if not fault:
            return good
        if fault.get("times"):
            fault["times"] -= 1
            if not fault["times"]:
                runtime.current.id_token_fault = {}
        return falsified(good, self.resolve_client_private_key(request.client), fault)


def falsified(token: str, key: RSAKey | ECKey, fault: dict[str, Any]) -> str:
    """Returns the token with changed claims (null removes one), or with an invalid signature."""
    header, claims = (json.loads(_decoded(part)) for part in token.split(".")[:2])
    for name, value in fault.get("claims", {}).items():
        claims.pop(name, None) if value is None else claims.update({name: value})
    algorithm, signature = header["alg"], fault.get("signature", "valid")
    if signature == "none":
        return f"{_encoded({**header, 'alg': 'none'})}.{_encoded(claims)}."
    if signature == "hs256":
        # An HMAC with the public key. A verifier that lets the token choose the algorithm accepts it.
        text = f"{_encoded({**header, 'alg': 'HS256'})}.{_encoded(claims)}"
        return f"{text}.{_base64(hmac.digest(key.as_pem(private=False), text.encode(), hashlib.sha256))}"
    if signature in ("other-key", "unknown-kid"):
        key = RSAKey.generate_key(2048) if algorithm == "RS256" else ECKey.generate_key("P-256")
        if signature == "unknown-kid":
            header["kid"] = key.thumbprint()
    signed = jwt.encode(header, claims, key, [algorithm])
    if signature == "broken":
        text, _, proof = signed.rpartition(".")
        raw = bytearray(_decoded(proof))
        raw[len(raw) // 2] ^= 1
        return f"{text}.{_base64(bytes(raw))}"
    return signed


SIGNATURES = ("valid", "broken", "other-key", "unknown-kid", "none", "hs256")


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _encoded(value: dict[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode())


@cache
def server() -> AuthorizationServer:
    server = AuthorizationServer(Client, Token)
    server.register_token_generator("default", BearerTokenGenerator(
        lambda **_: generate_token(42), lambda **_: generate_token(48),
        lambda client, grant: runtime.current.settings.access_token_seconds))
    server.register_grant(DeviceGrant, [SignedIdentity()])
    server.register_grant(Refresh, [SignedIdentity()])
    server.register_endpoint(DeviceCodes)
    server.register_endpoint(Revocation)
    return server


def phone_token(device: Any) -> Token:
    """Issues a short-lived access token to a phone."""
    return Token.objects.create(
        client_id="phone", user=device.user, device=device, access_token=generate_token(42), scope="phone",
        expires_in=runtime.current.settings.phone_token_seconds)


def discovery() -> dict[str, Any]:
    """Returns the discovery document (OpenID Connect Discovery 1.0 §3, RFC 8628 §4)."""
    url = runtime.current.options.url
    return {
        "issuer": url, "device_authorization_endpoint": f"{url}/oauth/device_authorization",
        "token_endpoint": f"{url}/oauth/token", "revocation_endpoint": f"{url}/oauth/revoke",
        "userinfo_endpoint": f"{url}/oauth/userinfo", "jwks_uri": f"{url}/oauth/jwks",
        "grant_types_supported": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
        "response_types_supported": [], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": ["openid", "profile", "email", "offline_access"],
        "claims_supported": ["sub", "name", "preferred_username", "email", "email_verified"]}

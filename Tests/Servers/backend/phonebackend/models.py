"""The database: organisations, phones, and OAuth 2.0 tokens. Users are Django's."""
from __future__ import annotations

import datetime
import hashlib
from typing import Any

from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, list_to_scope, scope_to_list
from authlib.oauth2.rfc8628 import DeviceCredentialMixin
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.db import models

from . import clock


KINDS_OF_ACCOUNTS = ("sip", "verto", "telnyx")
TRANSPORTS = ("udp", "tcp", "tls", "ws", "wss")


class QuickHasher(PBKDF2PasswordHasher):
    iterations = 100


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def timestamp(seconds: float) -> str:
    """Formats a time as RFC 3339, in UTC."""
    return datetime.datetime.fromtimestamp(int(seconds), datetime.UTC).isoformat().replace("+00:00", "Z")


class Organization(models.Model):
    #: In JSON a number if `is_numeric`, else a string. Real backends use both.
    public_id = models.CharField(max_length=64, unique=True)
    is_numeric = models.BooleanField(default=True)
    name = models.CharField(max_length=128)
    slug = models.CharField(max_length=64)
    #: The number that callers dial.
    channel_number = models.CharField(max_length=32)

    @property
    def identifier(self) -> int | str:
        return int(self.public_id) if self.is_numeric else self.public_id


class Membership(models.Model):
    """A user's membership in an organisation, with the user's account at the call server."""

    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    organization = models.ForeignKey(Organization, models.CASCADE)
    is_default = models.BooleanField(default=False)
    #: One of KINDS_OF_ACCOUNTS. A telnyx account also has a login token, which is valid for a day.
    kind = models.CharField(max_length=16, default="sip")
    sip_username = models.CharField(max_length=128)
    sip_password = models.CharField(max_length=128)
    sip_server = models.CharField(max_length=255, default="sip.example.org")
    sip_transport = models.CharField(max_length=8, default="tls")
    caller_id_name = models.CharField(max_length=128)
    caller_id_number = models.CharField(max_length=32)
    #: A renewal keeps the password. Otherwise it appends the generation.
    keeps_password = models.BooleanField(default=False)

    class Meta:
        unique_together = [("user", "organization")]


class Device(models.Model):
    """A registered phone. Its identifier in the API is `dt-` and the primary key."""

    user = models.ForeignKey(User, models.CASCADE)
    #: The phone's permanent identifier, also for other users.
    device_id = models.CharField(max_length=128)
    name = models.CharField(max_length=128)
    token_digest = models.CharField(max_length=64, unique=True)
    mqtt_password = models.CharField(max_length=64)
    organization = models.ForeignKey(Organization, models.PROTECT, null=True)
    created_at = models.FloatField(default=clock.now)
    #: The number of the current credentials by organisation, from 1. Only renewals are stored.
    generations = models.JSONField(default=dict)

    @property
    def public_id(self) -> str:
        return f"dt-{self.pk}"

    @property
    def topic(self) -> str:
        return f"phones/{self.public_id}/caller-info"

    def membership(self) -> Membership | None:
        return self.user.memberships.select_related("organization").filter(organization=self.organization).first()

    def issue_credentials(self, *, renews: bool) -> dict[str, Any] | None:
        """Returns the account of the current organisation, or None if the user is not a member."""
        membership = self.membership()
        if not membership:
            return None
        now, organization, password = clock.now(), membership.organization, membership.sip_password
        generation = self.generations.get(organization.public_id, 1)
        if renews:
            generation += 1
            self.generations[organization.public_id] = generation
            self.save()
        if generation > 1 and not membership.keeps_password:
            password += f"-{generation}"
        credentials = {
            "kind": membership.kind, "sip_username": membership.sip_username, "sip_password": password,
            "sip_server": membership.sip_server, "sip_transport": membership.sip_transport,
            "caller_id_name": membership.caller_id_name, "caller_id_number": membership.caller_id_number,
            "organization_id": organization.identifier, "organization_name": organization.name,
            "organization_slug": organization.slug, "issued_at": timestamp(now)}
        if membership.kind == "telnyx":
            credentials["login_token"] = f"login-{membership.sip_username}-{generation}"
            credentials["expires_at"] = timestamp(now + 86_400)
        return credentials


class PushRegistration(models.Model):
    """A phone's registration for caller info. Its identifier is `push-` and the primary key."""

    device = models.ForeignKey(Device, models.CASCADE, related_name="push_registrations")
    created_at = models.FloatField(default=clock.now)
    #: The phone's reason for reporting it as void; empty while it is valid.
    void_reason = models.CharField(max_length=256, default="")

    @property
    def public_id(self) -> str:
        return f"push-{self.pk}"


# OAuth 2.0


class Client(models.Model, ClientMixin):
    """An OAuth client. All clients are public: a phone cannot keep a client secret."""

    client_id = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=128)
    scope = models.CharField(max_length=255, default="openid profile email offline_access")
    id_token_signed_response_alg = models.CharField(max_length=8, default="RS256")

    def get_client_id(self) -> str:
        return self.client_id

    def get_allowed_scope(self, scope: str) -> str:
        allowed = set(scope_to_list(self.scope))
        return list_to_scope([one for one in scope_to_list(scope or "") if one in allowed])

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "none"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in ("urn:ietf:params:oauth:grant-type:device_code", "refresh_token")


class DeviceCode(models.Model, DeviceCredentialMixin):
    """A sign-in that has begun (RFC 8628)."""

    client_id = models.CharField(max_length=64)
    scope = models.CharField(max_length=255, default="")
    device_code = models.CharField(max_length=64, unique=True)
    user_code = models.CharField(max_length=16, unique=True)
    expires_at = models.FloatField()
    interval = models.IntegerField()
    polled_at = models.FloatField(default=0)
    user = models.ForeignKey(User, models.CASCADE, null=True)
    #: None until the user decides.
    is_approved = models.BooleanField(null=True)
    is_redeemed = models.BooleanField(default=False)

    def get_client_id(self) -> str:
        return self.client_id

    def get_scope(self) -> str:
        return self.scope

    def get_user_code(self) -> str:
        return self.user_code

    def is_expired(self) -> bool:
        return clock.now() >= self.expires_at


class Token(models.Model, TokenMixin):
    """An access token of a user who signed in or, with `device`, of a phone."""

    client_id = models.CharField(max_length=64)
    user = models.ForeignKey(User, models.CASCADE)
    device = models.ForeignKey(Device, models.CASCADE, null=True)
    token_type = models.CharField(max_length=16, default="Bearer")
    access_token = models.CharField(max_length=64, unique=True)
    refresh_token = models.CharField(max_length=64, null=True, unique=True)
    scope = models.CharField(max_length=255, default="")
    issued_at = models.FloatField(default=clock.now)
    expires_in = models.IntegerField()
    revoked = models.BooleanField(default=False)
    refresh_revoked = models.BooleanField(default=False)

    def check_client(self, client: Client) -> bool:
        return self.client_id == client.client_id

    def get_scope(self) -> str:
        return self.scope

    def get_expires_in(self) -> int:
        return self.expires_in

    def is_expired(self) -> bool:
        return clock.now() >= self.issued_at + self.expires_in

    def is_revoked(self) -> bool:
        return self.revoked

    def get_user(self) -> User:
        return self.user

    def get_client(self) -> Client:
        return Client.objects.get(client_id=self.client_id)

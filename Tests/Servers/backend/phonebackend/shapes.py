"""The JSON of each endpoint of the API."""
from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from .models import KINDS_OF_ACCOUNTS, TRANSPORTS

ID = {"oneOf": [{"type": "integer"}, {"type": "string", "minLength": 1, "maxLength": 64}]}


class Text(serializers.CharField):
    """A JSON string. Unlike CharField it does not convert numbers."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(ID)
class OrganizationID(serializers.Field):
    """A JSON integer or string."""

    default_error_messages = {"invalid": "A number or a string is needed."}

    def to_internal_value(self, data: Any) -> int | str:
        if isinstance(data, bool) or not isinstance(data, int | str) or data == "" or len(str(data)) > 64:
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


# (A doc string would appear in the OpenAPI file.)
class Shape(serializers.Serializer):
    default_error_messages = {"invalid": "The body must be a JSON object."}


class Error(serializers.Serializer):
    error = serializers.CharField(help_text="A code for programs.")
    message = serializers.CharField(help_text="A sentence for people. The phone shows it.")


class DeviceToken(Shape):
    device_token = Text(max_length=128, help_text="What `POST /api/device-tokens` answered.")


class AccessToken(serializers.Serializer):
    access_token = serializers.CharField()
    token_type = serializers.ChoiceField(["Bearer"])
    expires_in = serializers.IntegerField(help_text="Seconds.")


class NewDevice(Shape):
    device_id = Text(max_length=128, help_text="The phone's own name, which never changes.")
    device_name = Text(max_length=128, required=False, help_text="For people.")
    platform = Text(max_length=64, required=False)
    app_version = Text(max_length=64, required=False)


class Person(serializers.Serializer):
    sub = serializers.CharField()
    name = serializers.CharField()
    email = serializers.CharField()


class Credentials(serializers.Serializer):
    kind = serializers.ChoiceField(KINDS_OF_ACCOUNTS)
    sip_username = serializers.CharField()
    sip_password = serializers.CharField()
    sip_server = serializers.CharField()
    sip_transport = serializers.ChoiceField(TRANSPORTS)
    caller_id_name = serializers.CharField()
    caller_id_number = serializers.CharField()
    organization_id = OrganizationID()
    organization_name = serializers.CharField()
    organization_slug = serializers.CharField()
    issued_at = serializers.DateTimeField()
    login_token = serializers.CharField(required=False, help_text="Of a telnyx account.")
    expires_at = serializers.DateTimeField(required=False, help_text="When the login token ends.")


class Push(serializers.Serializer):
    id = serializers.CharField()
    push_token = serializers.CharField(help_text="Names this registration, for a person who looks for it in a log.")
    created_at = serializers.DateTimeField()
    renew_after = serializers.IntegerField(help_text="Seconds.")
    host = serializers.CharField()
    port = serializers.IntegerField()
    topic = serializers.CharField(help_text="The phone reads caller info here.")
    presence_topic = serializers.CharField(help_text="The phone writes its birth message and its last will here.")
    client_id = serializers.CharField()
    username = serializers.CharField()
    password = serializers.CharField()


class Device(serializers.Serializer):
    id = serializers.CharField()
    device_token = serializers.CharField(help_text="The phone keeps it and shows it to `POST /api/token` only.")
    organization_id = OrganizationID(help_text="The default organisation.")
    organization_name = serializers.CharField()
    organization_slug = serializers.CharField()
    user = Person()
    credentials = Credentials()
    push_registration = Push(allow_null=True)


class Organization(serializers.Serializer):
    id = OrganizationID()
    name = serializers.CharField()
    slug = serializers.CharField()
    channel_number = serializers.CharField()
    is_default = serializers.BooleanField()
    is_current = serializers.BooleanField()


class Organizations(serializers.Serializer):
    organizations = Organization(many=True)


class Switch(Shape):
    target_organization_id = OrganizationID()


class Void(Shape):
    reason = Text(max_length=256, help_text="What the broker answered.")


class DeviceAuthorization(serializers.Serializer):
    device_code = serializers.CharField()
    user_code = serializers.CharField()
    verification_uri = serializers.CharField()
    verification_uri_complete = serializers.CharField()
    expires_in = serializers.IntegerField()
    interval = serializers.IntegerField()


class SignIn(serializers.Serializer):
    client_id = serializers.CharField()
    scope = serializers.CharField(required=False, allow_blank=True)


class OAuthGrant(serializers.Serializer):
    grant_type = serializers.ChoiceField(["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"])
    client_id = serializers.CharField()
    device_code = serializers.CharField(required=False)
    refresh_token = serializers.CharField(required=False)


class OAuthToken(serializers.Serializer):
    access_token = serializers.CharField()
    token_type = serializers.CharField()
    expires_in = serializers.IntegerField()
    scope = serializers.CharField()
    refresh_token = serializers.CharField()
    id_token = serializers.CharField(required=False, help_text="If the scope has `openid`.")


class OAuthError(serializers.Serializer):
    error = serializers.CharField()
    error_description = serializers.CharField(required=False)


class Revocation(serializers.Serializer):
    client_id = serializers.CharField()
    token = serializers.CharField()
    token_type_hint = serializers.ChoiceField(["access_token", "refresh_token"], required=False)


class UserInfo(serializers.Serializer):
    sub = serializers.CharField()
    name = serializers.CharField(required=False)
    preferred_username = serializers.CharField(required=False)
    email = serializers.CharField(required=False)
    email_verified = serializers.BooleanField(required=False)

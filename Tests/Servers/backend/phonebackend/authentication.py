"""Bearer tokens of users who signed in, and of phones."""
from __future__ import annotations

from typing import Any

from authlib.integrations.django_oauth2 import BearerTokenValidator, ResourceProtector
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import MissingAuthorizationError
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission

from .models import Token

protector = ResourceProtector()
protector.register_token_validator(BearerTokenValidator(Token))


class BearerAuthentication(BaseAuthentication):
    def authenticate(self, request: Any) -> tuple[Any, Token] | None:
        try:
            token = protector.acquire_token(request._request)
        except MissingAuthorizationError:
            return None
        except OAuth2Error as error:
            raise AuthenticationFailed(error.description, "invalid_token") from error
        request._request.token = token
        return token.user, token

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "phonebackend.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http", "scheme": "bearer",
            "description": "An access token of `POST /api/token`; for `POST /api/device-tokens` that of the sign-in."}


class IsPerson(BasePermission):
    message, code = "Only the token of a sign-in can register a phone.", "wrong_token"

    def has_permission(self, request: Any, view: Any) -> bool:
        return bool(request.auth) and request.auth.device is None


class IsPhone(BasePermission):
    message, code = "Only the token of a registered phone can do this.", "wrong_token"

    def has_permission(self, request: Any, view: Any) -> bool:
        return bool(request.auth) and request.auth.device is not None



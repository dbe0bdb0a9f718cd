"""OAuth 2.0 and OpenID Connect over HTTP, and the page where a user allows a phone."""
from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.utils import OpenApiExample, OpenApiTypes, extend_schema
from rest_framework.parsers import FormParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from . import events, oauth, runtime, shapes
from .models import DeviceCode


# Takes a form and needs no bearer token. (A doc string would appear in the OpenAPI file.)
class FormView(APIView):
    authentication_classes, permission_classes, parser_classes = (), (), (FormParser,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        # Rejects other media types before authlib fails on them.
        _ = request.data


class DeviceAuthorizationView(FormView):
    @extend_schema(
        summary="Begins a sign-in (RFC 8628 §3.1)", request=shapes.SignIn,
        responses={200: shapes.DeviceAuthorization, 400: shapes.OAuthError, 401: shapes.OAuthError, 415: shapes.Error},
        examples=[OpenApiExample("example", {"client_id": "offhook", "scope": "openid"},
            media_type="application/x-www-form-urlencoded", request_only=True)])
    def post(self, request: Request) -> HttpResponse:
        return oauth.server().create_endpoint_response(oauth.DeviceCodes.ENDPOINT_NAME, request._request)


class OAuthTokenView(FormView):
    @extend_schema(
        summary="Polls for a sign-in (RFC 8628 §3.4), or refreshes (RFC 6749 §6)", request=shapes.OAuthGrant,
        responses={200: shapes.OAuthToken, 400: shapes.OAuthError, 401: shapes.OAuthError, 415: shapes.Error})
    def post(self, request: Request) -> HttpResponse:
        return oauth.server().create_token_response(request._request)


class RevocationView(FormView):
    @extend_schema(
        summary="Revokes a token (RFC 7009)", request=shapes.Revocation,
        responses={200: OpenApiTypes.OBJECT, 400: shapes.OAuthError, 401: shapes.OAuthError, 415: shapes.Error})
    def post(self, request: Request) -> HttpResponse:
        return oauth.server().create_endpoint_response(oauth.Revocation.ENDPOINT_NAME, request._request)


class UserInfoView(APIView):
    @extend_schema(summary="Who signed in", responses={200: shapes.UserInfo, 401: shapes.Error, 406: shapes.Error})
    def get(self, request: Request) -> Response:
        return Response(oauth.user_info(request.user, request.auth.scope))


class PublicView(APIView):
    authentication_classes, permission_classes, renderer_classes = (), (), (JSONRenderer,)


class DiscoveryView(PublicView):
    @extend_schema(summary="OpenID Connect Discovery 1.0", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        return Response(oauth.discovery())


class KeysView(PublicView):
    @extend_schema(summary="The keys of ID tokens (JWKS, RFC 7517)", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        return Response(runtime.current.keys.public(), headers={"Cache-Control": "public, max-age=300"})


class Undecidable(Exception):
    """The code is unknown, expired, or decided already."""


def decide(user_code: str, user: User, *, approves: bool) -> DeviceCode:
    """Approves or denies a sign-in. Ignores case and hyphens of the code (RFC 8628 §6.1)."""
    plain = "".join(letter for letter in user_code.upper() if letter.isalnum())
    code = DeviceCode.objects.filter(user_code=f"{plain[:4]}-{plain[4:]}").first()
    if not code or code.is_expired():
        raise Undecidable("There is no such code, or it expired.")
    if code.is_approved is not None:
        raise Undecidable("This code was used already.")
    code.user, code.is_approved = user, approves
    code.save()
    events.emit("code-approved" if approves else "code-denied", user_code=code.user_code, user=user.username)
    return code


def page(request: HttpRequest) -> HttpResponse:
    """The page at `verification_uri`: code, user name, password; allow or deny."""
    given: Any = request.POST if request.method == "POST" else request.GET
    facts = {"user_code": given.get("user_code", "")[:16], "username": given.get("username", "")[:64]}
    status = 200
    if request.method == "POST":
        user = authenticate(request, username=facts["username"], password=given.get("password", ""))
        try:
            if not user:
                raise Undecidable("Name or password is wrong.")
            approves = given.get("decision") == "allow"
            decide(facts["user_code"], user, approves=approves)
            facts["done"] = "The phone is signed in." if approves else "The phone was not let in."
        except Undecidable as error:
            facts["problem"], status = str(error), 400
    return render(request, "device.html", facts, status=status)

"""The endpoints that phones call."""
from __future__ import annotations

from typing import Any

from authlib.common.security import generate_token
from django.contrib.auth.models import User
from django.db import transaction
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from . import clock, events, oauth, runtime, shapes
from .authentication import IsPerson, IsPhone
from .broker import BrokerError
from .errors import Refusal
from .models import Device, PushRegistration, digest, timestamp


def described(
    summary: str, body: Any, answers: dict[int, Any], errors: str = "400 401 403", example: Any = None
) -> Any:
    """Describes an endpoint. Adds 406, and 415 if it has a body."""
    for status in (errors + (" 415" if body else "") + " 406").split():
        answers[int(status)] = shapes.Error
    examples = [OpenApiExample("example", example, request_only=True)] if example else None
    return extend_schema(summary=summary, request=body, responses=answers, examples=examples)


class TokenView(APIView):
    authentication_classes, permission_classes = (), ()

    @described("A short-lived access token for a device token", shapes.DeviceToken, {200: shapes.AccessToken},
               "400 401", {"device_token": "device-token-1"})
    def post(self, request: Request) -> Response:
        secret = checked(shapes.DeviceToken, request)["device_token"]
        device = Device.objects.select_related("user").filter(token_digest=digest(secret)).first()
        if not device:
            raise Refusal(401, "invalid_device_token", "This phone is signed out. Sign in again.")
        token = oauth.phone_token(device)
        events.emit("token-issued", device=device.public_id)
        return Response({"access_token": token.access_token, "token_type": "Bearer", "expires_in": token.expires_in})


class DeviceTokensView(APIView):
    permission_classes = (IsPerson,)

    @described("Registers a phone after a sign-in", shapes.NewDevice, {201: shapes.Device},
               example={"device_id": "urn:uuid:00000000-0000-4000-8000-000000000009", "device_name": "Kitchen"})
    def post(self, request: Request) -> Response:
        given = checked(shapes.NewDevice, request)
        device, secret = register(request.user, given["device_id"], given.get("device_name") or given["device_id"])
        organization = device.organization
        events.emit(
            "device-registered", device=device.public_id, device_id=device.device_id, user=request.user.username,
            organization_id=organization.identifier)
        return Response({
            "id": device.public_id, "device_token": secret, "organization_id": organization.identifier,
            "organization_name": organization.name, "organization_slug": organization.slug,
            "user": {
                "sub": oauth.subject(device.user), "name": device.user.get_full_name(), "email": device.user.email},
            "credentials": device.issue_credentials(renews=False),
            "push_registration": push(device) if broker_runs() else None}, 201)


@transaction.atomic
def register(user: User, device_id: str, name: str) -> tuple[Device, str]:
    """Registers a phone and returns its device token. A phone registered before keeps its identifier."""
    default = user.memberships.select_related("organization").order_by("-is_default", "pk").first()
    if not default:
        raise Refusal(403, "no_organization", f"{user.get_full_name()} belongs to no organisation.")
    for former in Device.objects.filter(device_id=device_id).exclude(user=user):
        sign_out(former)
    secret, password = generate_token(42), generate_token(42)
    device, is_new = Device.objects.update_or_create(
        user=user, device_id=device_id,
        defaults={"name": name, "token_digest": digest(secret), "organization": default.organization},
        create_defaults={
            "name": name, "token_digest": digest(secret), "organization": default.organization,
            "mqtt_password": password})
    if is_new and (broker := runtime.current.broker):
        broker.add(device.public_id, device.mqtt_password)
        broker.client_certificate(device.public_id)
    return device, secret


def sign_out(device: Device) -> None:
    name = device.public_id
    device.delete()
    if runtime.current.broker:
        runtime.current.broker.remove(name)
    events.emit("device-deleted", device=name)


class DeviceTokenView(APIView):
    permission_classes = (IsPhone,)

    @described("Signs a phone out", None, {204: None}, "401 403 404")
    def delete(self, request: Request, id: str) -> Response:
        if id != request.auth.device.public_id:
            raise Refusal(404, "not_found", "This phone has no device token with that identifier.")
        sign_out(request.auth.device)
        return Response(status=204)


class OrganizationsView(APIView):
    permission_classes = (IsPhone,)

    @described("The organisations that the person belongs to", None, {200: shapes.Organizations}, "401 403")
    def get(self, request: Request) -> Response:
        current = request.auth.device.organization_id
        memberships = request.user.memberships.select_related("organization").order_by("pk")
        return Response({"organizations": [
            {
                "id": one.organization.identifier, "name": one.organization.name, "slug": one.organization.slug,
                "channel_number": one.organization.channel_number, "is_default": one.is_default,
                "is_current": one.organization_id == current}
            for one in memberships]})


class SwitchView(APIView):
    permission_classes = (IsPhone,)

    @described("Makes another organisation the current one", shapes.Switch, {200: shapes.Credentials},
               example={"target_organization_id": 42})
    def post(self, request: Request) -> Response:
        target, device = checked(shapes.Switch, request)["target_organization_id"], request.auth.device
        membership = request.user.memberships.select_related("organization").filter(
            organization__public_id=str(target)).first()
        facts = {"device": device.public_id, "from": device.organization and device.organization.identifier,
                 "target": target}
        if not membership:
            events.emit("switch-refused", **facts)
            raise Refusal(403, "not_a_member", f"{request.user.get_full_name()} does not belong to {target}.")
        device.organization = membership.organization
        device.save()
        events.emit("switched", **facts)
        return Response(device.issue_credentials(renews=False))


class CredentialsView(APIView):
    permission_classes = (IsPhone,)

    @described("New credentials for the current organisation", None, {200: shapes.Credentials}, "401 403")
    def post(self, request: Request) -> Response:
        device = request.auth.device
        credentials = device.issue_credentials(renews=True)
        if not credentials:
            raise Refusal(403, "no_organization", "This phone works for no organisation.")
        events.emit(
            "credentials-renewed", device=device.public_id, organization_id=credentials["organization_id"],
            generation=device.generations[device.organization.public_id])
        return Response(credentials)


class PushRegistrationsView(APIView):
    permission_classes = (IsPhone,)

    @described("Registers or renews caller info by MQTT", None, {201: shapes.Push}, "401 403 503")
    def post(self, request: Request) -> Response:
        if not broker_runs():
            raise Refusal(503, "no_broker", "Caller info is not available now.")
        answer = push(request.auth.device)
        events.emit("push-registered", device=request.auth.device.public_id, id=answer["id"])
        return Response(answer, 201)


class VoidPushView(APIView):
    permission_classes = (IsPhone,)

    @described("Reports that the broker refuses a registration", shapes.Void, {204: None}, "400 401 403 404",
               {"reason": "SUBACK 0x87: not authorized"})
    def post(self, request: Request, id: str) -> Response:
        reason, device = checked(shapes.Void, request)["reason"], request.auth.device
        registration = next((one for one in device.push_registrations.all() if one.public_id == id), None)
        if not registration:
            raise Refusal(404, "not_found", "This phone has no registration with that identifier.")
        registration.void_reason = reason
        registration.save()
        events.emit("push-void", device=device.public_id, id=id, reason=reason)
        return Response(status=204)


def broker_runs() -> bool:
    return bool(runtime.current.broker and runtime.current.broker.process)


def push(device: Device) -> dict[str, Any]:
    broker, registration = runtime.current.broker, PushRegistration.objects.create(device=device)
    if not broker:
        raise BrokerError("there is no broker")
    return {
        "id": registration.public_id, "push_token": f"mqtt-{device.public_id}-{registration.pk}",
        "created_at": timestamp(clock.now()), "renew_after": 86_400 * runtime.current.settings.push_days,
        "host": runtime.current.options.name, "port": broker.port, "topic": device.topic,
        "presence_topic": f"phones/{device.public_id}/presence", "client_id": device.public_id,
        "username": device.public_id, "password": device.mqtt_password}


def checked(shape: type[shapes.Shape], request: Request) -> dict[str, Any]:
    serializer = shape(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data

"""Commands of a test: `POST /admin/NAME` with JSON, or a line {"do": "NAME", …} on standard input."""
from __future__ import annotations

import base64
import itertools
import json
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User

from . import clock, events, oauth, runtime, seeds, signin
from .broker import Broker, BrokerError
from .certificates import KINDS
from .models import KINDS_OF_ACCOUNTS, TRANSPORTS, Device, DeviceCode, Membership, Organization, Token

Arguments = dict[str, Any]


class Unusable(Exception):
    """The command is unknown or cannot be carried out; the text says why."""


#: What `membership` can set.
ACCOUNT_KEYS = {
    "kind": str, "sip_username": str, "sip_password": str, "sip_server": str, "sip_transport": str,
    "caller_id_name": str, "caller_id_number": str, "is_default": bool, "keeps_password": bool}
COMMANDS: dict[str, Callable[[Arguments], dict[str, Any]]] = {}
#: Numbers the identifiers of messages.
_numbers = itertools.count(1)


def command(function: Callable[[Arguments], dict[str, Any]]) -> Callable[[Arguments], dict[str, Any]]:
    COMMANDS[function.__name__.replace("_", "-")] = function
    return function


def execute(name: str, arguments: Arguments) -> dict[str, Any]:
    if name not in COMMANDS:
        raise Unusable(f"no command {name!r}; there are {', '.join(sorted(COMMANDS))}")
    try:
        return COMMANDS[name](arguments)
    except (ValueError, TypeError, KeyError, BrokerError, signin.Undecidable) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise Unusable(reason) from error


# Users


@command
def approve(given: Arguments) -> dict[str, Any]:
    """{user_code, user}: approves a sign-in, as the user does on the page. Default: the newest one that waits."""
    return _decide(given, approves=True)


@command
def deny(given: Arguments) -> dict[str, Any]:
    return _decide(given, approves=False)


def _decide(given: Arguments, *, approves: bool) -> dict[str, Any]:
    waiting = DeviceCode.objects.filter(is_approved=None).order_by("-pk").first()
    code = given.get("user_code") or (waiting.user_code if waiting else "")
    decided = signin.decide(code, _user(given.get("user", "ada")), approves=approves)
    return {"user_code": decided.user_code, "user": decided.user.username}


@command
def membership(given: Arguments) -> dict[str, Any]:
    """{user, organization_id, …}: adds or changes a user's account in an organisation; `remove` removes it."""
    user, organization = _user(given["user"]), _organization(given["organization_id"])
    if given.get("remove"):
        user.memberships.filter(organization=organization).delete()
        return {}
    values = {key: value for key, value in given.items() if key not in ("user", "organization_id", "remove")}
    for key, value in values.items():
        if key not in ACCOUNT_KEYS or type(value) is not ACCOUNT_KEYS[key]:
            raise Unusable(f"no {key!r} of that type; there are {', '.join(ACCOUNT_KEYS)}")
    if values.get("kind", KINDS_OF_ACCOUNTS[0]) not in KINDS_OF_ACCOUNTS:
        raise Unusable(f"kind is one of {', '.join(KINDS_OF_ACCOUNTS)}")
    if values.get("sip_transport", TRANSPORTS[0]) not in TRANSPORTS:
        raise Unusable(f"sip_transport is one of {', '.join(TRANSPORTS)}")
    if values.get("is_default"):
        user.memberships.update(is_default=False)
    account = f"{user.username}-{organization.public_id}"
    usual = {
        "sip_username": account, "sip_password": f"secret-{account}", "caller_id_name": user.get_full_name(),
        "caller_id_number": organization.channel_number}
    one, _ = Membership.objects.update_or_create(
        user=user, organization=organization, defaults=values, create_defaults=usual | values)
    return {"user": user.username, "organization_id": organization.identifier, "sip_username": one.sip_username}


# Tokens, keys, time


@command
def revoke(given: Arguments) -> dict[str, Any]:
    """{device | user, what}: revokes `access` tokens (default), `refresh` tokens, the `device` token, or `all`."""
    what, tokens, devices = given.get("what", "access"), Token.objects.all(), Device.objects.all()
    if what not in ("access", "refresh", "device", "all"):
        raise Unusable("revokes access, refresh, device or all")
    if "device" in given:
        devices = devices.filter(pk=_device(given).pk)
        tokens = tokens.filter(device__in=devices)
    if "user" in given:
        tokens, devices = tokens.filter(user__username=given["user"]), devices.filter(user__username=given["user"])
    count = tokens.update(**{"access": {"revoked": True}, "refresh": {"refresh_revoked": True}}.get(
        what, {"revoked": True, "refresh_revoked": True}))
    if what in ("device", "all"):
        # No secret has this digest.
        for device in devices:
            device.token_digest = f"revoked-{device.pk}"
            device.save()
    return {"tokens": count, "devices": devices.count()}


@command
def rotate_keys(given: Arguments) -> dict[str, Any]:
    """{keep}: signs with new keys from now on. With `keep` the old ones stay in the JWKS."""
    return {"kids": runtime.current.keys.rotate(keeps_old=bool(given.get("keep", False)))}


@command
def id_token(given: Arguments) -> dict[str, Any]:
    """{claims, signature, times}: falsifies ID tokens from now on. Without arguments they are valid again."""
    signature, claims = given.get("signature", "valid"), given.get("claims", {})
    if signature not in oauth.SIGNATURES or not isinstance(claims, dict):
        raise Unusable(f"signature is one of {', '.join(oauth.SIGNATURES)}; claims is an object")
    fault = {"claims": claims, "signature": signature, "times": int(given.get("times", 0))}
    runtime.current.id_token_fault = fault if claims or signature != "valid" else {}
    return runtime.current.id_token_fault


@command
def set_clock(given: Arguments) -> dict[str, Any]:
    """{skew_seconds}: shifts the clock of tokens, `Date` and credentials."""
    clock.skew_seconds = int(given["skew_seconds"])
    return {"skew_seconds": clock.skew_seconds}


@command
def settings(given: Arguments) -> dict[str, Any]:
    """Changes any of runtime.Settings, and returns all."""
    return runtime.current.settings.change({key: value for key, value in given.items() if key != "do"})


# Faults


@command
def faults(given: Arguments) -> dict[str, Any]:
    """{fault, path, method, times, …}: adds a fault; {"clear": true} removes all; {} lists them."""
    if given.get("clear"):
        runtime.current.faults.clear()
    elif "fault" in given:
        runtime.current.faults.add({key: value for key, value in given.items() if key != "do"})
    return {"faults": runtime.current.faults.describe()}


@command
def certificate(given: Arguments) -> dict[str, Any]:
    """{kind, server}: the certificate for new connections of `http`, `mqtt` or `both` (default)."""
    kind, server = given.get("kind", "valid"), given.get("server", "both")
    if kind not in KINDS or server not in ("http", "mqtt", "both"):
        raise Unusable(f"kind is one of {', '.join(KINDS)}; server is http, mqtt or both")
    if server != "mqtt" and runtime.current.use_certificate:
        runtime.current.use_certificate(kind)
    if server != "http" and runtime.current.broker:
        runtime.current.broker.use_certificate(kind)
    return {"kind": kind, "server": server}


# Caller info


@command
def caller_info(given: Arguments) -> dict[str, Any]:
    """{device, message | raw | raw_base64, strings, pad, retain, repeat, per_second}: publishes caller info."""
    device, broker = _device(given), _broker()
    repeat, per_second = int(given.get("repeat", 1)), float(given.get("per_second", 0))
    if not 1 <= repeat <= 1_000_000 or not 0 <= per_second <= 100_000:
        raise Unusable("repeat is 1 to 1000000, per_second 0 to 100000")
    payloads = (_payload(given, device) for _ in range(repeat))
    if repeat == 1:
        payload = next(payloads)
        began = time.monotonic_ns()
        broker.publish(device.topic, payload, retain=bool(given.get("retain")))
        facts = {
            "topic": device.topic, "bytes": len(payload), "monotonic_ns": began,
            "ms": round((time.monotonic_ns() - began) / 1e6, 1)}
        events.emit("published", device=device.public_id, **facts)
        return facts | {"payload": payload.decode(errors="replace") if len(payload) <= 4096 else None}
    threading.Thread(target=_flood, args=(broker, device, payloads, per_second), daemon=True).start()
    return {"topic": device.topic, "repeat": repeat}


def _flood(broker: Broker, device: Device, payloads: Any, per_second: float) -> None:
    began, count, size = time.monotonic(), 0, 0
    try:
        for payload in payloads:
            if per_second and (wait := began + count / per_second - time.monotonic()) > 0:
                time.sleep(wait)
            broker.publish(device.topic, payload, waits=False)
            count, size = count + 1, size + len(payload)
    except BrokerError as error:
        events.emit("flood-ended", device=device.public_id, count=count, why=str(error))
        return
    events.emit(
        "flood-ended", device=device.public_id, count=count, bytes=size, seconds=round(time.monotonic() - began, 2))


def _payload(given: Arguments, device: Device) -> bytes:
    """Completes the message of the test: keys that it lacks get usual values."""
    if "raw" in given:
        return str(given["raw"]).encode()
    if "raw_base64" in given:
        return base64.b64decode(given["raw_base64"])
    message, number = dict(given.get("message", {})), next(_numbers)
    usual: dict[str, Any] = {
        "type": "incoming_call", "call_id": f"call-{number}", "call_session_id": f"session-{number}",
        "call_control_id": f"control-{number}", "caller_number": "+442079460123", "caller_name": "Charles Babbage",
        "timestamp": int(clock.now())}
    if device.organization:
        organization = device.organization
        if "organization_id" in message:
            organization = Organization.objects.filter(public_id=str(message["organization_id"])).first()
        if organization:
            usual |= {
                "organization_id": organization.identifier, "organization_name": organization.name,
                "organization_slug": organization.slug, "channel_number": organization.channel_number}
    message = {key: value for key, value in (usual | message).items() if value is not None}
    if given.get("strings"):
        message |= {key: str(message[key]) for key in ("timestamp", "organization_id") if key in message}
    if size := int(given.get("pad", 0)):
        message["padding"] = ""
        message["padding"] = "x" * max(0, size - len(json.dumps(message).encode()))
    return json.dumps(message).encode()


@command
def broker(given: Arguments) -> dict[str, Any]:
    """{action, device}: acts on the broker or, with a device, on a phone's rights there."""
    one, action = _broker(), given["action"]
    if action in ("stop", "kill", "restart"):
        one.stop(kills=action == "kill")
    if action in ("start", "restart") and not one.process:
        one.start(phones())
    elif action in ("freeze", "thaw"):
        one.freeze(freezes=action == "freeze")
    elif action in ("deny", "allow"):
        device = _device(given)
        one.set_topic(device.public_id, device.topic, allowed=action == "allow")
    elif action in ("disable", "enable"):
        one.set_login(_device(given).public_id, allowed=action == "enable")
    elif action not in ("stop", "kill", "start", "restart"):
        raise Unusable("action is start, stop, kill, restart, freeze, thaw, deny, allow, disable or enable")
    return {"action": action, "port": one.port, "certificate_port": one.certificate_port}


# Everything


@command
def state(given: Arguments) -> dict[str, Any]:
    """Returns everything that a test may want to compare, with secrets."""
    one = runtime.current
    return {
        "devices": [
            {
                "id": device.public_id, "device_id": device.device_id, "name": device.name,
                "user": device.user.username, "topic": device.topic, "mqtt_password": device.mqtt_password,
                "organization_id": device.organization.identifier if device.organization else None,
                "generations": device.generations, "credentials": device.issue_credentials(renews=False),
                "push_registrations": [
                    {"id": push.public_id, "void_reason": push.void_reason}
                    for push in device.push_registrations.order_by("pk")]}
            for device in Device.objects.select_related("user", "organization").order_by("pk")],
        "organizations": [
            {"id": each.identifier, "name": each.name, "slug": each.slug, "channel_number": each.channel_number}
            for each in Organization.objects.order_by("pk")],
        "codes": [
            {"user_code": code.user_code, "is_approved": code.is_approved, "interval": code.interval}
            for code in DeviceCode.objects.order_by("pk")],
        "faults": one.faults.describe(), "id_token": one.id_token_fault, "settings": asdict(one.settings),
        "skew_seconds": clock.skew_seconds,
        "broker": {
            "runs": bool(one.broker.process), "port": one.broker.port, "certificate_port": one.broker.certificate_port,
            "certificate": one.broker.certificate_kind} if one.broker else None}


@command
def reset(given: Arguments) -> dict[str, Any]:
    """Restores everything as in a new folder, except keys and the authority."""
    one = runtime.current
    one.reset()
    clock.skew_seconds = 0
    seeds.recreate()
    if one.use_certificate:
        one.use_certificate("valid")
    if one.broker and one.broker.is_used:
        one.broker.certificate_kind = "valid"
        one.broker.stop()
        one.broker.forget()
        one.broker.start(phones())
    return {}


def phones() -> list[tuple[str, str]]:
    return [(device.public_id, device.mqtt_password) for device in Device.objects.order_by("pk")]


def _broker() -> Broker:
    if not runtime.current.broker:
        raise Unusable("this server was started without a broker")
    return runtime.current.broker


def _user(name: str) -> User:
    user = User.objects.filter(username=name).first()
    if not user:
        raise Unusable(f"no person {name!r}")
    return user


def _organization(identifier: Any) -> Organization:
    organization = Organization.objects.filter(public_id=str(identifier)).first()
    if not organization:
        raise Unusable(f"no organisation {identifier!r}")
    return organization


def _device(given: Arguments) -> Device:
    """Finds a phone by `dt-…` or by its `device_id`. Default: the one registered last."""
    devices, name = Device.objects.select_related("organization", "user"), given.get("device")
    if name is None:
        device = devices.order_by("-pk").first()
    elif str(name).startswith("dt-") and str(name)[3:].isdigit():
        device = devices.filter(pk=int(name[3:])).first()
    else:
        device = devices.filter(device_id=str(name)).first()
    if not device:
        raise Unusable(f"no phone {name!r}")
    return device

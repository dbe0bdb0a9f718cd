"""The commands of `control` over HTTP, for clients on this machine only."""
from __future__ import annotations

import ipaddress
import json

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from . import control


@transaction.non_atomic_requests
@csrf_exempt
def view(request: HttpRequest, name: str) -> JsonResponse:
    if not ipaddress.ip_address(request.META["REMOTE_ADDR"].split("%")[0]).is_loopback:
        return refusal(403, "forbidden", "The admin endpoints are for this machine only.")
    if request.method == "DELETE" and name == "faults":
        arguments = {"clear": True}
    elif request.method == "GET" and name in ("state", "faults"):
        arguments = {}
    elif request.method == "POST":
        # A web page can make a browser post a form to loopback, but not JSON.
        if request.body and request.content_type != "application/json":
            return refusal(415, "unsupported_media_type", "Send JSON.")
        try:
            arguments = json.loads(request.body or b"{}")
        except ValueError:
            return refusal(400, "unusable", "The body is no JSON.")
        if not isinstance(arguments, dict):
            return refusal(400, "unusable", "The body must be a JSON object.")
    else:
        return refusal(405, "method_not_allowed", "POST, please.")
    try:
        return JsonResponse(control.execute(name, arguments))
    except control.Unusable as error:
        return refusal(400, "unusable", str(error))


def refusal(status: int, code: str, message: str) -> JsonResponse:
    return JsonResponse({"error": code, "message": message}, status=status)

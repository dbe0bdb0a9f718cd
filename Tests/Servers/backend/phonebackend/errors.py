"""Every error of the API is {"error": CODE, "message": TEXT}."""
from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback


class Refusal(exceptions.APIException):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message, code)
        self.status_code = status


def answer(error: Exception, _: dict[str, Any]) -> Response | None:
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, RequestDataTooBig):
        error = Refusal(413, "too_large", "The body is too large.")
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    headers = {}
    if isinstance(error, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        # RFC 6750 §3.1: without a token, the answer names no error.
        is_wrong = error.get_codes() == "invalid_token"
        headers["WWW-Authenticate"] = 'Bearer error="invalid_token"' if is_wrong else "Bearer"
    if isinstance(error, exceptions.ValidationError):
        return Response({"error": "invalid", "message": _in_one_line(error.detail)}, 400, headers=headers)
    return Response({"error": error.get_codes(), "message": str(error.detail)}, error.status_code, headers=headers)


def _in_one_line(detail: Any) -> str:
    if isinstance(detail, dict):
        return "; ".join(f"{key}: {_in_one_line(value)}" for key, value in detail.items())
    return " ".join(_in_one_line(one) for one in detail) if isinstance(detail, list) else str(detail)

"""Reports each request, and injects faults."""
from __future__ import annotations

import time
from collections.abc import Callable

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse

from . import clock, events, faults, runtime

Answer = Callable[[HttpRequest], HttpResponse]


class ReportRequests:
    """Prints the event `request` for each request of a phone or a browser, not for `/admin/`."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.monotonic()
        response = self.answer(request)
        response["Date"] = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(clock.now()))
        if not request.path.startswith("/admin/") and not runtime.current.options.quiet:
            token = getattr(request, "token", None)
            events.emit(
                "request", method=request.method, path=request.path, status=response.status_code,
                ms=round(1000 * (time.monotonic() - start), 1), host=request.META.get("HTTP_HOST", ""),
                device=token.device.public_id if token and token.device else None,
                user=token.user.username if token else None, fault=getattr(request, "fault", None))
        return response

    @staticmethod
    def process_exception(request: HttpRequest, error: Exception) -> None:
        if not isinstance(error, SuspiciousOperation):
            events.fault(f"{request.method} {request.path}", error)


class InjectFaults:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        fault = None
        if not request.path.startswith("/admin/"):
            fault = runtime.current.faults.take(request.method, request.path)
        if not fault:
            return self.answer(request)
        request.fault = fault.kind
        # A faulty answer must not become "304 Not Modified".
        request.META.pop("HTTP_IF_NONE_MATCH", None)
        if fault.kind == "slow":
            time.sleep(min(600.0, float(fault.options["seconds"])))
        response = self.answer(request) if fault.comes_after or fault.kind == "slow" else HttpResponse()
        return self.apply(request, response, fault)

    @staticmethod
    def apply(request: HttpRequest, response: HttpResponse, fault: faults.Fault) -> HttpResponse:
        options = fault.options
        match fault.kind:
            case "slow":
                pass
            case "refuse":
                response = JsonResponse(
                    {"error": options["error"], "message": options["message"]}, status=int(options["status"]))
                if options["retry_after"]:
                    response["Retry-After"] = str(options["retry_after"])
            case "reset":
                request.META["backend.abort"]()
            case "redirect":
                response = HttpResponse(status=int(options["status"]))
                response["Location"] = options["location"] or redirect_target(request, options["to"])
            case _:
                whole, content = len(response.content), response.content
                response.headers.pop("ETag", None)
                if content.startswith((b"{", b"[")) or fault.kind in ("garbage", "empty", "half-body"):
                    response.content = faults.change_body(fault, content)
                if fault.kind == "half-body":
                    request.META["backend.close"]()
                response["Content-Length"] = str(whole if fault.kind == "half-body" else len(response.content))
        return response


def redirect_target(request: HttpRequest, to: str) -> str:
    """The requested address at another host name, without TLS, or unchanged. At another host name it works.

    - Parameter to: One of `faults.PLACES`.
    """
    host, _, port = request.get_host().rpartition(":")
    path = request.get_full_path()
    if to == "other-host":
        other = "127.0.0.1" if host == "localhost" else "localhost"
        return f"{request.scheme}://{other}:{port}{path}"
    if to == "plain":
        return f"http://{host}:{port}{path}"
    return f"{request.scheme}://{host}:{port}{path}"

"""Vocabulary of the protocol: methods, errors, causes."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

AUTHENTICATION, CREDENTIALS, CALL_ERROR = -32000, -32001, -32002
NO_REQUEST, NO_METHOD, BAD_PARAMETERS = -32600, -32601, -32602

FRAME_LIMIT = 64 * 1024

# Cause: its number (Q.850 and FreeSWITCH's own), and a gateway's SIP status for it.
CAUSES = {
    "UNALLOCATED_NUMBER": (1, 404),
    "NORMAL_CLEARING": (16, 200),
    "USER_BUSY": (17, 486),
    "NO_USER_RESPONSE": (18, 408),
    "NO_ANSWER": (19, 480),
    "SUBSCRIBER_ABSENT": (20, 480),
    "CALL_REJECTED": (21, 603),
    "NUMBER_CHANGED": (22, 410),
    "DESTINATION_OUT_OF_ORDER": (27, 502),
    "INVALID_NUMBER_FORMAT": (28, 484),
    "NORMAL_UNSPECIFIED": (31, 480),
    "NORMAL_CIRCUIT_CONGESTION": (34, 503),
    "NORMAL_TEMPORARY_FAILURE": (41, 503),
    "SWITCH_CONGESTION": (42, 503),
    "INCOMPATIBLE_DESTINATION": (88, 488),
    "MANDATORY_IE_MISSING": (96, 400),
    "RECOVERY_ON_TIMER_EXPIRE": (102, 504),
    "ORIGINATOR_CANCEL": (487, 487),
    "MEDIA_TIMEOUT": (804, 504),
    "PICKED_OFF": (805, 487),
    "USER_NOT_REGISTERED": (806, 480),
    "GATEWAY_DOWN": (809, 503),
}
REASONS = {
    200: "OK", 404: "Not Found", 408: "Request Timeout", 480: "Temporarily Unavailable", 486: "Busy Here",
    487: "Request Terminated", 488: "Not Acceptable Here", 503: "Service Unavailable", 603: "Decline",
}


class Refusal(Exception):
    """The response to a request that is not carried out."""

    def __init__(self, code: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **more}

    @property
    def why(self) -> str:
        """For events, not for the client: a description's fault is reported, too."""
        told = [self.error["message"], self.error.get("cause"), self.__cause__ and str(self.__cause__)[:200]]
        return ", ".join(one for one in told if one)


def call_error(cause: str) -> Refusal:
    return Refusal(CALL_ERROR, "CALL ERROR", cause=cause, causeCode=code_of(cause))


def no_such_call() -> Refusal:
    return Refusal(CALL_ERROR, "CALL DOES NOT EXIST")


def code_of(cause: str) -> int:
    return CAUSES.get(cause, (31, 480))[0]


def cause_from(params: dict[str, Any]) -> str:
    """The cause of a client's bye: its name wins over its number."""
    name, code = params.get("cause"), params.get("causeCode")
    if isinstance(name, str) and name in CAUSES:
        return name
    return next((cause for cause, (number, _) in CAUSES.items() if number == code), "NORMAL_CLEARING")


@dataclass(frozen=True)
class Dialect:
    name: str
    prefix: str

    @property
    def is_telnyx(self) -> bool:
        return self.name == "telnyx"

    def method(self, name: str) -> str:
        return self.prefix + name

    def short(self, method: str) -> str | None:
        """The name without its prefix; None for a method of the other dialect."""
        if method.startswith(self.prefix):
            return method[len(self.prefix) :]
        return method if method in ("login", "echo", "jsapi", "fsapi") else None


DIALECTS = {"telnyx": Dialect("telnyx", "telnyx_rtc."), "freeswitch": Dialect("freeswitch", "verto.")}


def parse(text: str) -> dict[str, Any]:
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(NO_REQUEST, "not JSON") from error
    if not isinstance(frame, dict):
        raise Refusal(NO_REQUEST, "not an object")
    return frame


def words(value: Any, limit: int = 128) -> str:
    """A client's text in a form that is safe for an event."""
    return str(value)[:limit] if isinstance(value, (str, int, float)) else ""


def dictionary(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}

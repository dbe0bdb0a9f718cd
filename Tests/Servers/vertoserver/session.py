"""One login, over as many sockets as it needs."""
from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any

from .link import Link
from .wire import Dialect

if TYPE_CHECKING:
    from .leg import Leg


class Session:
    numbers = itertools.count(1)

    def __init__(self, user: str, sessid: str, dialect: Dialect, sdk_id: str) -> None:
        self.user, self.sessid, self.dialect, self.sdk_id = user, sessid, dialect, sdk_id
        self.link: Link | None = None
        self.legs: dict[str, Leg] = {}
        # The coming gateway states, one for each query; the last one stays.
        self.gateway: list[str] = ["REGED"]
        self.methods: Counter[str] = Counter()
        self.acknowledged = 0
        self.pings_answered = 0
        self.waiting: dict[int, str] = {}
        # When its socket was lost, by the clock of the event loop.
        self.detached = 0.0
        # Whether the server was restarted, and has only its memory of the calls.
        self.is_recovered = False

    @property
    def is_registered(self) -> bool:
        return not self.dialect.is_telnyx or self.gateway[0] == "REGED"

    def gateway_state(self) -> str:
        return self.gateway.pop(0) if len(self.gateway) > 1 else self.gateway[0]

    def send(self, frame: dict[str, Any]) -> None:
        if self.link:
            more = {"voice_sdk_id": self.sdk_id} if self.dialect.is_telnyx else {}
            self.link.send({"jsonrpc": "2.0", **frame, **more})

    def request(self, name: str, params: dict[str, Any]) -> None:
        """Telnyx and FreeSWITCH number their own requests by integers."""
        number = next(self.numbers)
        self.waiting[number] = name
        while len(self.waiting) > 100:
            self.waiting.pop(next(iter(self.waiting)))
        self.send({"id": number, "method": self.dialect.method(name), "params": params})

    def replied(self, frame: dict[str, Any]) -> None:
        number = frame.get("id")
        name = self.waiting.pop(number, None) if isinstance(number, int) else None
        message = frame.get("result")
        if name == "ping" or isinstance(message, dict) and message.get("message") == "PONG":
            self.pings_answered += 1
        elif name:
            self.acknowledged += 1

    def figures(self) -> dict[str, Any]:
        return {
            "user": self.user, "sessid": self.sessid, "connected": self.link is not None, "calls": list(self.legs),
            "methods": dict(self.methods), "acknowledged": self.acknowledged, "pings_answered": self.pings_answered,
        }

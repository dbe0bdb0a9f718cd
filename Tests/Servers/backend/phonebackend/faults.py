"""Faults that a test injects into answers."""
from __future__ import annotations

import json
import threading
from typing import Any

#: For each fault: its options with defaults, and whether the server handles the request first.
KINDS: dict[str, tuple[dict[str, Any], bool]] = {
    "slow": ({"seconds": 5.0}, False),
    "refuse": ({"status": 503, "error": "refused", "message": "The test wants this refusal.", "retry_after": 0}, False),
    "reset": ({"after": False}, False),
    "redirect": ({"to": "other-host", "location": "", "status": 307}, False),
    "garbage": ({}, True),
    "empty": ({}, True),
    "wrong-types": ({"keys": []}, True),
    "half-json": ({}, True),
    "half-body": ({}, True),
    "oversized": ({"bytes": 300_000}, True),
}
#: Targets of a redirect. `same-host` is the requested address, so it loops.
PLACES = ("other-host", "plain", "same-host")


class Fault:
    def __init__(self, given: dict[str, Any]) -> None:
        given = dict(given)
        self.kind = str(given.pop("fault", ""))
        if self.kind not in KINDS:
            raise ValueError(f"no fault {self.kind!r}; there are {', '.join(KINDS)}")
        #: A prefix of the path, and a method; an empty method matches all.
        self.path, self.method = str(given.pop("path", "/")), str(given.pop("method", "")).upper()
        #: The number of requests; 0: until it is cleared.
        self.left = self.times = int(given.pop("times", 0))
        defaults, self.comes_after = KINDS[self.kind]
        unknown = set(given) - set(defaults)
        if unknown:
            raise ValueError(f"{self.kind} has no {', '.join(sorted(unknown))}; it has {', '.join(defaults) or 'none'}")
        for key, value in given.items():
            # An integer is accepted for a float.
            kind = type(defaults[key])
            if not isinstance(value, kind) and not (kind is float and type(value) is int):
                raise ValueError(f"{key} is like {defaults[key]!r}")
        self.options = defaults | given
        if self.options.get("to", PLACES[0]) not in PLACES:
            raise ValueError(f"to is one of {', '.join(PLACES)}")
        if self.options.get("after"):
            self.comes_after = True

    def describe(self) -> dict[str, Any]:
        facts = {"fault": self.kind, "path": self.path, **self.options}
        return facts | ({"method": self.method} if self.method else {}) | ({"left": self.left} if self.times else {})


class Faults:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.all: list[Fault] = []

    def add(self, given: dict[str, Any]) -> Fault:
        fault = Fault(given)
        with self.lock:
            self.all.append(fault)
        return fault

    def clear(self) -> None:
        with self.lock:
            self.all.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """Returns the first fault that matches the request, and counts it."""
        with self.lock:
            for fault in self.all:
                if path.startswith(fault.path) and fault.method in ("", method):
                    if fault.times:
                        fault.left -= 1
                        if not fault.left:
                            self.all.remove(fault)
                    return fault
        return None

    def describe(self) -> list[dict[str, Any]]:
        with self.lock:
            return [fault.describe() for fault in self.all]


def change_types(value: Any, keys: list[str]) -> Any:
    """Changes the type of each value, or only of those with a key in `keys`."""
    if isinstance(value, dict):
        return {
            key: _other(item) if not keys or key in keys else change_types(item, keys) for key, item in value.items()}
    return [change_types(item, keys) for item in value] if isinstance(value, list) else value


def _other(value: Any) -> Any:
    match value:
        case bool() | None:
            return {"value": value}
        case int() | float():
            return [value]
        case str():
            return {"text": value}
        case list():
            return "a list"
        case _:
            return 7


def change_body(fault: Fault, body: bytes) -> bytes:
    match fault.kind:
        case "garbage":
            return bytes((byte * 7 + 131) % 256 for byte in range(256))
        case "empty":
            return b""
        case "half-json" | "half-body":
            return body[:len(body) // 2]
        case "wrong-types":
            return json.dumps(change_types(json.loads(body), fault.options["keys"])).encode()
        case "oversized":
            whole = json.loads(body or b"{}")
            padding = "x" * int(fault.options["bytes"])
            return json.dumps({**whole, "padding": padding} if isinstance(whole, dict) else [whole, padding]).encode()
    return body

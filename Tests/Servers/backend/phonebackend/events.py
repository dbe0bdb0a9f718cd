"""Events on standard output, one JSON object a line."""
from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

#: Events hide the values of these keys.
SECRETS = frozenset(
    "access_token refresh_token id_token device_token device_code password sip_password login_token mqtt_password"
    " push_token private_key".split())

_start = time.monotonic_ns()
_lock = threading.Lock()
_listeners: list[Any] = []


def without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "…" if key in SECRETS and item else without_secrets(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_secrets(item) for item in value]
    return value


def emit(name: str, **facts: Any) -> None:
    now = time.monotonic_ns()
    event = {"event": name, "at": round((now - _start) / 1e9, 3), "monotonic_ns": now, **without_secrets(facts)}
    with _lock:
        for listener in _listeners:
            listener(event)
        try:
            print(json.dumps(event, ensure_ascii=False), flush=True)
        except BrokenPipeError:
            # The program that started this server ended. `sys.exit` would end only this thread.
            os._exit(0)


def listen(listener: Any) -> None:
    _listeners.append(listener)


def fault(where: str, error: BaseException) -> None:
    """Reports an error of this server itself. Tests fail on it."""
    print(f"{where}: {error!r}", file=sys.stderr, flush=True)
    emit("fault", where=where, why=repr(error)[:500])

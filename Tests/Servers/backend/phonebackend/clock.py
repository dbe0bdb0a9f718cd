"""The server's time, which a test can set wrong."""
from __future__ import annotations

import time

skew_seconds = 0


def now() -> float:
    return time.time() + skew_seconds

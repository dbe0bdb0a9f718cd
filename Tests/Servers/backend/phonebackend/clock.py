"""The server's clock. A test can shift it."""
from __future__ import annotations

import time

skew_seconds = 0


def now() -> float:
    return time.time() + skew_seconds

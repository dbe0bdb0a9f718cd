"""The state of a running server outside the database."""
from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .broker import Broker
from .faults import Faults
from .keys import SigningKeys
from .options import Options


@dataclass
class Settings:
    #: Lifetimes of the access tokens of a user who signed in, and of a phone.
    access_token_seconds: int = 3600
    phone_token_seconds: int = 900
    device_code_seconds: int = 600
    interval_seconds: int = 5
    id_token_seconds: int = 3600
    #: Only a user's first ID token has name and e-mail, as at some identity providers.
    names_once: bool = False
    push_days: int = 7

    def change(self, values: dict[str, Any]) -> dict[str, Any]:
        known = asdict(self)
        for key, value in values.items():
            if key not in known or type(value) is not type(known[key]):
                raise ValueError(f"no setting {key!r} of that type; there are {known}")
            setattr(self, key, value)
        return asdict(self)


class Runtime:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.settings = Settings()
        self.faults = Faults()
        self.keys = SigningKeys(options.path("keys.json"))
        self.broker = Broker(options) if options.broker else None
        #: The fault of the next ID tokens: {"claims": …, "signature": …, "times": …}; empty: none.
        self.id_token_fault: dict[str, Any] = {}
        #: Users who got an ID token with their name.
        self.named: set[int] = set()
        #: Changes the certificate of HTTPS; None without TLS.
        self.use_certificate: Any = None

    def reset(self) -> None:
        self.settings = Settings()
        self.faults.clear()
        self.id_token_fault = {}
        self.named.clear()


#: Set once by serve.py, before the first request.
current: Runtime = None  # type: ignore[assignment]

"""The parts of a running server that are in no database. A test changes them by `control`."""
from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .broker import Broker
from .faults import Faults
from .keys import SigningKeys
from .options import Options


@dataclass
class Settings:
    #: The life of an access token: of a person who signed in, and of a phone.
    access_token_seconds: int = 3600
    phone_token_seconds: int = 900
    device_code_seconds: int = 600
    interval_seconds: int = 5
    id_token_seconds: int = 3600
    #: Name and e-mail are in a person's first ID token only, as some identity providers do it.
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
        #: How the next ID tokens are falsified: {"claims": …, "signature": …, "times": …}.
        self.id_token_fault: dict[str, Any] = {}
        #: The people whose name and e-mail were told.
        self.named: set[int] = set()
        #: Changes the certificate of HTTPS; set when the server listens.
        self.use_certificate: Any = None

    def reset(self) -> None:
        self.settings = Settings()
        self.faults.clear()
        self.id_token_fault = {}
        self.named.clear()


#: Set once by serve.py, before the first request.
current: Runtime = None  # type: ignore[assignment]

"""The keys that sign ID tokens, for RS256 and ES256, in FOLDER/keys.json."""
from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from joserfc.jwk import ECKey, KeySet, RSAKey

ALGORITHMS = ("RS256", "ES256")


class SigningKeys:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        #: Oldest first. The newest one of each algorithm signs.
        self.keys: list[RSAKey | ECKey] = []
        if path.exists():
            stored = json.loads(path.read_text())
            self.keys = list(KeySet.import_key_set(stored).keys)
        else:
            self.rotate(keeps_old=False)

    def rotate(self, *, keeps_old: bool) -> list[str]:
        """Signs with new keys from now on.

        - Parameter keeps_old: Whether the old keys stay in the JWKS.
        - Returns: The identifiers of the new keys.
        """
        made = []
        for algorithm in ALGORITHMS:
            parameters = {"use": "sig", "alg": algorithm}
            key = RSAKey.generate_key(2048, parameters) if algorithm == "RS256" else ECKey.generate_key(
                "P-256", parameters)
            key.ensure_kid()
            made.append(key)
        with self.lock:
            self.keys = (self.keys if keeps_old else []) + made
            self.path.write_text(json.dumps({"keys": [key.as_dict(private=True) for key in self.keys]}))
            self.path.chmod(0o600)
        return [key.kid for key in made]

    def signing(self, algorithm: str) -> RSAKey | ECKey:
        with self.lock:
            return next(key for key in reversed(self.keys) if key.as_dict(private=False)["alg"] == algorithm)

    def public(self) -> dict[str, Any]:
        with self.lock:
            return {"keys": [key.as_dict(private=False) for key in self.keys]}

"""The command line of serve.py."""
from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass
class Options:
    folder: Path
    host: str = "127.0.0.1"
    port: int = 0
    tls: bool = False
    #: The host name in URLs and certificates.
    name: str = "localhost"
    names: list[str] = field(default_factory=list)
    broker: bool = True
    mqtt_port: int = 0
    mqtt_certificate_port: int = 0
    quiet: bool = False

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.name}:{self.port}"

    def path(self, *parts: str) -> Path:
        """Returns a path below the folder, and creates its parent folder."""
        path = self.folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def read(arguments: list[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="keeps the database, keys and certificates")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; loopback by default")
    parser.add_argument("--port", type=int, default=0, help="0: any free port, which the event `listening` names")
    parser.add_argument("--tls", action="store_true", help="HTTPS, with an authority in FOLDER/tls/ca.crt")
    parser.add_argument("--name", default="localhost", help="the host name in URLs and certificates")
    parser.add_argument("--also", action="append", default=[], metavar="NAME", help="another name in the certificates")
    parser.add_argument("--no-broker", action="store_true", help="starts no mosquitto")
    parser.add_argument("--mqtt-port", type=int, default=0, help="TLS and password; 0: any free port")
    parser.add_argument("--mqtt-certificate-port", type=int, default=0, help="client certificate; 0: any free port")
    parser.add_argument("--quiet", action="store_true", help="prints no event for each request")
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    os.chmod(folder, 0o700)
    return Options(
        folder, given.host, given.port, given.tls, given.name, given.also, not given.no_broker, given.mqtt_port,
        given.mqtt_certificate_port, given.quiet)

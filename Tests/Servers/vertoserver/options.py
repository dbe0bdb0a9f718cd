"""The server's start options."""
from __future__ import annotations

import argparse
from dataclasses import dataclass, field

from media.paths import Paths, add_options, from_options

from .wire import DIALECTS, Dialect


@dataclass
class Options:
    host: str
    port: int
    dialect: Dialect
    users: dict[str, str]
    tokens: dict[str, str]
    paths: Paths
    certificate: str | None = None
    key: str | None = None
    record_dir: str | None = None
    setup: str = "active"
    codecs: list[str] | None = None
    line_end: str = "\r\n"
    trickles: bool = False
    bypasses: bool = False
    wrong_fingerprint: bool = False
    early: bool = False
    answer_ms: int = 100
    ring_seconds: float = 60
    detach_seconds: float = 60
    ping_seconds: float = 30
    sessions: int = 16
    calls: int = 32
    known_users: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.known_users = set(self.users) | set(self.tokens.values())


def pair(text: str) -> tuple[str, str]:
    name, colon, secret = text.partition(":")
    if not (name and colon and secret):
        raise argparse.ArgumentTypeError("expected NAME:SECRET")
    return name, secret


def read(words: list[str] | None = None) -> Options:
    parser = argparse.ArgumentParser(
        prog="verto.py", description="A Verto server for tests; it ends when its input does.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dialect", choices=sorted(DIALECTS), default="telnyx")
    parser.add_argument("--user", action="append", type=pair, default=[], metavar="NAME:PASSWORD")
    parser.add_argument("--token", action="append", type=pair, default=[], metavar="NAME:TOKEN")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--record-dir")
    parser.add_argument("--lf", action="store_true", help="descriptions with bare line feeds")
    parser.add_argument("--trickle", action="store_true", help="send own candidates one by one to clients that trickle")
    parser.add_argument("--bypass-media", action="store_true", help="media of calls between users go past this server")
    parser.add_argument("--early", action="store_true", help="services send a tone of 440 Hz before they answer")
    parser.add_argument("--answer-ms", type=int, default=100)
    parser.add_argument("--ring-seconds", type=float, default=60)
    parser.add_argument("--detach-seconds", type=float)
    parser.add_argument("--ping-seconds", type=float, default=30)
    parser.add_argument("--sessions", type=int, default=16)
    parser.add_argument("--calls", type=int, default=32)
    add_options(parser)
    parsed = parser.parse_args(words)
    if bool(parsed.certificate) != bool(parsed.key):
        parser.error("--certificate and --key belong together")
    dialect = DIALECTS[parsed.dialect]
    return Options(
        host=parsed.host, port=parsed.port, dialect=dialect, users=dict(parsed.user),
        tokens={token: name for name, token in parsed.token}, paths=from_options(parsed, parsed.host),
        certificate=parsed.certificate, key=parsed.key, record_dir=parsed.record_dir, setup=parsed.setup,
        codecs=parsed.codec, line_end="\n" if parsed.lf else "\r\n", trickles=parsed.trickle,
        bypasses=parsed.bypass_media,
        wrong_fingerprint=parsed.wrong_fingerprint, early=parsed.early,
        answer_ms=parsed.answer_ms, ring_seconds=parsed.ring_seconds,
        detach_seconds=parsed.detach_seconds or (60 if dialect.is_telnyx else 120), ping_seconds=parsed.ping_seconds,
        sessions=parsed.sessions, calls=parsed.calls)

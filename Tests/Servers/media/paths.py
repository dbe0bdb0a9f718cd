"""The addresses that media may use."""
from __future__ import annotations

import argparse
from dataclasses import dataclass, field

import aioice.ice
from aiortc import RTCIceServer


@dataclass
class Paths:
    """Without servers and with loopback addresses only, media stays on the machine."""

    addresses: list[str] = field(default_factory=lambda: ["127.0.0.1"])
    servers: list[RTCIceServer] = field(default_factory=list)
    relay_only: bool = False
    # Whether all connections of the program show one certificate, as media servers do.
    one_certificate: bool = False

    def __post_init__(self) -> None:
        # aioice takes all addresses of the machine but loopback's; a test's end has exactly the given ones.
        aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: list(self.addresses)


def turn(text: str) -> RTCIceServer:
    parts = text.split(",")
    if len(parts) != 3:
        raise argparse.ArgumentTypeError("expected turn:HOST:PORT[?transport=…],USER,PASSWORD")
    return RTCIceServer(parts[0], username=parts[1], credential=parts[2])


def add_options(parser: argparse.ArgumentParser) -> None:
    """For every offer and answer."""
    parser.add_argument("--media", action="append", metavar="ADDRESS", help="where media is taken; loopback without")
    parser.add_argument("--stun", metavar="stun:HOST:PORT")
    parser.add_argument("--turn", type=turn, metavar="URL,USER,PASSWORD")
    parser.add_argument("--relay-only", action="store_true")
    parser.add_argument("--codec", action="append", choices=["opus", "g722", "pcmu", "pcma"])
    parser.add_argument("--setup", choices=["active", "passive"], default="active", help="the answerer's part in DTLS")
    parser.add_argument("--one-certificate", action="store_true", help="the same for all connections, as servers do")
    parser.add_argument("--wrong-fingerprint", action="store_true", help="tell a certificate that is not the own one")


def from_options(parsed: argparse.Namespace, host: str) -> Paths:
    servers = ([RTCIceServer(parsed.stun)] if parsed.stun else []) + ([parsed.turn] if parsed.turn else [])
    return Paths(parsed.media or [host], servers, parsed.relay_only, parsed.one_certificate)

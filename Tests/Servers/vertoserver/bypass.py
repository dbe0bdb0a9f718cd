"""Media past this server, as with FreeSWITCH's bypass_media: each client gets the other's description.

ICE, DTLS and voice are then between the two clients, and this server sees signalling only. It sends an offer
during a call by `attach`, Verto's only message for a server's offer.
"""
from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from media.peer import parse

from .wire import call_error

if TYPE_CHECKING:
    from .leg import Leg

# How long a client may take to answer the other client's offer.
ANSWER_SECONDS = 8
CANDIDATES = 100


class Bypass:
    """One leg's part of the bypass."""

    def __init__(self, leg: Leg, description: str = "") -> None:
        # Its client's last description, and the candidates after it.
        self.leg, self.description = leg, description
        self.candidates: list[dict[str, Any]] = []
        self.awaited: asyncio.Future[str] | None = None

    def take(self, description: str) -> None:
        parse(description)
        self.description = description

    def offer(self, to: Leg) -> None:
        """The client's offer, for another one."""
        to.bypass, to.description = Bypass(to), self.description

    def tell_candidates(self, to: Leg) -> None:
        for params in self.candidates:
            self.tell(to, params)

    def add_candidate(self, params: dict[str, Any]) -> None:
        """Including those from before the others are called."""
        if len(self.candidates) >= CANDIDATES:
            return
        self.candidates.append(params)
        fork = self.leg.fork
        others = [self.leg.partner] if self.leg.partner else fork.legs if fork and fork.caller is self.leg else []
        for other in others:
            if other.description_told:
                self.tell(other, params)

    @staticmethod
    def tell(to: Leg, params: dict[str, Any]) -> None:
        to.request("candidate" if "candidate" in params else "endOfCandidates", **params)

    async def update(self, offer: str) -> str:
        """The other client's answer to an offer. If both offer at once, the second one is refused."""
        other = self.leg.partner
        if not other or not other.bypass or self.awaited or other.bypass.awaited:
            raise call_error("NORMAL_TEMPORARY_FAILURE")
        self.take(offer)
        awaited = other.bypass.awaited = asyncio.get_running_loop().create_future()
        try:
            other.offer_attachment(offer)
            return await asyncio.wait_for(awaited, ANSWER_SECONDS)
        except asyncio.TimeoutError as error:
            raise call_error("NORMAL_TEMPORARY_FAILURE") from error
        finally:
            other.bypass.awaited = None

    def attach(self) -> None:
        """After a lost socket: the other client's last description, which changes nothing if the media continue."""
        if self.leg.partner and self.leg.partner.bypass:
            self.leg.offer_attachment(self.leg.partner.bypass.description)

    def attached(self, answer: str) -> None:
        self.take(answer)
        if self.awaited and not self.awaited.done():
            self.awaited.set_result(answer)



"""The part of a call between this server and one session: its signalling and its media."""
from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Any

from media import text
from media.peer import BadDescription, Peer
from media.sound import Voice

from .bypass import Bypass
from .session import Session
from .wire import CAUSES, REASONS, code_of

if TYPE_CHECKING:
    from .exchange import Exchange, Fork


class Leg:
    def __init__(self, exchange: Exchange, session: Session, call_id: str, is_incoming: bool) -> None:
        """`is_incoming` is from the client's view: the server invited it."""
        self.exchange, self.session, self.call_id, self.is_incoming = exchange, session, call_id, is_incoming
        # new, early, answered, ended
        self.state = "new"
        self.caller = self.callee = ("", "")
        self.headers: list[dict[str, str]] = []
        self.trickles = False
        self.voice = Voice()
        self.peer: Peer | None = None
        self.attaching: Peer | None = None
        # If media bypass this server, there is no peer.
        self.bypass: Bypass | None = None
        self.description = ""
        self.description_told = False
        self.is_held = False
        self.service = ""
        # Its client's last address, and whether this server remembers only that.
        self.places: set[str] = set()
        self.is_recovered = False
        self.partner: Leg | None = None
        self.fork: Fork | None = None
        self.telnyx = {"telnyx_session_id": str(uuid.uuid4()), "telnyx_leg_id": str(uuid.uuid4())}
        self.began = time.monotonic()

    # Media

    def new_peer(self) -> Peer:
        options = self.exchange.options
        return Peer(self.voice, options.paths, lambda **facts: self.event("media", **facts), options.codecs)

    async def take_offer(self, offer: str, past: bool = False) -> None:
        if past:
            self.bypass = Bypass(self)
            return self.bypass.take(offer)
        peer = self.new_peer()
        self.peer = peer
        self.places = text.places(offer)
        self.description = await peer.answer(offer, self.trickles, self.exchange.options.setup)

    async def make_offer(self) -> None:
        self.peer = self.new_peer()
        try:
            self.description = await self.peer.offer()
        except Exception:
            # A caller that leaves in between closes it.
            if self.state != "ended":
                raise

    async def update(self, offer: str, trickles: bool) -> str:
        """An ICE restart if the certificate stays, otherwise everything is new."""
        if self.bypass:
            return await self.bypass.update(offer)
        setup = self.exchange.options.setup
        self.places = text.places(offer)
        if self.peer and (answer := await self.peer.update(offer, trickles, setup)):
            return self.written(answer)
        peer = self.new_peer()
        try:
            answer = await peer.answer(offer, trickles, setup)
        except BadDescription:
            await peer.close()
            raise
        replaced, self.peer = self.peer, peer
        if replaced:
            await replaced.close()
        return self.written(answer)

    async def close_media(self) -> None:
        for peer in (self.peer, self.attaching):
            if peer:
                await peer.close()
        self.voice.close()

    def written(self, description: str) -> str:
        options = self.exchange.options
        if options.wrong_fingerprint:
            description = text.with_wrong_fingerprint(description)
        return description if self.bypass else text.like_freeswitch(description, options.line_end)

    # Messages for the client

    def request(self, name: str, **params: Any) -> None:
        self.session.request(name, {"callID": self.call_id, **params})

    def event(self, name: str, **facts: Any) -> None:
        self.exchange.events.emit(name, call=self.call_id, user=self.session.user, **facts)

    def told_description(self) -> dict[str, str]:
        """The description, once: in the first message."""
        if self.description_told:
            return {}
        self.description_told = True
        description = self.written(self.description)
        return {"sdp": text.without_candidates(description) if self.sends_candidates else description}

    @property
    def sends_candidates(self) -> bool:
        is_possible = self.exchange.options.trickles and self.session.dialect.is_telnyx
        return self.trickles and is_possible and not self.bypass

    def tell_candidates(self) -> None:
        if self.sends_candidates:
            for candidate in text.candidates(self.description):
                self.request("candidate", candidate=candidate, sdpMid="0", sdpMLineIndex=0)
            self.request("endOfCandidates")

    def names(self, direction: str) -> dict[str, Any]:
        more = self.telnyx if self.session.dialect.is_telnyx else {}
        return {
            "caller_id_name": self.caller[0], "caller_id_number": self.caller[1], "callee_id_name": self.callee[0],
            "callee_id_number": self.callee[1], "display_direction": direction, **more,
        }

    def own_headers(self) -> dict[str, Any]:
        if self.session.dialect.is_telnyx:
            return {"dialogParams": {"custom_headers": self.headers}}
        return {f"verto_h_{header['name']}": header["value"] for header in self.headers}

    def invite(self) -> None:
        self.trickles = self.exchange.options.trickles
        self.request("invite", **self.told_description(), **self.names("outbound"), **self.own_headers())
        self.tell_candidates()

    def ring(self) -> None:
        """FreeSWITCH does not support it."""
        if self.session.dialect.is_telnyx:
            self.request("ringing", **self.names("inbound"), dialogParams={"custom_headers": []})

    def early_media(self) -> None:
        self.state = "early"
        self.request("media", **self.told_description(), dialogParams={}, variables={})
        self.tell_candidates()

    def answer(self) -> None:
        told = self.told_description()
        self.state = "answered"
        self.request("answer", **told, dialogParams={}, variables={})
        if told:
            self.tell_candidates()
        self.event("answered", early=not told)

    def display(self, name: str, number: str) -> None:
        self.request("display", display_name=name, display_number=number, display_direction="inbound")

    def bye(self, cause: str, sip: int | None = None) -> None:
        sip = sip or CAUSES.get(cause, (31, 480))[1]
        params: dict[str, Any] = {"cause": cause, "causeCode": code_of(cause)}
        if self.session.dialect.is_telnyx:
            params |= {
                "sipCode": sip, "sipReason": REASONS.get(sip, "Error"), "sip_call_id": self.telnyx["telnyx_leg_id"],
                "dialogParams": {"custom_headers": []},
            }
        self.request("bye", **params)

    async def attach(self) -> None:
        """After a lost socket: this server's offer, on a new connection for the same voice."""
        if self.bypass:
            return self.bypass.attach()
        if self.attaching:
            await self.attaching.close()
        self.attaching = self.new_peer()
        self.offer_attachment(await self.attaching.offer())

    async def lose_media(self) -> None:
        """Without a bye, as in a crash."""
        peer, self.peer, self.is_recovered = self.peer, None, True
        if peer:
            peer.ice.cut()
            await peer.close()

    def offer_attachment(self, offer: str) -> None:
        self.request("attach", sdp=self.written(offer), **self.names("outbound"), **self.own_headers())

    async def attached(self, answer: str) -> bool:
        if self.bypass:
            self.bypass.attached(answer)
            self.event("attached")
            return True
        if not self.attaching:
            return False
        known, self.places = self.places, text.places(answer)
        was_recovered, self.is_recovered = self.is_recovered, False
        if was_recovered and known & self.places:
            # FreeSWITCH logs "Audio params are unchanged", and starts no handshake.
            self.event("unchanged")
            return True
        replaced, self.peer, self.attaching = self.peer, self.attaching, None
        try:
            await self.peer.accept(answer)
        finally:
            if replaced:
                await replaced.close()
        self.event("attached")
        return True

    def figures(self) -> dict[str, Any]:
        return {
            "call": self.call_id, "user": self.session.user, "state": self.state, "held": self.is_held,
            "service": self.service, "heard": self.voice.meter.figures(), **(self.peer.figures() if self.peer else {})}

"""One end of a WebRTC connection with one voice: offers, answers, candidates, ICE restart, and their results."""
from __future__ import annotations

import asyncio
import fractions
import functools
import time
from collections.abc import Callable
from typing import Any

import aioice
import av
from aiortc import RTCCertificate, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import MediaStreamError, MediaStreamTrack
from aiortc.rtcconfiguration import RTCIceTransportPolicy
from aiortc.rtcicetransport import ICE_TRANSPORT_POLICIES, candidate_from_aioice
from aiortc.rtcrtpsender import RTCRtpSender
from aiortc.sdp import MediaDescription, SessionDescription, candidate_from_sdp, candidate_to_sdp

from . import text
from .paths import Paths
from .restart import RestartableIce
from .sound import PIECE, RATE, Voice, doubled, samples_of


class BadDescription(Exception):
    """Unusable session descriptions and candidates."""


@functools.cache
def lasting_certificate() -> RTCCertificate:
    return RTCCertificate.generateCertificate()


class Speaker(MediaStreamTrack):
    """Plays a voice's source, at the pace of the clock."""

    kind = "audio"

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self.voice, self.count, self.start = voice, 0, 0.0

    async def recv(self) -> av.AudioFrame:
        if self.readyState != "live":
            raise MediaStreamError
        self.start = self.start or time.monotonic()
        wait = self.start + self.count * PIECE / RATE - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        frame = av.AudioFrame(format="s16", layout="stereo", samples=PIECE)
        frame.planes[0].update(doubled(self.voice.source.next()).ljust(frame.planes[0].buffer_size, b"\0"))
        frame.pts, frame.sample_rate, frame.time_base = self.count * PIECE, RATE, fractions.Fraction(1, RATE)
        self.count += 1
        return frame


class Peer:
    """`tell` gets facts by name as they happen: ice and dtls with a state, and once heard, with milliseconds."""

    def __init__(self, voice: Voice, paths: Paths, tell: Callable[..., None], codecs: list[str] | None = None) -> None:
        self.voice, self.paths, self.tell = voice, paths, tell
        self.began = time.monotonic()
        policy = RTCIceTransportPolicy.RELAY if paths.relay_only else RTCIceTransportPolicy.ALL
        self.connection = RTCPeerConnection(RTCConfiguration(iceServers=paths.servers, iceTransportPolicy=policy))
        if paths.one_certificate:
            self.connection._RTCPeerConnection__certificates = [lasting_certificate()]
        transceiver = self.connection.addTransceiver(Speaker(voice), direction="sendrecv")
        if codecs:
            known = RTCRtpSender.getCapabilities("audio").codecs
            transceiver.setCodecPreferences([one for one in known if one.mimeType.lower()[len("audio/") :] in codecs])
        self.dtls = transceiver.receiver.transport
        self.ice = RestartableIce(self.dtls.transport, paths.servers, ICE_TRANSPORT_POLICIES[policy], tell)
        self.listening: asyncio.Task[None] | None = None
        self.remote_fingerprint: str | None = None
        self.connection.on("iceconnectionstatechange", lambda: tell(ice=self.connection.iceConnectionState))
        self.dtls.on("statechange", lambda: tell(dtls=self.dtls.state))
        self.connection.on("track", self.listen)

    def listen(self, track: MediaStreamTrack) -> None:
        if track.kind == "audio" and not self.listening:
            self.listening = asyncio.ensure_future(self.hear(track))

    async def hear(self, track: MediaStreamTrack) -> None:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        is_first = True
        try:
            while True:
                for part in resampler.resample(await track.recv()):
                    self.voice.hears(samples_of(part))
                if is_first:
                    is_first = False
                    self.tell(heard=round((time.monotonic() - self.began) * 1000))
        except MediaStreamError:
            return

    async def offer(self) -> str:
        await self.connection.setLocalDescription(await self.connection.createOffer())
        return self.connection.localDescription.sdp

    async def answer(self, offer: str, trickles: bool = False, setup: str = "active") -> str:
        """With `setup` passive, a far end with actpass starts the handshake."""
        await self.take(offer, "offer", trickles)
        if setup == "passive" and self.dtls._role == "auto":
            self.dtls._set_role("server")
        await self.connection.setLocalDescription(await self.connection.createAnswer())
        return self.connection.localDescription.sdp

    async def accept(self, answer: str, trickles: bool = False) -> None:
        await self.take(answer, "answer", trickles)

    async def take(self, description: str, kind: str, trickles: bool) -> None:
        """A far end without candidates may still be found by its checks: the list of candidates stays open."""
        description = text.with_literal_candidates(description)
        parse(description)
        self.remote_fingerprint = text.attribute(description, "fingerprint")
        try:
            await self.connection.setRemoteDescription(RTCSessionDescription(description, kind))
        # aiortc rejects input with a dozen kinds of exceptions.
        except Exception as error:
            raise BadDescription(str(error)) from error
        if not trickles and text.candidates(description):
            await self.add_candidate(None)

    async def update(self, offer: str, trickles: bool = False, setup: str = "active") -> str | None:
        """Answers a later offer of the same far end; None if that has another certificate, and needs another peer."""
        media = parse(offer)
        if text.attribute(offer, "fingerprint") != self.remote_fingerprint:
            return None
        if media.ice.usernameFragment == self.ice.current.remote_username:
            # aiortc rejects later candidates of the far end after the end of candidates; it finds them by their checks.
            is_complete = self.ice.current._remote_candidates_end
            return await self.answer(text.without_candidates(offer) if is_complete else offer, trickles, setup)
        return await self.restart(offer, trickles) if self.can_restart(offer) else None

    def figures(self) -> dict[str, Any]:
        """States, and the agreement. Fingerprints belong to certificates, and are public."""
        pair = self.ice.current._nominated.get(1)
        certificate = self.dtls._RTCDtlsTransport__local_certificate
        local = next(one for one in certificate.getFingerprints() if one.algorithm == "sha-256")
        is_connected = self.dtls.state == "connected"
        return {
            "ice": self.connection.iceConnectionState, "role": self.dtls.transport.role,
            "pair": [place(pair.local_candidate), place(pair.remote_candidate)] if pair else [],
            "dtls": self.dtls.state, "version": self.dtls._ssl.get_protocol_version_name() if is_connected else "",
            "srtp": self.dtls._ssl.get_selected_srtp_profile().decode() if is_connected else "",
            "fingerprints": [f"sha-256 {local.value}", self.remote_fingerprint or ""]}

    def can_restart(self, offer: str) -> bool:
        """Whether an offer keeps the far end's certificate, and so the association (RFC 8842, 4)."""
        return self.dtls.state == "connected" and text.attribute(offer, "fingerprint") == self.remote_fingerprint

    async def restart(self, offer: str, trickles: bool = False) -> str:
        """Answers an offer with new ICE credentials on the same DTLS association."""
        parse(offer)
        answer = await self.new_credentials("active" if self.dtls._role == "client" else "passive")
        await self.accept_restart(offer, trickles)
        return answer

    async def offer_restart(self) -> str:
        """An offer with new ICE credentials on the same DTLS association; its answer goes to `accept_restart`."""
        return await self.new_credentials("actpass")

    async def new_credentials(self, setup: str) -> str:
        local = await self.ice.begin()
        candidates = [candidate_to_sdp(candidate_from_aioice(one)) for one in local.local_candidates]
        return text.restarted(
            self.connection.localDescription.sdp, local.local_username, local.local_password, candidates, setup)

    async def accept_restart(self, description: str, trickles: bool = False) -> None:
        """The far end's part of a restart. Checks start."""
        media = parse(text.with_literal_candidates(description))
        for candidate in media.ice_candidates:
            await self.ice.add(candidate)
        if not trickles and media.ice_candidates:
            await self.ice.add(None)
        self.ice.finish(media.ice.usernameFragment, media.ice.password)

    async def add_candidate(self, candidate: str | None) -> None:
        """None means that there are no others."""
        try:
            parsed = candidate_from_sdp(candidate.removeprefix("a=").removeprefix("candidate:")) if candidate else None
        except (AssertionError, ValueError, IndexError) as error:
            raise BadDescription("not a candidate") from error
        if not candidate or text.is_literal(candidate):
            await self.ice.add(parsed)

    async def close(self) -> None:
        self.connection.remove_all_listeners()
        if self.listening:
            self.listening.cancel()
        await self.ice.close()
        await self.connection.close()


def place(candidate: aioice.Candidate) -> str:
    return f"{candidate.type} {candidate.transport} {candidate.host} {candidate.port}"


def parse(description: str) -> MediaDescription:
    """The audio of a description, which has keys and ICE, or BadDescription."""
    try:
        media = next(one for one in SessionDescription.parse(description).media if one.kind == "audio")
        is_complete = media.dtls and media.dtls.fingerprints and media.ice.usernameFragment and media.ice.password
    except Exception as error:
        raise BadDescription("not a session description with audio") from error
    if not is_complete:
        raise BadDescription("no fingerprint, or no ICE")
    return media

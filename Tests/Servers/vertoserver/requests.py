"""The handling of each method of a client."""
from __future__ import annotations

from typing import Any

from media.peer import BadDescription

from .exchange import Exchange
from .leg import Leg
from .session import Session
from .wire import BAD_PARAMETERS, Refusal, call_error, cause_from, code_of, dictionary, no_such_call, words

Params = dict[str, Any]
TELNYX_ONLY = {
    "gatewayState", "candidate", "endOfCandidates", "attachCalls", "ringing_ack", "disable_push_notification"}
# The possible targets of a transfer.
TRANSFERS = ("echo", "tone", "silence")
DIGITS = set("0123456789*#ABCDabcd")


class Requests:
    """Each handler returns the result, or raises a Refusal."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange

    async def handle(self, session: Session, name: str, params: Params) -> Params:
        return await getattr(self, "on_" + name)(session, params)

    def knows(self, name: str) -> bool:
        is_offered = self.exchange.options.dialect.is_telnyx or name not in TELNYX_ONLY
        return is_offered and hasattr(self, "on_" + name)

    # The session

    async def on_gatewayState(self, session: Session, params: Params) -> Params:
        state = session.gateway_state()
        self.exchange.events.emit("gateway", user=session.user, state=state)
        return {"params": {"state": state}, "sessid": session.sessid}

    async def on_ping(self, session: Session, params: Params) -> Params:
        session.pings_answered += 1
        return {"message": "PONG", "sessid": session.sessid}

    async def on_echo(self, session: Session, params: Params) -> Params:
        return params

    async def on_subscribe(self, session: Session, params: Params) -> Params:
        channels = params.get("eventChannel", [])
        channels = channels if isinstance(channels, list) else [channels]
        return {"subscribedChannels": [words(one) for one in channels[:16]], "sessid": session.sessid}

    async def on_unsubscribe(self, session: Session, params: Params) -> Params:
        return {"unsubscribedChannels": [words(params.get("eventChannel"))], "sessid": session.sessid}

    async def on_broadcast(self, session: Session, params: Params) -> Params:
        return {"message": "BROADCAST", "sessid": session.sessid}

    async def on_ringing_ack(self, session: Session, params: Params) -> Params:
        return {"message": "OK", "sessid": session.sessid}

    async def on_disable_push_notification(self, session: Session, params: Params) -> Params:
        return {"message": "disable push notification success"}

    async def on_attachCalls(self, session: Session, params: Params) -> Params:
        """Invites from before the client was ready are sent again."""
        for leg in session.legs.values():
            if leg.is_incoming and leg.state == "new":
                leg.description_told = False
                leg.invite()
        return {"message": "OK", "sessid": session.sessid}

    # Calls

    async def on_invite(self, session: Session, params: Params) -> Params:
        dialog = dictionary(params.get("dialogParams"))
        call_id, offer = dialog.get("callID"), params.get("sdp")
        if not (isinstance(call_id, str) and 0 < len(call_id) <= 128 and isinstance(offer, str)):
            raise Refusal(BAD_PARAMETERS, "callID and sdp are needed")
        if not session.is_registered:
            raise call_error("GATEWAY_DOWN")
        if any(leg.call_id == call_id for leg in self.exchange.legs):
            raise call_error("NORMAL_TEMPORARY_FAILURE")
        if not self.exchange.has_room:
            raise call_error("SWITCH_CONGESTION")
        leg = Leg(self.exchange, session, call_id, is_incoming=False)
        destination = words(dialog.get("destination_number") or "service")
        leg.caller = (words(dialog.get("caller_id_name")), words(dialog.get("caller_id_number")) or session.user)
        leg.callee = (words(dialog.get("remote_caller_id_name")), destination)
        leg.headers, leg.trickles = headers_of(dialog), params.get("trickle") is True
        session.legs[call_id] = leg
        leg.event("invite", to=destination, caller=leg.caller, headers=leg.headers, trickle=leg.trickles)
        try:
            await leg.take_offer(offer, self.exchange.goes_past(destination))
        except BadDescription as error:
            session.legs.pop(call_id)
            self.exchange.run(leg.close_media())
            raise call_error("INCOMPATIBLE_DESTINATION") from error
        self.exchange.run(self.exchange.route(leg, destination))
        return {"callID": call_id, "message": "CALL CREATED", "sessid": session.sessid}

    async def on_answer(self, session: Session, params: Params) -> Params:
        leg, answer = self.leg(session, params), params.get("sdp")
        if not isinstance(answer, str):
            raise Refusal(BAD_PARAMETERS, "sdp is needed")
        if not leg.is_incoming or leg.state != "new":
            raise call_error("NORMAL_TEMPORARY_FAILURE")
        try:
            await self.exchange.answered(leg, answer, params.get("trickle") is True)
        except BadDescription as error:
            raise call_error("INCOMPATIBLE_DESTINATION") from error
        return {"callID": leg.call_id, "message": "CALL ANSWERED", "sessid": session.sessid}

    async def on_bye(self, session: Session, params: Params) -> Params:
        leg, cause = self.leg(session, params), cause_from(params)
        self.exchange.end(leg, cause, by_client=True)
        return {
            "callID": leg.call_id, "message": "CALL ENDED", "causeCode": code_of(cause), "cause": cause,
            "sessid": session.sessid}

    async def on_attach(self, session: Session, params: Params) -> Params:
        leg, answer = self.leg(session, params), params.get("sdp")
        try:
            if not isinstance(answer, str) or not await leg.attached(answer):
                raise call_error("NORMAL_TEMPORARY_FAILURE")
        except BadDescription as error:
            self.exchange.end(leg, "INCOMPATIBLE_DESTINATION")
            raise call_error("INCOMPATIBLE_DESTINATION") from error
        return {"callID": leg.call_id, "message": "CALL ATTACHED", "sessid": session.sessid}

    async def on_modify(self, session: Session, params: Params) -> Params:
        leg, action = self.leg(session, params), params.get("action")
        result = {"callID": leg.call_id, "action": words(action), "sessid": session.sessid}
        if leg.state != "answered":
            raise call_error("NORMAL_TEMPORARY_FAILURE")
        if action in ("hold", "unhold", "toggleHold"):
            self.exchange.hold(leg, action == "hold" or action == "toggleHold" and not leg.is_held)
            return {**result, "holdState": "held" if leg.is_held else "active"}
        if action == "updateMedia":
            offer = params.get("sdp")
            if not isinstance(offer, str):
                raise Refusal(BAD_PARAMETERS, "sdp is needed")
            leg.event("update")
            try:
                return {**result, "sdp": await leg.update(offer, params.get("trickle") is True)}
            except BadDescription as error:
                raise call_error("INCOMPATIBLE_DESTINATION") from error
        can_transfer = not session.dialect.is_telnyx and not leg.bypass
        if action == "transfer" and can_transfer and params.get("destination") in TRANSFERS:
            self.exchange.transfer(leg, params["destination"])
            return result
        raise call_error("NORMAL_TEMPORARY_FAILURE")

    async def on_info(self, session: Session, params: Params) -> Params:
        leg, digits = self.leg(session, params), params.get("dtmf")
        if not (isinstance(digits, str) and 0 < len(digits) <= 32 and set(digits) <= DIGITS):
            raise Refusal(BAD_PARAMETERS, "dtmf is needed")
        leg.event("dtmf", digits=digits)
        return {"callID": leg.call_id, "message": "SENT", "sessid": session.sessid}

    async def on_candidate(self, session: Session, params: Params) -> Params:
        leg, candidate = self.leg(session, params), params.get("candidate")
        if not isinstance(candidate, str):
            raise Refusal(BAD_PARAMETERS, "candidate is needed")
        more = {name: params[name] for name in ("sdpMid", "sdpMLineIndex") if isinstance(params.get(name), (str, int))}
        return await self.add_candidate(session, leg, candidate or None, more)

    async def on_endOfCandidates(self, session: Session, params: Params) -> Params:
        return await self.add_candidate(session, self.leg(session, params), None)

    async def add_candidate(
        self, session: Session, leg: Leg, candidate: str | None, more: Params | None = None
    ) -> Params:
        peer = leg.attaching or leg.peer
        try:
            if leg.bypass:
                leg.bypass.add_candidate({"candidate": candidate, **(more or {})} if candidate else {})
            elif peer:
                await peer.add_candidate(candidate)
        except BadDescription as error:
            raise Refusal(BAD_PARAMETERS, str(error)) from error
        leg.event("candidate", last=candidate is None)
        return {"callID": leg.call_id, "sessid": session.sessid}

    def leg(self, session: Session, params: Params) -> Leg:
        """Clients write the call's id in three ways."""
        dialog = dictionary(params.get("dialogParams"))
        call_id = dialog.get("callID") or dialog.get("callId") or params.get("callID")
        leg = session.legs.get(call_id) if isinstance(call_id, str) else None
        if not leg:
            raise no_such_call()
        return leg


def headers_of(dialog: Params) -> list[dict[str, str]]:
    """Telnyx uses a list of them, FreeSWITCH one parameter for each."""
    listed = dialog.get("custom_headers")
    found = [dictionary(one) for one in listed] if isinstance(listed, list) else []
    found += [{"name": name[8:], "value": value} for name, value in dialog.items() if name.startswith("verto_h_")]
    return [
        {"name": words(one.get("name")), "value": words(one.get("value"))} for one in found
        if words(one.get("name")).lower().startswith("x-")][:32]

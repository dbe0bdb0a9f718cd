"""Destinations of calls: services, other users, several sessions of one user at once."""
from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Coroutine
from typing import Any

from media import text
from media.events import Events
from media.peer import BadDescription
from media.sound import Tone

from .leg import Leg
from .options import Options
from .session import Session
from .voices import SERVICES, connect, serve

# Destinations that end at once, with their causes.
REFUSALS = {"busy": "USER_BUSY", "reject": "CALL_REJECTED", "congested": "NORMAL_CIRCUIT_CONGESTION"}


def number_of(destination: str) -> str:
    return destination.removeprefix("sip:").split("@")[0]


class Fork:
    """One call to all sessions of a user; the first answer gets it."""

    def __init__(self, caller: Leg | None, service: str) -> None:
        self.caller, self.service = caller, service
        self.legs: list[Leg] = []
        self.is_over = False
        self.timer: asyncio.Task[None] | None = None


class Exchange:
    def __init__(self, options: Options, events: Events) -> None:
        self.options, self.events = options, events
        self.sessions: dict[str, Session] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.recordings = itertools.count(1)

    def run(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(self.guarded(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def guarded(self, work: Coroutine[Any, Any, Any]) -> None:
        """This server's own faults are reported, so a test does not wait in vain."""
        try:
            await work
        except Exception as error:
            self.events.emit("fault", where=work.__qualname__, why=repr(error)[:500])

    async def close(self) -> None:
        # A task that has not run yet cannot be cancelled cleanly.
        await asyncio.sleep(0)
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def legs(self) -> list[Leg]:
        return [leg for session in self.sessions.values() for leg in session.legs.values()]

    @property
    def has_room(self) -> bool:
        return len(self.legs) < self.options.calls

    # Routing

    def goes_past(self, destination: str) -> bool:
        """Whether the media of a call to there bypass this server."""
        return self.options.bypasses and number_of(destination) in self.options.known_users

    async def route(self, leg: Leg, destination: str) -> None:
        number = number_of(destination)
        if number in REFUSALS:
            leg.ring()
            self.end(leg, REFUSALS[number])
        elif number == "noanswer":
            leg.ring()
            await asyncio.sleep(self.options.ring_seconds)
            self.end(leg, "NO_ANSWER")
        elif number in SERVICES:
            await self.answer(leg, number)
        elif number in self.options.known_users:
            await self.fork(number, leg, "", leg.caller, leg.headers)
        else:
            self.end(leg, "UNALLOCATED_NUMBER")

    def progress(self, leg: Leg) -> None:
        leg.ring()
        if self.options.early and not leg.bypass:
            leg.voice.source = Tone(440)
            leg.early_media()

    async def answer(self, leg: Leg, service: str) -> None:
        self.progress(leg)
        await asyncio.sleep(self.options.answer_ms / 1000)
        if leg.state in ("new", "early"):
            leg.service = service
            leg.answer()
            serve(leg)

    async def fork(
        self, user: str, caller: Leg | None, service: str, names: tuple[str, str], headers: list[dict[str, str]]
    ) -> bool:
        """Whether any session rings."""
        sessions = [
            one for one in self.sessions.values()
            if one.user == user and one.link and one.is_registered and not (caller and caller.session is one)]
        if not sessions or not self.has_room:
            if caller:
                self.end(caller, "SWITCH_CONGESTION" if sessions else "USER_NOT_REGISTERED")
            return False
        fork = Fork(caller, service)
        if caller:
            caller.fork = fork
            self.progress(caller)
        for session in sessions:
            leg = Leg(self, session, str(uuid.uuid4()), is_incoming=True)
            leg.caller, leg.callee, leg.headers, leg.fork = names, (user, user), headers, fork
            fork.legs.append(leg)
            session.legs[leg.call_id] = leg
        for leg in list(fork.legs):
            if caller and caller.bypass:
                caller.bypass.offer(leg)
            else:
                await leg.make_offer()
            if leg.state == "new":
                leg.invite()
                if caller and caller.bypass:
                    caller.bypass.tell_candidates(leg)
                leg.event("invited", sessid=leg.session.sessid)
        fork.timer = self.run(self.give_up(fork))
        return True

    async def give_up(self, fork: Fork) -> None:
        await asyncio.sleep(self.options.ring_seconds)
        if not fork.is_over:
            fork.is_over = True
            for leg in list(fork.legs):
                self.end(leg, "ORIGINATOR_CANCEL")
            if fork.caller:
                self.end(fork.caller, "NO_ANSWER")

    async def answered(self, leg: Leg, answer: str, trickles: bool) -> None:
        """A client answered. The others are notified."""
        leg.state, leg.trickles = "answered", trickles
        fork, leg.fork = leg.fork, None
        if fork:
            self.settle(fork)
            fork.legs.remove(leg)
        try:
            await self.take_answer(leg, fork, answer)
        except BadDescription:
            self.end(leg, "INCOMPATIBLE_DESTINATION")
            if fork:
                self.close_fork(fork, "INCOMPATIBLE_DESTINATION")
            raise
        leg.event("answered", early=False)
        if not fork:
            return
        for loser in list(fork.legs):
            self.end(loser, "PICKED_OFF", sip=487)
        if leg.state == "answered" and not fork.caller and not fork.service:
            # The caller has left.
            self.end(leg, "ORIGINATOR_CANCEL", sip=487)
        if leg.state != "answered":
            self.close_fork(fork, "NORMAL_CLEARING")
        elif fork.caller:
            fork.caller.fork = None
            fork.caller.answer()
            fork.caller.display(*leg.callee)
            self.bridge(fork.caller, leg)
        else:
            leg.service = fork.service
            serve(leg)

    async def take_answer(self, leg: Leg, fork: Fork | None, answer: str) -> None:
        if not leg.bypass:
            leg.places = text.places(answer)
            return await leg.peer.accept(answer, leg.trickles)
        leg.bypass.take(answer)
        if fork and fork.caller:
            fork.caller.description = answer

    def settle(self, fork: Fork) -> None:
        fork.is_over = True
        if fork.timer:
            fork.timer.cancel()

    def close_fork(self, fork: Fork, cause: str) -> None:
        """No session took the call."""
        self.settle(fork)
        for leg in list(fork.legs):
            self.end(leg, "ORIGINATOR_CANCEL", sip=487)
        if fork.caller:
            fork.caller.fork = None
            self.end(fork.caller, cause)

    # Voice between two

    def bridge(self, one: Leg, other: Leg) -> None:
        one.partner, other.partner = other, one
        connect(one, other)
        self.events.emit("bridged", calls=[one.call_id, other.call_id], past=bool(one.bypass))

    def hold(self, leg: Leg, is_held: bool) -> None:
        leg.is_held = is_held
        leg.event("held" if is_held else "unheld")
        if leg.partner:
            connect(leg, leg.partner)
        else:
            serve(leg)

    def transfer(self, leg: Leg, destination: str) -> None:
        """A blind transfer: the other party goes to a service, as this server supports nothing else."""
        other, leg.partner = leg.partner, None
        self.end(leg, "NORMAL_CLEARING")
        if other:
            other.partner, other.service = None, destination
            serve(other)

    # Ends

    def end(self, leg: Leg, cause: str, by_client: bool = False, sip: int | None = None) -> None:
        if leg.state == "ended":
            return
        was, leg.state = leg.state, "ended"
        leg.session.legs.pop(leg.call_id, None)
        if not by_client:
            leg.bye(cause, sip)
        leg.event("bye", cause=cause, by="client" if by_client else "server", was=was, heard=leg.voice.meter.figures())
        self.run(leg.close_media())
        partner, leg.partner = leg.partner, None
        if partner:
            partner.partner = None
            self.end(partner, cause)
        fork, leg.fork = leg.fork, None
        if fork and leg is fork.caller:
            fork.caller = None
            self.close_fork(fork, cause)
        elif fork and leg in fork.legs:
            fork.legs.remove(leg)
            if not fork.legs and not fork.is_over:
                self.close_fork(fork, cause)

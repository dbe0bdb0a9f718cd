"""A test's commands to the server: one JSON object a line, {"do": …}. docs/dev/testing.md lists them."""
from __future__ import annotations

import json
from typing import Any

from .server import Server
from .session import Session
from .voices import SERVICES
from .wire import words


class Unusable(Exception):
    """A meaningless command."""


class Control:
    def __init__(self, server: Server) -> None:
        self.server, self.exchange, self.events = server, server.exchange, server.events

    async def carry_out(self, line: str) -> None:
        name = ""
        try:
            command = json.loads(line)
            name = words(command.get("do")) if isinstance(command, dict) else ""
            handler = getattr(self, "do_" + name.replace("-", "_"), None)
            if not handler:
                raise Unusable("no such command")
            self.events.emit("done", do=name, **(await handler(command) or {}))
        except (Unusable, ValueError, KeyError, TypeError, AttributeError) as error:
            self.events.emit("not-done", do=name, why=repr(error)[:200])

    def sessions(self, command: dict[str, Any]) -> list[Session]:
        """All, those of a user, or one by its sessid."""
        user, sessid = command.get("user"), command.get("sessid")
        return [
            one for one in list(self.exchange.sessions.values())
            if user in (None, one.user) and sessid in (None, one.sessid)]

    def legs(self, command: dict[str, Any]) -> list:
        call = command.get("call")
        legs = [leg for session in self.sessions(command) for leg in session.legs.values()]
        return [leg for leg in legs if call in (None, leg.call_id)]

    async def do_stats(self, command: dict[str, Any]) -> dict[str, Any]:
        return {
            "sessions": [one.figures() for one in self.exchange.sessions.values()],
            "calls": [leg.figures() for leg in self.exchange.legs], "sockets": len(self.server.links)}

    # Sockets and frames

    async def do_drop_sockets(self, command: dict[str, Any]) -> None:
        for session in self.sessions(command):
            if session.link:
                session.link.drop()

    async def do_refuse_sockets(self, command: dict[str, Any]) -> None:
        self.server.refuses_sockets = bool(command.get("on", True))

    async def do_deaf(self, command: dict[str, Any]) -> None:
        self.server.faults.is_deaf = bool(command.get("on", True))

    async def do_delay(self, command: dict[str, Any]) -> None:
        self.server.faults.delay_ms = min(60_000, max(0, int(command["ms"])))

    async def do_reorder(self, command: dict[str, Any]) -> None:
        self.server.faults.reorder = int(command.get("frames", 1))

    async def do_swallow(self, command: dict[str, Any]) -> None:
        self.server.faults.swallow = int(command.get("frames", 1))

    async def do_send_raw(self, command: dict[str, Any]) -> None:
        for session in self.sessions(command):
            if session.link:
                session.link.send(command["frame"])

    # Sessions

    async def do_refuse_logins(self, command: dict[str, Any]) -> None:
        self.server.refuses_logins = bool(command.get("on", True))

    async def do_gateway(self, command: dict[str, Any]) -> None:
        """For one user's sessions, or for all later logins, too."""
        states = [words(one) for one in command["states"]]
        if not states:
            raise Unusable("no states")
        if "user" not in command:
            self.server.gateway = states
        for session in self.sessions(command):
            session.gateway = list(states)
            if command.get("unasked"):
                session.request("gatewayState", {"state": session.gateway_state()})

    async def do_punt(self, command: dict[str, Any]) -> None:
        for session in self.sessions(command):
            self.server.punt(session)

    async def do_forget(self, command: dict[str, Any]) -> None:
        """Like a restarted server: session and calls are unknown, and no client is notified."""
        for session in self.sessions(command):
            link = session.link
            session.link = None
            self.server.purge(session, "NORMAL_CLEARING")
            if link:
                link.drop()

    async def do_crash(self, command: dict[str, Any]) -> None:
        """Like a restarted FreeSWITCH: media are gone, and calls are reattached a second after the login."""
        for session in self.sessions(command):
            await self.server.crash(session)

    async def do_ping(self, command: dict[str, Any]) -> None:
        for session in self.sessions(command):
            self.server.send_ping(session)

    # Calls

    async def do_call(self, command: dict[str, Any]) -> dict[str, Any]:
        sound = command.get("play", "echo")
        if sound not in SERVICES:
            raise Unusable("plays echo, tone, record or silence")
        number = words(command.get("from", "anonymous"))
        names = (words(command.get("name", number)), number)
        return {"rings": await self.exchange.fork(command["user"], None, sound, names, command.get("headers", []))}

    async def do_bye(self, command: dict[str, Any]) -> dict[str, Any]:
        legs = self.legs(command)
        for leg in legs:
            self.exchange.end(leg, words(command.get("cause", "NORMAL_CLEARING")), sip=command.get("sip"))
        return {"calls": len(legs)}

    async def do_cut_media(self, command: dict[str, Any]) -> None:
        for leg in self.legs(command):
            if leg.peer:
                leg.peer.ice.cut()

    async def do_display(self, command: dict[str, Any]) -> None:
        for leg in self.legs(command):
            leg.display(words(command["name"]), words(command["number"]))

    async def do_services(self, command: dict[str, Any]) -> None:
        """The answers of services from now on."""
        options = self.server.options
        options.early = bool(command.get("early", options.early))
        options.answer_ms = min(60_000, max(0, int(command.get("answer_ms", options.answer_ms))))

"""Sockets and logins."""
from __future__ import annotations

import asyncio
import hmac
import http
import ssl
import uuid
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import Server as SocketServer
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from media.events import Events

from .exchange import Exchange
from .leg import Leg
from .link import Faults, Link
from .options import Options
from .requests import Requests
from .session import Session
from .wire import AUTHENTICATION, CALL_ERROR, CREDENTIALS, FRAME_LIMIT, NO_METHOD, NO_REQUEST
from .wire import Refusal, dictionary, parse, words


class Server:
    login_seconds = 15

    def __init__(self, options: Options, events: Events) -> None:
        self.options, self.events = options, events
        self.exchange = Exchange(options, events)
        self.requests = Requests(self.exchange)
        self.faults = Faults()
        self.links: set[Link] = set()
        self.is_closing = False
        self.refuses_logins = False
        self.refuses_sockets = False
        # Gateway states for later logins.
        self.gateway = ["REGED"]

    async def listen(self) -> SocketServer:
        context = None
        if self.options.certificate and self.options.key:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            context.load_cert_chain(self.options.certificate, self.options.key)
        return await serve(
            self.handle, self.options.host, self.options.port, ssl=context, max_size=FRAME_LIMIT, ping_interval=None,
            compression=None, process_request=self.admit)

    def admit(self, socket: ServerConnection, request: Any) -> Any:
        if self.refuses_sockets or len(self.links) >= 2 * self.options.sessions:
            self.events.emit("socket-refused")
            return socket.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "no\n")
        return None

    async def handle(self, socket: ServerConnection) -> None:
        link = Link(socket, self.faults)
        self.links.add(link)
        query = parse_qs(urlsplit(socket.request.path).query)
        sdk_id = words(query.get("voice_sdk_id", [""])[0])
        self.events.emit("socket", sdk_id=sdk_id)
        session: Session | None = None
        pinger = asyncio.ensure_future(self.ping(link))
        try:
            while True:
                wait = None if session else self.login_seconds
                text = await asyncio.wait_for(socket.recv(), wait)
                if self.faults.is_deaf:
                    continue
                session = await self.receive(link, session, text, sdk_id)
        except asyncio.TimeoutError:
            self.events.emit("login-missed")
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else None
            self.events.emit("socket-closed", code=code, user=session and session.user)
        finally:
            pinger.cancel()
            link.writer.cancel()
            self.links.discard(link)
            if session and session.link is link:
                self.detach(session)

    async def ping(self, link: Link) -> None:
        while True:
            await asyncio.sleep(self.options.ping_seconds)
            for session in self.exchange.sessions.values():
                if session.link is link:
                    self.send_ping(session)

    def send_ping(self, session: Session) -> None:
        session.request("ping", {} if session.dialect.is_telnyx else {"serno": sum(session.methods.values())})

    # Frames

    async def receive(self, link: Link, session: Session | None, text: str | bytes, sdk_id: str) -> Session | None:
        """The session of the socket afterwards."""
        if isinstance(text, bytes) or text.startswith("#SP"):
            return session
        number: Any = None
        try:
            frame = parse(text)
            number, method = frame.get("id"), frame.get("method")
            if not isinstance(number, (int, str)):
                number = None
            if method is None and ("result" in frame or "error" in frame):
                if session:
                    session.replied(frame)
                return session
            if str(frame.get("type", "")).startswith("debug_report"):
                return session
            if not isinstance(method, str) or number is None:
                raise Refusal(NO_REQUEST, "no method, or no id")
            params = dictionary(frame.get("params"))
            if method == "login":
                return await self.login(link, number, params, sdk_id)
            if not session or session.link is not link:
                raise Refusal(AUTHENTICATION, "Authentication Required")
            await self.request(session, number, method, params)
        except Refusal as refusal:
            self.events.emit(
                "refused", user=session and session.user, code=refusal.error["code"], why=refusal.why)
            link.send({"jsonrpc": "2.0", "id": number, "error": refusal.error})
        except Exception as error:
            # This server's own fault must not end the socket, and must be reported.
            self.events.emit("fault", where="frame", why=repr(error)[:500])
            link.send({"jsonrpc": "2.0", "id": number, "error": {"code": CALL_ERROR, "message": "CALL ERROR"}})
        return session

    async def request(self, session: Session, number: Any, method: str, params: dict[str, Any]) -> None:
        name = self.options.dialect.short(method)
        known = name if name and self.requests.knows(name) else None
        session.methods[known or "unknown"] += 1
        if not known:
            raise Refusal(NO_METHOD, "Invalid Method, Missing Method or Permission Denied")
        session.send({"id": number, "result": await self.requests.handle(session, known, params)})

    # Sessions

    async def login(self, link: Link, number: Any, params: dict[str, Any], sdk_id: str) -> Session:
        user = self.authenticate(params)
        sessid = words(params.get("sessid")) or str(uuid.uuid4())
        session = self.exchange.sessions.get(sessid)
        if session and session.user != user:
            raise Refusal(CREDENTIALS, "Login Incorrect")
        if not session:
            if len(self.exchange.sessions) >= self.options.sessions:
                raise Refusal(AUTHENTICATION, "too many sessions")
            session = Session(user, sessid, self.options.dialect, sdk_id or str(uuid.uuid4()))
            self.exchange.sessions[sessid] = session
        session.gateway = list(self.gateway)
        if session.link and session.link is not link:
            session.request("punt", {})
            session.link.finish()
        session.link = link
        attached = [leg for leg in session.legs.values() if leg.state == "answered"]
        was_recovered, session.is_recovered = session.is_recovered, False
        calls = [] if was_recovered else [leg.call_id for leg in attached]
        session.send({"id": number, "result": {"message": "logged in", "sessid": sessid}})
        session.request("clientReady", {"reattached_sessions": calls})
        self.events.emit(
            "login", user=user, sessid=sessid, reattached=calls, reconnection=bool(params.get("reconnection")),
            kept_sdk_id=sdk_id == session.sdk_id, agent=words(params.get("User-Agent")))
        if was_recovered:
            self.exchange.run(self.give_back(attached))
        else:
            for leg in attached:
                await leg.attach()
        return session

    async def crash(self, session: Session) -> None:
        session.is_recovered = True
        for leg in session.legs.values():
            await leg.lose_media()
        if session.link:
            session.link.drop()

    async def give_back(self, legs: list[Leg]) -> None:
        """FreeSWITCH looks each second for the clients of recovered calls."""
        await asyncio.sleep(1)
        for leg in legs:
            if leg.state == "answered":
                await leg.attach()

    def authenticate(self, params: dict[str, Any]) -> str:
        token, login, password = params.get("login_token"), params.get("login"), params.get("passwd")
        if isinstance(token, str) and self.options.dialect.is_telnyx:
            user = self.options.tokens.get(token)
            if self.refuses_logins or not user:
                raise Refusal(AUTHENTICATION, "Authentication Required")
            return user
        if not isinstance(login, str) or not isinstance(password, str):
            raise Refusal(AUTHENTICATION, "Authentication Required")
        user = login if self.options.dialect.is_telnyx else login.split("@")[0]
        known = self.options.users.get(user, "")
        if self.refuses_logins or not known or not hmac.compare_digest(known.encode(), password.encode()):
            message = "Login Incorrect" if self.options.dialect.is_telnyx else "Authentication Failure"
            raise Refusal(CREDENTIALS, message)
        return user

    def detach(self, session: Session) -> None:
        """Answered calls wait for their client; the others end."""
        session.link = None
        if self.is_closing:
            return
        for leg in list(session.legs.values()):
            if leg.state != "answered":
                self.exchange.end(leg, "NORMAL_TEMPORARY_FAILURE")
        self.events.emit("detached", user=session.user, calls=list(session.legs))
        self.exchange.run(self.forget(session))

    async def forget(self, session: Session) -> None:
        lost_at = session.detached = asyncio.get_running_loop().time()
        await asyncio.sleep(self.options.detach_seconds)
        if not session.link and session.detached == lost_at:
            self.purge(session, "RECOVERY_ON_TIMER_EXPIRE")

    def purge(self, session: Session, cause: str) -> None:
        link, session.link = session.link, None
        for leg in list(session.legs.values()):
            self.exchange.end(leg, cause)
        if self.exchange.sessions.pop(session.sessid, None):
            self.events.emit("forgotten", user=session.user)
        if link:
            link.finish()

    def punt(self, session: Session) -> None:
        """The client has to drop its calls without a bye; their other ends are notified."""
        session.request("punt", {})
        self.events.emit("punted", user=session.user)
        self.purge(session, "NORMAL_CLEARING")

    async def close(self) -> None:
        self.is_closing = True
        legs, links = self.exchange.legs, list(self.links)
        for link in links:
            link.drop()
        await self.exchange.close()
        await asyncio.gather(*(leg.close_media() for leg in legs), return_exceptions=True)

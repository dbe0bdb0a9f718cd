"""Django's threaded server, with TLS, and with connections that a fault can reset."""
from __future__ import annotations

import os
import socket
import ssl
import struct
import sys
import threading
from pathlib import Path
from typing import Any

from django.core.servers import basehttp
from django.core.wsgi import get_wsgi_application

from . import events
from .options import Options

#: The server closes a connection after this time without a request.
IDLE_SECONDS = 60
#: The server reads no body that is larger. Django rejects smaller ones that are too large (413, with a message).
LARGEST_BODY = 1_000_000


class Handler(basehttp.WSGIRequestHandler):
    timeout = IDLE_SECONDS

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            self.close_connection = True
            self.send_error(413)
            return False
        return True

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def get_environ(self) -> dict[str, Any]:
        more: dict[str, Any] = {"backend.abort": self.abort, "backend.close": self.close_afterwards}
        if self.server.context:
            more["HTTPS"] = "on"
        return super().get_environ() | more

    def close_afterwards(self) -> None:
        """Closes the connection after this answer."""
        self.close_connection = True

    def abort(self) -> None:
        """Resets the connection. Later writes fail and are ignored."""
        self.close_connection = True
        connection = self.connection
        if isinstance(connection, ssl.SSLSocket):
            # Resets the TCP connection without TLS's close_notify.
            connection = socket.socket(fileno=connection.detach())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # `socket.close` would wait for the request's file objects.
        os.close(connection.detach())

    def handle(self) -> None:
        try:
            super().handle()
        except (OSError, ValueError):
            # The client closed the connection, or `abort` reset it.
            pass


class Server(basehttp.ThreadedWSGIServer):
    request_queue_size = 128
    context: ssl.SSLContext | None = None

    def finish_request(self, request: socket.socket, client_address: Any) -> None:
        """Does the TLS handshake in the connection's thread, so that a silent client blocks no other."""
        # Head and body are two writes. With Nagle's algorithm the second would wait 40 ms for an ACK.
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.context:
            request.settimeout(10)
            request = self.context.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)
        if isinstance(request, ssl.SSLSocket):
            request.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exc_info()[1]
        if isinstance(error, ssl.SSLError):
            events.emit("handshake-failed", why=str(error.reason or error))
        elif not isinstance(error, OSError):
            events.fault("connection", error)

    def use_certificate(self, certificate: Path, key: Path) -> None:
        """Changes the certificate for new connections."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.context = context

    def server_bind(self) -> None:
        # The inherited method looks up the host's full name, which can take seconds.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()


def listen(options: Options) -> Server:
    """Binds the port. Clients can connect, and wait until `run`."""
    return Server((options.host, options.port), Handler, ipv6=":" in options.host)


def run(server: Server) -> threading.Thread:
    server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    return thread

"""Django's own threaded server with TLS and connections that a fault can reset."""
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

#: A client that sends nothing for so long loses its connection.
IDLE_SECONDS = 60


class Handler(basehttp.WSGIRequestHandler):
    timeout = IDLE_SECONDS

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def get_environ(self) -> dict[str, Any]:
        more: dict[str, Any] = {"backend.abort": self.abort, "backend.close": self.close_afterwards}
        if self.server.context:
            more["HTTPS"] = "on"
        return super().get_environ() | more

    def close_afterwards(self) -> None:
        """Ends the connection with the answer, whatever its head says."""
        self.close_connection = True

    def abort(self) -> None:
        """Resets the connection. What is written afterwards goes nowhere."""
        self.close_connection = True
        connection = self.connection
        if isinstance(connection, ssl.SSLSocket):
            # The TCP connection below shall be reset, without a goodbye of TLS.
            connection = socket.socket(fileno=connection.detach())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # `close` would wait until the files on top of the socket are closed, too.
        os.close(connection.detach())

    def handle(self) -> None:
        try:
            super().handle()
        except (OSError, ValueError):
            # The client left, or the connection was reset.
            pass


class Server(basehttp.ThreadedWSGIServer):
    request_queue_size = 128
    context: ssl.SSLContext | None = None

    def finish_request(self, request: socket.socket, client_address: Any) -> None:
        """Shakes hands in the connection's own thread, so that a silent client delays nobody."""
        # Head and body are two writes. Without this the second waits 40 ms for the acknowledgement of the first.
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
        """For connections from now on."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.context = context

    def server_bind(self) -> None:
        # The standard one looks up the host's full name, which can take seconds.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()


def listen(options: Options) -> Server:
    """Binds, so that the port is known. Requests wait until `run`."""
    return Server((options.host, options.port), Handler, ipv6=":" in options.host)


def run(server: Server) -> threading.Thread:
    server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    return thread

"""web_server.py [--certificate F --key F]: a web server for tests, whose path says how it misbehaves.

It prints events as JSON lines: `listening` with its port, `connection`, and `request` with what the client sent. It ends
when its standard input ends. With --proxy it tunnels (CONNECT) instead. With --mute it accepts and never reads, and
with --hang-up it closes what it accepts.
"""
from __future__ import annotations

import argparse
import gzip
import itertools
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
from email.utils import formatdate

LOCK = threading.Lock()
NUMBERS = itertools.count(1)
#: How often each path was requested.
VISITS: dict[str, int] = {}


def emit(event: str, **facts: object) -> None:
    with LOCK:
        print(json.dumps({"event": event, **facts}), flush=True)


class Connection:
    def __init__(self, plain: socket.socket, options: argparse.Namespace, context: ssl.SSLContext | None) -> None:
        self.number = next(NUMBERS)
        self.plain, self.socket, self.options = plain, plain, options
        emit("connection", number=self.number)
        if context:
            self.socket = context.wrap_socket(plain, server_side=True)
        self.reader = self.socket.makefile("rb")

    def serve(self) -> None:
        while (request := self.read()) is not None and self.answer(*request):
            pass
        self.reader.close()
        self.socket.close()

    def read(self) -> tuple[str, str, dict[str, str], bytes] | None:
        if self.reader.peek(1)[:1] == b"\x16":
            # A TLS handshake, which a plain server answers so.
            self.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            return None
        words = self.reader.readline().decode("latin-1").split()
        if len(words) != 3:
            return None
        headers: dict[str, str] = {}
        while line := self.reader.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = self.reader.read(int(headers.get("content-length", "0")))
        with LOCK:
            VISITS[words[1]] = VISITS.get(words[1], 0) + 1
        emit("request", connection=self.number, method=words[0], target=words[1], headers=headers,
             body=body.decode("latin-1"))
        return words[0], words[1], headers, body

    def send(self, *parts: str | bytes) -> None:
        self.socket.sendall(b"".join(part.encode() if isinstance(part, str) else part for part in parts))

    def reply(self, status: int = 200, body: bytes = b"{}", *headers: str) -> bool:
        lines = [f"HTTP/1.1 {status} Test", f"Content-Length: {len(body)}", "Content-Type: application/json",
                 f"Date: {formatdate(usegmt=True)}", *headers]
        self.send("\r\n".join(lines), "\r\n\r\n", body)
        return True

    def answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> bool:
        if self.options.proxy:
            return self.tunnel(target, headers)
        path, _, rest = target.partition("?")
        action = getattr(self, "do_" + path.strip("/").replace("-", "_").split("/")[0], None)
        return action(rest, headers) if action else self.reply(404)

    # Behaviours. Each returns whether the connection serves another request.

    def do_ok(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(200, b'{"answer": 42}')

    def do_slow_head(self, rest: str, headers: dict[str, str]) -> bool:
        time.sleep(float(rest))
        return self.reply()

    def do_slow_body(self, rest: str, headers: dict[str, str]) -> bool:
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            self.send(b"x")
            time.sleep(0.05)
        return True

    def do_half(self, rest: str, headers: dict[str, str]) -> bool:
        self.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b"x" * 50)
        return False

    def do_silent(self, rest: str, headers: dict[str, str]) -> bool:
        self.reader.read(1)
        return False

    def do_closing(self, rest: str, headers: dict[str, str]) -> bool:
        return False

    def do_reset(self, rest: str, headers: dict[str, str]) -> bool:
        self.plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.socket.detach())
        return False

    def do_large(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(200, b"x" * int(rest))

    def do_chunked(self, rest: str, headers: dict[str, str]) -> bool:
        self.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(int(rest) // 1000):
            self.send("3e8\r\n", b"x" * 1000, "\r\n")
        self.send("0\r\n\r\n")
        return True

    def do_gzip(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(200, gzip.compress(b"x" * int(rest)), "Content-Encoding: gzip")

    def do_nothing_but_gzip(self, rest: str, headers: dict[str, str]) -> bool:
        """Compressed pieces of nothing, for ever."""
        self.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzip.compress(b"")[:10])
        while True:
            self.send(b"\x00\x00\x00\xff\xff" * 1000)

    def do_wrong_gzip(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(200, b"this is no gzip", "Content-Encoding: gzip")

    def do_headers(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(200, b"{}", *(f"X-{place}: y" for place in range(int(rest))))

    def do_long_header(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(200, b"{}", "X: " + "y" * int(rest))

    def do_interim(self, rest: str, headers: dict[str, str]) -> bool:
        while True:
            self.send("HTTP/1.1 100 Continue\r\n\r\n")

    def do_garbage(self, rest: str, headers: dict[str, str]) -> bool:
        self.send(bytes((place * 7 + 131) % 256 for place in range(4096)))
        return False

    def do_bare(self, rest: str, headers: dict[str, str]) -> bool:
        self.send(b"a body without a head")
        return False

    def do_redirect(self, rest: str, headers: dict[str, str]) -> bool:
        status, _, location = rest.partition(",")
        return self.reply(int(status), b"", f"Location: {location}", "Set-Cookie: a=b")

    def do_etag(self, rest: str, headers: dict[str, str]) -> bool:
        if headers.get("if-none-match") == '"v1"':
            self.send('HTTP/1.1 304 Not Modified\r\nETag: "v1"\r\n\r\n')
            return True
        return self.reply(200, b"version 1", 'ETag: "v1"')

    def do_busy(self, rest: str, headers: dict[str, str]) -> bool:
        """503 for so many requests, then 200."""
        if VISITS["/busy?" + rest] <= int(rest):
            return self.reply(503, b"{}", "Retry-After: 0")
        return self.reply()

    def do_once(self, rest: str, headers: dict[str, str]) -> bool:
        """Answers the first request of a connection only, and reads the second."""
        self.do_once = self.do_closing
        return self.reply()

    def do_status(self, rest: str, headers: dict[str, str]) -> bool:
        return self.reply(int(rest), b'{"error": "test"}', "Retry-After: 7")

    def tunnel(self, target: str, headers: dict[str, str]) -> bool:
        if self.options.proxy == "refuse":
            return self.reply(407, b"", 'Proxy-Authenticate: Basic realm="test"')
        host, _, port = target.rpartition(":")
        # The test's names exist only here.
        server = socket.create_connection(("127.0.0.1", int(port)))
        self.send("HTTP/1.1 200 Connection established\r\nX-Proxy: seen\r\n\r\n")
        threading.Thread(target=pump, args=(server, self.socket), daemon=True).start()
        pump(self.socket, server)
        return False


def pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(plain: socket.socket, options: argparse.Namespace, context: ssl.SSLContext | None) -> None:
    try:
        Connection(plain, options, context).serve()
    except OSError as error:
        emit("broken", why=str(error)[:200])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--newest", default="", help="the newest version of TLS, such as TLSv1_1")
    parser.add_argument("--proxy", choices=["open", "refuse"])
    parser.add_argument("--mute", action="store_true")
    parser.add_argument("--hang-up", action="store_true")
    options = parser.parse_args()
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        if options.newest:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion[options.newest]
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    emit("listening", port=listener.getsockname()[1])
    kept = []
    while True:
        plain, _ = listener.accept()
        if options.hang_up:
            emit("connection", number=next(NUMBERS))
            plain.close()
            continue
        if options.mute:
            # A full buffer at once: the client can send almost nothing.
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            kept.append(plain)
            emit("connection", number=len(kept))
            continue
        threading.Thread(target=serve, args=(plain, options, context), daemon=True).start()


if __name__ == "__main__":
    main()

"""serve.py --folder F [--port P] [--tls]: the reference backend. It is a test server, not for production.

It reads commands as JSON lines from standard input, {"do": …}, and writes events as JSON lines to standard output,
{"event": …}. It ends when its input ends. `Scripts/backend` prints the Python for it. docs/backend.md explains it.
"""
from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from phonebackend import events, options, settings  # noqa: E402


def main() -> None:
    chosen = options.read()
    # The broker saves its sessions before this process ends.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    settings.configure(chosen)
    from django.core.management import call_command
    from django.db import connection

    from phonebackend import certificates, control, httpd, runtime, seeds
    from phonebackend.broker import BrokerError

    threading.excepthook = lambda failure: events.fault("thread", failure.exc_value or failure.exc_type())
    server = httpd.listen(chosen)
    chosen.port = server.server_port
    current = runtime.current = runtime.Runtime(chosen)
    if "phonebackend_device" not in connection.introspection.table_names():
        call_command("migrate", run_syncdb=True, verbosity=0)
    seeds.create()
    if current.broker:
        try:
            current.broker.start(control.phones())
        except BrokerError as error:
            events.emit("broker", state="missing", why=str(error))
            current.broker = None
    if current.broker:
        for name, _ in control.phones():
            current.broker.client_certificate(name)
    if chosen.tls:
        names = list(dict.fromkeys([chosen.name, "localhost", "127.0.0.1", "::1", *chosen.names]))

        def use_certificate(kind: str) -> None:
            folder = chosen.path("tls", "ca.crt").parent
            server.use_certificate(*certificates.issue_server_certificate(folder, names, kind, "http"))

        current.use_certificate = use_certificate
        use_certificate("valid")
    connection.close()
    httpd.run(server)
    events.emit(
        "listening", host=chosen.host, port=chosen.port, tls=chosen.tls, url=chosen.url, folder=str(chosen.folder),
        authority=str(chosen.path("tls", "ca.crt")),
        mqtt={"port": current.broker.port, "certificate_port": current.broker.certificate_port}
        if current.broker else None)
    try:
        for line in sys.stdin:
            if line.strip():
                obey(line)
    except KeyboardInterrupt:
        pass
    if current.broker:
        current.broker.stop()
    sys.stdout.flush()
    # A normal exit would wait for threads with open connections.
    os._exit(0)


def obey(line: str) -> None:
    from phonebackend import control

    name = ""
    try:
        command = json.loads(line)
        name = str(command.get("do", ""))
        events.emit("done", do=name, **control.execute(name, {k: v for k, v in command.items() if k != "do"}))
    except (ValueError, AttributeError, TypeError, control.Unusable) as error:
        events.emit("not-done", do=name, why=str(error)[:300])


if __name__ == "__main__":
    main()

"""Runs Debian's mosquitto as the broker of caller info, and publishes there.

mosquitto's dynamic security plugin keeps passwords and rights, not a password file and an ACL file. mosquitto grants a
subscription that an ACL file forbids, and then delivers nothing. The plugin rejects the subscription, so a phone can
notice. It also learns of new phones without a restart.
"""
from __future__ import annotations

import base64
import ctypes
import glob
import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from . import events
from .certificates import Authority, issue_server_certificate
from .options import Options

CONTROL = "$CONTROL/dynamic-security/v1"
OWN_NAME = "backend"


class BrokerError(Exception):
    """mosquitto is missing, did not start, or did not answer."""


class Broker:
    def __init__(self, options: Options) -> None:
        self.options, self.folder = options, options.path("mqtt", "log").parent
        self.names = list(dict.fromkeys([options.name, "localhost", "127.0.0.1", "::1", *options.names]))
        self.port, self.certificate_port = options.mqtt_port, options.mqtt_certificate_port
        self.own_password = secrets.token_urlsafe(24)
        self.certificate_kind = "valid"
        #: Rights, messages or the certificate changed since `forget`.
        self.is_changed = False
        #: The size of the log when this mosquitto started.
        self.log_start = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.client: mqtt.Client | None = None
        self.is_connected, self.answered = threading.Event(), threading.Event()
        self.answer: dict[str, Any] = {}
        self.control_lock = threading.Lock()
        # PR_SET_PDEATHSIG is bound to the thread that starts mosquitto, so that thread must not end.
        self.worker = ThreadPoolExecutor(1)

    # The process

    def start(self, devices: Iterable[tuple[str, str]]) -> None:
        """Starts mosquitto and connects to it.

        - Parameter devices: User name and password of each phone.
        """
        self.worker.submit(self._start, list(devices)).result()
        self._connect()
        events.emit("broker", state="started", port=self.port, certificate_port=self.certificate_port)

    @property
    def is_used(self) -> bool:
        """Whether rights, messages or sessions can differ from those of a new folder."""
        with open(self.folder / "log", "rb") as log:
            log.seek(self.log_start)
            # One client is this server.
            return self.is_changed or not self.process or log.read().count(b": New client connected") > 1

    def forget(self) -> None:
        """Removes the sessions and retained messages of all phones. The broker must not run."""
        self.is_changed = False
        (self.folder / "mosquitto.db").unlink(missing_ok=True)

    def stop(self, *, kills: bool = False) -> None:
        """Stops mosquitto. Only without `kills` it saves its sessions."""
        if self.client:
            self.client.disconnect()
            self.client.loop_stop()
            self.client = None
        self.is_connected.clear()
        process, self.process = self.process, None
        if process:
            process.send_signal(signal.SIGKILL if kills else signal.SIGTERM)
            # A frozen process reads no signal but this one.
            process.send_signal(signal.SIGCONT)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            events.emit("broker", state="killed" if kills else "stopped")

    def freeze(self, *, freezes: bool) -> None:
        """Stops mosquitto's process, so that its connections stay open and silent, or lets it continue."""
        self.is_changed = True
        if self.process:
            self.process.send_signal(signal.SIGSTOP if freezes else signal.SIGCONT)
            events.emit("broker", state="frozen" if freezes else "thawed")

    def _start(self, devices: list[tuple[str, str]]) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        plugins = glob.glob("/usr/lib/*/mosquitto_dynamic_security.so") + glob.glob(
            "/usr/lib/mosquitto_dynamic_security.so")
        if not program or not plugins:
            raise BrokerError("there is no mosquitto; Scripts/setup backend installs it")
        self.port, self.certificate_port = self.port or find_free_port(), self.certificate_port or find_free_port()
        self._write_rights(devices)
        self._write_certificate()
        configuration = self.folder / "mosquitto.conf"
        configuration.write_text(self._configuration(plugins[0]))
        configuration.chmod(0o600)
        with open(self.folder / "log", "ab") as log:
            self.log_start = log.tell()
            self.process = subprocess.Popen(
                [program, "-c", configuration], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=_end_with_parent)
        end = time.monotonic() + 5
        while time.monotonic() < end and self.process.poll() is None:
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex((self._host, self.port)) == 0:
                    return
            time.sleep(0.01)
        last = (self.folder / "log").read_text(errors="replace")[-500:]
        raise BrokerError(f"mosquitto did not start: {last}")

    @property
    def _host(self) -> str:
        return "127.0.0.1" if self.options.host in ("0.0.0.0", "localhost") else self.options.host

    def _configuration(self, plugin: str) -> str:
        path = self.folder
        tls = f"cafile {path}/ca.crt\ncertfile {path}/server.crt\nkeyfile {path}/server.key\n"
        return (
            "# Written by serve.py at each start.\n"
            "per_listener_settings false\nallow_anonymous false\nuser root\n"
            f"plugin {plugin}\nplugin_opt_config_file {path}/rights.json\n"
            # mosquitto saves sessions at intervals, so a killed broker loses only the last changes.
            f"persistence true\npersistence_location {path}/\nautosave_interval 1\n"
            "max_queued_messages 10000\nlog_dest stderr\nlog_type error\nlog_type warning\nlog_type notice\n"
            f"\n# TLS and password\nlistener {self.port} {self.options.host}\n{tls}"
            f"\n# Client certificate, whose common name is the user name\n"
            f"listener {self.certificate_port} {self.options.host}\n{tls}"
            "require_certificate true\nuse_identity_as_username true\n")

    # Certificates

    def _write_certificate(self) -> None:
        tls = self.options.path("tls", "ca.crt").parent
        certificate, key = issue_server_certificate(tls, self.names, self.certificate_kind, "mqtt")
        shutil.copy(certificate, self.folder / "server.crt")
        shutil.copy(key, self.folder / "server.key")
        shutil.copy(tls / "ca.crt", self.folder / "ca.crt")

    def use_certificate(self, kind: str) -> None:
        """Changes the certificate for new connections, without a restart."""
        self.is_changed = True
        before, self.certificate_kind = self.certificate_kind, kind
        try:
            self._write_certificate()
        except ValueError:
            self.certificate_kind = before
            raise
        if self.process:
            self.process.send_signal(signal.SIGHUP)

    def client_certificate(self, name: str) -> Path:
        """Issues the client certificate of a phone, once. The key has the same name with `.key`."""
        path = self.options.path("tls", f"phone-{name}.crt")
        if not path.exists():
            Authority(path.parent, "").issue(path.stem, name)
        return path

    # Rights

    def _write_rights(self, devices: list[tuple[str, str]]) -> None:
        own = [
            _acl("publishClientSend", "phones/#"), _acl("subscribePattern", "phones/#"),
            _acl("publishClientSend", CONTROL), _acl("subscribePattern", CONTROL + "/#"),
            _acl("publishClientReceive", CONTROL + "/#")]
        rights = {
            "defaultACLAccess": {
                "publishClientSend": False, "publishClientReceive": True, "subscribe": False, "unsubscribe": True},
            "clients": [_client(OWN_NAME, self.own_password)] + [_client(name, word) for name, word in devices],
            "roles": [{"rolename": OWN_NAME, "acls": own}] + [
                {"rolename": name, "acls": device_rights(name)} for name, _ in devices],
            "groups": []}
        path = self.folder / "rights.json"
        path.write_text(json.dumps(rights))
        path.chmod(0o600)

    def add(self, name: str, password: str) -> None:
        """Adds the login of a phone, with the right to read its own topic only."""
        self.command(
            {"command": "createRole", "rolename": name, "acls": device_rights(name)},
            {"command": "createClient", "username": name, "password": password, "roles": [{"rolename": name}]})

    def remove(self, name: str) -> None:
        """Removes the login of a phone. The broker closes its connection."""
        self.command({"command": "deleteClient", "username": name}, {"command": "deleteRole", "rolename": name})

    def set_topic(self, name: str, topic: str, *, allowed: bool) -> None:
        """Allows or rejects the phone's subscription. The broker closes its connection."""
        verb = "addRoleACL" if allowed else "removeRoleACL"
        acl = {"rolename": name, "acltype": "subscribeLiteral", "topic": topic}
        self.command({"command": verb, **acl, **({"allow": True} if allowed else {})})

    def set_login(self, name: str, *, allowed: bool) -> None:
        """Allows or rejects the phone's login. The broker closes the connection of a rejected phone."""
        self.command({"command": "enableClient" if allowed else "disableClient", "username": name})

    def command(self, *commands: dict[str, Any]) -> None:
        self.is_changed = True
        if not self.client:
            return
        with self.control_lock:
            self.answered.clear()
            self.client.publish(CONTROL, json.dumps({"commands": list(commands)}), qos=1)
            if not self.answered.wait(5):
                raise BrokerError("mosquitto did not answer")
            errors = [one["error"] for one in self.answer.get("responses", []) if one.get("error")]
        if [one for one in errors if "already exists" not in one and "not found" not in one]:
            raise BrokerError("; ".join(errors))

    # Messages

    def publish(self, topic: str, payload: bytes, *, waits: bool = True, retain: bool = False) -> None:
        if not self.client or not self.is_connected.is_set():
            raise BrokerError("the broker does not run")
        self.is_changed = True
        message = self.client.publish(topic, payload, qos=1, retain=retain)
        if waits:
            message.wait_for_publish(5)
            if not message.is_published():
                raise BrokerError("the broker did not take the message")

    def _connect(self) -> None:
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=OWN_NAME, protocol=mqtt.MQTTv5)
        client.username_pw_set(OWN_NAME, self.own_password)
        # No verification: the broker is on this machine, and a test may give it an expired certificate.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        client.tls_set_context(context)
        client.max_queued_messages_set(0)
        client.max_inflight_messages_set(1000)
        client.on_connect, client.on_message = self._connected, self._received
        client.on_disconnect = lambda *_: self.is_connected.clear()
        client.on_subscribe = lambda *_: self.is_connected.set()
        client.connect(self._host, self.port)
        client.loop_start()
        self.client = client
        if not self.is_connected.wait(5):
            raise BrokerError("this server could not log in at its own broker")

    def _connected(self, client: mqtt.Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        client.subscribe([("phones/+/presence", 1), (CONTROL + "/response", 1)])

    def _received(self, _: mqtt.Client, __: Any, message: mqtt.MQTTMessage) -> None:
        if message.topic.startswith("$CONTROL"):
            self.answer = json.loads(message.payload)
            self.answered.set()
            return
        self.is_changed = True
        if message.payload:
            events.emit(
                "presence", device=message.topic.split("/")[1], payload=message.payload.decode(errors="replace")[:500],
                retained=bool(message.retain))


def device_rights(name: str) -> list[dict[str, Any]]:
    return [
        _acl("subscribeLiteral", f"phones/{name}/caller-info"), _acl("publishClientSend", f"phones/{name}/presence")]


def find_free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _acl(kind: str, topic: str) -> dict[str, Any]:
    return {"acltype": kind, "topic": topic, "priority": 0, "allow": True}


def _client(name: str, password: str) -> dict[str, Any]:
    salt, iterations = os.urandom(12), 101
    hashed = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, iterations)
    return {
        "username": name, "password": base64.b64encode(hashed).decode(), "salt": base64.b64encode(salt).decode(),
        "iterations": iterations, "roles": [{"rolename": name}]}


def _end_with_parent() -> None:
    """Has the kernel kill mosquitto when this server dies. 1 is PR_SET_PDEATHSIG."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)

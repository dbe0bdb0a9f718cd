"""Starts the server as a Swift test does, and speaks to it as a phone does."""
from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import requests
from paho.mqtt.enums import CallbackAPIVersion

FOLDER = Path(__file__).resolve().parents[1]
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class Server:
    """A process of serve.py."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.events, self.news = folder, [], threading.Condition()
        self.process = subprocess.Popen(
            [sys.executable, "-B", FOLDER / "serve.py", "--folder", folder, *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()
        listening = self.wait("listening", seconds=10)
        self.url, self.mqtt, self.authority = listening["url"], listening["mqtt"], listening["authority"]
        self.session = requests.Session()
        # Ignores proxies and authorities of the environment.
        self.session.trust_env = False
        self.session.verify = self.authority

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self.news:
                self.events.append(json.loads(line))
                self.news.notify_all()
        with self.news:
            self.events.append({"event": "end"})
            self.news.notify_all()

    def wait(self, name: str, seconds: float = 5, since: int = 0, **facts: Any) -> dict[str, Any]:
        """Waits for an event with these facts, after the first `since` events."""
        end = time.monotonic() + seconds
        with self.news:
            while True:
                for event in self.events[since:]:
                    if event["event"] == name and all(event.get(key) == value for key, value in facts.items()):
                        return event
                left = end - time.monotonic()
                assert left > 0, f"no event {name} {facts} among {self.events[since:]}"
                self.news.wait(left)

    def mark(self) -> int:
        with self.news:
            return len(self.events)

    def order(self, **command: Any) -> dict[str, Any]:
        """Writes a command to the server's input, and waits for its answer."""
        mark = self.mark()
        assert self.process.stdin
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self.wait("done", since=mark, do=command["do"])

    def admin(self, name: str, **arguments: Any) -> dict[str, Any]:
        answer = self.post(f"/admin/{name}", json=arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def get(self, path: str, **more: Any) -> requests.Response:
        return self.session.get(self.url + path, timeout=10, **more)

    def post(self, path: str, **more: Any) -> requests.Response:
        return self.session.post(self.url + path, timeout=10, **more)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(10)

    # Requests of a phone

    def begin(self, client_id: str = "offhook", scope: str = "openid profile email offline_access") -> dict[str, Any]:
        answer = self.post("/oauth/device_authorization", data={"client_id": client_id, "scope": scope})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def poll(self, code: str, client_id: str = "offhook") -> requests.Response:
        return self.post(
            "/oauth/token", data={"grant_type": DEVICE_GRANT, "device_code": code, "client_id": client_id})

    def sign_in(self, user: str = "ada", client_id: str = "offhook") -> dict[str, Any]:
        begun = self.begin(client_id)
        self.admin("approve", user_code=begun["user_code"], user=user)
        answer = self.poll(begun["device_code"], client_id)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def phone(self, device_token: str = "device-token-1") -> Phone:
        return Phone(self, self.post("/api/token", json={"device_token": device_token}).json()["access_token"])


class Phone:
    """Sends requests with a bearer token."""

    def __init__(self, server: Server, token: str) -> None:
        self.server, self.headers = server, {"Authorization": f"Bearer {token}"}

    def get(self, path: str) -> requests.Response:
        return self.server.get(path, headers=self.headers)

    def post(self, path: str, **more: Any) -> requests.Response:
        return self.server.post(path, headers=self.headers, **more)

    def delete(self, path: str) -> requests.Response:
        return self.server.session.delete(self.server.url + path, headers=self.headers, timeout=10)


class Subscriber:
    """An MQTT client that reads caller info."""

    def __init__(
        self, server: Server, name: str = "dt-1", password: str | None = "mqtt-password-1", *,
        topic: str | None = None, protocol: Any = mqtt.MQTTv5, client_id: str | None = None,
        by_certificate: bool = False, keeps_session: bool = True
    ) -> None:
        self.messages: list[mqtt.MQTTMessage] = []
        self.connected, self.subscribed, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.reason: Any = None
        self.granted: Any = None
        self.topic = topic or f"phones/{name}/caller-info"
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id or name, protocol=protocol,
            **({} if protocol == mqtt.MQTTv5 else {"clean_session": not keeps_session}))
        if by_certificate:
            stem = server.folder / "tls" / f"phone-{name}"
            client.tls_set(server.authority, f"{stem}.crt", f"{stem}.key")
        else:
            client.tls_set(server.authority)
            client.username_pw_set(name, password)
        client.will_set(f"phones/{name}/presence", "gone", qos=1, retain=True)
        client.on_connect, client.on_subscribe = self._connected, self._subscribed
        client.on_message = lambda _, __, message: self.messages.append(message)
        client.on_disconnect = lambda *_: self.ended.set()
        self.client = client
        more: dict[str, Any] = {}
        if protocol == mqtt.MQTTv5:
            from paho.mqtt.packettypes import PacketTypes
            from paho.mqtt.properties import Properties

            more = {"clean_start": not keeps_session, "properties": Properties(PacketTypes.CONNECT)}
            more["properties"].SessionExpiryInterval = 3600
        client.connect("localhost", server.mqtt["certificate_port" if by_certificate else "port"], **more)
        client.loop_start()

    def _connected(self, client: mqtt.Client, _: Any, __: Any, reason: Any, ___: Any) -> None:
        self.reason = reason
        self.connected.set()
        if not reason.is_failure:
            client.subscribe(self.topic, qos=1)

    def _subscribed(self, _: mqtt.Client, __: Any, ___: Any, reasons: Any, ____: Any) -> None:
        self.granted = reasons[0]
        self.subscribed.set()

    def ready(self) -> Subscriber:
        assert self.subscribed.wait(5), self.reason
        return self

    def received(self, count: int = 1, seconds: float = 5) -> list[dict[str, Any]]:
        until(lambda: len(self.messages) >= count, seconds)
        return [json.loads(message.payload) for message in self.messages]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def until(happened: Callable[[], bool], seconds: float = 5) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)

"""Caller info over mosquitto, as a phone reads it."""
from __future__ import annotations

import json
import ssl
import time

import paho.mqtt.client as mqtt
import pytest
from support import Server, Subscriber, until

TOPIC = "phones/dt-1/caller-info"


def test_message_has_the_keys_of_the_predecessor(server: Server) -> None:
    phone = Subscriber(server).ready()
    server.admin("caller-info", device="dt-1")
    message = phone.received()[0]
    phone.close()
    assert abs(message["timestamp"] - time.time()) < 5
    assert (message["type"], message["organization_id"]) == ("incoming_call", 17)
    assert (message["organization_name"], message["channel_number"]) == ("Analytical Engines", "+442079460017")
    assert set(message) == {
        "type", "call_id", "call_session_id", "call_control_id", "caller_number", "caller_name", "channel_number",
        "organization_id", "organization_name", "organization_slug", "timestamp"}


def test_message_is_what_the_test_wants(server: Server) -> None:
    phone = Subscriber(server).ready()
    message = {"type": "call_ended", "call_id": "c1", "organization_id": "org_nord", "caller_name": None, "more": [1]}
    server.admin("caller-info", device="dt-1", message=message)
    server.admin("caller-info", device="dt-1", message={"organization_id": 42}, strings=True)
    server.admin("caller-info", device="dt-1", raw="{")
    server.admin("caller-info", device="dt-1", raw_base64="/wA=")
    until(lambda: len(phone.messages) == 4)
    phone.close()
    first, second = (json.loads(one.payload) for one in phone.messages[:2])
    assert (first["type"], first["call_id"], first["organization_name"]) == ("call_ended", "c1", "Nordlicht")
    assert "caller_name" not in first and first["more"] == [1]
    assert second["organization_id"] == "42" and second["timestamp"].isdigit()
    assert [one.payload for one in phone.messages[2:]] == [b"{", b"\xff\x00"]


@pytest.mark.parametrize("protocol", [mqtt.MQTTv5, mqtt.MQTTv311])
@pytest.mark.parametrize("by_certificate", [False, True])
def test_both_protocols_and_both_proofs(server: Server, protocol: int, by_certificate: bool) -> None:
    phone = Subscriber(server, protocol=protocol, by_certificate=by_certificate).ready()
    server.admin("caller-info", device="dt-1")
    assert len(phone.received()) == 1
    phone.close()


def test_wrong_password_and_missing_certificate_are_refused(server: Server) -> None:
    phone = Subscriber(server, password="wrong")
    assert phone.connected.wait(5) and phone.reason.is_failure
    phone.close()
    with pytest.raises((ssl.SSLError, OSError)):
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)  # type: ignore[attr-defined]
        client.tls_set(server.authority)
        client.connect("localhost", server.mqtt["certificate_port"])
        client.loop_read()
        raise OSError("TLS 1.3 tells only the first reader")


@pytest.mark.parametrize("topic", ["phones/dt-2/caller-info", "phones/+/caller-info", "#"])
@pytest.mark.parametrize("protocol", [mqtt.MQTTv5, mqtt.MQTTv311])
def test_topic_of_another_phone_is_refused(server: Server, topic: str, protocol: int) -> None:
    phone = Subscriber(server, topic=topic, protocol=protocol).ready()
    assert phone.granted.is_failure
    server.admin("caller-info", device="dt-2")
    time.sleep(0.1)
    assert not phone.messages
    phone.close()


def test_phone_cannot_announce_calls_to_another(server: Server) -> None:
    phone, victim = Subscriber(server).ready(), Subscriber(server, "dt-2", "mqtt-password-2").ready()
    for topic in ("phones/dt-2/caller-info", TOPIC, "phones/dt-2/presence"):
        phone.client.publish(topic, "{}", qos=1)
    time.sleep(0.2)
    assert not victim.messages and not phone.messages
    phone.close()
    victim.close()


def test_refused_topic_can_be_noticed(server: Server) -> None:
    phone = Subscriber(server).ready()
    assert not phone.granted.is_failure
    phone.ended.clear()
    phone.subscribed.clear()
    server.admin("broker", action="deny", device="dt-1")
    # The broker closes the connection, and rejects the next subscription.
    assert phone.ended.wait(5)
    assert phone.ready().granted.is_failure
    phone.subscribed.clear()
    server.admin("broker", action="allow", device="dt-1")
    assert not phone.ready().granted.is_failure
    phone.close()


def test_login_can_be_disabled(server: Server) -> None:
    phone = Subscriber(server).ready()
    phone.ended.clear()
    server.admin("broker", action="disable", device="dt-1")
    assert phone.ended.wait(5)
    until(lambda: phone.reason.is_failure)
    phone.subscribed.clear()
    server.admin("broker", action="enable", device="dt-1")
    assert not phone.ready().granted.is_failure
    phone.close()


def test_frozen_broker_is_silent(server: Server) -> None:
    phone, mark = Subscriber(server).ready(), server.mark()
    server.admin("broker", action="freeze")
    server.wait("broker", since=mark, state="frozen")
    phone.client.publish("phones/dt-1/presence", "here", qos=1)
    time.sleep(0.2)
    assert not [event for event in server.events[mark:] if event["event"] == "presence"]
    server.admin("broker", action="thaw")
    server.wait("presence", since=mark, payload="here")
    server.admin("broker", action="freeze")
    server.admin("broker", action="restart")
    phone.close()


def test_retained_message_comes_again(server: Server) -> None:
    server.admin("caller-info", device="dt-1", retain=True, message={"call_id": "old"})
    for _ in range(2):
        phone = Subscriber(server, protocol=mqtt.MQTTv311, keeps_session=False).ready()
        assert phone.received()[0]["call_id"] == "old" and phone.messages[0].retain
        phone.close()


def test_presence_is_an_event(server: Server) -> None:
    phone, mark = Subscriber(server).ready(), server.mark()
    phone.client.publish("phones/dt-1/presence", "here", qos=1, retain=True)
    assert server.wait("presence", since=mark, payload="here")["device"] == "dt-1"
    # Without DISCONNECT, the broker publishes the last will.
    phone.client.socket().shutdown(2)
    assert server.wait("presence", since=mark, payload="gone")["device"] == "dt-1"
    phone.close()


def test_session_keeps_what_was_not_delivered(server: Server) -> None:
    Subscriber(server).ready().close()
    server.admin("caller-info", device="dt-1", message={"call_id": "missed"})
    phone = Subscriber(server)
    assert phone.received()[0]["call_id"] == "missed"
    phone.close()


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_broker_comes_back_with_its_sessions(server: Server, end: str) -> None:
    Subscriber(server).ready().close()
    server.admin("caller-info", device="dt-1", message={"call_id": "kept"})
    time.sleep(2.2 if end == "kill" else 0)
    server.admin("broker", action=end)
    assert server.post("/admin/caller-info", json={}).json()["error"] == "unusable"
    assert server.phone().post("/api/push-registrations").status_code == 503
    server.admin("broker", action="start")
    phone = Subscriber(server)
    assert phone.received()[0]["call_id"] == "kept"
    phone.close()


def test_two_phones_on_one_topic_both_get_it(server: Server) -> None:
    phones = [Subscriber(server, client_id=name).ready() for name in ("one", "two")]
    server.admin("caller-info", device="dt-1")
    for phone in phones:
        assert len(phone.received()) == 1
        phone.close()


def test_large_and_many_messages(server: Server) -> None:
    phone, mark = Subscriber(server).ready(), server.mark()
    server.admin("caller-info", device="dt-1", pad=65_536)
    until(lambda: len(phone.messages) == 1)
    assert len(phone.messages[0].payload) == 65_536
    server.admin("caller-info", device="dt-1", repeat=1000, per_second=1000)
    ended = server.wait("flood-ended", since=mark)
    until(lambda: len(phone.messages) == 1001)
    assert ended["count"] == 1000 and 0.9 < ended["seconds"] < 2
    phone.close()


def test_registered_phone_gets_in_and_a_signed_out_one_loses_its_connection(server: Server) -> None:
    from support import Phone

    person = Phone(server, server.sign_in()["access_token"])
    answer = person.post("/api/device-tokens", json={"device_id": "new"}).json()
    push = answer["push_registration"]
    phone = Subscriber(server, push["username"], push["password"], topic=push["topic"]).ready()
    certificate = Subscriber(server, push["username"], by_certificate=True, client_id="by-certificate").ready()
    server.admin("caller-info", device=answer["id"])
    assert phone.received() and certificate.received()
    certificate.close()
    phone.ended.clear()
    assert server.phone(answer["device_token"]).delete(f"/api/device-tokens/{answer['id']}").status_code == 204
    assert phone.ended.wait(5)
    until(lambda: phone.reason.is_failure)
    phone.close()

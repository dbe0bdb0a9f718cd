#!/usr/bin/env python3
"""A broker of MQTT over TLS that does what mosquitto never does.

mqtt_broker.py PORT CERTIFICATE KEY MODE

MODE is one of these:
- old: it knows 3.1.1 only, and says so;
- mute: it knows 3.1.1 only, and closes the connection instead;
- huge: it announces a message of 200 MB, and sends it;
- endless: it sends small messages without an acknowledgement for ever;
- twice: it sends messages with QoS 2, and never finishes them;
- refuse: it refuses the subscription.
"""
import socket
import ssl
import struct
import sys
import time


def read(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise ConnectionError
        data += more
    return data


def packet(connection):
    """The type and the body of the next packet."""
    kind = read(connection, 1)[0] >> 4
    length = shift = 0
    while True:
        byte = read(connection, 1)[0]
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return kind, read(connection, length)


def made(first, body, length=None):
    length = len(body) if length is None else length
    head = bytes([first])
    while True:
        head += bytes([length % 128 | (128 if length > 127 else 0)])
        length //= 128
        if not length:
            return head + body


def publish(topic, payload, qos, number, properties, length=None):
    body = struct.pack(">H", len(topic)) + topic + (struct.pack(">H", number) if qos else b"") + properties
    return made(0x30 | qos << 1, body + payload, None if length is None else len(body) + length)


def serve(connection, mode):
    _, connect = packet(connection)
    version = connect[6]
    if version == 5 and mode in ("old", "mute"):
        if mode == "old":
            connection.sendall(b"\x20\x02\x00\x01")
        return
    properties = b"\x00" if version == 5 else b""
    connection.sendall(made(0x20, b"\x00\x00" + properties))
    kind, body = packet(connection)
    while kind != 8:
        kind, body = packet(connection)
    start = 3 if version == 5 else 2
    size = struct.unpack(">H", body[start:start + 2])[0]
    topic = body[start + 2:start + 2 + size]
    connection.sendall(made(0x90, body[:2] + properties + (b"\x87" if mode == "refuse" else b"\x01")))
    print(f"subscribed by version {version}", flush=True)
    junk = b"x" * 65536
    if mode == "huge":
        connection.sendall(publish(topic, b"", 1, 1, properties, length=200_000_000))
        for _ in range(200_000_000 // len(junk)):
            connection.sendall(junk)
    elif mode == "endless":
        while True:
            connection.sendall(publish(topic, b"{}", 1, 1, properties) * 1000)
    elif mode == "twice":
        number = 0
        while True:
            number = number % 65000 + 1
            connection.sendall(publish(topic, junk[:4096], 2, number, properties))
    else:
        message = b'{"type":"incoming_call","caller_number":"+491","timestamp":%d}' % time.time()
        connection.sendall(publish(topic, message, 1, 1, properties))
        while True:
            packet(connection)


def main():
    port, certificate, key, mode = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", int(port)))
    print("ready", flush=True)
    while True:
        plain, _ = listener.accept()
        try:
            with context.wrap_socket(plain, server_side=True) as connection:
                serve(connection, mode)
        except (ConnectionError, OSError) as error:
            print(f"lost: {error}", flush=True)


main()

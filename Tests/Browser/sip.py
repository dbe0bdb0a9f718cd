"""Just enough SIP (RFC 3261) for one call at a time with one honest far end: a browser has none, so the test
provides it."""
import asyncio
import re
import uuid

PORT = 5060


class Message:
    def __init__(self, data):
        head, _, self.body = data.decode().partition("\r\n\r\n")
        self.start, *lines = head.split("\r\n")
        self.fields = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]

    def all(self, name):
        return [value for known, value in self.fields if known == name]

    def __getitem__(self, name):
        return next(iter(self.all(name)), "")

    @property
    def method(self):
        return self["cseq"].split()[-1]

    @property
    def status(self):
        return int(self.start.split()[1]) if self.start.startswith("SIP/2.0") else 0


class Telephone:
    """`offered` gets an offer and whether it starts a call, and returns the answer; `left` is called when the far
    end hangs up."""

    def __init__(self, address, far):
        self.address, self.far = address, far
        self.offered = self.left = None
        self.sequence, self.tasks, self.answers = 0, set(), asyncio.Queue()
        self.forget()

    def forget(self):
        """From, To and target of the call, from here."""
        self.call_id = self.own = self.other = self.target = ""
        self.invited, self.reply = "", b""
        # The call's own transport: a call over a connection is answered over it.
        self.transport, self.say = "UDP", lambda data: self.datagrams.sendto(data, (self.far, PORT))

    # Transport

    async def listen(self):
        loop, telephone = asyncio.get_running_loop(), self

        class Datagrams(asyncio.DatagramProtocol):
            def datagram_received(self, data, address):
                telephone.received(data, "UDP", lambda reply: telephone.datagrams.sendto(reply, address))

        self.datagrams, _ = await loop.create_datagram_endpoint(Datagrams, (self.address, PORT))
        # A phone sends messages too long for a datagram over TCP (18.1.1).
        self.server = await asyncio.start_server(self.connected, self.address, PORT)

    async def connected(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if head.strip():
                    length = int(re.search(rb"(?im)^(?:content-length|l)\s*:\s*(\d+)", head)[1])
                    self.received(head.lstrip() + await reader.readexactly(length), "TCP", writer.write)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def run(self, work):
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def received(self, data, transport, reply):
        if b"\r\n\r\n" not in data:
            return
        message = Message(data)
        if message.status:
            self.answers.put_nowait(message)
        elif message.start.startswith("INVITE"):
            self.run(self.invitation(message, transport, reply))
        elif message.start.startswith("BYE"):
            reply(self.response(message, "200 OK"))
            self.forget()
            self.run(self.left())
        elif not message.start.startswith("ACK"):
            reply(self.response(message, "200 OK"))

    # Messages

    def contact(self):
        return f"Contact: <sip:bench@{self.address}:{PORT}{';transport=tcp' * (self.transport == 'TCP')}>"

    def response(self, request, status, body="", tag=""):
        lines = [f"SIP/2.0 {status}"]
        lines += [f"Via: {value}" for value in request.all("via")]
        lines += [f"Record-Route: {value}" for value in request.all("record-route")]
        to = request["to"] + (f";tag={tag}" if tag and ";tag=" not in request["to"] else "")
        lines += [f"From: {request['from']}", f"To: {to}", f"Call-ID: {request['call-id']}", f"CSeq: {request['cseq']}"]
        return self.finished(lines + [self.contact()], body)

    def request(self, method, sequence, body=""):
        branch = "z9hG4bK" + uuid.uuid4().hex
        return self.finished([
            f"{method} {self.target} SIP/2.0", f"Via: SIP/2.0/{self.transport} {self.address}:{PORT};branch={branch};rport",
            "Max-Forwards: 70", f"From: {self.own}", f"To: {self.other}", f"Call-ID: {self.call_id}",
            f"CSeq: {sequence} {method}", self.contact()], body)

    def finished(self, lines, body):
        if body:
            lines.append("Content-Type: application/sdp")
        return "\r\n".join([*lines, f"Content-Length: {len(body.encode())}", "", body]).encode()

    # Calls

    async def invitation(self, message, transport, reply):
        if message["cseq"] + message["call-id"] == self.invited:
            # It is repeated until it is answered.
            return reply(self.reply) if self.reply else None
        is_first, self.invited, self.reply = not self.call_id, message["cseq"] + message["call-id"], b""
        if is_first:
            self.transport, self.say = transport, reply
            tag = uuid.uuid4().hex[:8]
            self.call_id, self.other, self.own = message["call-id"], message["from"], f"{message['to']};tag={tag}"
            self.target = re.search(r"<([^>]+)>", message["contact"])[1]
            reply(self.response(message, "180 Ringing", tag=tag))
        answer = await self.offered(message.body, is_first)
        self.reply = self.response(message, "200 OK", answer, self.own.rpartition("tag=")[2])
        reply(self.reply)

    async def call(self, offer):
        self.call_id, self.target = uuid.uuid4().hex, f"sip:offhook@{self.far}"
        self.own = f"<sip:bench@{self.address}>;tag={uuid.uuid4().hex[:8]}"
        self.other, self.sequence = f"<{self.target}>", self.sequence + 1
        invite = self.request("INVITE", self.sequence, offer)
        self.say(invite)
        while True:
            answer = await asyncio.wait_for(self.answers.get(), 30)
            if answer.method == "INVITE" and answer.status >= 300:
                raise ValueError(answer.start)
            if answer.method == "INVITE" and answer.status >= 200:
                break
        self.other, self.target = answer["to"], re.search(r"<([^>]+)>", answer["contact"])[1]
        self.say(self.request("ACK", self.sequence))
        return answer.body

    async def hang_up(self):
        self.sequence += 1000
        self.say(self.request("BYE", self.sequence))
        while (await asyncio.wait_for(self.answers.get(), 10)).method != "BYE":
            pass
        self.forget()

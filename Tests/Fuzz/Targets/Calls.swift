import Base
import LineCore
import SIPCore

/// A line with an account over UDP, TCP or TLS, in the middle of its life, with up to 64 steps. They are messages of
/// the server, of far ends and of strangers, over datagrams and connections, a person's actions, and time. Only
/// messages from the server may become calls.
///
/// An input is a sequence of steps separated by 0xFF, which no message contains. The first byte of a step is its kind;
/// a message step has the rest as its bytes. It may get the identifiers of the line's current dialog, so it gets
/// further in. The very first byte also chooses the account's transport and the line's state.
func fuzzCalls(_ input: [UInt8]) {
    let steps = input.split(separator: 0xFF, maxSplits: FuzzedLife.stepLimit, omittingEmptySubsequences: true)
    guard let first = steps.first?.first else { return }
    var life = FuzzedLife.prepared[Int(first) % FuzzedLife.prepared.count]
    for step in steps.prefix(FuzzedLife.stepLimit) { life.take(step) }
    life.end()
}

struct FuzzedLife {
    static let stepLimit = 64
    /// The messages of the line in one step: retransmissions, and one answer to each leg and subscription.
    private static let outputLimit = 600
    /// The memory of transactions, and the ACKs of the forks of two INVITEs, each with the route set of its dialog.
    private static let byteLimit = SIPLimits.transactions + 32 * (SIPLimits.dialog + SIPLimits.datagram)
    private static let own = Flow.Endpoint("192.0.2.2", 5_060)
    /// The located server, its address from elsewhere, the far end of a call, strangers.
    private static let flows: [Flow] = [
        Flow(.udp, local: own, remote: .init("192.0.2.1", 5_060)),
        Flow(.udp, local: own, remote: .init("192.0.2.1", 6_666)),
        Flow(.udp, local: own, remote: .init("203.0.113.9", 5_060)),
        Flow(.tcp, local: own, remote: .init("192.0.2.1", 5_060)),
        Flow(.tcp, local: own, remote: .init("198.51.100.66", 40_000), opener: .peer),
        Flow(.tcp, local: own, remote: .init("192.0.2.1", 41_000), opener: .peer),
        Flow(.tls, local: own, remote: .init("192.0.2.1", 5_061)),
        Flow(.udp, local: own, remote: .init("2001:db8::66", 5_060)),
    ]
    /// The account's server, with each transport that the account may have.
    private static let servers = [flows[0], flows[3], flows[6]]

    /// The account's server; nil for the direct line, which anyone may call.
    private let server: Flow?
    private var line: LineMachine
    private var now = Instant.zero
    /// The last requests of the line's own, and of others, and the last answer.
    private var sent: [SIPRequest] = []
    private var received: SIPRequest?
    private var answered: SIPResponse?
    private var legs: [CallID] = []
    private var nextLeg: UInt32 = 1

    /// Lines with an account over each transport: at rest with two subscriptions, ringing, talking as callee, calling,
    /// and talking as caller; and the direct line.
    static let prepared = servers.flatMap { lives(at: $0) } + [FuzzedLife(nil)]

    private static func lives(at server: Flow) -> [FuzzedLife] {
        var resting = FuzzedLife(server)
        resting.tell(.start)
        for _ in 0..<6 { resting.acceptLast() }
        var ringing = resting
        ringing.receive(invite, over: server)
        precondition(ringing.legs == [CallID(.line(.direct), 1)], "the server calls")
        var called = ringing
        called.command(1)
        var calling = resting
        calling.command(0)
        var talking = calling
        talking.acceptLast(withBody: true)
        return [resting, ringing, called, calling, talking]
    }

    /// - Parameter server: Nil: the direct line.
    private init(_ server: Flow?) {
        self.server = server
        var configuration = LineConfiguration(user: "alice", accepts: server == nil ? .anyone : .ownServerOnly)
        if let server {
            configuration.account = .fuzzed
            configuration.account?.server = NextHop(host: server.remote.host, transport: server.transport)
            configuration.watches = [.messages, .number("200")]
        }
        line = LineMachine(fuzzed: configuration)
    }

    /// Whether a call may come over this flow. An account accepts calls from its server only. The server may send long
    /// messages over the connection that the line opened (RFC 3261 §18.1.1).
    private func mayCall(over flow: Flow) -> Bool {
        guard let server else { return true }
        return flow == server || server.transport == .udp && flow == Self.servers[1]
    }

    // MARK: Steps

    mutating func take(_ step: ArraySlice<UInt8>) {
        guard let kind = step.first else { return }
        let bytes = Array(step.dropFirst())
        switch kind & 0x07 {
        case 0: command(kind >> 3)
        case 1: pass(.milliseconds(1 << Int(kind >> 3 & 0x0F)))
        case 2: tell(.transportFailed(Self.flow(kind >> 3)))
        case 3, 4: receive(bytes, over: Self.flow(kind >> 3))
        default: receive(aimed(bytes, at: kind >> 6), over: Self.flow(kind >> 3 & 0x07))
        }
    }

    /// The rest ends within two hours, in few steps.
    mutating func end() {
        tell(.command(.shutDown))
        var wakes = 0
        let end = now + .seconds(7_200)
        while let due = line.deadline, due <= end {
            now = max(now, due)
            tell(.deadline)
            wakes += 1
            precondition(wakes < 20_000, "a line that never sleeps")
        }
    }

    private static func flow(_ number: UInt8) -> Flow { flows[Int(number) % flows.count] }

    mutating func command(_ number: UInt8) {
        let leg = legs.last ?? CallID(.line(.direct), 1)
        let digits = [DTMFElement.symbol(.five)]
        let commands: [LineCommand] = [
            .dial(CallID(.phone, nextLeg), target: "1042", account: .direct, MediaEndpoint(port: 4_000)),
            .answer(leg, MediaEndpoint(port: 5_000), awaitingACK: false),
            .end(leg),
            .hold(leg, true), .hold(leg, false), .move(leg, nil), .dtmf(leg, digits),
            .transfer(leg, to: "300"), .connect(leg, legs.first ?? leg), .alert(leg), .refuse(leg, .busy),
            .declineReferral(leg), .reconnect(.direct), .disconnect(.direct),
            .pickUp(CallID(.phone, nextLeg), WatchedNumber("200", account: .direct), MediaEndpoint(port: 6_000)),
            .follow(CallID(.phone, nextLeg), after: leg, account: .direct, MediaEndpoint(port: 6_002)),
            .orphanBye(.direct, memo: "1 example\n"),
        ]
        let command = commands[Int(number) % commands.count]
        switch command {
        case .dial(let leg, _, _, _, _), .pickUp(let leg, _, _), .follow(let leg, _, _, _):
            nextLeg += 1
            legs.append(leg)
        default: break
        }
        tell(.command(command))
    }

    private mutating func pass(_ time: Duration) {
        let end = now + time
        while let due = line.deadline, due <= end {
            now = max(now, due)
            tell(.deadline)
        }
        now = max(now, end)
    }

    private mutating func receive(_ bytes: [UInt8], over flow: Flow) {
        if case .request(let request)? = try? SIPMessage(bytes.span) { received = request }
        tell(.received(bytes, flow))
    }

    /// The message with the identifiers of a dialog, or of a pending request.
    private func aimed(_ bytes: [UInt8], at which: UInt8) -> [UInt8] {
        switch try? SIPMessage(bytes.span) {
        case .response(var response)?:
            guard !sent.isEmpty else { return bytes }
            let asked = sent[sent.count - 1 - Int(which) % sent.count]
            for name in [SIPHeaderName.via, .from, .callID, .cSeq] { response.headers[name] = asked.headers[name] }
            return response.bytes
        case .request(var request)?:
            let ours = answered?.headers[.to] ?? sent.last?.headers[.from]
            let theirs = received?.headers[.from] ?? sent.last?.headers[.to]
            guard let ours, let theirs, let callID = (received ?? sent.last)?.headers[.callID] else { return bytes }
            (request.headers[.to], request.headers[.from], request.headers[.callID]) = (ours, theirs, callID)
            return request.bytes
        case nil: return bytes
        }
    }

    // MARK: The line

    private mutating func tell(_ input: LineInput) {
        let outputs = line.handle(input, at: now)
        precondition(outputs.count <= Self.outputLimit, "\(outputs.count) outputs of one input")
        if case .received(_, let flow) = input, !mayCall(over: flow) {
            precondition(
                !outputs.contains { if case .event(.offered) = $0 { true } else { false } }, "a stranger calls")
        }
        for output in outputs { follow(output) }
        precondition(line.census.bytes <= Self.byteLimit, "\(line.census.bytes) bytes of messages are kept")
        precondition(line.deadline.map { $0 >= .zero } ?? true, "a deadline before the world began")
    }

    private mutating func follow(_ output: LineOutput) {
        switch output {
        // A keep-alive is no message: line breaks, or STUN.
        case .send(let bytes, _) where bytes.first.map { $0 < 0x20 } ?? true: break
        case .send(let bytes, _):
            precondition(bytes.count <= SIPLimits.message + 65_536, "longer than anything that came")
            switch try? SIPMessage(bytes.span) {
            case .request(let request)?: sent = sent.suffix(3) + [request]
            case .response(let response)?: answered = response
            case nil: preconditionFailure("we send what we cannot read: \(String(decoding: bytes, as: UTF8.self))")
            }
        case .lookUp(let question): tell(.lookedUp(question, .nothing))
        case .locate(let hop, _): tell(.located(hop, [server ?? Self.servers[0]]))
        case .event(.offered(let leg, let caller)):
            legs.append(leg)
            precondition("\(caller)".utf8.count < 1 << 18, "a caller without bounds")
        case .event(.text(_, let text)): precondition(text.utf8.count <= LineMachine.textLimit, "a text without bounds")
        default: break
        }
    }

    /// A 200 to the line's last request, with a body if that makes a call of it.
    private mutating func acceptLast(withBody: Bool = false) {
        guard let request = sent.last else { return }
        var response = request.response(.ok, tag: "server")
        response.headers[.contact] = withBody ? "<sip:bob@203.0.113.9>" : request.headers[.contact]
        response.headers[.expires] = request.headers[.expires]
        if withBody {
            response.headers[.contentType] = "application/sdp"
            response.body = Self.answer
        }
        if let server { receive(response.bytes, over: server) }
    }

    private static let answer = Array(
        """
        v=0\r\no=- 7 7 IN IP4 203.0.113.9\r\ns=-\r\nc=IN IP4 203.0.113.9\r\nt=0 0\r\nm=audio 7000 RTP/SAVP 0\r\n\
        a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd\r\n
        """.utf8)
    private static let invite =
        Array(
            """
            INVITE sip:alice@192.0.2.2 SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa\r\nMax-Forwards: 70\r\n\
            From: <sip:200@example.org>;tag=f\r\nTo: <sip:alice@example.org>\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\n\
            Contact: <sip:200@192.0.2.1>\r\nContent-Type: application/sdp\r\nContent-Length: \(answer.count)\r\n\r\n
            """.utf8) + answer
}

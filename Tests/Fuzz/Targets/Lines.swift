import Base
import LineCore
import SIPCore

/// A line in some state that gets a message. A value: each message meets the same line.
struct Lines {
    /// The flow of the messages.
    private static let flow = Flow(.udp, local: .init("192.0.2.2", 5060), remote: .init("192.0.2.1", 5060))
    private static let leg = CallID(.phone, 1)

    private var line: LineMachine
    private var now = Instant.zero
    /// The line's own last request, for responses.
    private var sent: SIPRequest?
    /// The last request to the line, in the same dialog as the following ones.
    private var received: SIPRequest?
    /// The last response of the line, which has its tag.
    private var answered: SIPResponse?

    /// Idle, registering, calling, talking as caller, ringing, talking as callee, and watching.
    static let prepared: [Lines] = {
        let idle = Lines()
        var registering = Lines(account: true)
        registering.tell(.start)
        var calling = idle
        calling.tell(.command(.dial(leg, target: "sip:1042@192.0.2.1", account: .direct, MediaEndpoint(port: 4_000))))
        var talking = calling
        talking.answerLastRequest()
        var ringing = idle
        ringing.receive(idle.invite.bytes)
        var called = ringing
        called.tell(.command(.answer(CallID(.line(.direct), 1), MediaEndpoint(port: 5_000), awaitingACK: false)))
        var watching = Lines(account: true, watches: [.messages, .number("200")])
        watching.tell(.start)
        watching.acceptLastRequest()
        watching.acceptLastRequest()
        return [idle, registering, calling, talking, ringing, called, watching]
    }()

    private init(account: Bool = false, watches: [SubscriptionTarget] = []) {
        var configuration = LineConfiguration(user: "alice", accepts: .anyone)
        if account { configuration.account = .fuzzed }
        configuration.watches = watches
        line = LineMachine(fuzzed: configuration)
    }

    /// The unchanged message, for every line. For one of them, chosen by the bytes, it also gets the line's current
    /// identifiers, so it gets further in, with its consequences.
    static func take(_ message: SIPMessage, as bytes: [UInt8]) {
        for var line in prepared { line.receive(bytes) }
        let choice = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        var peer = prepared[choice % prepared.count]
        peer.receive(peer.aimed(message).bytes)
        peer.tell(.command(.end(leg)))
        // Two minutes are many messages: not after each.
        if choice & 0x700 == 0 { peer.wait() }
    }

    // MARK: Messages

    private mutating func tell(_ input: LineInput) {
        for output in line.handle(input, at: now) {
            switch output {
            // A keep-alive is no message: line breaks, or STUN.
            case .send(let bytes, _) where bytes.first.map { $0 < 0x20 } ?? true: break
            case .send(let bytes, _):
                switch try? SIPMessage(bytes.span) {
                case .request(let request)?: sent = request
                case .response(let response)?: answered = response
                case nil: preconditionFailure("we send what we cannot read: \(String(decoding: bytes, as: UTF8.self))")
                }
            case .lookUp(let question): tell(.lookedUp(question, .nothing))
            case .locate(let hop, _): tell(.located(hop, [Self.flow]))
            default: break
            }
        }
    }

    private mutating func receive(_ bytes: [UInt8]) {
        if case .request(let request)? = try? SIPMessage(bytes.span) { received = request }
        tell(.received(bytes, Self.flow))
    }

    /// Every deadline within two minutes.
    private mutating func wait() {
        let end = now + .seconds(120)
        while let due = line.deadline, due <= end {
            now = max(now, due)
            tell(.deadline)
        }
    }

    private func aimed(_ message: SIPMessage) -> SIPMessage {
        switch message {
        case .response(var response):
            guard let sent else { return message }
            for name in [SIPHeaderName.via, .from, .callID, .cSeq] { response.headers[name] = sent.headers[name] }
            return .response(response)
        case .request(var request):
            let ours = answered?.headers[.to] ?? sent?.headers[.from]
            let theirs = received?.headers[.from] ?? sent?.headers[.to]
            guard let ours, let theirs, let callID = (received ?? sent)?.headers[.callID] else { return message }
            (request.headers[.to], request.headers[.from], request.headers[.callID]) = (ours, theirs, callID)
            return .request(request)
        }
    }

    // MARK: Bringing a line into its state

    private var invite: SIPRequest {
        var line = Lines()
        line.tell(
            .command(.dial(Self.leg, target: "sip:alice@192.0.2.2", account: .direct, MediaEndpoint(port: 4_000))))
        guard let sent = line.sent else { preconditionFailure("no INVITE") }
        return sent
    }

    private mutating func answerLastRequest() {
        guard let request = sent else { preconditionFailure("nothing was sent") }
        var callee = Lines()
        callee.receive(request.bytes)
        callee.tell(.command(.answer(CallID(.line(.direct), 1), MediaEndpoint(port: 5_000), awaitingACK: false)))
        guard let response = callee.answered else { preconditionFailure("no answer to \(request.bytes)") }
        receive(response.bytes)
    }

    /// Later messages are in the dialog that this makes.
    private mutating func acceptLastRequest() {
        guard let request = sent else { preconditionFailure("nothing was sent") }
        var response = request.response(.ok, tag: "server")
        response.headers[.contact] = request.headers[.contact]
        response.headers[.expires] = request.headers[.expires]
        receive(response.bytes)
        if sent == request { sent?.headers[.to] = response.headers[.to] }
    }
}

import Base
import ICECore
import LineCore
import SIPCore

/// A line with or without a kept-alive flow to its server. A value: each datagram meets the same line.
struct KeptLine {
    private static let server = Flow(.udp, local: .init("192.0.2.2", 5060), remote: .init("192.0.2.1", 5060))
    private static let stranger = Flow(.udp, local: .init("192.0.2.2", 5060), remote: .init("2001:db8::66", 5060))

    private var line: LineMachine
    private var now = Instant.zero
    /// The line's last request to its server.
    private var asked: STUNMessage?

    /// Called directly, registered, sending its first request, and sending one to a server that reported our mapped
    /// address.
    static let prepared: [KeptLine] = {
        let direct = KeptLine(LineConfiguration(user: "alice", accepts: .anyone))
        var registered = KeptLine(LineConfiguration(user: "alice", account: .fuzzed))
        registered.tell(.start)
        var asking = registered
        asking.waitForQuestion()
        var known = asking
        known.hear(known.serversAnswer, over: server)
        known.asked = nil
        known.waitForQuestion()
        return [direct, registered, asking, known]
    }()

    private init(_ configuration: LineConfiguration) { line = LineMachine(fuzzed: configuration) }

    /// The datagram from the server and from a stranger; if readable, again as the answer to the last request.
    func take(_ bytes: [UInt8], _ message: STUNMessage?) {
        var aimed = message
        if let asked { aimed?.id = asked.id }
        for flow in [Self.server, Self.stranger] {
            var peer = self
            var isOfUse = peer.hear(bytes, over: flow)
            if let aimed, aimed.attributes.allSatisfy({ $0.value.count <= 512 }) {
                isOfUse = peer.hear(aimed.bytes, over: flow) || isOfUse
            }
            if isOfUse { peer.wait() }
        }
    }

    // MARK: Messages

    /// - Returns: Whether it had any effect but being counted.
    @discardableResult
    private mutating func hear(_ bytes: [UInt8], over flow: Flow) -> Bool {
        let outputs = line.handle(.received(bytes, flow), at: now)
        for output in outputs { Self.check(output, isOfServer: flow == Self.server) }
        for output in outputs { follow(output) }
        return !outputs.allSatisfy { $0 == .strayKeepAlive }
    }

    /// STUN is answered to its source, or reports that the way to the server leads nowhere; and only the server can
    /// report that.
    private static func check(_ output: LineOutput, isOfServer: Bool) {
        switch output {
        case .send(let bytes, let flow):
            guard let kind = (try? STUNMessage(bytes.span))?.kind else {
                return precondition(isOfServer, "a stranger's STUN makes the line talk")
            }
            precondition(kind != .request && (flow == server) == isOfServer, "the answer goes elsewhere")
        case .abandon, .event(.registration), .lookUp, .locate, .trace:
            precondition(isOfServer, "a stranger's STUN changes the registration")
        case .strayKeepAlive: break
        default: preconditionFailure("STUN led to \(output)")
        }
    }

    private mutating func tell(_ input: LineInput) {
        for output in line.handle(input, at: now) { follow(output) }
    }

    private mutating func follow(_ output: LineOutput) {
        switch output {
        case .lookUp(let question): tell(.lookedUp(question, .nothing))
        case .locate(let hop, _): tell(.located(hop, [Self.server]))
        case .send(let bytes, let flow):
            if let question = try? STUNMessage(bytes.span) {
                if question.kind == .request { asked = question }
            } else if case .request(let request)? = try? SIPMessage(bytes.span), request.method == .register {
                var response = request.response(.ok, tag: "server")
                response.headers[.contact] = request.headers[.contact]
                response.headers[.expires] = request.headers[.expires]
                tell(.received(response.bytes, flow))
            }
        default: break
        }
    }

    private mutating func deadlinePasses() {
        guard let due = line.deadline else { return }
        precondition(due >= .zero, "a deadline before the world began")
        now = max(now, due)
        tell(.deadline)
    }

    /// The near future: repetitions, and failures.
    private mutating func wait() { for _ in 0..<8 { deadlinePasses() } }

    // MARK: Bringing a line into its state

    private mutating func waitForQuestion() {
        for _ in 0..<100 where asked == nil { deadlinePasses() }
        precondition(asked != nil, "the line asks its server nothing")
    }

    private var serversAnswer: [UInt8] {
        guard let address = IPAddress("203.0.113.5"),
            let answer = asked?.answer(to: TransportAddress(address, 5_060))
        else { preconditionFailure("nothing was asked") }
        return answer.bytes
    }
}

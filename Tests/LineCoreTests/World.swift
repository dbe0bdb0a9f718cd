import Base
import LineCore
import SIPCore

/// Lines and stand-ins for the rest of the world, on a network that a seed makes bad. Time is simulated.
struct World {
    /// How the network treats a datagram.
    struct Weather {
        var lossPercent = 0
        var duplicatePercent = 0
        /// The longest delay; datagrams overtake each other within it.
        var delayMilliseconds = 5
    }

    struct Said: Equatable {
        let at: Instant
        let line: Int
        let output: LineOutput
    }

    private struct Datagram {
        let due: Instant
        let order: Int
        let bytes: [UInt8]
        let from: Flow.Endpoint
        let to: Flow.Endpoint
        let stream: Stream?
    }

    /// A connection for messages too long for a datagram, without loss; with its opener, as the receiver sees it.
    struct Stream {
        let transport: Flow.Transport
        let opener: Flow.Opener

        /// Nil for a flow of datagrams.
        init?(_ flow: Flow) {
            guard flow.transport.isReliable else { return nil }
            self.init(flow.transport, opener: flow.opener == .us ? .peer : .us)
        }

        init(_ transport: Flow.Transport, opener: Flow.Opener) { (self.transport, self.opener) = (transport, opener) }

        /// The same connection at its other end.
        var back: Stream { Stream(transport, opener: opener == .us ? .peer : .us) }
    }

    var now = Instant.zero
    var weather = Weather()
    var lines: [LineMachine] = []
    var server: TestServer?
    /// Messages for an address that only the test reads.
    var caught: [(bytes: [UInt8], from: Flow.Endpoint)] = []
    private(set) var said: [Said] = []
    private(set) var traces: [SignalTrace] = []
    /// Datagrams that were handed to the network.
    private(set) var sent = 0
    /// The same, as their senders wrote them.
    private(set) var carried: [(at: Instant, bytes: [UInt8])] = []
    /// How a proxy on every path changes a message.
    var meddle: ((inout SIPMessage) -> Void)?
    /// Whether messages from an address that the line has left are lost.
    var losesOldPaths = false
    /// The numbers of those that it loses.
    var losing: Set<Int> = []
    private var generator: SeededGenerator
    private var network: [Datagram] = []
    /// Lines that have moved. Nil: without any network.
    private var elsewhere: [Int: Flow.Endpoint?] = [:]
    private var configurations: [LineConfiguration] = []
    /// Whether paths are found at once. Pending searches finish when this is true again.
    var isLocating = true {
        didSet { if isLocating { findFlows() } }
    }
    private var sought: [(line: Int, hop: NextHop)] = []
    /// Messages for the server, whether it listened or not.
    private(set) var heard: [[UInt8]] = []

    static let serverEndpoint = Flow.Endpoint("192.0.2.100", 5060)

    /// Another host at the server's address.
    static let beside = Flow.Endpoint(serverEndpoint.host, 40_000)

    init(seed: UInt64 = 1) { generator = SeededGenerator(seed: seed) }

    static func endpoint(_ line: Int) -> Flow.Endpoint { .init("192.0.2.\(line + 1)", 5060) }

    /// Adds a line and starts it.
    @discardableResult
    mutating func add(_ configuration: LineConfiguration, seed: UInt64 = 7) -> Int {
        let line = lines.count
        lines.append(Self.machine(configuration, seed: seed &+ UInt64(line) &* 1_000))
        configurations.append(configuration)
        tell(line, .start)
        return line
    }

    private static func machine(_ configuration: LineConfiguration, seed: UInt64) -> LineMachine {
        var next = seed
        return LineMachine(
            configuration: configuration,
            makeGenerator: {
                next += 1
                return SeededGenerator(seed: next)
            }, hashes: TestServer.hashes)
    }

    /// The process of a line is killed, and another one takes its place.
    mutating func restart(_ line: Int) {
        lines[line] = Self.machine(configurations[line], seed: 1_000_000 + UInt64(line))
        tell(line, .start)
    }

    /// Gives a line another address, or none.
    mutating func move(_ line: Int, to host: String?) { elsewhere[line] = .some(host.map { .init($0, 5060) }) }

    /// The address of a line.
    func place(of line: Int) -> Flow.Endpoint? { elsewhere[line] ?? Self.endpoint(line) }

    mutating func command(_ line: Int, _ command: LineCommand) { tell(line, .command(command)) }

    /// Gives an input to a line and carries out its effects.
    mutating func tell(_ line: Int, _ input: LineInput) {
        for output in lines[line].handle(input, at: now) {
            switch output {
            case .send(let bytes, let flow):
                // Whatever the message says, it leaves from the line's address.
                if let place = place(of: line), !losesOldPaths || flow.local.host == place.host {
                    carry(bytes, from: place, to: flow.remote, over: Stream(flow))
                }
            case .lookUp(let question): tell(line, .lookedUp(question, .silence))
            case .locate(let hop, _) where !isLocating: sought.append((line, hop))
            case .locate(let hop, _): tell(line, .located(hop, flows(from: line, to: hop)))
            case .trace(let trace): traces.append(trace)
            default: said.append(Said(at: now, line: line, output: output))
            }
        }
    }

    private mutating func findFlows() {
        let all = sought
        sought = []
        for (line, hop) in all { tell(line, .located(hop, flows(from: line, to: hop))) }
    }

    private func flows(from line: Int, to hop: NextHop) -> [Flow] {
        let host = hop.host == "server.example" ? Self.serverEndpoint.host : hop.host
        guard let place = place(of: line), hop.transport == .udp || host == Self.serverEndpoint.host,
            host.hasPrefix("192.0.2.") || host.hasPrefix("203.0.113.") || host.hasPrefix("198.51.100."),
            let remote = Flow.Endpoint(host: host, port: hop.port)
        else { return [] }
        return [Flow(hop.transport, local: place, remote: remote)]
    }

    mutating func carry(_ bytes: [UInt8], from: Flow.Endpoint, to: Flow.Endpoint, over stream: Stream? = nil) {
        sent += 1
        carried.append((now, bytes))
        var bytes = bytes
        if let meddle, var message = try? SIPMessage(bytes.span) {
            meddle(&message)
            bytes = message.bytes
        }
        let isUnlucky = Int.random(in: 0..<100, using: &generator) < weather.lossPercent
        if stream == nil, isUnlucky || losing.contains(sent) { return }
        let isTwice = Int.random(in: 0..<100, using: &generator) < weather.duplicatePercent
        for _ in 0..<(isTwice ? 2 : 1) {
            let delay = Duration.microseconds(
                Int.random(in: 100...weather.delayMilliseconds * 1_000, using: &generator))
            network.append(
                Datagram(due: now + delay, order: network.count, bytes: bytes, from: from, to: to, stream: stream))
        }
    }

    /// Runs everything that is due within the time.
    mutating func run(_ duration: Duration) {
        let end = now + duration
        while let next = nextInstant, next <= end {
            now = max(now, next)
            for line in lines.indices where lines[line].deadline.map({ $0 <= now }) ?? false { tell(line, .deadline) }
            let arriving = network.filter { $0.due <= now }
            network.removeAll { $0.due <= now }
            for datagram in arriving { deliver(datagram) }
        }
        now = end
    }

    private var nextInstant: Instant? { (network.map(\.due) + lines.compactMap(\.deadline)).min() }

    private mutating func deliver(_ datagram: Datagram) {
        if let line = lines.indices.first(where: { place(of: $0) == datagram.to }) {
            let stream = datagram.stream
            let flow = Flow(
                stream?.transport ?? .udp, local: datagram.to, remote: datagram.from, opener: stream?.opener ?? .us)
            tell(line, .received(datagram.bytes, flow))
        } else if datagram.to.host == Self.serverEndpoint.host, datagram.to.port != Self.beside.port, var server {
            heard.append(datagram.bytes)
            let answers = server.receive(datagram.bytes)
            self.server = server
            for bytes in answers { carry(bytes, from: datagram.to, to: datagram.from, over: datagram.stream?.back) }
        } else {
            caught.append((datagram.bytes, datagram.from))
        }
    }

    // MARK: Messages

    func outputs(_ line: Int) -> [LineOutput] { said.filter { $0.line == line }.map(\.output) }

    func ends(_ line: Int, _ leg: CallID) -> [EndReason] {
        outputs(line).compactMap { if case .event(.ended(leg, let end)) = $0 { end } else { nil } }
    }

    func offeredLegs(_ line: Int) -> [CallID] {
        outputs(line).compactMap { if case .event(.offered(let leg, _)) = $0 { leg } else { nil } }
    }

    /// The responses that the test got, and the requests.
    var caughtMessages: [SIPMessage] { caught.compactMap { try? SIPMessage($0.bytes.span) } }
    var caughtStatuses: [Int] {
        caughtMessages.compactMap { if case .response(let response) = $0 { response.status.code } else { nil } }
    }
    /// The requests of a method that went into the network, with their times.
    func requests(_ method: SIPMethod) -> [(at: Instant, request: SIPRequest)] {
        carried.compactMap { at, bytes in
            guard case .request(let request)? = try? SIPMessage(bytes.span), request.method == method else {
                return nil
            }
            return (at, request)
        }
    }
    var caughtResponses: [SIPResponse] {
        caughtMessages.compactMap { if case .response(let response) = $0 { response } else { nil } }
    }
    var caughtRequests: [SIPRequest] {
        caughtMessages.compactMap { if case .request(let request) = $0 { request } else { nil } }
    }
}

extension SIPMessage {
    var bytes: [UInt8] {
        switch self {
        case .request(let request): request.bytes
        case .response(let response): response.bytes
        }
    }

    /// Changes the headers of an INVITE.
    mutating func inInvite(_ change: (inout SIPHeaders) -> Void) {
        guard case .request(var request) = self, request.method == .invite else { return }
        change(&request.headers)
        self = .request(request)
    }
}

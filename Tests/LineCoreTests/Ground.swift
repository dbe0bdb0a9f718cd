import Base
import ICECore
import LineCore
import SDPCore
import SIPCore

/// One line in a setup where the test decides which flows exist and how each server answers. Time is simulated.
struct Ground {
    typealias Sent = (request: SIPRequest, flow: Flow, at: Instant)

    static let local = Flow.Endpoint("192.0.2.1", 5060)

    static func flow(_ transport: Flow.Transport = .udp, _ last: Int = 100) -> Flow {
        Flow(transport, local: local, remote: .init("192.0.2.\(last)", transport.defaultPort))
    }

    static func account(_ change: (inout LineConfiguration.Account) -> Void = { _ in }) -> LineConfiguration {
        var account = LineConfiguration.Account(
            domain: "server.example", server: NextHop(host: "server.example"), instance: "urn:uuid:0")
        change(&account)
        return LineConfiguration(user: "alice", account: account)
    }

    private(set) var now = Instant.zero
    private(set) var line: LineMachine
    /// The result of `locate`.
    var flows: [Flow]
    /// The reason if it finds none.
    var why: String?
    /// The server's immediate response; nil: none. Called for requests but ACK.
    var answer: (SIPRequest, Flow) -> SIPResponse?
    /// Streams that cannot be opened.
    var refused: Set<Flow> = []
    /// When they were requested.
    private(set) var refusals: [(flow: Flow, at: Instant)] = []
    /// Flows over which nothing arrives any more, without an error.
    var dead: Set<Flow> = []
    private(set) var requests: [Sent] = []
    /// The names that were looked up.
    private(set) var located: [NextHop] = []
    /// The tag of the line in its last response.
    private(set) var tag: String?
    /// The line's responses.
    private(set) var responses: [(response: SIPResponse, flow: Flow)] = []
    /// Sent bytes that are no SIP.
    private(set) var keepAlives: [(bytes: [UInt8], flow: Flow, at: Instant)] = []
    /// The server's answer to a keep-alive; nil: none.
    var pong: ([UInt8]) -> [UInt8]? = { _ in nil }
    private(set) var outputs: [LineOutput] = []
    /// The user's answer to a redirect; nil: none.
    var agrees: Bool? = true

    init(
        _ configuration: LineConfiguration = Self.account(), flows: [Flow] = [Self.flow()], seed: UInt64 = 1,
        answer: @escaping (SIPRequest, Flow) -> SIPResponse? = { request, _ in Self.accept(request) }
    ) {
        var next = seed
        line = LineMachine(
            configuration: configuration,
            makeGenerator: {
                next += 1
                return SeededGenerator(seed: next)
            }, hashes: TestServer.hashes)
        (self.flows, self.answer) = (flows, answer)
        tell(.start)
    }

    /// 200 with the requested binding.
    static func accept(_ request: SIPRequest, _ more: [(SIPHeaderName, String)] = []) -> SIPResponse {
        var response = request.response(.ok, tag: "server")
        response.headers[.contact] = request.headers[.contact]
        response.headers[.expires] = request.headers[.expires]
        for (name, value) in more { response.headers[name] = value }
        return response
    }

    mutating func tell(_ input: LineInput) {
        var inputs = [input]
        while !inputs.isEmpty {
            for output in outputs(of: inputs.removeFirst()) {
                switch output {
                case .send(let bytes, let flow): inputs += carried(bytes, flow)
                case .locate(let hop, _):
                    located.append(hop)
                    inputs.append(.located(hop, flows, because: why))
                case .trace: break
                case .event(.redirected(let leg, _)):
                    outputs.append(output)
                    if let agrees { inputs.append(.command(.redirect(leg, agrees))) }
                default: outputs.append(output)
                }
            }
        }
    }

    /// The outputs of the line. No name server answers it: the test decides which flows exist.
    private mutating func outputs(of input: LineInput) -> [LineOutput] {
        var outputs: [LineOutput] = []
        for output in line.handle(input, at: now) {
            if case .lookUp(let question) = output {
                outputs += self.outputs(of: .lookedUp(question, .silence))
            } else {
                outputs.append(output)
            }
        }
        return outputs
    }

    private mutating func carried(_ bytes: [UInt8], _ flow: Flow) -> [LineInput] {
        guard !refused.contains(flow) else {
            refusals.append((flow, now))
            return [.transportFailed(flow)]
        }
        guard case .request(let request)? = try? SIPMessage(bytes.span) else {
            if case .response(let response)? = try? SIPMessage(bytes.span) {
                tag = (try? response.headers.to)?.tag ?? tag
                responses.append((response, flow))
                return []
            }
            keepAlives.append((bytes, flow, now))
            guard !dead.contains(flow) else { return [] }
            return pong(bytes).map { [.received($0, flow)] } ?? []
        }
        requests.append((request, flow, now))
        guard request.method != .ack, !dead.contains(flow), let response = answer(request, flow) else { return [] }
        return [.received(response.bytes, flow)]
    }

    mutating func run(_ duration: Duration) {
        let end = now + duration
        while let next = line.deadline, next <= end {
            now = max(now, next)
            tell(.deadline)
        }
        now = end
    }

    mutating func invite(_ target: String = "sip:bob@far.example") {
        tell(.command(.dial(CallID(.phone, 1), target: target, account: .direct, MediaEndpoint(port: 4_000))))
    }

    func sent(_ method: SIPMethod) -> [Sent] { requests.filter { $0.request.method == method } }
    var registrations: [RegistrationState] {
        outputs.compactMap { if case .event(.registration(_, let state)) = $0 { state } else { nil } }
    }
    var abandoned: [Flow] { outputs.compactMap { if case .abandon(let flow) = $0 { flow } else { nil } } }
    var ends: [EndReason] { outputs.compactMap { if case .event(.ended(_, let end)) = $0 { end } else { nil } } }
}

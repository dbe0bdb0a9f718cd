import Base
import LineCore
import SIPCore
import Testing

/// RFC 3263 and RFC 2782 with a whole line, a simulated name server and simulated time.
@Suite struct NameServerTests {
    private static let hop = NextHop(host: "d.example", transport: nil)

    private func srv(_ priority: UInt16, _ port: UInt16, _ target: String, weight: UInt16 = 0) -> SRVRecord {
        SRVRecord(priority: priority, weight: weight, port: port, target: target)
    }

    /// A domain that prefers TLS over TCP, with two servers for TLS.
    private var names: LocatingTests.Names {
        let services = [(2, "SIP+D2T", "_sip._tcp.d.example"), (1, "SIPS+D2T", "_sips._tcp.d.example")]
        return LocatingTests.Names(
            naptr: [
                "d.example": services.map { order, service, name in
                    NAPTRecord(order: UInt16(order), preference: 0, flags: "s", service: service, replacement: name)
                }
            ],
            srv: [
                "_sips._tcp.d.example": [srv(2, 5_062, "b.example"), srv(1, 5_061, "a.example")],
                "_sip._tcp.d.example": [srv(1, 5_060, "b.example")],
            ],
            hosts: ["a.example": ["2001:db8::1", "192.0.2.101"], "b.example": ["192.0.2.102"]])
    }

    @Test func lineTriesServersInOrderOfNAPTRThenSRVThenAddresses() {
        var ground = NameGround(Self.hop, names, isAnswering: false)
        #expect(
            ground.asked == [
                .naptr("d.example"), .srv("_sips._tcp.d.example"), .addresses("a.example"), .addresses("b.example"),
                .srv("_sip._tcp.d.example"),
            ], "b.example was known already")
        #expect(
            ground.targets == [
                .init(.tls, .init("2001:db8::1", 5_061)), .init(.tls, .init("192.0.2.101", 5_061)),
                .init(.tls, .init("192.0.2.102", 5_062)),
                .init(.tcp, .init("192.0.2.102", 5_060)),
            ])
        #expect(ground.registers.map(\.remote) == [.init("2001:db8::1", 5_061)])
        // A server that refuses the connection is passed.
        ground.tell(.transportFailed(ground.registers[0]))
        #expect(ground.registers.last?.remote == .init("192.0.2.101", 5_061))
    }

    @Test(arguments: ["192.0.2.7", "2001:db8::7"]) func numericServerNeedsNoNameServer(host: String) {
        let ground = NameGround(NextHop(host: host), LocatingTests.Names())
        #expect(ground.asked.isEmpty && ground.registers.map(\.remote) == [.init(host, 5_060)])
    }

    @Test func answersAreReusedUntilTheyExpire() {
        var ground = NameGround(NextHop(host: "a.example", port: 5_060), names, timeToLive: 60)
        #expect(ground.asked == [.addresses("a.example")])
        ground.run(.seconds(59))
        ground.call(1)
        #expect(ground.asked.count == 1 && ground.invites.count == 1)
        ground.run(.seconds(1))
        ground.call(2)
        #expect(ground.asked.count == 2 && ground.invites.count == 2)
    }

    @Test func answerThatMayNotBeReusedIsAskedForEachTime() {
        var ground = NameGround(NextHop(host: "a.example", port: 5_060), names, timeToLive: 0)
        ground.call(1)
        ground.call(2)
        #expect(ground.asked.count == 3 && ground.invites.count == 2)
    }

    @Test(arguments: [LineInput.networkChanged, .command(.reconnect(.direct))])
    func otherNetworkIsAskedAgain(_ change: LineInput) {
        var ground = NameGround(NextHop(host: "a.example", port: 5_060), names)
        ground.names.hosts = ["a.example": ["192.0.2.200"]]
        ground.tell(change)
        #expect(ground.asked.count == 2 && ground.registers.last?.remote == .init("192.0.2.200", 5_060))
    }

    @Test func unknownNameFailsWithItsReason() {
        let ground = NameGround(NextHop(host: "nowhere.example"), names)
        #expect(ground.asked == [.srv("_sip._udp.nowhere.example"), .addresses("nowhere.example")])
        #expect(ground.targets.isEmpty && ground.registers.isEmpty)
        #expect(ground.states.last == .failed("the server's address was not found"))
    }

    @Test func silentNameServerIsAbandonedAfterFiveSeconds() {
        var ground = NameGround(Self.hop, names, delay: .seconds(9))
        ground.run(LineMachine.locating - .milliseconds(1))
        #expect(ground.states.allSatisfy { $0 == .registering })
        ground.run(.milliseconds(1))
        #expect(ground.states.last == .failed("the server's address was not found"))
        // The late answer is kept for the next attempt, and causes no attempt itself.
        ground.run(.seconds(5))
        ground.delay = .zero
        ground.run(.seconds(60))
        #expect(ground.asked.count { $0 == .naptr("d.example") } == 1 && ground.states.last == .registered)
    }

    @Test func requestsForOneNameShareItsQuestions() {
        var ground = NameGround(NextHop(host: "a.example", port: 5_060), names, delay: .milliseconds(400))
        ground.call(1)
        ground.call(2)
        ground.run(.seconds(1))
        #expect(ground.asked == [.addresses("a.example")] && ground.invites.count == 2)
    }

    @Test func loadIsSharedByWeightAmongServersOfOnePriority() {
        let servers = [
            srv(1, 5_060, "a.example", weight: 3), srv(1, 5_060, "b.example", weight: 1), srv(2, 5_060, "c.example"),
        ]
        let names = LocatingTests.Names(
            srv: ["_sip._udp.d.example": servers],
            hosts: ["a.example": ["192.0.2.1"], "b.example": ["192.0.2.2"], "c.example": ["192.0.2.3"]])
        var firsts: [String: Int] = [:]
        for seed in 0..<400 {
            let ground = NameGround(NextHop(host: "d.example"), names, seed: UInt64(seed) * 10)
            #expect(ground.targets.last?.remote.host == "192.0.2.3")
            firsts[ground.targets[0].remote.host, default: 0] += 1
        }
        // Three of the five draws from 0 to 4 choose the heavier server.
        #expect((200...280).contains(firsts["192.0.2.1"] ?? 0), "\(firsts)")
    }

    @Test func onlyBoundedNumberOfNamesIsSearchedForAtOnce() {
        var (routing, generator) = (Routing(transports: [.udp]), SeededGenerator(seed: 1))
        for number in 0..<Routing.searchLimit {
            let hop = NextHop(host: "h\(number).example", port: 5_060)
            #expect(routing.search(hop, for: nil, using: &generator, at: .zero) == [.lookUp(.addresses(hop.host))])
        }
        let beyond = NextHop(host: "beyond.example", port: 5_060)
        #expect(routing.search(beyond, for: nil, using: &generator, at: .zero) == [.locate(beyond, [])])
        let found = routing.lookedUp(
            .addresses("h0.example"), DNSResponse(.addresses(["192.0.2.1"]), timeToLive: 60), using: &generator,
            at: .zero)
        #expect(found == [.locate(NextHop(host: "h0.example", port: 5_060), [.init(.udp, .init("192.0.2.1", 5_060))])])
        #expect(
            routing.search(beyond, for: nil, using: &generator, at: .zero) == [.lookUp(.addresses("beyond.example"))])
    }
}

/// A line with a simulated name server, whose account's server accepts everything but calls.
private struct NameGround {
    private static let local = Flow.Endpoint("192.0.2.1", 5_060)

    var names: LocatingTests.Names
    /// How long the name server takes.
    var delay: Duration
    private let timeToLive: UInt32
    /// Whether the account's server answers.
    private let isAnswering: Bool
    private var line: LineMachine
    private var now = Instant.zero
    private var due: [(at: Instant, question: DNSQuestion)] = []
    private(set) var asked: [DNSQuestion] = []
    /// Of the last search.
    private(set) var targets: [HopSearch.Target] = []
    private(set) var registers: [Flow] = []
    /// The Call-IDs of the calls that were placed.
    private(set) var invites: Set<String> = []
    private(set) var states: [RegistrationState] = []

    init(
        _ server: NextHop, _ names: LocatingTests.Names, timeToLive: UInt32 = 3_600, delay: Duration = .zero,
        isAnswering: Bool = true, seed: UInt64 = 1
    ) {
        (self.names, self.timeToLive, self.delay, self.isAnswering) = (names, timeToLive, delay, isAnswering)
        var next = seed
        line = LineMachine(
            configuration: LineConfiguration(
                user: "alice", account: LineConfiguration.Account(domain: "d.example", server: server)),
            makeGenerator: {
                next += 1
                return SeededGenerator(seed: next)
            }, hashes: TestServer.hashes)
        tell(.start)
    }

    mutating func call(_ number: UInt32) {
        tell(
            .command(
                .dial(CallID(.phone, number), target: "55\(number)", account: .direct, MediaEndpoint(port: 4_000))))
    }

    mutating func tell(_ input: LineInput) {
        for output in line.handle(input, at: now) {
            switch output {
            case .lookUp(let question):
                asked.append(question)
                due.append((now + delay, question))
            case .locate(let hop, let targets):
                self.targets = targets
                let flows = targets.map { Flow($0.transport, local: Self.local, remote: $0.remote) }
                tell(.located(hop, flows))
            case .send(let bytes, let flow): sent(bytes, flow)
            case .event(.registration(_, let state)): states.append(state)
            default: break
            }
        }
        while let index = due.firstIndex(where: { $0.at <= now }) {
            let question = due.remove(at: index).question
            let answer = names.answer(question)
            tell(.lookedUp(question, DNSResponse(answer, timeToLive: answer == .nothing ? 60 : timeToLive)))
        }
    }

    private mutating func sent(_ bytes: [UInt8], _ flow: Flow) {
        guard case .request(let request)? = try? SIPMessage(bytes.span) else { return }
        if request.method == .invite, let call = request.headers[.callID] {
            invites.insert(call)
        } else {
            if request.method == .register { registers.append(flow) }
            if isAnswering { tell(.received(Ground.accept(request).bytes, flow)) }
        }
    }

    mutating func run(_ duration: Duration) {
        let end = now + duration
        while let next = ([line.deadline] + due.map(\.at)).compactMap(\.self).min(), next <= end {
            now = max(now, next)
            tell(.deadline)
        }
        now = end
    }
}

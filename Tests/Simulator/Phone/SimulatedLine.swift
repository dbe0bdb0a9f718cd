import Base
import LineCore
import PhoneCore
import SIPCore

/// A `LineMachine` and the surroundings that `Lines` provides, with a simulated network.
struct SimulatedLine: Sendable {
    enum Output: Sendable {
        case send(Datagram)
        case event(LineEvent)
        /// The world knows the call of this name by this Call-ID.
        case named(CallID, String)
        /// The line's learned facts, for the next process.
        case learned(LineTrust)
        case finished
    }

    private var machine: LineMachine
    private let bug: PlantedBug?
    private let account: AccountID
    private let isOverTLS: Bool
    /// The phone's current address.
    var endpoint: Flow.Endpoint
    /// The last registration state that the line reported.
    private(set) var registration: RegistrationState?
    /// The deadline of its machine, after the last input.
    private(set) var deadline: Instant?
    private var outputs: [Output] = []

    /// - Parameters:
    /// - followsRedirections: If the owner's policy allows it.
    /// - trust: The former process's learned facts.
    init(
        number: String, host: String, isOverTLS: Bool, vouchesForFrom: Bool, followsRedirections: Bool,
        trust: LineTrust, bug: PlantedBug?, dice: inout Dice
    ) {
        (self.bug, self.isOverTLS) = (bug, isOverTLS)
        account = SimulatedPhone.account
        endpoint = Flow.Endpoint(host, 5060)
        let server = NextHop(host: Proxy.name, port: Proxy.endpoint.port, transport: isOverTLS ? .tls : .udp)
        var home = LineConfiguration.Account(
            domain: Proxy.name, server: server, password: Redacted("sesame"), expires: 600)
        (home.vouchesForFrom, home.trust) = (vouchesForFrom, trust)
        var configuration = LineConfiguration(account, user: number, displayName: "Phone \(number)", account: home)
        configuration.callNames = [Proxy.callName]
        configuration.followsRedirections = followsRedirections
        machine = LineMachine(
            configuration: configuration, makeGenerator: { dice.fork() }, hashes: Self.hashes)
        deadline = machine.deadline
    }

    /// Whether the line's memory of others is within its limits.
    var isBounded: Bool {
        let census = machine.census
        return census.transactions <= LineMachine.transactionLimit + Self.cancelLimit
            && census.waiting <= LineMachine.waitingLimit
            && census.acknowledgements <= 16 * 16 && census.legs <= Self.legLimit
            && census.bytes <= SIPLimits.transactions + 16 * 16 * SIPLimits.datagram
            && census.subscriptions <= SubscriptionTarget.limit && census.dialogFlows <= census.legs
            && census.parties <= census.legs
    }

    /// Our own CANCEL always has room: one for each INVITE.
    private static let cancelLimit = 16
    /// Calls, and those that still send BYE.
    private static let legLimit = 96

    mutating func take(_ input: LineInput, at now: Instant) -> [Output] {
        defer { outputs = [] }
        if let bug, case .received(let bytes, let flow) = input {
            let home = Flow(isOverTLS ? .tls : .udp, local: flow.local, remote: Proxy.endpoint)
            let shown = bug.shown(bytes, over: flow, home: home)
            handle(.received(shown.bytes, shown.flow), at: now)
        } else {
            handle(input, at: now)
        }
        return outputs
    }

    mutating func perform(_ command: LineCommand, at now: Instant) -> [Output] {
        defer { outputs = [] }
        switch command {
        case .dial(let call, _, let account, _, _) where account != self.account:
            outputs.append(.event(.ended(call, .lineNotReady)))
        case .dial, .alert, .answer, .candidates, .refuse, .end, .hold, .dtmf, .move, .transfer, .connect, .follow,
            .declineReferral, .redirect,
            .pickUp, .orphanBye, .reconnect, .disconnect, .reconfigure, .shutDown:
            handle(.command(command), at: now)
        }
        return outputs
    }

    private mutating func handle(_ input: LineInput, at now: Instant) {
        var lastSent: [UInt8] = []
        for output in machine.handle(input, at: now) {
            switch output {
            case .send(let bytes, let flow):
                lastSent = bytes
                outputs.append(.send(Datagram(bytes, over: flow, from: endpoint)))
            case .lookUp(let question): handle(.lookedUp(question, .silence), at: now)
            case .locate(let hop, _): handle(.located(hop, flows(to: hop)), at: now)
            case .finished: outputs.append(.finished)
            case .event(.referred(let call, _)) where bug == .followsReferral:
                let media = MediaEndpoint(port: 6_666)
                handle(
                    .command(.follow(CallID(.phone, 6_666), after: call, account: account, media)), at: now)
            case .event(let event):
                switch event {
                case .offered(let call, _): if case .received(let bytes, _) = input { name(call, bytes) }
                case .offerSent(let call): name(call, lastSent)
                case .registration(_, let state): registration = state
                default: break
                }
                outputs.append(.event(event))
            case .trust(.learned(let trust)): outputs.append(.learned(trust))
            case .trace, .remark, .turnedAway, .trust(.refused), .dropped, .ask, .abandon, .strayKeepAlive: break
            }
        }
        deadline = machine.deadline
    }

    private mutating func name(_ call: CallID, _ bytes: [UInt8]) {
        guard let callID = Self.callID(in: bytes) else { return }
        outputs.append(.named(call, callID))
    }

    private func flows(to hop: NextHop) -> [Flow] {
        let host = hop.host == Proxy.name ? Proxy.endpoint.host : hop.host
        guard hop.transport == (isOverTLS ? .tls : .udp) else { return [] }
        return [Flow(hop.transport, local: endpoint, remote: Flow.Endpoint(host, hop.port))]
    }

    /// Not cryptography: the other side is not computed here.
    private static let hashes = DigestHashes(
        md5: { bytes in
            let sum = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
            return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt64($0))) }
        }, sha256: { $0 }, sha512256: { $0 })

    /// The Call-ID of a message, found without parsing the rest.
    static func callID(in bytes: [UInt8]) -> String? {
        let name = Array("\r\nCall-ID: ".utf8)
        var index = 0
        while index + name.count < bytes.count {
            guard let start = bytes[index...].firstIndex(of: 0x0D), start + name.count < bytes.count else { return nil }
            if bytes[start..<start + name.count].elementsEqual(name) {
                return String(decoding: bytes[(start + name.count)...].prefix { $0 != 0x0D }, as: UTF8.self)
            }
            index = start + 1
        }
        return nil
    }
}

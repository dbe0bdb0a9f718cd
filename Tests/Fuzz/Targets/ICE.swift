import Base
import Cryptography
import ICECore

/// An agent with up to 64 inputs: datagrams of any sender, checks and answers of an authenticated but hostile far end,
/// descriptions and candidates, servers, lost sockets, restarts, and time.
func fuzzICE(_ input: [UInt8]) {
    guard let first = input.first else { return }
    if let text = String(validating: input, as: UTF8.self), let candidate = try? RemoteCandidate(text) {
        precondition(text.utf8.count <= RemoteCandidate.limit && candidate.foundation.utf8.count <= 32)
    }
    var life = FuzzedAgent(isControlling: first & 1 == 0, isRelayed: first & 2 != 0)
    for step in FuzzSteps(Array(input.dropFirst())) { life.take(step.what, step.bytes) }
    life.end()
}

private struct FuzzedAgent: ClockedFuzz {
    static let turnLimit = 20_000
    private static let server = TransportAddress(fuzzed: "203.0.113.1", 3_478)
    private static let peer = TransportAddress(fuzzed: "192.168.1.9", 5_000)
    private static let stranger = TransportAddress(fuzzed: "192.168.1.66", 6_666)
    private static let sockets = [
        HostSocket(SocketID(rawValue: 1), TransportAddress(fuzzed: "192.168.1.2", 4_000)),
        HostSocket(SocketID(rawValue: 2), TransportAddress(fuzzed: "2001:db8::2", 4_000)),
    ]
    /// Packets in one step: answers, repetitions of a hundred pairs, and requests to three servers.
    private static let packetLimit = 400

    private var agent: ICEAgent
    var now = Instant.zero
    private var generator = SeededGenerator(seed: 5)
    private var letter: Character = "p"
    private var asked: [(request: STUNMessage, to: TransportAddress, from: SocketID)] = []
    private var streams: [StreamID] = []
    private var isClosed = false

    init(isControlling: Bool, isRelayed: Bool) {
        let user = LongTermCredentials(user: "alice", password: Redacted("swordfish"))
        let configuration = ICEAgent.Configuration(
            policy: isRelayed ? .relay : .all, stunServers: [Self.server],
            turnServers: [TURNServer(Self.server, .udp, user), TURNServer(Self.server, .tls, user)])
        agent = ICEAgent(
            configuration, role: isControlling ? .controlling : .controlled, hashes: .real,
            generator: SeededGenerator(seed: 9))
        post(.gather(Self.sockets))
    }

    mutating func take(_ what: UInt8, _ bytes: [UInt8]) {
        let socket = Self.sockets[Int(what >> 7)].id
        switch what & 0xF {
        case 0: post(.received(bytes, on: socket, from: Self.stranger), isFromStranger: true)
        case 1: post(.received(bytes, on: socket, from: Self.server))
        case 2: check(bytes, on: socket)
        case 3: answer(bytes)
        case 4: describe(bytes)
        case 5:
            if let candidate = try? RemoteCandidate(String(decoding: bytes, as: UTF8.self)) {
                post(.remoteCandidate(candidate))
            }
        case 6: post(.resolved(String(decoding: bytes, as: UTF8.self), [Self.peer.address]))
        case 7: post(.restart(Array(Self.sockets.prefix(Int((bytes.first ?? 2) % 3)))))
        case 8: post(.socketLost(socket))
        case 9: if let stream = streams.last { post(.streamOpened(stream)) }
        case 10: if let stream = streams.last { post(.streamReceived(bytes, stream)) }
        case 11: if let stream = streams.last { post(.streamClosed(stream)) }
        case 12: post(.send(bytes))
        case 13: if bytes.count == 7 { post(.close) }
        case 14: run(for: .milliseconds(100 * Int64(bytes.first ?? 1)))
        default: run(for: .seconds(Int64(bytes.first ?? 1)))
        }
    }

    mutating func end() {
        run(for: .seconds(100))
        post(.close)
        run(for: .seconds(100))
        precondition(isClosed && agent.deadline == nil, "a closed agent continues")
    }

    // MARK: A far end that has the password

    private var theirs: ICECredentials {
        let password = Redacted(String(repeating: letter, count: 22))
        guard let credentials = ICECredentials(userFragment: "them", password: password) else {
            preconditionFailure("our own credentials")
        }
        return credentials
    }

    private mutating func check(_ bytes: [UInt8], on socket: SocketID) {
        let ours = agent.localCredentials
        var request = STUNMessage(fuzzed: bytes, method: STUNMessage.binding, id: .init(using: &generator))
        request.kind = .request
        request.attributes.insert(.init(0x0006, Array((ours.userFragment + ":them").utf8)), at: 0)
        let written = request.bytes(provenBy: STUNKey(password: ours.password), .real)
        post(.received(written, on: socket, from: Self.peer))
    }

    private mutating func answer(_ bytes: [UInt8]) {
        guard let place = bytes.first, !asked.isEmpty else { return }
        let (request, destination, socket) = asked.remove(at: Int(place) % asked.count)
        var answer = STUNMessage(fuzzed: Array(bytes.dropFirst()), method: request.method, id: request.id)
        if answer.attributes.isEmpty, let own = Self.sockets.first(where: { $0.id == socket })?.address {
            answer.attributes = [answer.attribute(0x0020, own)]
        }
        let written = answer.bytes(provenBy: STUNKey(password: theirs.password), .real)
        post(.received(written, on: socket, from: destination))
    }

    private mutating func describe(_ bytes: [UInt8]) {
        letter = bytes.first.map { $0 & 1 == 0 ? "p" : "q" } ?? "p"
        let lines = bytes.dropFirst().split(separator: 0x0A).prefix(100)
        let candidates = lines.compactMap { try? RemoteCandidate(String(decoding: $0, as: UTF8.self)) }
        post(
            .remote(
                RemoteDescription(
                    credentials: theirs, isLite: (bytes.first ?? 0) & 2 != 0, candidates: candidates,
                    isComplete: (bytes.first ?? 0) & 4 != 0)))
    }

    // MARK: Running

    var deadline: Instant? { agent.deadline }
    mutating func passDeadline() { post(.deadline) }

    private mutating func post(_ event: ICEAgent.Event, isFromStranger: Bool = false) {
        precondition(!isClosed || agent.handle(event, at: now).isEmpty, "an effect after the last")
        var packets = 0
        for effect in agent.handle(event, at: now) {
            switch effect {
            case .transmit(let bytes, let socket, let destination):
                packets += 1
                precondition(!isFromStranger || destination != Self.stranger, "a stranger is answered")
                if let message = try? STUNMessage(bytes.span), message.kind == .request {
                    asked.append((message, destination, socket))
                    if asked.count > 64 { asked.removeFirst() }
                }
            case .openStream(let stream, _): streams.append(stream)
            case .received: precondition(!isFromStranger, "a stranger is heard")
            case .closed: isClosed = true
            case .write, .closeStream, .candidate, .endOfCandidates, .resolve, .path, .state, .restartAdvised,
                .relayEnded:
                break
            }
        }
        precondition(packets <= Self.packetLimit, "\(packets) packets at once")
    }
}

extension TransportAddress {
    init(fuzzed host: String, _ port: UInt16) {
        guard let address = IPAddress(host) else { preconditionFailure("no address: \(host)") }
        self.init(address, port)
    }
}

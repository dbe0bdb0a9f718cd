import Base
import Cryptography
import ICECore

/// One agent, and a far end that the test plays by hand, with any checks and answers.
struct Duel {
    static let socket = HostSocket(SocketID(rawValue: 1), World.endpoint("192.168.1.2", 4_000))
    static let peer = World.endpoint("192.168.1.9", 5_000)
    static let theirs = Duel.credentials("them", "p")

    var agent: ICEAgent
    var now = Instant.zero
    var effects: [ICEAgent.Effect] = []
    var generator = SeededGenerator(seed: 77)
    /// Consent checks, and the seconds since the one before.
    var notes: [(id: STUNMessage.TransactionID, gap: Double)] = []

    static func credentials(_ fragment: String, _ letter: Character) -> ICECredentials {
        let password = Redacted(String(repeating: letter, count: 22))
        guard let credentials = ICECredentials(userFragment: fragment, password: password) else {
            preconditionFailure("the test's own credentials")
        }
        return credentials
    }

    init(
        role: ICERole = .controlled, sockets: [HostSocket] = [socket], configuration: ICEAgent.Configuration = .init(),
        seed: UInt64 = 1
    ) {
        agent = ICEAgent(configuration, role: role, hashes: .real, generator: SeededGenerator(seed: seed))
        post(.gather(sockets))
    }

    mutating func post(_ event: ICEAgent.Event) { effects += agent.handle(event, at: now) }

    mutating func run(for duration: Duration) {
        let end = now + duration
        while let due = agent.deadline, due <= end {
            now = max(now, due)
            post(.deadline)
        }
        now = end
    }

    mutating func describe(
        _ addresses: [TransportAddress] = [peer], isLite: Bool = false, isComplete: Bool = true,
        credentials: ICECredentials = theirs
    ) {
        let candidates = addresses.enumerated().map { place, address in
            RemoteCandidate(
                Candidate(
                    foundation: "f\(place)", priority: 2_000_000_000 - UInt32(place), address: address, kind: .host))
        }
        post(
            .remote(
                RemoteDescription(
                    credentials: credentials, isLite: isLite, candidates: candidates, isComplete: isComplete)))
    }

    // MARK: Sent by the agent

    /// Requests since the last time.
    mutating func takeRequests() -> [(message: STUNMessage, to: TransportAddress)] {
        take { $0.kind == .request }
    }

    mutating func takeAnswers() -> [(message: STUNMessage, to: TransportAddress)] {
        take { $0.kind == .success || $0.kind == .failure }
    }

    private mutating func take(_ isWanted: (STUNMessage) -> Bool) -> [(message: STUNMessage, to: TransportAddress)] {
        var taken: [(message: STUNMessage, to: TransportAddress)] = []
        effects.removeAll { effect in
            guard case .transmit(let bytes, _, let destination) = effect, let message = try? STUNMessage(bytes.span),
                isWanted(message)
            else { return false }
            taken.append((message, destination))
            return true
        }
        return taken
    }

    var path: SelectedPair? {
        for case .path(let path) in effects.reversed() { return path }
        return nil
    }

    var state: ICEState? {
        for case .state(let state) in effects.reversed() { return state }
        return nil
    }

    // MARK: Sent by the far end

    mutating func deliver(_ bytes: [UInt8], from source: TransportAddress = peer) {
        post(.received(bytes, on: Self.socket.id, from: source))
    }

    /// A check of the far end's. Tests change it here.
    mutating func check(
        isNominating: Bool = false, role: (UInt16, UInt64)? = (AttributeType.iceControlling, 5), priority: UInt32? = 7,
        name: String? = nil, key: STUNKey? = nil, more: [STUNMessage.Attribute] = []
    ) -> [UInt8] {
        var request = STUNMessage(.request, id: .init(using: &generator))
        let ours = agent.localCredentials
        request.attributes = [.init(AttributeType.username, name ?? ours.userFragment + ":them")] + more
        if let priority { request.attributes.append(.init(AttributeType.priority, number: priority)) }
        if let role { request.attributes.append(.init(role.0, number: role.1)) }
        if isNominating { request.attributes.append(.init(AttributeType.useCandidate, [])) }
        return request.bytes(provenBy: key ?? STUNKey(password: ours.password), .real)
    }

    /// The far end's answer to a request of the agent's.
    func answer(
        _ request: STUNMessage, mapped: TransportAddress = socket.address, code: Int? = nil,
        key: STUNKey = STUNKey(password: theirs.password)
    ) -> [UInt8] {
        var answer = STUNMessage(code == nil ? .success : .failure, id: request.id)
        answer.attributes = [
            code.map { .error($0, "") } ?? answer.attribute(AttributeType.xorMappedAddress, mapped)
        ]
        return answer.bytes(provenBy: key, .real)
    }

    /// Answers all requests of the agent, from their destination, for so long.
    mutating func answerAll(for duration: Duration) {
        let end = now + duration
        while now < end {
            for request in takeRequests() { deliver(answer(request.message), from: request.to) }
            run(for: .milliseconds(10))
        }
    }
}

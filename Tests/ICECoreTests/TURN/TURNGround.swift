import Base
import Cryptography
import ICECore

/// A TURN client and the test server, face to face in simulated time.
struct TURNGround {
    static let server = World.endpoint("203.0.113.1", 3_478)
    static let client = World.endpoint("198.51.100.7", 40_000)
    static let peer = World.endpoint("192.0.2.9", 5_000)

    var turn: TURNClient
    var server = STUNTURNServer(Self.server, seed: 1)
    var now = Instant.zero
    var effects: [TURNClient.Effect] = []
    /// The packets that the server forwarded to peers.
    var relayed: [Internet.Packet] = []
    /// Whether packets reach the server.
    var isConnected = true
    var transmissions = 0

    init(
        isReliable: Bool = false, credentials: LongTermCredentials = STUNTURNServer.credentials, seed: UInt64 = 3
    ) {
        turn = TURNClient(
            credentials: credentials, isReliable: isReliable, hashes: .real, generator: SeededGenerator(seed: seed))
    }

    mutating func post(_ event: TURNClient.Event) {
        for effect in turn.handle(event, at: now) {
            guard case .transmit(let bytes) = effect else {
                effects.append(effect)
                continue
            }
            transmissions += 1
            guard isConnected else { continue }
            for output in server.received(bytes, from: .datagram(Self.client), seenAs: Self.client, at: now) {
                switch output {
                case .reply(_, let answer): post(.received(answer))
                case .relay(let packet): relayed.append(packet)
                }
            }
        }
    }

    mutating func run(for duration: Duration) {
        let end = now + duration
        while let due = turn.deadline, due <= end {
            now = max(now, due)
            post(.deadline)
        }
        now = end
    }

    /// A packet from a peer to the relayed address.
    mutating func arrive(_ data: [UInt8], from source: TransportAddress = peer) {
        guard let relayed = server.allocations.first?.relayed else { return }
        for output in server.relayed(.init(source: source, destination: relayed, bytes: data), at: now) {
            if case .reply(_, let bytes) = output { post(.received(bytes)) }
        }
    }

    var end: TURNEnd? {
        for case .ended(let why) in effects { return why }
        return nil
    }

    var isAllocated: Bool { effects.contains { if case .allocated = $0 { true } else { false } } }
}

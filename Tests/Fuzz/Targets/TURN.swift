import Base
import Cryptography
import ICECore

/// A TURN client with up to 64 inputs: any bytes, answers of an authenticated but hostile server, its owner's
/// requests, and time. And the input as a stream, whole and in pieces.
func fuzzTURN(_ input: [UInt8]) {
    frame(input)
    guard let first = input.first else { return }
    var life = FuzzedTURN(isReliable: first & 1 == 0)
    for step in FuzzSteps(Array(input.dropFirst())) { life.take(step.what, step.bytes) }
    life.end()
}

/// However a stream is split, it has the same messages.
private func frame(_ input: [UInt8]) {
    var (whole, cut) = (TURNStreamFramer(), TURNStreamFramer())
    let messages = try? whole.take(input)
    var pieces: [[UInt8]]? = []
    for byte in input.prefix(4_096) {
        do { pieces? += try cut.take([byte]) } catch {
            pieces = nil
            break
        }
    }
    if input.count <= 4_096 { precondition(messages == nil || messages == pieces, "cut otherwise, other messages") }
    for message in messages ?? [] {
        precondition(message.count <= TURNStreamFramer.limit, "longer than the limit")
        guard let packet = ChannelData(message) else { continue }
        precondition(packet.bytes(isPadded: false) == message, "not the same after a trip over the wire")
    }
}

private struct FuzzedTURN: ClockedFuzz {
    static let turnLimit = 5_000
    private static let peers = ["192.0.2.9", "192.0.2.10", "2001:db8::9"].map { TransportAddress(fuzzed: $0, 5_000) }
    private static let user = LongTermCredentials(user: "alice", password: Redacted("swordfish"))

    private var client: TURNClient
    /// The server's side of the same secret.
    private var server = LongTermAuthentication(Self.user, .real)
    var now = Instant.zero
    private var asked: [STUNMessage] = []
    private var isEnded = false

    init(isReliable: Bool) {
        client = TURNClient(
            credentials: Self.user, isReliable: isReliable, hashes: .real, generator: SeededGenerator(seed: 3))
        post(.start)
        challenge()
    }

    mutating func take(_ what: UInt8, _ bytes: [UInt8]) {
        let peer = Self.peers[Int(what >> 4) % Self.peers.count]
        switch what & 0xF {
        case 0, 1: post(.received(bytes))
        case 2, 3, 4: answer(bytes)
        case 5: grant(seconds: UInt32(bytes.first ?? 200) * 4)
        case 6: post(.permit(peer.address))
        case 7: post(.bind(peer))
        case 8: post(.send(bytes, to: peer))
        case 9: post(.bind(TransportAddress(peer.address, UInt16(bytes.first ?? 1))))
        case 10: if bytes.count == 7 { post(.close) }
        case 11: if bytes.count == 9 { post(.transportLost) }
        case 12: post(.start)
        case 13: run(for: .milliseconds(100 * Int64(bytes.first ?? 1)))
        default: run(for: .seconds(Int64(bytes.first ?? 1)))
        }
    }

    mutating func end() {
        post(.close)
        run(for: .seconds(100))
        precondition(isEnded && client.deadline == nil, "a closed client continues")
    }

    // MARK: A server that has the password

    private mutating func challenge() {
        guard let request = asked.last else { return }
        let challenge = STUNMessage(
            .failure, id: request.id,
            attributes: [.init(0x0009, [0, 0, 4, 1]), .init(0x0014, "example.org"), .init(0x0015, "nonce")],
            method: request.method)
        _ = server.challenged(challenge)
        post(.received(challenge.bytes))
    }

    private mutating func grant(seconds: UInt32) {
        guard let request = asked.popLast() else { return }
        var answer = STUNMessage(.success, id: request.id, method: request.method)
        answer.attributes = [
            answer.attribute(0x0016, TransportAddress(fuzzed: "203.0.113.1", 50_000)),
            .init(0x000D, number: seconds),
        ]
        prove(answer)
    }

    private mutating func answer(_ bytes: [UInt8]) {
        guard let place = bytes.first, !asked.isEmpty else { return }
        let request = asked.remove(at: Int(place) % asked.count)
        prove(STUNMessage(fuzzed: Array(bytes.dropFirst()), method: request.method, id: request.id))
    }

    /// The same key authenticates the client's and the server's messages; the names in between do not matter to the
    /// client.
    private mutating func prove(_ answer: STUNMessage) { post(.received(server.bytes(of: answer))) }

    // MARK: Running

    var deadline: Instant? { client.deadline }
    mutating func passDeadline() { post(.deadline) }

    private mutating func post(_ event: TURNClient.Event) {
        let effects = client.handle(event, at: now)
        precondition(!isEnded || effects.isEmpty, "an effect after the last")
        precondition(effects.count <= 120, "\(effects.count) effects at once")
        for effect in effects {
            switch effect {
            case .transmit(let bytes):
                if let message = try? STUNMessage(bytes.span, limit: 2_048), message.kind == .request {
                    asked.append(message)
                    if asked.count > 64 { asked.removeFirst() }
                }
            case .ended: isEnded = true
            case .allocated, .refused, .bound, .received: break
            }
        }
    }
}

import Base
import Cryptography
import ICECore

/// A STUN and TURN server for the tests' agents, written from RFC 8489 §9.2.4 and RFC 8656. It trusts its network, and
/// accepts authenticated requests.
struct STUNTURNServer: Sendable {
    /// The client: an address, or a connection.
    enum Client: Hashable, Sendable {
        case datagram(TransportAddress)
        case stream(Internet.Stream)
    }

    struct Allocation: Sendable {
        let client: Client
        let relayed: TransportAddress
        /// The transaction of the request that made it, which may come again (RFC 8656 §7.2).
        let transaction: STUNMessage.TransactionID
        let answer: STUNMessage
        var expiresAt: Instant
        var permissions: [IPAddress: Instant] = [:]
        var channels: [UInt16: TransportAddress] = [:]
    }

    enum Output: Sendable {
        case reply(Client, [UInt8])
        case relay(Internet.Packet)
    }

    static let credentials = LongTermCredentials(user: "alice", password: Redacted("swordfish"))
    static let realm = "example.org"

    let address: TransportAddress
    private let key = STUNKey(Digest.md5(Array("alice:example.org:swordfish".utf8)))
    var generator: SeededGenerator
    private(set) var allocations: [Allocation] = []
    /// After how many requests a nonce is stale.
    var nonceLife = 40
    private var nonceUses = 0
    private var nonce = 0
    /// The error for an Allocate request.
    var refusal: Int?
    var grantedLifetime: UInt32 = 600
    var requests: [UInt16: Int] = [:]

    init(_ address: TransportAddress, seed: UInt64) {
        (self.address, generator) = (address, SeededGenerator(seed: seed))
    }

    // MARK: From clients

    mutating func received(_ bytes: [UInt8], from client: Client, seenAs source: TransportAddress, at now: Instant)
        -> [Output]
    {
        allocations.removeAll { $0.expiresAt <= now }
        if let packet = ChannelData(bytes) { return forward(packet, of: client) }
        guard let message = try? STUNMessage(bytes.span, limit: 2_048) else { return [] }
        switch (message.kind, message.method) {
        case (.request, STUNMessage.binding):
            return message.answer(to: source).map { [.reply(client, $0.bytes)] } ?? []
        case (.request, _): return [.reply(client, answer(message, bytes, client, source, at: now))]
        case (.indication, TURNMethod.send): return forward(message, of: client, at: now)
        default: return []
        }
    }

    private mutating func answer(
        _ request: STUNMessage, _ bytes: [UInt8], _ client: Client, _ source: TransportAddress, at now: Instant
    ) -> [UInt8] {
        requests[request.method, default: 0] += 1
        guard request.value(AttributeType.messageIntegrity) != nil else {
            return failure(request, 401, more: challenge()).bytes
        }
        nonceUses += 1
        if nonceUses > nonceLife { (nonce, nonceUses) = (nonce + 1, 0) }
        guard request.text(AttributeType.nonce) == "nonce-\(nonce)" else {
            return failure(request, 438, more: challenge()).bytes
        }
        guard request.text(AttributeType.username) == Self.credentials.user,
            let proven = request.proven(by: key, in: bytes, .real)
        else { return failure(request, 401, more: challenge()).bytes }
        return carryOut(proven, client, source, at: now).bytes(provenBy: key, .real)
    }

    private func challenge() -> [STUNMessage.Attribute] {
        [.init(AttributeType.realm, Self.realm), .init(AttributeType.nonce, "nonce-\(nonce)")]
    }

    private func failure(_ request: STUNMessage, _ code: Int, more: [STUNMessage.Attribute] = []) -> STUNMessage {
        STUNMessage(.failure, id: request.id, attributes: [.error(code, "")] + more, method: request.method)
    }

    private mutating func carryOut(
        _ request: STUNMessage, _ client: Client, _ source: TransportAddress, at now: Instant
    ) -> STUNMessage {
        let index = allocations.firstIndex { $0.client == client }
        var answer = STUNMessage(.success, id: request.id, method: request.method)
        switch request.method {
        case TURNMethod.allocate:
            if let index {
                let known = allocations[index]
                return known.transaction == request.id ? known.answer : failure(request, 437)
            }
            if let refusal { return failure(request, refusal) }
            let relayed = TransportAddress(address.address, .random(in: 49_152 ... .max, using: &generator))
            answer.attributes = [
                answer.attribute(AttributeType.xorRelayedAddress, relayed),
                answer.attribute(AttributeType.xorMappedAddress, source),
                .init(AttributeType.lifetime, number: grantedLifetime),
            ]
            allocations.append(
                Allocation(
                    client: client, relayed: relayed, transaction: request.id, answer: answer,
                    expiresAt: now + .seconds(Int64(grantedLifetime))))
        case TURNMethod.refresh:
            guard let index else { return failure(request, 437) }
            let asked = min(request.number(AttributeType.lifetime, as: UInt32.self) ?? 600, grantedLifetime)
            answer.attributes = [.init(AttributeType.lifetime, number: asked)]
            allocations[index].expiresAt = now + .seconds(Int64(asked))
            if asked == 0 { allocations.remove(at: index) }
        case TURNMethod.createPermission:
            guard let index else { return failure(request, 437) }
            guard let peer = request.address(AttributeType.xorPeerAddress) else { return failure(request, 400) }
            allocations[index].permissions[peer.address] = now + .seconds(300)
        case TURNMethod.channelBind:
            guard let index else { return failure(request, 437) }
            guard let peer = request.address(AttributeType.xorPeerAddress),
                let number = request.number(AttributeType.channelNumber, as: UInt32.self).map({ UInt16($0 >> 16) }),
                ChannelData.numbers.contains(number), allocations[index].channels[number] ?? peer == peer
            else { return failure(request, 400) }
            allocations[index].channels[number] = peer
            allocations[index].permissions[peer.address] = now + .seconds(300)
        default: return failure(request, 400)
        }
        return answer
    }

    private func forward(_ message: STUNMessage, of client: Client, at now: Instant) -> [Output] {
        guard let allocation = allocations.first(where: { $0.client == client }),
            let peer = message.address(AttributeType.xorPeerAddress), let data = message.value(AttributeType.data),
            allocation.permissions[peer.address].map({ $0 > now }) ?? false
        else { return [] }
        return [.relay(.init(source: allocation.relayed, destination: peer, bytes: data))]
    }

    private func forward(_ packet: ChannelData, of client: Client) -> [Output] {
        guard let allocation = allocations.first(where: { $0.client == client }),
            let peer = allocation.channels[packet.channel]
        else { return [] }
        return [.relay(.init(source: allocation.relayed, destination: peer, bytes: packet.data))]
    }

    // MARK: From peers

    mutating func relayed(_ packet: Internet.Packet, at now: Instant) -> [Output] {
        guard let allocation = allocations.first(where: { $0.relayed == packet.destination && $0.expiresAt > now }),
            allocation.permissions[packet.source.address].map({ $0 > now }) ?? false
        else { return [] }
        var isStream = false
        if case .stream = allocation.client { isStream = true }
        if let channel = allocation.channels.first(where: { $0.value == packet.source })?.key {
            let data = ChannelData(channel: channel, data: packet.bytes)
            return [.reply(allocation.client, data.bytes(isPadded: isStream))]
        }
        var indication = STUNMessage(
            .indication, id: .init(using: &generator), method: TURNMethod.data, hasFingerprint: false)
        indication.attributes = [
            indication.attribute(AttributeType.xorPeerAddress, packet.source),
            .init(AttributeType.data, packet.bytes),
        ]
        return [.reply(allocation.client, indication.bytes)]
    }
}

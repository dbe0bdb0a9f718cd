import Base

/// Requests to the server, their repetitions, and the effects of their answers.
extension TURNClient {
    enum Purpose: Equatable, Sendable {
        case allocate, refresh, release
        /// Releases an allocation that an earlier user of our address left behind.
        case reclaim
        case permission(IPAddress)
        case channel(TransportAddress, UInt16)
    }

    struct Transaction: Sendable {
        let purpose: Purpose
        var request: STUNMessage
        var bytes: [UInt8]
        var retransmission: STUNRetransmission
        /// How often the server has asked for credentials.
        var challenges = 0
    }

    /// Enough for a first challenge, and for nonces that expire before we answer.
    private static let challengeLimit = 3

    mutating func ask(_ purpose: Purpose, at now: Instant, _ effects: inout [Effect]) {
        let request = makeRequest(purpose)
        let bytes = authentication.bytes(of: request)
        transactions.append(
            Transaction(
                purpose: purpose, request: request, bytes: bytes, retransmission: retransmission(purpose, at: now)))
        effects.append(.transmit(bytes))
    }

    /// A request with a new transaction ID, which masks the addresses in it.
    private mutating func makeRequest(_ purpose: Purpose) -> STUNMessage {
        var request = STUNMessage(.request, id: .init(using: &generator))
        switch purpose {
        case .allocate:
            request.method = TURNMethod.allocate
            // RFC 8656 §18.8: 17 is UDP. §18.6: 2 is IPv6, and IPv4 need not be asked for.
            request.attributes = [
                .init(AttributeType.requestedTransport, [17, 0, 0, 0]),
                .init(AttributeType.lifetime, number: Self.lifetime),
            ]
            if family == .version6 {
                request.attributes.append(.init(AttributeType.requestedAddressFamily, [2, 0, 0, 0]))
            }
        case .refresh, .release, .reclaim:
            request.method = TURNMethod.refresh
            let lifetime = purpose == .refresh ? Self.lifetime : 0
            request.attributes = [.init(AttributeType.lifetime, number: lifetime)]
        case .permission(let address):
            request.method = TURNMethod.createPermission
            request.attributes = [request.attribute(AttributeType.xorPeerAddress, TransportAddress(address, 0))]
        case .channel(let peer, let number):
            request.method = TURNMethod.channelBind
            request.attributes = [
                .init(AttributeType.channelNumber, number: UInt32(number) << 16),
                request.attribute(AttributeType.xorPeerAddress, peer),
            ]
        }
        return request
    }

    /// Nobody waits longer for a relayed address than for an answer of STUN servers.
    private func retransmission(_ purpose: Purpose, at now: Instant) -> STUNRetransmission {
        guard !isReliable else { return .reliable(at: now) }
        let isAwaited = purpose == .allocate || purpose == .reclaim
        return isAwaited ? .gathering(at: now) : STUNRetransmission(at: now)
    }

    mutating func repeatRequests(at now: Instant, _ effects: inout [Effect]) {
        for index in transactions.indices.reversed() {
            switch transactions[index].retransmission.advance(to: now) {
            case .wait: break
            case .send: effects.append(.transmit(transactions[index].bytes))
            case .timedOut: failed(transactions.remove(at: index).purpose, nil, at: now, &effects)
            }
            guard state != .ended else { return }
        }
    }

    mutating func received(_ bytes: [UInt8], at now: Instant, _ effects: inout [Effect]) {
        if ChannelData.mayBegin(bytes) { return receivedChannelData(bytes, &effects) }
        guard let message = try? STUNMessage(bytes.span, limit: TURNStreamFramer.limit) else {
            dropped += 1
            return
        }
        switch message.kind {
        case .success, .failure: answered(message, bytes, at: now, &effects)
        case .indication where message.method == TURNMethod.data: receivedData(message, &effects)
        case .indication, .request: dropped += 1
        }
    }

    private mutating func answered(
        _ answer: STUNMessage, _ bytes: [UInt8], at now: Instant, _ effects: inout [Effect]
    ) {
        guard let index = transactions.firstIndex(where: { $0.request.id == answer.id }),
            transactions[index].request.method == answer.method
        else {
            dropped += 1
            return
        }
        if let code = answer.errorCode, code == 401 || code == 438 {
            return challenged(answer, index, at: now, &effects)
        }
        // 300 and 400 come from servers that did not verify our integrity (RFC 8489 §9.2.5, §10).
        let needsNoProof = !authentication.isEstablished || answer.errorCode == 300 || answer.errorCode == 400
        guard let proven = needsNoProof ? answer : authentication.proven(answer, bytes) else {
            dropped += 1
            return
        }
        unheardSince = nil
        let purpose = transactions.remove(at: index).purpose
        guard proven.kind == .success else { return failed(purpose, proven.errorCode ?? 500, at: now, &effects) }
        switch purpose {
        case .allocate, .refresh: granted(proven, at: now, &effects)
        case .release: end(.closed, &effects)
        case .reclaim: reclaimed(at: now, &effects)
        case .permission(let address): permitted(address, at: now, &effects)
        case .channel(let peer, _): bound(peer, at: now, &effects)
        }
    }

    private mutating func challenged(
        _ challenge: STUNMessage, _ index: Int, at now: Instant, _ effects: inout [Effect]
    ) {
        guard transactions[index].challenges < Self.challengeLimit, authentication.challenged(challenge) == .retry
        else {
            let purpose = transactions.remove(at: index).purpose
            return failed(purpose, 401, at: now, &effects)
        }
        transactions[index].challenges += 1
        transactions[index].request = makeRequest(transactions[index].purpose)
        transactions[index].bytes = authentication.bytes(of: transactions[index].request)
        transactions[index].retransmission = retransmission(transactions[index].purpose, at: now)
        effects.append(.transmit(transactions[index].bytes))
    }

    /// - Parameter code: Nil if the server did not answer.
    private mutating func failed(_ purpose: Purpose, _ code: Int?, at now: Instant, _ effects: inout [Effect]) {
        switch purpose {
        // The allocation is most likely ours: the phone has restarted, and has the same address as before.
        case .allocate where code == 437 && !hasReclaimed:
            hasReclaimed = true
            ask(.reclaim, at: now, &effects)
        case .allocate, .refresh: end(Self.end(code), &effects)
        case .release: end(.closed, &effects)
        // After any answer, a new allocation is requested, and its answer decides.
        case .reclaim where code != nil: reclaimed(at: now, &effects)
        case .reclaim: end(.silent, &effects)
        // The server has forgotten the allocation, and everything with it.
        case .permission where code == 437, .channel where code == 437: end(.mismatch, &effects)
        case .permission(let address): refused(address, isFinal: code != nil, &effects)
        case .channel(let peer, _): unbound(peer)
        }
    }

    /// The old allocation is gone.
    private mutating func reclaimed(at now: Instant, _ effects: inout [Effect]) {
        switch state {
        case .allocating: ask(.allocate, at: now, &effects)
        // A new allocation is no longer wanted.
        case .idle, .allocated, .closing, .abandoning, .ended: end(.closed, &effects)
        }
    }

    private static func end(_ code: Int?) -> TURNEnd {
        switch code {
        case nil: .silent
        case 300: .redirected
        case 401, 441: .unauthorized
        case 437: .mismatch
        case 486: .quotaReached
        case 508: .insufficientCapacity
        case let code?: .refused(code)
        }
    }
}

import Base

/// Checks from the far end (RFC 8445 §7.3). Only a check with valid integrity is answered or has any effect.
extension ConnectivityChecks {
    /// - Parameter message: A binding request whose USERNAME names this session.
    /// - Returns: Whether the far end has sent it.
    mutating func checked(
        _ message: STUNMessage, _ bytes: [UInt8], on base: ICEBase, from source: TransportAddress, at now: Instant
    ) -> Bool {
        let isKnown = provenSources.contains(source)
        var rest = strangers
        // A proven check does not count against the limit.
        guard isKnown || rest.admit(at: now), let request = message.proven(by: local.key, in: bytes, hashes) else {
            if !isKnown { strangers = rest }
            census.unproven += 1
            return false
        }
        if !isKnown { provenSources = provenSources.suffix(ICETiming.earlyLimit - 1) + [source] }
        take(request, on: base, from: source, at: now)
        return true
    }

    private mutating func take(
        _ request: STUNMessage, on base: ICEBase, from source: TransportAddress, at now: Instant
    ) {
        let unknown = request.attributes.map(\.type).filter {
            $0 < 0x8000 && !AttributeType.understoodInChecks.contains($0)
        }
        guard unknown.isEmpty else {
            var value: [UInt8] = []
            for type in unknown { value.append(bigEndian: type) }
            let attributes: [STUNMessage.Attribute] = [
                .error(420, "Unknown Attribute"), .init(AttributeType.unknownAttributes, value),
            ]
            return answer(request, .failure, attributes, on: base, to: source)
        }
        guard let priority = request.number(AttributeType.priority, as: UInt32.self) else {
            return answer(request, .failure, [.error(400, "Bad Request")], on: base, to: source)
        }
        guard !insists(onRoleOf: request) else {
            return answer(request, .failure, [.error(487, "Role Conflict")], on: base, to: source)
        }
        answer(
            request, .success, [request.attribute(AttributeType.xorMappedAddress, source)], on: base, to: source)
        let isNominating = request.value(AttributeType.useCandidate) != nil
        guard remote != nil else {
            let check = EarlyCheck(base: base, source: source, priority: priority, isNominating: isNominating)
            if early.count < ICETiming.earlyLimit { early.append(check) }
            return
        }
        trigger(base, source, priority, isNominating: isNominating, at: now)
    }

    private mutating func answer(
        _ request: STUNMessage, _ kind: STUNMessage.Class, _ attributes: [STUNMessage.Attribute], on base: ICEBase,
        to source: TransportAddress
    ) {
        let answer = STUNMessage(kind, id: request.id, attributes: attributes)
        sent.append(Packet(bytes: answer.bytes(provenBy: local.key, hashes), base: base, destination: source))
    }

    /// RFC 8445 §7.3.1.1: resolves a conflict of roles. True: our role stays. Otherwise ours changes, and the check is
    /// accepted.
    private mutating func insists(onRoleOf request: STUNMessage) -> Bool {
        let type = role == .controlling ? AttributeType.iceControlling : AttributeType.iceControlled
        guard let theirs = request.number(type, as: UInt64.self) else { return false }
        census.roleConflicts += 1
        let isOursGreater = tieBreaker >= theirs
        // The side with the greater tie-breaker becomes controlling.
        guard (role == .controlling) != isOursGreater else { return true }
        become(role.other)
        return false
    }

    /// RFC 8445 §7.3.1.3 to §7.3.1.5: a check from an address triggers a check to that address.
    mutating func trigger(
        _ base: ICEBase, _ source: TransportAddress, _ priority: UInt32, isNominating: Bool, at now: Instant
    ) {
        guard !hasLostPath, let local = locals.first(where: { $0.base == base && $0.isBase }) else { return }
        let known = remotes.first { $0.address == source }
        let remote =
            known
            ?? Candidate(
                foundation: "r\(remotes.count)", priority: priority, address: source, kind: .peerReflexive)
        if known == nil { add(remote) }
        guard remotes.contains(where: { $0.address == source }), let index = form(local, remote) else { return }
        pairs[index].isHeard = true
        let isNominated = isNominating && role == .controlled
        switch pairs[index].state {
        case .succeeded:
            if isNominated { nominate(index, at: now) }
            return
        case .inProgress:
            cancelChecks(of: pairs[index].id)
            enqueue(index)
        case .waiting, .frozen, .failed: enqueue(index)
        }
        if isNominated { pairs[index].isToBeNominated = true }
    }
}

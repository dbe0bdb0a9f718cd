import Base

/// Sorts what arrives by its protocol (RFC 7983 §7).
extension ICEAgent {
    mutating func received(_ bytes: [UInt8], on socket: SocketID, from source: TransportAddress, at now: Instant) {
        guard sockets.contains(where: { $0.id == socket }) else {
            ownCensus.strayPackets += 1
            return
        }
        // The same server may be a STUN server, too. Only a request to its STUN server has this transaction ID.
        if !gathering.probes.isEmpty, STUNMessage.mayBegin(bytes), let message = try? STUNMessage(bytes.span),
            message.kind == .success || message.kind == .failure,
            probed(message, on: socket, from: source, at: now)
        {
            return
        }
        guard !receivedByRelays(bytes, on: socket, from: source, at: now) else { return }
        receivedFromPeer(bytes, on: .socket(socket), from: source, at: now)
    }

    mutating func receivedFromPeer(
        _ bytes: [UInt8], on base: ICEBase, from source: TransportAddress, at now: Instant
    ) {
        guard STUNMessage.mayBegin(bytes) else {
            let isValid = checks.isValid(base, source) || previous?.isValid(base, source) ?? false
            guard isValid, life == .running else {
                ownCensus.strayPackets += 1
                return
            }
            effects.append(.received(bytes))
            return
        }
        guard life == .running, let message = try? STUNMessage(bytes.span) else {
            ownCensus.malformed += 1
            return
        }
        switch message.kind {
        case .success, .failure:
            guard !checks.answered(message, bytes, on: base, from: source, at: now),
                !(previous?.answered(message, bytes, on: base, from: source, at: now) ?? false)
            else { return }
            ownCensus.unmatched += 1
        case .request: checked(message, bytes, on: base, from: source, at: now)
        // A keep-alive, which has no answer (RFC 8445 §11).
        case .indication: break
        }
    }

    /// Finds the session by USERNAME: our user fragment before the colon, the far end's after it.
    private mutating func checked(
        _ message: STUNMessage, _ bytes: [UInt8], on base: ICEBase, from source: TransportAddress, at now: Instant
    ) {
        let fragments = message.text(AttributeType.username)?.split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard message.method == STUNMessage.binding, let fragments, fragments.count == 2 else {
            ownCensus.unproven += 1
            return
        }
        if Self.names(checks, fragments) {
            let isProven = checks.checked(message, bytes, on: base, from: source, at: now)
            if isProven { permit(source.address, at: now) }
        } else if let session = previous, Self.names(session, fragments) {
            _ = previous?.checked(message, bytes, on: base, from: source, at: now)
        } else {
            ownCensus.unproven += 1
        }
    }

    private static func names(_ session: ConnectivityChecks, _ fragments: [Substring]) -> Bool {
        fragments[0] == session.local.userFragment
            && fragments[1] == session.remote?.userFragment ?? String(fragments[1])
    }
}

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

/// Traffic to and from TURN servers.
extension ICEAgent {
    mutating func tell(_ place: Int, _ event: TURNClient.Event, at now: Instant) {
        let before = gathering.relays[place].client.dropped
        let effects = gathering.relays[place].client.handle(event, at: now)
        ownCensus.droppedByRelays += gathering.relays[place].client.dropped - before
        for effect in effects { carryOut(effect, place, at: now) }
    }

    private mutating func carryOut(_ effect: TURNClient.Effect, _ place: Int, at now: Instant) {
        switch effect {
        case .transmit(let bytes):
            switch gathering.relays[place].transport {
            case .datagram(let socket):
                effects.append(.transmit(bytes, from: socket, to: gathering.relays[place].server.address))
            case .stream(let stream, let isOpen):
                if isOpen { effects.append(.write(bytes, stream)) }
            }
        case .allocated(let allocation): allocated(allocation, place, at: now)
        case .refused: ownCensus.droppedByRelays += 1
        case .bound(let peer, let channel): gathering.relays[place].channels[peer] = channel
        case .received(let bytes, let peer): receivedFromPeer(bytes, on: .relay(place), from: peer, at: now)
        case .ended(let why):
            if why == .redirected { ownCensus.redirections += 1 }
            if life == .running, why != .closed { effects.append(.relayEnded(gathering.relays[place].server, why)) }
            ended(place)
        }
    }

    private mutating func ended(_ place: Int) {
        gathering.relays[place].channels = [:]
        checks.remove(.relay(place))
        previous?.remove(.relay(place))
        // This also closes a stream that is still being opened. For one that is closed already, the effect does
        // nothing.
        if case .stream(let stream, _) = gathering.relays[place].transport {
            gathering.relays[place].transport = .stream(stream, isOpen: false)
            effects.append(.closeStream(stream))
        }
    }

    // MARK: Peers

    /// Permits every address of the far end on this server, because its checks may come before ours.
    mutating func permitAll(_ place: Int, at now: Instant) {
        let family = gathering.relays[place].allocation?.relayed.address.family
        for remote in checks.remotes where remote.address.address.family == family {
            tell(place, .permit(remote.address.address), at: now)
        }
    }

    mutating func permit(_ address: IPAddress, at now: Instant) {
        for place in gathering.relays.indices
        where gathering.relays[place].allocation?.relayed.address.family == address.family
            && !gathering.relays[place].client.isEnded
        {
            tell(place, .permit(address), at: now)
        }
    }

    /// Binds a channel to the peer, so that media packets get the short header.
    mutating func bind(_ place: Int, to peer: TransportAddress?, at now: Instant) {
        if let peer { tell(place, .bind(peer), at: now) }
    }

    // MARK: Streams

    mutating func opened(_ stream: StreamID, at now: Instant) {
        guard let place = relay(of: stream), !gathering.relays[place].client.isEnded else { return }
        gathering.relays[place].transport = .stream(stream, isOpen: true)
    }

    mutating func received(_ bytes: [UInt8], on stream: StreamID, at now: Instant) {
        guard let place = relay(of: stream), !gathering.relays[place].client.isEnded else { return }
        do {
            for message in try gathering.relays[place].framer.take(bytes) { tell(place, .received(message), at: now) }
        } catch {
            ownCensus.malformed += 1
            tell(place, .transportLost, at: now)
        }
    }

    mutating func lost(_ stream: StreamID, at now: Instant) {
        guard let place = relay(of: stream) else { return }
        gathering.relays[place].transport = .stream(stream, isOpen: false)
        tell(place, .transportLost, at: now)
    }

    mutating func loseStreams(at now: Instant) {
        for relay in gathering.relays {
            guard case .stream(let stream, _) = relay.transport, !relay.client.isEnded else { continue }
            lost(stream, at: now)
        }
    }

    private func relay(of stream: StreamID) -> Int? {
        gathering.relays.firstIndex { relay in
            if case .stream(stream, _) = relay.transport { true } else { false }
        }
    }

    // MARK: Datagrams

    /// - Returns: Whether it comes from a TURN server that this socket talks to, and is for its client.
    @discardableResult
    mutating func receivedByRelays(
        _ bytes: [UInt8], on socket: SocketID, from source: TransportAddress, at now: Instant
    ) -> Bool {
        let place = gathering.relays.firstIndex {
            $0.transport == .datagram(socket) && $0.server.address == source && !$0.client.isEnded
        }
        guard let place, STUNMessage.mayBegin(bytes) || ChannelData.mayBegin(bytes) else { return false }
        tell(place, .received(bytes), at: now)
        return true
    }
}

/// Counts of messages that an agent dropped, by reason.
public struct ICECensus: Equatable, Sendable {
    /// Messages that are not STUN, or STUN without a use here.
    public internal(set) var malformed = 0
    /// Checks and answers whose integrity is missing or wrong, or whose session does not exist. They are not answered.
    public internal(set) var unproven = 0
    /// Answers without a request.
    public internal(set) var unmatched = 0
    /// Packets that are not STUN, from addresses that have not been checked.
    public internal(set) var strayPackets = 0
    /// Remote candidates that cannot be used: another family or scope, a group, no port, too many.
    public internal(set) var unusableCandidates = 0
    /// Remote candidates whose name cannot be resolved.
    public internal(set) var unresolvedNames = 0
    /// Pairs beyond the limit.
    public internal(set) var discardedPairs = 0
    public internal(set) var roleConflicts = 0
    /// TURN servers that redirected us to another server.
    public internal(set) var redirections = 0
    /// Packets that a TURN client dropped, or could not send.
    public internal(set) var droppedByRelays = 0

    public init() {}
}

extension ICECensus {
    static func + (left: ICECensus, right: ICECensus) -> ICECensus {
        var sum = left
        sum.malformed += right.malformed
        sum.unproven += right.unproven
        sum.unmatched += right.unmatched
        sum.strayPackets += right.strayPackets
        sum.unusableCandidates += right.unusableCandidates
        sum.unresolvedNames += right.unresolvedNames
        sum.discardedPairs += right.discardedPairs
        sum.roleConflicts += right.roleConflicts
        sum.redirections += right.redirections
        sum.droppedByRelays += right.droppedByRelays
        return sum
    }
}

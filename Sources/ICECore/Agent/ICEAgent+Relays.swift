import Base

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

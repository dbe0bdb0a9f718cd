import Base

/// Gathering of local candidates.
extension ICEAgent {
    /// Takes the sockets into use. Host candidates are known at once; STUN and TURN servers are asked for the others.
    mutating func open(_ sockets: [HostSocket], at now: Instant) {
        life = .running
        self.sockets = Array(sockets.prefix(ICETiming.socketLimit))
        for place in self.sockets.indices { offerHost(place) }
        for socket in self.sockets {
            for server in 0..<max(gathering.stunServers.count, gathering.turnServers.count) {
                if server < gathering.turnServers.count { addRelay(server, socket) }
                if server < gathering.stunServers.count, configuration.policy == .all { addProbe(server, socket) }
            }
        }
        let hasStreams = gathering.turnServers.contains { $0.transport != .udp }
        if hasStreams {
            let hasDatagrams = gathering.relays.contains { !$0.client.isEnded }
            gathering.streamsAt = hasDatagrams ? now + ICETiming.streamDelay : now
        }
    }

    private mutating func addProbe(_ server: Int, _ socket: HostSocket) {
        let address = gathering.stunServers[server]
        guard address.address.family == socket.address.address.family,
            !gathering.probes.contains(where: { $0.socket == socket.id && $0.server == address })
        else { return }
        gathering.probes.append(Gathering.Probe(socket: socket.id, server: address, place: server))
    }

    private mutating func addRelay(_ place: Int, _ socket: HostSocket) {
        let server = gathering.turnServers[place]
        guard server.transport == .udp, server.address.address.family == socket.address.address.family else { return }
        let isKnown = gathering.relays.contains {
            $0.server == server && $0.transport == .datagram(socket.id) && $0.isOfUse
        }
        if !isKnown { append(server, place, .datagram(socket.id)) }
    }

    private mutating func append(_ server: TURNServer, _ place: Int, _ transport: Gathering.Relay.Transport) {
        guard gathering.relays.count(where: \.isOfUse) < ICETiming.relayLimit,
            gathering.relays.count < ICETiming.relayTotal
        else { return }
        let client = TURNClient(
            credentials: server.credentials, isReliable: server.transport != .udp, hashes: hashes,
            generator: SaltedGenerator(&generator))
        gathering.relays.append(
            Gathering.Relay(server: server, place: place, transport: transport, client: client))
    }

    // MARK: Candidates

    private func preferences() -> [UInt16] { LocalPreference.interleaved(sockets.map(\.address.address.family)) }

    /// The local preference of a relayed candidate: that of the socket that talks to the TURN server; over a stream
    /// that of the first socket. Nil: the socket is gone.
    private func preference(of transport: Gathering.Relay.Transport) -> UInt16? {
        switch transport {
        case .datagram(let socket):
            sockets.firstIndex { $0.id == socket }.map { preferences()[$0] }
        case .stream: preferences().first
        }
    }

    private mutating func offerHost(_ place: Int) {
        let socket = sockets[place]
        let preference = preferences()[place]
        let foundation = gathering.foundation(.host, base: socket.address.address, server: nil)
        let candidate = Candidate(
            foundation: foundation, priority: CandidateKind.host.priority(localPreference: preference),
            address: socket.address, kind: .host)
        guard configuration.policy == .all else { return }
        offer(LocalCandidate(candidate: candidate, base: .socket(socket.id), localPreference: preference))
    }

    /// - Parameter place: The server's index. It keeps the priorities of candidates different.
    private mutating func offerReflexive(
        _ mapped: TransportAddress, _ socket: SocketID, _ server: TransportAddress, place: Int
    ) {
        guard configuration.policy == .all, let index = sockets.firstIndex(where: { $0.id == socket }),
            mapped.port > 0, mapped.address.isOneHost
        else { return }
        let base = sockets[index].address
        let preference = preferences()[index] - UInt16(place)
        let candidate = Candidate(
            foundation: gathering.foundation(.serverReflexive, base: base.address, server: server),
            priority: CandidateKind.serverReflexive.priority(localPreference: preference), address: mapped,
            kind: .serverReflexive, related: base)
        offer(LocalCandidate(candidate: candidate, base: .socket(socket), localPreference: preference))
    }

    private mutating func offerRelayed(_ place: Int) {
        let relay = gathering.relays[place]
        guard let allocation = relay.allocation, let preference = preference(of: relay.transport) else { return }
        // A lost datagram does not delay the next one, unlike on a stream; and TLS costs more than TCP.
        let cost: UInt16 =
            switch relay.server.transport {
            case .udp: 0
            case .tcp: 64
            case .tls: 128
            }
        let local = preference - cost - UInt16(relay.place) - UInt16(place)
        let candidate = Candidate(
            foundation: gathering.foundation(
                .relayed, base: allocation.relayed.address, server: relay.server.address),
            priority: CandidateKind.relayed.priority(localPreference: local), address: allocation.relayed,
            kind: .relayed,
            // With the relay policy, our own address stays private.
            related: configuration.policy == .relay ? nil : allocation.mapped)
        offer(LocalCandidate(candidate: candidate, base: .relay(place), localPreference: local))
    }

    /// Adds a candidate unless it is redundant: one with the same address and base exists (RFC 8445 §5.1.3).
    private mutating func offer(_ candidate: LocalCandidate) {
        let isKnown = checks.locals.contains {
            $0.base == candidate.base && $0.candidate.address == candidate.candidate.address
                && $0.candidate.kind != .peerReflexive
        }
        guard !isKnown else { return }
        checks.add(candidate)
        effects.append(.candidate(candidate.candidate))
    }

    /// Offers all known candidates again, for a session with new credentials.
    mutating func offerAgain() {
        for place in sockets.indices { offerHost(place) }
        for probe in gathering.probes {
            if let mapped = probe.mapped { offerReflexive(mapped, probe.socket, probe.server, place: probe.place) }
        }
        for place in gathering.relays.indices where gathering.relays[place].isOfUse { offerRelayed(place) }
    }

    // MARK: Requests

    /// Sends one new request.
    mutating func gatherNext(at now: Instant) {
        // Probes and relays take turns, in the order in which they were added.
        let probe = gathering.probes.firstIndex { $0.state == .waiting }
        let relay = gathering.nextRelay
        let (started, asked) = (
            gathering.relays.count(where: \.isStarted), gathering.probes.count(where: { $0.state != .waiting })
        )
        if let relay, probe == nil || started <= asked {
            gathering.relays[relay].isStarted = true
            tell(relay, .start, at: now)
        } else if let probe {
            ask(probe, at: now)
        }
    }

    private mutating func ask(_ place: Int, at now: Instant) {
        let request = STUNMessage(.request, id: .init(using: &generator))
        gathering.probes[place].state = .asking(request, .gathering(at: now))
        transmit(request, place)
    }

    private mutating func transmit(_ request: STUNMessage, _ place: Int) {
        let probe = gathering.probes[place]
        effects.append(.transmit(request.bytes, from: probe.socket, to: probe.server))
    }

    /// - Returns: Whether it answers a request to a STUN server.
    mutating func probed(
        _ answer: STUNMessage, on socket: SocketID, from source: TransportAddress, at now: Instant
    ) -> Bool {
        let place = gathering.probes.firstIndex { probe in
            guard case .asking(let request, _) = probe.state else { return false }
            return request.id == answer.id && probe.socket == socket && probe.server == source
        }
        guard let place, answer.method == STUNMessage.binding else { return false }
        let probe = gathering.probes[place]
        gathering.probes[place].isSettled = true
        gathering.probes[place].state = .resting(until: now + ICETiming.keepAlive)
        if answer.kind == .success, let mapped = answer.mappedAddress {
            gathering.probes[place].mapped = mapped
            offerReflexive(mapped, socket, source, place: probe.place)
        }
        return true
    }

    mutating func advanceGathering(to now: Instant) {
        for place in gathering.probes.indices {
            switch gathering.probes[place].state {
            case .waiting, .done: break
            case .resting(let until):
                if until <= now { ask(place, at: now) }
            case .asking(let request, var retransmission):
                let step = retransmission.advance(to: now)
                gathering.probes[place].state = .asking(request, retransmission)
                switch step {
                case .wait: break
                case .send: transmit(request, place)
                case .timedOut: gathering.probes[place].stop()
                }
            }
        }
        for place in gathering.relays.indices {
            if let due = gathering.relays[place].client.deadline, due <= now { tell(place, .deadline, at: now) }
        }
        if let streamsAt = gathering.streamsAt, streamsAt <= now { openStreams() }
        tellEndOfCandidates()
    }

    /// Reports the end of candidates when every server has answered, or will not.
    mutating func tellEndOfCandidates() {
        guard life == .running, gathering.isSettled, !checks.isLocalComplete else { return }
        checks.isLocalComplete = true
        effects.append(.endOfCandidates)
    }

    private mutating func openStreams() {
        gathering.streamsAt = nil
        let hasRelayed = gathering.relays.contains { $0.allocation != nil && $0.isOfUse }
        guard !hasRelayed, !sockets.isEmpty else { return }
        for (place, server) in gathering.turnServers.enumerated() where server.transport != .udp {
            let isKnown = gathering.relays.contains { $0.server == server && $0.isOfUse }
            let before = gathering.relays.count
            let stream = StreamID(rawValue: before)
            if !isKnown { append(server, place, .stream(stream, isOpen: false)) }
            if gathering.relays.count > before { effects.append(.openStream(stream, server)) }
        }
    }
}

extension ICEAgent {
    /// The relayed address has arrived. The answer may also give the server-reflexive address, as a STUN server would.
    mutating func allocated(_ allocation: TURNAllocation, _ place: Int, at now: Instant) {
        gathering.relays[place].allocation = allocation
        let relay = gathering.relays[place]
        if case .datagram(let socket) = relay.transport, let mapped = allocation.mapped {
            // The place differs from those of STUN servers. A candidate that a STUN server has already given is
            // dropped.
            offerReflexive(mapped, socket, relay.server.address, place: ICETiming.serverLimit + relay.place)
        }
        offerRelayed(place)
        permitAll(place, at: now)
    }
}

import Base

/// The far end's description, restarts, and the path and its end.
extension ICEAgent {
    mutating func learn(_ description: RemoteDescription, at now: Instant) {
        if let known = checks.remote, known != description.credentials { renew(checks.local, at: now) }
        if checks.remote == nil { checks.start(with: description, at: now) }
        if description.isComplete { checks.isRemoteComplete = true }
        for candidate in description.candidates { learn(candidate, at: now) }
    }

    mutating func learn(_ candidate: RemoteCandidate, at now: Instant) {
        // A candidate that belongs to another session came late (RFC 8838 §11).
        if let fragment = candidate.userFragment, let remote = checks.remote, fragment != remote.userFragment {
            ownCensus.unusableCandidates += 1
            return
        }
        switch candidate.host {
        case .address:
            if let candidate = candidate.candidate { add(candidate, at: now) }
        case .name(let name):
            ownCensus.unresolvedNames += 1
            let isNew = gathering.names[name] == nil
            let isFull = isNew ? gathering.names.count >= ICETiming.nameLimit : gathering.names[name]?.count ?? 0 >= 4
            guard !isFull else { return }
            gathering.names[name, default: []].append(candidate)
            if isNew { effects.append(.resolve(name)) }
        }
    }

    mutating func resolved(_ name: String, _ addresses: [IPAddress], at now: Instant) {
        guard let candidates = gathering.names.removeValue(forKey: name), !addresses.isEmpty else { return }
        ownCensus.unresolvedNames -= candidates.count
        // RFC 8839 §5.1: only one address of a name is used.
        for candidate in candidates { add(candidate.at(addresses[0]), at: now) }
    }

    private mutating func add(_ candidate: Candidate, at now: Instant) {
        guard checks.add(candidate) else { return }
        permit(candidate.address.address, at: now)
    }

    // MARK: Restart

    mutating func restart(on sockets: [HostSocket], at now: Instant) {
        for socket in self.sockets where !sockets.contains(socket) { lost(socket.id, at: now) }
        // Without a local address, no stream to a TURN server works.
        if self.sockets.isEmpty { loseStreams(at: now) }
        self.sockets = Array(sockets.prefix(ICETiming.socketLimit))
        // An unreachable server may be reachable now.
        for place in gathering.probes.indices { gathering.probes[place].start() }
        startAnew(ICECredentials(using: &generator), at: now)
        open(sockets, at: now)
    }

    /// The far end restarts ICE. Candidates that were released because the former session did not need them are
    /// gathered again. Those that exist, or are being gathered, are kept.
    mutating func renew(_ credentials: ICECredentials, at now: Instant) {
        for place in gathering.probes.indices where gathering.probes[place].state == .done {
            gathering.probes[place].start()
        }
        startAnew(credentials, at: now)
        guard life == .running else { return }
        let streamsAt = gathering.streamsAt
        open(sockets, at: now)
        // A far end that restarts again and again must not postpone the streams.
        if let streamsAt { gathering.streamsAt = streamsAt }
    }

    /// Starts new checks, and keeps the former session as long as it has a path.
    private mutating func startAnew(_ credentials: ICECredentials, at now: Instant) {
        let role = checks.role
        if checks.path != nil {
            forgetPrevious()
            previous = checks
            // Asks at once whether the far end still receives on the old path.
            previous?.consentAt = now
        } else if previous?.trouble == .lost {
            // The former session has no path left. Its advice to restart would be too late, because this is a restart.
            forgetPrevious()
        }
        (renewedAt, trialEndsAt) = (now, now + ICETiming.trial)
        var next = ConnectivityChecks(
            credentials, role: role, tieBreaker: .random(in: .min ... .max, using: &generator), hashes: hashes,
            generator: SaltedGenerator(&generator))
        next.census = checks.census
        previous?.census = ICECensus()
        checks = next
        gathering.names = [:]
        release = .notYet
        offerAgain()
    }

    /// Drops the former session, but keeps its counts.
    mutating func forgetPrevious() {
        if let previous { ownCensus = ownCensus + previous.census }
        previous = nil
    }

    mutating func lost(_ socket: SocketID, at now: Instant) {
        sockets.removeAll { $0.id == socket }
        gathering.probes.removeAll { $0.socket == socket }
        for place in gathering.relays.indices where gathering.relays[place].transport == .datagram(socket) {
            tell(place, .transportLost, at: now)
        }
        checks.remove(.socket(socket))
        previous?.remove(.socket(socket))
    }

    // MARK: Path and state

    /// The path of the former session stays until both ends have agreed on a new one. If it is silent, it is left
    /// earlier: the far end may have restarted because that path is gone.
    func currentPath(at now: Instant) -> SelectedPair? {
        guard life == .running else { return nil }
        let (new, old) = (checks.path, previous?.path)
        let isOldAlive =
            old?.consentedAt.map { consentedAt in
                consentedAt + ICETiming.consentDoubt > now && (trialEndsAt != nil || consentedAt > renewedAt)
            } ?? false
        if let new, checks.isNominated || !isOldAlive { return path(new, isNominated: checks.isNominated) }
        return old.flatMap { path($0, isNominated: previous?.isNominated ?? false) }
            ?? new.flatMap { path($0, isNominated: checks.isNominated) }
    }

    private func path(_ pair: CandidatePair, isNominated: Bool) -> SelectedPair? {
        let route: SelectedPair.Route
        switch pair.local.base {
        case .socket(let socket): route = .socket(socket)
        case .relay(let place):
            let relay = gathering.relays[place]
            let channel = relay.channels[pair.remote.address]
            switch relay.transport {
            case .datagram(let socket):
                route = .turnDatagram(socket, server: relay.server.address, channel: channel)
            case .stream(let stream, _): route = .turnStream(stream, channel: channel)
            }
        }
        return SelectedPair(
            route: route, remote: pair.remote.address, localKind: pair.mapped?.kind ?? pair.local.candidate.kind,
            remoteKind: pair.remote.kind, isNominated: isNominated, base: pair.local.base)
    }

    var state: ICEState {
        switch life {
        case .new: return .new
        case .closing, .closed: return .closed
        case .running: break
        }
        if checks.isNominated { return .completed }
        if checks.path != nil || previous?.path != nil { return .connected }
        // If the new session has failed, the lost path of the former one no longer matters.
        if checks.hasFailed { return .failed }
        if checks.hasLostPath || previous?.hasLostPath ?? false { return .disconnected }
        return checks.remote == nil ? .new : .checking
    }

    public var census: ICECensus {
        ownCensus + checks.census + (previous?.census ?? ICECensus())
    }

    // MARK: Sending

    mutating func send(_ bytes: [UInt8], on base: ICEBase, to remote: TransportAddress, at now: Instant) {
        switch base {
        case .socket(let socket): effects.append(.transmit(bytes, from: socket, to: remote))
        case .relay(let place): tell(place, .send(bytes, to: remote), at: now)
        }
    }

    mutating func send(_ data: [UInt8], at now: Instant) {
        guard let path = currentPath(at: now) else { return }
        send(data, on: path.base, to: path.remote, at: now)
    }

    // MARK: Release and close

    /// RFC 8445 §8.3: some time after both ends have agreed on a path, the candidates that it does not need are
    /// released.
    mutating func releaseWhatIsNotNeeded(at now: Instant) {
        switch release {
        case .notYet where checks.isNominated:
            release = .due(now + ICETiming.release)
            return
        case .due(let due) where due <= now: release = .done
        case .notYet, .due, .done: return
        }
        forgetPrevious()
        checks.forgetAlternatives()
        gathering.streamsAt = nil
        for place in gathering.probes.indices { gathering.probes[place].stop() }
        for place in gathering.relays.indices where checks.path?.local.base != .relay(place) {
            tell(place, .close, at: now)
        }
        tellEndOfCandidates()
    }

    mutating func close(at now: Instant) {
        life = .closing
        gathering.probes = []
        gathering.streamsAt = nil
        forgetPrevious()
        for place in gathering.relays.indices { tell(place, .close, at: now) }
    }
}

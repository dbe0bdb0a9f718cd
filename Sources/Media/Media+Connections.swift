import PhoneCore
import Platform

/// Results of ICE and of handshakes, for which calls wait.
extension Media {
    func connector(networkWake: WakeSignal) throws(MediaError) -> Connector {
        let servers = try ICEServerResolver(settings.ice.values)
        return try Connector(identity, servers: servers, networkWake: networkWake) { [weak self] in self?.take($0) }
    }

    /// Takes what the connector reports; called on the connector's thread.
    private func take(_ report: Connector.Report) {
        let events = withThreads { threads, state -> [MediaEvent] in
            switch report {
            case .handshake(let handle, let handshake, let outcome):
                take(outcome, of: handshake, handle, threads, &state)
            case .ice(let connectivity, let result): take(result, of: connectivity, threads, &state)
            }
        }
        if case .ice(let connectivity, let result) = report { log(result, of: connectivity.call) }
        if case .handshake(let handle, _, let outcome) = report, let call = registry.call(handle) {
            log(outcome, of: call)
        }
        for event in events ?? [] { post(event) }
    }

    private func log(_ outcome: Connector.Outcome, of call: CallID) {
        switch outcome {
        case .kept(let reason): notice(.keysKept(call, reason: reason))
        case .withoutReports(let reason): notice(.noReports(call, reason: reason))
        case .secured, .shown, .failed: break
        }
    }

    private func log(_ result: ICEEndpoint.Result, of call: CallID) {
        switch result {
        case .path(let path):
            notice(.path(call, to: path?.remote, isRelayed: path?.isRelayed ?? false))
        case .relayEnded(let server, let why):
            notice(.relayEnded(call, server: server, reason: why.sentence))
        case .gathered, .candidates, .pathDoubted, .failed: break
        }
    }

    // MARK: Handshakes

    private func take(
        _ outcome: Connector.Outcome, of handshake: Handshake, _ handle: UInt32, _ threads: MediaThreads,
        _ state: inout State
    ) -> [MediaEvent] {
        // The call may have ended, or may have new terms by now.
        guard let (id, call, prepared) = connected(handle, state) else { return [] }
        let isControl = prepared.controlHandshake === handshake
        guard prepared.handshake === handshake || isControl else { return [] }
        switch outcome {
        case .secured(let keys):
            return change(id, call, prepared, threads, &state) { prepared throws(MediaError) in
                try PreparedMedia(secured: keys, by: handshake, prepared, of: call, settings: settings)
            }
        case .shown(let key): return [.keyShown(id, key)]
        case .kept, .withoutReports: return []
        case .failed(let reason): return [.failed(id, "the DTLS handshake failed: \(reason)")]
        }
    }

    private func connected(_ handle: UInt32, _ state: State) -> (CallID, CallMedia, PreparedMedia)? {
        for case (let id, .connected(let call, let prepared)) in state.calls where call.handle == handle {
            return (id, call, prepared)
        }
        return nil
    }

    // MARK: Paths

    private func take(
        _ result: ICEEndpoint.Result, of connectivity: Connectivity, _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        let id = connectivity.call
        switch (state.calls[id], result) {
        case (.open(let local, _), .gathered(let ice)): return [.opened(id, local.endpoint(ice: ice))]
        case (.open, .candidates(let news)), (.connected, .candidates(let news)):
            return [.candidates(id, news.candidates, isLast: news.isLast)]
        case (.connected(let call, _), .gathered(let ice)): return [.gathered(id, call.local.endpoint(ice: ice))]
        case (.connected(let call, let prepared), .path(let path)):
            guard prepared.negotiatesPath, path != prepared.path else { return [] }
            return change(id, call, prepared, threads, &state) { prepared throws(MediaError) in
                try PreparedMedia(on: path, prepared, of: call, settings: settings)
            }
        case (.connected(_, let prepared), .failed(let reason)):
            return prepared.awaitsPath ? [.failed(id, reason)] : []
        case (.open, .failed(let reason)): return [.failed(id, reason)]
        case (.connected, .pathDoubted): return [.pathDoubted(id)]
        case (.open, .path), (.open, .pathDoubted), (.open, .relayEnded), (.connected, .relayEnded), (nil, _): return []
        }
    }

    /// Applies to a call what the connector found. The call becomes ready when it waits for nothing more.
    private func change(
        _ id: CallID, _ call: CallMedia, _ previous: PreparedMedia, _ threads: MediaThreads, _ state: inout State,
        _ make: (PreparedMedia) throws(MediaError) -> PreparedMedia
    ) -> [MediaEvent] {
        do throws(MediaError) {
            let prepared = try make(previous)
            let events = agree(prepared, id, call, threads, &state)
            return !previous.mayExchange && prepared.mayExchange ? events + [.ready(id)] : events
        } catch {
            return [.failed(id, error.description)]
        }
    }
}

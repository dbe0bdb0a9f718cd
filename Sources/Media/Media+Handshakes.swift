import PhoneCore

/// Handshakes, on whose keys calls wait.
extension Media {
    /// Nil where this phone has no certificate to show.
    func handshaker() throws(MediaError) -> Handshaker? {
        guard let identity else { return nil }
        return try Handshaker(identity) { [weak self] handle, handshake, result in
            self?.take(result, of: handshake, handle: handle)
        }
    }

    /// On the handshaker's thread.
    private func take(_ result: Handshaker.Result, of handshake: Handshake, handle: UInt32) {
        let events = withThreads { threads, state -> [MediaEvent] in
            // The call may be over, or have other terms by now.
            guard let (id, call, prepared) = connected(handle, state), prepared.handshake === handshake else {
                return []
            }
            switch result {
            case .secured(let keys): return secure(id, call, prepared, keys, threads, &state)
            case .shown(let key): return [.keyShown(id, key)]
            case .failed(let reason): return [.failed(id, "no keys were agreed on with the far end: \(reason)")]
            }
        }
        for event in events ?? [] { post(event) }
    }

    private func secure(
        _ id: CallID, _ call: CallMedia, _ previous: PreparedMedia, _ keys: NegotiatedMedia.MasterKeys,
        _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        do throws(MediaError) {
            let prepared = try PreparedMedia(secured: keys, previous, of: call, settings: settings)
            return agree(prepared, id, call, threads, &state) + [.ready(id)]
        } catch {
            return [.failed(id, error.description)]
        }
    }

    private func connected(_ handle: UInt32, _ state: State) -> (CallID, CallMedia, PreparedMedia)? {
        for case (let id, .connected(let call, let prepared)) in state.calls where call.handle == handle {
            return (id, call, prepared)
        }
        return nil
    }
}

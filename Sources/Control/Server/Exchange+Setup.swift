import JSON
import PhoneCore

/// The progress of a setup request.
enum SetupStage {
    /// It waits for its first snapshot.
    case waits(SetupRequest)
    /// The setup functions have it, and will answer it.
    case begun
}

/// Handles setup requests. Each begins with a snapshot, because the allowed trials depend on the phone's state.
extension Exchange {
    func askForSetup(_ request: SetupRequest, from asker: Asker) throws(RPCError) {
        guard extras.setup != nil else { throw .hasNoSetup }
        let action = try ticket(for: asker, .everything)
        setups[action] = .waits(request)
        post(action, .status)
    }

    /// - Returns: Whether the snapshot was for a setup request, which is answered later.
    func beginSetup(_ action: ActionID, with snapshot: PhoneSnapshot) -> Bool {
        guard case .waits(let request)? = setups[action] else { return false }
        setups[action] = .begun
        extras.setup?.ask(action, request, snapshot)
        return true
    }

    /// Ends an action of the phone. For a setup request, that was only the snapshot.
    func finish(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        if case .begun? = setups[action] { return }
        settle(action, result)
    }

    /// Ends setup requests whose clients are gone.
    func stopSetups(_ actions: some Sequence<ActionID>) {
        for action in actions {
            setups[action] = nil
            extras.setup?.stop(action)
        }
    }
}

import JSON
import PhoneCore

/// How far a request of setup has come.
enum SetupStage {
    /// It waits for the snapshot with which it begins.
    case waits(SetupRequest)
    /// Who sets the phone up has it, and answers it.
    case begun
}

/// Requests that set the phone up. Each begins with a snapshot, because what may be tried depends on what the phone
/// does.
extension Exchange {
    func askForSetup(_ request: SetupRequest, from asker: Asker) throws(RPCError) {
        guard extras.setup != nil else { throw .hasNoSetup }
        let action = try ticket(for: asker, .everything)
        setups[action] = .waits(request)
        post(action, .status)
    }

    /// - Returns: Whether the snapshot was for such a request, which is answered later.
    func beginSetup(_ action: ActionID, with snapshot: PhoneSnapshot) -> Bool {
        guard case .waits(let request)? = setups[action] else { return false }
        setups[action] = .begun
        extras.setup?.ask(action, request, snapshot)
        return true
    }

    /// The phone has done what was asked of it. Of a request of setup that is only the snapshot.
    func finish(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        if case .begun? = setups[action] { return }
        settle(action, result)
    }

    /// Ends what nobody waits for any longer.
    func stopSetups(_ actions: some Sequence<ActionID>) {
        for action in actions {
            setups[action] = nil
            extras.setup?.stop(action)
        }
    }
}

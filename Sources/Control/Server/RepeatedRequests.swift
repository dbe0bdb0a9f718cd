import JSON
import PhoneCore

/// Requests with a client's key. A client whose connection broke repeats its request with the same key. It gets the
/// first answer, and the action is not repeated.
struct RepeatedRequests {
    /// In bytes.
    static let longestKey = 64
    /// The number of remembered keys; the oldest is forgotten first.
    static let limit = 64

    enum Finding {
        case new
        /// The request is in progress as this action.
        case pending(ActionID)
        case settled(Result<JSONValue, RPCError>)
        /// The key belongs to a different request.
        case different
    }

    private enum Outcome {
        case pending(ActionID)
        case settled(Result<JSONValue, RPCError>)
    }

    private struct Entry {
        let key: String
        let request: Request
        var outcome: Outcome
    }

    /// Oldest first.
    private var entries: [Entry] = []

    func find(_ key: String, _ request: Request) -> Finding {
        guard let entry = entries.first(where: { $0.key == key }) else { return .new }
        guard entry.request == request else { return .different }
        switch entry.outcome {
        case .pending(let action): return .pending(action)
        case .settled(let result): return .settled(result)
        }
    }

    mutating func begin(_ key: String, _ request: Request, as action: ActionID) {
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(Entry(key: key, request: request, outcome: .pending(action)))
    }

    mutating func settle(_ action: ActionID, _ result: Result<JSONValue, RPCError>) {
        for index in entries.indices {
            guard case .pending(action) = entries[index].outcome else { continue }
            entries[index].outcome = .settled(result)
        }
    }
}

import Base
import PhoneCore

/// A question that a snapshot of the phone answers, by its method.
enum SnapshotQuestion: String {
    case everything = "getSnapshot"
    case network = "getNetworkStatus"
    case connection = "getConnectionState"
    case pendingIncomingCall = "getPendingIncomingCall"

    func answer(from snapshot: PhoneSnapshot, at now: Instant, labels: [AccountID: String]) -> JSONValue {
        switch self {
        case .everything: snapshot.json(at: now, labels: labels)
        case .network: ["status": .string(snapshot.network.rawValue)]
        case .connection: ["state": .string(snapshot.connection), "registrations": snapshot.lines(labels)]
        case .pendingIncomingCall: ["summary": snapshot.calls.first { $0.phase == .ringingIn }?.json ?? .null]
        }
    }
}

extension PhoneSnapshot {
    /// What the lines come to, taken together: one that is ready makes the phone reachable.
    fileprivate var connection: String {
        let states = registrations.values
        if states.contains(where: \.isReady) { return "connected" }
        return states.contains(.registering) ? "connecting" : "disconnected"
    }
}

import ICECore

extension TURNEnd {
    /// The reason as text for people, to follow the server's name.
    var sentence: String {
        switch self {
        case .closed: "is no longer needed"
        case .silent: "does not answer"
        case .transportLost: "cannot be reached, or has closed the connection"
        case .unauthorized: "does not accept the user or the password"
        case .redirected: "redirects to another server, which the phone does not follow"
        case .mismatch: "has lost the allocation, perhaps because it restarted"
        case .quotaReached: "relays no more for this user (quota reached)"
        case .insufficientCapacity: "is out of capacity"
        case .refused(let code): "refuses with error \(code)"
        case .malformed: "sent a response that cannot be used"
        }
    }
}

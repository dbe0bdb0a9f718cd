import ICECore

extension TURNEnd {
    /// The reason in words for people, to follow the server's name.
    var sentence: String {
        switch self {
        case .closed: "is no longer needed"
        case .silent: "does not answer"
        case .transportLost: "cannot be connected to, or has closed the connection"
        case .unauthorized: "does not accept the user or the password"
        case .redirected: "sends the phone to another server, which it does not follow"
        case .mismatch: "has forgotten the phone, as one does that starts anew"
        case .quotaReached: "relays no more for this user"
        case .insufficientCapacity: "has no room"
        case .refused(let code): "refuses with error \(code)"
        case .malformed: "grants what cannot be used"
        }
    }
}

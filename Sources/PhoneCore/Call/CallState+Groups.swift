/// The groups of states that rules speak of, each said once.
extension CallState {
    /// The call is up: both ends have agreed, and the path may be there or not.
    var talk: Talk? {
        switch self {
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk
        case .idle, .ringingIn, .ringingOut, .connecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// The call is up, and the far end can be asked for something.
    var reachableTalk: Talk? {
        switch self {
        case .active(let talk), .onHold(let talk): talk
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// The call counts against the limit of calls: neither being cleaned up nor saying goodbye.
    var isLive: Bool {
        switch self {
        case .ringingIn, .ringingOut, .connecting, .active, .onHold, .reconnecting: true
        case .idle, .disconnecting, .ended, .failed: false
        }
    }
}
